//! The sums over the positions of a part whose odds were computed.
//!
//! Invariant: but for the times, parts add up to the same in any order, on any machine.

use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

/// How far odds may be from the engine's that agree with them.
const AGREEMENT: f64 = 1e-6;

/// The sums of a part, or of several parts.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct OddsSums {
    pub positions: u64,
    /// The positions whose odds were computed exactly.
    pub solved: u64,
    /// Those of them whose odds are those of the engine, in every cell.
    pub agreeing: u64,
    /// The time of each position that was solved, the best of all passes, in nanoseconds.
    pub ns: Vec<u64>,
}
read_from_object!(both OddsSums);

/// The odds of the hidden cells of a position, and how long they took.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedOdds {
    pub odds: Vec<f64>,
    pub ns: u64,
}

impl OddsSums {
    /// Adds a position: its odds, and those of the engine, if they are known.
    pub fn add(&mut self, found: Option<&TimedOdds>, ours: Option<&[f64]>) {
        self.positions += 1;
        let Some(TimedOdds { odds, ns }) = found else { return };
        self.solved += 1;
        self.ns.push(*ns);
        let agrees = |ours: &[f64]| {
            let mut pairs = odds.iter().zip(ours);
            odds.len() == ours.len() && pairs.all(|(one, other)| (one - other).abs() <= AGREEMENT)
        };
        self.agreeing += u64::from(ours.is_some_and(agrees));
    }

    /// Adds another part.
    pub fn merge(&mut self, other: &OddsSums) {
        self.positions += other.positions;
        self.solved += other.solved;
        self.agreeing += other.agreeing;
        self.ns.extend(&other.ns);
    }

    /// The sums without times, which differ from run to run.
    pub fn untimed(&self) -> OddsSums {
        OddsSums { ns: Vec::new(), ..self.clone() }
    }

    /// The time within which this share of the solved positions was solved, in microseconds.
    pub fn quantile_us(&self, share: f64) -> Option<f64> {
        let mut ns = self.ns.clone();
        ns.sort_unstable();
        let rank = (share * ns.len() as f64).ceil() as usize;
        ns.get(rank.max(1) - 1).map(|ns| *ns as f64 / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(odds: &[f64], ns: u64) -> Option<TimedOdds> {
        Some(TimedOdds { odds: odds.to_vec(), ns })
    }

    #[test]
    fn positions_are_solved_and_agree_or_do_not() {
        let positions = [
            (timed(&[0.5, 0.25], 3000), Some(&[0.5, 0.25 + 1e-7][..])),
            (timed(&[0.5, 0.25], 1000), Some(&[0.5, 0.25 + 2e-6])),
            (timed(&[0.5], 2000), Some(&[0.5, 0.25])),
            (timed(&[0.5], 5000), None),
            (None, Some(&[0.5])),
        ];
        let (mut all, mut one, mut two) =
            (OddsSums::default(), OddsSums::default(), OddsSums::default());
        for (number, (found, ours)) in positions.iter().enumerate() {
            all.add(found.as_ref(), *ours);
            if number < 2 { &mut one } else { &mut two }.add(found.as_ref(), *ours);
        }
        assert_eq!((all.positions, all.solved, all.agreeing), (5, 4, 1));
        two.merge(&one);
        assert!(two != all && two.untimed() == all.untimed() && all.untimed().ns.is_empty());
        for sums in [&all, &two] {
            let quantiles = [0.0, 0.5, 0.51, 0.99, 1.0].map(|share| sums.quantile_us(share));
            assert_eq!(quantiles, [1.0, 2.0, 3.0, 5.0, 5.0].map(Some));
        }
        assert_eq!(OddsSums::default().quantile_us(0.5), None);
    }
}
