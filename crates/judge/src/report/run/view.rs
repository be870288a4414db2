//! The report of a run in process: its fields are what `--json` prints, and its tables show them.

use std::fmt::Write;

use sapper::Step;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::counts::BINS;
use crate::report::run::{Merged, Setting};
use crate::report::table::Format::{Decimals, Percent};
use crate::report::table::{Column, table};
use crate::report::{AdjustedReport, wilson};
use crate::runner::boards::BoardRange;

/// The report of a run.
#[derive(Serialize)]
pub struct RunReport {
    pub setting: Setting,
    /// The boards played, as ranges.
    covered: Vec<BoardRange>,
    /// The boards of the run that were not played.
    missing: Vec<BoardRange>,
    pub games: u64,
    wins: u64,
    pub win_rate: f64,
    pub win_interval: (f64, f64),
    /// Mines opened.
    mines: u64,
    mines_a_game: f64,
    mines_interval: Option<(f64, f64)>,
    turns: u64,
    guesses: u64,
    guesses_a_game: f64,
    pub cpu_ms_a_game: f64,
    slowest_turn_ms: f64,
    /// The index of the board of the slowest turn.
    slowest_turn_board: i64,
    pub explored: Vec<ExploredReport>,
    steps: Vec<StepReport>,
    /// The mines in cells that were proven safe.
    pub false_proofs: u64,
    /// `None` unless it was asked for.
    adjusted: Option<AdjustedReport>,
}

/// The games in which a share of the safe cells within this range was open at the end.
#[derive(Serialize)]
pub struct ExploredReport {
    pub from: f64,
    pub to: f64,
    games: u64,
    /// The share of all games.
    pub share: f64,
    pub interval: (f64, f64),
}

/// The cells opened by a step of the engine.
#[derive(Serialize)]
struct StepReport {
    step: &'static str,
    clicks: u64,
    clicks_a_game: f64,
    mines: u64,
    mines_a_game: f64,
    /// The share of the cells that were mines; `None` without a cell.
    wrong: Option<f64>,
    interval: Option<(f64, f64)>,
}

/// The columns of the table of one line.
const SUMMARY: [Column<RunReport>; 9] = [
    ("games", |run| Decimals(0).text(&run.games)),
    ("won %", |run| Percent(2).text(&run.win_rate)),
    ("95 %", |run| Percent(2).text(&run.win_interval)),
    ("mines", |run| Decimals(4).text(&run.mines_a_game)),
    ("95 %", |run| Decimals(4).text(&run.mines_interval)),
    ("guesses", |run| Decimals(3).text(&run.guesses_a_game)),
    ("CPU ms", |run| Decimals(3).text(&run.cpu_ms_a_game)),
    ("slowest turn ms", |run| Decimals(2).text(&run.slowest_turn_ms)),
    ("its board", |run| Decimals(0).text(&run.slowest_turn_board)),
];

/// The columns of the table of steps.
const STEPS: [Column<StepReport>; 7] = [
    ("step", |step| Decimals(0).text(step.step)),
    ("clicks a game", |step| Decimals(2).text(&step.clicks_a_game)),
    ("mines a game", |step| Decimals(4).text(&step.mines_a_game)),
    ("clicks", |step| Decimals(0).text(&step.clicks)),
    ("mines", |step| Decimals(0).text(&step.mines)),
    ("mines %", |step| Percent(2).text(&step.wrong)),
    ("95 %", |step| Percent(2).text(&step.interval)),
];

/// The columns of the table of the games by the share of safe cells that were open at the end.
const EXPLORED: [Column<ExploredReport>; 5] = [
    ("explored from %", |bin| Percent(0).text(&bin.from)),
    ("to %", |bin| Percent(0).text(&bin.to)),
    ("games", |bin| Decimals(0).text(&bin.games)),
    ("games %", |bin| Percent(2).text(&bin.share)),
    ("95 %", |bin| Percent(2).text(&bin.interval)),
];

/// The greatest number of ranges of boards that are listed.
const MAX_RANGES: usize = 5;

