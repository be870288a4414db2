//! The one face of the operating system: nothing else in the judge names a crate, a file or a call
//! of one system.
//!
//! A bot may consist of many processes. [`spawn`] starts the first of them; the [`Processes`] that
//! it returns are waited for, measured and ended together ([`Processes::wait`],
//! [`Processes::usage`], [`Processes::end`]). [`stop_all`], [`end_all`] and [`sweep`] concern all
//! bots. The other functions are about programs and files.
//!
//! | file | holds |
//! |---|---|
//! | [`conventions`] | how people name programs and files on a family of systems |
//! | `windows_rules` | command lines and files of programs as Windows reads them |
//! | [`resources`] | what a system tells of the processes of a bot |
//! | `linux` | processes of Linux |
//! | `unix` | processes of macOS and every other Unix |
//! | `posix` | programs and files of Linux and every other Unix |
//! | `windows` | processes, programs and files of Windows |
//! | `sampled` | CPU time and memory of running processes, where a system does not add them up |
//!
//! Invariants that every system keeps:
//!
//! - A bot has no process left after its end, and none outlives the judge, even if the judge is
//!   killed. The folder of a system says which processes it cannot find.
//! - Only processes of bots are killed, never one that has got the process id of an ended one.
//! - The end of a first process is found by [`Processes::wait`] however long ago it was.
//!
//! # Adding a system
//!
//! Write a folder beside `linux` with the functions that this file calls, and choose it below.

mod conventions;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod posix;
mod resources;
#[cfg(not(target_os = "linux"))]
mod sampled;
#[cfg(all(unix, not(target_os = "linux")))]
mod unix;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test))]
mod windows_rules;

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub use conventions::{Conventions, program_name};
#[cfg(target_os = "linux")]
use linux as os;
#[cfg(target_os = "linux")]
use linux as processor;
#[cfg(unix)]
use posix as files;
pub use resources::{End, Exit, Resources};
#[cfg(not(target_os = "linux"))]
use sampled as processor;
#[cfg(all(unix, not(target_os = "linux")))]
use unix as os;
#[cfg(windows)]
use windows as os;
#[cfg(windows)]
use windows as files;

#[cfg(not(any(unix, windows)))]
compile_error!("the judge can limit and end the processes of bots on Unix and Windows only");

/// All processes of a bot. They are ended when this is dropped.
#[derive(Debug)]
pub struct Processes {
    /// The first process.
    child: Child,
    tree: os::Tree,
    end: Option<End>,
}

/// The pipes of a bot's first process.
pub struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

/// Starts the first process of a bot, with pipes.
///
/// # Errors
/// Fails if the system cannot start it, or after [`stop_all`].
pub fn spawn(command: &mut Command) -> io::Result<(Pipes, Processes)> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, tree) = os::Tree::spawn(command)?;
    let pipes = Pipes {
        stdin: child.stdin.take().expect("its input is piped"),
        stdout: child.stdout.take().expect("its output is piped"),
        stderr: child.stderr.take().expect("its messages are piped"),
    };
    Ok((pipes, Processes { child, tree, end: None }))
}

impl Processes {
    /// Waits at most this long for the end of the first process, and returns whether it has ended.
    pub fn wait(&self, timeout: Duration) -> bool {
        const MAX_PAUSE: Duration = Duration::from_millis(1);
        let end = Instant::now() + timeout;
        let mut pause = Duration::from_micros(50);
        while self.end.is_none() && !self.tree.has_exited() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(MAX_PAUSE);
        }
        true
    }

    /// What the running processes have used so far. Memory is measured more exactly above this
    /// limit, in bytes, where a system has a cheap measure and an exact one.
    pub fn usage(&self, memory_limit: u64) -> Resources {
        self.tree.usage(memory_limit)
    }

    /// The CPU time of [`Processes::usage`], cheap enough to be measured after every turn.
    /// Processes that have left the first one and its descendants may be missing.
    pub fn cpu(&self) -> Duration {
        self.tree.cpu()
    }

    /// The memory of [`Processes::usage`] in bytes, as cheap; 0 after the end of the first process.
    /// Other processes may be missing.
    pub fn peak_memory(&self, memory_limit: u64) -> u64 {
        self.tree.peak_memory(memory_limit)
    }

    /// Ends all processes, at the first call, and returns how the first one ended and what was
    /// used.
    pub fn end(&mut self) -> End {
        let (tree, child) = (&mut self.tree, &mut self.child);
        *self.end.get_or_insert_with(|| tree.end(child))
    }

    /// How the bot ended, once it was ended.
    pub fn ended(&self) -> Option<End> {
        self.end
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.end();
    }
}

