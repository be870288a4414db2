//! How people name programs and files on a family of systems.
//!
//! Invariant: nothing here asks the system that the judge runs on, so that the rules of every
//! system are tested on each.

use std::ffi::OsStr;
use std::path::Path;

/// A family of systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conventions {
    /// Linux, macOS and every other Unix.
    Posix,
    Windows,
}

impl Conventions {
    /// Those of the system that the judge runs on.
    pub const HERE: Conventions =
        if cfg!(windows) { Conventions::Windows } else { Conventions::Posix };

    /// The path of a program in the current folder.
    pub fn in_this_folder(self, program: &str) -> String {
        match self {
            Conventions::Posix => format!("./{program}"),
            Conventions::Windows => format!(r".\{program}"),
        }
    }

    /// A path as it stands in a link, before the characters are encoded that have another meaning
    /// there.
    pub fn path_in_link(self, path: &str) -> String {
        match self {
            Conventions::Posix => path.to_owned(),
            Conventions::Windows => path.replace('\\', "/"),
        }
    }

    /// A command that lets a shell run this line, as it is typed: with quotes that are easy to read
    /// where that is possible. `quote` quotes a word for the user's shell.
    pub fn with_shell(self, line: &str, quote: impl Fn(&str) -> String) -> String {
        match self {
            Conventions::Posix if line.contains(['\'', '"', '$', '`', '\\', '!']) => {
                quote(&format!("sh -c {}", quote(line)))
            }
            Conventions::Posix => format!("\"sh -c '{line}'\""),
            Conventions::Windows => quote(&format!("cmd /c {}", self.quote_within(line, &quote))),
        }
    }

    /// A word of a command line that stands in quotes itself, such as the value of `--bot`. On
    /// Windows single quotes are the only ones that every shell passes on within double ones.
    /// `quote` quotes a word for the user's shell.
    pub fn quote_within(self, word: &str, quote: impl Fn(&str) -> String) -> String {
        let quoted = quote(word);
        let is_plain = quoted == word || word.contains(['\'', '"']);
        if self == Conventions::Windows && !is_plain { format!("'{word}'") } else { quoted }
    }

    /// The first part of a command line that only a shell acts on, outside of quotes: an operator,
    /// or what a shell replaces by something else.
    pub fn shell_syntax(self, line: &str) -> Option<&str> {
        let operators = match self {
            Conventions::Posix => "|&;<>`",
            // A semicolon stands between the parts of a class path.
            Conventions::Windows => "|&<>",
        };
        let is_posix = self == Conventions::Posix;
        let mut quote = None;
        let mut characters = line.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            let begins_word = line[..at].chars().next_back().is_none_or(char::is_whitespace);
            match (character, quote) {
                ('\\', None | Some('"')) => {
                    characters.next_if(|_| is_posix || next == Some('"'));
                }
                // Windows has no single quotes; there the judge takes those around a word for some.
                ('\'', Some('\'')) if !is_posix && !next.is_none_or(char::is_whitespace) => {}
                (_, Some(open)) if character == open => quote = None,
                ('"', None) => quote = Some('"'),
                ('\'', None) if is_posix || begins_word => quote = Some('\''),
                (_, None) if operators.contains(character) => {
                    let length = line[at..].find(|c| !operators.contains(c));
                    return Some(&line[at..length.map_or(line.len(), |length| at + length)]);
                }
                ('$', None) if is_posix && next.is_some_and(is_after_dollar) => {
                    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let name = line[at + 1..].find(|c| !is_name(c)).unwrap_or(line.len() - at - 1);
                    return Some(&line[at..at + 1 + name.max(1)]);
                }
                ('~', None) if is_posix && begins_word && next == Some('/') => {
                    return Some(&line[at..=at]);
                }
                _ => {}
            }
        }
        None
    }

    /// How a program is started with a variable of its own.
    pub fn with_variable(self) -> &'static str {
        match self {
            Conventions::Posix => "env NAME=VALUE CMD",
            Conventions::Windows => "cmd /c 'set NAME=VALUE&& CMD'",
        }
    }

    /// The value of `--bot` that starts a file which the system cannot start itself, as it is
    /// typed. `quote` quotes a word for the user's shell.
    pub fn with_interpreter(self, file: &str, quote: impl Fn(&str) -> String) -> String {
        let interpreter = self.interpreter(file).unwrap_or(self.python());
        quote(&format!("{interpreter} {}", self.quote_within(file, &quote)))
    }

    /// What starts a file of this name, where the name tells.
    pub fn interpreter(self, file: &str) -> Option<&'static str> {
        let extension = Path::new(file).extension().and_then(OsStr::to_str).unwrap_or_default();
        Some(match extension.to_ascii_lowercase().as_str() {
            "py" => self.python(),
            "js" | "mjs" | "cjs" => "node",
            "jar" => "java -jar",
            "dll" => "dotnet",
            "sh" => "sh",
            "rb" => "ruby",
            "pl" => "perl",
            "lua" => "lua",
            "php" => "php",
            _ => return None,
        })
    }

    fn python(self) -> &'static str {
        match self {
            Conventions::Posix => "python3",
            // The launcher that an installation of Python puts on the PATH.
            Conventions::Windows => "py",
        }
    }

    /// What stands between files within a word: in the text of `sh -c`, in a class path, after an
    /// option.
    pub fn separators(self) -> &'static [char] {
        match self {
            Conventions::Posix => {
                &[' ', '\t', '\n', '=', ':', ',', ';', '&', '|', '<', '>', '(', ')', '"', '\'']
            }
            // A colon follows the letter of a drive.
            Conventions::Windows => {
                &[' ', '\t', '\n', '=', ',', ';', '&', '|', '<', '>', '(', ')', '"', '\'']
            }
        }
    }
}

