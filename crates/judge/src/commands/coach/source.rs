//! The games whose decisions are judged: played by a bot, or read from files.
//!
//! Invariant: all games are of bots, by one rule, or all are of people. Files are checked before
//! the first game is judged; those that cannot be judged are reported and left out.

use std::path::{Path, PathBuf};

use analysis::review::person_game::PersonGame;
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Context, Result, bail, ensure};
use flate2::Crc;
use game::formats::Contents;
use game::record::Record;
use game::rule::Rule;
use game::setup::Setup;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::arguments::Arguments;
use crate::cli::repeat::{game_options, one_game_options, play_again};
use crate::cli::{
    GAME_ENDINGS, GameText, GameTexts, MatchOption, RECORDING_ENDINGS, named_files, stated_setup,
};
use crate::report::recorded_games::{log_path, make_directory_for, write_log};
use crate::report::{FaultReport, NamedFault};
use crate::runner::bots::{BotCommand, host};
use crate::runner::contents::read_contents;
use crate::runner::files::file_name;
use crate::runner::interrupt;
use crate::runner::limits::{Clock, Limits};
use crate::runner::messages::errln;
use crate::runner::setups::GameSetups;
use crate::runner::shell_words::quote;

/// The games that the arguments name.
pub enum Opened<'a> {
    Bots(Source<'a>),
    People(People),
}

/// Recordings of people.
pub struct People {
    pub games: Vec<PersonFile>,
    /// Why the other files cannot be judged.
    pub unsuitable: Vec<UnsuitableFile>,
}

/// A recording of a person.
pub struct PersonFile {
    pub name: String,
    pub game: PersonGame,
}

/// Where games come from.
pub struct Source<'a> {
    pub rule: Rule,
    /// The clock by which a bot is timed.
    pub clock: Option<Clock>,
    /// The number of games.
    pub len: usize,
    /// Why the other files cannot be judged.
    pub unsuitable: Vec<UnsuitableFile>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Files(Vec<GameFile>),
    Bot { bot: BotCommand, games: GameSetups, limits: Limits, log: Option<&'a PathBuf> },
}

/// A game of a file.
struct GameFile {
    path: PathBuf,
    setup: Setup,
    game: GameSource,
}

impl GameFile {
    /// The name of the game in messages.
    fn name(&self) -> String {
        match &self.game {
            GameSource::File => file_name(&self.path),
            GameSource::Text(game) => game.name.clone(),
        }
    }
}

/// Where a game is read from when its decisions are judged.
enum GameSource {
    /// The file, which holds this game alone.
    File,
    /// This text: the file has other games too, or cannot be read again, as standard input or a
    /// pipe.
    Text(GameText),
}

/// A file that cannot be judged.
#[derive(Serialize)]
pub struct UnsuitableFile {
    file: String,
    why: String,
}

/// A game, before its decisions are judged.
pub struct Played {
    pub seed: i32,
    /// The options of the game, as a table has them in its column `options`.
    pub options: String,
    /// The file, or the seed.
    pub name: String,
    /// The arguments that name this game alone.
    pub again: String,
    pub record: Record,
    /// The fault that ended the game.
    pub fault: Option<NamedFault>,
}

