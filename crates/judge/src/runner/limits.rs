//! The limits of time and memory for a bot's turn.
//!
//! Botzone limits the time by the language of the bot, and doubles it in the first turn. A limit of
//! CPU time does not depend on what else the machine does; the wall time is then limited too, to a
//! multiple, so that every wait has an end.

use std::fmt;
use std::time::{Duration, Instant};

use super::language::Language;
use super::units::{MEBIBYTE, mebibytes};

/// The time limit of a turn of a bot in C++, unless another one is given.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(1);
/// The memory limit of a bot in MiB, unless another one is given.
pub const DEFAULT_MEMORY_LIMIT_MIB: u32 = 256;
/// The factor of the time limit in the first turn of a match.
const FIRST_TURN_FACTOR: u32 = 2;
/// The factor of the wall time limit if CPU time is limited.
const WALL_FACTOR: u32 = 3;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Clock {
    /// Both clocks.
    pub const ALL: [Clock; 2] = [Clock::Wall, Clock::Cpu];

    /// The name of the clock in options.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Wall => "wall",
            Clock::Cpu => "cpu",
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
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

    /// The limits in words.
    pub fn text(&self) -> String {
        let clock = match self.clock {
            Clock::Wall => "wall",
            Clock::Cpu => "CPU",
        };
        format!(
            "{} s of {clock} time a turn, {} s for the first, {} MiB",
            self.usual_time().as_secs_f64(),
            self.time(0).as_secs_f64(),
            self.memory_limit_mib
        )
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

    #[test]
    fn the_first_turn_and_the_language_multiply_the_time() {
        let limits = Limits {
            time_limit: DEFAULT_TIME_LIMIT,
            given: Some(Language::Python),
            factor: Language::Python.time_factor(),
            clock: Clock::Cpu,
            memory_limit_mib: 100,
        };
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
        assert_eq!(limits.text(), "6 s of CPU time a turn, 12 s for the first, 100 MiB");
    }
}
