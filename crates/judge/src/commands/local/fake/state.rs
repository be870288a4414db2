//! The matches of the fake server, what is news of them, and what has happened.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use anyhow::Result;
use game::setup::Setup;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::super::news::{MatchResult, News};
use super::super::view::mean_score_text;
use super::faults::{Fault, Faults};
use super::table::{Table, Taken};
use crate::cli::option_name;
use crate::report::table;

/// The state of the fake server.
pub struct State {
    pub tables: BTreeMap<String, Table>,
    pub faults: Faults,
    pub counts: Counts,
    /// The seed of the last match.
    last_seed: i32,
    /// How often the server was started; a restart ends all connections.
    pub starts: u32,
    pub restarts_now: bool,
}

/// What has happened.
#[derive(Default, Serialize)]
pub struct Counts {
    pub polls: u64,
    pub faults: BTreeMap<String, u64>,
    /// The answers that came again although they were taken.
    pub repeated_answers: u64,
    /// Those whose match was over, or whose request was not sent.
    pub unasked_answers: u64,
    /// Those that came again after a poll that carried them had returned with status 200.
    pub answers_after_success: u64,
    pub refused_headers: u64,
}

impl State {
    pub fn new(faults: Faults) -> State {
        State {
            tables: BTreeMap::new(),
            faults,
            counts: Counts::default(),
            last_seed: 0,
            starts: 0,
            restarts_now: false,
        }
    }

    /// Opens a match with the next seed and returns its id.
    pub fn open_table(&mut self, setup: impl FnOnce(i32) -> Result<Setup>) -> Result<String> {
        let mut table = Table::new(setup(self.last_seed + 1)?)?;
        self.last_seed += 1;
        table.abort_after = self.faults.abort_after(self.tables.len() + 1);
        // As on the site: 24 digits, and no two servers give the same.
        let start = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs() as u32;
        let id = format!("{start:08x}{:08x}{:08x}", std::process::id(), self.last_seed);
        self.tables.insert(id.clone(), table);
        Ok(id)
    }

    pub fn take(&mut self, answers: &[(String, String)]) {
        for (id, answer) in answers {
            let Some(table) = self.tables.get_mut(id) else { continue };
            match table.take(answer) {
                Taken::Now if table.abort_if_due() => self.count_fault(Fault::Abort),
                Taken::Now => {}
                Taken::Repeated => self.counts.repeated_answers += 1,
                Taken::Unasked => self.counts.unasked_answers += 1,
                Taken::AfterSuccess => self.counts.answers_after_success += 1,
            }
        }
    }

    /// The fault of the next poll, if it has one.
    pub fn next_fault(&mut self) -> Option<Fault> {
        let fault = self.faults.next()?;
        self.count_fault(fault);
        Some(fault)
    }

    fn count_fault(&mut self, fault: Fault) {
        *self.counts.faults.entry(option_name(&fault)).or_default() += 1;
    }

    pub fn has_news(&self) -> bool {
        let has_news =
            |table: &Table| table.due_request().is_some() || table.due_result().is_some();
        self.tables.values().any(has_news)
    }

    /// What is to be sent; with `duplicates`, twice, with earlier requests, in another order.
    pub fn news(&mut self, duplicates: bool) -> News {
        let mut news = News::default();
        for (id, table) in &self.tables {
            let due = table.due_request().into_iter();
            let earlier = table.earlier_request().filter(|_| duplicates);
            let requests = due.chain(earlier).map(|request| (id.clone(), request.clone()));
            news.requests.extend(requests);
            let result = table.due_result();
            news.results.extend(result.map(|score| MatchResult { id: id.clone(), score }));
        }
        if duplicates {
            news.requests.extend_from_within(..);
            news.results.extend_from_within(..);
            for end in (1..news.requests.len()).rev() {
                news.requests.swap(end, self.faults.random.below(end + 1));
            }
        }
        news
    }

    /// Notes that these news are sent. To be called before they leave.
    pub fn sent(&mut self, news: &News) {
        for (id, request) in &news.requests {
            if let Some(table) = self.tables.get_mut(id)
                && table.due_request() == Some(request)
            {
                table.sent_request();
            }
        }
        for MatchResult { id, .. } in &news.results {
            if let Some(table) = self.tables.get_mut(id) {
                table.sent_result();
            }
        }
    }

    /// Notes that the response with these news was written. A result that it has twice counts once.
    pub fn wrote(&mut self, news: &News) {
        let ids: BTreeSet<&str> = news.results.iter().map(|result| result.id.as_str()).collect();
        for id in ids {
            if let Some(table) = self.tables.get_mut(id) {
                table.wrote_result();
            }
        }
    }

