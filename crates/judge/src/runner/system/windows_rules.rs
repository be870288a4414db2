//! The rules of Windows for command lines and for the files of programs.
//!
//! A command line is split into words as Windows gives a program its arguments: a backslash is part
//! of a path, and quotes are double. A word may stand in single quotes, too, since cmd, PowerShell
//! 5 and PowerShell 7 agree on no way to type a double quote within an argument.
//!
//! Invariant: nothing here asks Windows, so that tests run these functions on every system.

use std::ffi::{OsStr, OsString};
use std::iter;
use std::path::{Path, PathBuf};

/// The extensions of files that Windows starts, in the order in which it looks for them.
const PROGRAM_EXTENSIONS: [&str; 4] = ["com", "exe", "bat", "cmd"];

/// See [`split_command`](super::split_command).
pub fn split(line: &str) -> Option<Vec<String>> {
    // Windows takes white space before the program for an empty word.
    let line = line.trim();
    if line.is_empty() {
        return Some(Vec::new());
    }
    let line = with_double_quotes(line)?;
    let words = |line: &str| windows_args::Args::parse_cmd(line).collect::<Vec<String>>();
    let split = words(&line);
    // A quote that is not closed would take in another word.
    (words(&format!("{line} end")).len() > split.len()).then_some(split)
}

/// The line with double quotes in place of single ones, which are quotes at the begin and the end
/// of a word, and part of a word elsewhere; `None` if a single quote is not closed.
fn with_double_quotes(line: &str) -> Option<String> {
    let mut converted = String::new();
    let (mut is_quoted, mut backslashes, mut is_first) = (false, 0, true);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let begins_word = !is_quoted && converted.chars().next_back().is_none_or(is_blank);
        rest = &rest[c.len_utf8()..];
        if c == '\'' && begins_word {
            let end = closing_quote(rest)?;
            converted.push_str(&quote(&rest[..end]));
            rest = &rest[end + 1..];
            is_first = false;
            continue;
        }
        // In the name of the program a backslash stands for itself before a quote, too.
        is_quoted ^= c == '"' && (is_first || backslashes % 2 == 0);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        is_first &= is_quoted || !is_blank(c);
        converted.push(c);
    }
    Some(converted)
}

/// Whether Windows ends a word at this character.
fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// Where the single quote is that ends a word, of which this is what follows the first quote.
fn closing_quote(rest: &str) -> Option<usize> {
    let mut quotes = rest.match_indices('\'').map(|(at, _)| at);
    quotes.find(|at| rest[at + 1..].chars().next().is_none_or(is_blank))
}

/// See [`quote_word`](super::quote_word).
pub fn quote(word: &str) -> String {
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

/// Whether Windows starts files with the extension of this one.
pub fn is_windows_program(file: &Path) -> bool {
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    PROGRAM_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// The file that Windows starts if a user names `file`: where this is no program, the first program
/// beside it with the same name and an extension.
pub fn windows_program(file: PathBuf, exists: impl Fn(&Path) -> bool) -> PathBuf {
    if is_windows_program(&file) {
        return file;
    }
    let with_extension = |extension: &&str| {
        let mut name = OsString::from(&file);
        name.push(".");
        name.push(extension);
        PathBuf::from(name)
    };
    let mut programs = PROGRAM_EXTENSIONS.iter().map(with_extension);
    programs.find(|program| exists(program)).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_word_is_read_as_it_was() {
        let words =
            ["", "a b", r"C:\my folder\", r"\\host\", r#"say "no""#, r#"\\" x\\"#, "'", "&"];
        let line: Vec<String> = ["bot"].iter().chain(&words).map(|word| quote(word)).collect();
        assert_eq!(split(&line.join(" ")).unwrap()[1..], words);
    }

    #[test]
    fn command_lines_are_split_as_windows_does() {
        for (line, words) in [
            ("  ", Some(vec![])),
            (" bot a ", Some(vec!["bot", "a"])),
            (r#""C:\my bots\bot.exe" a"b c"d"#, Some(vec![r"C:\my bots\bot.exe", "ab cd"])),
            (r#"bot "C:\my folder\\""#, Some(vec!["bot", r"C:\my folder\"])),
            (r#"bot a\"b"#, Some(vec!["bot", "a\"b"])),
            (r"target\release\sapper.exe -x", Some(vec![r"target\release\sapper.exe", "-x"])),
            (r#""C:\My Bots\bot.exe" --flag"#, Some(vec![r"C:\My Bots\bot.exe", "--flag"])),
            (r"'C:\My Bots\bot.exe' --flag", Some(vec![r"C:\My Bots\bot.exe", "--flag"])),
            (r#"py 'my bots\' 'a "b"' '' x"#, Some(vec!["py", r"my bots\", r#"a "b""#, "", "x"])),
            (r"py 'O'Brien's bot'  it's", Some(vec!["py", "O'Brien's bot", "it's"])),
            (r#""my bots\" 'a b'"#, Some(vec![r"my bots\", "a b"])),
            (r#"py "a \" 'b" 'c d'"#, Some(vec!["py", r#"a " 'b"#, "c d"])),
            ("bot 'a b", None),
            ("bot 'a b'c", None),
            (r#""bot a"#, None),
            (r#"bot "a\""#, None),
        ] {
            let words = words.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(split(line), words, "{line}");
        }
    }

    #[test]
    fn windows_starts_the_program_beside_a_file_without_an_extension() {
        for (file, others, expected) in [
            ("bot", &["bot.exe", "bot.cmd"][..], "bot.exe"),
            ("bot", &["bot.cmd"], "bot.cmd"),
            ("bot", &["bot.py"], "bot"),
            ("bot.1", &["bot.1.exe"], "bot.1.exe"),
            ("bot.EXE", &["bot.EXE.com"], "bot.EXE"),
            ("bot.py", &["bot.exe"], "bot.py"),
        ] {
            let exists = |file: &Path| others.iter().any(|other| file == Path::new(other));
            assert_eq!(windows_program(file.into(), exists), Path::new(expected), "{file}");
        }
    }
}
