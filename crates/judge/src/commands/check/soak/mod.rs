//! `judge check soak`: a large number of random turns, in none of which a fault may occur.
//!
//! A game is determined by its seed. Games run on all threads, and their [`figures`] are added in
//! the order of their seeds, so that two runs differ in their times only. Memory does not grow with
//! the games: only figures are kept, and the faults, few of which end the soak.
//!
//! [`plan`] draws what is played, and [`game`] plays it and checks every answer.

mod figures;
mod game;
mod plan;

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use sapper::Effort;
use sapper::kit::text::pluralize;

use crate::cli::repeat::own_path;
use crate::cli::{
    JobOptions, LimitOptions, Outcome, SeedOptions, effort_parser, limit_options, outln,
    parse_count, parse_integer,
};
use crate::report::progress;
use crate::runner::bots::{BotCommand, keep_running_bot};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::limits::Limits;
use crate::runner::shell_words::quote;
use figures::{Fault, Figures, Report};
use game::Settings;

/// Play a large number of turns of random games, and report faults.
///
/// The size, the density, the pattern of open cells, falsified reports and the effort of a game are
/// drawn from its seed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge check soak                               # 1,000,000 turns
  judge check soak --turns 10000 --processes 50
  judge check soak --seeds 4711                  # one game again
  judge check soak --seeds 1..500 --json
  judge check soak --seeds 1..500 --effort full  # only the bot's own effort

Of 32 games, 26 are played with fast effort, 5 with standard and one with full effort, which is the
bot's own: fast effort covers the most boards, full effort searches longest. These are faults: an
answer outside the field or on an open cell, a panic of the search, a false proof, a contradiction
or a warning on a consistent board, a turn over the time limit, a process over the memory limit, and
a process whose answer differs from that of the same bot in process. A fault ends its game, and 3
faults end the soak. Each is reported with its seed, and with --json with its input. The time limit
holds for the CPU time of a turn in process, and for the built bot as --clock says.

In the report, false_turns are those of games with falsified reports, process_turns those that the
built bot answered too, cut_turns those that the clock ended instead of the node limit, and smallest
and largest the cells of a field.

After an interrupt (Ctrl-C, kill) the report covers the games that are complete.

Exit code: 0 no fault, 1 a fault, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// The number of turns; the last game is played to its end
    #[arg(long, default_value_t = 1_000_000, conflicts_with = "seeds")]
    #[arg(value_parser = parse_count::<u64>)]
    turns: u64,
    #[command(flatten)]
    seeds: SeedOptions,
    /// The effort of every game [default: drawn from its seed]
    #[arg(long, value_parser = effort_parser())]
    effort: Option<Effort>,
    /// Let the built bot, which has full effort, answer one of N turns too; 0 for none
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = parse_integer::<u32>)]
    processes: u32,
    /// The bot's command line [default: sapper --keep-running]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    jobs: JobOptions,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The options that a fault may depend on. `--processes` is one, because it takes draws from
    /// the generator of the game.
    fn options(&self, limits: &Limits) -> String {
        let Arguments { effort, processes, bot, .. } = self;
        let effort = effort.map(|effort| format!(" --effort {effort}"));
        let bot = bot.as_ref().map(|bot| format!(" --bot {}", quote(bot)));
        let (effort, bot) = (effort.unwrap_or_default(), bot.unwrap_or_default());
        format!("{effort} --processes {processes}{bot}{}", limit_options(limits))
    }
}

/// The faults after which the soak ends.
const MAX_FAULTS: usize = 3;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = (arguments.processes > 0).then(|| keep_running_bot(arguments.bot.as_deref()));
    let bot = bot.transpose()?;
    bot.iter().try_for_each(BotCommand::check_start)?;
    let limits = arguments.limits.of_one(bot.as_ref().map_or("", |bot| &bot.words()[0]))?;
    let settings = Settings { arguments, limits, bot };
    let started = Instant::now();
    let figures = play_all(&settings)?;
    let interrupted = interrupt::is_requested();
    let seconds = started.elapsed().as_secs_f64();
    let stopped = figures.faults >= MAX_FAULTS;
    let report = Report { figures: &figures, seconds, stopped, interrupted };
    if arguments.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        outln!("{}", report.table());
        let (judge, options) = (own_path(), arguments.options(&limits));
        for Fault { seed, turn, what, .. } in &figures.first_faults {
            let again = format!("{judge} check soak --seeds {seed}{options}");
            outln!("seed {seed}, turn {turn}: {what}; again: {again}");
        }
    }
    let games = pluralize(figures.games, "game", "games");
    let after = format!(" after {games} of {}", pluralize(figures.turns, "turn", "turns"));
    Ok(Outcome::from(figures.faults == 0).unless_interrupted(interrupted, &after))
}

/// Plays the games, and adds their figures in the order of their seeds.
fn play_all(settings: &Settings) -> Result<Figures> {
    let Settings { arguments, limits, bot } = settings;
    let (total, unit) = match arguments.seeds.seeds {
        Some(seeds) => (seeds.len() as u64, "games"),
        None => (arguments.turns, "turns"),
    };
    let bar = progress::bar(total, unit);
    let seeds = arguments.seeds.until_enough();
    let play = |(): &mut (), index| {
        interrupt::unless_requested(|| Ok(game::play(seeds.get(index).into(), settings)))
    };
    let mut figures = Figures::new();
    let jobs = arguments.jobs.count(bot.as_ref().map(|_| limits.clock));
    let add = |game| {
        figures.add(game);
        bar.set_position(if unit == "turns" { figures.turns } else { figures.games });
        let is_over = unit == "turns" && figures.turns >= arguments.turns;
        let is_over = is_over || figures.faults >= MAX_FAULTS;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    play_games(jobs, seeds.len(), || (), play, add)?;
    bar.finish_and_clear();
    Ok(figures)
}
