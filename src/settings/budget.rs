//! The work budget of a turn: node limits, and deadlines as a safety net.
//!
//! A node is one step of an inner loop. Every machine counts the same nodes, so a search that ends
//! at its node limit returns the same result everywhere. The deadlines only protect against a
//! machine that is much slower than expected: a search that they cut short may return different
//! results from run to run, so the node limits are set to end well before them.
//!
//! This is the only module that reads a clock. It does so through [`Clock`], so that a test can
//! pass a clock that expires at a chosen read.
//!
//! Invariant: the hard deadline is not before the soft one.
//!
//! Cost: spending nodes is an addition and two comparisons; the clock is read once in 100,000
//! nodes.

use std::fmt;
use std::time::{Duration, Instant};

/// A source of the time that has passed since the turn began.
pub trait Clock {
    /// The time since the turn began.
    fn elapsed(&self) -> Duration;
}

/// The system's monotonic clock, measured from the creation of this value.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now. A turn starts it once its input has been read.
    pub fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that always reads zero, so that node limits alone decide. For tests, benches and the
/// judge.
#[derive(Clone, Copy, Debug)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// The times after which a turn starts no new step (the soft deadline), and after which it stops
/// the running one (the hard deadline).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    soft: Duration,
    hard: Duration,
}

impl Deadlines {
    /// The deadlines of a turn without a stated time limit: 0.75 s and 0.85 s, for the second that
    /// the platform allows.
    pub const DEFAULT: Deadlines =
        Deadlines { soft: Duration::from_millis(750), hard: Duration::from_millis(850) };

    /// Deadlines that never pass.
    const NEVER: Deadlines = Deadlines { soft: Duration::MAX, hard: Duration::MAX };

    /// The share of a stated limit that a turn may use. The remainder covers the start of the
    /// process, the reading of the input, and a busy machine.
    const USED_SHARE: f64 = 0.85;

    /// The deadlines of a turn that ends soon after this time has passed, and starts no new step
    /// after 15/17 of it. With no time at all, the turn opens what one or two numbers prove safe,
    /// or else guesses by approximate odds.
    pub fn within(time: Duration) -> Deadlines {
        let Deadlines { soft, hard } = Deadlines::DEFAULT;
        Deadlines { soft: time.mul_f64(soft.as_secs_f64() / hard.as_secs_f64()), hard: time }
    }

    /// The deadlines under the platform's limit of `seconds` per turn, of which the turn uses 0.85;
    /// never later than [`Deadlines::DEFAULT`], also under a limit of more than a second.
    ///
    /// A limit that is not a positive finite number is no limit: such input has the default.
    pub fn under_limit(seconds: Option<f64>) -> Deadlines {
        let Some(seconds) = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0) else {
            return Deadlines::DEFAULT;
        };
        let used = Duration::from_secs_f64((seconds * Deadlines::USED_SHARE).min(3600.0));
        Deadlines::within(used.min(Deadlines::DEFAULT.hard))
    }

    /// The time after which no new step is started.
    pub fn soft(&self) -> Duration {
        self.soft
    }
}

/// The deadlines of one turn, and the clock that they are compared with.
///
/// ```
/// use std::time::Duration;
/// use sapper::{Deadlines, Turn, WallClock};
///
/// let clock = WallClock::start();
/// let turn = Turn { deadlines: Deadlines::within(Duration::from_millis(50)), clock: &clock };
/// assert!(turn.may_start());
/// ```
#[derive(Clone, Copy)]
pub struct Turn<'c> {
    /// The deadlines.
    pub deadlines: Deadlines,
    /// The time since the turn began.
    pub clock: &'c dyn Clock,
}

impl fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("deadlines", &self.deadlines).finish_non_exhaustive()
    }
}

impl Turn<'static> {
    /// A turn that only node limits end.
    pub const UNTIMED: Turn<'static> = Turn { deadlines: Deadlines::NEVER, clock: &NoClock };
}

impl<'c> Turn<'c> {
    /// A budget of at most `nodes` within this turn.
    pub fn budget(&self, nodes: u64) -> Budget<'c> {
        Budget { limit: nodes, used: 0, next_check: 0, turn: *self }
    }

    /// Whether a new step may be started: the soft deadline has not passed.
    pub fn may_start(&self) -> bool {
        self.deadlines.soft == Duration::MAX || self.clock.elapsed() <= self.deadlines.soft
    }
}

/// A step ended without its result: it ran out of nodes, met the hard deadline, was too large for
/// another limit, or has no result. Its caller falls back to a cheaper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetExhausted;

/// The nodes that one step may use, within the deadlines of its turn.
pub struct Budget<'c> {
    limit: u64,
    used: u64,
    next_check: u64,
    turn: Turn<'c>,
}

impl<'c> Budget<'c> {
    /// Nodes between two reads of the clock: few enough to stop soon after the hard deadline, and
    /// many enough that the reads cost nothing.
    const CHECK_EVERY: u64 = 100_000;

