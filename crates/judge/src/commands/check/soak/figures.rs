//! The figures of a soak: sums and maxima over all games.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::Table;
use sapper::{Effort, Step};
use serde::Serialize;

use crate::report::table::{empty, right_align};
use crate::runner::bots::Usage;
use crate::runner::units::{mebibytes, ms};

/// A violation of what must hold in every turn. It ends its game.
#[derive(Serialize)]
pub struct Fault {
    pub seed: i64,
    pub turn: u64,
    pub what: String,
    /// The history up to the turn, as one input.
    pub input: String,
}

/// A game, up to its end or to its fault.
pub struct SoakGame {
    /// The cells of the field.
    pub cells: usize,
    pub effort: Effort,
    /// Whether some reports were changed.
    pub is_falsified: bool,
    pub turns: Vec<Turn>,
    pub fault: Option<Fault>,
}

/// A turn that was answered.
pub struct Turn {
    /// The step that decided; `None` if the search panicked.
    pub step: Option<Step>,
    pub cpu: Duration,
    pub wall: Duration,
    /// Whether the clock may have ended the search, not the node limit.
    pub is_late: bool,
    /// What the built bot used, if it answered too.
    pub process: Option<Usage>,
}

/// The figures of all games. Each is named as in the report.
#[derive(Default, Serialize)]
pub struct Figures {
    pub games: u64,
    pub turns: u64,
    false_turns: u64,
    process_turns: u64,
    cut_turns: u64,
    smallest: usize,
    largest: usize,
    steps: BTreeMap<&'static str, u64>,
    efforts: BTreeMap<String, u64>,
    cpu_ms: f64,
    worst_cpu_ms: f64,
    worst_wall_ms: f64,
    worst_process_ms: f64,
    worst_process_mib: f64,
    pub faults: usize,
    pub first_faults: Vec<Fault>,
}

impl Figures {
    /// The figures before the first game, with an entry for every step and every effort.
    pub fn new() -> Figures {
        Figures {
            steps: Step::ALL.map(|step| (step.name(), 0)).into(),
            efforts: Effort::ALL.map(|effort| (effort.to_string(), 0)).into(),
            ..Figures::default()
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: SoakGame) {
        let turns = game.turns.len() as u64;
        self.games += 1;
        self.turns += turns;
        self.false_turns += if game.is_falsified { turns } else { 0 };
        *self.efforts.entry(game.effort.to_string()).or_default() += turns;
        self.smallest = if self.games == 1 { game.cells } else { self.smallest.min(game.cells) };
        self.largest = self.largest.max(game.cells);
        for turn in game.turns {
            self.cut_turns += u64::from(turn.is_late);
            if let Some(step) = turn.step {
                *self.steps.entry(step.name()).or_default() += 1;
            }
            self.cpu_ms += ms(turn.cpu);
            self.worst_cpu_ms = self.worst_cpu_ms.max(ms(turn.cpu));
            self.worst_wall_ms = self.worst_wall_ms.max(ms(turn.wall));
            if let Some(usage) = turn.process {
                self.process_turns += 1;
                self.worst_process_ms = self.worst_process_ms.max(ms(usage.wall));
                let memory = mebibytes(usage.memory_bytes);
                self.worst_process_mib = self.worst_process_mib.max(memory);
            }
        }
        self.first_faults.extend(game.fault);
        self.faults = self.first_faults.len();
    }
}

/// What `--json` prints.
#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    pub figures: &'a Figures,
    pub seconds: f64,
    /// Whether the faults have ended the soak.
    pub stopped: bool,
    pub interrupted: bool,
}

impl Report<'_> {
    /// The figures as a table of two columns. The faults are not part of it.
    pub fn table(&self) -> Table {
        let Report { figures, seconds, stopped, interrupted } = self;
        let mut table = empty(["", ""]);
        for (name, figure) in [
            ("games", figures.games),
            ("turns", figures.turns),
            ("false_turns", figures.false_turns),
            ("process_turns", figures.process_turns),
            ("cut_turns", figures.cut_turns),
            ("smallest", figures.smallest as u64),
            ("largest", figures.largest as u64),
        ] {
            table.add_row([name.to_owned(), figure.to_string()]);
        }
        for (step, turns) in &figures.steps {
            table.add_row([format!("steps: {step}"), turns.to_string()]);
        }
        for (effort, turns) in &figures.efforts {
            table.add_row([format!("efforts: {effort}"), turns.to_string()]);
        }
        for (name, figure) in [
            ("cpu_ms", figures.cpu_ms),
            ("worst_cpu_ms", figures.worst_cpu_ms),
            ("worst_wall_ms", figures.worst_wall_ms),
            ("worst_process_ms", figures.worst_process_ms),
            ("worst_process_mib", figures.worst_process_mib),
            ("seconds", *seconds),
        ] {
            table.add_row([name.to_owned(), format!("{figure:.1}")]);
        }
        table.add_row(["faults".to_owned(), figures.faults.to_string()]);
        for (name, value) in [("stopped", stopped), ("interrupted", interrupted)] {
            table.add_row([name.to_owned(), value.to_string()]);
        }
        right_align(&mut table, 1..2);
        table
    }
}
