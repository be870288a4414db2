//! `judge check evolve`: searches for the positions that take the engine the most CPU time.
//!
//! Positions of one level evolve: the slowest are kept, and changed copies replace the others. The
//! engine decides in process and without a clock, so that its node limits alone end a turn.
//!
//! Invariant: the positions that are tried follow from the seed and from the measured times, so two
//! runs agree as far as their times do. The printed lines are those of `judge check worst`.

mod individual;

use std::time::Duration;

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use fixtures::worst::WorstPosition;
use game::board_gen::below;
use game::level::Level;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sapper::settings::budget::Turn;
use sapper::{Effort, Engine, Objective, Step};
use serde::Serialize;

use crate::cli::{
    Outcome, effort_parser, objective_parser, parse_count, parse_integer, print_report,
};
use crate::report::progress;
use crate::report::table::{empty, right_align};
use crate::runner::interrupt;
use crate::runner::units::ms;
use individual::Individual;

/// Search for the positions that take the engine the most CPU time.
///
/// Positions of each level evolve by the CPU time of a turn, which node limits alone end.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge check evolve
  judge check evolve 11x11/80 9x9/19 --turns 2000 --seed 7
  judge check evolve 30x16/391 --objective clean-win --json

Exit code: 0, 2 for bad input, 130 interrupted.")]
pub struct Arguments {
    /// Sizes and mines of the positions [default: small dense fields and thin strips]
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// What the engine plays for [default: both, one after the other]
    #[arg(long, value_parser = objective_parser())]
    objective: Option<Objective>,
    /// Amount of computation per turn
    #[arg(long, value_parser = effort_parser(), default_value_t = Effort::Full)]
    effort: Effort,
    /// Number of turns for each level and objective
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = parse_count::<u32>)]
    turns: u32,
    /// Number of positions of each level and objective that are printed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count::<u16>)]
    keep: u16,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_integer::<u64>)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The levels without an argument: dense and sparse small fields, strips, and one large field.
const LEVELS: [&str; 12] = [
    "11x11/80",
    "11x11/30",
    "9x9/10",
    "9x9/19",
    "9x9/40",
    "8x8/32",
    "7x7/16",
    "4x28/32",
    "2x60/40",
    "16x16/51",
    "30x16/99",
    "30x16/391",
];

/// Positions of a level that live at the same time.
const POPULATION: usize = 16;

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    /// Of each level and objective the slowest first.
    positions: Vec<Measured>,
    interrupted: bool,
}

/// A position with its turn.
#[derive(Serialize)]
struct Measured {
    /// The line of the position.
    position: String,
    /// The step that decided; `None` where no cell is hidden.
    step: Option<&'static str>,
    /// The shorter CPU time of two turns, in milliseconds.
    cpu_ms: f64,
    /// The nodes of the turn.
    nodes: u64,
    #[serde(skip)]
    level: Level,
    #[serde(skip)]
    objective: Objective,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let levels = match &arguments.levels[..] {
        [] => LEVELS.iter().map(|name| name.parse().expect("a level")).collect(),
        levels => levels.to_vec(),
    };
    let objectives = match &arguments.objective {
        Some(objective) => std::slice::from_ref(objective),
        None => &Objective::ALL[..],
    };
    interrupt::defer_exit(1);
    let runs = levels.len() * objectives.len();
    let bar = progress::bar(runs as u64 * u64::from(arguments.turns), "turns");
    let mut positions = Vec::new();
    for &level in &levels {
        for &objective in objectives {
            let mut evolution = Evolution::new(arguments, level, objective);
            for _ in 0..arguments.turns {
                if interrupt::is_requested() {
                    break;
                }
                evolution.step()?;
                bar.inc(1);
            }
            positions.extend(evolution.slowest(arguments.keep.into()));
        }
    }
    bar.finish_and_clear();
    let interrupted = interrupt::is_requested();
    let report = Report { positions, interrupted };
    print_report(arguments.json, || &report, || text(&report));
    Ok(Outcome::from(true).unless_interrupted(interrupted, ""))
}

/// The positions of one level.
struct Evolution {
    level: Level,
    objective: Objective,
    engine: Engine,
    nodes: u64,
    random: Xoshiro256PlusPlus,
    /// The slowest first.
    living: Vec<(Duration, Individual)>,
}

impl Evolution {
    fn new(arguments: &Arguments, level: Level, objective: Objective) -> Evolution {
        Evolution {
            level,
            objective,
            engine: Engine::new(objective, arguments.effort),
            nodes: arguments.effort.limits().turn_nodes,
            random: Xoshiro256PlusPlus::seed_from_u64(arguments.seed),
            living: Vec::new(),
        }
    }

    /// Tries one more position; of those that live the fastest goes.
    ///
    /// # Errors
    /// Fails if the mines do not fit.
    fn step(&mut self) -> Result<()> {
        let Evolution { level, random, living, .. } = self;
        let tried = if living.len() < POPULATION {
            Individual::random(*level, random)
                .with_context(|| format!("too many mines for {level}"))?
        } else {
            // The slower of two has children.
            let mut parent =
                || below(random, POPULATION as u64).min(below(random, POPULATION as u64));
            let (parent, other) = (parent() as usize, parent() as usize);
            living[parent].1.changed(&living[other].1, random)
        };
        let (took, ..) = self.turn(&tried);
        let at = self.living.partition_point(|(other, _)| *other >= took);
        self.living.insert(at, (took, tried));
        self.living.truncate(POPULATION);
        Ok(())
    }

    /// The CPU time, the nodes and the step of a turn.
    fn turn(&mut self, individual: &Individual) -> (Duration, u64, Option<Step>) {
        let board = individual.board();
        let mut budget = Turn::UNTIMED.budget(self.nodes);
        let start = ThreadTime::now();
        let decision = self.engine.decide_within(&board, &mut budget);
        (start.elapsed(), budget.used(), decision.map(|decision| decision.by))
    }

    /// The slowest positions, measured again: one of two times may be that of a busy machine.
    fn slowest(mut self, count: usize) -> Vec<Measured> {
        let living = std::mem::take(&mut self.living);
        let measured = living.into_iter().take(count).map(|(took, individual)| {
            let (again, nodes, step) = self.turn(&individual);
            Measured {
                position: WorstPosition::new(self.objective, individual.board()).to_string(),
                step: step.map(Step::name),
                cpu_ms: ms(took.min(again)),
                nodes,
                level: self.level,
                objective: self.objective,
            }
        });
        measured.collect()
    }
}

fn text(Report { positions, .. }: &Report) -> String {
    let mut table = empty(["level", "objective", "step", "CPU ms", "million nodes", "ns a node"]);
    for Measured { level, objective, step, cpu_ms, nodes, .. } in positions {
        let nodes = *nodes as f64;
        table.add_row([
            level.to_string(),
            objective.to_string(),
            step.unwrap_or("none").to_owned(),
            format!("{cpu_ms:.0}"),
            format!("{:.1}", nodes / 1e6),
            format!("{:.2}", cpu_ms * 1e6 / nodes.max(1.0)),
        ]);
    }
    right_align(&mut table, 3..6);
    let lines: Vec<&str> = positions.iter().map(|measured| measured.position.as_str()).collect();
    format!("{table}\n\n{}", lines.join("\n"))
}
