//! How a bot is started: its command line, and the pipes and threads around its process.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::fs::{Access, access};

use super::family::Family;
use super::pipes::{keep_tail, pass_on, write_requests};
use super::{Bot, Usage};
use crate::words;

/// How to start a bot: a program and its arguments.
#[derive(Clone, Debug)]
pub(crate) struct BotCommand {
    words: Vec<String>,
}

impl BotCommand {
    /// The bot of a command line. `sapper`, and no line at all, is the one that lies beside the judge.
    ///
    /// # Errors
    /// When the line is no command, or there is no such bot beside the judge.
    pub(crate) fn new(line: Option<&str>) -> Result<BotCommand> {
        let mut words = words::split(line.unwrap_or("sapper")).context("--bot")?;
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
        Ok(BotCommand { words })
    }

    /// The program and its arguments.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// The same bot with one more argument.
    pub(crate) fn with(mut self, argument: &str) -> BotCommand {
        self.words.push(argument.to_owned());
        self
    }

    /// Starts the bot, and ends it unasked: whether it can be started at all is known before the first game. What
    /// keeps it from starting later is a fault of its game.
    ///
    /// # Errors
    /// Those of [`BotCommand::start`].
    pub(crate) fn check_start(&self) -> Result<()> {
        self.start().map(drop)
    }

    /// Starts the bot.
    ///
    /// # Errors
    /// When there is no such program, or the system has no process or thread left.
    pub(crate) fn start(&self) -> Result<Bot> {
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let (mut child, family) = Family::start(&mut command)
            .with_context(|| format!("cannot start the bot `{self}`: {}", hint(&self.words[0])))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (requests, to_write) = channel();
        let (chunks, printed) = sync_channel(16);
        let (stderr_open, stderr_end) = channel();
        let tail = Arc::new(Mutex::new(Vec::new()));
        let bot = Bot {
            child,
            family,
            requests: Some(requests),
            printed,
            unread: Vec::new(),
            tail: Arc::clone(&tail),
            stderr_end,
            answers: 0,
            spent: Duration::ZERO,
            usage: Usage::default(),
        };
        let spawn = |run: Box<dyn FnOnce() + Send>| {
            let thread = thread::Builder::new().spawn(run);
            thread.context("the system has no thread left to read the bot with")
        };
        if let Some(stdin) = stdin {
            spawn(Box::new(move || write_requests(stdin, &to_write)))?;
        }
        if let Some(stdout) = stdout {
            spawn(Box::new(move || pass_on(stdout, &chunks)))?;
        }
        if let Some(stderr) = stderr {
            spawn(Box::new(move || keep_tail(stderr, &tail, stderr_open)))?;
        }
        Ok(bot)
    }
}

/// What to do about a program that could not be started.
fn hint(program: &str) -> String {
    let path = Path::new(program);
    if !program.contains('/') {
        let here = path.is_file();
        return if !here && on_path(program) {
            format!("{program} is on the PATH, and the system cannot run it")
        } else if here {
            format!("{program} is not on the PATH, but in this directory: write ./{program}")
        } else {
            format!("{program} is not on the PATH; give the program's path, such as ./{program}")
        };
    }
    let Ok(metadata) = path.metadata() else {
        let from = match std::env::current_dir() {
            Ok(directory) if path.is_relative() => format!(" from {}", directory.display()),
            _ => String::new(),
        };
        return format!("there is no file {program}{from}; is the path right, is the bot built?");
    };
    if metadata.is_dir() {
        return format!("{program} is a directory; name the program in it");
    }
    if access(path, Access::EXEC_OK).is_err() {
        return format!(
            "{program} is not executable; chmod +x it, or name its interpreter: 'python3 {program}'"
        );
    }
    let starts_with = |magic: &[u8]| {
        let mut start = vec![0; magic.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == magic
    };
    if starts_with(b"#!") {
        return format!(
            "{program} is a script; is the interpreter there that its first line names?"
        );
    }
    if !starts_with(b"\x7fELF") {
        return format!(
            "{program} is no program and no script with a first line #!; name its interpreter: 'python3 {program}'"
        );
    }
    format!("{program} is there, and the system cannot run it")
}

/// Whether the system finds an executable file of this name.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .any(|file| file.is_file() && access(&file, Access::EXEC_OK).is_ok())
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.words.iter().map(|word| words::quoted(word)).collect();
        write!(f, "{}", quoted.join(" "))
    }
}