impl RunReport {
    /// The report of these results.
    pub fn of(merged: &Merged) -> RunReport {
        let counts = &merged.counts;
        let mines = counts.mean_mines();
        let edge = |bin: usize| bin as f64 / BINS as f64;
        let explored = |(bin, &games): (usize, &u64)| ExploredReport {
            from: edge(bin),
            to: edge(bin + 1),
            games,
            share: counts.per_game(games),
            interval: wilson(games, counts.games),
        };
        let step = |step: Step| {
            let (clicks, mines) = counts.steps[step as usize];
            StepReport {
                step: step.name(),
                clicks,
                clicks_a_game: counts.per_game(clicks),
                mines,
                mines_a_game: counts.per_game(mines),
                wrong: (clicks > 0).then(|| mines as f64 / clicks as f64),
                interval: (clicks > 0).then(|| wilson(mines, clicks)),
            }
        };
        RunReport {
            setting: merged.setting.clone(),
            covered: merged.covered(),
            missing: merged.missing(),
            games: counts.games,
            wins: counts.wins,
            win_rate: counts.per_game(counts.wins),
            win_interval: wilson(counts.wins, counts.games),
            mines: counts.mines,
            mines_a_game: mines.value(),
            mines_interval: mines.interval(0.0..=f64::INFINITY),
            turns: counts.turns,
            guesses: counts.guesses,
            guesses_a_game: counts.per_game(counts.guesses),
            cpu_ms_a_game: counts.per_game(counts.cpu_ns) / 1e6,
            slowest_turn_ms: counts.slowest_turn_ns as f64 / 1e6,
            slowest_turn_board: counts.slowest_board,
            explored: counts.explored.iter().enumerate().map(explored).collect(),
            steps: Step::ALL.into_iter().map(step).collect(),
            false_proofs: counts.false_proofs(),
            adjusted: adjusted(merged),
        }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let RunReport { games, missing, steps, explored, adjusted, .. } = self;
        let mut text = match (games, missing.is_empty()) {
            (0, true) => "No game: this part of the run has no board.\n".to_owned(),
            (0, false) => {
                "No game: every part is empty or has just started; add the others.\n".to_owned()
            }
            _ => {
                let (steps, explored) = (table(&STEPS, steps), table(&EXPLORED, explored));
                let summary = table(&SUMMARY, [self]);
                let adjusted = adjusted.as_ref().map(|adjusted| adjusted.text() + "\n\n");
                let adjusted = adjusted.unwrap_or_default();
                format!("{}\n\n{summary}\n\n{adjusted}{steps}\n\n{explored}\n", self.played())
            }
        };
        if !missing.is_empty() {
            let boards: i64 = missing.iter().map(|(first, last)| last - first + 1).sum();
            let boards = pluralize(boards, "board is", "boards are");
            let _ = writeln!(text, "\nNot finished: {boards} missing: {}", ranges(missing));
        }
        text
    }

    /// What was played: the boards, the rule and how the engine plays.
    fn played(&self) -> String {
        let Setting { boards, rule, objective, effort, .. } = &self.setting;
        let (numbers, unit) = (ranges(&self.covered), boards.unit());
        format!("{boards}, {unit} {numbers}; rule {rule}, objective {objective}, effort {effort}")
    }
}

/// The plain and the adjusted results: the mines opened under the rule botzone, else the games won.
/// `None` if they were not asked for.
fn adjusted(merged: &Merged) -> Option<AdjustedReport> {
    let Merged { counts, setting, .. } = merged;
    let mines = counts.mean_mines();
    let (adjusted, luck) = (counts.adjusted.mean(counts.games), counts.adjusted.luck());
    let report =
        AdjustedReport::new(setting.rule, counts.wins, (mines, f64::INFINITY), adjusted, luck);
    report.filter(|_| setting.adjusted)
}

/// Ranges of boards as text: the first, and how many others there are.
fn ranges(ranges: &[BoardRange]) -> String {
    let listed = ranges.iter().take(MAX_RANGES).map(|(first, last)| format!("{first}..{last}"));
    let mut text = listed.collect::<Vec<_>>().join(" ");
    let more = ranges.len().saturating_sub(MAX_RANGES);
    if more > 0 {
        let _ = write!(text, " and {} more", pluralize(more as u64, "range", "ranges"));
    }
    text
}
