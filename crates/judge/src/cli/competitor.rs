//! The bots of a pit: their names, command lines and time limits.
//!
//! Invariant: no two bots have the same name, and every name can be the name of a directory.

use anyhow::{Result, bail};

use crate::cli::LimitOptions;
use crate::runner::bots::BotCommand;
use crate::runner::language::Language;
use crate::runner::limits::Limits;
use crate::runner::system;

/// One bot of a pit.
#[derive(Clone, Debug)]
pub struct Competitor {
    /// The unique name.
    pub name: String,
    /// The command line as given.
    pub line: String,
    pub command: BotCommand,
    pub limits: Limits,
}

/// The bots of `--bot [NAME=]CMD` with their limits.
///
/// # Errors
/// A command line that cannot be split, a name that is given twice, or a language for an unknown
/// name.
pub fn competitors(bots: &[String], options: &LimitOptions) -> Result<Vec<Competitor>> {
    let mut competitors: Vec<Competitor> = Vec::new();
    for given in bots {
        let (name, line) = match given.split_once('=') {
            Some((name, line)) if is_name(name) => (Some(name), line),
            _ => (None, given.as_str()),
        };
        let command = BotCommand::new(Some(line))?;
        let program = program_name(command.program());
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
        let limits = options.of(&name, &command.program()[0]);
        competitors.push(Competitor { name, line: line.to_owned(), command, limits });
    }
    let is_unknown = |name: &&String| competitors.iter().all(|bot| bot.name != **name);
    let mut named = options.languages.iter().filter_map(|(name, _)| name.as_ref());
    if let Some(name) = named.find(is_unknown) {
        let names: Vec<&str> = competitors.iter().map(|bot| bot.name.as_str()).collect();
        bail!("--language: no bot is called {name}; there are {}", names.join(", "));
    }
    Ok(competitors)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_char) && !text.starts_with('.')
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.+".contains(c)
}

/// The file name of an interpreter's script, else the name of the program, as [`is_name`] allows
/// it.
fn program_name(words: &[String]) -> String {
    let allowed = |name: &str| {
        let name: String = name.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect();
        if is_name(&name) { name } else { "bot".to_owned() }
    };
    let file_name = |path: &str| allowed(path.rsplit(['/', '\\']).next().unwrap_or(path));
    let name = allowed(system::program_name(&words[0]));
    let language = Language::of_interpreter(&name);
    let has_script = language.is_some() || matches!(name.as_str(), "sh" | "bash");
    let mut arguments = words[1..].iter();
    let mut takes_text = false;
    let script = arguments.find(|word| {
        takes_text |= is_text_option(language, word);
        !word.starts_with('-')
    });
    // A text without a space may be the name of a file, as in `sh -c ./bot`.
    let is_file = |script: &&String| has_script && !(takes_text && script.contains(' '));
    script.filter(is_file).map_or(name, |file| file_name(file))
}

/// Whether an interpreter's option says that a program's text follows in place of its file, as in
/// `sh -lc TEXT`, `python3 -c TEXT` and `node --eval TEXT`.
fn is_text_option(language: Option<Language>, option: &str) -> bool {
    match language {
        Some(Language::Javascript) => ["-e", "--eval", "-p", "--print"].contains(&option),
        _ => option.starts_with('-') && !option.starts_with("--") && option.ends_with('c'),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        limits: LimitOptions,
    }

    /// The names and time limits, in seconds, of bots with a limit of 1 s.
    fn read(bots: &[&str], languages: &[&str]) -> Result<Vec<(String, u64)>> {
        let languages = languages.iter().flat_map(|language| ["--language", language]);
        let options = Options::try_parse_from(["judge"].into_iter().chain(languages))?;
        let bots: Vec<String> = bots.iter().map(|bot| (*bot).to_owned()).collect();
        let competitors = competitors(&bots, &options.limits)?;
        let name_and_time = |bot: Competitor| (bot.name, bot.limits.usual_time().as_secs());
        Ok(competitors.into_iter().map(name_and_time).collect())
    }

    #[test]
    fn names_and_times_follow_from_the_command() {
        let bots =
            ["a=x --flag", "./dir/bot", "bot", "python3 dir/my.py", r#"sh -c "a b""#, "sh ../y.sh"];
        let expected = [("a", 1), ("bot", 1), ("bot-2", 1), ("my.py", 6), ("sh", 1), ("y.sh", 1)];
        let expected = expected.map(|(name, time)| (name.to_owned(), time));
        assert_eq!(read(&bots, &[]).unwrap(), expected);
        assert_eq!(read(&["j=/x/bot"], &["j=java"]).unwrap(), [("j".to_owned(), 3)]);
        assert_eq!(read(&["node18 x.js"], &[]).unwrap(), [("x.js".to_owned(), 2)]);
        assert_eq!(read(&["py -3 dir/my.py"], &[]).unwrap(), [("my.py".to_owned(), 6)]);
        for by_env in ["env A=1 B=2 python3 my.py", "/usr/bin/env -i -u A python3 -u dir/my.py"] {
            assert_eq!(read(&[by_env], &[]).unwrap(), [("my.py".to_owned(), 6)], "{by_env}");
        }
        for no_program in ["env", "env A=1"] {
            assert_eq!(read(&[no_program], &[]).unwrap(), [("env".to_owned(), 1)]);
        }
        let bots = [
            r#"python3 -u "my bots/my bot.py" --fast"#,
            r#"sh "my bots/z.sh""#,
            r#"bash "my bots/a b.sh""#,
            r#"java -jar "my bots/x.jar""#,
            r#"bash -lc "exec ./bot""#,
            r#"python3 -uc "import bot""#,
            r#"node --eval "require('./bot')  ""#,
            "sh -c ./last",
        ];
        let expected = [
            ("my_bot.py", 6),
            ("z.sh", 1),
            ("a_b.sh", 1),
            ("x.jar", 3),
            ("bash", 1),
            ("python3", 6),
            ("node", 2),
            ("last", 1),
        ];
        let expected = expected.map(|(name, time)| (name.to_owned(), time));
        assert_eq!(read(&bots, &[]).unwrap(), expected);
        // As the judge splits them on every system.
        let windows = [
            r"C:/x/bot.exe",
            r#""C:/My Bots/bot.exe" --flag"#,
            r#"b="C:/Python 3/python.exe" a.py"#,
        ];
        let expected = [("bot", 1), ("bot-2", 1), ("b", 6)];
        let expected = expected.map(|(name, time)| (name.to_owned(), time));
        assert_eq!(read(&windows, &[]).unwrap(), expected);
        let words = [r"target\release\sapper.exe", "--keep-running"].map(str::to_owned);
        assert_eq!(program_name(&words), "sapper");
        assert_eq!(program_name(&["py", r"dir\my.py"].map(str::to_owned)), "my.py");
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
        for bad in ["cobol", "a=cobol", ""] {
            let error = read(&["a=x"], &[bad]).unwrap_err().to_string();
            assert!(error.contains("NAME=LANGUAGE") && error.contains("one of cpp, pascal"));
        }
    }
}
