//! `judge pit`: bots against each other on the same boards.
//!
//! Every bot plays every board, and a board counts when all have played it. Boards are counted in
//! the order of their seeds, whatever order the games end in: so a test that stops early stops at
//! the same board for any `--jobs`, and a run that was interrupted comes to the same totals.
//!
//! Nothing that a bot does ends the run: its game is lost, with the reason in the report.

mod arguments;
mod competitor;
mod journal;
mod ranking;
mod rows;
mod sprt;
mod tally;
mod view;

use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use sapper::base::text::pluralize;

use crate::bots::host::{self, NOT_STARTED, PlayedGame};
use crate::bots::interrupt;
use crate::bots::registry;
use crate::cli::Outcome;
use crate::cli::games::Games;
use crate::cli::output::{errln, outln};
use crate::results::ordered::in_order;
use crate::results::recorded_games;
use competitor::{Competitor, competitors};
use journal::{Game, Journal};
use rows::Rows;
use sprt::{Measure, Sprt, Verdict};
use tally::{Pair, Tally, clean_percent};
use view::View;

pub use arguments::Arguments;

/// Whether both are there and are one file, by whatever names.
fn same_file(a: Option<&Path>, b: Option<&Path>) -> bool {
    let file = |path: Option<&Path>| std::fs::metadata(path?).ok().map(|of| (of.dev(), of.ino()));
    a.is_some() && a == b || file(a).is_some() && file(a) == file(b)
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { games, .. } = arguments;
    games.check()?;
    let competitors = competitors(&arguments.bots, &arguments.languages, arguments.limits)?;
    if arguments.sprt.is_some() && competitors.len() != 2 {
        bail!("--sprt tests two bots; give --bot twice");
    }
    if same_file(arguments.csv.as_deref(), arguments.resume.as_deref()) {
        bail!("--csv and --resume name the same file; the table would take the journal's place");
    }
    let journal = match &arguments.resume {
        Some(path) => Some(Journal::open(path, games, &competitors)?),
        None => None,
    };
    competitors
        .iter()
        .try_for_each(|competitor| check_start(arguments, competitor, journal.as_ref()))?;
    let mut rows = arguments.csv.as_deref().map(Rows::start).transpose()?;
    for competitor in &competitors {
        if let Some(directory) = &arguments.log {
            recorded_games::make_directory(&directory.join(&competitor.name))?;
        }
    }
    let total = games.seeds.len() * competitors.len();
    let bar = Games::bar(total);
    let mut tallies: Vec<Tally> = competitors.iter().map(|_| Tally::new()).collect();
    let mut pairs = Pair::all(competitors.len(), games.mines);
    let mut sprt = arguments.sprt.map(|both| Sprt::new(both, arguments.alpha, arguments.beta));
    let (mut boards, mut resumed, mut board, mut interrupted) = (0, 0, Vec::new(), false);
    interrupt::defer_exit();
    let one = |number: usize| {
        let seed = games.seeds.get(number / competitors.len());
        one_game(arguments, &competitors[number % competitors.len()], seed, journal.as_ref())
    };
    in_order(games.jobs, total, one, |_, game: Result<Option<(Game, bool)>>| {
        let Some((game, known)) = game? else {
            interrupted = true;
            return Ok(ControlFlow::Break(()));
        };
        resumed += usize::from(known);
        bar.inc(1);
        board.push(game);
        if board.len() < competitors.len() {
            return Ok(ControlFlow::Continue(()));
        }
        rows.as_mut().map_or(Ok(()), |rows| rows.add(&board))?;
        tallies.iter_mut().zip(&board).for_each(|(tally, game)| tally.add(game));
        pairs.iter_mut().for_each(|pair| pair.add(&board));
        boards += 1;
        let decided = sprt.as_mut().is_some_and(|sprt| {
            sprt.add(gain(arguments, &board));
            sprt.verdict() != Verdict::Open
        });
        board.clear();
        Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    registry::sweep();
    bar.finish_and_clear();
    let view = View {
        arguments,
        competitors: &competitors,
        tallies: &tallies,
        pairs: &pairs,
        sprt: sprt.as_ref(),
        boards,
        resumed,
        interrupted,
    };
    if arguments.json {
        outln!("{}", view.json());
    } else if boards > 0 || !interrupted {
        crate::cli::output::write(&view.text());
    }
    if interrupted {
        let rest = match arguments.resume {
            Some(_) => "the same command goes on from here",
            None => "with --resume FILE a run goes on where it was interrupted",
        };
        errln!("interrupted after {}; {rest}", pluralize(boards, "board", "boards"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(tallies.iter().all(|tally| tally.faults.is_empty())))
}

/// How much better the second bot was on a board.
fn gain(arguments: &Arguments, board: &[Game]) -> f64 {
    let (a, b) = (&board[0], &board[1]);
    match arguments.sprt_on {
        Measure::Score => b.score - a.score,
        Measure::Mines => (b.score - a.score) * f64::from(arguments.games.mines) / 100.0,
        Measure::Clean => clean_percent(b) - clean_percent(a),
    }
}

/// Where a bot's games are written down.
fn directory(arguments: &Arguments, competitor: &Competitor) -> Option<PathBuf> {
    arguments.log.as_ref().map(|directory| directory.join(&competitor.name))
}

/// A game that need not be played: it is in the journal. A record that is asked for and missing is
/// played again.
fn known<'a>(
    arguments: &Arguments,
    competitor: &Competitor,
    seed: i32,
    journal: Option<&'a Journal>,
) -> Result<Option<&'a Game>> {
    let Some(game) = journal.and_then(|journal| journal.game(&competitor.name, seed)) else {
        return Ok(None);
    };
    let setup = arguments.games.setup(seed)?;
    let recorded = directory(arguments, competitor)
        .is_none_or(|directory| recorded_games::log_path(&directory, &setup).is_file());
    Ok(Some(game).filter(|_| recorded))
}

/// Refuses a bot that has games to play and cannot be started.
fn check_start(
    arguments: &Arguments,
    competitor: &Competitor,
    journal: Option<&Journal>,
) -> Result<()> {
    let seeds = arguments.games.seeds;
    for place in 0..seeds.len() {
        if known(arguments, competitor, seeds.get(place), journal)?.is_none() {
            return competitor.command.check_start();
        }
    }
    Ok(())
}

/// A game as it is in the journal, or played now, and whether it was in the journal; `None` where
/// the judge was told to end before the game did.
fn one_game(
    arguments: &Arguments,
    competitor: &Competitor,
    seed: i32,
    journal: Option<&Journal>,
) -> Result<Option<(Game, bool)>> {
    if interrupt::is_requested() {
        return Ok(None);
    }
    if let Some(game) = known(arguments, competitor, seed, journal)? {
        return Ok(Some((game.clone(), true)));
    }
    let setup = arguments.games.setup(seed)?;
    let played = host::play(&setup, &competitor.command, competitor.limits);
    if interrupt::is_requested() {
        return Ok(None);
    }
    let played = played?;
    if let Some(directory) = directory(arguments, competitor) {
        recorded_games::write_log(&directory, &setup, &played.record, &competitor.name)?;
    }
    let game = result(competitor, seed, played);
    // One that was not started says nothing of the bot: --resume plays it again.
    if let Some(journal) = journal
        && game.outcome != NOT_STARTED
    {
        journal.add(&game)?;
    }
    Ok(Some((game, false)))
}

fn result(competitor: &Competitor, seed: i32, played: PlayedGame) -> Game {
    let micros = |time: Duration| time.as_micros() as u64;
    let PlayedGame { outcome, score, hits, turns, stderr, .. } = played;
    Game {
        bot: competitor.name.clone(),
        seed,
        outcome: outcome.kind().to_owned(),
        reason: outcome.reason().map(crate::cli::output::escaped),
        stderr,
        score,
        mines: hits,
        wall: turns.iter().map(|turn| micros(turn.wall)).collect(),
        cpu: turns.iter().map(|turn| micros(turn.cpu)).collect(),
        memory: turns.iter().map(|turn| turn.memory_bytes).max().unwrap_or(0),
        left: turns.iter().map(|turn| turn.left_behind).sum(),
    }
}
