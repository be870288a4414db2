//! The file that a person names for the bot to read, and what to say if it cannot be read.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::board::text_format::begins_as_board;
use crate::kit::text::escaped;

/// The bytes in which the first line of a board is looked for; comments may stand before it.
const BOARD_START: u64 = 4096;

/// A path in one line, without what would move the cursor or turn the text of a terminal around.
pub fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Opens a file.
///
/// # Errors
/// Says why it cannot be read.
pub(super) fn open(path: &Path) -> Result<File, String> {
    if path.is_dir() {
        return Err("it is a folder; give a file in it".to_owned());
    }
    File::open(path).map_err(|error| why_unreadable(path, &error))
}

/// Why a file or folder cannot be read.
pub fn why_unreadable(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("it does not exist{}", looked_up(path)),
        _ => error.to_string(),
    }
}

/// The end of a message about a path that does not exist: for a relative path, the folder in which
/// it was looked up.
pub fn looked_up(path: &Path) -> String {
    match std::env::current_dir() {
        Ok(folder) if path.is_relative() => {
            format!(" (the current folder is {})", shown(&folder))
        }
        _ => String::new(),
    }
}

/// Whether the file begins as a board drawn as text, which is no input of the bot.
pub(super) fn is_board_text(path: &Path) -> bool {
    // A pipe cannot be read again.
    let file = path.is_file().then(|| File::open(path));
    let Some(Ok(file)) = file else { return false };
    let mut start = Vec::new();
    file.take(BOARD_START).read_to_end(&mut start).ok();
    begins_as_board(&String::from_utf8_lossy(&start))
}
