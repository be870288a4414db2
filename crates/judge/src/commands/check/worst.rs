//! `judge check worst`: positions made to be hard, each answered by a process of the bot within
//! limits.
//!
//! A line of the file is a [`WorstPosition`]. Other programs on the machine add to wall time: of
//! several tries the shortest wall time counts, but the longest CPU time.
//!
//! The clock is a bot's safety net: with `--expect-untimed` every answer has to be that of Sapper's
//! engine in this process, whose clock is stopped.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Result, anyhow, ensure};
use fixtures::pattern::first_request_text;
use fixtures::worst::{POSITIONS, WorstPosition, read_positions};
use sapper::kit::text::pluralize;
use sapper::{Cell, Effort, Engine, Objective, Turn};
use serde::Serialize;

use crate::cli::{Outcome, TurnLimits, parse_count, parse_integer, print_bot_report};
use crate::report::progress;
use crate::report::table::{empty, right_align};
use crate::runner::bots::probe::{self, answered_cell};
use crate::runner::bots::{BotCommand, TIMEOUT, keep_running_bot};
use crate::runner::files::read_text;
use crate::runner::limits::Limits;
use crate::runner::system::LIMITS_NOTE;
use crate::runner::units::{mebibytes, ms};

/// Measure a bot on positions that are hard for a solver, and check its limits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge check worst
  judge check worst --load 0 --tries 1
  judge check worst --clock cpu
  judge check worst --load 4 --expect-untimed
  judge check worst mine.txt --time-limit 0.5 --json

Exit code: 0 all positions within limits, 1 at least one is not, 2 bad input.")]
pub struct Arguments {
    /// A file of positions [default: samples/worst/positions.txt]
    positions: Option<PathBuf>,
    /// The bot's command line; `--objective clean-win` follows for positions with that objective
    /// [default: sapper --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    #[command(flatten)]
    limits: TurnLimits,
    /// Number of busy threads during the second measurement; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_integer::<u16>)]
    load: u16,
    /// Number of tries of a measurement; the shortest wall time counts
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = parse_count::<u16>)]
    tries: u16,
    /// Fail where an answer is not that of Sapper with its clock stopped
    #[arg(long)]
    expect_untimed: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    positions: Vec<Measurement>,
    /// The measurements with a fault.
    failed: usize,
}

/// A position, and the cell that has to be answered, if that is checked.
struct Question {
    position: WorstPosition,
    expected: Option<Cell>,
}

/// One measurement of a position. A figure is `None` if no try was answered.
#[derive(Serialize)]
struct Measurement {
    /// The line of the position.
    position: String,
    /// The hidden cells of the position.
    hidden: usize,
    /// The busy threads beside the bot.
    busy_threads: u16,
    /// The shortest wall time of all tries, in milliseconds.
    ms: Option<f64>,
    /// The longest CPU time of all tries, in milliseconds.
    cpu_ms: Option<f64>,
    /// The largest memory of all tries, in MiB.
    peak_mib: Option<f64>,
    /// What failed, each once.
    faults: BTreeSet<String>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bots = Bots::new(arguments)?;
    let limits = arguments.limits.of(None, &bots.fewest_hits.program()[0]);
    let hard = read_file(arguments)?;
    let loads = if arguments.load == 0 { vec![0] } else { vec![0, arguments.load] };
    // An answer without a clock takes as long as a measurement.
    let passes = loads.len() + usize::from(arguments.expect_untimed);
    let bar = progress::bar((hard.len() * passes) as u64, "measurements");
    let expected = |position: &WorstPosition| {
        bar.inc(1);
        untimed_answer(position)
    };
    let question = |position: WorstPosition| Question {
        expected: if arguments.expect_untimed { expected(&position) } else { None },
        position,
    };
    let hard: Vec<Question> = hard.into_iter().map(question).collect();
    let mut positions = Vec::new();
    for &load in &loads {
        with_busy_threads(load, || {
            for question in &hard {
                bar.inc(1);
                let bot = bots.of(question.position.objective);
                positions.push(measure(arguments.tries, &limits, bot, question, load));
            }
        });
    }
    bar.finish_and_clear();
    let failed = positions.iter().filter(|measurement| !measurement.faults.is_empty()).count();
    let report = Report { positions, failed };
    print_bot_report(arguments.json, LIMITS_NOTE, || &report, || text(&report));
    Ok(Outcome::from(failed == 0))
}

/// What Sapper answers with its clock stopped.
fn untimed_answer(position: &WorstPosition) -> Option<Cell> {
    let mut engine = Engine::new(position.objective, Effort::Full);
    engine.decide(&position.board, Turn::UNTIMED).map(|decision| decision.cell())
}

