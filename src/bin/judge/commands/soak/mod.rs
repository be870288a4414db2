//! `judge soak`: a large number of random turns, in none of which a fault may occur.
//!
//! A game is determined by its seed. Games run on all threads, and [`tally::Tally`] adds them in
//! the order of their seeds, so that two runs differ in their times only. Memory does not grow with
//! the games: only figures are kept, and the first faults.
//!
//! [`plan`] draws what is played, [`game`] plays it and checks every answer, [`tally`] adds the
//! games and writes the report.

mod game;
mod plan;
mod tally;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sapper::base::text::pluralize;
use serde_json::json;

use crate::bots::command::keep_running_bot;
use crate::bots::interrupt;
use crate::cli::Outcome;
use crate::cli::output::{errln, outln};
use crate::cli::parse::{option_name, parse_seconds};
use crate::cli::seeds::{Seeds, parse_seeds};
use crate::cli::shell_words::{own_path, quote};
use crate::cli::strength::EffortName;
use game::{Fault, GameFigures, Settings};
use tally::Tally;

/// Play a large number of turns of random games, and report every fault.
///
/// The size, the density, the pattern of open cells, falsified reports and the effort of a game are
/// drawn from its seed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge soak                                # 1,000,000 turns
  judge soak --turns 10000 --processes 50
  judge soak --seeds 4711                   # one game again
  judge soak --seeds 1..500 --json
  judge soak --seeds 1..500 --effort full   # only the bot's own effort

Of 32 games, 26 are played with fast effort, 5 with standard and one with full effort, which is the
bot's own: fast effort covers the most boards, full effort searches longest. These are faults: an
answer outside the field or on an open cell, a panic of the search, a false proof, a contradiction
or a warning on a consistent board, a turn over the time limit, a process over the memory limit, and
a process whose answer differs from that of the same bot in process. Each fault is reported with its
seed. After 3 faults of the built bot the soak stops and reports what it has, because a bot that
does not answer takes 20 s each time.

After an interrupt (Ctrl-C, kill) the report covers the games that are complete.

Exit code: 0 no fault, 1 a fault, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// The number of turns; the last game is played to its end
    #[arg(
        long,
        default_value_t = 1_000_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    turns: u64,
    /// Play the games of these seeds instead
    #[arg(
        long,
        value_name = "A..B",
        value_parser = parse_seeds,
        allow_hyphen_values = true,
        conflicts_with = "turns"
    )]
    seeds: Option<Seeds>,
    /// The effort of every game [default: drawn from its seed]
    #[arg(long, value_enum)]
    effort: Option<EffortName>,
    /// Let the built bot, which has full effort, answer one of N turns too; 0 for none
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PROCESSES)]
    processes: u32,
    /// The built bot's command line [default: the sapper in the judge's directory, with
    /// --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The limit of CPU time of a turn
    #[arg(long, value_name = "SECONDS", default_value = "0.9", value_parser = parse_seconds)]
    limit: Duration,
    /// The memory limit of the built bot, in MB of 10^6 bytes
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEMORY)]
    memory: f64,
    /// Write the input of every fault to DIR/SEED-TURN.json
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The default of `--processes`.
const DEFAULT_PROCESSES: u32 = 500;
/// The default of `--memory`, in MB.
const DEFAULT_MEMORY: f64 = 200.0;
/// The default of `--limit`.
const DEFAULT_LIMIT: Duration = Duration::from_millis(900);
/// The games that are distributed to the threads at a time.
const BATCH: i64 = 64;

impl Arguments {
    /// The options that a fault may depend on, where they differ from the defaults. `--processes`
    /// is one, because it takes draws from the generator of the game.
    fn options(&self) -> String {
        let mut options = String::new();
        if let Some(effort) = self.effort {
            options += &format!(" --effort {}", option_name(&effort));
        }
        if self.processes != DEFAULT_PROCESSES {
            options += &format!(" --processes {}", self.processes);
        }
        if let Some(bot) = &self.bot {
            options += &format!(" --bot {}", quote(bot));
        }
        if self.limit != DEFAULT_LIMIT {
            options += &format!(" --limit {}", self.limit.as_secs_f64());
        }
        if self.memory != DEFAULT_MEMORY {
            options += &format!(" --memory {}", self.memory);
        }
        options
    }
}

