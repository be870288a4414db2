//! The machine that measures, and how fast it is.

use std::hint::black_box;

use cpu_time::ThreadTime;
use sapper::kit::object::read_from_object;
use sapper::kit::rng::mix;
use serde::{Deserialize, Serialize};

use crate::runner::system;

/// A machine, as a stored figure states it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Machine {
    /// The processor, as the system names it.
    pub processor: String,
    pub system: String,
    /// Instructions per second of a fixed run, in millions.
    pub speed_mips: u32,
    /// The compiler that built the judge.
    pub compiler: String,
}
read_from_object!(both Machine);

/// The steps of the fixed run.
const STEPS: u64 = 20_000_000;
/// The instructions of a step: [`mix`] and the loop, counted on x86-64 with `valgrind
/// --tool=callgrind`. They depend on each other, so that the run measures the speed of a core, and
/// neither its width nor its memory.
const INSTRUCTIONS_A_STEP: u64 = 18;

impl Machine {
    /// This machine. Its speed takes a tenth of a second to measure.
    pub fn this() -> Machine {
        let measure = |_| {
            let started = ThreadTime::now();
            black_box((0..STEPS).fold(1, |value, step| mix(black_box(value) ^ step)));
            started.elapsed()
        };
        // The fastest of three runs is least disturbed by others.
        let fastest = (0..3).map(measure).min().unwrap_or_default();
        let instructions = (STEPS * INSTRUCTIONS_A_STEP) as f64;
        Machine {
            processor: system::processor_name(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            speed_mips: (instructions / fastest.as_secs_f64() / 1e6).round() as u32,
            compiler: env!("JUDGE_COMPILER").to_owned(),
        }
    }
}
