//! The limits of time and memory for a bot's turn, as options.

use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::cli::parse::parse_seconds;
use crate::cli::units::{MEBIBYTE, mebibytes};

/// The factor of the time limit in the first turn of a match.
const FIRST_TURN_FACTOR: u32 = 2;
/// The factor of the wall time limit if CPU time is limited.
const WALL_FACTOR: u32 = 3;

/// The limits of a turn.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Limits {
    /// The time limit of a turn; twice as much in the first turn of a game.
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = parse_seconds)]
    pub time_limit: Duration,
    /// The time that is limited: wall time, or CPU time (and wall time to three times as much).
    #[arg(long, value_enum, default_value_t = Clock::Wall)]
    pub clock: Clock,
    /// The memory limit of all processes of a bot together, in MiB (2^20 bytes).
    #[arg(
        long = "memory-limit",
        value_name = "MIB",
        default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
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
    /// The same limits with the time limit multiplied by `factor`.
    pub fn times(self, factor: u32) -> Limits {
        Limits { time_limit: self.time_limit * factor, ..self }
    }

    /// The time limit of turn `turn`, counted from 0.
    pub fn time(&self, turn: usize) -> Duration {
        self.time_limit * if turn == 0 { FIRST_TURN_FACTOR } else { 1 }
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
        let second = Duration::from_secs(1);
        let limits = Limits { time_limit: second, clock: Clock::Cpu, memory_limit_mib: 256 };
        let start = Instant::now();
        let first = limits.times(6).turn(0, start);
        assert_eq!(
            (first.cpu, first.wall),
            (Some(Duration::from_secs(12)), Duration::from_secs(36))
        );
        let wall = Limits { clock: Clock::Wall, ..limits }.turn(3, start);
        assert_eq!((wall.cpu, wall.deadline()), (None, start + Duration::from_secs(1)));
        assert_eq!(wall.memory_bytes, 268_435_456);
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        let limits = Limits {
            time_limit: Duration::from_millis(1500),
            clock: Clock::Cpu,
            memory_limit_mib: 100,
        };
        assert_eq!(limits.options(), " --time-limit 1.5 --clock cpu --memory-limit 100");
    }
}
