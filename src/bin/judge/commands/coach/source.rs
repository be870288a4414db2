//! The games whose decisions are judged: played by a bot, or read from files.
//!
//! Invariant: all games have one rule. Files are checked before the first game is judged.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sapper::base::text::pluralize;
use sapper::page::frames::RecordedGame;
use sapper::referee::record::Record;

use super::Arguments;
use crate::bots::{BotCommand, FaultReport, GameResult, host};
use crate::cli::{Clock, Games, Limits, RuleName, Seeds, option_name, read_game};
use crate::results::recorded_games::{log_path, make_directory_for, write_log};

/// Where games come from.
pub struct Source<'a> {
    pub rule: RuleName,
    /// The clock by which a bot is timed.
    pub clock: Option<Clock>,
    /// The number of games.
    pub len: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Files(Vec<GameFile<'a>>),
    Bot { bot: BotCommand, games: Games, limits: Limits, log: Option<&'a PathBuf> },
}

/// A file of a game; with the game, where the file cannot be read again: standard input, or a pipe.
type GameFile<'a> = (&'a Path, Option<Record>);

/// A game, before its decisions are judged.
pub struct Played {
    /// The seed, or the number of the file.
    pub index: i64,
    /// The file, or the seed.
    pub name: String,
    pub record: Record,
    /// The fault that ended the game.
    pub fault: Option<(GameResult, FaultReport)>,
}

impl<'a> Source<'a> {
    /// The source that the options name.
    ///
    /// # Errors
    /// Fails if a file is no game, or one of another rule, or if the bot cannot be started.
    pub fn of(arguments: &'a Arguments) -> Result<Source<'a>> {
        let Some(line) = &arguments.bot else {
            let (files, rule) = open(&arguments.recorded, arguments.options.rule)?;
            return Ok(Source { rule, clock: None, len: files.len(), kind: Kind::Files(files) });
        };
        let mut games = arguments.options.games()?;
        if let Some(number) = arguments.number_of_games {
            games.seeds = Seeds { first: 1, last: number.into() };
        }
        ensure!(!games.skip_first, "with --skipfirst not all layouts are equally likely; omit it");
        let mut bot = BotCommand::new(Some(line))?;
        bot.set_reused(arguments.options.reuse);
        let limits = arguments.limits.of_one(&bot.words()[0])?;
        bot.check_start()?;
        let log = arguments.log.as_ref();
        if let Some(directory) = log {
            make_directory_for(&games, directory)?;
        }
        let (rule, clock) = (RuleName::of(games.start), Some(limits.clock));
        Ok(Source {
            rule,
            clock,
            len: games.seeds.len(),
            kind: Kind::Bot { bot, games, limits, log },
        })
    }

    /// Reads or plays game `index`.
    ///
    /// # Errors
    /// Fails if the game cannot be played, read or written.
    pub fn game(&self, index: usize) -> Result<Played> {
        match &self.kind {
            Kind::Files(files) => {
                let (path, record) = &files[index];
                let record = record.clone().map_or_else(|| read_game(path), Ok)?;
                let name = path.display().to_string();
                Ok(Played { index: index as i64, name, record, fault: None })
            }
            Kind::Bot { bot, games, limits, log } => {
                let setup = games.setup(games.seeds.get(index));
                let line = bot.to_string();
                let (game, record) = host::play(&setup, &line, bot, *limits)?;
                let mut name = format!("seed {}", setup.seed);
                if let Some(directory) = log {
                    write_log(directory, &setup, &record, &line)?;
                    name = log_path(directory, &setup).display().to_string();
                }
                let report = FaultReport::of(&game, Some(&line), games, limits);
                Ok(Played {
                    index: setup.seed.into(),
                    name,
                    record,
                    fault: report.map(|report| (game, report)),
                })
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
        let outcome = RecordedGame::new(record.clone()).with_context(|| name.to_string())?;
        let outcome = outcome.outcome();
        ensure!(
            !outcome.is_classic || outcome.hits == 0 || outcome.lost_in.is_some(),
            "{name}: a hit was survived in a turn that the log does not name, so that later \
             decisions cannot be weighed; give the whole file that `judge play --log` wrote"
        );
        let is_kept = path.as_os_str() == "-" || !path.is_file();
        files.push((path.as_path(), is_kept.then_some(record)));
    }
    let rule = expected.with_context(|| format!("{} to read", pluralize(0, "game", "games")))?;
    Ok((files, rule))
}
