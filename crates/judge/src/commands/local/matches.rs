//! All matches of a run: what the server and the bots say becomes history, jobs and answers.
//!
//! Invariant: what no line on disk says has not happened. A request is on disk before its
//! turn begins, an answer before it is owed, and a delivery before the match goes on. So a client
//! that is killed at any moment goes on where it was. Only an answer whose poll had just succeeded
//! may be sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Sender;

use anyhow::Result;
use sapper::kit::text::pluralize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::game::{Answerer, Entry, LocalGame, Received, replaced};
use super::news::MatchResult;
use super::outbox::Outbox;
use super::players::{BotChoice, Done, Job, Player, Reply};
use super::record::{INCOMPLETE, record};
use super::server::Outgoing;
use super::store::{Store, Stored};
use super::view::{Row, StatusLines};
use crate::report::recorded_games::{make_directory, write_record};
use crate::runner::bots::Fault;
use crate::runner::bots::host::invalid_text;

/// All matches of a run.
pub struct Matches<'a> {
    arguments: &'a Arguments,
    bot: &'static BotChoice,
    /// Takes the turns to be answered.
    jobs: Sender<Job>,
    store: Store,
    /// The matches that are not over.
    pub open: BTreeMap<String, Match>,
    over: BTreeSet<String>,
    /// What the server has said in place of the ids of other matches.
    unusable_ids: BTreeSet<String>,
    /// The init data of the matches that this client has opened.
    initdata: BTreeMap<String, Value>,
    /// The answers to be sent.
    pub outbox: Outbox,
    /// The turns at work.
    pub at_work: usize,
    /// The matches that are over.
    pub rows: Vec<Row>,
    /// The requests that came again.
    pub repeated: u64,
    /// The records in the directory [`INCOMPLETE`].
    pub incomplete_logs: usize,
    /// Whether requests are kept for the next run instead of answered.
    pub is_ending: bool,
    /// Whether the bot had a fault.
    pub has_fault: bool,
    pub lines: StatusLines,
}

/// A match that is not over.
pub struct Match {
    game: LocalGame,
    /// `None` while it is at work, and before its first turn.
    player: Option<Player>,
    is_stored: bool,
}

impl Match {
    /// A match of which no request was taken.
    fn new() -> Match {
        Match { game: LocalGame::default(), player: None, is_stored: false }
    }
}

