//! The bots of a pit: their names, command lines and time limits.
//!
//! Invariant: no two bots have the same name, and every name can be the name of a directory.

use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::bots::command::BotCommand;
use crate::cli::limits::Limits;
use crate::cli::parse::option_name;

/// A programming language that Botzone's time limits distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Language {
    Cpp,
    Pascal,
    Javascript,
    Java,
    Python,
    Csharp,
}

impl Language {
    /// Botzone's factor of the time limit.
    fn time_factor(self) -> u32 {
        match self {
            Language::Cpp | Language::Pascal => 1,
            Language::Javascript => 2,
            Language::Java => 3,
            Language::Python | Language::Csharp => 6,
        }
    }

    /// The language whose interpreter `program` is; `None` if it is not an interpreter.
    fn of_interpreter(program: &str) -> Option<Language> {
        // The version is not part of the name: python3, python3.12, node18.
        match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" | "pypy" => Some(Language::Python),
            "node" | "nodejs" | "bun" | "deno" => Some(Language::Javascript),
            "java" => Some(Language::Java),
            "mono" | "dotnet" => Some(Language::Csharp),
            _ => None,
        }
    }
}

/// Parses `NAME=LANGUAGE`.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_language(text: &str) -> Result<(String, Language), String> {
    let parts = text.split_once('=').and_then(|(name, language)| {
        Some((name.to_owned(), Language::from_str(language, true).ok()?))
    });
    parts.ok_or_else(|| {
        let all: Vec<String> = Language::value_variants().iter().map(option_name).collect();
        format!("give NAME=LANGUAGE, such as mybot=java, with one of {}", all.join(", "))
    })
}

/// One bot of a pit.
#[derive(Clone, Debug)]
pub struct Competitor {
    /// The unique name.
    pub name: String,
    /// The command line as given.
    pub line: String,
    pub command: BotCommand,
    /// The limits with the factor of the bot's language.
    pub limits: Limits,
}

/// The bots of `--bot [NAME=]CMD` with the languages of `--language NAME=LANGUAGE`.
///
/// # Errors
/// A command line that cannot be split, a name that is given twice, or a language for an unknown
/// name.
pub fn competitors(
    bots: &[String],
    languages: &[(String, Language)],
    limits: Limits,
) -> Result<Vec<Competitor>> {
    let mut competitors: Vec<Competitor> = Vec::new();
    for given in bots {
        let (name, line) = match given.split_once('=') {
            Some((name, line)) if is_name(name) => (Some(name), line),
            _ => (None, given.as_str()),
        };
        let command = BotCommand::new(Some(line))?;
        let Program { name: program, language } = program(command.words());
        let is_taken = |name: &str| competitors.iter().any(|competitor| competitor.name == name);
        let name = match name {
            Some(name) if is_taken(name) => {
                bail!("two bots are called {name}; give each its own: --bot NAME=CMD")
            }
            Some(name) => name.to_owned(),
            None if !is_taken(&program) => program,
            None => (2..)
                .map(|number| format!("{program}-{number}"))
                .find(|name| !is_taken(name))
                .expect("the numbers do not end"),
        };
        let limits = limits.times(language.map_or(1, Language::time_factor));
        competitors.push(Competitor { name, line: line.to_owned(), command, limits });
    }
    for (name, language) in languages {
        let Some(competitor) = competitors.iter_mut().find(|competitor| competitor.name == *name)
        else {
            let names: Vec<&str> =
                competitors.iter().map(|competitor| competitor.name.as_str()).collect();
            bail!("--language: no bot is called {name}; there are {}", names.join(", "));
        };
        competitor.limits = limits.times(language.time_factor());
    }
    Ok(competitors)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_char) && !text.starts_with('.')
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.+".contains(c)
}

/// The program of a command line.
struct Program {
    /// The file name of an interpreter's script, else of the program, as [`is_name`] allows it.
    name: String,
    /// The language, if the program is an interpreter.
    language: Option<Language>,
}

fn program(words: &[String]) -> Program {
    let file_name = |word: &str| {
        let file = Path::new(word).file_name().map_or(word.into(), |file| file.to_string_lossy());
        let name: String = file.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect();
        if is_name(&name) { name } else { "bot".to_owned() }
    };
    let name = file_name(&words[0]);
    let language = Language::of_interpreter(&name);
    let script = words[1..].iter().find(|word| !word.starts_with('-'));
    match script {
        // A script with spaces is the text of `sh -c`.
        Some(script) if (language.is_some() || name == "sh") && !script.contains(' ') => {
            Program { name: file_name(script), language }
        }
        _ => Program { name, language },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::limits::Clock;

    /// The names and time limits, in seconds, of bots with a limit of 1 s.
    fn read(bots: &[&str], languages: &[&str]) -> Result<Vec<(String, u64)>> {
        let second = Duration::from_secs(1);
        let limits = Limits { time_limit: second, clock: Clock::Wall, memory_limit_mib: 256 };
        let owned =
            |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let languages: Vec<_> =
            languages.iter().map(|text| parse_language(text).unwrap()).collect();
        let competitors = competitors(&owned(bots), &languages, limits)?;
        let name_and_time =
            |competitor: Competitor| (competitor.name, competitor.limits.time_limit.as_secs());
        Ok(competitors.into_iter().map(name_and_time).collect())
    }

    #[test]
    fn names_and_times_follow_from_the_command() {
        let bots =
            ["a=x --flag", "./dir/bot", "bot", "python3 dir/my.py", "sh -c 'a b'", "sh ../y.sh"];
        let expected = [("a", 1), ("bot", 1), ("bot-2", 1), ("my.py", 6), ("sh", 1), ("y.sh", 1)];
        let expected = expected.map(|(name, time)| (name.to_owned(), time));
        assert_eq!(read(&bots, &[]).unwrap(), expected);
        assert_eq!(read(&["j=/x/bot"], &["j=java"]).unwrap(), [("j".to_owned(), 3)]);
        assert_eq!(read(&["node18 x.js"], &[]).unwrap(), [("x.js".to_owned(), 2)]);
    }

    #[test]
    fn ambiguous_names_and_unknown_languages_are_refused() {
        for (bots, languages, hint) in [
            (vec!["a=x", "a=y"], vec![], "two bots are called a"),
            (vec!["a=x"], vec!["b=java"], "no bot is called b; there are a"),
            (vec!["a="], vec![], "--bot"),
        ] {
            let error = format!("{:#}", read(&bots, &languages).unwrap_err());
            assert!(error.contains(hint), "{error}");
        }
        for bad in ["java", "a=cobol", ""] {
            let error = parse_language(bad).unwrap_err();
            assert!(error.contains("NAME=LANGUAGE") && error.contains("one of cpp, pascal"));
        }
    }
}
