//! What the exact odds of clicks add up to.

use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::json::exact_number::exact_number;

/// From this variance on, a sum is close enough to normal for [`MAX_Z`].
const MIN_VARIANCE: f64 = 10.0;

/// The standardized sum up to which hits and odds fit together. A bot that sees the numbers only is
/// beyond it less than once in a thousand runs.
const MAX_Z: f64 = 4.0;

/// Sums over clicks with exact odds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Luck {
    /// The guesses: clicks that were proven neither safe nor mined.
    pub guesses: u64,
    /// The mines hit, those of survived guesses included.
    pub hits: u64,
    /// Those of them that were proven to be mines, which no guess hit. 0 in files of former
    /// versions.
    #[serde(default)]
    pub proven_mines: u64,
    /// The sum of the odds p: the hits to be expected.
    #[serde(deserialize_with = "exact_number")]
    pub expected: f64,
    /// The sum of p(1 - p): the variance of the hits.
    #[serde(deserialize_with = "exact_number")]
    pub variance: f64,
    /// The probability to survive all clicks of a game: the product of 1 - p, and 0 if a click
    /// without exact odds hit a mine.
    #[serde(deserialize_with = "exact_number")]
    pub survival: f64,
    /// The clicks whose odds are not exact; they count in `survival` only.
    pub inexact: u64,
}
read_from_object!(both Luck);

impl Default for Luck {
    fn default() -> Luck {
        Luck {
            guesses: 0,
            hits: 0,
            proven_mines: 0,
            expected: 0.0,
            variance: 0.0,
            survival: 1.0,
            inexact: 0,
        }
    }
}

impl Luck {
    /// Adds a click.
    pub fn add(&mut self, odds: Option<f64>, hit: bool) {
        let Some(odds) = odds else {
            self.inexact += 1;
            self.survival *= if hit { 0.0 } else { 1.0 };
            return;
        };
        self.guesses += u64::from(odds > 0.0 && odds < 1.0);
        self.hits += u64::from(hit);
        self.proven_mines += u64::from(hit && odds == 1.0);
        self.expected += odds;
        self.variance += odds * (1.0 - odds);
        self.survival *= 1.0 - odds;
    }

    /// The mines hit beyond the expected ones. Its mean is 0 for a bot that sees the numbers only.
    pub fn excess(&self) -> f64 {
        self.hits as f64 - self.expected
    }

    /// The excess in standard deviations.
    pub fn deviation(&self) -> f64 {
        self.excess() / self.variance.sqrt()
    }

    /// Adds the clicks of other games. `survival`, which belongs to one game, is left out.
    pub fn merge(&mut self, other: &Luck) {
        self.guesses += other.guesses;
        self.hits += other.hits;
        self.proven_mines += other.proven_mines;
        self.expected += other.expected;
        self.variance += other.variance;
        self.inexact += other.inexact;
    }

    /// The excess in standard deviations; `None` while the guesses are too few to judge by.
    pub fn z(&self) -> Option<f64> {
        (self.variance >= MIN_VARIANCE).then(|| self.deviation())
    }

    /// Whether the hits cannot be those of a bot that sees the numbers only.
    pub fn is_refuted(&self) -> bool {
        // A click that is proven safe or mined is no matter of chance.
        self.z().is_some_and(|z| z.abs() > MAX_Z)
    }
}
