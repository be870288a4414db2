//! The recorded games of a file, and the option that chooses one of many.

use std::path::Path;

use analysis::review::person_game::PersonGame;
use analysis::review::recorded_game::{ReadGameError, RecordedGame};
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Context, Result, anyhow, bail, ensure};
use game::formats::{Contents, FormatError, Match, MatchGame, MatchPack};
use game::record::Record;
use game::recording::Recording;

use crate::runner::contents::{no_game, read_contents};
use crate::runner::files::file_name;
use crate::runner::typed::typed_name;

/// The endings of the files of recorded games that a folder is searched for.
pub const GAME_ENDINGS: [&str; 5] = ["json", "jsonl", "matches", "zip", "gz"];

/// The endings of the files of people's recordings.
pub const RECORDING_ENDINGS: [&str; 5] = ["avf", "evf", "mvf", "rawvf", "rmv"];

/// The match of a file that holds many.
#[derive(Default, clap::Args)]
pub struct MatchOption {
    /// Match of a file with many: its ID, or its number, counted from 1
    #[arg(long = "match", value_name = "ID|N")]
    chosen: Option<String>,
}

/// A recorded game of a file: that of a bot as text, or that of a person.
#[derive(Clone)]
pub struct GameText {
    /// The file, with the match where there are several: `pack.zip, match 2`.
    pub name: String,
    /// The number of the match in the file, from 1, where there are several.
    pub number: Option<usize>,
    game: MatchGame,
}

/// The recorded games of a file, and what of the file is none.
pub struct GameTexts {
    pub games: Vec<GameText>,
    /// What was left out, and why: a line each.
    pub left_out: Vec<String>,
}

impl GameText {
    /// The game of a bot.
    ///
    /// # Errors
    /// Fails if it is none, and names it.
    pub fn record(&self) -> Result<Record> {
        Record::read(self.log()?).map_err(|error| self.no_game(&error))
    }

    /// The game of a person; `None` if it is of a bot.
    pub fn recording(&self) -> Option<&Recording> {
        match &self.game {
            MatchGame::Recording(recording) => Some(recording),
            MatchGame::Log(_) => None,
        }
    }

    fn log(&self) -> Result<&str> {
        match &self.game {
            MatchGame::Log(text) => Ok(text),
            MatchGame::Recording(recording) => bail!(
                "{}: a recording of a person's mouse ({}), which `{judge} replay` and `{judge} \
                 coach` read",
                self.name,
                recording.format,
                judge = typed_name()
            ),
        }
    }

    /// The option that chooses this game of its file, after a blank; empty where there is no other.
    pub fn option(&self) -> String {
        self.number.map_or_else(String::new, |number| format!(" --match {number}"))
    }

    /// The game with its boards; that of a bot takes little more memory than its text.
    ///
    /// # Errors
    /// As [`GameText::record`], and for an output of the log that does not describe a field.
    fn reviewed_game(&self) -> Result<Box<dyn ReviewedGame>> {
        if let Some(recording) = self.recording() {
            return Ok(Box::new(PersonGame::new(recording.clone())));
        }
        let game = RecordedGame::read(self.log()?).map_err(|error| match error {
            ReadGameError::Record(error) => self.no_game(&error),
            ReadGameError::Log(error) => anyhow!(error).context(self.name.clone()),
        })?;
        Ok(Box::new(game))
    }

    fn no_game(&self, error: &dyn std::fmt::Display) -> anyhow::Error {
        anyhow!("{}: {error}; give what `judge play --log` wrote, or a Botzone log", self.name)
    }
}

fn named(file: &Path, MatchPack { matches, left_out }: MatchPack) -> GameTexts {
    let (file, count) = (file_name(file), matches.len());
    let named = |(number, Match { id, line, game }): (usize, Match)| {
        let name = match id {
            _ if count == 1 => file.clone(),
            Some(id) => format!("{file}, match {number} ({id})"),
            None => format!("{file}, match {number} (line {line})"),
        };
        GameText { name, number: (count > 1).then_some(number), game }
    };
    let games = (1..).zip(matches).map(named).collect();
    let left_out = left_out.into_iter().map(|what| format!("{file}: {what}")).collect();
    GameTexts { games, left_out }
}

