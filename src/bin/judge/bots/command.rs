//! Starts a bot from its command line, and explains why one cannot be started.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::family::Family;
use super::process::Bot;
use crate::cli::shell_words;

/// Where the system looks for programs when it is not told: `execvp` does so without a PATH.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// How to start a bot: a program and its arguments.
#[derive(Clone, Debug)]
pub struct BotCommand {
    words: Vec<String>,
    /// Whether it was ever started, by whichever clone.
    started: Arc<AtomicBool>,
}

impl BotCommand {
    /// The bot of a command line. `sapper`, and no line at all, is the one that lies beside the
    /// judge.
    ///
    /// # Errors
    /// When the line is no command, or there is no such bot beside the judge.
    pub fn new(line: Option<&str>) -> Result<BotCommand> {
        let mut words = shell_words::split(line.unwrap_or("sapper")).context("--bot")?;
        if words[0] == "sapper" {
            let judge = std::env::current_exe().context("cannot find the bot beside the judge")?;
            let bot = judge.with_file_name("sapper");
            match bot.to_str() {
                Some(path) if bot.is_file() => words[0] = path.to_owned(),
                // There may still be one on the path.
                _ if line.is_some() => {}
                _ => bail!(
                    "there is no bot at {}; build it with `cargo build --release`, or name one with --bot",
                    bot.display()
                ),
            }
        }
        Ok(BotCommand { words, started: Arc::default() })
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The same bot with one more argument.
    pub fn with(mut self, argument: &str) -> BotCommand {
        self.words.push(argument.to_owned());
        self
    }

    /// Whether the bot can be started, as far as is seen without starting it: asked before the
    /// first game. What keeps it from starting once more, later, is a fault of its game.
    ///
    /// # Errors
    /// When there is no such program, or none that may be run, with what to do.
    pub fn check_start(&self) -> Result<()> {
        unfit(&self.words[0]).map_or(Ok(()), |why| Err(anyhow!(why)).with_context(|| self.cannot()))
    }

    /// Starts the bot.
    ///
    /// # Errors
    /// When there is no such program, or the system has no process or thread left.
    pub fn start(&self) -> Result<Bot> {
        self.try_start().with_context(|| self.cannot())
    }

    /// Starts the bot for a game. Inside: why it could not be started once more.
    ///
    /// # Errors
    /// When it never was: that is a mistake in its command, or in the bot, and no fault of a game.
    pub fn start_in_game(&self) -> Result<Result<Bot, String>> {
        match self.try_start() {
            Err(why) if self.started.load(Ordering::Relaxed) => Ok(Err(format!("{why:#}"))),
            bot => Ok(Ok(bot.with_context(|| self.cannot())?)),
        }
    }

    fn cannot(&self) -> String {
        format!("cannot start the bot `{self}`")
    }

    fn try_start(&self) -> Result<Bot> {
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let (child, family) = Family::start(&mut command)
            .map_err(|error| anyhow!(unfit(&self.words[0]).unwrap_or_else(|| refused(&error))))?;
        self.started.store(true, Ordering::Relaxed);
        Bot::attach(child, family)
    }
}

/// The bot of a command line; without one, the `sapper` beside the judge with `--keep-running`.
///
/// # Errors
/// Those of [`BotCommand::new`].
pub fn kept_bot(line: Option<&str>) -> Result<BotCommand> {
    let bot = BotCommand::new(line)?;
    Ok(if line.is_none() { bot.with("--keep-running") } else { bot })
}

/// Why the system did not start a program in which nothing was found amiss.
fn refused(error: &io::Error) -> String {
    let foreign =
        [Errno::NOEXEC, Errno::NOENT, Errno::INVAL].map(|errno| Some(errno.raw_os_error()));
    let hint = match foreign.contains(&error.raw_os_error()) {
        true => "; is it whole, and a program for this machine?",
        false => "",
    };
    format!("the system says: {error}{hint}")
}

/// Why a program cannot be started, and what to do about it; `None` where nothing is seen that
/// speaks against it.
fn unfit(program: &str) -> Option<String> {
    if program.contains('/') {
        return unfit_file(program, Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    let mut files = std::env::split_paths(&path).map(|directory| directory.join(program));
    match files.find(|file| file.is_file() && access(file, Access::EXEC_OK).is_ok()) {
        Some(file) => unfit_file(program, &file),
        None if Path::new(program).is_file() => {
            Some(format!("{program} is not on the PATH, but in this directory: write ./{program}"))
        }
        None => Some(format!(
            "{program} is not on the PATH; give the program's path, such as ./{program}"
        )),
    }
}

fn unfit_file(program: &str, file: &Path) -> Option<String> {
    let Ok(metadata) = file.metadata() else {
        let from = match std::env::current_dir() {
            Ok(directory) if file.is_relative() => format!(" from {}", directory.display()),
            _ => String::new(),
        };
        return Some(format!(
            "there is no file {program}{from}; is the path right, is the bot built?"
        ));
    };
    if metadata.is_dir() {
        return Some(format!("{program} is a directory; name the program in it"));
    }
    if access(file, Access::EXEC_OK).is_err() {
        return Some(format!(
            "{program} is not executable; chmod +x it, or name its interpreter: 'python3 {program}'"
        ));
    }
    // What may be run and not read is the system's to judge.
    let mut start = Vec::new();
    File::open(file).and_then(|file| file.take(256).read_to_end(&mut start)).ok()?;
    if let Some(line) = start.strip_prefix(b"#!") {
        let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next()?).into_owned();
        // As the system splits it: a carriage return is part of the word.
        let interpreter = line.split([' ', '\t']).find(|word| !word.is_empty()).unwrap_or("");
        let there = access(interpreter, Access::EXEC_OK).is_ok();
        // `env` would look for a program whose name ends in one.
        let returns = line.ends_with('\r') && (!there || interpreter.ends_with("/env"));
        return (returns || !there).then(|| match returns {
            true => format!(
                "{program} is a script whose lines end in carriage returns; take them out: sed -i 's/\\r$//' {program}"
            ),
            false => format!(
                "{program} is a script, and its interpreter is not there: {}",
                crate::cli::output::escaped(interpreter)
            ),
        });
    }
    let is_program = start.starts_with(b"\x7fELF") || has_other_formats();
    (!is_program).then(|| {
        format!(
            "{program} is no program and no script with a first line #!; name its interpreter: 'python3 {program}'"
        )
    })
}

/// Whether the system was taught to run files of other kinds.
fn has_other_formats() -> bool {
    let formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc").into_iter().flatten().flatten();
    formats
        .into_iter()
        .any(|format| !["register", "status"].iter().any(|own| format.file_name() == *own))
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.words.iter().map(|word| shell_words::quoted(word)).collect();
        write!(f, "{}", quoted.join(" "))
    }
}
