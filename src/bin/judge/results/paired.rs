//! Two bots on the same boards: the paired difference of one measure, with its interval.
//!
//! Invariant: an interval that leaves 0 out is evidence. The interval of games won or clean leaves
//! 0 out if and only if the exact sign test does. Other measures go by Student's t; while at most
//! [`MOST_FLIPPED`] boards differ, 0 is left out only where the exact test of their signs does so
//! too.

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use crate::results::statistics::{MOST_FLIPPED, Mean, paired_shares, sign_flips};

/// With fewer boards that differ, no test finds anything: signs that all agree come by chance once
/// in 16 times.
pub const LEAST_DIFFERING: u64 = 6;

/// An empty table for [`Paired::columns`].
pub fn table() -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "", "boards", "A", "B", "B - A", "95 %", "s.e.", "B better", "equal", "B worse",
    ]);
    table
}

/// What is measured.
#[derive(Clone, Copy)]
enum Kind {
    /// Games that are won or not, as 100 and 0; more is better.
    Percent,
    /// Values that differ by so much at the most; infinite where that is not known.
    Values { most: f64 },
}

/// One measure over the boards that both bots have a value for.
pub struct Paired {
    kind: Kind,
    a: Mean,
    b: Mean,
    /// B - A.
    pub difference: Mean,
    b_better: u64,
    equal: u64,
    b_worse: u64,
    /// B - A where that is not 0: the first [`MOST_FLIPPED`] of them and one more.
    differing: Vec<f64>,
}

impl Paired {
    /// Nothing yet, of games that are won (100) or not (0).
    pub fn percent() -> Paired {
        Paired::new(Kind::Percent)
    }

    /// Nothing yet, of values that differ by `most` at the most; infinite where that is not known.
    pub fn values(most: f64) -> Paired {
        Paired::new(Kind::Values { most })
    }

    fn new(kind: Kind) -> Paired {
        let [a, b, difference] = [Mean::default(); 3];
        Paired { kind, a, b, difference, b_better: 0, equal: 0, b_worse: 0, differing: Vec::new() }
    }

    /// Takes one board in. `gain` is how much better B is, in the sense of the measure.
    pub fn add(&mut self, a: f64, b: f64, gain: f64) {
        self.a.add(a);
        self.b.add(b);
        self.difference.add(b - a);
        self.b_better += u64::from(gain > 0.0);
        self.equal += u64::from(gain == 0.0);
        self.b_worse += u64::from(gain < 0.0);
        if a != b && self.differing.len() <= MOST_FLIPPED {
            self.differing.push(b - a);
        }
    }

    /// The boards on which the two differ.
    pub fn differ(&self) -> u64 {
        self.b_better + self.b_worse
    }

    /// Whether the boards that differ are too few to tell anything.
    pub fn too_few(&self) -> bool {
        self.differ() < LEAST_DIFFERING
    }

    /// The interval of B - A; `None` where nothing can be said of it.
    pub fn interval(&self) -> Option<(f64, f64)> {
        // Of one board nothing is text, whatever is measured.
        let boards = Some(self.difference.count()).filter(|&boards| boards > 1)?;
        match self.kind {
            Kind::Percent => {
                let (low, high) = paired_shares(self.b_better, self.b_worse, boards);
                Some((100.0 * low, 100.0 * high))
            }
            Kind::Values { most } => {
                let (low, high) = self.difference.interval((-most, most))?;
                let few = self.differing.len() <= MOST_FLIPPED;
                let chance = few && sign_flips(&self.differing) > 0.05;
                Some(if chance { (low.min(0.0), high.max(0.0)) } else { (low, high) })
            }
        }
    }

    /// For programs.
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

    /// The mean of B - A.
    pub fn difference_text(&self, decimals: usize) -> String {
        format!("{:+.decimals$}", self.difference.value())
    }

    /// The interval, as far as there is one.
    pub fn interval_text(&self, decimals: usize) -> String {
        let text = |(low, high)| format!("{low:+.decimals$} to {high:+.decimals$}");
        self.interval().map_or("-".to_owned(), text)
    }

    /// That the boards are too few to tell, with what would help; `None` where they are enough.
    pub fn too_few_text(&self) -> Option<String> {
        self.too_few().then(|| {
            let boards = pluralize(self.differ(), "board differs", "boards differ");
            format!(
                "Too few boards to tell: {boards}, and fewer than {LEAST_DIFFERING} show nothing"
            )
        })
    }

    /// A row of the [`table`], called `name`.
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
