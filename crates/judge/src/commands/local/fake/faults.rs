//! What goes wrong at the fake server, drawn from a seed.

use clap::ValueEnum;
use sapper::kit::rng::Random;

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum Fault {
    /// All of them
    All,
    /// Status 502 before the answers are taken
    BadGateway,
    /// Status 502 after the answers were taken
    Lost,
    /// Status 504 after a wait
    Timeout,
    /// No response, before or after the answers are taken
    Silent,
    /// The connection is closed, before or after the answers are taken
    Drop,
    /// Status 200 with a body that is cut off or of another kind
    Broken,
    /// Requests come twice, with earlier ones among them, in another order
    Duplicate,
    /// One of four matches is aborted, after one to ten answers
    Abort,
    /// The server restarts: all connections end, and new ones are refused for a moment
    Restart,
    /// Status 431 (too large) for a poll whose headers exceed 2 KiB, so that many answers must be
    /// split over several polls; the site's limit is not known, and other servers allow 8 KiB
    HeaderLimit,
}

/// One poll in this many has a fault.
const PERIOD: usize = 3;
/// How often a quick fault happens for each that costs the client a wait.
const QUICK_FAULTS: usize = 3;
/// One match in this many is aborted.
const ABORT_PERIOD: usize = 4;
/// The most answers of a match that is aborted: so few that every match has them.
const MAX_ABORT_ANSWERS: usize = 10;

/// The faults of a run.
///
/// Invariant: all kinds happen before a kind is over-represented, since they are drawn without
/// replacement.
pub struct Faults {
    /// The kinds that happen to a poll, each as often as its share.
    kinds: Vec<Fault>,
    /// Those that are still to be drawn before all are drawn again.
    left: Vec<Fault>,
    has_aborts: bool,
    has_header_limit: bool,
    pub random: Random,
}

impl Faults {
    pub fn new(given: &[Fault], seed: u64) -> Faults {
        let is_given = |kind: &Fault| given.contains(kind) || given.contains(&Fault::All);
        let all = Fault::value_variants().iter().copied();
        let share = |kind: Fault| match kind {
            Fault::All | Fault::Abort | Fault::HeaderLimit => 0,
            Fault::Timeout | Fault::Silent | Fault::Restart => 1,
            _ => QUICK_FAULTS,
        };
        let of_polls = all.filter(is_given).flat_map(|kind| vec![kind; share(kind)]);
        Faults {
            kinds: of_polls.collect(),
            left: Vec::new(),
            has_aborts: is_given(&Fault::Abort),
            has_header_limit: is_given(&Fault::HeaderLimit),
            random: Random::new(seed),
        }
    }

    /// The fault of the next poll.
    pub fn next(&mut self) -> Option<Fault> {
        if self.kinds.is_empty() || self.random.below(PERIOD) != 0 {
            return None;
        }
        if self.left.is_empty() {
            self.left.clone_from(&self.kinds);
        }
        Some(self.left.swap_remove(self.random.below(self.left.len())))
    }

    /// The number of answers after which a match, counted from 1, is aborted.
    pub fn abort_after(&mut self, number: usize) -> Option<usize> {
        let is_aborted = self.has_aborts && number % ABORT_PERIOD == ABORT_PERIOD - 1;
        is_aborted.then(|| 1 + self.random.below(MAX_ABORT_ANSWERS))
    }

    /// The most bytes of a request's headers.
    pub fn header_limit(&self) -> usize {
        if self.has_header_limit { 2 << 10 } else { 16 << 10 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_fault_of_polls_happens_and_those_with_a_wait_are_rarer() {
        let mut faults = Faults::new(&[Fault::All], 1);
        let rounds = 10;
        let mut counts: BTreeMap<Fault, usize> = BTreeMap::new();
        for _ in 0..rounds * faults.kinds.len() {
            let fault = (0..).find_map(|_| faults.next()).unwrap();
            *counts.entry(fault).or_default() += 1;
        }
        assert_eq!(counts.len(), Fault::value_variants().len() - 3);
        for (fault, count) in counts {
            let is_slow = matches!(fault, Fault::Timeout | Fault::Silent | Fault::Restart);
            assert_eq!(count, if is_slow { rounds } else { rounds * QUICK_FAULTS }, "{fault:?}");
        }
        let only_slow = &mut Faults::new(&[Fault::Silent], 1);
        assert_eq!((0..100).find_map(|_| only_slow.next()), Some(Fault::Silent));
    }
}
