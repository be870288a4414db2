//! `judge worst`: positions made to be hard, asked of a bot's process, each within its limits.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::text::pluralize;
use sapper::board::Board;
use sapper::referee::pattern::{Recipe, request_of};
use serde_json::{Value, json};

use crate::bots::command::BotCommand;
use crate::bots::command::keep_running_bot;
use crate::bots::probe::{self, Probe, ProbeAnswer, answered_cell};
use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::cli::parse::parse_seconds;
use crate::cli::units::{megabytes, ms};

/// The positions that come with the source.
const POSITIONS: &str = include_str!("../../../../samples/worst/positions.txt");

/// Ask a bot about positions that are hard on a solver, and hold it to its limits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge worst
  judge worst --load 0 --tries 1
  judge worst --cpu-only
  judge worst mine.txt --limit 0.5 --json

A line of the file is `WIDTH HEIGHT MINES% SEED PATTERN`: a random layout and a pattern of open cells, of
which samples/worst/positions.txt shows all, less
the numbers that would give a safe cell away. Each position is asked about alone, and again with busy threads
beside it. A turn is counted from the start of the process to its answer. It fails when its CPU time passes
the limit, or its wall time does in every try, since what else the machine does is not the bot's; when the
process holds more memory than allowed; or when its answer is not a hidden cell. The bot must understand
Botzone's way to keep it running.

Exit code: 0 all within limits, 1 one is not, 2 bad input.")]
pub struct Arguments {
    /// File of positions [default: those of samples/worst/positions.txt]
    positions: Option<PathBuf>,
    /// The bot's command line [default: the sapper beside the judge, with --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The time of a turn that is a failure
    #[arg(long, value_name = "SECONDS", default_value = "0.9", value_parser = parse_seconds)]
    limit: Duration,
    /// The memory of a process that is a failure, in MB of 10^6 bytes
    #[arg(long, value_name = "MB", default_value_t = 200.0)]
    memory: f64,
    /// Busy threads beside the bot, the second time; 0 to ask about each position once
    #[arg(long, default_value_t = 1)]
    load: u16,
    /// How often a position is asked about, the least wall time counting
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    tries: u16,
    /// Let wall time fail nothing: for a machine that others use too
    #[arg(long)]
    cpu_only: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What a position came to.
struct Row {
    recipe: Recipe,
    hidden: usize,
    load: u16,
    /// The least of all tries; nothing where none was answered, as of what follows.
    wall: Option<Duration>,
    cpu: Option<Duration>,
    peak_bytes: Option<u64>,
    faults: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = keep_running_bot(arguments.bot.as_deref())?;
    let recipes = read(arguments.positions.as_deref())?;
    let loads = if arguments.load == 0 { vec![0] } else { vec![0, arguments.load] };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} questions  {elapsed}")?;
    let bar = ProgressBar::new((recipes.len() * loads.len()) as u64).with_style(style);
    let mut rows = Vec::new();
    for &load in &loads {
        let asked = busy(load, || -> Result<Vec<Row>> {
            let one = |recipe: &Recipe| {
                bar.inc(1);
                ask(arguments, &bot, *recipe, load)
            };
            recipes.iter().map(one).collect()
        });
        rows.extend(asked?);
    }
    bar.finish_and_clear();
    let failed = rows.iter().filter(|row| !row.faults.is_empty()).count();
    if arguments.json {
        outln!(
            "{}",
            json!({"positions": rows.iter().map(to_json).collect::<Vec<_>>(), "failed": failed})
        );
    } else {
        outln!("{}\n", table(&rows));
        let slowest = rows.iter().filter_map(|row| row.wall).max().unwrap_or_default();
        let peak = rows.iter().filter_map(|row| row.peak_bytes).max().unwrap_or(0);
        let questions = pluralize(rows.len(), "question", "questions");
        let (slowest, peak) = (ms(slowest), megabytes(peak));
        outln!("{questions}: slowest {slowest:.0} ms, most memory {peak:.0} MB, {failed} failed");
    }
    Ok(Outcome::from(failed == 0))
}

fn read(path: Option<&Path>) -> Result<Vec<Recipe>> {
    let (name, text) = match path {
        None => ("the positions".to_owned(), POSITIONS.to_owned()),
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
            line.parse().map_err(|e| anyhow::anyhow!("{name}, line {number}: {e}"))
        })
        .collect::<Result<_>>()?;
    if recipes.is_empty() {
        bail!("{name}: there is no position; a line is `WIDTH HEIGHT MINES% SEED PATTERN`");
    }
    Ok(recipes)
}

/// Does `work` while so many threads are busy.
fn busy<T>(threads: u16, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        over.store(true, Ordering::Relaxed);
        done
    })
}

fn ask(arguments: &Arguments, bot: &BotCommand, recipe: Recipe, load: u16) -> Result<Row> {
    let board = recipe.hard_board();
    let question = format!("{{\"requests\":[{}],\"responses\":[]}}", request_of(&board));
    let hidden = board.hidden_len();
    let mut row =
        Row { recipe, hidden, load, wall: None, cpu: None, peak_bytes: None, faults: Vec::new() };
    for _ in 0..arguments.tries {
        match probe::ask(bot, &question)? {
            Probe::Answered(probed) => row.add(&board, &probed, arguments),
            Probe::Failed(fault) => row.faults.push(fault),
        }
    }
    if row.wall > Some(arguments.limit) && !arguments.cpu_only {
        row.faults.push("late".to_owned());
    }
    row.faults.sort();
    row.faults.dedup();
    Ok(row)
}

impl Row {
    fn add(&mut self, board: &Board, probed: &ProbeAnswer, arguments: &Arguments) {
        self.wall = Some(self.wall.map_or(probed.wall, |wall| wall.min(probed.wall)));
        let cell = answered_cell(&probed.line).and_then(|(row, col)| board.shape().cell(row, col));
        if !cell.is_some_and(|cell| board.is_hidden(cell)) {
            self.faults.push(format!("illegal: {}", probed.line));
        }
        let ProbeAnswer { at_answer, after, .. } = probed;
        self.cpu = self.cpu.max(Some(at_answer.cpu));
        self.peak_bytes = self.peak_bytes.max(Some(after.memory_bytes));
        if at_answer.cpu > arguments.limit {
            self.faults.push("late by CPU time".to_owned());
        }
        if megabytes(after.memory_bytes) > arguments.memory {
            self.faults.push("memory".to_owned());
        }
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["position", "hidden", "busy threads", "ms", "CPU ms", "MB", ""]);
    for row in rows {
        let or_none = |shown: Option<String>| shown.unwrap_or_else(|| "-".to_owned());
        table.add_row([
            row.recipe.to_string(),
            row.hidden.to_string(),
            row.load.to_string(),
            or_none(row.wall.map(|wall| format!("{:.0}", ms(wall)))),
            or_none(row.cpu.map(|cpu| format!("{:.0}", ms(cpu)))),
            or_none(row.peak_bytes.map(|bytes| format!("{:.0}", megabytes(bytes)))),
            if row.faults.is_empty() { "ok".to_owned() } else { row.faults.join("; ") },
        ]);
    }
    table
}

fn to_json(row: &Row) -> Value {
    json!({
        "position": row.recipe.to_string(),
        "hidden": row.hidden,
        "busy_threads": row.load,
        "ms": row.wall.map(ms),
        "cpu_ms": row.cpu.map(ms),
        "peak_mb": row.peak_bytes.map(megabytes),
        "faults": row.faults,
    })
}