fn text(Report { positions, failed }: &Report) -> String {
    let mut table = empty(["position", "hidden", "busy threads", "ms", "CPU ms", "MiB", "faults"]);
    let whole =
        |figure: Option<f64>| figure.map_or("-".to_owned(), |figure| format!("{figure:.0}"));
    for measurement in positions {
        let Measurement { position, hidden, busy_threads, ms, cpu_ms, peak_mib, faults } =
            measurement;
        let faults: Vec<&str> = faults.iter().map(String::as_str).collect();
        table.add_row([
            position.clone(),
            hidden.to_string(),
            busy_threads.to_string(),
            whole(*ms),
            whole(*cpu_ms),
            whole(*peak_mib),
            if faults.is_empty() { "none".to_owned() } else { faults.join("; ") },
        ]);
    }
    right_align(&mut table, 1..6);
    let most = |figure: fn(&Measurement) -> Option<f64>| {
        positions.iter().filter_map(figure).fold(0.0, f64::max)
    };
    let (slowest, memory) = (most(|measured| measured.ms), most(|measured| measured.peak_mib));
    let count = pluralize(positions.len(), "measurement", "measurements");
    format!(
        "{table}\n\n{count}: slowest {slowest:.0} ms, most memory {memory:.0} MiB, {failed} failed"
    )
}

/// The bot for each objective.
struct Bots {
    fewest_hits: BotCommand,
    clean_win: BotCommand,
}

impl Bots {
    /// The bot of the arguments, which can be started.
    fn new(arguments: &Arguments) -> Result<Bots> {
        let bot = || keep_running_bot(arguments.bot.as_deref());
        let clean_win =
            bot()?.with_argument("--objective").with_argument(Objective::CleanWin.name());
        let bots = Bots { fewest_hits: bot()?, clean_win };
        bots.fewest_hits.check_start()?;
        Ok(bots)
    }

    fn of(&self, objective: Objective) -> &BotCommand {
        match objective {
            Objective::FewestHits => &self.fewest_hits,
            Objective::CleanWin => &self.clean_win,
        }
    }
}

fn read_file(arguments: &Arguments) -> Result<Vec<WorstPosition>> {
    let (name, text) = match &arguments.positions {
        None => ("samples/worst/positions.txt".to_owned(), POSITIONS.to_owned()),
        Some(path) => (path.display().to_string(), read_text(path)?),
    };
    let positions = read_positions(&text)
        .map_err(|(number, error)| anyhow!("{name}, line {number}: {error}"))?;
    ensure!(
        !positions.is_empty(),
        "{name} holds no position; a line is `WIDTH HEIGHT MINES% SEED PATTERN` or `WIDTH HEIGHT \
         MINES ROW/ROW/...`"
    );
    Ok(positions)
}

/// Runs `work` while `threads` other threads spin.
fn with_busy_threads(threads: u16, work: impl FnOnce()) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        work();
        is_done.store(true, Ordering::Relaxed);
    });
}

fn measure(
    tries: u16,
    limits: &Limits,
    bot: &BotCommand,
    Question { position, expected }: &Question,
    load: u16,
) -> Measurement {
    let board = &position.board;
    let input = format!("{{\"requests\":[{}],\"responses\":[]}}", first_request_text(board));
    let (mut answered, mut faults) = (Vec::new(), BTreeSet::new());
    for _ in 0..tries {
        let (answer, usage) = probe::ask(bot, &input, limits);
        match answer {
            Ok(line) => {
                answered.push(usage);
                let cell = answered_cell(&line, board.shape());
                if !cell.is_some_and(|cell| board.is_hidden(cell)) {
                    faults.insert(format!("illegal: {line}"));
                } else if let Some(expected) = expected.filter(|expected| cell != Some(*expected)) {
                    let expected = board.shape().at(expected);
                    faults.insert(format!("not {expected} as without a clock: {line}"));
                }
            }
            Err(fault) => drop(faults.insert(fault)),
        }
    }
    if !answered.is_empty() {
        // Another program of the machine may have delayed the other tries.
        faults.retain(|fault| !fault.starts_with(TIMEOUT));
    }
    Measurement {
        position: position.to_string(),
        hidden: board.hidden_len(),
        busy_threads: load,
        ms: answered.iter().map(|usage| usage.wall).min().map(ms),
        cpu_ms: answered.iter().map(|usage| usage.cpu).max().map(ms),
        peak_mib: answered.iter().map(|usage| usage.memory_bytes).max().map(mebibytes),
        faults,
    }
}
