//! The option `--jobs`.

use std::num::NonZero;
use std::thread;

use crate::cli::{Clock, parse_count};

/// How much runs at the same time.
#[derive(clap::Args, Clone, Copy)]
pub struct Jobs {
    /// How many games, turns or threads run at the same time [default: all cores; one less, and at
    /// least one, where bots are timed by the wall clock]
    #[arg(long, value_name = "N", value_parser = parse_count::<u16>)]
    jobs: Option<u16>,
}

impl Jobs {
    /// The number of threads. `clock` times the bots, if any play.
    pub fn count(self, clock: Option<Clock>) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        match (self.jobs, clock) {
            (Some(jobs), _) => jobs.into(),
            // The judge needs a core too, or it makes turns late.
            (None, Some(Clock::Wall)) => (cores() - 1).max(1),
            (None, _) => cores(),
        }
    }
}
