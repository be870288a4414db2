//! Starts a program that was built.
//!
//! On Unix the program replaces this process, so that signals and the exit code are its own. On
//! Windows a program that runs cannot be replaced, and would stop the next build: a copy of it is
//! started, and Ctrl-C, which reaches every process of a console, is left to the copy.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The variable in which the program finds what the user has typed to start it: the command lines
/// that the program prints begin with that. `scripts/judge` sets it to its own path.
const TYPED_VAR: &str = "SAPPER_TYPED";

/// What the user has typed to start the program `name`.
fn typed(name: &str) -> OsString {
    std::env::var_os(TYPED_VAR).unwrap_or_else(|| format!("cargo sapper {name}").into())
}

/// The arguments of a program, and the folder in which it starts if that is not the current one.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    pub arguments: &'a [OsString],
    pub folder: Option<&'a Path>,
}

impl Start<'_> {
    /// The command that starts this file.
    fn command(self, file: &Path, name: &str) -> Command {
        let mut command = Command::new(file);
        command.args(self.arguments).env(TYPED_VAR, typed(name));
        if let Some(folder) = self.folder {
            // Shells keep the name of their folder in the variable.
            command.current_dir(folder).env("PWD", folder);
        }
        command
    }
}

/// Becomes the program.
///
/// # Errors
/// Fails with the reason if the program cannot be started.
#[cfg(unix)]
pub fn start(file: &Path, name: &str, start: Start) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt as _;

    let error = start.command(file, name).arg0(name).exec();
    Err(format!("cannot start {}: {error}", file.display()))
}

/// Runs a copy of the program, and ends with its exit code. Where there can be no copy, as in a
/// folder that is read-only, the program itself runs.
///
/// # Errors
/// Fails with the reason if the program cannot be started.
#[cfg(windows)]
pub fn start(file: &Path, name: &str, start: Start) -> Result<ExitCode, String> {
    // Without a handler this process would end first, and the console would not wait for the copy.
    ctrlc::set_handler(|| ()).ok();
    let program = start_copy(file, name, start).or_else(|_| start.command(file, name).spawn());
    match program.and_then(|mut program| program.wait()) {
        // Windows has exit codes of 32 bits.
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => Err(format!("cannot start {}: {error}", file.display())),
    }
}

/// Starts a copy of the program in the folder `running` beside it.
#[cfg(windows)]
fn start_copy(file: &Path, name: &str, start: Start) -> std::io::Result<std::process::Child> {
    let folder = file.with_file_name("running");
    std::fs::create_dir_all(&folder)?;
    // Otherwise a start of another build could remove the copy before it runs.
    let lock = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join("lock"))?;
    lock.lock()?;
    start.command(&copy_of(file, &folder)?, name).spawn()
}

/// Copies the program to `folder`, unless the same build was copied before, and removes the copies
/// of other builds that have ended.
#[cfg(windows)]
fn copy_of(file: &Path, folder: &Path) -> std::io::Result<std::path::PathBuf> {
    use std::time::UNIX_EPOCH;

    let metadata = file.metadata()?;
    let time = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // The copy keeps its own folder, so that its name in messages is that of the program.
    let build = folder.join(format!("{stem}-{time:x}-{:x}", metadata.len()));
    let copy = build.join(file.file_name().unwrap_or_default());
    for other in std::fs::read_dir(folder)?.flatten() {
        let is_of_program = other.file_name().to_string_lossy().starts_with(&format!("{stem}-"));
        if is_of_program && other.path() != build {
            // Windows refuses to remove a program that runs.
            let _ = std::fs::remove_dir_all(other.path());
        }
    }
    if !copy.exists() {
        std::fs::create_dir_all(&build)?;
        // Renamed at the end, so that a copy is complete or absent.
        let part = build.join("part");
        std::fs::copy(file, &part)?;
        std::fs::rename(&part, &copy)?;
    }
    Ok(copy)
}
