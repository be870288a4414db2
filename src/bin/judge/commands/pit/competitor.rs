//! The bots of a pit: what they are called, how they are started, and how much time their language
//! gets.

use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::bots::command::BotCommand;
use crate::cli::limits::Limits;

/// A language, by the time that the platform gives it.
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
    /// How many times the time of a turn it gets on Botzone.
    fn factor(self) -> u32 {
        match self {
            Language::Cpp | Language::Pascal => 1,
            Language::Javascript => 2,
            Language::Java => 3,
            Language::Python | Language::Csharp => 6,
        }
    }

    /// The language that this program runs; `None` for one that is no interpreter.
    fn of(program: &str) -> Option<Language> {
        // python3, python3.12, node18
        match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" | "pypy" => Some(Language::Python),
            "node" | "nodejs" | "bun" | "deno" => Some(Language::Javascript),
            "java" => Some(Language::Java),
            "mono" | "dotnet" => Some(Language::Csharp),
            _ => None,
        }
    }
}

/// One bot of a pit.
#[derive(Clone, Debug)]
pub struct Competitor {
    /// Unlike those of the others, and fit to name a directory.
    pub name: String,
    /// As given.
    pub line: String,
    pub command: BotCommand,
    pub limits: Limits,
}

/// The bots of `--bot [NAME=]CMD` with the languages of `--language NAME=LANGUAGE`.
///
/// # Errors
/// When a command is none, a name is given twice, or a language is given to nobody.
pub fn competitors(
    bots: &[String],
    languages: &[String],
    limits: Limits,
) -> Result<Vec<Competitor>> {
    let mut competitors: Vec<Competitor> = Vec::new();
    for given in bots {
        let (name, line) = match given.split_once('=') {
            Some((name, line)) if is_name(name) => (Some(name), line),
            _ => (None, given.as_str()),
        };
        let command = BotCommand::new(Some(line))?;
        let (program, language) = program(command.words());
        let taken = |name: &str| competitors.iter().any(|competitor| competitor.name == name);
        let name = match name {
            Some(name) if taken(name) => {
                bail!("two bots are called {name}; call them apart: --bot NAME=CMD")
            }
            Some(name) => name.to_owned(),
            None => (1..)
                .map(
                    |number| {
                        if number == 1 { program.clone() } else { format!("{program}-{number}") }
                    },
                )
                .find(|name| !taken(name))
                .unwrap_or_default(),
        };
        let limits = limits.times(language.map_or(1, Language::factor));
        competitors.push(Competitor { name, line: line.to_owned(), command, limits });
    }
    for given in languages {
        let Some((name, language)) = given.split_once('=') else {
            bail!("--language {given}: give NAME=LANGUAGE, such as mybot=java");
        };
        let Ok(language) = Language::from_str(language, true) else {
            let all: Vec<String> = Language::value_variants()
                .iter()
                .filter_map(|language| Some(language.to_possible_value()?.get_name().to_owned()))
                .collect();
            bail!(
                "--language {given}: there is no language {language}; give one of {}",
                all.join(", ")
            );
        };
        let Some(competitor) = competitors.iter_mut().find(|competitor| competitor.name == name)
        else {
            let names: Vec<&str> =
                competitors.iter().map(|competitor| competitor.name.as_str()).collect();
            bail!("--language {given}: no bot is called {name}; there are {}", names.join(", "));
        };
        competitor.limits = limits.times(language.factor());
    }
    Ok(competitors)
}

fn is_name(text: &str) -> bool {
    let fit = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    !text.is_empty() && text.chars().all(fit) && !text.starts_with('.')
}

/// What a command runs, as a name, and in which language: an interpreter's script, else the
/// program.
fn program(words: &[String]) -> (String, Option<Language>) {
    let file = |word: &str| {
        let file = Path::new(word).file_name().map_or(word.into(), |file| file.to_string_lossy());
        let plain: String =
            file.chars().map(|c| if is_name(&format!("x{c}")) { c } else { '_' }).collect();
        if is_name(&plain) { plain } else { "bot".to_owned() }
    };
    let program = file(&words[0]);
    let language = Language::of(&program);
    let script = words[1..].iter().find(|word| !word.starts_with('-'));
    match (language.is_some() || program == "sh", script) {
        // The text of `sh -c` is no name.
        (true, Some(script)) if !script.contains(' ') => (file(script), language),
        _ => (program, language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::limits::Clock;
    use std::time::Duration;

    fn read(bots: &[&str], languages: &[&str]) -> Result<Vec<(String, u64)>> {
        let second = Duration::from_secs(1);
        let limits = Limits { time_limit: second, clock: Clock::Wall, memory_limit_mib: 256 };
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let competitors = competitors(&own(bots), &own(languages), limits)?;
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
    fn what_cannot_be_told_apart_is_refused() {
        for (bots, languages, hint) in [
            (vec!["a=x", "a=y"], vec![], "two bots are called a"),
            (vec!["a=x"], vec!["b=java"], "no bot is called b; there are a"),
            (vec!["a=x"], vec!["a=cobol"], "give one of cpp, pascal"),
            (vec!["a=x"], vec!["java"], "give NAME=LANGUAGE"),
            (vec!["a="], vec![], "--bot"),
        ] {
            let error = format!("{:#}", read(&bots, &languages).unwrap_err());
            assert!(error.contains(hint), "{error}");
        }
    }
}
