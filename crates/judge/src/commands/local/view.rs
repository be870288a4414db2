//! What the client shows: a line for each match while it is played, and a table at the end.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::game::LocalGame;
use super::record::INCOMPLETE;
use crate::cli::outln;
use crate::report::table;
use crate::runner::messages::{errln, escaped};

/// The most matches with a status line: more would not fit a terminal.
const MAX_LINES: usize = 16;

/// A match in the report.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    #[serde(rename = "match")]
    pub id: String,
    /// Columns, rows and mines, such as `30x20/80`.
    pub board: String,
    /// The answers that have arrived.
    pub turns: usize,
    /// The mines opened, as far as they were reported.
    pub hits: u32,
    pub score: Option<f64>,
    /// `finished`, `aborted`, `open`, or the name of the bot's fault.
    pub end: String,
    /// What is wrong with the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Counts of a whole run.
#[derive(Default, Serialize)]
pub struct Totals {
    pub polls: u64,
    pub failed_polls: u64,
    pub bad_bodies: u64,
    /// The answers that have arrived.
    pub answers: u64,
    /// The answers that were sent again.
    pub sent_again: u64,
    /// Requests that came again.
    pub repeated_requests: u64,
    /// Answers that are not sent yet; they are kept on disk.
    pub owed: usize,
    /// The logs of matches whose field is not known.
    pub incomplete_logs: usize,
    /// Why the last poll that failed has failed.
    pub last_failure: Option<String>,
}

impl Row {
    /// The state of a match, which has this end unless its bot had a fault.
    pub fn of(id: &str, game: &LocalGame, end: &str, score: Option<f64>) -> Row {
        let board = game.board();
        let (name, hits) = board.map_or(("-".to_owned(), 0), |board| {
            let shape = board.shape();
            let name = format!("{}x{}/{}", shape.columns(), shape.rows(), board.mines());
            (name, board.hits())
        });
        Row {
            id: id.to_owned(),
            board: name,
            turns: game.delivered,
            hits,
            score,
            end: game.fault.clone().unwrap_or_else(|| end.to_owned()),
            why: game.given_up.clone(),
        }
    }

    /// The line at the end of the match.
    pub fn line(&self) -> String {
        let score = self.score.map_or("-".to_owned(), |score| format!("{score:.2}"));
        let Row { id, board, turns, hits, end, .. } = self;
        format!("match {id}  {board}  score {score:>6}  mines {hits:>2}  turns {turns:>3}  {end}")
    }
}

/// The status lines, on standard error if that is a terminal.
pub struct StatusLines {
    all: MultiProgress,
    total: ProgressBar,
    lines: BTreeMap<String, ProgressBar>,
}

impl StatusLines {
    pub fn new() -> StatusLines {
        let all = MultiProgress::new();
        let total = all.add(line());
        total.enable_steady_tick(Duration::from_millis(200));
        StatusLines { all, total, lines: BTreeMap::new() }
    }

    /// Shows the turn, the hidden cells and the mines of a match, and how its last cell was chosen.
    pub fn update(&mut self, id: &str, game: &LocalGame, step: &str) {
        if !self.lines.contains_key(id) {
            if self.lines.len() == MAX_LINES {
                return;
            }
            let bar = self.all.insert_before(&self.total, line());
            self.lines.insert(id.to_owned(), bar);
        }
        let Some(board) = game.board() else { return };
        let (turn, hidden, hits) = (game.answers.len(), board.hidden_len(), board.hits());
        self.lines[id].set_message(escaped(&format!(
            "{id}  turn {turn:>3}  cells left {hidden:>4}  mines hit {hits:>2}  {step}"
        )));
    }

    /// Removes the line of a match that is over.
    pub fn remove(&mut self, id: &str) {
        if let Some(bar) = self.lines.remove(id) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }

    /// The last line: how many matches are open, and what the client waits for.
    pub fn total(&self, open: usize, over: usize, waits_for: &str) {
        let matches = pluralize(open, "open match", "open matches");
        self.total.set_message(escaped(&format!("{matches}, {over} over; {waits_for}")));
    }

    /// Prints a line to standard output.
    pub fn print(&self, line: &str) {
        self.all.suspend(|| outln!("{line}"));
    }

    /// Prints a message to standard error.
    pub fn warn(&self, message: &str) {
        self.all.suspend(|| errln!("{message}"));
    }

    pub fn clear(self) {
        self.total.finish_and_clear();
        self.all.clear().ok();
    }
}

fn line() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg}");
    ProgressBar::new_spinner().with_style(style.expect("a valid template"))
}

/// What is reported at the end.
#[derive(Serialize)]
pub struct Report {
    pub matches: Vec<Row>,
    pub totals: Totals,
}

impl Report {
    /// The table of all matches, below it what is wrong with some, and the totals. `log` is the
    /// directory of the records.
    pub fn text(&self, log: Option<&Path>) -> String {
        let Report { matches: rows, totals } = self;
        let mut matches = table::empty(["match", "board", "turns", "mines", "score", "end"]);
        for row in rows {
            let score = row.score.map_or("-".to_owned(), |score| format!("{score:.2}"));
            let (turns, hits) = (row.turns.to_string(), row.hits.to_string());
            matches.add_row([
                row.id.clone(),
                row.board.clone(),
                turns,
                hits,
                score,
                row.end.clone(),
            ]);
        }
        let scores: Vec<f64> = rows.iter().filter_map(|row| row.score).collect();
        let mean = mean_score_text(&scores);
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *ends.entry(&row.end).or_default() += 1);
        let ends =
            if rows.is_empty() { String::new() } else { format!(": {}", table::counts_text(ends)) };
        let matches_text = pluralize(rows.len(), "match", "matches");
        let Totals { polls, failed_polls, bad_bodies, answers, sent_again, .. } = totals;
        let why =
            totals.last_failure.as_ref().map_or(String::new(), |why| format!("; the last: {why}"));
        let failed = failed_polls + bad_bodies;
        let (polls, answers) =
            (pluralize(*polls, "poll", "polls"), pluralize(*answers, "answer", "answers"));
        let mut text = if rows.is_empty() { String::new() } else { format!("\n{matches}\n") };
        text.push_str(&reasons(rows));
        text.push_str(&format!(
            "{matches_text}{ends}{mean}\n{polls} ({failed} failed{why}), {answers} arrived, \
         {sent_again} repeated after a failed poll"
        ));
        if totals.owed > 0 {
            let owed = totals.owed;
            text.push_str(&format!(
                "\n{owed} not sent: the same command sends what is kept on disk"
            ));
        }
        if let (Some(log), count @ 1..) = (log, totals.incomplete_logs) {
            let (logs, directory) = (pluralize(count, "log", "logs"), log.join(INCOMPLETE));
            text.push_str(&format!(
                "\n{logs} without a known field in {}, for `judge replay`",
                directory.display()
            ));
        }
        text
    }
}

/// A line for each thing that is wrong with matches, however many they are.
fn reasons(rows: &[Row]) -> String {
    let mut matches: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        if let Some(why) = &row.why {
            matches.entry(why).or_default().push(&row.id);
        }
    }
    let lines = matches.iter().map(|(why, ids)| match ids.len() - 1 {
        0 => format!("match {}: {why}\n", ids[0]),
        others => format!("match {} and {others} more: {why}\n", ids[0]),
    });
    lines.collect()
}

/// The end of a sentence with the mean of these scores; empty without any.
pub fn mean_score_text(scores: &[f64]) -> String {
    if scores.is_empty() {
        return String::new();
    }
    format!(", mean score {:.2}", scores.iter().sum::<f64>() / scores.len() as f64)
}