impl<'a> Matches<'a> {
    /// Goes on with the matches of the store.
    ///
    /// # Errors
    /// Fails if a history cannot be written.
    pub fn new(
        arguments: &'a Arguments,
        bot: &'static BotChoice,
        jobs: Sender<Job>,
        Stored { store, games, unusable }: Stored,
    ) -> Result<Matches<'a>> {
        let mut matches = Matches {
            arguments,
            bot,
            jobs,
            store,
            open: BTreeMap::new(),
            over: BTreeSet::new(),
            unusable_ids: BTreeSet::new(),
            initdata: BTreeMap::new(),
            outbox: Outbox::default(),
            at_work: 0,
            rows: Vec::new(),
            repeated: 0,
            incomplete_logs: 0,
            is_ending: false,
            has_fault: false,
            lines: StatusLines::new(),
        };
        if !games.is_empty() {
            let text = pluralize(games.len(), "match goes", "matches go");
            matches.lines.warn(&format!("{text} on from an earlier run"));
            matches.store.old_matches().iter().for_each(|text| matches.lines.warn(text));
        }
        for (id, game) in games {
            let entry = Match { game, player: None, is_stored: true };
            let game = &matches.open.entry(id.clone()).or_insert(entry).game;
            match game.owed() {
                Some(answer) => matches.outbox.push(&id, answer),
                None if game.is_asked() && game.given_up.is_none() => matches.begin_turn(&id)?,
                None => {}
            }
        }
        for (id, why) in unusable {
            matches.receive_unreadable(&id, why)?;
        }
        Ok(matches)
    }

    /// Expects a match that this client has opened with this init data.
    pub fn expect(&mut self, id: &str, initdata: Value) {
        self.initdata.insert(id.to_owned(), initdata);
    }

    /// Whether a match is over.
    pub fn is_over(&self, id: &str) -> bool {
        self.over.contains(id)
    }

    /// Takes a request from the server.
    ///
    /// # Errors
    /// Fails if the history cannot be written.
    pub fn receive(&mut self, id: &str, request: Value) -> Result<()> {
        if self.over.contains(id) {
            self.repeated += 1;
            return Ok(());
        }
        let initdata = self.initdata.get(id);
        let skips_first = initdata.is_some_and(|data| data["skipfirst"] == true);
        let open_at_start = self.arguments.skipfirst || skips_first;
        let entry = self.open.entry(id.to_owned()).or_insert_with(Match::new);
        match entry.game.check(&request, open_at_start) {
            Received::Repeated => self.repeated += 1,
            Received::Unplayable(why) => self.give_up(id, why)?,
            Received::Turn => {
                self.store.add(id, &Entry::Request(request.clone()))?;
                entry.is_stored = true;
                if let Some(text) = self.initdata.remove(id).and_then(|d| replaced(&d, &request)) {
                    self.lines.warn(&format!("match {id}: {text}"));
                }
                entry.game.push_request(request);
                // The next request shows that the answer before it has arrived.
                self.outbox.remove(id);
                if !self.is_ending {
                    self.begin_turn(id)?;
                }
            }
        }
        Ok(())
    }

    /// Takes note that for a match there is what cannot be read, from the server or on disk.
    ///
    /// # Errors
    /// Fails if the history cannot be written.
    pub fn receive_unreadable(&mut self, id: &str, why: String) -> Result<()> {
        if self.over.contains(id) {
            return Ok(());
        }
        self.open.entry(id.to_owned()).or_insert_with(Match::new);
        self.give_up(id, why)
    }

    /// Takes note of a match that has no answer because its id can be no name of a header.
    pub fn receive_unusable_id(&mut self, id: String) {
        let text = format!("a match is not answered, because its id cannot be used: {id}");
        if self.unusable_ids.insert(id) {
            self.lines.warn(&text);
        }
    }

    /// Gives a match no further answer.
    fn give_up(&mut self, id: &str, why: String) -> Result<()> {
        let Some(entry) = self.open.get_mut(id) else { return Ok(()) };
        if entry.game.given_up.is_some() {
            return Ok(());
        }
        self.lines.warn(&format!("match {id} is not answered: {why}"));
        if entry.is_stored {
            self.store.add(id, &Entry::GivenUp(why.clone()))?;
            self.store.add(id, &Entry::Delivered(true))?;
        }
        entry.game.given_up = Some(why);
        // What is owed was an answer to another turn.
        entry.game.delivered = entry.game.answers.len();
        self.outbox.remove(id);
        Ok(())
    }

    /// Has the last request of a match answered.
    fn begin_turn(&mut self, id: &str) -> Result<()> {
        let Some(entry) = self.open.get_mut(id) else { return Ok(()) };
        match entry.game.answerer() {
            Answerer::Bot => self.ask_bot(id),
            Answerer::Nobody(why) => return self.give_up(id, why),
            Answerer::Client(answer, why) => {
                self.lines.warn(&format!("match {id}: {why}; the first cell is answered"));
                self.store.add(id, &Entry::Answer(answer.clone()))?;
                entry.game.answers.push(answer);
                if let Some(answer) = entry.game.owed() {
                    self.outbox.push(id, answer);
                }
            }
        }
        Ok(())
    }

    /// Gives the last request of a match to its bot.
    fn ask_bot(&mut self, id: &str) {
        let Some(entry) = self.open.get_mut(id) else { return };
        let Some(request) = entry.game.requests.last() else { return };
        let request = entry.game.for_bot(request);
        let player = entry.player.take();
        let player = player.unwrap_or_else(|| self.bot.player(&entry.game));
        let turn = entry.game.answers.len();
        let job = Job { id: id.to_owned(), player, request, turn };
        self.lines.update(id, &entry.game, "at work");
        // The threads end only after this end of the channel.
        self.jobs.send(job).ok();
        self.at_work += 1;
    }

    /// Takes what a bot has answered.
    ///
    /// # Errors
    /// Fails if the history cannot be written, or if the bot cannot be started.
    pub fn done(&mut self, done: Done) -> Result<()> {
        let Done { id, player, reply } = done;
        self.at_work -= 1;
        let Some(entry) = self.open.get_mut(&id) else {
            // The match was over before its turn.
            player.close();
            return Ok(());
        };
        if entry.game.given_up.is_some() {
            player.close();
            return Ok(());
        }
        let (answer, step, fault) = match reply {
            Reply::Interrupted => return Ok(()),
            Reply::Error(error) => return Err(error),
            Reply::Fault(fault) => (json!({"response": null}), "fault".to_owned(), Some(fault)),
            Reply::Answer { answer, step } => {
                let response = &answer["response"];
                let invalid = entry.game.invalid_move(response);
                let fault = invalid.map(|why| Fault::Illegal(invalid_text(why, response)));
                (answer, step, fault)
            }
        };
        self.store.add(&id, &Entry::Answer(answer.clone()))?;
        entry.game.answers.push(answer);
        match fault {
            None => entry.player = Some(player),
            Some(fault) => {
                let turn = entry.game.answers.len() - 1;
                let stderr = player.close();
                let said = if stderr.is_empty() { "" } else { "; it wrote: " };
                self.lines.warn(&format!("match {id}, turn {turn}: {fault}{said}{stderr}"));
                self.has_fault = true;
                let name = fault.names().0.to_owned();
                let reason = fault.reason().map_or(String::new(), |reason| format!(" ({reason})"));
                let why = format!("{name} in turn {turn}{reason}");
                for line in [Entry::Fault(name), Entry::GivenUp(why)] {
                    self.store.add(&id, &line)?;
                    entry.game.restore(line);
                }
            }
        }
        self.lines.update(&id, &entry.game, &step);
        if let Some(answer) = entry.game.owed() {
            self.outbox.push(&id, answer);
        }
        Ok(())
    }

    /// Takes note that a poll with these answers has arrived. Returns how many of them are news.
    ///
    /// # Errors
    /// Fails if the history cannot be written.
    pub fn delivered(&mut self, answers: &[Outgoing]) -> Result<usize> {
        let mut news = 0;
        for (id, answer) in answers {
            let Some(entry) = self.open.get_mut(id) else { continue };
            if entry.game.owed().as_ref() == Some(answer) {
                self.store.add(id, &Entry::Delivered(true))?;
                entry.game.delivered = entry.game.answers.len();
                news += 1;
            }
        }
        self.outbox.delivered(answers);
        Ok(news)
    }

    /// Takes the result of a match.
    ///
    /// # Errors
    /// Fails if the record cannot be written.
    pub fn finish(&mut self, result: &MatchResult) -> Result<()> {
        let MatchResult { id, score } = result;
        if !self.over.insert(id.clone()) {
            return Ok(());
        }
        self.outbox.remove(id);
        let Some(Match { mut game, player, .. }) = self.open.remove(id) else {
            // It was played elsewhere.
            self.over.remove(id);
            return Ok(());
        };
        // The result shows that the last answer has arrived, unless the match was aborted.
        if score.is_some() {
            game.delivered = game.answers.len();
        }
        self.has_fault |= game.fault.is_some();
        if let Some(directory) = self.arguments.log.as_ref().filter(|_| !game.requests.is_empty()) {
            let record = record(&game, *score, self.arguments.bot.as_deref().unwrap_or("sapper"));
            let mut directory = directory.clone();
            if record.initdata_given.is_none() {
                directory.push(INCOMPLETE);
                make_directory(&directory)?;
                self.incomplete_logs += 1;
            }
            write_record(&directory.join(format!("{id}.json")), &record)?;
        }
        self.store.remove(id);
        self.lines.remove(id);
        drop(player.map(Player::close));
        let end = if score.is_some() { "finished" } else { "aborted" };
        let row = Row::of(id, &game, end, *score);
        if !self.arguments.json {
            self.lines.print(&row.line());
        }
        self.rows.push(row);
        Ok(())
    }

    /// The report of all matches: those that are over, and those that are open.
    pub fn into_rows(mut self) -> Vec<Row> {
        let open = self.open.iter().map(|(id, Match { game, .. })| Row::of(id, game, "open", None));
        self.rows.extend(open);
        self.lines.clear();
        self.rows
    }
}
