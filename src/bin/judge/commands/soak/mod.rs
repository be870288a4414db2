//! `judge soak`: a large number of random turns, in none of which a fault may occur.
//!
//! A game is determined by its seed. Games run on all threads, and their [`figures`] are added in
//! the order of their seeds, so that two runs differ in their times only. Memory does not grow with
//! the games: only figures are kept, and the first faults.
//!
//! [`plan`] draws what is played, and [`game`] plays it and checks every answer.

mod figures;
mod game;
mod plan;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
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
use crate::results::ordered::{in_order_with, threads};
use crate::results::table;
use figures::{Fault, Figures};
use game::Settings;

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
seed. In the report, false_turns are those of games with falsified reports, process_turns those
that the built bot answered too, cut_turns those that the clock ended instead of the node limit, and
smallest and largest the cells of a field. After 3 faults of the built bot the soak stops and
reports what it has, because a bot that does not answer takes 20 s each time.

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
    #[arg(long, value_name = "N", default_value_t = 500)]
    processes: u32,
    /// The built bot's command line [default: the sapper in the judge's directory, with
    /// --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The limit of CPU time of a turn
    #[arg(long, value_name = "SECONDS", default_value = "0.9", value_parser = parse_seconds)]
    limit: Duration,
    /// The memory limit of the built bot, in MB of 10^6 bytes
    #[arg(long, value_name = "MB", default_value_t = 200.0)]
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

impl Arguments {
    /// The options that a fault may depend on. `--processes` is one, because it takes draws from
    /// the generator of the game.
    fn options(&self) -> String {
        let Arguments { effort, processes, bot, limit, memory, .. } = self;
        let effort = effort.map(|effort| format!(" --effort {}", option_name(&effort)));
        let bot = bot.as_ref().map(|bot| format!(" --bot {}", quote(bot)));
        let (effort, bot) = (effort.unwrap_or_default(), bot.unwrap_or_default());
        let limit = limit.as_secs_f64();
        format!("{effort} --processes {processes}{bot} --memory {memory} --limit {limit}")
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
    let figures = play_all(arguments, &settings)?;
    let end = match (interrupt::is_requested(), settings.has_given_up()) {
        (true, _) => End::Interrupted,
        (_, true) => End::GaveUp,
        _ => End::Complete,
    };
    print(arguments, &figures, end, started.elapsed());
    if end == End::Interrupted {
        let games = pluralize(figures.games, "game", "games");
        errln!("interrupted after {games} of {}", pluralize(figures.turns, "turn", "turns"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(figures.faults == 0))
}

/// Plays the games, and adds their figures in the order of their seeds.
fn play_all(arguments: &Arguments, settings: &Settings) -> Result<Figures> {
    let (total, unit) = match arguments.seeds {
        Some(seeds) => (seeds.len() as u64, "games"),
        None => (arguments.turns, "turns"),
    };
    let template = "{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}";
    let style = ProgressStyle::with_template(template)?;
    let bar = ProgressBar::new(total).with_style(style).with_message(unit);
    let Seeds { first, last } = arguments.seeds.unwrap_or(Seeds { first: 1, last: i32::MAX });
    let goes_on = |_: &i64| !settings.has_given_up() && !interrupt::is_requested();
    let seeds = (i64::from(first)..=i64::from(last)).take_while(goes_on);
    let play = |(): &mut (), seed| {
        let game = game::play(seed, settings);
        // The interrupt may have cut the game off.
        if interrupt::is_requested() { Ok(None) } else { game.map(Some) }
    };
    let mut figures = Figures::default();
    interrupt::defer_exit();
    in_order_with(
        threads(arguments.jobs),
        seeds,
        || (),
        play,
        |_, game: Result<_>| {
            let Some(game) = game? else { return Ok(ControlFlow::Break(())) };
            game.first_faults.iter().try_for_each(|fault| save(arguments, fault))?;
            figures.merge(game);
            bar.set_position(if arguments.seeds.is_none() { figures.turns } else { figures.games });
            let is_over = arguments.seeds.is_none() && figures.turns >= arguments.turns;
            Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )?;
    bar.finish_and_clear();
    Ok(figures)
}

fn save(arguments: &Arguments, fault: &Fault) -> Result<()> {
    let Some(directory) = &arguments.save else { return Ok(()) };
    let path = directory.join(format!("{}-{}.json", fault.seed, fault.turn));
    std::fs::write(&path, &fault.input).with_context(|| format!("cannot write {}", path.display()))
}

fn print(arguments: &Arguments, figures: &Figures, end: End, took: Duration) {
    let mut report = figures.json();
    report["seconds"] = json!(took.as_secs_f64());
    report["stopped"] = json!(end == End::GaveUp);
    report["interrupted"] = json!(end == End::Interrupted);
    if arguments.json {
        outln!("{report}");
        return;
    }
    // The faults are printed as lines.
    report.as_object_mut().and_then(|report| report.remove("first_faults"));
    outln!("{}", table::entries(&report, 1));
    let (judge, options) = (own_path(), arguments.options());
    for Fault { seed, turn, what, .. } in &figures.first_faults {
        outln!("seed {seed}, turn {turn}: {what}; again: {judge} soak --seeds {seed}{options}");
    }
    if end == End::GaveUp {
        outln!("stopped: the built bot had too many faults; --processes 0 soaks without it");
    }
}
