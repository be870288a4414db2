//! `judge check soak`: a large number of random turns, in none of which a fault may occur.
//!
//! A game is determined by its seed. Games run on all threads, and their [`figures`] are added in
//! the order of their seeds, so that two runs differ in their times only. Memory does not grow with
//! the games: only figures are kept, and the faults, few of which end the soak.
//!
//! [`arguments`] are the options; [`plan`] draws what is played, and [`game`] plays it and checks
//! every answer.

mod arguments;
mod figures;
mod game;
mod plan;

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use sapper::kit::text::pluralize;

use crate::cli::{Outcome, print_bot_report};
use crate::report::progress;
use crate::runner::bots::{BotCommand, keep_running_bot};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::system::LIMITS_NOTE;
use crate::runner::typed::typed_name;
use figures::{Fault, Figures, Report};
use game::Settings;

pub use arguments::Arguments;

/// The faults after which the soak ends.
const MAX_FAULTS: usize = 3;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = (arguments.processes > 0).then(|| keep_running_bot(arguments.bot.as_deref()));
    let bot = bot.transpose()?;
    bot.iter().try_for_each(BotCommand::check_start)?;
    let limits = arguments.limits.of(None, bot.as_ref().map_or("", |bot| &bot.program()[0]));
    let settings = Settings { arguments, limits, bot };
    let started = Instant::now();
    let figures = play_all(&settings)?;
    let interrupted = interrupt::is_requested();
    let seconds = started.elapsed().as_secs_f64();
    let stopped = figures.faults >= MAX_FAULTS;
    let report = Report { figures: &figures, seconds, stopped, interrupted };
    let text = || {
        let mut text = report.table().to_string();
        let (judge, options) = (typed_name(), arguments.options(&limits));
        for Fault { seed, turn, what, .. } in &figures.first_faults {
            let again = format!("{judge} check soak --seeds {seed}{options}");
            write!(text, "\nseed {seed}, turn {turn}: {what}; again: {again}").ok();
        }
        text
    };
    let note = LIMITS_NOTE.filter(|_| settings.bot.is_some());
    print_bot_report(arguments.json, note, || &report, text);
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
