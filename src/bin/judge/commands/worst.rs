//! `judge worst`: positions made to be hard, each answered by a process of the bot within limits.
//!
//! A line of the file is a [`Recipe`], from which the board is generated. Other programs on the
//! machine add to wall time only: of several tries the shortest wall time counts, but the longest
//! CPU time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::text::pluralize;
use sapper::board::Board;
use sapper::referee::pattern::{Recipe, first_request_text};
use serde::Serialize;
use serde_json::json;

use crate::bots::command::BotCommand;
use crate::bots::command::keep_running_bot;
use crate::bots::probe::{self, Probe, ProbeAnswer, answered_cell};
use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::cli::parse::parse_seconds;
use crate::cli::units::{megabytes, ms};
use crate::results::table::{Column, Format::Decimals, table};

/// The positions of the repository, compiled in.
const POSITIONS: &str = include_str!("../../../../samples/worst/positions.txt");

/// Measure a bot on positions that are hard for a solver, and check its limits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge worst
  judge worst --load 0 --tries 1
  judge worst --cpu-only
  judge worst mine.txt --limit 0.5 --json

A line of the file is `WIDTH HEIGHT MINES% SEED PATTERN`: a random layout and a pattern of open
cells, without the numbers that would prove a cell safe. samples/worst/positions.txt has an example
of every pattern. Each position is measured twice: on an idle machine and beside busy threads. A
turn lasts from the start of the process to its answer. It fails if its CPU time exceeds the limit
in any try, or its wall time in every try; if the process uses more memory than allowed; or if the
answer is not a hidden cell. The bot must support Botzone's keep-running mode.

Exit code: 0 all positions within limits, 1 at least one is not, 2 bad input.")]
pub struct Arguments {
    /// A file of positions [default: samples/worst/positions.txt]
    positions: Option<PathBuf>,
    /// The bot's command line [default: the sapper in the judge's directory, with --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The time limit of a turn
    #[arg(long, value_name = "SECONDS", default_value = "0.9", value_parser = parse_seconds)]
    limit: Duration,
    /// The memory limit of a process, in MB of 10^6 bytes
    #[arg(long, value_name = "MB", default_value_t = 200.0)]
    memory: f64,
    /// Busy threads during the second measurement; 0 to leave it out
    #[arg(long, default_value_t = 1)]
    load: u16,
    /// Tries per measurement, of which the shortest wall time counts
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    tries: u16,
    /// Do not limit wall time: for a machine that is shared
    #[arg(long)]
    cpu_only: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The columns of the table.
const COLUMNS: [Column; 7] = [
    ("position", "/position", Decimals(0)),
    ("hidden", "/hidden", Decimals(0)),
    ("busy threads", "/busy_threads", Decimals(0)),
    ("ms", "/ms", Decimals(0)),
    ("CPU ms", "/cpu_ms", Decimals(0)),
    ("MB", "/peak_mb", Decimals(0)),
    ("faults", "/faults", Decimals(0)),
];

/// One measurement of a position. A figure is `None` if no try was answered.
#[derive(Serialize)]
struct Measurement {
    /// The recipe of the position.
    position: String,
    /// The hidden cells of the position.
    hidden: usize,
    /// The busy threads beside the bot.
    busy_threads: u16,
    /// The shortest wall time of all tries, in milliseconds.
    ms: Option<f64>,
    /// The longest CPU time of all tries, in milliseconds.
    cpu_ms: Option<f64>,
    /// The largest memory of all tries, in MB.
    peak_mb: Option<f64>,
    /// What failed, each once.
    faults: BTreeSet<String>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = keep_running_bot(arguments.bot.as_deref())?;
    let recipes = read_recipes(arguments.positions.as_deref())?;
    let loads = if arguments.load == 0 { vec![0] } else { vec![0, arguments.load] };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} measurements  {elapsed}")?;
    let bar = ProgressBar::new((recipes.len() * loads.len()) as u64).with_style(style);
    let (mut positions, mut failed) = (Vec::new(), 0);
    let (mut slowest, mut memory) = (0.0_f64, 0.0_f64);
    for &load in &loads {
        with_busy_threads(load, || -> Result<()> {
            for &recipe in &recipes {
                bar.inc(1);
                let measurement = measure(arguments, &bot, recipe, load)?;
                failed += usize::from(!measurement.faults.is_empty());
                slowest = slowest.max(measurement.ms.unwrap_or(0.0));
                memory = memory.max(measurement.peak_mb.unwrap_or(0.0));
                positions.push(json!(measurement));
            }
            Ok(())
        })?;
    }
    bar.finish_and_clear();
    if arguments.json {
        outln!("{}", json!({"positions": positions, "failed": failed}));
    } else {
        let count = pluralize(positions.len(), "measurement", "measurements");
        outln!("{}\n", table(&COLUMNS, &positions));
        outln!("{count}: slowest {slowest:.0} ms, most memory {memory:.0} MB, {failed} failed");
    }
    Ok(Outcome::from(failed == 0))
}

