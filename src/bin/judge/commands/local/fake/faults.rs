//! What goes wrong at the fake server, drawn from a seed.

use clap::ValueEnum;
use sapper::base::rng::Random;

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
    /// A match is aborted, up to a third of all
    Abort,
    /// The server restarts: all connections end, and new ones are refused for a moment
    Restart,
    /// Status 431 (too large) for a poll whose headers exceed 1 KiB, so that many answers must be
    /// split over several polls; other servers allow 16 KiB
    HeaderLimit,
}

/// One poll in this many has a fault.
const PERIOD: usize = 3;

/// The faults of a run.
pub struct Faults {
    /// The kinds that happen to a poll.
    kinds: Vec<Fault>,
    has_header_limit: bool,
    random: Random,
}

impl Faults {
    pub fn new(given: &[Fault], seed: u64) -> Faults {
        let is_given = |kind: &Fault| given.contains(kind) || given.contains(&Fault::All);
        let all = Fault::value_variants().iter().copied();
        let of_polls = |kind: &Fault| !matches!(kind, Fault::All | Fault::HeaderLimit);
        Faults {
            kinds: all.filter(of_polls).filter(is_given).collect(),
            has_header_limit: is_given(&Fault::HeaderLimit),
            random: Random::new(seed),
        }
    }

    /// The fault of the next poll.
    pub fn next(&mut self) -> Option<Fault> {
        let is_faulty = !self.kinds.is_empty() && self.random.below(PERIOD) == 0;
        is_faulty.then(|| self.kinds[self.random.below(self.kinds.len())])
    }

    /// One of two.
    pub fn flip(&mut self) -> bool {
        self.random.below(2) == 0
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// The most bytes of a request's headers.
    pub fn header_limit(&self) -> usize {
        if self.has_header_limit { 1 << 10 } else { 16 << 10 }
    }
}
