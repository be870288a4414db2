//! Starts a program that was built.
//!
//! On Unix the program replaces this process, so that signals and the exit code are its own. On
//! Windows a program that runs cannot be replaced, and would stop the next build: a copy of it is
//! started, and Ctrl-C, which reaches every process of a console, is left to the copy.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Becomes the program with these arguments.
///
/// # Errors
/// Fails with the reason if the program cannot be started.
#[cfg(unix)]
pub fn start(file: &Path, name: &str, arguments: Vec<OsString>) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt as _;

    let error = Command::new(file).arg0(name).args(arguments).exec();
    Err(format!("cannot start {}: {error}", file.display()))
}

/// Runs a copy of the program with these arguments, and ends with its exit code.
///
/// # Errors
/// Fails with the reason if the program cannot be copied or started.
#[cfg(windows)]
pub fn start(file: &Path, _name: &str, arguments: Vec<OsString>) -> Result<ExitCode, String> {
    let copy = copy_of(file).map_err(|error| format!("cannot copy {}: {error}", file.display()))?;
    // Without a handler this process would end first, and the console would not wait for the copy.
    ctrlc::set_handler(|| ()).ok();
    match Command::new(&copy).args(arguments).status() {
        // Windows has exit codes of 32 bits.
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => Err(format!("cannot start {}: {error}", copy.display())),
    }
}

/// Copies the program to `running` beside it, unless the same build was copied before, and removes
/// the copies of other builds that have ended.
#[cfg(windows)]
fn copy_of(file: &Path) -> std::io::Result<std::path::PathBuf> {
    use std::time::UNIX_EPOCH;

    let folder = file.with_file_name("running");
    std::fs::create_dir_all(&folder)?;
    let metadata = file.metadata()?;
    let time = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // The copy keeps its own folder, so that its name in messages is that of the program.
    let build = folder.join(format!("{stem}-{time:x}-{:x}", metadata.len()));
    let copy = build.join(file.file_name().unwrap_or_default());
    for other in std::fs::read_dir(&folder)?.flatten() {
        let is_of_program = other.file_name().to_string_lossy().starts_with(&format!("{stem}-"));
        if is_of_program && other.path() != build {
            // Windows refuses to remove a program that runs.
            let _ = std::fs::remove_dir_all(other.path());
        }
    }
    if !copy.exists() {
        std::fs::create_dir_all(&build)?;
        // Renamed at the end, so that a copy is complete or absent.
        let part = build.join(format!("{}.part", std::process::id()));
        std::fs::copy(file, &part)?;
        if let Err(error) = std::fs::rename(&part, &copy)
            && !copy.exists()
        {
            return Err(error);
        }
    }
    Ok(copy)
}
