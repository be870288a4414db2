//! `judge calibrate`: whether a guess said to be a mine one time in five is a mine one time in
//! five.
//!
//! Tests hold the odds against enumeration where it can be done. This holds them, in positions of
//! any size, against what lay under the cells, which knows nothing of any solver.
//!
//! Invariant: games are taken in the order of their boards, and the run ends after the same game
//! whatever the number of threads. No game is kept, so memory does not grow with the run.

mod tally;
mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::text::pluralize;
use sapper::bot::engine::{Engine, Step};
use sapper::referee::board_file::Layout;
use sapper::referee::simulate::play;

use crate::cli::Outcome;
use crate::cli::boards::{Boards, FirstCell};
use crate::cli::level::{Level, RuleName};
use crate::cli::output::{errln, outln, write};
use crate::cli::seeds::Seeds;
use crate::cli::strength::Strength;
use crate::results::engine_games::EngineGames;
use crate::results::report::setting::Setting;
use tally::{Game, Tally};

/// Compare the odds of the guesses with what lay under the cells.
///
/// Plays games in process and sorts every guess by its odds into 20 bins.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge calibrate
  judge calibrate --level 30x16/99 --rule open-first --first 3,3 \\
      --guesses 20000 --csv bins.csv
  judge calibrate --level botzone --games 1000 --seed 5000 --json
  judge calibrate --boards samples/boards/expert-safe-first.txt \\
      --rule safe-first

Boards are laid from the seeds S, S+1, ... as `judge bench --level` lays them. The run ends
after the game with the last guess asked for, but no later than 100 games for each of these.
10,000 games without any guess end it too, with exit code 2.
Guesses whose odds are approximate are counted and left out. The same arguments give the same
output, whatever --jobs.

The check: given all that came before it, a guess of odds p hits a mine with chance p. So over
the guesses of a bin (mines - sum of p)^2 / sum of p(1-p) is nearly a chi-square of one degree
of freedom, and over all bins their sum one of as many degrees as bins; a bin whose p(1-p) sum
to less than 25 is counted with the next. It fails when that sum is as large as exact odds give
it once in 1,000 runs: that is the rate of false alarms.

--csv writes `from,to,guesses,mines,predicted,observed,low,high,z`, a line a bin; low and high
are the 95 % interval of what was observed (Wilson).

Exit code: 0, 1 when the check fails or a cell that was proven safe held a mine, 2 for bad
input.")]
pub struct Arguments {
    /// beginner (9x9/10), intermediate (16x16/40), expert (30x16/99), botzone (30x20/80), or
    /// WIDTHxHEIGHT/MINES
    #[arg(long, default_value = "expert")]
    level: Level,
    /// Take the boards from a file instead, plain or .gz, a board a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "first", "seed"])]
    boards: Option<PathBuf>,
    /// Rules of play
    #[arg(long, value_enum, default_value = "botzone")]
    rule: RuleName,
    #[command(flatten)]
    strength: Strength,
    /// The first cell under safe-first and open-first, from 0 [default: 0,0]
    #[arg(long, value_name = "R,C")]
    first: Option<FirstCell>,
    /// Seed of the first board
    #[arg(long, value_name = "S", default_value_t = 1, allow_hyphen_values = true)]
    seed: i32,
    /// Play until there are so many guesses
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    guesses: u64,
    /// Play so many games instead
    #[arg(long, value_name = "N", conflicts_with = "guesses", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write the bins
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Boards that need no guess would be played for ever.
const GAMES_PER_GUESS: u64 = 100;
/// So many games without a guess are reason to stop.
const GAMES_WITHOUT: u64 = 10_000;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let boards = boards(arguments)?;
    let tally = play_all(arguments, &boards)?;
    if tally.guesses() == 0 {
        bail!(
            "no guess with exact odds in {}, so that there is nothing to compare; give more games, \
             or a level that needs guesses",
            pluralize(tally.games, "game", "games")
        );
    }
    let check = tally.check();
    if let Some(path) = &arguments.csv {
        std::fs::write(path, view::csv(&tally))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if arguments.json {
        let setting = Setting::new(&boards, arguments.rule, &arguments.strength);
        outln!("{}", view::json(&tally, check.as_ref(), &setting));
    } else {
        write(&view::text(&tally, check.as_ref()));
    }
    if tally.false_proofs > 0 {
        errln!(
            "{} a true board was called impossible or a proven cell was the opposite: this is a bug",
            pluralize(tally.false_proofs, "time", "times")
        );
    }
    let off = check.is_some_and(|check| check.fails());
    Ok(Outcome::from(!off && tally.false_proofs == 0))
}

fn boards(arguments: &Arguments) -> Result<Boards> {
    let Arguments { level, rule, first, seed, guesses, games, .. } = *arguments;
    if let Some(path) = &arguments.boards {
        return Boards::from_file(path, rule, 0, games.map(u64::from));
    }
    let most = games.map_or(guesses.saturating_mul(GAMES_PER_GUESS), u64::from);
    let last = (i64::from(seed)).saturating_add(most.min(1 << 33) as i64 - 1);
    match i32::try_from(last) {
        Ok(last) => Boards::from_seeds(level, rule, first, Seeds { first: seed, last }),
        Err(_) if games.is_some() => bail!("--seed and --games: seeds end at {}", i32::MAX),
        Err(_) => {
            let seeds = Seeds { first: seed, last: i32::MAX };
            Boards::from_seeds(level, rule, first, seeds)
        }
    }
}

fn play_all(arguments: &Arguments, boards: &Boards) -> Result<Tally> {
    let rule = arguments.rule;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}")?;
    // A file is played to its end as well, where that comes before the last guess.
    let by_games = arguments.games.is_some() || arguments.boards.is_some();
    let (len, unit) =
        if by_games { (boards.len(), "games") } else { (arguments.guesses, "guesses") };
    let bar = ProgressBar::new(len).with_style(style).with_message(unit);
    let enough = |tally: &Tally| arguments.games.is_none() && tally.guesses() >= arguments.guesses;
    let one = |engine: &mut Engine, _, layout: &Layout| {
        let mut game = Game::default();
        let trial = play(layout, rule.rule(), engine, |_, decision, hit| match decision.by {
            Step::Guess | Step::Endgame if decision.approximate > 0 => game.approximate += 1,
            Step::Guess | Step::Endgame => game.add(decision.odds, hit),
            Step::Rough => game.false_proofs += 1,
            Step::Deduction | Step::Counting => {}
        });
        let proven = Step::ALL.into_iter().filter(|step| step.is_proof());
        game.false_proofs += proven.map(|step| trial.by_step[step as usize].1).sum::<u32>();
        game
    };
    let mut tally = Tally::default();
    let games = EngineGames { jobs: arguments.jobs, strength: &arguments.strength, rule };
    games.play(boards, one, |game| {
        tally.add(&game);
        bar.set_position(if by_games { tally.games } else { tally.guesses() });
        let hopeless = tally.guesses() == 0 && tally.games >= GAMES_WITHOUT;
        let over = enough(&tally) || hopeless;
        Ok(if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    bar.finish_and_clear();
    Ok(tally)
}
