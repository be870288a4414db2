//! The result of a pit as tables and sentences, and as one JSON object.

use std::fmt::Write as _;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::competitor::Competitor;
use super::ranking;
use super::sprt::Sprt;
use super::tally::{MOST_SCORE, Pair, Tally, Times};
use crate::cli::games::Games;
use crate::cli::units::measured_mebibytes;
use crate::results::faults;
use crate::results::faults::{last_turn, last_turn_text, repeat_command};
use crate::results::paired::table;
use crate::results::statistics::{Mean, wilson};

/// All that came of a pit.
pub struct View<'a> {
    pub arguments: &'a Arguments,
    pub competitors: &'a [Competitor],
    pub tallies: &'a [Tally],
    pub pairs: &'a [Pair],
    pub sprt: Option<&'a Sprt>,
    /// Boards that every bot has played.
    pub boards: usize,
    /// Games that were in the journal already.
    pub resumed: usize,
    /// Whether the judge was told to end before the boards were played.
    pub interrupted: bool,
}

impl View<'_> {
    pub fn text(&self) -> String {
        let Games { width, height, mines, seeds, .. } = &self.arguments.games;
        let boards = pluralize(self.boards, "board", "boards");
        let mut text = format!(
            "{boards} {width}x{height} with {}, seeds from {}",
            pluralize(*mines, "mine", "mines"),
            seeds.first
        );
        if self.resumed > 0 {
            write!(text, "; {} from the journal", pluralize(self.resumed, "game", "games")).ok();
        }
        if self.interrupted {
            text.push_str("; interrupted");
        }
        write!(text, "\n\n{}\n\n{}\n", self.scores(), self.efforts()).ok();
        self.write_faults(&mut text);
        match self.pairs {
            [] => {}
            [pair] => self.write_pair(pair, &mut text),
            pairs => {
                write!(text, "\n{}", ranking::text(self.competitors, self.tallies, pairs)).ok();
            }
        }
        if let (Some(sprt), [a, b]) = (self.sprt, self.competitors) {
            let sprt = sprt.text(self.arguments.sprt_on, &a.name, &b.name);
            write!(text, "\n{sprt}\n").ok();
        }
        text
    }

    /// The bots with their tallies: two as they were given, more the best first.
    fn bots(&self) -> impl Iterator<Item = (&Competitor, &Tally)> {
        let given = (0..self.competitors.len()).collect();
        let order = if self.pairs.len() > 1 { ranking::order(self.tallies) } else { given };
        order.into_iter().map(|bot| (&self.competitors[bot], &self.tallies[bot]))
    }

    fn scores(&self) -> Table {
        let mut table = Table::new();
        table.load_preset(ASCII_MARKDOWN);
        table.set_header([
            "bot", "games", "score", "95 %", "mines", "95 %", "clean %", "95 %", "faults",
        ]);
        let most_mines = self.arguments.games.mines.into();
        for (competitor, tally) in self.bots() {
            let (low, high) = wilson(tally.clean, tally.games);
            let [score, scores] = with_interval(&tally.score, MOST_SCORE, 2);
            let [mines, mines_interval] = with_interval(&tally.mines, most_mines, 3);
            let faults = tally.faults_text();
            table.add_row([
                competitor.name.clone(),
                tally.games.to_string(),
                score,
                scores,
                mines,
                mines_interval,
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
        for (competitor, tally) in self.bots() {
            let mut row = vec![competitor.name.clone(), tally.turns.to_string()];
            row.extend(columns(&tally.wall));
            row.extend(columns(&tally.cpu));
            let memory = measured_mebibytes(tally.memory);
            row.push(memory.map_or("-".to_owned(), |most| format!("{:.0}", most.ceil())));
            row.push(format!("{}", competitor.limits.time_limit.as_secs_f64()));
            table.add_row(row);
        }
        table
    }

    fn write_faults(&self, text: &mut String) {
        for (competitor, tally) in self.competitors.iter().zip(self.tallies) {
            for game in &tally.examples {
                let what = match &game.reason {
                    Some(reason) => format!("{} ({reason})", game.outcome),
                    None => game.outcome.clone(),
                };
                let (name, seed) = (&competitor.name, game.seed);
                let place = last_turn_text(game.wall.len());
                write!(text, "\nFAULT of {name}: seed {seed}, {place}: {what}").ok();
                write!(text, "\n  again: {}", self.command(competitor, game.seed)).ok();
                for line in faults::last_lines(&game.stderr) {
                    write!(text, "\n  stderr: {line}").ok();
                }
            }
            let faults: u64 = tally.faults.values().sum();
            let more = faults - tally.examples.len() as u64;
            if more > 0 {
                write!(text, "\n... and {more} more of {}", competitor.name).ok();
            }
            if faults > 0 {
                text.push('\n');
            }
            if tally.left > 0 {
                let left = pluralize(tally.left, "process", "processes");
                write!(text, "\n{} left {left} behind; ended by the judge\n", competitor.name).ok();
            }
        }
    }

    fn write_pair(&self, pair: &Pair, text: &mut String) {
        let (a, b) = (&self.competitors[pair.a].name, &self.competitors[pair.b].name);
        let mut rows = table();
        rows.add_row(pair.score.columns("score", 2));
        rows.add_row(pair.clean.columns("clean %", 2));
        if pair.mines.difference.count() > 0 {
            rows.add_row(pair.mines.columns("mines", 4));
        }
        write!(text, "\nA: {a}, B: {b}\n\n{rows}\n\n").ok();
        writeln!(text, "{}", self.verdict(pair)).ok();
        let boards: Vec<String> = pair
            .extremes
            .iter()
            .map(|(seed, a, b)| format!("seed {seed} ({a:.2}, {b:.2})"))
            .collect();
        if !boards.is_empty() {
            writeln!(text, "Most apart (score of A, of B): {}", boards.join(", ")).ok();
        }
    }

    /// Who of two is better, or why that cannot be told.
    fn verdict(&self, pair: &Pair) -> String {
        let (a, b) = (&self.competitors[pair.a].name, &self.competitors[pair.b].name);
        let difference = pair.score.interval_text(2);
        if pair.score.differing() == 0 {
            return format!("{a} and {b} have the same score on every board.");
        }
        if let Some(too_few) = pair.score.too_few_text() {
            return format!("{too_few}; give more --seeds.");
        }
        let better = |better, worse, low: f64, high: f64| {
            format!("{better} is better than {worse}: by {low:.2} to {high:.2} points a game.")
        };
        match (pair.better(), pair.score.interval()) {
            (Some(bot), Some((low, high))) if bot == pair.b => better(b, a, low, high),
            (Some(_), Some((low, high))) => better(a, b, -high, -low),
            _ => format!(
                "No difference shown: {b} over {a} is {difference} points a game; more --seeds narrow it."
            ),
        }
    }

    fn command(&self, competitor: &Competitor, seed: i32) -> String {
        repeat_command(
            Some(&competitor.line),
            &self.arguments.games,
            seed,
            &competitor.limits.options(),
        )
    }

    pub fn json(&self) -> Value {
        let Games { width, height, mines, skipfirst, seeds, .. } = &self.arguments.games;
        let bots = self.competitors.iter().zip(self.tallies).map(|(competitor, tally)| {
            let mut bot = tally.json(*mines);
            bot["name"] = json!(competitor.name);
            bot["command"] = json!(competitor.line);
            bot["time_limit"] = json!(competitor.limits.time_limit.as_secs_f64());
            bot["memory_limit"] = json!(competitor.limits.memory_limit_mib);
            let fault = |game: &super::journal::Game| {
                json!({
                    "seed": game.seed, "turn": last_turn(game.wall.len()), "outcome": game.outcome,
                    "reason": game.reason, "stderr": game.stderr,
                    "again": self.command(competitor, game.seed),
                })
            };
            bot["first_faults"] = tally.examples.iter().map(fault).collect();
            bot
        });
        let pairs = self.pairs.iter().map(|pair| {
            json!({
                "a": self.competitors[pair.a].name,
                "b": self.competitors[pair.b].name,
                "better": pair.better().map(|bot| &self.competitors[bot].name),
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
            "interrupted": self.interrupted,
            "bots": bots.collect::<Value>(),
            "ranking": ranking::order(self.tallies).into_iter().map(|bot| &self.competitors[bot].name).collect::<Vec<_>>(),
            "pairs": pairs.collect::<Value>(),
            "sprt": self.sprt.map(|sprt| sprt.json(self.arguments.sprt_on)),
        })
    }
}

fn columns(times: &Times) -> [String; 3] {
    match times.quantiles() {
        Some(times) => times.map(|time| format!("{time:.1}")),
        None => ["-", "-", "-"].map(str::to_owned),
    }
}

/// A mean of values up to `most` and its interval, as far as there are any.
fn with_interval(mean: &Mean, most: f64, decimals: usize) -> [String; 2] {
    let none = || "-".to_owned();
    let value = (mean.count() > 0).then(|| format!("{:.decimals$}", mean.value()));
    let text = |(low, high)| format!("{low:.decimals$}-{high:.decimals$}");
    [value.unwrap_or_else(none), mean.interval(0.0..=most).map_or_else(none, text)]
}
