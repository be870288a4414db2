//! `judge calibrate`: compares the mine probabilities of guesses with what the cells held.
//!
//! Unit tests compare the odds with enumeration, which is limited to small positions. This command
//! compares them with the boards themselves, in positions of any size: of the guesses with
//! probability p, a share of about p has to hit a mine. [`GuessBins`] has the statistics.
//!
//! Invariant: games are counted in the order of their boards, and the run ends after the same game
//! for any number of threads. No game is kept, so memory does not grow with the run.

mod view;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use game::board_file::Layout;
use game::rule::Rule;
use game::simulate::play;
use sapper::kit::text::pluralize;
use sapper::{Engine, Step};

use crate::cli::{
    BoardOptions, ForceOption, Outcome, SEEDS_UNTIL_ENOUGH, parse_count, print_report,
};
use crate::report::guess_bins::GuessBins;
use crate::report::{Over, progress};
use crate::runner::boards::Boards;
use crate::runner::games::play_boards;
use crate::runner::messages::errln;
use view::Report;

/// Compare the odds of guesses with the mines that they hit.
///
/// Plays games in process, and sorts every guess by its odds (its probability of a mine) into one
/// of 20 bins. The check fails if a bin holds more or fewer mines than chance allows.
#[derive(clap::Args)]
#[command(mut_arg("seeds", |option| option.help(SEEDS_UNTIL_ENOUGH)))]
#[command(after_help = "\
Examples:
  judge calibrate
  judge calibrate --level expert --rule open-first --first 3,3 --csv bins.csv
  judge calibrate --level botzone --seeds 5000..5999 --json
  judge calibrate --boards boards.txt --rule safe-first

Exit code: 0, 1 when the check fails or a cell that was proven safe held a mine, 2 for bad
input, 130 interrupted.")]
pub struct Arguments {
    #[command(flatten)]
    boards: BoardOptions,
    /// Number of guesses after which no game is started
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = parse_count::<u64>)]
    guesses: u64,
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

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let options = &arguments.boards;
    let boards = options.boards(options.seeds.until_enough())?;
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

/// Plays the games. Also returns whether it was interrupted.
fn play_all(arguments: &Arguments, boards: &Boards) -> Result<(GuessBins, bool)> {
    let Arguments { boards: options, guesses, .. } = arguments;
    let bar = progress::bar(*guesses, "guesses");
    let rule = options.rule();
    let play_board = |engine: &mut Engine, _, layout: &Layout| play_game(engine, rule, layout);
    let mut tally = GuessBins::default();
    let (threads, engine) = (options.jobs.count(None), || options.engine());
    let interrupted = play_boards(threads, boards, engine, play_board, |game| {
        tally.merge(&game);
        let found = tally.guesses();
        bar.set_position(found);
        let is_hopeless = found == 0 && tally.games >= MAX_GAMES_WITHOUT_GUESS;
        let is_over = found >= *guesses || is_hopeless;
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
