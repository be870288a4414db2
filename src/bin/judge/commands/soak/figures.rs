//! The figures of a soak: those of one game, and the sums and maxima over all games.

use std::time::Duration;

use procfs::process::Process;
use sapper::base::params::Effort;
use sapper::bot::engine::Step;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cli::units::{megabytes, ms};

/// The most faults that are listed.
const MAX_LISTED: usize = 20;
/// The efforts, with their names in the report.
const EFFORTS: [(Effort, &str); 3] =
    [(Effort::Fast, "fast"), (Effort::Standard, "standard"), (Effort::Full, "full")];

/// A violation of what must hold in every turn.
#[derive(Serialize)]
pub struct Fault {
    pub seed: i64,
    pub turn: u64,
    pub what: String,
    /// The history up to the turn, as one input.
    #[serde(skip)]
    pub input: String,
}

/// The figures of one or more games.
#[derive(Default)]
pub struct Figures {
    pub games: u64,
    pub turns: u64,
    /// The turns of games in which some reports were changed.
    pub falsified_turns: u64,
    /// The turns that the built bot answered too.
    pub process_turns: u64,
    /// The turns that the clock ended, not the node limit.
    pub cut_turns: u64,
    /// The turns by the step that decided, in the order of [`Step::ALL`].
    pub by_step: [u64; Step::ALL.len()],
    /// The turns by the effort of their game.
    pub by_effort: [u64; EFFORTS.len()],
    /// The cells of the smallest field and of the largest; `None` without games.
    pub cells: Option<(usize, usize)>,
    /// The CPU time of all turns.
    pub cpu: Duration,
    pub worst_cpu: Duration,
    pub worst_wall: Duration,
    /// The longest wall time of the built bot.
    pub process_wall: Duration,
    /// The largest memory of the built bot.
    pub process_bytes: u64,
    /// The number of faults.
    pub faults: u64,
    /// The first faults; of one game, all of them.
    pub first_faults: Vec<Fault>,
}

impl Figures {
    /// Adds the figures of `other`.
    pub fn merge(&mut self, other: Figures) {
        self.games += other.games;
        self.turns += other.turns;
        self.falsified_turns += other.falsified_turns;
        self.process_turns += other.process_turns;
        self.cut_turns += other.cut_turns;
        for (sum, turns) in self.by_step.iter_mut().zip(other.by_step) {
            *sum += turns;
        }
        for (sum, turns) in self.by_effort.iter_mut().zip(other.by_effort) {
            *sum += turns;
        }
        self.cells = match (self.cells, other.cells) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, another) => one.or(another),
        };
        self.cpu += other.cpu;
        self.worst_cpu = self.worst_cpu.max(other.worst_cpu);
        self.worst_wall = self.worst_wall.max(other.worst_wall);
        self.process_wall = self.process_wall.max(other.process_wall);
        self.process_bytes = self.process_bytes.max(other.process_bytes);
        self.faults += other.faults;
        self.first_faults.extend(other.first_faults);
        self.first_faults.truncate(MAX_LISTED);
    }

    /// The figures and the first faults as JSON.
    pub fn json(&self) -> Value {
        let (smallest, largest) = self.cells.unwrap_or_default();
        let turns = |name: &str, turns: u64| (name.to_owned(), json!(turns));
        let steps = Step::ALL.map(|step| turns(step.name(), self.by_step[step as usize]));
        let efforts = EFFORTS.map(|(effort, name)| turns(name, self.by_effort[effort as usize]));
        json!({
            "games": self.games,
            "turns": self.turns,
            "false_turns": self.falsified_turns,
            "process_turns": self.process_turns,
            "cut_turns": self.cut_turns,
            "smallest": smallest,
            "largest": largest,
            "steps": Map::from_iter(steps),
            "efforts": Map::from_iter(efforts),
            "cpu_ms": ms(self.cpu),
            "worst_cpu_ms": ms(self.worst_cpu),
            "worst_wall_ms": ms(self.worst_wall),
            "worst_process_ms": ms(self.process_wall),
            "worst_process_mb": megabytes(self.process_bytes),
            "judge_mb": peak_megabytes(),
            "faults": self.faults,
            "first_faults": self.first_faults,
        })
    }
}

/// The largest memory that this process had; `None` if the system does not report it.
fn peak_megabytes() -> Option<f64> {
    let status = Process::myself().and_then(|judge| judge.status()).ok()?;
    status.vmhwm.map(|kibibytes| megabytes(kibibytes << 10))
}
