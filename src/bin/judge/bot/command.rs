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

    /// Whether the bot can be started, as far as is seen without starting it: asked before the first game. What
    /// keeps it from starting later is a fault of its game.
    ///
    /// # Errors
    /// When there is no such program, or none that may be run, with what to do.
    pub(crate) fn check_start(&self) -> Result<()> {
        match unfit(&self.words[0]) {
            Some(why) => bail!("cannot start the bot `{self}`: {why}"),
            None => Ok(()),
        }
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
        let (mut child, family) =
            Family::start(&mut command).with_context(|| match unfit(&self.words[0]) {
                Some(why) => format!("cannot start the bot `{self}`: {why}"),
                None => format!("cannot start the bot `{self}`"),
            })?;
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

/// Why a program cannot be started, and what to do about it; `None` where nothing is seen that speaks against it.
fn unfit(program: &str) -> Option<String> {
    if program.contains('/') {
        return unfit_file(program, Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
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
        let interpreter = line.split_whitespace().next().unwrap_or("");
        let there = access(interpreter, Access::EXEC_OK).is_ok();
        return (!there).then(|| {
            format!("{program} is a script, and its interpreter is not there: {interpreter}")
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
        let quoted: Vec<String> = self.words.iter().map(|word| words::quoted(word)).collect();
        write!(f, "{}", quoted.join(" "))
    }
}
