//! The command line of a bot: how it is started, and why it cannot be started.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use anyhow::{Context, Result, anyhow};

use super::obstacle::{find_obstacle, system_error};
use super::process::Bot;
use crate::runner::files::checksum;
use crate::runner::messages::errln;
use crate::runner::{interrupt, shell_words, system};

/// The environment variable with the address of the user's Local AI, for `judge local`.
pub const LOCAL_AI_VAR: &str = "BOTZONE_LOCALAI_URL";

/// The name of the judge's own bot: as the program of a command line, and as the first argument by
/// which the judge's program runs as this bot.
pub const OWN_BOT: &str = "sapper";

/// The argument by which the bots of this project ask to be kept running.
pub const KEEP_RUNNING: &str = "--keep-running";

/// How to start a bot: a program and its arguments.
#[derive(Clone, Debug)]
pub struct BotCommand {
    /// As they were given; the program [`OWN_BOT`] is the judge's own.
    words: Vec<String>,
    /// Whether the bot was ever started. Shared by all clones.
    started: Arc<AtomicBool>,
    /// The bots that wait for their next game, where they are kept for it. Shared by all clones.
    idle: Option<Arc<IdleBots>>,
}

/// The bots that wait for their next game. In the end each is closed like a bot at the end of its
/// game.
#[derive(Debug, Default)]
struct IdleBots(Mutex<Vec<Bot>>);

impl IdleBots {
    fn lock(&self) -> MutexGuard<'_, Vec<Bot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdleBots {
    fn drop(&mut self) {
        self.lock().drain(..).for_each(Bot::close);
    }
}

impl BotCommand {
    /// Parses the command line of `--bot`; the default is [`OWN_BOT`].
    ///
    /// # Errors
    /// Fails if the line is not a command.
    pub fn new(line: Option<&str>) -> Result<BotCommand> {
        BotCommand::of_option("--bot", line)
    }

    /// Parses the command line of an option with this name, as [`BotCommand::new`] does.
    ///
    /// # Errors
    /// As [`BotCommand::new`].
    pub fn of_option(option: &'static str, line: Option<&str>) -> Result<BotCommand> {
        let line = line.unwrap_or(OWN_BOT);
        let words = match is_program_with_blanks(line) {
            true => vec![line.to_owned()],
            false => shell_words::split(line).context(option)?,
        };
        Ok(BotCommand { words, started: Arc::default(), idle: None })
    }

    /// Whether the bot is the judge's own: the judge's program, started again as the bot. It can
    /// neither be missing nor be of another commit than the judge.
    pub fn is_own(&self) -> bool {
        self.words[0] == OWN_BOT
    }

    /// The program and its arguments, without `env` and the variables that it sets for them.
    pub fn program(&self) -> &[String] {
        if system::program_name(&self.words[0]) != "env" {
            return &self.words;
        }
        let mut start = 1;
        while let Some(word) = self.words.get(start) {
            start += match word.as_str() {
                "-u" | "--unset" | "-C" | "--chdir" => 2,
                word if word.starts_with('-') || word.contains('=') => 1,
                _ => return &self.words[start..],
            };
        }
        &self.words
    }

