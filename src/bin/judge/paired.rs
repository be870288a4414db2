//! Two bots on the same boards: the paired difference of one measure, with its interval.

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use serde_json::{Value, json};

use super::stats::Mean;

/// An empty table for [`Paired::columns`].
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "", "boards", "A", "B", "B - A", "95 %", "s.e.", "B better", "equal", "B worse",
    ]);
    table
}

/// One measure over the boards that both bots have a value for.
#[derive(Default)]
pub(crate) struct Paired {
    a: Mean,
    b: Mean,
    /// B - A.
    pub(crate) difference: Mean,
    b_better: u64,
    equal: u64,
    b_worse: u64,
}

impl Paired {
    /// Takes one board in. `gain` is how much better B is, in the sense of the measure.
    pub(crate) fn add(&mut self, a: f64, b: f64, gain: f64) {
        self.a.add(a);
        self.b.add(b);
        self.difference.add(b - a);
        self.b_better += u64::from(gain > 0.0);
        self.equal += u64::from(gain == 0.0);
        self.b_worse += u64::from(gain < 0.0);
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let (mean, half) = (self.difference.value(), self.difference.half_width());
        // One board has no interval, and JSON no infinity.
        let interval = half.is_finite().then_some([mean - half, mean + half]);
        let error = Some(self.difference.standard_error()).filter(|error| error.is_finite());
        json!({
            "boards": self.difference.count(),
            "a": self.a.value(),
            "b": self.b.value(),
            "difference": mean,
            "standard_error": error,
            "interval": interval,
            "b_better": self.b_better,
            "equal": self.equal,
            "b_worse": self.b_worse,
        })
    }

    /// A row of the [`table`], called `name`.
    pub(crate) fn columns(&self, name: &str, decimals: usize) -> [String; 10] {
        let number = |value: f64| match value.is_finite() {
            true => format!("{value:.decimals$}"),
            false => "-".to_owned(),
        };
        let signed = |value: f64| format!("{value:+.decimals$}");
        let (mean, half) = (self.difference.value(), self.difference.half_width());
        let interval = match half.is_finite() {
            true => format!("{} to {}", signed(mean - half), signed(mean + half)),
            false => "-".to_owned(),
        };
        [
            name.to_owned(),
            self.difference.count().to_string(),
            number(self.a.value()),
            number(self.b.value()),
            signed(mean),
            interval,
            number(self.difference.standard_error()),
            self.b_better.to_string(),
            self.equal.to_string(),
            self.b_worse.to_string(),
        ]
    }
}
