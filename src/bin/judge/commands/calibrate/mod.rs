//! `judge calibrate`: compares the mine probabilities of guesses with what the cells held.
//!
//! Unit tests compare the odds with enumeration, which is limited to small positions. This command
//! compares them with the boards themselves, in positions of any size: of the guesses with
//! probability p, a share of about p has to hit a mine. `tally.rs` has the statistics.
//!
//! Invariant: games are counted in the order of their boards, and the run ends after the same game
//! for any number of threads. No game is kept, so memory does not grow with the run.

mod tally;
mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::text::pluralize;
use sapper::bot::engine::{Engine, Step};
use sapper::referee::board_file::Layout;
use sapper::referee::simulate::play;

use crate::cli::Outcome;
use crate::cli::boards::Boards;
use crate::cli::level::{Level, RuleName};
use crate::cli::output::{errln, outln, write};
use crate::cli::parse::RowColumn;
use crate::cli::seeds::Seeds;
use crate::cli::strength::Strength;
use crate::results::engine_games::EngineGames;
use crate::results::report::setting::Setting;
use tally::{GameGuesses, Tally};

/// Compare the odds of guesses with the mines that they hit.
///
/// Plays games in process and sorts every guess into one of 20 bins by its odds, its probability of
/// a mine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge calibrate
  judge calibrate --level 30x16/99 --rule open-first --first 3,3 \\
      --guesses 20000 --csv bins.csv
  judge calibrate --level botzone --games 1000 --seed 5000 --json
  judge calibrate --boards samples/boards/expert-safe-first.txt \\
      --rule safe-first

The boards are those of the seeds S, S+1, ... as in `judge bench --level`. The run ends after the
game with the last requested guess, and at the latest after 100 games per requested guess. It also
ends, with exit code 2, after 10,000 games without a guess. Guesses with approximate odds are
counted and left out. The output depends on the arguments only, and not on --jobs.

The check: given all that came before it, a guess of odds p hits a mine with probability p. So in
each bin (mines - sum of p)^2 / sum of p(1-p) has nearly a chi-square distribution with one degree
of freedom, and their sum over the bins has one with as many degrees as bins. A bin whose p(1-p) sum
to less than 25 is merged with the next. The check fails if exact odds give a sum of this size or
more in fewer than 1 of 1,000 runs, which is also the rate of false alarms.

--csv writes `from,to,guesses,mines,predicted,observed,low,high,z`, one line per bin; low and high
are the 95 % Wilson interval of the observed share.

Exit code: 0, 1 when the check fails or a cell that was proven safe held a mine, 2 for bad
input.")]
pub struct Arguments {
    /// beginner (9x9/10), intermediate (16x16/40), expert (30x16/99), botzone (30x20/80), or
    /// WIDTHxHEIGHT/MINES
    #[arg(long, default_value = "expert")]
    level: Level,
    /// Read the boards from a file instead, plain or .gz, one per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "first", "seed"])]
    boards: Option<PathBuf>,
    /// Rules of play
    #[arg(long, value_enum, default_value = "botzone")]
    rule: RuleName,
    #[command(flatten)]
    strength: Strength,
    /// First cell under safe-first and open-first, counted from 0 [default: 0,0]
    #[arg(long, value_name = "R,C")]
    first: Option<RowColumn>,
    /// Seed of the first board
    #[arg(long, value_name = "S", default_value_t = 1, allow_hyphen_values = true)]
    seed: i32,
    /// Play until there are N guesses
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    guesses: u64,
    /// Play N games instead
    #[arg(long, value_name = "N", conflicts_with = "guesses")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Number of threads; all cores if omitted
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write the bins to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The most games per requested guess: on boards without guesses the run would not end.
const MAX_GAMES_PER_GUESS: u64 = 100;
/// A run without any guess ends after this many games.
const MAX_GAMES_WITHOUT_GUESS: u64 = 10_000;

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
        view::write_csv(path, &tally)?;
    }
    if arguments.json {
        let setting = Setting::new(&boards, arguments.rule, &arguments.strength);
        outln!("{}", view::json(&tally, check.as_ref(), &setting));
    } else {
        write(&view::text(&tally, check.as_ref()));
    }
    if tally.false_proofs > 0 {
        errln!(
            "{}: a proven cell was the opposite, or a valid board was called impossible; this is a \
             bug",
            pluralize(tally.false_proofs, "false proof", "false proofs")
        );
    }
    let check_fails = check.is_some_and(|check| check.fails());
    Ok(Outcome::from(!check_fails && tally.false_proofs == 0))
}

fn boards(arguments: &Arguments) -> Result<Boards> {
    let Arguments { level, rule, first, seed, guesses, games, .. } = *arguments;
    if let Some(path) = &arguments.boards {
        return Boards::from_file(path, rule, 0, games.map(u64::from));
    }
    let max_games = games.map_or(guesses.saturating_mul(MAX_GAMES_PER_GUESS), u64::from);
    // There are fewer than 2^33 seeds; the sum stays within 64 bits.
    let last = i64::from(seed) + max_games.min(1 << 33) as i64 - 1;
    match i32::try_from(last) {
        Ok(last) => Boards::from_seeds(level, rule, first, Seeds { first: seed, last }),
        Err(_) if games.is_some() => {
            bail!("--seed and --games: seeds end at {}; give a smaller --seed", i32::MAX)
        }
        Err(_) => Boards::from_seeds(level, rule, first, Seeds { first: seed, last: i32::MAX }),
    }
}

fn play_all(arguments: &Arguments, boards: &Boards) -> Result<Tally> {
    let rule = arguments.rule;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}")?;
    // A file may end before the last requested guess, so its progress is shown in games too.
    let counts_games = arguments.games.is_some() || arguments.boards.is_some();
    let (len, unit) =
        if counts_games { (boards.len(), "games") } else { (arguments.guesses, "guesses") };
    let bar = ProgressBar::new(len).with_style(style).with_message(unit);
    let play_board = |engine: &mut Engine, _, layout: &Layout| play_game(engine, rule, layout);
    let mut tally = Tally::default();
    let games = EngineGames { jobs: arguments.jobs, strength: &arguments.strength, rule };
    games.play(boards, play_board, |game| {
        tally.add(&game);
        bar.set_position(if counts_games { tally.games } else { tally.guesses() });
        let has_enough = arguments.games.is_none() && tally.guesses() >= arguments.guesses;
        let is_hopeless = tally.guesses() == 0 && tally.games >= MAX_GAMES_WITHOUT_GUESS;
        let is_over = has_enough || is_hopeless;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    bar.finish_and_clear();
    Ok(tally)
}

/// Plays one game and collects its guesses.
fn play_game(engine: &mut Engine, rule: RuleName, layout: &Layout) -> GameGuesses {
    let mut game = GameGuesses::default();
    let trial = play(layout, rule.rule(), engine, |_, decision, hit| match decision.by {
        Step::Guess | Step::Endgame if decision.approximate > 0 => game.approximate += 1,
        Step::Guess | Step::Endgame => game.add(decision.odds, hit),
        Step::Rough => game.false_proofs += 1,
        Step::Deduction | Step::Counting => {}
    });
    let proofs = Step::ALL.into_iter().filter(|step| step.is_proof());
    game.false_proofs += proofs.map(|step| trial.by_step[step as usize].1).sum::<u32>();
    game
}
