//! The time of the first verdict, shared by its checks.
//!
//! Each check gets a share of the time that is left, in proportion to its weight. What it does not
//! use falls to the checks after it. So a slow bot still meets every kind of check, each with fewer
//! turns.
//!
//! Invariant: no check begins after the end, and every check that begins may ask one question.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Instant;

/// The time that is left.
pub struct Schedule {
    /// `None` if time is not limited.
    end: Option<Instant>,
    /// The weight of the checks that have not begun.
    weight: Mutex<u32>,
    /// The checks that run at the same time.
    jobs: u32,
}

/// When a check that begins now has to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Never,
    At(Instant),
}

impl Stop {
    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        matches!(self, Stop::At(end) if Instant::now() >= end)
    }
}

impl Schedule {
    /// The time until `end` for checks with this total weight.
    pub fn new(end: Option<Instant>, weight: u32, jobs: usize) -> Schedule {
        let jobs = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
        Schedule { end, weight: Mutex::new(weight), jobs }
    }

    /// The share of a check that begins `now`; `None` if no time is left.
    pub fn share(&self, weight: u32, now: Instant) -> Option<Stop> {
        let Some(end) = self.end else { return Some(Stop::Never) };
        let mut left = self.weight.lock().unwrap_or_else(PoisonError::into_inner);
        let total = (*left).max(weight);
        *left = left.saturating_sub(weight);
        let time = end.checked_duration_since(now).filter(|time| !time.is_zero())?;
        let share = time.mul_f64(f64::from(self.jobs) * f64::from(weight) / f64::from(total));
        Some(Stop::At(now + share.min(time)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn unused_time_falls_to_the_checks_after() {
        let start = Instant::now();
        let seconds = |seconds| start + Duration::from_secs(seconds);
        let schedule = Schedule::new(Some(seconds(40)), 4, 1);
        assert_eq!(schedule.share(1, start), Some(Stop::At(seconds(10))));
        // The first check used one second of its ten.
        assert_eq!(schedule.share(1, seconds(1)), Some(Stop::At(seconds(14))));
        assert_eq!(schedule.share(2, seconds(14)), Some(Stop::At(seconds(40))));
        assert_eq!(schedule.share(1, seconds(40)), None);
        assert_eq!(Schedule::new(None, 1, 1).share(1, start), Some(Stop::Never));
    }
}