    /// The files that the command line names, also within a word as in `sh -c 'python3 bot.py'`
    /// or `java -cp a.jar:b.jar Bot`, and the file of the program, each with its checksum.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn files(&self) -> Result<BTreeMap<String, String>> {
        let arguments = &self.words[1..];
        let separators = system::Conventions::HERE.separators();
        let parts =
            |word: &'_ String| word.split(separators).map(PathBuf::from).collect::<Vec<_>>();
        let named = arguments.iter().map(PathBuf::from).chain(arguments.iter().flat_map(parts));
        let program = match self.is_own() {
            true => Some(std::env::current_exe().context("cannot find the judge's program")?),
            false => system::find_program(&self.words[0]),
        };
        let files = program.into_iter().chain(named);
        let files = files.filter(|file| file.is_file());
        files.map(|file| Ok((file.display().to_string(), checksum(&file)?))).collect()
    }

    /// Whether the bot is known to keep running before it is asked: the judge's own can, and so can
    /// one whose command line says so.
    pub fn is_said_to_keep_running(&self) -> bool {
        self.is_own() || self.is_told_to_keep_running()
    }

    /// Whether the command line tells the bot to keep running.
    pub fn is_told_to_keep_running(&self) -> bool {
        self.words[1..].iter().any(|word| word == KEEP_RUNNING)
    }

    /// The same command, with the argument that makes the bots of this project keep running.
    pub fn keep_running(self) -> BotCommand {
        self.with_argument(KEEP_RUNNING)
    }

    /// The same command with one more argument.
    pub fn with_argument(mut self, argument: &str) -> BotCommand {
        self.words.push(argument.to_owned());
        self
    }

    /// Says whether a bot that keeps running is kept for the next games.
    pub fn set_reused(&mut self, is_reused: bool) {
        self.idle = is_reused.then(Arc::default);
    }

    /// A bot that waits for its next game, or else one that is started.
    ///
    /// # Errors
    /// As [`BotCommand::start`].
    pub fn idle_or_started(&self) -> Result<Bot> {
        let waiting = self.idle.as_ref().and_then(|idle| idle.lock().pop());
        waiting.map_or_else(|| self.try_start(), Ok)
    }

    /// Takes back a bot that keeps running, at the end of a game.
    pub fn end_game(&self, bot: Bot) {
        match &self.idle {
            Some(idle) => idle.lock().push(bot),
            None => bot.close(),
        }
    }

    /// Checks, without starting the bot, that it can be started. To be called before the first
    /// game; a bot that cannot be started in a later game has a fault.
    ///
    /// # Errors
    /// Fails if the program does not exist or cannot be executed. The message says what to do.
    pub fn check_start(&self) -> Result<()> {
        let obstacle = self.obstacle();
        obstacle.map_or(Ok(()), |why| Err(anyhow!(why)).with_context(|| self.failure()))
    }

    /// Starts the bot.
    ///
    /// # Errors
    /// Fails if the program does not exist, or if the system has no process or thread left.
    pub fn start(&self) -> Result<Bot> {
        self.try_start().with_context(|| self.failure())
    }

    /// Whether the bot was ever started. If it was not, its command line is wrong, or the program.
    pub fn was_started(&self) -> bool {
        self.started.load(Ordering::Relaxed)
    }

    /// What is said of a start that failed.
    pub fn failure(&self) -> String {
        format!("cannot start the bot `{self}`")
    }

    /// Why the bot cannot be started, and what to do about it; `None` if no reason is found.
    fn obstacle(&self) -> Option<String> {
        if self.is_own() { None } else { find_obstacle(&self.words[0]) }
    }

    /// Starts the bot, or says why it cannot be started.
    ///
    /// # Errors
    /// As [`BotCommand::start`].
    pub fn try_start(&self) -> Result<Bot> {
        let (pipes, processes) = self.spawn()?;
        self.started.store(true, Ordering::Relaxed);
        Bot::attach(pipes, processes)
    }

    /// Starts the program, or says why it cannot be started.
    ///
    /// # Errors
    /// As [`BotCommand::start`].
    pub fn spawn(&self) -> Result<(system::Pipes, system::Processes)> {
        let mut command = match self.is_own() {
            true => system::this_program(OWN_BOT),
            false => Command::new(system::program_to_start(&self.words[0])),
        };
        if self.is_own() {
            command.arg(OWN_BOT);
        }
        // The address is a secret of the user's, of which no bot has any use.
        command.args(&self.words[1..]).env_remove(LOCAL_AI_VAR);
        interrupt::install_handler();
        say_limits();
        system::spawn(&mut command)
            .map_err(|error| anyhow!(self.obstacle().unwrap_or_else(|| system_error(&error))))
    }
}

/// Whether a command line is nothing but the path of a program, with blanks and without quotes.
fn is_program_with_blanks(line: &str) -> bool {
    let is_program = || system::find_program(line).is_some_and(|file| file.is_file());
    line.contains(char::is_whitespace) && is_program()
}

/// Says once, before the first bot starts, what the system measures less exactly than Linux.
fn say_limits() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        if let Some(note) = system::LIMITS_NOTE {
            errln!("note: {note}");
        }
    });
}

/// The bot of a command line. The default is [`OWN_BOT`] with `--keep-running`.
///
/// # Errors
/// Those of [`BotCommand::new`].
pub fn keep_running_bot(line: Option<&str>) -> Result<BotCommand> {
    let bot = BotCommand::new(line)?;
    Ok(if line.is_none() { bot.keep_running() } else { bot })
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shell_words::join(&self.words))
    }
}
