//! The journal of a pit: the result of every game on file, so that an interrupted run can continue.
//!
//! The file holds one JSON object per line: first the boards, then each bot before its first game,
//! and the games in the order in which they end.
//!
//! A game whose line was cut off or altered is played again; see [`crate::report::JsonLines`].
//!
//! Invariant: a game counts only after the line of its bot, which says with what it was played.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use sapper::bot::serve::version;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::cli::repeat::rule_options;
use crate::cli::{Competitor, ResumeOptions, limit_options};
use crate::report::{Comparable, Entries, JsonLines, Line, difference, entries};
use crate::runner::bots::GameResult;
use crate::runner::messages::errln;
use crate::runner::setups::{GameSetups, Origin};

/// The first line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Header {
    Boards(BoardsOfRun),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self")]
struct BoardsOfRun {
    version: String,
    /// The size and the mines, or the checksum of a file of boards.
    level: String,
    skipfirst: bool,
    /// The rule and its first cell, as options, but Botzone's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    rule: String,
}
read_from_object!(both BoardsOfRun);

impl Comparable for Header {
    fn entries(&self) -> Entries {
        let Header::Boards(BoardsOfRun { version, level, skipfirst, rule }) = self;
        let texts = [
            ("version", version.clone()),
            ("level", level.clone()),
            ("skipfirst", skipfirst.to_string()),
            ("rule", rule.clone()),
        ];
        entries("boards", texts)
    }
}

/// Every other line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    Bot(Bot),
    Game(GameResult),
}

/// A bot: how it was started and limited, and the checksums of its files.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Self")]
struct Bot {
    name: String,
    command: String,
    limits: String,
    files: BTreeMap<String, String>,
}
read_from_object!(both Bot);

impl Comparable for Bot {
    fn entries(&self) -> Entries {
        let Bot { name, command, limits, files } = self;
        let texts =
            [("name", name.clone()), ("command", command.clone()), ("limits", limits.clone())];
        let mut all = entries("bot", texts);
        let sums = files.iter().map(|(file, checksum)| (file.as_str(), checksum.clone()));
        all.extend(entries("file", sums));
        all
    }
}

/// An open journal.
pub struct Journal {
    lines: Mutex<JsonLines>,
    /// The games that the file held when it was opened, by bot and seed.
    games: BTreeMap<(String, i32), GameResult>,
}

impl Journal {
    /// Opens the journal of these boards and bots, or creates it; `None` if no file is named.
    ///
    /// # Errors
    /// The file cannot be read or written, is in use by another run, is not a journal, or is the
    /// journal of other boards or bots. Its lines are then unchanged.
    pub fn open(
        options: &ResumeOptions,
        games: &GameSetups,
        competitors: &[Competitor],
    ) -> Result<Option<Journal>> {
        let (level, rule) = match games.origin() {
            Origin::Seeds { level, start } => (level.to_string(), rule_options(*level, *start)),
            Origin::File { rule, .. } => {
                let mark = games.file_mark().trim_start_matches(", ").to_owned();
                (mark, format!(" --rule {rule}"))
            }
        };
        let skipfirst = games.skips_first();
        let header = Header::Boards(BoardsOfRun { version: version(), level, skipfirst, rule });
        let Some((mut lines, known)) = options.open(&header)? else {
            return Ok(None);
        };
        let (mut bots, mut games) = (BTreeMap::new(), BTreeMap::new());
        for Line { place, value } in known {
            match value {
                Ok(Entry::Bot(bot)) => {
                    bots.insert(bot.name.clone(), bot);
                }
                Ok(Entry::Game(game)) if bots.contains_key(&game.bot) => {
                    let game = GameResult { is_resumed: true, ..game };
                    games.insert((game.bot.clone(), game.seed), game);
                }
                // The line of its bot was altered.
                Ok(Entry::Game(_)) => {}
                Err(why) => {
                    let fault = place.fault(lines.name(), &why);
                    errln!("warning: {fault}; it is left out, and what it held is played again");
                }
            }
        }
        let mut new_bots = Vec::new();
        for Competitor { name, line, limits, command } in competitors {
            let (name, files) = (name.clone(), command.files()?);
            let bot = Bot { name, command: line.clone(), limits: limit_options(limits), files };
            let Some(known) = bots.get(&bot.name) else {
                new_bots.push(Entry::Bot(bot));
                continue;
            };
            if let Some(difference) = difference(known, &bot) {
                bail!(
                    "{} has games of another {}: {difference}; give the bot another name (--bot \
                     NAME=CMD), another file, or --restart to drop these games",
                    lines.name(),
                    bot.name
                );
            }
        }
        new_bots.iter().try_for_each(|bot| lines.add(bot))?;
        Ok(Some(Journal { lines: Mutex::new(lines), games }))
    }

    /// The result of this bot and seed, if the file held it.
    pub fn game(&self, bot: &str, seed: i32) -> Option<&GameResult> {
        self.games.get(&(bot.to_owned(), seed))
    }

    /// Appends a result.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&self, game: &GameResult) -> Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.add(&Entry::Game(game.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_bot_hides_no_other_entry() {
        let bot = |command: &str, file: &str, checksum: &str| Bot {
            name: "a".to_owned(),
            command: command.to_owned(),
            limits: String::new(),
            files: [(file, checksum), ("x", "0")]
                .map(|(file, checksum)| (file.to_owned(), checksum.to_owned()))
                .into(),
        };
        for file in ["bot.py", "file", "command", "files"] {
            let old = bot("python3", file, "1");
            assert_eq!(difference(&old, &old), None);
            let edited = difference(&old, &bot("python3", file, "2")).unwrap();
            assert_eq!(edited, format!("{file} 1 instead of 2"));
            let other = difference(&old, &bot("pypy", file, "1")).unwrap();
            assert_eq!(other, "command python3 instead of pypy");
        }
    }

    #[test]
    fn the_boards_are_stated_by_an_object() {
        let read = |line: &str| serde_json::from_str::<Header>(line).map_err(|e| e.to_string());
        let stated = r#"{"boards":{"version":"1","level":"5x5/3","skipfirst":true}}"#;
        let Header::Boards(boards) = read(stated).unwrap();
        assert_eq!((boards.level.as_str(), boards.skipfirst), ("5x5/3", true));
        let error = read(r#"{"boards":["1","5x5/3",true,""]}"#).err().unwrap();
        assert!(error.starts_with("expected an object, found an array"), "{error}");
    }
}