/// Kills the first process of every bot; no bot can be started afterwards. Each bot's game then
/// finds the end, and ends the other processes.
pub fn stop_all() {
    os::stop_all();
}

/// Ends all bots before the judge exits; no bot can be started afterwards.
pub fn end_all() {
    os::end_all();
}

/// Kills the processes that were missed when their bots ended. To be called when no bot plays; bots
/// that wait for a game are left.
pub fn sweep() {
    os::sweep();
}

/// Calls `handle` at each interrupt from the terminal, hang-up of it and termination signal, in a
/// thread of its own. What is ignored when the judge starts stays ignored: a hang-up after `nohup`,
/// an interrupt in a background job of a script.
pub fn on_interrupt(handle: impl FnMut() + Send + 'static) {
    os::on_interrupt(handle);
}

/// Runs what this process was started for, if the judge started it as a helper of its own, and
/// returns whether it was.
pub fn run_if_helper() -> bool {
    os::run_if_helper()
}

/// The command that starts this program again, under another name.
pub fn this_program(name: &str) -> Command {
    files::this_program(name)
}

/// The file of this program, also where it was replaced after the start.
pub fn this_file() -> &'static Path {
    files::this_file()
}

/// The file of a program: of a path the path itself, of a name the first that can be executed where
/// the system searches.
pub fn find_program(program: &str) -> Option<PathBuf> {
    files::find_program(program)
}

/// What starts a program that a user names: the name, or the file of [`find_program`] where the
/// system itself would look for fewer files.
pub fn program_to_start(program: &str) -> PathBuf {
    files::program_to_start(program)
}

/// Why an existing file cannot be started as this program, and what to do about it; `None` if no
/// reason is found.
pub fn file_obstacle(program: &str, file: &Path) -> Option<String> {
    files::file_obstacle(program, file)
}

/// Whether a start may fail with this error because the file is of another format.
pub fn is_format_error(error: &io::Error) -> bool {
    files::is_format_error(error)
}

/// Locks a file until it is closed. Returns `false` if another process holds the
/// lock; a file system without locks is not an error.
pub fn try_lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Locks a folder until the file that is returned is closed; `None` if another process holds the
/// lock. Nothing is left in the folder then.
pub fn try_lock_folder(folder: &Path) -> io::Result<Option<File>> {
    files::try_lock_folder(folder)
}

/// The words of a command line, as the user's shell splits them, without variables, patterns, pipes
/// and redirections; `None` if a quote is not closed.
pub fn split_command(line: &str) -> Option<Vec<String>> {
    files::split_command(line)
}

/// The word in quotes, if it needs them, so that the user's shell and [`split_command`] read it as
/// one word.
pub fn quote_word(word: &str) -> String {
    files::quote_word(word)
}

/// What this system measures and ends less exactly than Linux, in words; `None` if nothing.
pub const LIMITS_NOTE: Option<&str> = os::LIMITS_NOTE;

/// The processor, as the system names it; empty if it does not.
pub fn processor_name() -> String {
    processor::processor_name().unwrap_or_default()
}

/// Turns a size limit of files into an error of the write, as with a full disk.
pub fn survive_file_size_limit() {
    files::survive_file_size_limit();
}
