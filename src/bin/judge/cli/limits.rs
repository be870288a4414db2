//! The limits of a bot's turn, of time and memory, as options.

use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::cli::parse::seconds;
use crate::cli::units::{MEBIBYTE, mebibytes};

/// The first turn of a match gets this many times the limit.
const FIRST_TURN: u32 = 2;
/// A turn whose CPU time is limited may last this many times as long by the wall's clock.
const WALL_SLACK: u32 = 3;

/// The limits of a turn.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Limits {
    /// The time of a turn; the first turn of a game gets twice as much.
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = seconds)]
    pub time_limit: Duration,
    /// Which time is limited: the wall's, or CPU time (and the wall's to three times as much).
    #[arg(long, value_enum, default_value_t = Clock::Wall)]
    pub clock: Clock,
    /// The memory of all processes of a bot, in megabytes (2^20 bytes).
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub memory_limit: u32,
}

/// Which time is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Clock {
    Wall,
    Cpu,
}

/// What a bot may take for one answer.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// When its time began.
    pub start: Instant,
    /// How long it may last.
    pub wall: Duration,
    /// How long it may compute, where that is limited by itself.
    pub cpu: Option<Duration>,
    /// In bytes.
    pub memory: u64,
}

impl Limits {
    /// The same limits with this many times the time.
    pub fn times(self, factor: u32) -> Limits {
        Limits { time_limit: self.time_limit * factor, ..self }
    }

    /// The time of turn `turn`, counted from 0.
    pub fn time(&self, turn: usize) -> Duration {
        self.time_limit * if turn == 0 { FIRST_TURN } else { 1 }
    }

    /// What is allowed in turn `turn`, counted from 0, that begins at `start`.
    pub fn turn(&self, turn: usize, start: Instant) -> Allowed {
        let time = self.time(turn);
        let memory = u64::from(self.memory_limit) * MEBIBYTE;
        match self.clock {
            Clock::Wall => Allowed { start, wall: time, cpu: None, memory },
            Clock::Cpu => Allowed { start, wall: time * WALL_SLACK, cpu: Some(time), memory },
        }
    }

    /// The options that differ from the defaults, as they are written.
    pub fn options(&self) -> String {
        let mut options = String::new();
        if self.time_limit != Duration::from_secs(1) {
            options.push_str(&format!(" --time-limit {}", self.time_limit.as_secs_f64()));
        }
        if self.clock == Clock::Cpu {
            options.push_str(" --clock cpu");
        }
        if self.memory_limit != 256 {
            options.push_str(&format!(" --memory-limit {}", self.memory_limit));
        }
        options
    }
}

impl Allowed {
    /// When its time is over.
    pub fn deadline(&self) -> Instant {
        self.start + self.wall
    }

    /// Says that `memory`, in bytes, is too much.
    pub fn exceeded(&self, memory: u64) -> String {
        format!("it had {:.0} MB, allowed are {}", mebibytes(memory), self.memory / MEBIBYTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turn_and_the_language_stretch_the_time() {
        let limits =
            Limits { time_limit: Duration::from_secs(1), clock: Clock::Cpu, memory_limit: 256 };
        let start = Instant::now();
        let first = limits.times(6).turn(0, start);
        assert_eq!(
            (first.cpu, first.wall),
            (Some(Duration::from_secs(12)), Duration::from_secs(36))
        );
        let wall = Limits { clock: Clock::Wall, ..limits }.turn(3, start);
        assert_eq!((wall.cpu, wall.deadline()), (None, start + Duration::from_secs(1)));
        assert_eq!(wall.memory, 268_435_456);
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        let limits = Limits {
            time_limit: Duration::from_millis(1500),
            clock: Clock::Cpu,
            memory_limit: 100,
        };
        assert_eq!(limits.options(), " --time-limit 1.5 --clock cpu --memory-limit 100");
    }
}
