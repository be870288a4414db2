//! `judge calibrate`: compares the mine probabilities of guesses with what the cells held.
//!
//! Unit tests compare the odds with enumeration, which is limited to small positions. This command
//! compares them with the boards themselves, in positions of any size: of the guesses with
//! probability p, a share of about p has to hit a mine. [`GuessBins`] has the statistics.
//!
//! Invariant: games are counted in the order of their boards, and the run ends after the same game
//! for any number of threads. No game is kept, so memory does not grow with the run.

mod chance;
mod view;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use game::board_file::Layout;
use game::rule::Rule;
use game::simulate::play;
use sapper::kit::text::pluralize;
use sapper::{Engine, Objective, Step};

use crate::cli::{
    BoardOptions, ForceOption, Outcome, SEEDS_UNTIL_ENOUGH, parse_count, print_report,
};
use crate::report::guess_bins::GuessBins;
use crate::report::{Over, progress};
use crate::runner::boards::Boards;
use crate::runner::games::{play_boards, play_games};
use crate::runner::interrupt;
use crate::runner::messages::errln;
use chance::ChanceTeller;
use view::Report;

/// Compare the odds of guesses with the mines that they hit.
///
/// Plays games in process, and sorts every guess by its odds (its probability of a mine) into one
/// of 20 bins. The check fails if a bin holds more or fewer mines than chance allows. With --chance
/// it is the chance to win that is compared with how the games end.
#[derive(clap::Args)]
#[command(mut_arg("seeds", |option| option.help(SEEDS_UNTIL_ENOUGH)))]
#[command(after_help = "\
Examples:
  judge calibrate
  judge calibrate --level expert --rule open-first --first 3,3 --csv bins.csv
  judge calibrate --level botzone --seeds 5000..5999 --json
  judge calibrate --boards boards.txt --rule safe-first
  judge calibrate --chance 200 --level expert --rule safe-first --effort fast
  judge calibrate --chance 200 --cells 8 --level expert --rule safe-first

Exit code: 0, 1 when the check fails or a cell that was proven safe held a mine, 2 for bad
input, 130 interrupted.")]
pub struct Arguments {
    #[command(flatten)]
    boards: BoardOptions,
    /// Number of guesses, or positions, after which no game is started [default: 100000, with
    /// --chance 5000]
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>)]
    guesses: Option<u64>,
    /// Compare the chance to win instead, told by N playouts at positions of the games
    #[arg(long, value_name = "N", value_parser = parse_count::<u32>, conflicts_with = "csv")]
    chance: Option<u32>,
    /// Cells of a guess whose chances to win are told, the move among them; above 1, the guesses
    /// are counted at which another cell is ahead of the move
    #[arg(long, value_name = "N", value_parser = parse_count::<u32>, default_value_t = 1)]
    #[arg(requires = "chance")]
    cells: u32,
    /// Write a row for each bin to FILE
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A run without any guess ends after this many games.
const MAX_GAMES_WITHOUT_GUESS: u64 = 10_000;

/// The guesses of a run, and the positions of one with `--chance`, unless asked otherwise.
const GUESSES: u64 = 100_000;
const POSITIONS: u64 = 5_000;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let options = &arguments.boards;
    let boards = options.boards(options.seeds.until_enough())?;
    if let Some(playouts) = arguments.chance {
        return run_chances(arguments, &boards, playouts);
    }
    let inputs: Vec<&Path> = arguments.boards.file.path().into_iter().collect();
    let over = Over { inputs: &inputs, force: arguments.over.force() };
    let csv = Report::create_csv(arguments.csv.as_deref(), over)?;
    let (tally, interrupted) = play_all(arguments, &boards)?;
    if tally.guesses() == 0 && !interrupted {
        bail!(
            "no guess with exact odds in {}, so that there is nothing to compare; give more games, \
             or a level that needs guesses",
            pluralize(tally.games, "game", "games")
        );
    }
    let report = Report::of(&tally, options.setting(&boards, false));
    report.write_csv(csv)?;
    print_report(arguments.json, || &report, || report.text());
    if tally.false_proofs > 0 {
        errln!(
            "{}: a proven cell was the opposite, or a valid board was called impossible; this is a \
             bug",
            pluralize(tally.false_proofs, "false proof", "false proofs")
        );
    }
    let guesses = pluralize(tally.guesses(), "guess", "guesses");
    let after = format!(" after {} with {guesses}", pluralize(tally.games, "game", "games"));
    Ok(Outcome::from(!report.fails()).unless_interrupted(interrupted, &after))
}

