//! Files of programs: where they are found, and why they cannot be started.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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
    if program.contains(['/', '\\']) {
        return Some(which::which(program).unwrap_or_else(|_| program.into()));
    }
    which::which(program).ok()
}

/// See [`is_format_error`](super::super::is_format_error).
pub fn is_format_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(BAD_EXE_FORMAT)
}

/// See [`file_obstacle`](super::super::file_obstacle).
pub fn file_obstacle(program: &str, file: &Path) -> Option<String> {
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_program =
        ["exe", "com", "bat", "cmd"].iter().any(|known| known.eq_ignore_ascii_case(extension));
    (!is_program).then(|| {
        format!(
            "{program} is no program (.exe, .bat or .cmd); name its interpreter: \"python \
             {program}\""
        )
    })
}
