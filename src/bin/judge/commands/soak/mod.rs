//! `judge soak`: a great many turns of every kind, in which nothing may go wrong.
//!
//! A game follows from its seed ([`game`]); games run on all threads and are added up in the order
//! of their seeds, so that a run is the same but for its times. Nothing is kept of a game but its
//! figures.

mod game;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use indicatif::{ProgressBar, ProgressStyle};
use procfs::process::Process;
use rayon::prelude::*;
use sapper::base::text::pluralize;
use sapper::bot::engine::Step;
use serde_json::json;

use self::game::{Fault, Game, Limits};
use crate::bots::command::keep_running_bot;
use crate::bots::interrupt;
use crate::cli::Outcome;
use crate::cli::output::{errln, outln};
use crate::cli::parse::option_name;
use crate::cli::parse::parse_seconds;
use crate::cli::seeds::{Seeds, parse_seeds};
use crate::cli::shell_words::{own_path, quote};
use crate::cli::strength::EffortName;
use crate::cli::units::{megabytes, ms};

/// Answer a great many turns of random games, and look for any fault.
///
/// Sizes, densities, patterns of open cells, false reports and efforts are drawn from each game's
/// seed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge soak                                # 1,000,000 turns
  judge soak --turns 10000 --processes 50
  judge soak --seeds 4711                   # one game again
  judge soak --seeds 1..500 --json
  judge soak --seeds 1..500 --effort full   # nothing but the bot's own effort

Of 32 games 26 are played with fast effort, 5 with standard and one with full, the bot's own: fast
looks at most boards, full thinks longest. Faults are: an answer outside the field or on a cell that
is open, a search that panicked, a proof that is false, a contradiction or a warning on a board that
can be, a turn over the limit, a process over the memory, and a process that answers otherwise than
the same bot in process. Each is told with its seed. After 3 faults of the built bot the soak stops
with the figures that it has: one that does not answer is waited for 20 s each time.

Interrupted, it tells what it found until then.

Exit code: 0 no fault, 1 a fault, 2 bad usage; 130 interrupted.")]
pub struct Arguments {
    /// Turns to play; whole games are played
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    turns: u64,
    /// The games of these seeds instead
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, allow_hyphen_values = true, conflicts_with = "turns")]
    seeds: Option<Seeds>,
    /// How much a turn may think [default: drawn from a game's seed]
    #[arg(long, value_enum)]
    effort: Option<EffortName>,
    /// Ask the built bot too, which plays with full effort, in one of so many turns; 0 for never
    #[arg(long, value_name = "N", default_value_t = PROCESSES)]
    processes: u32,
    /// The built bot's command line [default: the sapper beside the judge, with --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The CPU time of a turn that is a fault
    #[arg(long, value_name = "SECONDS", default_value = "0.9", value_parser = parse_seconds)]
    limit: Duration,
    /// The memory of the built bot that is a fault, in MB of 10^6 bytes
    #[arg(long, value_name = "MB", default_value_t = MEMORY)]
    memory: f64,
    /// Write the input of every fault to DIR/SEED-TURN.json
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The options that a fault may hang on, as they are written: of a game's draws some are for
    /// the processes.
    fn options(&self) -> String {
        let mut options = String::new();
        if let Some(effort) = self.effort {
            options += &format!(" --effort {}", option_name(&effort));
        }
        if self.processes != PROCESSES {
            options += &format!(" --processes {}", self.processes);
        }
        if let Some(bot) = &self.bot {
            options += &format!(" --bot {}", quote(bot));
        }
        if self.limit != Duration::from_millis(900) {
            options += &format!(" --limit {}", self.limit.as_secs_f64());
        }
        if self.memory != MEMORY {
            options += &format!(" --memory {}", self.memory);
        }
        options
    }
}

