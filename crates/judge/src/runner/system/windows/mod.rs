//! Windows: what the judge asks of it, through job objects.
//!
//! | file | holds |
//! |---|---|
//! | [`tree`] | all processes of a bot, in a job: measured and ended together |
//! | [`program`] | files of programs, and why they cannot be started |
//!
//! The judge is in a job of its own, which Windows ends with the judge, however the judge ends. All
//! processes of bots are in it, because a process starts in the job of its parent. Each bot is also
//! in a job inside of that one, by which its processes are counted and ended.
//!
//! Invariant: a bot's processes are ended by closing its job, never by their ids.
//!
//! Not found until the judge ends: a process that the first one starts before it is put into its
//! job, a few microseconds after its own start. Not measured: CPU time and memory of a process that
//! has ended, other than the first one.

mod program;
mod tree;

use std::fs::File;
use std::io;
use std::iter;
use std::path::Path;

pub use program::{file_obstacle, find_program, is_format_error, this_file, this_program};
pub use tree::{Tree, end_all, stop_all};

/// What is measured less exactly than on Linux.
pub const LIMITS_NOTE: Option<&str> = Some(
    "Windows: the CPU time and the memory of a bot's further processes count only while they run",
);

/// Closing a job ends its processes, so that none is missed.
pub fn sweep() {}

/// The judge has no helper here: Windows ends a job with its last handle.
pub fn run_if_helper() -> bool {
    false
}

/// Windows has no limit of the size of files.
pub fn survive_file_size_limit() {}

/// See [`split_command`](super::split_command): as Windows gives a program its arguments. A
/// backslash is part of a path, and quotes are double.
pub fn split_command(line: &str) -> Option<Vec<String>> {
    // Windows takes white space before the program for an empty word.
    let line = line.trim();
    if line.is_empty() {
        return Some(Vec::new());
    }
    let words = |line: &str| windows_args::Args::parse_cmd(line).collect::<Vec<String>>();
    let split = words(line);
    // A quote that is not closed would take in another word.
    (words(&format!("{line} end")).len() > split.len()).then_some(split)
}

/// See [`quote_word`](super::quote_word).
pub fn quote_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || r"_-+=:,.\/@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // A backslash counts as one, except that those before a quote are written twice.
    let mut quoted = String::from('"');
    let mut backslashes = 0;
    for c in word.chars() {
        if c == '"' {
            quoted.extend(iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        quoted.push(c);
    }
    quoted.extend(iter::repeat_n('\\', backslashes));
    quoted.push('"');
    quoted
}

/// See [`open_folder`](super::open_folder): a folder cannot be locked, so that a file in it is.
pub fn open_folder(folder: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).open(folder.join(".lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_word_is_read_as_it_was() {
        let words =
            ["", "a b", r"C:\my folder\", r"\\host\", r#"say "no""#, r#"\\" x\\"#, "'", "&"];
        let line: Vec<String> = ["bot"].iter().chain(&words).map(|word| quote_word(word)).collect();
        assert_eq!(split_command(&line.join(" ")).unwrap()[1..], words);
    }

    #[test]
    fn command_lines_are_split_as_windows_does() {
        for (line, words) in [
            ("  ", Some(vec![])),
            (" bot a ", Some(vec!["bot", "a"])),
            (r#""C:\my bots\bot.exe" a"b c"d"#, Some(vec![r"C:\my bots\bot.exe", "ab cd"])),
            (r#"bot "C:\my folder\\""#, Some(vec!["bot", r"C:\my folder\"])),
            (r#"bot a\"b"#, Some(vec!["bot", "a\"b"])),
            (r#""bot a"#, None),
            (r#"bot "a\""#, None),
        ] {
            let words = words.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(split_command(line), words, "{line}");
        }
    }
}
