//! The limits of time and memory for a bot's turn, as options.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::cli::names::clock_parser;
use crate::cli::{parse_count, parse_seconds};
use crate::runner::language::Language;
use crate::runner::limits::{Clock, DEFAULT_MEMORY_LIMIT_MIB, DEFAULT_TIME_LIMIT, Limits};

/// The limits of a turn, as options: of a bot whose program tells its language.
#[derive(clap::Args)]
pub struct TurnLimits {
    /// Time limit of a turn, for C++; more in the first turn of a game and for other languages
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = parse_seconds)]
    time_limit: Duration,
    /// Limit the wall time or the CPU time of a turn
    #[arg(long, default_value_t = Clock::Wall, value_parser = clock_parser())]
    pub clock: Clock,
    /// Memory limit of all processes of a bot together, in MiB
    #[arg(long = "memory-limit", value_name = "MIB", default_value_t = DEFAULT_MEMORY_LIMIT_MIB)]
    #[arg(value_parser = parse_count::<u32>)]
    memory_limit_mib: u32,
}

/// The limits of a turn, as options: of bots in any language.
#[derive(clap::Args)]
pub struct LimitOptions {
    #[command(flatten)]
    pub turn: TurnLimits,
    /// Language of a bot: cpp, pascal, javascript, java, python or csharp [default: that of the
    /// interpreter, else cpp]
    #[arg(long = "language", value_name = "[NAME=]LANGUAGE", value_parser = parse_language)]
    pub languages: Vec<(Option<String>, Language)>,
}

impl TurnLimits {
    /// The limits of a bot with this program. A language that is `given` comes before the
    /// program's.
    pub fn of(&self, given: Option<Language>, program: &str) -> Limits {
        let TurnLimits { time_limit, clock, memory_limit_mib } = *self;
        let factor = given.or(Language::of_interpreter(program)).map_or(1, Language::time_factor);
        Limits { time_limit, given, factor, clock, memory_limit_mib }
    }
}

impl LimitOptions {
    /// The limits of the bot with this name and program.
    pub fn of(&self, name: &str, program: &str) -> Limits {
        let is_meant = |(of, _): &&(Option<String>, _)| of.as_ref().is_none_or(|of| of == name);
        let given = self.languages.iter().rfind(is_meant).map(|(_, language)| *language);
        self.turn.of(given, program)
    }

    /// The limits of the only bot of a command.
    ///
    /// # Errors
    /// Fails if a language is that of a bot with a name.
    pub fn of_one(&self, program: &str) -> Result<Limits> {
        if let Some((Some(name), _)) = self.languages.iter().find(|(name, _)| name.is_some()) {
            bail!("--language: no bot is called {name}; give the language alone");
        }
        Ok(self.of("", program))
    }
}

/// The options that give these limits, without those that have their default values.
pub fn limit_options(limits: &Limits) -> String {
    let Limits { time_limit, given, clock, memory_limit_mib, .. } = *limits;
    let mut options = String::new();
    if time_limit != DEFAULT_TIME_LIMIT {
        options.push_str(&format!(" --time-limit {}", time_limit.as_secs_f64()));
    }
    if let Some(language) = given {
        options.push_str(&format!(" --language {language}"));
    }
    if clock == Clock::Cpu {
        options.push_str(" --clock cpu");
    }
    if memory_limit_mib != DEFAULT_MEMORY_LIMIT_MIB {
        options.push_str(&format!(" --memory-limit {memory_limit_mib}"));
    }
    options
}

/// Parses `LANGUAGE` or `NAME=LANGUAGE`.
///
/// # Errors
/// Returns what to give instead.
fn parse_language(text: &str) -> Result<(Option<String>, Language), String> {
    let (name, language) = match text.split_once('=') {
        Some((name, language)) => (Some(name.to_owned()), language),
        None => (None, text),
    };
    language.parse().map(|language| (name, language)).map_err(|_: String| {
        format!(
            "give LANGUAGE or NAME=LANGUAGE, such as mybot=java, with one of {}; a bot \
             in another compiled language has the time of cpp",
            Language::ALL.map(Language::name).join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(time_limit: u64, languages: &[&str]) -> LimitOptions {
        let languages = languages.iter().map(|text| parse_language(text).unwrap()).collect();
        let time_limit = Duration::from_millis(time_limit);
        let turn = TurnLimits { time_limit, clock: Clock::Cpu, memory_limit_mib: 100 };
        LimitOptions { turn, languages }
    }

    #[test]
    fn the_last_language_for_a_bot_counts_and_then_its_program() {
        let limits = options(1000, &["java", "b=csharp"]);
        let seconds = |name, program| limits.of(name, program).usual_time().as_secs();
        assert_eq!((seconds("a", "python3"), seconds("b", "python3")), (3, 6));
        let usual = |program| options(1000, &[]).of("a", program).usual_time().as_secs();
        assert_eq!(["/usr/bin/python3.12", "node18", "./a.out"].map(usual), [6, 2, 1]);
        let error = limits.of_one("python3").unwrap_err().to_string();
        assert_eq!(error, "--language: no bot is called b; give the language alone");
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        let limits = options(1500, &["java"]).of_one("x").unwrap();
        let expected = " --time-limit 1.5 --language java --clock cpu --memory-limit 100";
        assert_eq!(limit_options(&limits), expected);
    }
}
