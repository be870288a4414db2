//! The limits of time and memory for a bot's turn, as options.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::cli::language::parse_language;
use crate::cli::{Language, option_name, parse_count, parse_seconds};
use crate::runner::units::MEBIBYTE;
use crate::runner::units::mebibytes;

/// The factor of the time limit in the first turn of a match.
const FIRST_TURN_FACTOR: u32 = 2;
/// The factor of the wall time limit if CPU time is limited.
const WALL_FACTOR: u32 = 3;

/// The limits of a turn, as options.
#[derive(clap::Args)]
pub struct LimitOptions {
    /// The time limit of a turn of a bot in C++ or Pascal; twice as much for JavaScript, 3 times as
    /// much for Java, 6 times for Python and C#; all twice as much in the first turn of a game
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = parse_seconds)]
    time_limit: Duration,
    /// The language of a bot, or of all: cpp, pascal, javascript, java, python or csharp [default:
    /// the one whose interpreter the program is, else cpp]
    #[arg(long = "language", value_name = "[NAME=]LANGUAGE", value_parser = parse_language)]
    pub languages: Vec<(Option<String>, Language)>,
    /// The time that is limited: wall time, or CPU time (and wall time to three times as much)
    #[arg(long, value_enum, default_value_t = Clock::Wall)]
    pub clock: Clock,
    /// The memory limit of all processes of a bot together, in MiB (2^20 bytes)
    #[arg(long = "memory-limit", value_name = "MIB", default_value_t = 256)]
    #[arg(value_parser = parse_count::<u32>)]
    memory_limit_mib: u32,
}

impl LimitOptions {
    /// The limits of the bot with this name and program.
    pub fn of(&self, name: &str, program: &str) -> Limits {
        let LimitOptions { time_limit, ref languages, clock, memory_limit_mib } = *self;
        let is_meant = |(of, _): &&(Option<String>, _)| of.as_ref().is_none_or(|of| of == name);
        let given = languages.iter().rfind(is_meant).map(|(_, language)| *language);
        let factor = given.or(Language::of_interpreter(program)).map_or(1, Language::time_factor);
        Limits { time_limit, given, factor, clock, memory_limit_mib }
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

/// The limits of a bot.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time limit of a turn in C++.
    pub time_limit: Duration,
    /// The language, if it is stated.
    pub given: Option<Language>,
    /// The factor of the language.
    pub factor: u32,
    pub clock: Clock,
    pub memory_limit_mib: u32,
}

/// The time that is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Clock {
    Wall,
    Cpu,
}

/// The limits of one answer.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    /// The start of the turn.
    pub start: Instant,
    pub wall: Duration,
    /// `None` if only wall time is limited.
    pub cpu: Option<Duration>,
    pub memory_bytes: u64,
}

impl Limits {
    /// The time limit of a turn that is not the first.
    pub fn usual_time(&self) -> Duration {
        self.time_limit * self.factor
    }

    /// The time limit of turn `turn`, counted from 0.
    pub fn time(&self, turn: usize) -> Duration {
        self.usual_time() * if turn == 0 { FIRST_TURN_FACTOR } else { 1 }
    }

    /// The limits of turn `turn`, counted from 0, that starts at `start`.
    pub fn turn(&self, turn: usize, start: Instant) -> TurnLimits {
        let time = self.time(turn);
        let (wall, cpu) = match self.clock {
            Clock::Wall => (time, None),
            Clock::Cpu => (time * WALL_FACTOR, Some(time)),
        };
        let memory_bytes = u64::from(self.memory_limit_mib) * MEBIBYTE;
        TurnLimits { start, wall, cpu, memory_bytes }
    }

    /// The options that differ from the defaults, as on a command line.
    pub fn options(&self) -> String {
        let mut options = String::new();
        if self.time_limit != Duration::from_secs(1) {
            options.push_str(&format!(" --time-limit {}", self.time_limit.as_secs_f64()));
        }
        if let Some(language) = self.given {
            options.push_str(&format!(" --language {}", option_name(&language)));
        }
        if self.clock == Clock::Cpu {
            options.push_str(" --clock cpu");
        }
        if self.memory_limit_mib != 256 {
            options.push_str(&format!(" --memory-limit {}", self.memory_limit_mib));
        }
        options
    }
}

impl TurnLimits {
    /// The end of the wall time.
    pub fn deadline(&self) -> Instant {
        self.start + self.wall
    }

    /// The message for a bot that took more than the wall time.
    pub fn wall_exceeded(&self) -> String {
        let kind = if self.cpu.is_some() { " of wall time" } else { "" };
        format!("more than {} s{kind}", self.wall.as_secs_f64())
    }

    /// The message for a bot that used this many bytes of memory.
    pub fn memory_exceeded(&self, bytes: u64) -> String {
        let limit = self.memory_bytes / MEBIBYTE;
        format!("it used {:.0} MiB; the limit is {limit} MiB", mebibytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(time_limit: u64, languages: &[&str]) -> LimitOptions {
        let languages = languages.iter().map(|text| parse_language(text).unwrap()).collect();
        let time_limit = Duration::from_millis(time_limit);
        LimitOptions { time_limit, languages, clock: Clock::Cpu, memory_limit_mib: 100 }
    }

    #[test]
    fn the_first_turn_and_the_language_multiply_the_time() {
        let limits = options(1000, &["python"]).of_one("./bot").unwrap();
        let start = Instant::now();
        let first = limits.turn(0, start);
        assert_eq!(
            (first.cpu, first.wall),
            (Some(Duration::from_secs(12)), Duration::from_secs(36))
        );
        let wall = Limits { clock: Clock::Wall, factor: 1, ..limits };
        let wall = wall.turn(3, start);
        assert_eq!((wall.cpu, wall.deadline()), (None, start + Duration::from_secs(1)));
        assert_eq!(wall.memory_bytes, 104_857_600);
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
        assert_eq!(limits.options(), expected);
    }
}
