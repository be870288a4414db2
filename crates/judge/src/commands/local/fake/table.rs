//! A match at the fake server, played by the referee.
//!
//! Invariant: an answer is taken at most once, and only for a request that was sent. An answer that
//! comes again because its poll had failed is therefore no answer to the next turn.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Result;
use game::botzone::BotzoneJudge;
use game::record::Record;
use game::setup::Setup;
use serde_json::Value;

/// A request without an answer and a result are sent again after this time: the client may have
/// been killed before it kept them.
const SEND_AGAIN: Duration = Duration::from_secs(2);
/// How many responses have a result for a client that does not show whether it has read it.
const RESULT_TIMES: u8 = 2;

/// A match.
pub struct Table {
    pub setup: Setup,
    judge: BotzoneJudge,
    pub record: Record,
    /// The request of the current turn, and the one before it.
    request: Value,
    earlier: Option<Value>,
    is_sent: bool,
    /// When the request or the result is to be sent.
    due: Instant,
    taken: BTreeSet<String>,
    /// The answers of polls that have returned with status 200.
    acknowledged: BTreeSet<String>,
    /// The end of the match; without a score if it was aborted.
    pub result: Option<Option<f64>>,
    result_times: u8,
    /// Whether a client has read a poll with the result.
    is_read: bool,
    /// The number of answers after which the match is aborted.
    pub abort_after: Option<usize>,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    Now,
    /// It came before.
    Repeated,
    /// The match is over, or its request was not sent.
    Unasked,
    /// It was in a poll that has returned with status 200, so it must not come again.
    AfterSuccess,
}

impl Table {
    /// Opens a match.
    ///
    /// # Errors
    /// The setup is not a game.
    pub fn new(setup: Setup) -> Result<Table> {
        let judge = BotzoneJudge::new(&setup)?;
        let mut record = Record::new(&setup);
        record.push_output(judge.first_output());
        Ok(Table {
            request: judge.first_output()["content"]["0"].clone(),
            setup,
            judge,
            record,
            earlier: None,
            is_sent: false,
            due: Instant::now(),
            taken: BTreeSet::new(),
            acknowledged: BTreeSet::new(),
            result: None,
            result_times: 0,
            is_read: false,
            abort_after: None,
        })
    }

    /// Takes an answer.
    pub fn take(&mut self, answer: &str) -> Taken {
        if self.acknowledged.contains(answer) {
            return Taken::AfterSuccess;
        }
        if self.taken.contains(answer) {
            return Taken::Repeated;
        }
        if self.result.is_some() || !self.is_sent {
            return Taken::Unasked;
        }
        self.taken.insert(answer.to_owned());
        let response: Value = serde_json::from_str(answer).unwrap_or_default();
        let ruling = self.judge.answer(&response);
        self.record.push_answer("OK", Some(&response));
        self.record.push_output(&ruling.output);
        let content = ruling.output["content"]["0"].clone();
        self.due = Instant::now();
        if ruling.end.is_some() {
            self.result = Some(content.as_f64());
        } else {
            self.earlier = Some(std::mem::replace(&mut self.request, content));
            self.is_sent = false;
        }
        Taken::Now
    }

    /// Notes that a poll with this answer has returned with status 200.
    pub fn acknowledge(&mut self, answer: &str) {
        self.acknowledged.insert(answer.to_owned());
    }

    /// The request, if it is to be sent.
    pub fn due_request(&self) -> Option<&Value> {
        (self.result.is_none() && Instant::now() >= self.due).then_some(&self.request)
    }

    /// The request of the turn before.
    pub fn earlier_request(&self) -> Option<&Value> {
        self.earlier.as_ref().filter(|_| self.result.is_none())
    }

    /// The result, if it is to be sent.
    pub fn due_result(&self) -> Option<Option<f64>> {
        self.result.filter(|_| self.result_times < RESULT_TIMES && Instant::now() >= self.due)
    }

    /// Notes that the request is sent. To be called before it leaves: its answer may come at once.
    pub fn sent_request(&mut self) {
        (self.is_sent, self.due) = (true, Instant::now() + SEND_AGAIN);
    }

    /// Notes that the result is sent. To be called before it leaves, so that no other poll has it.
    pub fn sent_result(&mut self) {
        self.due = Instant::now() + SEND_AGAIN;
    }

    /// Notes that a response with the result was written. The server may end after it.
    pub fn wrote_result(&mut self) {
        self.result_times += 1;
    }

    /// Sends the request again as soon as possible.
    pub fn forget_sent(&mut self) {
        self.due = Instant::now();
    }

    /// Notes that a client has read a poll with the result.
    pub fn read_result(&mut self) {
        self.is_read = true;
    }

    /// Whether the client knows that the match is over, as far as the server can tell.
    pub fn is_done(&self) -> bool {
        self.is_read || self.result_times >= RESULT_TIMES
    }

    /// Ends the match without a score.
    pub fn abort(&mut self) {
        if self.result.is_none() {
            (self.result, self.due) = (Some(None), Instant::now());
        }
    }

    /// Aborts the match if it has had the answers after which it is to be aborted. Returns whether
    /// that has happened.
    pub fn abort_if_due(&mut self) -> bool {
        let is_due = self.result.is_none() && self.abort_after == Some(self.answers());
        if is_due {
            self.abort();
        }
        is_due
    }

    /// The answers that were taken.
    pub fn answers(&self) -> usize {
        self.taken.len()
    }
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Shape;

    use super::*;

    #[test]
    fn an_answer_is_taken_once_and_only_for_a_request_that_was_sent() {
        let setup = Setup::new(Shape::new(11, 11).unwrap(), 11, 42);
        let mut table = Table::new(setup).unwrap();
        let [first, second] = [r#"{"row":0,"col":0}"#, r#"{"row":10,"col":10}"#];
        assert_eq!(table.take(first), Taken::Unasked);
        table.sent_request();
        assert_eq!(table.due_request(), None);
        assert_eq!(table.take(first), Taken::Now);
        // Its poll has failed, and it comes again before and after the next request was sent.
        assert_eq!(table.take(first), Taken::Repeated);
        assert_eq!(table.take(second), Taken::Unasked);
        table.sent_request();
        assert_eq!(table.take(first), Taken::Repeated);
        table.acknowledge(first);
        assert_eq!(table.take(first), Taken::AfterSuccess);
        assert_eq!((table.answers(), table.result), (1, None));
        assert_eq!(table.take("null"), Taken::Now);
        assert_eq!((table.result, table.due_result()), (Some(Some(0.0)), Some(Some(0.0))));
        assert_eq!(table.take(second), Taken::Unasked);
        table.sent_result();
        assert_eq!((table.due_result(), table.is_done()), (None, false));
        table.wrote_result();
        assert!(!table.is_done());
        table.read_result();
        assert!(table.is_done());
    }
}
