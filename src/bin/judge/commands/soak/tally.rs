//! The figures of all games of a soak, and their report as text and as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use procfs::process::Process;
use sapper::bot::engine::Step;
use serde_json::{Map, Value, json};

use super::game::{Fault, GameFigures};
use crate::cli::parse::option_name;
use crate::cli::strength::EffortName;
use crate::cli::units::{megabytes, ms};

/// The efforts, in the order of the report.
const EFFORTS: [EffortName; 3] = [EffortName::Fast, EffortName::Standard, EffortName::Full];
/// The most faults that are listed.
const MAX_LISTED: usize = 20;

/// The sums and maxima over all games; [`GameFigures`] describes the figures.
#[derive(Default)]
pub struct Tally {
    pub games: u64,
    pub turns: u64,
    /// The turns of games with falsified reports.
    falsified_turns: u64,
    process_turns: u64,
    cut_turns: u64,
    by_step: [u64; Step::ALL.len()],
    by_effort: [u64; EFFORTS.len()],
    /// The cells of the smallest field and of the largest.
    cells: Option<(usize, usize)>,
    cpu: Duration,
    worst_cpu: Duration,
    worst_wall: Duration,
    process_wall: Duration,
    process_bytes: u64,
    /// The number of faults.
    pub faults: u64,
    /// The first faults.
    pub first_faults: Vec<Fault>,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: GameFigures) {
        self.games += 1;
        self.turns += game.turns;
        self.falsified_turns += if game.is_falsified { game.turns } else { 0 };
        self.process_turns += game.process_turns;
        self.cut_turns += game.cut_turns;
        for (sum, turns) in self.by_step.iter_mut().zip(game.by_step) {
            *sum += turns;
        }
        self.by_effort[game.effort as usize] += game.turns;
        let (smallest, largest) = self.cells.unwrap_or((game.cells, game.cells));
        self.cells = Some((smallest.min(game.cells), largest.max(game.cells)));
        self.cpu += game.cpu;
        self.worst_cpu = self.worst_cpu.max(game.worst_cpu);
        self.worst_wall = self.worst_wall.max(game.worst_wall);
        self.process_wall = self.process_wall.max(game.process_wall);
        self.process_bytes = self.process_bytes.max(game.process_bytes);
        self.faults += game.faults.len() as u64;
        let room = MAX_LISTED - self.first_faults.len();
        self.first_faults.extend(game.faults.into_iter().take(room));
    }

    fn by_step(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Step::ALL.into_iter().map(|step| (step.name(), self.by_step[step as usize]))
    }

    fn by_effort(&self) -> impl Iterator<Item = (String, u64)> {
        let turns = |effort: EffortName| self.by_effort[effort.effort() as usize];
        EFFORTS.into_iter().map(move |effort| (option_name(&effort), turns(effort)))
    }

    /// The figures as a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_preset(ASCII_MARKDOWN);
        table.set_header(["", ""]);
        let mut row = |name: &str, value: String| {
            table.add_row([name.to_owned(), value]);
        };
        let (smallest, largest) = self.cells.unwrap_or_default();
        let judge_mb = peak_megabytes().map_or("-".to_owned(), |peak| format!("{peak:.0}"));
        row("turns", self.turns.to_string());
        row("of these with falsified reports", self.falsified_turns.to_string());
        row("of these answered by the built bot too", self.process_turns.to_string());
        row("of these ended by the clock, not by nodes", self.cut_turns.to_string());
        row("games", self.games.to_string());
        row("cells of a field", format!("{smallest} to {largest}"));
        for (effort, turns) in self.by_effort() {
            row(&format!("turns with {effort} effort"), turns.to_string());
        }
        for (step, turns) in self.by_step() {
            row(&format!("turns by {step}"), turns.to_string());
        }
        row("CPU ms per turn", format!("{:.3}", ms(self.cpu) / self.turns.max(1) as f64));
        row("worst turn, CPU ms", format!("{:.0}", ms(self.worst_cpu)));
        row("worst turn, wall ms", format!("{:.0}", ms(self.worst_wall)));
        row("worst turn of the built bot, wall ms", format!("{:.0}", ms(self.process_wall)));
        row("most memory of the built bot, MB", format!("{:.0}", megabytes(self.process_bytes)));
        row("most memory of the judge, MB", judge_mb);
        row("faults", self.faults.to_string());
        table
    }

    /// The figures and the first faults as JSON.
    pub fn json(&self) -> Value {
        let (smallest, largest) = self.cells.unwrap_or_default();
        let steps = self.by_step().map(|(step, turns)| (step.to_owned(), json!(turns)));
        let faults = self.first_faults.iter();
        let faults = faults.map(|fault| {
            let Fault { seed, turn, what, .. } = fault;
            json!({"seed": seed, "turn": turn, "what": what})
        });
        json!({
            "games": self.games,
            "turns": self.turns,
            "false_turns": self.falsified_turns,
            "process_turns": self.process_turns,
            "cut_turns": self.cut_turns,
            "smallest": smallest,
            "largest": largest,
            "steps": steps.collect::<Map<_, _>>(),
            "efforts": self.by_effort().collect::<BTreeMap<_, _>>(),
            "cpu_ms": ms(self.cpu),
            "worst_cpu_ms": ms(self.worst_cpu),
            "worst_wall_ms": ms(self.worst_wall),
            "worst_process_ms": ms(self.process_wall),
            "worst_process_mb": megabytes(self.process_bytes),
            "judge_mb": peak_megabytes(),
            "faults": self.faults,
            "first_faults": faults.collect::<Vec<_>>(),
        })
    }
}

/// The largest memory that this process had; `None` if the system does not report it.
fn peak_megabytes() -> Option<f64> {
    let status = Process::myself().and_then(|judge| judge.status()).ok()?;
    status.vmhwm.map(|kibibytes| megabytes(kibibytes << 10))
}
