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
//! | [`journal`] | the results on file, for `--resume` |
//! | [`tally`] | the figures of each bot, and of each two bots |
//! | [`sprt`] | the sequential test |
//! | [`view`] | the report |

mod arguments;
mod journal;
mod sprt;
mod tally;
mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail};
use game::setup::Setup;
use sapper::kit::text::pluralize;

use crate::cli::repeat::game_options;
use crate::cli::{Competitor, Outcome, competitors, print_bot_report};
use crate::report::progress;
use crate::report::{CsvWriter, GameRow, Over, Tally, recorded_games, start_cost};
use crate::runner::bots::{BotCommand, GameResult, NOT_STARTED, host};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::setups::{GameSetups, Origin, mines_at_stake};
use crate::runner::system::LIMITS_NOTE;
use journal::Journal;
use sprt::Sprt;
use tally::Totals;
use view::{View, score_so_far};

pub use arguments::Arguments;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { bots, limits, run_file, .. } = arguments;
    let games = &arguments.games.games(arguments.skip_first.skipfirst)?;
    let mut competitors = competitors(bots, limits)?;
    competitors.iter_mut().for_each(|bot| bot.command.set_reused(arguments.games.reuse));
    if arguments.adjusted && matches!(games.origin(), Origin::File { .. }) {
        bail!(
            "--adjusted needs boards of seeds, of which all layouts are equally likely; omit \
             --adjusted or --boards"
        );
    }
    if arguments.sprt.is_some() && competitors.len() != 2 {
        bail!("--sprt tests two bots; give --bot twice");
    }
    // A bot without a file cannot be the one that a journal knows, and drops no journal.
    competitors.iter().map(|bot| &bot.command).try_for_each(BotCommand::check_start)?;
    // One of them may be a link to the other. Neither need exist.
    let file = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let (csv, resumed) = (arguments.csv.as_ref().map(file), run_file.resume.as_ref().map(file));
    if csv.is_some() && csv == resumed {
        bail!("--csv and --resume name the same file; name two files");
    }
    let journal = Journal::open(run_file, games, &competitors)?;
    let pit = Pit { arguments, games, competitors: &competitors, journal: journal.as_ref() };
    let over = Over { inputs: &[], force: arguments.over.force() };
    let mut csv = CsvWriter::create(arguments.csv.as_deref(), over, &GameRow::default())?;
    for competitor in &competitors {
        if let Some(directory) = pit.log_directory(competitor) {
            recorded_games::make_directory_for(games, &directory)?;
        }
    }
    let total = games.len() * competitors.len();
    let bar = progress::bar(total as u64, "games");
    let sprt = arguments.sprt.map(|hypotheses| {
        let Arguments { adjusted, alpha, beta, .. } = *arguments;
        Sprt::new(adjusted, hypotheses, alpha, beta)
    });
    let mut totals =
        Totals::new(competitors.len(), games.most_mines_at_stake(), arguments.adjusted, sprt);
    let (mut board, mut progress) = (Vec::new(), progress::SoFar::new("games"));
    let interrupted = play_games(
        arguments.games.jobs.count(Some(limits.turn.clock)),
        total,
        || (),
        |(), index| pit.game(index).transpose(),
        |(setup, game)| {
            bar.inc(1);
            if board.is_empty() && totals.boards > 0 {
                progress.show(&bar, || score_so_far(&competitors, &totals));
            }
            board.push(game);
            if board.len() < competitors.len() {
                return Ok(ControlFlow::Continue(()));
            }
            let options = || game_options(&setup) + &games.file_mark();
            board.iter().try_for_each(|game| csv.add(GameRow::of(game, options())))?;
            totals.add(&board, mines_at_stake(&setup));
            board.clear();
            Ok(if totals.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )?;
    bar.finish_and_clear();
    let start_cost = |(bot, tally): (&Competitor, &Tally)| match interrupted || arguments.json {
        true => None,
        false => start_cost(&bot.command, &tally.starts),
    };
    let start_costs = competitors.iter().zip(&totals.tallies).map(start_cost).collect();
    let view = View { games, competitors: &competitors, totals: &totals, start_costs, interrupted };
    if arguments.json || totals.boards > 0 || !interrupted {
        print_bot_report(arguments.json, LIMITS_NOTE, || view.report(), || view.text());
    }
    let boards = pluralize(totals.boards, "board", "boards");
    let after = format!(" after {boards}; {}", run_file.hint());
    Ok(Outcome::from(totals.is_faultless()).unless_interrupted(interrupted, &after))
}

/// A run.
struct Pit<'a> {
    arguments: &'a Arguments,
    games: &'a GameSetups,
    competitors: &'a [Competitor],
    journal: Option<&'a Journal>,
}

impl Pit<'_> {
    /// The directory of a bot's records, with `--log`.
    fn log_directory(&self, competitor: &Competitor) -> Option<PathBuf> {
        self.arguments.log.as_ref().map(|directory| directory.join(&competitor.name))
    }

    /// The result in the journal, unless the game has to be played again because `--log` asks for a
    /// record that is not on file, or whose file has another game.
    fn resumed(&self, competitor: &Competitor, setup: &Setup) -> Option<&GameResult> {
        let game = self.journal?.game(&competitor.name, setup.seed)?;
        let is_recorded = self
            .log_directory(competitor)
            .is_none_or(|log| recorded_games::is_on_file(&log, setup, &game.bot, game.score));
        is_recorded.then_some(game)
    }

    /// Game `index`, from the journal or played now: the games of the first board, one of each bot,
    /// then those of the second. `None` if the judge was interrupted before its end.
    fn game(&self, index: usize) -> Result<Option<(Setup, GameResult)>> {
        let bots = self.competitors.len();
        let competitor = &self.competitors[index % bots];
        let setup = self.games.setup(index / bots)?;
        if let Some(game) = self.resumed(competitor, &setup) {
            let game = game.clone();
            return Ok(Some((setup, game)));
        }
        let Competitor { name, command, limits, .. } = competitor;
        let play = || host::play(&setup, name, command, *limits);
        let played = interrupt::unless_requested(play).transpose()?;
        let Some((result, record)) = played else { return Ok(None) };
        if let Some(directory) = self.log_directory(competitor) {
            recorded_games::write_log(&directory, &setup, &record, name)?;
        }
        // A bot that could not be started was not tested: --resume plays the game again.
        if let Some(journal) = self.journal
            && result.outcome != NOT_STARTED
        {
            journal.add(&result)?;
        }
        Ok(Some((setup, result)))
    }
}