/// Compares the chances to win with how the games end.
fn run_chances(arguments: &Arguments, boards: &Boards, playouts: u32) -> Result<Outcome> {
    let options = &arguments.boards;
    let (effort, objective) = options.strength.effort_and_objective(options.rule());
    ensure!(
        options.strength.effort() == effort.to_string() && objective == Objective::CleanWin,
        "--chance is of games that are won or lost by the whole engine: give --rule safe-first or \
         open-first, and no --without"
    );
    let positions = arguments.guesses.unwrap_or(POSITIONS);
    let bar = progress::bar(positions, "positions");
    let (mut told, mut games) = (Vec::new(), 0);
    let (rule, cells) = (options.rule(), arguments.cells);
    let init = || ChanceTeller::new(objective, effort, rule, playouts as usize, cells as usize);
    let play = |teller: &mut ChanceTeller, position| {
        interrupt::unless_requested(|| {
            let (index, layout) = boards.board(position)?;
            Ok(teller.play(index, &layout))
        })
    };
    let (threads, len) = (options.jobs.count(None), boards.len() as usize);
    let interrupted = play_games(threads, len, init, play, |game| {
        games += 1;
        told.extend(game);
        bar.set_position(told.len() as u64);
        let is_over = told.len() as u64 >= positions;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    bar.finish_and_clear();
    let report = chance::Report::of(&told, games, playouts, cells, options.setting(boards, false));
    print_report(arguments.json, || &report, || report.text());
    let after = format!(" after {}", pluralize(games, "game", "games"));
    Ok(Outcome::from(!report.fails()).unless_interrupted(interrupted, &after))
}

/// Plays the games. Also returns whether it was interrupted.
fn play_all(arguments: &Arguments, boards: &Boards) -> Result<(GuessBins, bool)> {
    let (options, guesses) = (&arguments.boards, arguments.guesses.unwrap_or(GUESSES));
    let bar = progress::bar(guesses, "guesses");
    let rule = options.rule();
    let play_board = |engine: &mut Engine, _, layout: &Layout| play_game(engine, rule, layout);
    let mut tally = GuessBins::default();
    let (threads, engine) = (options.jobs.count(None), || options.engine());
    let interrupted = play_boards(threads, boards, engine, play_board, |game| {
        tally.merge(&game);
        let found = tally.guesses();
        bar.set_position(found);
        let is_hopeless = found == 0 && tally.games >= MAX_GAMES_WITHOUT_GUESS;
        let is_over = found >= guesses || is_hopeless;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    bar.finish_and_clear();
    Ok((tally, interrupted))
}

/// Plays one game and collects its guesses.
fn play_game(engine: &mut Engine, rule: Rule, layout: &Layout) -> GuessBins {
    let mut game = GuessBins::default();
    game.games = 1;
    let trial = play(layout, rule, engine, |_, decision, hit| match decision.by {
        Step::Guess | Step::Endgame if decision.approximate > 0 => game.approximate += 1,
        Step::Guess | Step::Endgame => game.add(decision.odds, hit),
        Step::Rough => game.false_proofs += 1,
        Step::Deduction | Step::Counting => {}
    });
    let proofs = Step::ALL.into_iter().filter(|step| step.is_proof());
    game.false_proofs += proofs.map(|step| u64::from(trial.by_step[step as usize].1)).sum::<u64>();
    game
}
