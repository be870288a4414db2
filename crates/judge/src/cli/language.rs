//! The language of a bot, by which Botzone limits its time.

use clap::ValueEnum;

use crate::cli::option_name;

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
    pub fn time_factor(self) -> u32 {
        match self {
            Language::Cpp | Language::Pascal => 1,
            Language::Javascript => 2,
            Language::Java => 3,
            Language::Python | Language::Csharp => 6,
        }
    }

    /// The language whose interpreter `program` is; `None` if it is not an interpreter.
    pub fn of_interpreter(program: &str) -> Option<Language> {
        let name = program.rsplit('/').next().unwrap_or(program);
        // The version is not part of the name: python3, python3.12, node18.
        match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" | "pypy" => Some(Language::Python),
            "node" | "nodejs" | "bun" | "deno" => Some(Language::Javascript),
            "java" => Some(Language::Java),
            "mono" | "dotnet" => Some(Language::Csharp),
            _ => None,
        }
    }
}

/// Parses `LANGUAGE` or `NAME=LANGUAGE`.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_language(text: &str) -> Result<(Option<String>, Language), String> {
    let (name, language) = match text.split_once('=') {
        Some((name, language)) => (Some(name.to_owned()), language),
        None => (None, text),
    };
    Language::from_str(language, true).map(|language| (name, language)).map_err(|_| {
        let all: Vec<String> = Language::value_variants().iter().map(option_name).collect();
        format!(
            "give LANGUAGE or NAME=LANGUAGE, such as mybot=java, with one of {}; a bot \
             in another compiled language has the time of cpp",
            all.join(", ")
        )
    })
}
