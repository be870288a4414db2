//! How much work a turn may do: nodes decide, the clock is the net.
//!
//! A node is one step of an inner loop, the same on every machine, so a node limit gives the same
//! answer everywhere. The clock only catches the turn that is slower than anybody measured; an answer
//! that it cuts short may differ from run to run, which is why node limits are set to end well
//! before it. This is the only module that reads a clock, and it does so through [`Clock`], so that
//! a test can pass one that expires at any tick.
//!
//! Invariant: the hard deadline is not before the soft one.

use std::time::{Duration, Instant};

/// Tells the time since the turn began.
pub trait Clock {
    /// Time since the turn began.
    fn elapsed(&self) -> Duration;
}

/// The machine's own clock, started when it is made.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now: right after the turn's input was read.
    pub fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still: node limits alone decide. For tests, benches and the judge.
#[derive(Clone, Copy, Debug)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    soft: Duration,
    hard: Duration,
}

impl Deadlines {
    /// What a turn may take when nobody says otherwise.
    pub const DEFAULT: Deadlines =
        Deadlines { soft: Duration::from_millis(450), hard: Duration::from_millis(600) };

    /// The share of a stated limit that is used: the rest is for starting the process, reading,
    /// and a machine that is busy.
    const SHARE: f64 = 0.6;

    /// The deadlines under a limit of `seconds` a turn; never later than [`Deadlines::DEFAULT`].
    ///
    /// A limit that is not a positive number is as good as none.
    pub fn under_limit(seconds: Option<f64>) -> Deadlines {
        let Some(seconds) = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0) else {
            return Deadlines::DEFAULT;
        };
        let used = Duration::from_secs_f64((seconds * Deadlines::SHARE).min(3600.0));
        let hard = used.min(Deadlines::DEFAULT.hard);
        Deadlines { soft: hard.mul_f64(0.75), hard }
    }

    /// Start no new step after this.
    pub fn soft(&self) -> Duration {
        self.soft
    }

    /// Stop whatever runs after this.
    pub fn hard(&self) -> Duration {
        self.hard
    }
}

/// When a turn has to end, and the clock that tells the time since it began.
#[derive(Clone, Copy)]
pub struct Turn<'c> {
    /// The deadlines.
    pub deadlines: Deadlines,
    /// Time since the turn began.
    pub clock: &'c dyn Clock,
}

impl<'c> Turn<'c> {
    /// A budget of at most `nodes` within this turn.
    pub fn budget(&self, nodes: u64) -> Budget<'c> {
        Budget::new(nodes, self.deadlines, self.clock)
    }

    /// Whether a new step may be started: the soft deadline has not passed.
    pub fn may_start(&self) -> bool {
        self.deadlines.soft == Duration::MAX || self.clock.elapsed() <= self.deadlines.soft
    }
}

/// The budget of a step is spent. Whoever called has a cheaper answer ready and gives that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetExhausted {
    /// Nodes used by the step that gave up.
    pub nodes: u64,
}

/// The nodes of one step, and the clock behind them.
pub struct Budget<'c> {
    limit: u64,
    used: u64,
    next_check: u64,
    turn: Turn<'c>,
}

impl<'c> Budget<'c> {
    /// Nodes between two looks at the clock: at about a nanosecond a node, every 0.1 ms.
    const CHECK_EVERY: u64 = 100_000;

    /// At most `limit` nodes, and none after the hard deadline.
    pub fn new(limit: u64, deadlines: Deadlines, clock: &'c dyn Clock) -> Budget<'c> {
        Budget { limit, used: 0, next_check: 0, turn: Turn { deadlines, clock } }
    }

    /// Nodes without limit and without clock, for slow checks.
    pub fn unlimited() -> Budget<'static> {
        Budget::new(u64::MAX, Deadlines { soft: Duration::MAX, hard: Duration::MAX }, &NoClock)
    }

    /// A budget of its own under the same clock, for work that must not depend on what was spent before.
    /// What it uses does not count here; [`Budget::charge`] does that.
    pub fn sub_budget(&self, limit: u64) -> Budget<'c> {
        Budget { limit, used: 0, next_check: 0, ..*self }
    }

    /// Takes nodes that are spent already, or have their own limit: never an error, though they may be more than were left.
    pub fn charge(&mut self, nodes: u64) {
        self.used = self.used.saturating_add(nodes);
    }

    /// All nodes that the budget began with.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Nodes left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Looks at the clock alone, for work whose size was paid for beforehand.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when the hard deadline has passed.
    pub fn check_clock(&self) -> Result<(), BudgetExhausted> {
        let Turn { deadlines, clock } = self.turn;
        if clock.elapsed() > deadlines.hard {
            Err(BudgetExhausted { nodes: self.used })
        } else {
            Ok(())
        }
    }

    /// Takes `nodes` from the budget.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when there are not as many left, or when the hard deadline has passed.
    pub fn spend(&mut self, nodes: u64) -> Result<(), BudgetExhausted> {
        self.used = self.used.saturating_add(nodes);
        if self.used > self.limit {
            return Err(BudgetExhausted { nodes: self.used });
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

    /// Nodes used so far.
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

    #[test]
    fn nodes_decide_first_and_the_clock_last() {
        let mut budget = Budget::new(10, Deadlines::DEFAULT, &NoClock);
        assert_eq!(budget.spend(10), Ok(()));
        assert_eq!(budget.spend(1), Err(BudgetExhausted { nodes: 11 }));
        let mut late = Budget::new(10, Deadlines::DEFAULT, &Late);
        assert_eq!(late.spend(1), Err(BudgetExhausted { nodes: 1 }));
        assert!(late.check_clock().is_err() && budget.check_clock().is_ok());
    }

    #[test]
    fn a_budget_apart_has_its_own_nodes_and_the_same_clock() {
        let mut budget = Budget::new(10, Deadlines::DEFAULT, &NoClock);
        assert!(budget.spend(11).is_err());
        let mut apart = budget.sub_budget(5);
        assert_eq!((apart.spend(5), apart.left(), budget.left()), (Ok(()), 0, 0));
        let mut budget = Budget::new(10, Deadlines::DEFAULT, &NoClock);
        budget.charge(4);
        assert_eq!((budget.left(), budget.used(), budget.limit()), (6, 4, 10));
        budget.charge(7);
        assert_eq!((budget.left(), budget.used()), (0, 11));
        budget.charge(u64::MAX);
        assert_eq!(budget.left(), 0);
        assert!(Budget::new(10, Deadlines::DEFAULT, &Late).sub_budget(10).spend(1).is_err());
    }

    #[test]
    fn a_stated_limit_only_shortens() {
        let default = Deadlines::DEFAULT;
        for unusable in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(Deadlines::under_limit(unusable), default);
        }
        assert_eq!(Deadlines::under_limit(Some(1e300)).hard(), default.hard());
        let short = Deadlines::under_limit(Some(0.1));
        assert_eq!(short.hard(), Duration::from_millis(60));
        assert!(short.soft() <= short.hard());
    }
}