/// Why a soak ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// All turns or seeds were played.
    Complete,
    /// The built bot had too many faults.
    GaveUp,
    Interrupted,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = (arguments.processes > 0)
        .then(|| keep_running_bot(arguments.bot.as_deref()))
        .transpose()?;
    if let Some(directory) = &arguments.save {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot create the directory {}", directory.display()))?;
    }
    let settings = Settings {
        processes: arguments.processes,
        effort: arguments.effort.map(EffortName::effort),
        limit: arguments.limit,
        memory: arguments.memory,
        bot,
        bot_faults: 0.into(),
    };
    let started = Instant::now();
    let mut tally = Tally::default();
    let end = play_all(arguments, &settings, &mut tally)?;
    print(arguments, &tally, end, started.elapsed());
    if end == End::Interrupted {
        let games = pluralize(tally.games, "game", "games");
        errln!("interrupted after {games} of {}", pluralize(tally.turns, "turn", "turns"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(tally.faults == 0))
}

/// Plays the games in batches, and adds them to `tally` in the order of their seeds.
fn play_all(arguments: &Arguments, settings: &Settings, tally: &mut Tally) -> Result<End> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let threads = threads.build()?;
    let (total, unit) = match arguments.seeds {
        Some(seeds) => (seeds.len() as u64, "games"),
        None => (arguments.turns, "turns"),
    };
    let template = "{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}";
    let style = ProgressStyle::with_template(template)?;
    let bar = ProgressBar::new(total).with_style(style).with_message(unit);
    let Seeds { first, last } = arguments.seeds.unwrap_or(Seeds { first: 1, last: i32::MAX });
    let (mut seed, last) = (i64::from(first), i64::from(last));
    let mut end = End::Complete;
    interrupt::defer_exit();
    'playing: while seed <= last {
        let batch = seed..(seed + BATCH).min(last + 1);
        seed = batch.end;
        let games: Vec<Result<GameFigures>> = threads.install(|| {
            let must_play = |_: &i64| !settings.has_given_up() && !interrupt::is_requested();
            let seeds = batch.into_par_iter().filter(must_play);
            seeds.map(|seed| game::play(seed, settings)).collect()
        });
        // The interrupt may have cut off any game of this batch, so none of them counts.
        if interrupt::is_requested() {
            end = End::Interrupted;
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
        if settings.has_given_up() {
            end = End::GaveUp;
            break;
        }
        bar.set_position(if arguments.seeds.is_none() { tally.turns } else { tally.games });
    }
    bar.finish_and_clear();
    Ok(end)
}

fn save(arguments: &Arguments, fault: &Fault) -> Result<()> {
    let Some(directory) = &arguments.save else { return Ok(()) };
    let path = directory.join(format!("{}-{}.json", fault.seed, fault.turn));
    std::fs::write(&path, &fault.input).with_context(|| format!("cannot write {}", path.display()))
}

fn print(arguments: &Arguments, tally: &Tally, end: End, took: Duration) {
    if arguments.json {
        let mut report = tally.json();
        report["seconds"] = json!(took.as_secs_f64());
        report["stopped"] = json!(end == End::GaveUp);
        report["interrupted"] = json!(end == End::Interrupted);
        outln!("{report}");
        return;
    }
    outln!("{}", tally.table());
    let (judge, options) = (own_path(), arguments.options());
    for Fault { seed, turn, what, .. } in &tally.first_faults {
        outln!("seed {seed}, turn {turn}: {what}; again: {judge} soak --seeds {seed}{options}");
    }
    if end == End::GaveUp {
        outln!("stopped: the built bot had too many faults; --processes 0 soaks without it");
    }
}