    /// A budget that is never exhausted, for tests and for reference implementations.
    pub fn unlimited() -> Budget<'static> {
        Budget::of_nodes(u64::MAX)
    }

    /// A budget of `limit` nodes without a clock.
    pub fn of_nodes(limit: u64) -> Budget<'static> {
        Turn::UNTIMED.budget(limit)
    }

    /// A separate budget of `limit` nodes with the same deadlines and clock.
    ///
    /// Its limit does not depend on what this budget has left, and what it uses is not charged to
    /// this budget: [`Budget::charge`] does that.
    pub fn sub_budget(&self, limit: u64) -> Budget<'c> {
        Budget { limit, used: 0, next_check: 0, ..*self }
    }

    /// The nodes that a new step may use: at most `limit`, and no more than are left; none past the
    /// soft deadline.
    pub fn step_limit(&self, limit: u64) -> u64 {
        if self.may_start() { limit.min(self.left()) } else { 0 }
    }

    /// Runs a step within a separate budget of `limit` nodes, and charges what it used.
    pub fn lend<T>(&mut self, limit: u64, step: impl FnOnce(&mut Budget<'c>) -> T) -> T {
        let mut lent = self.sub_budget(limit);
        let result = step(&mut lent);
        self.charge(lent.used);
        result
    }

    /// Charges nodes that were used under another limit.
    ///
    /// Never fails, even when they exceed what is left; the next [`Budget::spend`] does.
    pub fn charge(&mut self, nodes: u64) {
        self.used = self.used.saturating_add(nodes);
    }

    /// The number of nodes that the budget started with.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The number of nodes left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Compares the clock with the hard deadline, for work whose nodes were charged in advance.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when the hard deadline has passed.
    pub fn check_clock(&self) -> Result<(), BudgetExhausted> {
        let Turn { deadlines, clock } = self.turn;
        if clock.elapsed() > deadlines.hard { Err(BudgetExhausted) } else { Ok(()) }
    }

    /// Uses `nodes` of the budget.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when fewer are left, or when the hard deadline has passed.
    pub fn spend(&mut self, nodes: u64) -> Result<(), BudgetExhausted> {
        self.used = self.used.saturating_add(nodes);
        if self.used > self.limit {
            return Err(BudgetExhausted);
        }
        if self.used >= self.next_check {
            self.next_check = self.used.saturating_add(Budget::CHECK_EVERY);
            self.check_clock()?;
        }
        Ok(())
    }

    /// Whether a new step may be started: the soft deadline of the turn has not passed.
    pub fn may_start(&self) -> bool {
        self.turn.may_start()
    }

    /// The number of nodes used so far; more than the limit when the budget is exhausted.
    pub fn used(&self) -> u64 {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Late;
    impl Clock for Late {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
    }

    fn ten_nodes(clock: &dyn Clock) -> Budget<'_> {
        Turn { deadlines: Deadlines::DEFAULT, clock }.budget(10)
    }

    #[test]
    fn both_the_node_limit_and_the_hard_deadline_exhaust_a_budget() {
        let mut budget = ten_nodes(&NoClock);
        assert_eq!(budget.spend(10), Ok(()));
        assert_eq!((budget.spend(1), budget.used()), (Err(BudgetExhausted), 11));
        let mut late = ten_nodes(&Late);
        assert_eq!((late.spend(1), late.used()), (Err(BudgetExhausted), 1));
        assert!(late.check_clock().is_err() && budget.check_clock().is_ok());
    }

    #[test]
    fn a_sub_budget_has_its_own_nodes_and_the_same_clock() {
        let mut budget = ten_nodes(&NoClock);
        assert!(budget.spend(11).is_err());
        let mut sub_budget = budget.sub_budget(5);
        assert_eq!((sub_budget.spend(5), sub_budget.left(), budget.left()), (Ok(()), 0, 0));
        let mut budget = ten_nodes(&NoClock);
        budget.charge(4);
        assert_eq!((budget.left(), budget.used(), budget.limit()), (6, 4, 10));
        budget.charge(7);
        assert_eq!((budget.left(), budget.used()), (0, 11));
        budget.charge(u64::MAX);
        assert_eq!(budget.left(), 0);
        assert!(ten_nodes(&Late).sub_budget(10).spend(1).is_err());
    }

    #[test]
    fn a_stated_limit_only_shortens_the_deadlines() {
        let default = Deadlines::DEFAULT;
        for unusable in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(Deadlines::under_limit(unusable), default);
        }
        assert_eq!(Deadlines::under_limit(Some(1e300)).hard, default.hard);
        let short = Deadlines::under_limit(Some(0.1));
        assert_eq!(short.hard, Duration::from_millis(85));
        assert!(
            short.soft() > Duration::from_millis(74) && short.soft() < Duration::from_millis(76)
        );
    }

    #[test]
    fn a_turn_within_no_time_starts_no_step() {
        let turn = |deadlines| Turn { deadlines, clock: &Late };
        assert!(!turn(Deadlines::within(Duration::ZERO)).may_start());
        let minute = Deadlines::within(Duration::from_secs(60));
        assert_eq!((minute.hard.as_secs(), minute.soft().as_secs()), (60, 52));
        let default = Deadlines::within(Deadlines::DEFAULT.hard);
        assert!(default.soft().abs_diff(Deadlines::DEFAULT.soft) < Duration::from_micros(1));
    }
}
