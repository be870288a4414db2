//! The games whose decisions are judged: played by a bot, or read from files.
//!
//! Invariant: all games have one rule. Files are checked before the first game is judged.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sapper::base::text::pluralize;
use sapper::referee::record::Record;
use sapper::referee::setup::Setup;
use serde::Serialize;

use super::Arguments;
use crate::bots::command::BotCommand;
use crate::bots::fault_report::FaultReport;
use crate::bots::game_result::GameResult;
use crate::bots::host::{self, PlayedGame};
use crate::cli::games::Games;
use crate::cli::level::RuleName;
use crate::cli::limits::{Clock, Limits};
use crate::cli::parse::option_name;
use crate::cli::position::read_game;
use crate::cli::seeds::Seeds;
use crate::results::recorded_games::{log_path, make_directory_for, write_log};

/// Where games come from.
pub enum Source<'a> {
    Files { files: Vec<GameFile<'a>>, rule: RuleName },
    Bot { bot: BotCommand, games: Games, limits: Limits, log: Option<&'a PathBuf> },
}

/// A file of a game.
pub struct GameFile<'a> {
    path: &'a Path,
    /// The game, where the file cannot be read again: standard input, or a pipe.
    record: Option<Record>,
}

impl GameFile<'_> {
    fn read(&self) -> Result<Record> {
        self.record.clone().map_or_else(|| read_game(self.path), Ok)
    }
}

/// A game, before its decisions are judged.
pub struct Played {
    /// The file, or the seed.
    pub name: String,
    pub record: Record,
    /// The fault that ended the game.
    pub fault: Option<BotFault>,
}

/// A fault of a bot, as `judge play` reports it.
#[derive(Serialize)]
pub struct BotFault {
    pub seed: i32,
    /// The name of the fault.
    pub outcome: String,
    /// The name with the reason.
    #[serde(skip)]
    pub text: String,
    #[serde(flatten)]
    pub report: FaultReport,
}

impl BotFault {
    /// The fault of a game, if it had one.
    fn of(
        setup: &Setup,
        played: &PlayedGame,
        bot: &str,
        games: &Games,
        limits: &Limits,
    ) -> Option<BotFault> {
        let game = GameResult::new(bot, setup.seed, played);
        let report = FaultReport::of(&game, Some(bot), games, limits)?;
        let text = game.outcome_text();
        Some(BotFault { seed: game.seed, outcome: game.outcome, text, report })
    }
}

impl<'a> Source<'a> {
    /// The source that the options name.
    ///
    /// # Errors
    /// Fails if a file is no game, or one of another rule, or if the bot cannot be started.
    pub fn of(arguments: &'a Arguments) -> Result<Source<'a>> {
        let Some(line) = &arguments.bot else {
            let (files, asked) = (&arguments.recorded, arguments.options.rule);
            let (files, rule) = open(files, asked)?;
            return Ok(Source::Files { files, rule });
        };
        let mut games = arguments.options.games()?;
        if let Some(number) = arguments.number_of_games {
            games.seeds = Seeds { first: 1, last: number.into() };
        }
        ensure!(!games.skip_first, "with --skipfirst not all layouts are equally likely; omit it");
        let bot = BotCommand::new(Some(line))?;
        let limits = arguments.limits.of_one(&bot.words()[0])?;
        bot.check_start()?;
        let log = arguments.log.as_ref();
        if let Some(directory) = log {
            make_directory_for(&games, directory)?;
        }
        Ok(Source::Bot { bot, games, limits, log })
    }

    /// The rule of the games.
    pub fn rule(&self) -> RuleName {
        match self {
            Source::Files { rule, .. } => *rule,
            Source::Bot { games, .. } => RuleName::of(games.start),
        }
    }

    /// The clock by which a bot is timed.
    pub fn clock(&self) -> Option<Clock> {
        match self {
            Source::Files { .. } => None,
            Source::Bot { limits, .. } => Some(limits.clock),
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        match self {
            Source::Files { files, .. } => files.len(),
            Source::Bot { games, .. } => games.seeds.len(),
        }
    }

    /// The seed of game `index`, or its number among the files.
    pub fn index(&self, index: usize) -> i64 {
        match self {
            Source::Files { .. } => index as i64,
            Source::Bot { games, .. } => games.seeds.get(index).into(),
        }
    }

    /// Reads or plays game `index`.
    ///
    /// # Errors
    /// Fails if the game cannot be played, read or written.
    pub fn game(&self, index: usize) -> Result<Played> {
        match self {
            Source::Files { files, .. } => {
                let file = &files[index];
                Ok(Played {
                    name: file.path.display().to_string(),
                    record: file.read()?,
                    fault: None,
                })
            }
            Source::Bot { bot, games, limits, log } => {
                let setup = games.setup(games.seeds.get(index));
                let played = host::play(&setup, bot, *limits)?;
                let mut name = format!("seed {}", setup.seed);
                if let Some(directory) = log {
                    write_log(directory, &setup, &played.record, &bot.to_string())?;
                    name = log_path(directory, &setup).display().to_string();
                }
                let fault = BotFault::of(&setup, &played, &bot.to_string(), games, limits);
                Ok(Played { name, record: played.record, fault })
            }
        }
    }
}

/// The files of these games and their rule, which is the one that was asked for, if any was.
fn open(paths: &[PathBuf], asked: Option<RuleName>) -> Result<(Vec<GameFile<'_>>, RuleName)> {
    let (mut files, mut expected) = (Vec::new(), asked);
    for path in paths {
        let (name, record) = (path.display(), read_game(path)?);
        let setup = record.setup().with_context(|| name.to_string())?;
        ensure!(
            !setup.skip_first && setup.first_click.is_none(),
            "{name}: a cell was opened beforehand (skipfirst or firstclick), so that not all \
             layouts are equally likely; give a game without"
        );
        let rule = RuleName::of(setup.start);
        let wanted = *expected.get_or_insert(rule);
        if rule != wanted {
            let (rule, wanted) = (option_name(&rule), option_name(&wanted));
            match asked {
                Some(_) => bail!("{name}: a game by {rule}, not by {wanted} as --rule asks for"),
                None => bail!("{name}: a game by {rule}, but the first by {wanted}; give one rule"),
            }
        }
        let is_kept = path.as_os_str() == "-" || !path.is_file();
        files.push(GameFile { path, record: is_kept.then_some(record) });
    }
    let rule = expected.with_context(|| format!("{} to read", pluralize(0, "game", "games")))?;
    Ok((files, rule))
}