/// Defaults.
const PROCESSES: u32 = 500;
const MEMORY: f64 = 200.0;
/// What the turns are told by.
const EFFORTS: [EffortName; 3] = [EffortName::Fast, EffortName::Standard, EffortName::Full];
/// Games that are shared out at once.
const BATCH: i64 = 64;
/// Faults that are told one by one.
const MOST_PRINTED: usize = 20;

/// The sum of many games.
#[derive(Default)]
struct Tally {
    games: u64,
    turns: u64,
    /// Turns of games whose reports were changed.
    false_turns: u64,
    probed: u64,
    cut: u64,
    by_step: [u64; Step::ALL.len()],
    by_effort: [u64; EFFORTS.len()],
    cells: (usize, usize),
    cpu: Duration,
    worst_cpu: Duration,
    worst_wall: Duration,
    process_wall: Duration,
    process_bytes: u64,
    faults: u64,
    printed: Vec<Fault>,
    /// Whether the built bot had so many faults that the rest was not played.
    stopped: bool,
    /// Whether the judge was told to end before.
    interrupted: bool,
}

impl Tally {
    fn add(&mut self, game: Game) {
        self.games += 1;
        self.turns += game.turns;
        self.false_turns += if game.is_false { game.turns } else { 0 };
        self.probed += game.probed;
        self.cut += game.cut;
        for (sum, turns) in self.by_step.iter_mut().zip(game.by_step) {
            *sum += turns;
        }
        self.by_effort[game.effort as usize] += game.turns;
        let smallest = if self.games == 1 { usize::MAX } else { self.cells.0 };
        self.cells = (smallest.min(game.cells), self.cells.1.max(game.cells));
        self.cpu += game.cpu;
        self.worst_cpu = self.worst_cpu.max(game.worst_cpu);
        self.worst_wall = self.worst_wall.max(game.worst_wall);
        self.process_wall = self.process_wall.max(game.process_wall);
        self.process_bytes = self.process_bytes.max(game.process_bytes);
        self.faults += game.faults.len() as u64;
        let room = MOST_PRINTED - self.printed.len();
        self.printed.extend(game.faults.into_iter().take(room));
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = (arguments.processes > 0)
        .then(|| keep_running_bot(arguments.bot.as_deref()))
        .transpose()?;
    if let Some(directory) = &arguments.save {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let (limit, memory) = (arguments.limit, arguments.memory);
    let effort = arguments.effort.map(EffortName::effort);
    let limits =
        Limits { processes: arguments.processes, effort, limit, memory, bot, bot_faults: 0.into() };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let threads = threads.build()?;
    let (len, unit) = match arguments.seeds {
        Some(seeds) => ((i64::from(seeds.last) - i64::from(seeds.first) + 1) as u64, "games"),
        None => (arguments.turns, "turns"),
    };
    let template = "{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}";
    let style = ProgressStyle::with_template(template)?;
    let bar = ProgressBar::new(len).with_style(style).with_message(unit);
    let (first, last) = match arguments.seeds {
        Some(Seeds { first, last }) => (i64::from(first), i64::from(last)),
        None => (1, i64::from(i32::MAX)),
    };
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut seed = first;
    interrupt::defer_exit();
    'playing: while seed <= last {
        let batch = seed..(seed + BATCH).min(last + 1);
        seed = batch.end;
        let games: Vec<Result<Game>> = threads.install(|| {
            let batch =
                batch.into_par_iter().filter(|_| !limits.gave_up() && !interrupt::is_requested());
            batch.map(|seed| game::play(seed, &limits)).collect()
        });
        // The games of this batch may have been cut off, and count nowhere.
        if interrupt::is_requested() {
            tally.interrupted = true;
            break;
        }
        for game in games {
            let game = game?;
            game.faults.iter().try_for_each(|fault| save(arguments, fault))?;
            tally.add(game);
            if arguments.seeds.is_none() && tally.turns >= arguments.turns {
                break 'playing;
            }
        }
        if limits.gave_up() {
            tally.stopped = true;
            break;
        }
        bar.set_position(if arguments.seeds.is_none() { tally.turns } else { tally.games });
    }
    bar.finish_and_clear();
    print(arguments, &tally, started.elapsed());
    if tally.interrupted {
        let games = pluralize(tally.games, "game", "games");
        errln!("interrupted after {games} of {}", pluralize(tally.turns, "turn", "turns"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(tally.faults == 0))
}

fn save(arguments: &Arguments, fault: &Fault) -> Result<()> {
    let Some(directory) = &arguments.save else { return Ok(()) };
    let path = directory.join(format!("{}-{}.json", fault.seed, fault.turn));
    std::fs::write(&path, &fault.input).with_context(|| format!("cannot write {}", path.display()))
}

fn print(arguments: &Arguments, tally: &Tally, took: Duration) {
    let own = Process::myself().and_then(|judge| judge.status()).ok();
    let own = own.and_then(|status| status.vmhwm).map(|kilobytes| megabytes(kilobytes << 10));
    let steps = Step::ALL.map(|step| (step.name().to_owned(), json!(tally.by_step[step as usize])));
    let efforts =
        EFFORTS.map(|effort| (option_name(&effort), tally.by_effort[effort.effort() as usize]));
    if arguments.json {
        let faults = tally
            .printed
            .iter()
            .map(|fault| json!({"seed": fault.seed, "turn": fault.turn, "what": fault.what}));
        outln!(
            "{}",
            json!({
                "games": tally.games, "turns": tally.turns, "false_turns": tally.false_turns,
                "process_turns": tally.probed, "cut_turns": tally.cut, "smallest": tally.cells.0, "largest": tally.cells.1,
                "steps": steps.into_iter().collect::<serde_json::Map<_, _>>(),
                "efforts": efforts.into_iter().collect::<BTreeMap<_, _>>(),
                "cpu_ms": ms(tally.cpu), "worst_cpu_ms": ms(tally.worst_cpu),
                "worst_wall_ms": ms(tally.worst_wall), "worst_process_ms": ms(tally.process_wall),
                "worst_process_mb": megabytes(tally.process_bytes), "judge_mb": own,
                "seconds": took.as_secs_f64(), "faults": tally.faults, "stopped": tally.stopped, "interrupted": tally.interrupted,
                "first_faults": faults.collect::<Vec<_>>(),
            })
        );
        return;
    }
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["", ""]);
    let mut row = |name: &str, value: String| {
        table.add_row([name.to_owned(), value]);
    };
    row("turns", tally.turns.to_string());
    row("of them with false reports", tally.false_turns.to_string());
    row("of them asked of the built bot too", tally.probed.to_string());
    row("of them ended by the clock, not by nodes", tally.cut.to_string());
    row("games", tally.games.to_string());
    row("cells of a field", format!("{} to {}", tally.cells.0, tally.cells.1));
    for (effort, turns) in efforts {
        row(&format!("turns with {effort} effort"), turns.to_string());
    }
    for (step, turns) in steps {
        row(&format!("turns by {step}"), turns.to_string());
    }
    row("CPU ms a turn", format!("{:.3}", ms(tally.cpu) / tally.turns.max(1) as f64));
    row("worst turn, CPU ms", format!("{:.0}", ms(tally.worst_cpu)));
    row("worst turn, wall ms", format!("{:.0}", ms(tally.worst_wall)));
    row("worst turn of the built bot, wall ms", format!("{:.0}", ms(tally.process_wall)));
    row("most memory of the built bot, MB", format!("{:.0}", megabytes(tally.process_bytes)));
    row("most memory of the judge, MB", own.map_or("-".to_owned(), |own| format!("{own:.0}")));
    row("faults", tally.faults.to_string());
    outln!("{table}");
    let (judge, with) = (own_path(), arguments.options());
    for Fault { seed, turn, what, .. } in &tally.printed {
        outln!("seed {seed}, turn {turn}: {what}; again: {judge} soak --seeds {seed}{with}");
    }
    if tally.stopped {
        outln!("stopped: the built bot had too many faults; --processes 0 soaks without it");
    }
}
