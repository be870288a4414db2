//! Why the program of a bot cannot be started, and what to do about it.

use std::io;
use std::path::Path;

use sapper::bot::input_file::looked_up;

use super::source_code::how_to_build;
use crate::runner::shell_words::quote;
use crate::runner::system::{self, Conventions};

/// Why a program cannot be started, and what to do about it; `None` if no reason is found.
pub fn find_obstacle(program: &str) -> Option<String> {
    let in_this_folder = Conventions::HERE.in_this_folder(program);
    match system::find_program(program) {
        file if program.contains('=') && file.as_ref().is_none_or(|file| !file.exists()) => {
            Some(format!(
                "{program} is no program; only `judge pit` reads NAME=CMD, and a variable is \
                 given by `{}`",
                Conventions::HERE.with_variable()
            ))
        }
        Some(file) => find_file_obstacle(program, &file),
        None if Path::new(program).is_file() && as_source_code(program).is_some() => {
            as_source_code(program)
        }
        None if system::find_program(&in_this_folder).is_some_and(|file| file.is_file()) => {
            // What also keeps the file from being started is said at once.
            let here = format!("{program} is not on the PATH, but in this folder");
            match find_file_obstacle(&in_this_folder, Path::new(&in_this_folder)) {
                Some(obstacle) => Some(format!("{here}: {obstacle}")),
                None => Some(format!("{here}: write {in_this_folder}")),
            }
        }
        None if cfg!(windows) && matches!(program, "python" | "python3") => {
            Some(format!("{program} is not on the PATH; Python for Windows is started by `py`"))
        }
        None => Some(format!("{program} is not on the PATH; install it, or give its path")),
    }
}

/// Why the file of a program cannot be started.
fn find_file_obstacle(program: &str, file: &Path) -> Option<String> {
    let Ok(metadata) = file.metadata() else {
        let base = looked_up(file);
        return Some(format!(
            "there is no file {program}{base}; is the path right, is the bot built, and does a \
             path with blanks stand in '...'?"
        ));
    };
    if metadata.is_dir() {
        return Some(format!("{program} is a folder; name the program in it"));
    }
    let why = system::file_obstacle(program, file)?;
    Some(as_source_code(program).unwrap_or(why))
}

/// How a program is made from this file, if it is source code.
fn as_source_code(program: &str) -> Option<String> {
    how_to_build(program, Conventions::HERE, quote)
}

/// The system's reason for not starting a program that [`find_obstacle`] has no objection to.
pub fn system_error(error: &io::Error) -> String {
    let hint = if system::is_format_error(error) {
        "; is the file complete, and built for this machine?"
    } else {
        ""
    };
    format!("the system says: {error}{hint}")
}
