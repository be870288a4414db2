//! What is the same on every Unix: programs, their ends, command lines, interrupts, the size limit
//! of files.

mod files;
mod interrupt;
mod program;
mod wait;

use std::fs::File;
use std::io;
use std::path::Path;

pub use files::survive_file_size_limit;
pub use interrupt::on_interrupt;
pub use program::{
    file_obstacle, find_program, is_format_error, program_to_start, this_file, this_program,
};
pub use wait::wait;

/// See [`split_command`](super::split_command): as a shell, without variables and patterns.
pub fn split_command(line: &str) -> Option<Vec<String>> {
    shell_words::split(line).ok()
}

/// See [`quote_word`](super::quote_word).
pub fn quote_word(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// See [`try_lock_folder`](super::try_lock_folder): a folder is opened and locked as a file is.
pub fn try_lock_folder(folder: &Path) -> io::Result<Option<File>> {
    let folder = File::open(folder)?;
    Ok(super::try_lock(&folder).then_some(folder))
}
