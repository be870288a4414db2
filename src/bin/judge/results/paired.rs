//! The comparison of two bots on the same boards: the paired difference of a measure, and its
//! interval.
//!
//! Invariant: an interval without 0 is evidence of a difference. The interval of games won or clean
//! excludes 0 if and only if the exact sign test does. Other measures use Student's t; while at
//! most [`MAX_FLIPPED`] boards differ, 0 is excluded only if the exact permutation test of the
//! signs excludes it too.

use comfy_table::Table;
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use super::statistics::{MAX_FLIPPED, Mean, paired_shares, sign_flips};
use super::table;

/// With fewer boards that differ, no test is significant: five signs are all equal by chance once
/// in 16 times.
pub const MIN_DIFFERING: u64 = 6;

/// An empty table for [`Paired::columns`].
pub fn table() -> Table {
    table::empty(["", "boards", "A", "B", "B - A", "95 %", "s.e.", "B better", "equal", "B worse"])
}

/// The kind of a measure.
#[derive(Clone, Copy)]
enum Kind {
    /// 100 for a game that is won (or clean), and 0 for any other.
    Percent,
    /// Values that differ by at most `max_difference`, which may be infinite.
    Values { max_difference: f64 },
}

/// A measure over the boards for which both bots have a value.
pub struct Paired {
    kind: Kind,
    a: Mean,
    b: Mean,
    /// B - A.
    pub difference: Mean,
    b_better: u64,
    equal: u64,
    b_worse: u64,
    /// The first differences that are not 0: at most one more than [`MAX_FLIPPED`].
    nonzero: Vec<f64>,
}

impl Paired {
    /// A measure without boards, of games that are won (100) or not (0).
    pub fn percent() -> Paired {
        Paired::new(Kind::Percent)
    }

    /// A measure without boards, of values that differ by at most `max_difference`, which may be
    /// infinite.
    pub fn values(max_difference: f64) -> Paired {
        Paired::new(Kind::Values { max_difference })
    }

    fn new(kind: Kind) -> Paired {
        let [a, b, difference] = [Mean::default(); 3];
        Paired { kind, a, b, difference, b_better: 0, equal: 0, b_worse: 0, nonzero: Vec::new() }
    }

    /// Adds a board with the values of A and B. `gain` is positive if B is better.
    pub fn add(&mut self, a: f64, b: f64, gain: f64) {
        self.a.add(a);
        self.b.add(b);
        self.difference.add(b - a);
        self.b_better += u64::from(gain > 0.0);
        self.equal += u64::from(gain == 0.0);
        self.b_worse += u64::from(gain < 0.0);
        if a != b && self.nonzero.len() <= MAX_FLIPPED {
            self.nonzero.push(b - a);
        }
    }

    /// The number of boards on which the two differ.
    pub fn differing(&self) -> u64 {
        self.b_better + self.b_worse
    }

    /// Whether too few boards differ for any test.
    pub fn too_few(&self) -> bool {
        self.differing() < MIN_DIFFERING
    }

    /// The 95 % interval of B - A; `None` if it is unbounded.
    pub fn interval(&self) -> Option<(f64, f64)> {
        // One board has no interval, whatever the measure.
        let boards = Some(self.difference.count()).filter(|&boards| boards > 1)?;
        match self.kind {
            Kind::Percent => {
                let (low, high) = paired_shares(self.b_better, self.b_worse, boards);
                Some((100.0 * low, 100.0 * high))
            }
            Kind::Values { max_difference } => {
                let (low, high) = self.difference.interval(-max_difference..=max_difference)?;
                let few = self.nonzero.len() <= MAX_FLIPPED;
                let may_be_chance = few && sign_flips(&self.nonzero) > 0.05;
                Some(if may_be_chance { (low.min(0.0), high.max(0.0)) } else { (low, high) })
            }
        }
    }

    /// The measure as JSON.
    pub fn json(&self) -> Value {
        let error = Some(self.difference.standard_error()).filter(|error| error.is_finite());
        json!({
            "boards": self.difference.count(),
            "a": self.a.value(),
            "b": self.b.value(),
            "difference": self.difference.value(),
            "standard_error": error,
            "interval": self.interval(),
            "too_few_boards": self.too_few(),
            "b_better": self.b_better,
            "equal": self.equal,
            "b_worse": self.b_worse,
        })
    }

    /// The mean of B - A as text.
    pub fn difference_text(&self, decimals: usize) -> String {
        format!("{:+.decimals$}", self.difference.value())
    }

    /// The interval as text; `-` if there is none.
    pub fn interval_text(&self, decimals: usize) -> String {
        let text = |(low, high)| format!("{low:+.decimals$} to {high:+.decimals$}");
        self.interval().map_or("-".to_owned(), text)
    }

    /// The message that too few boards differ, if they do.
    pub fn too_few_text(&self) -> Option<String> {
        self.too_few().then(|| {
            let boards = pluralize(self.differing(), "board differs", "boards differ");
            format!("Too few boards to tell: {boards}, and fewer than {MIN_DIFFERING} show nothing")
        })
    }

    /// A row of the [`table()`] with the name `name`.
    pub fn columns(&self, name: &str, decimals: usize) -> [String; 10] {
        let number = |value: f64| match value.is_finite() {
            true => format!("{value:.decimals$}"),
            false => "-".to_owned(),
        };
        [
            name.to_owned(),
            self.difference.count().to_string(),
            number(self.a.value()),
            number(self.b.value()),
            self.difference_text(decimals),
            self.interval_text(decimals),
            number(self.difference.standard_error()),
            self.b_better.to_string(),
            self.equal.to_string(),
            self.b_worse.to_string(),
        ]
    }
}
