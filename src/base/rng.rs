//! Numbers that look random and are the same on every machine: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Invariant: the same seed gives the same numbers. Nothing here ever asks a clock or the system.

use crate::base::elementary::power_of_two;

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed; those of any two seeds have nothing to do with each other.
    pub fn new(seed: u64) -> Random {
        Random(mix(seed))
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    /// A number below `bound`, which is not zero. None is favoured by more than `bound` in 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, and without, 1.
    pub fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 * power_of_two(-53)
    }
}

/// The output of SplitMix64 for a state: neighbouring states give numbers that have nothing in common.
pub fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::elementary::power;

    #[test]
    fn numbers_are_the_published_ones_and_spread_evenly() {
        // The first outputs of SplitMix64 seeded with 0.
        assert_eq!([mix(1), mix(2)], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        let mut random = Random::new(7);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10)] += 1;
            assert!((0.0..1.0).contains(&random.share()));
        }
        // 9 degrees of freedom: above 27.9 once in a thousand.
        let chi: f64 = counts.iter().map(|&n| power(f64::from(n) - 1e4, 2) / 1e4).sum();
        assert!(chi < 27.9, "{chi}");
    }
}
