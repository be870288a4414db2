//! The games of the list's bots: from their files, or played now.
//!
//! Invariant: a game is played once. It is on file before it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use game::bot_clicks::clicks_of_answers;

use super::bot_game::BotGame;
use super::games::Games;
use super::told_games::{GamesFile, Told};
use crate::cli::{Competitor, JobOptions};
use crate::runner::board_game::BoardToPlay;
use crate::runner::boards::BoardRange;
use crate::runner::bots::host;
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::messages::errln;

/// The bots that were given, and the files of games.
pub struct BotGames {
    bots: Vec<Competitor>,
    /// The folder of the files.
    folder: PathBuf,
    /// The files that were read, by the names of their measurements.
    files: BTreeMap<String, GamesFile>,
    /// The measurements whose games were played by another command line.
    warned: BTreeSet<String>,
    jobs: JobOptions,
}

/// The games of a part.
pub enum Found {
    /// The games, and their checksum.
    Games(Vec<BotGame>, String),
    /// The games are not on file, and the bot was not given.
    Missing,
    /// The judge was interrupted while the bot played.
    Interrupted,
}

impl BotGames {
    /// The bots with the files in a folder, which need not exist. As many games as `jobs` says are
    /// played at a time.
    pub fn new(bots: Vec<Competitor>, folder: PathBuf, jobs: JobOptions) -> BotGames {
        let (files, warned) = (BTreeMap::new(), BTreeSet::new());
        BotGames { bots, folder, files, warned, jobs }
    }

    /// The games of `bot` on the boards of a part. `name` is that of the bot's own measurement, on
    /// the boards of `games`.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or if the bot cannot be started.
    pub fn of_part(
        &mut self,
        name: &str,
        games: &Games,
        bot: &str,
        part: BoardRange,
    ) -> Result<Found> {
        let boards = games.boards_text();
        if !self.files.contains_key(name) {
            let file = GamesFile::read(&self.folder, name, &boards)?;
            self.files.insert(name.to_owned(), file);
        }
        let cells = games.level.shape.len();
        if let Some((games, checksum)) = self.files[name].part(part, cells)? {
            self.warn_of_other_command(name, bot, part);
            return Ok(Found::Games(games, checksum));
        }
        let Some(competitor) = self.bots.iter().find(|one| one.name == bot) else {
            return Ok(Found::Missing);
        };
        let Some(games) = self.play(games, competitor, part)? else {
            return Ok(Found::Interrupted);
        };
        let told = Told { bot: bot.to_owned(), command: competitor.line.clone(), boards, part };
        let file = self.files.get_mut(name).context("the file was read above")?;
        file.add(&told, &games)?;
        let found = file.part(part, cells)?.context("the games were added above")?;
        Ok(Found::Games(found.0, found.1))
    }

    /// The command line of the bot that played the first board of a part of the measurement with
    /// this name.
    pub fn command(&self, name: &str, part: BoardRange) -> Option<String> {
        self.files.get(name)?.command(part)
    }

    /// Says once for each measurement that its games are those of another command line than the
    /// one that was given for the bot.
    fn warn_of_other_command(&mut self, name: &str, bot: &str, part: BoardRange) {
        let given = self.bots.iter().find(|one| one.name == bot);
        let Some(given) = given.filter(|_| !self.warned.contains(name)) else { return };
        let Some(played) = self.command(name, part) else { return };
        if given.line != played {
            errln!(
                "the games of {name} were played by `{played}`; remove {} to play them again by \
                 `{}`",
                self.files[name].path().display(),
                given.line
            );
            self.warned.insert(name.to_owned());
        }
    }

    /// Plays the games of a part with a bot; `None` after an interrupt.
    fn play(
        &self,
        games: &Games,
        competitor: &Competitor,
        part: BoardRange,
    ) -> Result<Option<Vec<BotGame>>> {
        let (boards, rule) = (games.part_boards(part), games.rule());
        let Competitor { name, command, limits, .. } = competitor;
        command.check_start()?;
        let play = |(): &mut (), position| {
            interrupt::unless_requested(|| {
                let setup = boards.setup(position, rule)?;
                let (game, record) = host::play(&setup, name, command, *limits)?;
                let fault = (!game.is_done()).then(|| game.outcome.clone());
                let micros = game.cpu_micros.iter().sum();
                let (index, layout) = boards.board(position)?;
                // The host has the bot play on after a hit, as in an adjusted game.
                let board = BoardToPlay { index, layout: &layout, rule, is_adjusted: true };
                let (told, turns) = board
                    .tell(&clicks_of_answers(&record, setup.shape))
                    .with_context(|| format!("seed {index}: the game cannot be played again"))?;
                Ok(BotGame { cpu: Duration::from_micros(micros), turns, told, fault })
            })
        };
        let mut games = Vec::new();
        let (threads, len) = (self.jobs.count(Some(limits.clock)), boards.len() as usize);
        let interrupted = play_games(
            threads,
            len,
            || (),
            play,
            |game| {
                games.push(game);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        let is_faulty = !interrupted && games.iter().all(|game| game.fault.is_some());
        ensure!(
            !is_faulty,
            "{name} had a fault in every game from seed {}, such as {}; `judge play` tells more",
            part.0,
            games[0].fault.as_deref().unwrap_or_default()
        );
        Ok((!interrupted).then_some(games))
    }
}