/// Whether a shell takes a dollar sign before this character for the begin of a variable.
fn is_after_dollar(character: char) -> bool {
    character.is_ascii_alphabetic() || "_{(".contains(character)
}

/// The name of a program without its folder, and without the `.exe` of Windows. The rule is the
/// same on every system: a Unix may start programs of Windows.
pub fn program_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    match name.len().checked_sub(4).and_then(|end| name.split_at_checked(end)) {
        Some((stem, end)) if !stem.is_empty() && end.eq_ignore_ascii_case(".exe") => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::Conventions::{Posix, Windows};
    use super::*;
    use crate::runner::system::windows_rules;

    #[test]
    fn a_program_has_the_same_name_on_every_system() {
        for (program, name) in [
            ("bot", "bot"),
            ("./dir/bot", "bot"),
            ("bot.exe", "bot"),
            (r"target\release\sapper.exe", "sapper"),
            (r"C:\My Bots\BOT.EXE", "BOT"),
            (r"C:\Python312/python3.12.exe", "python3.12"),
            ("my.bot", "my.bot"),
            (".exe", ".exe"),
            ("é.exe", "é"),
            ("日本", "日本"),
            ("", ""),
        ] {
            assert_eq!(program_name(program), name, "{program}");
        }
    }

    #[test]
    fn a_file_without_an_interpreter_gets_one_that_its_system_has() {
        let posix = |word: &str| match word.contains(' ') {
            true => format!("'{word}'"),
            false => word.to_owned(),
        };
        for (file, on_posix, on_windows) in [
            ("bot.py", "'python3 bot.py'", r#""py bot.py""#),
            ("bot", "'python3 bot'", r#""py bot""#),
            ("bots/Bot.JS", "'node bots/Bot.JS'", r#""node bots/Bot.JS""#),
            ("bot.jar", "'java -jar bot.jar'", r#""java -jar bot.jar""#),
            ("bot.dll", "'dotnet bot.dll'", r#""dotnet bot.dll""#),
            ("bot.rb", "'ruby bot.rb'", r#""ruby bot.rb""#),
            ("bot.sh", "'sh bot.sh'", r#""sh bot.sh""#),
        ] {
            assert_eq!(Posix.with_interpreter(file, posix), on_posix);
            assert_eq!(Windows.with_interpreter(file, windows_rules::quote), on_windows);
        }
        let with_blank = Windows.with_interpreter(r"C:\My Bots\bot.py", windows_rules::quote);
        assert_eq!(with_blank, r#""py 'C:\My Bots\bot.py'""#);
        // What the shell passes on is a command line of two words.
        let line = windows_rules::split(&format!("judge {with_blank}")).unwrap().remove(1);
        let words = windows_rules::split(&line).unwrap();
        assert_eq!(words, ["py", r"C:\My Bots\bot.py"]);
        for word in ["a b", "", "it's mine", r#"say "no""#, r"C:\My Bots\", "bot.py"] {
            let line = format!("py {}", Windows.quote_within(word, windows_rules::quote));
            assert_eq!(windows_rules::split(&line).unwrap(), ["py", word], "{line}");
        }
    }

    #[test]
    fn a_shell_is_named_with_its_line() {
        let quote = |word: &str| format!("<{word}>");
        assert_eq!(Posix.with_shell("a | b", quote), "\"sh -c 'a | b'\"");
        assert_eq!(Posix.with_shell("a > $X", quote), "<sh -c <a > $X>>");
        assert_eq!(Windows.with_shell("a | b", windows_rules::quote), r#""cmd /c 'a | b'""#);
    }

    #[test]
    fn what_only_a_shell_acts_on_is_found_outside_of_quotes() {
        for (line, found) in [
            ("cat | head", Some("|")),
            ("./bot >/tmp/out", Some(">")),
            ("./bot 2>>log", Some(">>")),
            ("./bot <in", Some("<")),
            ("cd x && ./bot", Some("&&")),
            ("cd x; ./bot", Some(";")),
            ("./bot &", Some("&")),
            ("./bot `cat args`", Some("`")),
            ("./bot $HOME/x", Some("$HOME")),
            ("./bot ${X}", Some("${")),
            ("./bot $(cat x)", Some("$(")),
            ("~/bot", Some("~")),
            ("./bot ~/x", Some("~")),
            ("sh -c 'cat | head'", None),
            ("sh -c \"cat | head\"", None),
            ("./bot 'it\\' \"'\" a\\|b \"\\\"|\"", None),
            ("./bot \"a\" | \"b\"", Some("|")),
            ("./bot a~/b $5 100$ ~x", None),
            ("python3 bot.py --x=1,2 -y", None),
        ] {
            assert_eq!(Posix.shell_syntax(line), found, "{line}");
        }
        for (line, found) in [
            (r"type a | bot", Some("|")),
            (r"bot.exe > out", Some(">")),
            (r#""C:\a & b\bot.exe" it's a;b $x ~/x"#, None),
            (r#"cmd /c "a | b""#, None),
            ("cmd /c 'a | b'", None),
            ("py 'O'Brien & son' | b", Some("|")),
            ("py it's | 'b'", Some("|")),
            (r#"bot "a\"|" b"#, None),
            (r#"bot C:\x\ & b"#, Some("&")),
        ] {
            assert_eq!(Windows.shell_syntax(line), found, "{line}");
        }
    }

    #[test]
    fn files_within_a_word_are_told_apart() {
        let files = |system: Conventions, word: &'static str| {
            word.split(system.separators()).collect::<Vec<_>>()
        };
        assert_eq!(files(Posix, "a.jar:b.jar"), ["a.jar", "b.jar"]);
        assert_eq!(files(Windows, r"C:\a.jar;C:\b.jar"), [r"C:\a.jar", r"C:\b.jar"]);
        assert_eq!(files(Windows, r"--net=C:\x.bin"), ["--net", r"C:\x.bin"]);
    }

    #[test]
    fn a_path_in_a_link_has_slashes() {
        assert_eq!(Posix.path_in_link(r"pages/a\b.html"), r"pages/a\b.html");
        assert_eq!(Windows.path_in_link(r"target\pages/a.html"), "target/pages/a.html");
    }

    #[test]
    fn a_path_in_the_current_folder_is_written_as_on_the_system() {
        assert_eq!(Posix.in_this_folder("bot"), "./bot");
        assert_eq!(Windows.in_this_folder("bot.exe"), r".\bot.exe");
    }
}
