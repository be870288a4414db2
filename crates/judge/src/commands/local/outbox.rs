//! The answers that are owed to the server.
//!
//! An answer is sent with every poll until one that carried it is known to have arrived, and then
//! never again. Invariant: only [`Outbox::delivered`] and [`Outbox::remove`] take an answer out,
//! and a match has at most one.
//!
//! Answers are headers, and servers limit the size of all headers together (nginx to 8 KiB a line,
//! Node.js to 16 KiB in all, others to less). So a poll carries as many as fit below a limit,
//! which falls by a quarter whenever the server refuses one for its size. Answers leave in the
//! order in which they came, so none waits for ever.

use std::collections::{BTreeSet, VecDeque};

use super::server::Outgoing;

/// The first limit of the bytes of all answers in one poll: half of the smallest usual limit.
const FIRST_LIMIT: usize = 4 << 10;
/// The bytes of a header besides the id and the value: `X-Match-`, `: ` and the end of the line.
const HEADER_BYTES: usize = 12;

/// The answers that are owed, the oldest first.
pub struct Outbox {
    answers: VecDeque<Outgoing>,
    /// The answers of polls that failed.
    sent: BTreeSet<Outgoing>,
    limit: usize,
}

impl Default for Outbox {
    fn default() -> Outbox {
        Outbox { answers: VecDeque::new(), sent: BTreeSet::new(), limit: FIRST_LIMIT }
    }
}

impl Outbox {
    pub fn push(&mut self, id: &str, answer: String) {
        self.answers.push_back((id.to_owned(), answer));
    }

    /// Takes out the answer of a match that needs none any more.
    pub fn remove(&mut self, id: &str) {
        self.answers.retain(|(owed, _)| owed != id);
        self.sent.retain(|(owed, _)| owed != id);
    }

    /// Takes out answers that have arrived. An answer that has replaced one of them stays.
    pub fn delivered(&mut self, arrived: &[Outgoing]) {
        self.answers.retain(|owed| !arrived.contains(owed));
        self.sent.retain(|owed| !arrived.contains(owed));
    }

    /// Notes that a poll with these answers has failed.
    pub fn failed(&mut self, batch: Vec<Outgoing>) {
        self.sent.extend(batch);
    }

    /// How many of these answers were in a poll that has failed.
    pub fn sent_before(&self, batch: &[Outgoing]) -> usize {
        batch.iter().filter(|answer| self.sent.contains(*answer)).count()
    }

    /// The answers for the next poll: the oldest ones that fit, and at least one.
    pub fn batch(&self) -> Vec<Outgoing> {
        let mut bytes = 0;
        let fits = |(id, answer): &&Outgoing| {
            let is_first = bytes == 0;
            bytes += id.len() + answer.len() + HEADER_BYTES;
            is_first || bytes <= self.limit
        };
        self.answers.iter().take_while(fits).cloned().collect()
    }

    /// Lowers the limit after the server refused this batch for its size. Returns whether the next
    /// batch is smaller: one answer cannot be split.
    pub fn shrink(&mut self, batch: &[Outgoing]) -> bool {
        if batch.len() < 2 {
            return false;
        }
        let bytes = |(id, answer): &Outgoing| id.len() + answer.len() + HEADER_BYTES;
        self.limit = batch.iter().map(bytes).sum::<usize>().min(self.limit) / 4 * 3;
        true
    }

    pub fn len(&self) -> usize {
        self.answers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox(answers: usize) -> Outbox {
        let mut outbox = Outbox::default();
        (0..answers).for_each(|i| outbox.push(&format!("{i:024}"), r#"{"row":1}"#.to_owned()));
        outbox
    }

    #[test]
    fn an_answer_stays_until_it_was_delivered() {
        let mut outbox = outbox(3);
        let batch = outbox.batch();
        outbox.failed(batch[..2].to_vec());
        assert_eq!((batch.len(), outbox.batch()), (3, batch.clone()));
        assert_eq!(outbox.sent_before(&batch), 2);
        outbox.delivered(&batch[..2]);
        assert_eq!(outbox.batch(), batch[2..]);
        // The match has moved on while its last answer was delivered.
        outbox.remove(&batch[2].0);
        outbox.push(&batch[2].0, "next".to_owned());
        outbox.delivered(&batch);
        assert_eq!(outbox.batch(), [(batch[2].0.clone(), "next".to_owned())]);
    }

    #[test]
    fn many_answers_are_split_and_all_leave() {
        let mut outbox = outbox(200);
        let mut polls = 0;
        while !outbox.is_empty() {
            let batch = outbox.batch();
            let headers = batch.iter().map(|(id, a)| format!("X-Match-{id}: {a}\r\n").len());
            assert!(headers.sum::<usize>() <= FIRST_LIMIT);
            outbox.delivered(&batch);
            polls += 1;
        }
        assert_eq!(polls, 3);
    }

    #[test]
    fn a_refused_batch_shrinks_to_one_answer() {
        let mut outbox = outbox(200);
        // A server that refuses a poll without answers does not object to their size.
        assert!(!outbox.shrink(&[]));
        let mut sizes = vec![outbox.batch().len()];
        while outbox.shrink(&outbox.batch()) {
            sizes.push(outbox.batch().len());
        }
        assert!(sizes.is_sorted_by(|a, b| a > b) && sizes.last() == Some(&1), "{sizes:?}");
        assert!(sizes[0] > 50, "{sizes:?}");
    }
}
