//! `judge pit`: bots against each other on the same boards.
//!
//! Every bot plays every board, and a board counts when all bots have played it. Invariant: boards
//! are added to the totals in the order of their seeds, whatever order the games end in. So a
//! sequential test stops at the same board for any `--jobs`, and a run that is interrupted and
//! continued has the same totals as one that is not.
//!
//! A fault of a bot loses its game and does not end the run.
//!
//! | file | holds |
//! |---|---|
//! | [`arguments`] | the options and the help |
//! | [`competitor`] | the bots: names, commands, limits |
//! | [`journal`] | the results on file, for `--resume` |
//! | [`tally`] | the figures of each bot, and of each two bots |
//! | [`sprt`] | the sequential test |
//! | [`view`] | the report, and the results as CSV |

mod arguments;
mod competitor;
mod journal;
mod sprt;
mod tally;
mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use sapper::base::text::pluralize;

use crate::bots::fault::{Fault, NOT_STARTED};
use crate::bots::host::{self, PlayedGame};
use crate::bots::interrupt;
use crate::bots::registry;
use crate::cli::output::{errln, outln};
use crate::cli::{Outcome, output, progress};
use crate::results::csv_writer::CsvWriter;
use crate::results::ordered::in_order;
use crate::results::recorded_games;
use competitor::{Competitor, competitors};
use journal::{GameResult, Journal};
use sprt::Sprt;
use tally::Totals;
use view::View;

pub use arguments::Arguments;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { games, .. } = arguments;
    games.check()?;
    let competitors = competitors(&arguments.bots, &arguments.languages, arguments.limits)?;
    if arguments.sprt.is_some() && competitors.len() != 2 {
        bail!("--sprt tests two bots; give --bot twice");
    }
    let journal = match &arguments.resume {
        Some(path) => Some(Journal::open(path, games, &competitors)?),
        None => None,
    };
    // Both exist if they are the same file.
    let file = |path: &Option<PathBuf>| path.as_ref().and_then(|path| path.canonicalize().ok());
    if file(&arguments.csv).is_some_and(|csv| Some(csv) == file(&arguments.resume)) {
        bail!("--csv and --resume name the same file; name two files");
    }
    let pit = Pit { arguments, competitors: &competitors, journal: journal.as_ref() };
    competitors.iter().try_for_each(|competitor| pit.check_start(competitor))?;
    let csv = arguments.csv.as_deref();
    let mut csv = csv.map(|path| CsvWriter::create(path, view::CSV_COLUMNS)).transpose()?;
    for competitor in &competitors {
        if let Some(directory) = pit.log_directory(competitor) {
            recorded_games::make_directory(&directory)?;
        }
    }
    let total = games.seeds.len() * competitors.len();
    let bar = progress::bar(total as u64, "games");
    let sprt = arguments.sprt.map(|hypotheses| {
        Sprt::new(arguments.sprt_on, hypotheses, arguments.alpha, arguments.beta)
    });
    let mut totals = Totals::new(competitors.len(), games.mines, sprt);
    let (mut board, mut interrupted) = (Vec::new(), false);
    interrupt::defer_exit();
    in_order(
        games.jobs,
        total,
        |index| pit.game(index),
        |_, game| {
            let Some(game) = game? else {
                interrupted = true;
                return Ok(ControlFlow::Break(()));
            };
            bar.inc(1);
            board.push(game);
            if board.len() < competitors.len() {
                return Ok(ControlFlow::Continue(()));
            }
            if let Some(csv) = &mut csv {
                board.iter().try_for_each(|game| csv.add(view::csv_row(game)))?;
                csv.flush()?;
            }
            totals.add(&board);
            board.clear();
            Ok(if totals.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )?;
    registry::sweep();
    bar.finish_and_clear();
    let view = View { arguments, competitors: &competitors, totals: &totals, interrupted };
    if arguments.json {
        outln!("{}", view.json());
    } else if totals.boards > 0 || !interrupted {
        output::write(&view.text());
    }
    if interrupted {
        let hint = match arguments.resume {
            Some(_) => "the same command continues from here",
            None => "with --resume FILE an interrupted run can be continued",
        };
        errln!("interrupted after {}; {hint}", pluralize(totals.boards, "board", "boards"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(totals.is_faultless()))
}

/// A run.
struct Pit<'a> {
    arguments: &'a Arguments,
    competitors: &'a [Competitor],
    journal: Option<&'a Journal>,
}

impl Pit<'_> {
    /// The directory of a bot's records, with `--log`.
    fn log_directory(&self, competitor: &Competitor) -> Option<PathBuf> {
        self.arguments.log.as_ref().map(|directory| directory.join(&competitor.name))
    }

    /// The result in the journal, unless the game has to be played again because `--log` asks for a
    /// record that is not on file.
    fn resumed(&self, competitor: &Competitor, seed: i32) -> Result<Option<&GameResult>> {
        let Some(game) = self.journal.and_then(|journal| journal.game(&competitor.name, seed))
        else {
            return Ok(None);
        };
        let setup = self.arguments.games.setup(seed)?;
        let is_recorded = self
            .log_directory(competitor)
            .is_none_or(|directory| recorded_games::log_path(&directory, &setup).is_file());
        Ok(is_recorded.then_some(game))
    }

    /// Checks that a bot can be started, if it has games to play.
    fn check_start(&self, competitor: &Competitor) -> Result<()> {
        let seeds = self.arguments.games.seeds;
        for index in 0..seeds.len() {
            if self.resumed(competitor, seeds.get(index))?.is_none() {
                return competitor.command.check_start();
            }
        }
        Ok(())
    }

    /// Game `index`, from the journal or played now: the games of the first board, one of each bot,
    /// then those of the second. `None` if the judge was interrupted before its end.
    fn game(&self, index: usize) -> Result<Option<GameResult>> {
        if interrupt::is_requested() {
            return Ok(None);
        }
        let bots = self.competitors.len();
        let competitor = &self.competitors[index % bots];
        let seed = self.arguments.games.seeds.get(index / bots);
        if let Some(game) = self.resumed(competitor, seed)? {
            return Ok(Some(game.clone()));
        }
        let setup = self.arguments.games.setup(seed)?;
        let played = host::play(&setup, &competitor.command, competitor.limits);
        // The interrupt may have cut this game off.
        if interrupt::is_requested() {
            return Ok(None);
        }
        let played = played?;
        if let Some(directory) = self.log_directory(competitor) {
            recorded_games::write_log(&directory, &setup, &played.record, &competitor.name)?;
        }
        let result = result(competitor, seed, played);
        // A bot that could not be started was not tested: --resume plays the game again.
        if let Some(journal) = self.journal
            && result.outcome != NOT_STARTED
        {
            journal.add(&result)?;
        }
        Ok(Some(result))
    }
}

fn result(competitor: &Competitor, seed: i32, played: PlayedGame) -> GameResult {
    let micros = |time: Duration| time.as_micros() as u64;
    let outcome = played.outcome().to_owned();
    let PlayedGame { fault, score, hits, turns, stderr, .. } = played;
    GameResult {
        bot: competitor.name.clone(),
        seed,
        outcome,
        reason: fault.as_ref().and_then(Fault::reason).map(output::escaped),
        stderr,
        score,
        mines: hits,
        wall_micros: turns.iter().map(|turn| micros(turn.wall)).collect(),
        cpu_micros: turns.iter().map(|turn| micros(turn.cpu)).collect(),
        peak_bytes: turns.iter().map(|turn| turn.memory_bytes).max().unwrap_or(0),
        left_behind: turns.iter().map(|turn| turn.left_behind).sum(),
        is_resumed: false,
    }
}
