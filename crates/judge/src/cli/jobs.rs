//! The option `--jobs`.

use crate::cli::parse_count;
use crate::runner::limits::Clock;
use crate::runner::threads::default_jobs;

/// How much runs at the same time.
#[derive(clap::Args, Clone, Copy)]
pub struct JobOptions {
    /// Number of games, turns or threads at the same time [default: all cores; one less where bots
    /// are timed by the wall clock]
    #[arg(long, value_name = "N", value_parser = parse_count::<u16>)]
    jobs: Option<u16>,
}

impl JobOptions {
    /// The number of threads. `clock` times the bots, if any play.
    pub fn count(self, clock: Option<Clock>) -> usize {
        self.jobs.map_or_else(|| default_jobs(clock), usize::from)
    }
}
