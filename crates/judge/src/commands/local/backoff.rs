//! The waits between repeats of a call that fails.
//!
//! Each wait is twice the one before, up to sixteen times the first, less a random part of up to a
//! half: clients that lost the same server do not return in step. A success starts anew.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

/// The doublings up to the longest wait.
const MAX_DOUBLINGS: u32 = 4;

/// The waits of a client.
pub struct Backoff {
    /// The longest wait after the first failure.
    pub first: Duration,
    /// The failures since the last success.
    pub failures: u32,
}

impl Backoff {
    pub fn new(first: Duration) -> Backoff {
        Backoff { first, failures: 0 }
    }

    pub fn succeed(&mut self) {
        self.failures = 0;
    }

    /// The wait after one more failure.
    pub fn fail(&mut self) -> Duration {
        let wait = self.first * (1 << self.failures.min(MAX_DOUBLINGS));
        self.failures += 1;
        // The standard library's random state is the only randomness that a wait needs.
        let random = RandomState::new().hash_one(self.failures) as f64 / u64::MAX as f64;
        wait.mul_f64(0.5 + random / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit_and_start_anew() {
        let mut backoff = Backoff::new(Duration::from_secs(2));
        for whole in [2, 4, 8, 16, 32, 32, 32] {
            let wait = backoff.fail().as_secs_f64();
            let whole = f64::from(whole);
            assert!((whole / 2.0..=whole).contains(&wait), "{wait} of {whole}");
        }
        assert_eq!(backoff.failures, 7);
        backoff.succeed();
        assert!(backoff.fail() <= Duration::from_secs(2));
    }
}
