//! Files of programs: where they are found, and why they cannot be started.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::super::Conventions;
use super::super::windows_rules::{is_windows_program, windows_program};
use super::quote_word;

/// The error code of Windows for a file that is no program (`ERROR_BAD_EXE_FORMAT`).
const BAD_EXE_FORMAT: i32 = 193;

/// See [`this_file`](super::super::this_file). A program that runs cannot be replaced here.
pub fn this_file() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| std::env::current_exe().unwrap_or_else(|_| "judge.exe".into()))
}

/// See [`this_program`](super::super::this_program). A process has no other name than its file.
pub fn this_program(_name: &str) -> Command {
    Command::new(this_file())
}

/// See [`find_program`](super::super::find_program): as Windows, with the extensions that the
/// environment variable PATHEXT names.
pub fn find_program(program: &str) -> Option<PathBuf> {
    let found = which::which(program).ok();
    let file = match program.contains(['/', '\\']) {
        true => Some(found.unwrap_or_else(|| program.into())),
        false => found,
    };
    file.map(|file| windows_program(file, Path::is_file))
}

/// See [`program_to_start`](super::super::program_to_start): Windows itself adds no extension but
/// `.exe`.
pub fn program_to_start(program: &str) -> PathBuf {
    find_program(program).unwrap_or_else(|| program.into())
}

/// See [`is_format_error`](super::super::is_format_error).
pub fn is_format_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(BAD_EXE_FORMAT)
}

/// See [`file_obstacle`](super::super::file_obstacle).
pub fn file_obstacle(program: &str, file: &Path) -> Option<String> {
    if is_windows_program(file) {
        return None;
    }
    // The name alone may stand for a script such as `bot.py`.
    let found = file.display().to_string();
    let is_named = file.extension() == Path::new(program).extension();
    let script = if is_named { program } else { &found };
    let advice = Conventions::Windows.with_interpreter(script, quote_word);
    Some(format!(
        "{script} is no program (.exe, .bat or .cmd); name its interpreter, as in {advice}"
    ))
}