fn read_recipes(path: Option<&Path>) -> Result<Vec<Recipe>> {
    let (name, text) = match path {
        None => ("samples/worst/positions.txt".to_owned(), POSITIONS.to_owned()),
        Some(path) => {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            (path.display().to_string(), text)
        }
    };
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let recipes: Vec<Recipe> = lines
        .map(|(number, line)| {
            line.parse().map_err(|error| anyhow!("{name}, line {number}: {error}"))
        })
        .collect::<Result<_>>()?;
    if recipes.is_empty() {
        bail!("{name} holds no position; a line is `WIDTH HEIGHT MINES% SEED PATTERN`");
    }
    Ok(recipes)
}

/// Runs `work` while `threads` other threads spin.
fn with_busy_threads<T>(threads: u16, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        is_done.store(true, Ordering::Relaxed);
        result
    })
}

fn measure(
    arguments: &Arguments,
    bot: &BotCommand,
    recipe: Recipe,
    load: u16,
) -> Result<Measurement> {
    let board = recipe.hard_board();
    let input = format!("{{\"requests\":[{}],\"responses\":[]}}", first_request_text(&board));
    let mut measurement = Measurement {
        position: recipe.to_string(),
        hidden: board.hidden_len(),
        busy_threads: load,
        ms: None,
        cpu_ms: None,
        peak_mb: None,
        faults: BTreeSet::new(),
    };
    for _ in 0..arguments.tries {
        match probe::ask(bot, &input)? {
            Probe::Answered(probed) => measurement.add_try(&board, &probed, arguments),
            Probe::Failed(fault) => drop(measurement.faults.insert(fault)),
        }
    }
    if measurement.ms > Some(ms(arguments.limit)) && !arguments.cpu_only {
        measurement.faults.insert("late".to_owned());
    }
    Ok(measurement)
}

impl Measurement {
    fn add_try(&mut self, board: &Board, probed: &ProbeAnswer, arguments: &Arguments) {
        let ProbeAnswer { line, wall, at_answer, after } = probed;
        let (wall, cpu, memory) = (ms(*wall), ms(at_answer.cpu), megabytes(after.memory_bytes));
        self.ms = Some(self.ms.map_or(wall, |least| least.min(wall)));
        self.cpu_ms = Some(self.cpu_ms.map_or(cpu, |most| most.max(cpu)));
        self.peak_mb = Some(self.peak_mb.map_or(memory, |most| most.max(memory)));
        let cell = answered_cell(line).and_then(|(row, column)| board.shape().cell(row, column));
        if !cell.is_some_and(|cell| board.is_hidden(cell)) {
            self.faults.insert(format!("illegal: {line}"));
        }
        if at_answer.cpu > arguments.limit {
            self.faults.insert("late by CPU time".to_owned());
        }
        if memory > arguments.memory {
            self.faults.insert("memory".to_owned());
        }
    }
}