impl MatchOption {
    /// The recorded games of a file, or only the chosen one.
    ///
    /// # Errors
    /// Fails if the file cannot be read or holds something else, or if there is no such match; of a
    /// position, the message names the command that reads it.
    pub fn read_all(&self, file: &Path) -> Result<GameTexts> {
        self.of_contents(file, read_contents(file)?)
    }

    /// The recorded games of a file with these contents, or only the chosen one.
    ///
    /// # Errors
    /// As [`MatchOption::read_all`].
    pub fn of_contents(
        &self,
        file: &Path,
        contents: Result<Contents, FormatError>,
    ) -> Result<GameTexts> {
        match contents {
            Ok(Contents::Games(pack)) => self.all(file, pack),
            other => Err(no_game(file, &other)),
        }
    }

    /// The recorded games of the pack that this file holds, or only the chosen one.
    ///
    /// # Errors
    /// Fails if there is no such match.
    pub fn all(&self, file: &Path, pack: MatchPack) -> Result<GameTexts> {
        if self.chosen.is_none() {
            return Ok(named(file, pack));
        }
        Ok(GameTexts { games: vec![self.choose(file, pack)?], left_out: Vec::new() })
    }

    /// The person's game that this file holds alone.
    ///
    /// # Errors
    /// Fails if a match was chosen.
    pub fn of_recording(&self, file: &Path, recording: Box<Recording>) -> Result<GameTexts> {
        let (name, game) = (file_name(file), MatchGame::Recording(recording));
        self.refuse_of_one(&name)?;
        Ok(GameTexts { games: vec![GameText { name, number: None, game }], left_out: Vec::new() })
    }

    /// The chosen game of a file.
    ///
    /// # Errors
    /// Fails if there is no such match, or if the file has several and none is chosen.
    pub fn read(&self, file: &Path) -> Result<GameText> {
        match read_contents(file)? {
            Ok(Contents::Games(pack)) => self.choose(file, pack),
            other => Err(no_game(file, &other)),
        }
    }

    /// The chosen game of a file, of a bot or of a person, with its name.
    ///
    /// # Errors
    /// As [`MatchOption::read`], and for a game that cannot be read.
    pub fn reviewed_game(&self, file: &Path) -> Result<(String, Box<dyn ReviewedGame>)> {
        match read_contents(file)? {
            Ok(Contents::Recording(recording)) => {
                let name = file_name(file);
                self.refuse_of_one(&name)?;
                Ok((name, Box::new(PersonGame::new(*recording))))
            }
            Ok(Contents::Games(pack)) => {
                let text = self.choose(file, pack)?;
                let game = text.reviewed_game()?;
                Ok((text.name, game))
            }
            other => Err(no_game(file, &other)),
        }
    }

    /// Fails if a match was chosen of a recording, which holds one game.
    ///
    /// # Errors
    /// Says so.
    pub fn refuse_of_one(&self, name: &str) -> Result<()> {
        ensure!(
            self.chosen.is_none(),
            "{name}: --match chooses one of many games, and a recording holds one; omit --match"
        );
        Ok(())
    }

    /// The chosen game of the pack that this file holds.
    ///
    /// # Errors
    /// As [`MatchOption::read`].
    pub fn choose(&self, file: &Path, pack: MatchPack) -> Result<GameText> {
        let count = pack.matches.len();
        let index = match &self.chosen {
            None if count == 1 => 0,
            None => bail!(
                "{}: it has {count} matches; choose one by --match N, from 1 to {count}, or by its \
                 ID",
                file_name(file)
            ),
            Some(chosen) => {
                let of_id = pack.matches.iter().position(|found| found.id.as_ref() == Some(chosen));
                let number = chosen.parse::<usize>().ok().filter(|n| (1..=count).contains(n));
                of_id.or(number.map(|number| number - 1)).with_context(|| {
                    format!(
                        "{}: no match has the ID or the number {chosen}; it has {count}",
                        file_name(file)
                    )
                })?
            }
        };
        Ok(named(file, pack).games.swap_remove(index))
    }

    /// Fails if a match was chosen of a file that holds no games.
    ///
    /// # Errors
    /// Says so.
    pub fn refuse(&self, name: &str) -> Result<()> {
        ensure!(
            self.chosen.is_none(),
            "{name}: --match chooses a recorded game, and it holds none"
        );
        Ok(())
    }
}
