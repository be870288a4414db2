//! A pit, told: tables and sentences for people, one JSON object for programs.

use std::fmt::Write as _;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use sapper::words::counted;
use serde_json::{Value, json};

use super::Arguments;
use super::entrant::Entrant;
use super::sprt::Sprt;
use super::tally::{Pair, Tally, Times};
use crate::games::{Games, again, last_turn, last_turn_text};
use crate::limits::megabytes;
use crate::paired::table;
use crate::stats::{Mean, wilson};
use crate::words;

/// All that came of a pit.
pub(super) struct Told<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) entrants: &'a [Entrant],
    pub(super) tallies: &'a [Tally],
    pub(super) pairs: &'a [Pair],
    pub(super) sprt: Option<&'a Sprt>,
    /// Boards that every bot has played.
    pub(super) boards: usize,
    /// Games that were in the journal already.
    pub(super) resumed: usize,
}

impl Told<'_> {
    pub(super) fn text(&self) -> String {
        let Games { width, height, mines, seeds, .. } = &self.arguments.games;
        let boards = counted(self.boards, "board", "boards");
        let mut text =
            format!("{boards} {width}x{height} with {mines} mines, seeds from {}", seeds.first);
        if self.resumed > 0 {
            write!(text, "; {} from the journal", counted(self.resumed, "game", "games")).ok();
        }
        write!(text, "\n\n{}\n\n{}\n", self.scores(), self.efforts()).ok();
        self.tell_faults(&mut text);
        for pair in self.pairs {
            self.tell_pair(pair, &mut text);
        }
        if let (Some(sprt), [a, b]) = (self.sprt, self.entrants) {
            let told = sprt.text(self.arguments.sprt_on, &a.name, &b.name);
            write!(text, "\n{told}\n").ok();
        }
        text
    }

    fn scores(&self) -> Table {
        let mut table = Table::new();
        table.load_preset(ASCII_MARKDOWN);
        table.set_header(["bot", "games", "score", "mines", "clean %", "95 %", "faults"]);
        for (entrant, tally) in self.entrants.iter().zip(self.tallies) {
            let (low, high) = wilson(tally.clean, tally.games);
            let faults = tally.faults_text();
            table.add_row([
                entrant.name.clone(),
                tally.games.to_string(),
                plus_minus(&tally.score, 2),
                plus_minus(&tally.mines, 3),
                format!("{:.1}", 100.0 * tally.clean as f64 / tally.games.max(1) as f64),
                format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
                if faults.is_empty() { "none".to_owned() } else { faults },
            ]);
        }
        table
    }

    fn efforts(&self) -> Table {
        let mut table = Table::new();
        table.load_preset(ASCII_MARKDOWN);
        table.set_header([
            "bot",
            "turns",
            "wall ms: median",
            "99 %",
            "worst",
            "CPU ms: median",
            "99 %",
            "worst",
            "worst MB",
            "limit s",
        ]);
        for (entrant, tally) in self.entrants.iter().zip(self.tallies) {
            let mut row = vec![entrant.name.clone(), tally.turns.to_string()];
            row.extend(columns(&tally.wall));
            row.extend(columns(&tally.cpu));
            row.push(format!("{:.0}", megabytes(tally.memory).ceil()));
            row.push(format!("{}", entrant.limits.time_limit.as_secs_f64()));
            table.add_row(row);
        }
        table
    }

    fn tell_faults(&self, text: &mut String) {
        for (entrant, tally) in self.entrants.iter().zip(self.tallies) {
            for game in &tally.examples {
                let what = match &game.reason {
                    Some(reason) => format!("{} ({reason})", game.outcome),
                    None => game.outcome.clone(),
                };
                let (name, seed) = (&entrant.name, game.seed);
                let place = last_turn_text(game.wall.len());
                write!(text, "\nFAULT of {name}: seed {seed}, {place}: {what}").ok();
                write!(text, "\n  again: {}", self.command(entrant, game.seed)).ok();
                for line in game.stderr.lines() {
                    write!(text, "\n  stderr: {}", words::escaped(line)).ok();
                }
            }
            let faults: u64 = tally.faults.values().sum();
            let more = faults - tally.examples.len() as u64;
            if more > 0 {
                write!(text, "\n... and {more} more of {}", entrant.name).ok();
            }
            if faults > 0 {
                text.push('\n');
            }
            if tally.left > 0 {
                let left = counted(tally.left, "process", "processes");
                write!(text, "\n{} left {left} behind; ended by the judge\n", entrant.name).ok();
            }
        }
    }

    fn tell_pair(&self, pair: &Pair, text: &mut String) {
        let (a, b) = (&self.entrants[pair.a].name, &self.entrants[pair.b].name);
        let mut rows = table();
        rows.add_row(pair.score.columns("score", 2));
        rows.add_row(pair.clean.columns("clean %", 2));
        if pair.mines.difference.count() > 0 {
            rows.add_row(pair.mines.columns("mines", 4));
        }
        write!(text, "\nA: {a}, B: {b}\n\n{rows}\n\n").ok();
        let (mean, half) = (pair.score.difference.value(), pair.score.difference.half_width());
        let (low, high) = (mean - half, mean + half);
        if pair.extremes.is_empty() {
            writeln!(text, "{a} and {b} have the same score on every board.").ok();
        } else if !half.is_finite() {
            text.push_str("One board tells nothing: give more --seeds.\n");
        } else if low > 0.0 {
            writeln!(text, "{b} is better than {a}: by {low:.2} to {high:.2} points a game.").ok();
        } else if high < 0.0 {
            let (low, high) = (-high, -low);
            writeln!(text, "{a} is better than {b}: by {low:.2} to {high:.2} points a game.").ok();
        } else {
            let difference = format!("{b} over {a} is {low:+.2} to {high:+.2} points a game");
            writeln!(text, "No difference shown: {difference}; more --seeds narrow it.").ok();
        }
        let boards: Vec<String> = pair
            .extremes
            .iter()
            .map(|(seed, a, b)| format!("seed {seed} ({a:.2}, {b:.2})"))
            .collect();
        if !boards.is_empty() {
            writeln!(text, "Most apart (score of A, of B): {}", boards.join(", ")).ok();
        }
    }

    fn command(&self, entrant: &Entrant, seed: i32) -> String {
        again(Some(&entrant.line), &self.arguments.games, seed, &entrant.limits.options())
    }

    pub(super) fn json(&self) -> Value {
        let Games { width, height, mines, skipfirst, seeds, .. } = &self.arguments.games;
        let bots = self.entrants.iter().zip(self.tallies).map(|(entrant, tally)| {
            let mut bot = tally.json();
            bot["name"] = json!(entrant.name);
            bot["command"] = json!(entrant.line);
            bot["time_limit"] = json!(entrant.limits.time_limit.as_secs_f64());
            bot["memory_limit"] = json!(entrant.limits.memory_limit);
            let fault = |game: &super::journal::Game| {
                json!({
                    "seed": game.seed, "turn": last_turn(game.wall.len()), "outcome": game.outcome,
                    "reason": game.reason, "stderr": game.stderr,
                    "again": self.command(entrant, game.seed),
                })
            };
            bot["first_faults"] = tally.examples.iter().map(fault).collect();
            bot
        });
        let pairs = self.pairs.iter().map(|pair| {
            json!({
                "a": self.entrants[pair.a].name,
                "b": self.entrants[pair.b].name,
                "score": pair.score.json(),
                "clean_percent": pair.clean.json(),
                "mines": (pair.mines.difference.count() > 0).then(|| pair.mines.json()),
                "most_apart": pair.extremes.iter().map(|(seed, a, b)| json!({"seed": seed, "a": a, "b": b})).collect::<Value>(),
            })
        });
        json!({
            "width": width, "height": height, "minecount": mines, "skipfirst": skipfirst,
            "seeds": [seeds.first, seeds.last],
            "boards": self.boards,
            "resumed_games": self.resumed,
            "bots": bots.collect::<Value>(),
            "pairs": pairs.collect::<Value>(),
            "sprt": self.sprt.map(|sprt| sprt.json(self.arguments.sprt_on)),
        })
    }
}

fn columns(times: &Times) -> [String; 3] {
    match times.told() {
        Some(times) => times.map(|time| format!("{time:.1}")),
        None => ["-", "-", "-"].map(str::to_owned),
    }
}

/// A mean with half its interval, as far as there are any.
fn plus_minus(mean: &Mean, decimals: usize) -> String {
    match (mean.count(), mean.half_width()) {
        (0, _) => "-".to_owned(),
        (_, half) if half.is_finite() => format!("{:.decimals$} +-{half:.decimals$}", mean.value()),
        _ => format!("{:.decimals$}", mean.value()),
    }
}
