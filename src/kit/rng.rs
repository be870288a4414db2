//! A seeded pseudorandom generator: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Invariant: the same seed gives the same numbers on every machine; neither a clock nor the system
//! is a source of randomness.

use crate::kit::elementary::power_of_two;

/// A stream of pseudorandom numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed. The streams of different seeds, even consecutive ones, are
    /// uncorrelated.
    pub fn new(seed: u64) -> Random {
        Random(mix(seed))
    }

    /// The stream of a seed and an index: that of a hash of both.
    pub fn indexed(seed: u64, index: usize) -> Random {
        Random::new(mix(seed).wrapping_add(index as u64))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    /// A number below `bound`, which is not zero. The bias is at most `bound` in 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * power_of_two(-53)
    }
}

/// The output function of SplitMix64: consecutive states give uncorrelated numbers.
pub fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::elementary::power;

    #[test]
    fn outputs_are_the_published_ones_and_uniform() {
        // The first outputs of SplitMix64 seeded with 0.
        assert_eq!([mix(1), mix(2)], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        let mut random = Random::new(7);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10)] += 1;
            assert!((0.0..1.0).contains(&random.next_f64()));
        }
        // The 99.9th percentile of chi-squared with 9 degrees of freedom.
        let chi: f64 = counts.iter().map(|&n| power(f64::from(n) - 1e4, 2) / 1e4).sum();
        assert!(chi < 27.9, "{chi}");
    }

    #[test]
    fn streams_of_indices_differ() {
        let first = |seed, index| Random::indexed(seed, index).next_u64();
        assert_eq!(first(3, 4), first(3, 4));
        let others =
            [first(3, 4), first(3, 5), first(4, 4), first(4, 3), Random::new(3).next_u64()];
        for (at, one) in others.iter().enumerate() {
            assert!(!others[..at].contains(one), "{others:?}");
        }
    }
}