impl<'a> Source<'a> {
    /// The games that the options name.
    ///
    /// # Errors
    /// Fails if no file can be judged, or if the bot cannot be started.
    pub fn of(arguments: &'a Arguments) -> Result<Opened<'a>> {
        let Some(line) = &arguments.bot else {
            let files =
                named_files(&arguments.recorded, &[GAME_ENDINGS, RECORDING_ENDINGS].concat())?;
            return open(&files, &arguments.game, arguments.options.rule);
        };
        let games = arguments.options.games(false)?;
        let mut bot = BotCommand::new(Some(line))?;
        bot.set_reused(arguments.options.reuse);
        let limits = arguments.limits.of_one(&bot.program()[0])?;
        bot.check_start()?;
        let log = arguments.log.as_ref();
        if let Some(directory) = log {
            make_directory_for(&games, directory)?;
        }
        let (rule, clock) = (games.rule(), Some(limits.clock));
        Ok(Opened::Bots(Source {
            rule,
            clock,
            len: games.len(),
            unsuitable: Vec::new(),
            kind: Kind::Bot { bot, games, limits, log },
        }))
    }

    /// Reads or plays game `index`.
    ///
    /// # Errors
    /// Fails if the game cannot be played, read or written.
    pub fn game(&self, index: usize) -> Result<Played> {
        match &self.kind {
            Kind::Files(files) => {
                let GameFile { path, setup, game } = &files[index];
                let game = match game {
                    GameSource::File => &MatchOption::default().read(path)?,
                    GameSource::Text(game) => game,
                };
                let record = game.record()?;
                let (seed, options) = (setup.seed, recorded_options(setup, &record));
                let name = game.name.clone();
                let again = quote(&path.display().to_string()) + &game.option();
                Ok(Played { seed, options, name, again, record, fault: None })
            }
            Kind::Bot { bot, games, limits, log } => {
                let setup = games.setup(index)?;
                let line = bot.to_string();
                let (game, record) = host::play(&setup, &line, bot, *limits)?;
                let mut name = format!("{} {}", games.unit(), setup.seed);
                // A game that was cut off is none, and its result is dropped.
                if let Some(directory) = log.filter(|_| !interrupt::is_requested()) {
                    write_log(directory, &setup, &record, &line)?;
                    name = log_path(directory, &setup).display().to_string();
                }
                let again = || play_again(Some(&line), games, game.seed, limits);
                let report = FaultReport::of(&game, again);
                let fault = report.map(|report| report.named(&game, games.unit()));
                let options = game_options(&setup) + &games.file_mark();
                let seed = setup.seed;
                let again = format!("--bot {} {}", quote(&line), one_game_options(games, seed));
                Ok(Played { seed, options, name, again, record, fault })
            }
        }
    }
}

/// The options of a recorded game. A field that is given with the init data is not of the seed: its
/// checksum (CRC-32) tells it from others. Of a game that survived hits it is the last layout only.
fn recorded_options(setup: &Setup, record: &Record) -> String {
    let options = game_options(setup);
    let has_survived = record.survived.as_ref().is_some_and(|turns| !turns.is_empty());
    match &setup.field {
        Some(field) if !has_survived => {
            let mut crc = Crc::new();
            crc.update(field.as_bytes());
            format!("{options}, field {:08x}", crc.sum())
        }
        _ => options,
    }
}

/// The games in these files that can be judged: those of bots, or those of people, whichever are
/// more. Reports the others, unless there is only one.
fn open<'a>(paths: &[PathBuf], chosen: &MatchOption, asked: Option<Rule>) -> Result<Opened<'a>> {
    let (mut files, mut people, mut rule) = (Vec::new(), Vec::new(), asked);
    let mut unsuitable = Vec::new();
    let mut leave_out = |name: String, why: String| {
        errln!("{why}");
        unsuitable.push(UnsuitableFile { file: name, why });
    };
    for path in paths {
        let texts = match read_contents(path) {
            Ok(Ok(Contents::Recording(recording))) => chosen.of_recording(path, recording),
            Ok(contents) => chosen.of_contents(path, contents),
            Err(error) => Err(error),
        };
        let GameTexts { games, left_out } = match texts {
            Err(error) if paths.len() == 1 => return Err(error),
            Err(error) => {
                leave_out(file_name(path), format!("{error:#}"));
                continue;
            }
            Ok(games) => games,
        };
        let is_only = paths.len() == 1 && games.len() == 1 && left_out.is_empty();
        left_out.into_iter().for_each(|why| leave_out(file_name(path), why));
        for game in games {
            let name = game.name.clone();
            if let Some(recording) = game.recording() {
                people.push(PersonFile { name, game: PersonGame::new(recording.clone()) });
                continue;
            }
            match open_one(path, game, rule, asked.is_some()) {
                Ok(file) => {
                    rule = Some(file.setup.start.rule());
                    files.push(file);
                }
                Err(error) if is_only => return Err(error),
                Err(error) => leave_out(name, format!("{error:#}")),
            }
        }
    }
    if people.len() > files.len() {
        for file in files {
            let why = ": a game of a bot, and more games are of people; judge them apart";
            leave_out(file.name(), file.name() + why);
        }
        return Ok(Opened::People(People { games: people, unsuitable }));
    }
    for PersonFile { name, .. } in people {
        let why = ": a person's game, and as many games or more are of bots; judge them apart";
        leave_out(name.clone(), name + why);
    }
    let rule = rule.filter(|_| !files.is_empty()).context("no file can be judged; see above")?;
    let len = files.len();
    Ok(Opened::Bots(Source { rule, clock: None, len, unsuitable, kind: Kind::Files(files) }))
}

/// Fails if a file was not judged.
///
/// # Errors
/// Says how many were not.
pub fn ensure_all_judged(unsuitable: &[UnsuitableFile]) -> Result<()> {
    let files = pluralize(unsuitable.len(), "file was", "files were");
    ensure!(unsuitable.is_empty(), "{files} not judged; see above");
    Ok(())
}

/// A game of a file. Its rule has to be `wanted`: that of `--rule`, if that `is_asked`, or of the
/// games before.
fn open_one(path: &Path, game: GameText, wanted: Option<Rule>, is_asked: bool) -> Result<GameFile> {
    let (name, record) = (game.name.clone(), game.record()?);
    let setup = stated_setup(&record).with_context(|| name.clone())?;
    ensure!(
        !setup.skip_first && setup.first_click.is_none(),
        "{name}: a cell was opened beforehand (skipfirst or firstclick), so that not all layouts \
         are equally likely; give a game without"
    );
    let rule = setup.start.rule();
    let wanted = wanted.unwrap_or(rule);
    if rule != wanted {
        match is_asked {
            true => bail!("{name}: a game by {rule}; --rule asks for {wanted}"),
            false => bail!("{name}: a game by {rule}, and those before by {wanted}; give one rule"),
        }
    }
    let outcome = RecordedGame::new(record.clone()).with_context(|| name.clone())?;
    let outcome = outcome.outcome();
    ensure!(
        !outcome.rule.is_classic() || outcome.hits == 0 || outcome.lost_in.is_some(),
        "{name}: a hit was survived in a turn that the log does not name, so that later decisions \
         cannot be weighed; give the whole file that `judge play --log` wrote"
    );
    let is_kept = game.number.is_some() || path.as_os_str() == "-" || !path.is_file();
    let game = if is_kept { GameSource::Text(game) } else { GameSource::File };
    Ok(GameFile { path: path.to_owned(), setup, game })
}