    /// Notes that a client has read the status 200 of a poll with these answers.
    pub fn acknowledge(&mut self, answers: &[(String, String)]) {
        for (id, answer) in answers {
            if let Some(table) = self.tables.get_mut(id) {
                table.acknowledge(answer);
            }
        }
    }

    /// Notes that a client has read these news.
    pub fn read(&mut self, news: &News) {
        for MatchResult { id, .. } in &news.results {
            if let Some(table) = self.tables.get_mut(id) {
                table.read_result();
            }
        }
    }

    /// Whether all matches are over and the client knows. Then nothing is owed to anybody.
    pub fn is_done(&self) -> bool {
        self.tables.values().all(Table::is_done)
    }

    pub fn report(&self) -> Report<'_> {
        let tables = self.tables.iter().map(|(id, table)| MatchReport {
            id,
            seed: table.setup.seed,
            answers: table.answers(),
            over: table.result.is_some(),
            score: table.result.flatten(),
        });
        Report { counts: &self.counts, matches: tables.collect() }
    }

    pub fn summary(&self) -> String {
        let ended = self.tables.values().filter_map(|table| table.result.flatten());
        let scores: Vec<f64> = ended.collect();
        let aborted = self.tables.values().filter(|table| table.result == Some(None)).count();
        let answers: usize = self.tables.values().map(Table::answers).sum();
        let Counts { polls, faults, .. } = &self.counts;
        let faults =
            if faults.is_empty() { "no faults".to_owned() } else { table::counts_text(faults) };
        let mut table = table::empty(["answers", "number"]);
        for (kind, number) in [
            ("taken", answers as u64),
            ("repeated after a response that was lost", self.counts.repeated_answers),
            ("to no open request, as after an abort", self.counts.unasked_answers),
            ("repeated after a poll that had succeeded", self.counts.answers_after_success),
        ] {
            table.add_row([kind.to_owned(), number.to_string()]);
        }
        let errors = match self.counts.answers_after_success {
            0 => "",
            _ => "\nthe last are errors of the client, unless it was killed",
        };
        format!(
            "{}: {} finished, {aborted} aborted{}\n{}, with {faults}\n\n{table}{errors}",
            pluralize(self.tables.len(), "match", "matches"),
            scores.len(),
            mean_score_text(&scores),
            pluralize(*polls, "poll", "polls"),
        )
    }
}

/// What is reported at the end.
#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    matches: Vec<MatchReport<'a>>,
}

/// A match.
#[derive(Serialize)]
struct MatchReport<'a> {
    #[serde(rename = "match")]
    id: &'a str,
    seed: i32,
    answers: usize,
    over: bool,
    /// `None` of a match that was aborted or is open.
    score: Option<f64>,
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Shape;

    use super::*;

    #[test]
    fn a_server_does_not_end_before_its_last_result_was_written_twice_or_read() {
        let mut state = State::new(Faults::new(&[], 1));
        let id = state.open_table(|seed| Ok(Setup::new(Shape::new(11, 11)?, 11, seed))).unwrap();
        state.tables.get_mut(&id).unwrap().abort();
        for _ in 0..2 {
            assert!(!state.is_done());
            let news = state.news(true);
            state.sent(&news);
            // The response has the result twice, and the client has not read it.
            assert_eq!(news.results.len(), 2);
            assert!(!state.is_done());
            state.wrote(&news);
            state.tables.get_mut(&id).unwrap().forget_sent();
        }
        assert!(state.is_done());
    }

    #[test]
    fn one_match_of_four_is_aborted_however_long_it_lasts() {
        for (open, aborted) in [(1, 0), (3, 1), (10, 2), (20, 5)] {
            let mut state = State::new(Faults::new(&[Fault::Abort], 1));
            for _ in 0..open {
                let setup = |seed| Ok(Setup::new(Shape::new(11, 11)?, 110, seed));
                state.open_table(setup).unwrap();
            }
            let ids: Vec<String> = state.tables.keys().cloned().collect();
            // Among so many mines no answer opens a second cell or ends the match.
            for column in 0..11 {
                let news = state.news(false);
                state.sent(&news);
                let answer = format!(r#"{{"row":0,"col":{column}}}"#);
                let answers: Vec<_> = ids.iter().map(|id| (id.clone(), answer.clone())).collect();
                state.take(&answers);
            }
            let found = state.tables.values().filter(|table| table.result == Some(None)).count();
            assert_eq!(found, aborted, "{open} open");
            let counted = state.counts.faults.get("abort").copied().unwrap_or_default();
            assert_eq!(counted, aborted as u64);
            assert_eq!(state.next_fault(), None);
        }
    }
}
