//! The comparison of two bots on the same boards: the paired difference of a measure, and its
//! interval.
//!
//! Invariant: an interval without 0 is evidence of a difference. The interval of games won or clean
//! excludes 0 if and only if the exact sign test does. Other measures use Student's t; while at
//! most [`MAX_FLIPPED`] boards differ, 0 is excluded only if the exact permutation test of the
//! signs excludes it too. A bot with a fault on a board is not better there, whatever its value: an
//! adjusted one can be above that of a game that was played to its end.

use comfy_table::Table;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::statistics::{MAX_FLIPPED, paired_shares, sign_flips};
use super::table::{
    self,
    Format::{Decimals, Signed},
};
use crate::report::Mean;

/// With fewer boards that differ, no test is significant: five signs are all equal by chance once
/// in 16 times.
pub const MIN_DIFFERING: u64 = 6;

/// Values that differ by less are equal: some tables round the adjusted ones.
const ROUNDING: f64 = 1e-6;

/// The sum of the 97.5 % and the 80 % points of the normal distribution.
const POWER: f64 = 2.8016;

/// The titles of the columns of [`table()`].
const TITLES: [&str; 10] =
    ["", "boards", "A", "B", "B - A", "95 %", "s.e.", "B better", "equal", "B worse"];

/// A table with a titled row for each of these measures that has a board. There is no interval in
/// it where boards are so few that they show nothing, because it would be nearly all that is
/// possible, and where none differs.
pub fn table<'m>(rows: impl IntoIterator<Item = (&'m str, &'m Paired)>) -> Table {
    let mut table = table::empty(TITLES);
    for (title, measure) in rows {
        let Some(report) = measure.known_report() else { continue };
        let decimals = Decimals(measure.decimals);
        let signed = Signed(measure.decimals);
        let is_bare = report.boards < MIN_DIFFERING || measure.differing() == 0;
        table.add_row([
            title.to_owned(),
            decimals.text(&report.boards),
            decimals.text(&report.a),
            decimals.text(&report.b),
            signed.text(&report.difference),
            signed.text(&report.interval.filter(|_| !is_bare)),
            decimals.text(&report.standard_error.filter(|_| !is_bare)),
            decimals.text(&report.b_better),
            decimals.text(&report.equal),
            decimals.text(&report.b_worse),
        ]);
    }
    table
}

/// A measure as it is reported. Values, difference and errors are means over the boards.
#[derive(Serialize)]
pub struct MeasureReport {
    boards: u64,
    a: f64,
    b: f64,
    /// B - A.
    difference: f64,
    standard_error: Option<f64>,
    interval: Option<(f64, f64)>,
    better: Option<Side>,
    /// Whether too few boards differ for any test.
    too_few_boards: bool,
    /// See [`Paired::more_boards`].
    more_boards: Option<u64>,
    b_better: u64,
    equal: u64,
    b_worse: u64,
}

/// One of the two that are compared.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    A,
    B,
}

/// A measure over the boards for which both bots have a value.
#[derive(Default)]
pub struct Paired {
    /// The name in a table.
    pub name: &'static str,
    /// The decimals in a table.
    decimals: usize,
    /// Whether the bot with the smaller value is better.
    is_cost: bool,
    /// The greatest difference of two values, which may be infinite; `None` if a value is 100 for a
    /// game that is won (or clean), and 0 for any other.
    max_difference: Option<f64>,
    a: Mean,
    b: Mean,
    /// B - A.
    pub difference: Mean,
    b_better: u64,
    equal: u64,
    b_worse: u64,
    /// The boards on which the two differ.
    differing: u64,
    /// The first differences that are not 0: at most one more than [`MAX_FLIPPED`].
    nonzero: Vec<f64>,
}

impl Paired {
    /// A measure without boards, of games that are won (100) or not (0).
    pub fn percent(name: &'static str) -> Paired {
        Paired { name, decimals: 2, ..Paired::default() }
    }

    /// A measure without boards, of values that differ by at most `max_difference`, which may be
    /// infinite.
    pub fn values(name: &'static str, decimals: usize, max_difference: f64) -> Paired {
        Paired { name, decimals, max_difference: Some(max_difference), ..Paired::default() }
    }

    /// A measure without boards, of opened mines that differ by at most `max_difference`.
    pub fn mines(name: &'static str, max_difference: f64) -> Paired {
        Paired { is_cost: true, ..Paired::values(name, 4, max_difference) }
    }

    /// Adds a board without a fault, with the values of A and B, if both have one.
    pub fn add(&mut self, values: [Option<f64>; 2]) {
        self.add_judged(values, [false; 2]);
    }

    /// Adds a board with the values of A and B, if both have one, on which these had a fault.
    pub fn add_judged(&mut self, values: [Option<f64>; 2], [a_faulty, b_faulty]: [bool; 2]) {
        let [Some(a), Some(b)] = values else { return };
        let difference = if (b - a).abs() < ROUNDING { 0.0 } else { b - a };
        let gain = if self.is_cost { -difference } else { difference };
        let highest = if b_faulty { 0.0 } else { f64::INFINITY };
        let gain = gain.min(highest).max(if a_faulty { 0.0 } else { f64::NEG_INFINITY });
        self.a.add(a);
        self.b.add(b);
        self.difference.add(difference);
        self.b_better += u64::from(gain > 0.0);
        self.equal += u64::from(gain == 0.0);
        self.b_worse += u64::from(gain < 0.0);
        self.differing += u64::from(difference != 0.0);
        if difference != 0.0 && self.nonzero.len() <= MAX_FLIPPED {
            self.nonzero.push(difference);
        }
    }

    /// The number of boards on which the two differ.
    pub fn differing(&self) -> u64 {
        self.differing
    }

    /// Whether too few boards differ for any test.
    pub fn too_few(&self) -> bool {
        self.differing() < MIN_DIFFERING
    }

    /// The 95 % interval of B - A; `None` if it is unbounded.
    pub fn interval(&self) -> Option<(f64, f64)> {
        // One board has no interval, whatever the measure.
        let boards = Some(self.difference.count()).filter(|&boards| boards > 1)?;
        match self.max_difference {
            None => {
                let (low, high) = paired_shares(self.b_better, self.b_worse, boards);
                Some((100.0 * low, 100.0 * high))
            }
            Some(max_difference) => {
                let (low, high) = self.difference.interval(-max_difference..=max_difference)?;
                let few = self.nonzero.len() <= MAX_FLIPPED;
                let may_be_chance = few && sign_flips(&self.nonzero) > 0.05;
                Some(if may_be_chance { (low.min(0.0), high.max(0.0)) } else { (low, high) })
            }
        }
    }

    /// The better of the two, 0 for A and 1 for B, if the interval of the difference excludes 0.
    /// Equal differences of unbounded values have no interval: there it is the one that is better
    /// on every board, if they are enough for the sign test.
    pub fn better(&self) -> Option<usize> {
        let Some((low, high)) = self.interval() else {
            let all = (!self.too_few()).then_some(self.difference.count());
            return [self.b_worse, self.b_better].iter().position(|&boards| Some(boards) == all);
        };
        let is_greater = if low > 0.0 {
            true
        } else if high < 0.0 {
            false
        } else {
            return None;
        };
        Some(usize::from(is_greater != self.is_cost))
    }

    /// About how many more boards it takes until a difference of this size is shown in four of five
    /// runs: the standard error is then the difference over [`POWER`], and enough boards differ.
    /// `None` if the difference is shown, is 0, or is that of one board.
    pub fn more_boards(&self) -> Option<u64> {
        let (boards, mean) = (self.difference.count() as f64, self.difference.value());
        if self.better().is_some() || mean.abs() < ROUNDING || boards < 2.0 {
            return None;
        }
        let precise = self.difference.variance() * (POWER / mean).powi(2);
        let differing = boards * MIN_DIFFERING as f64 / self.differing() as f64;
        let more = (precise.max(differing) - boards).max(1.0);
        // To two digits.
        let unit = 10_f64.powf(more.log10().floor() - 1.0).max(1.0);
        Some(((more / unit).ceil() * unit) as u64)
    }

    /// The measure as it is reported.
    pub fn report(&self) -> MeasureReport {
        let error = Some(self.difference.standard_error()).filter(|error| error.is_finite());
        MeasureReport {
            boards: self.difference.count(),
            a: self.a.value(),
            b: self.b.value(),
            difference: self.difference.value(),
            standard_error: error,
            interval: self.interval(),
            better: self.better().map(|side| [Side::A, Side::B][side]),
            too_few_boards: self.too_few(),
            more_boards: self.more_boards(),
            b_better: self.b_better,
            equal: self.equal,
            b_worse: self.b_worse,
        }
    }

    /// The same; `None` without a board.
    pub fn known_report(&self) -> Option<MeasureReport> {
        (self.difference.count() > 0).then(|| self.report())
    }

    /// The text of [`Finding::TooFew`].
    pub fn too_few_text(&self) -> String {
        let boards = pluralize(self.differing(), "board differs", "boards differ");
        format!("Too few boards to tell: {boards}, and a verdict needs {MIN_DIFFERING}")
    }

    /// What the boards tell of A and B by this measure.
    pub fn verdict(&self) -> Finding {
        match self.better() {
            _ if self.differing() == 0 => Finding::Equal,
            Some(side) => Finding::Better(side),
            None if self.too_few() => Finding::TooFew,
            None => match self.more_boards() {
                Some(more) => Finding::Open(more),
                None => Finding::Balanced,
            },
        }
    }

    /// The verdict in a sentence without its full stop.
    pub fn verdict_text(&self) -> String {
        let about = |more: u64| format!("about {}", pluralize(more, "more board", "more boards"));
        match self.verdict() {
            Finding::Equal => {
                format!("Equal on {}", pluralize(self.difference.count(), "board", "boards"))
            }
            Finding::Better(side) => format!("{} is better", ["A", "B"][side]),
            Finding::TooFew => {
                let more = self.more_boards().map_or("more boards".to_owned(), about);
                format!("{}; compare {more}", self.too_few_text())
            }
            Finding::Balanced => BALANCED.to_owned(),
            Finding::Open(more) => {
                format!("No difference shown; to show one of this size, compare {}", about(more))
            }
        }
    }
}

/// The text of [`Finding::Balanced`].
pub const BALANCED: &str = "No difference shown: gains and losses are equal";

/// What the boards tell of A and B by a measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// No board differs.
    Equal,
    /// A (0) or B (1) is better.
    Better(usize),
    /// Boards differ, but too few for any test.
    TooFew,
    /// The mean difference is 0, so that no number of boards would show it.
    Balanced,
    /// About so many more boards would show a difference of this size.
    Open(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_with_a_fault_is_not_better_on_its_board() {
        let counts = |faulty: [bool; 2]| {
            let mut paired = Paired::values("score, adjusted", 2, f64::INFINITY);
            for values in [[0.0, 20.0], [0.0, -20.0], [0.0, 0.0]] {
                paired.add_judged(values.map(Some), faulty);
            }
            assert_eq!((paired.differing(), paired.difference.value()), (2, 0.0));
            let MeasureReport { b_better, equal, b_worse, .. } = paired.report();
            (b_better, equal, b_worse)
        };
        assert_eq!(counts([false, false]), (1, 1, 1));
        assert_eq!(counts([true, false]), (1, 2, 0));
        assert_eq!(counts([false, true]), (0, 2, 1));
        assert_eq!(counts([true, true]), (0, 3, 0));
    }

    #[test]
    fn so_many_more_boards_show_a_difference() {
        let paired = |boards: usize, gain: fn(usize) -> f64| {
            let mut paired = Paired::values("score", 2, 100.0);
            (0..boards).for_each(|board| paired.add([50.0, 50.0 + gain(board)].map(Some)));
            paired
        };
        // Mean 0.2, variance 1 - 0.04: 0.96 (2.8016 / 0.2)^2 = 188 boards and a little.
        let gain = |board| if board % 5 < 3 { 1.0 } else { -1.0 };
        assert_eq!(paired(50, gain).more_boards(), Some(150));
        let more = paired(200, gain);
        assert!(more.interval().unwrap().0 > 0.0 && more.more_boards().is_none());
        // Equal differences have no variance, but six boards must differ.
        assert_eq!(paired(2, |_| 7.0).more_boards(), Some(4));
        assert_eq!(paired(9, |_| 0.0).more_boards(), None);
        assert_eq!(paired(1, |_| 7.0).more_boards(), None);
    }

    #[test]
    fn the_better_one_has_more_points_or_fewer_mines() {
        for (mut measure, better) in
            [(Paired::values("score", 2, 100.0), 1), (Paired::mines("mines", f64::INFINITY), 0)]
        {
            assert_eq!((measure.better(), measure.differing()), (None, 0));
            for board in 0..20 {
                measure.add([f64::from(board), f64::from(board + 1 + board % 2)].map(Some));
            }
            assert_eq!(measure.better(), Some(better));
            assert_eq!(measure.verdict_text(), format!("{} is better", ["A", "B"][better]));
        }
        let mut constant = Paired::mines("mines", f64::INFINITY);
        (0..20).for_each(|_| constant.add([Some(7.0), Some(4.0)]));
        assert_eq!((constant.better(), constant.interval()), (Some(1), None));
        let better = constant.report().better;
        assert!(matches!((constant.more_boards(), better), (None, Some(Side::B))));
        // A sum of 0 up to rounding shows nothing, whatever the number of boards.
        let mut cancelled = Paired::values("score", 2, 100.0);
        (0..30).for_each(|board| cancelled.add([0.0, [0.1, 0.2, -0.3][board % 3]].map(Some)));
        assert_eq!((cancelled.better(), cancelled.more_boards()), (None, None));
        assert_eq!(cancelled.verdict(), Finding::Balanced);
        let mut equal = Paired::mines("mines", f64::INFINITY);
        (0..20).for_each(|_| equal.add([Some(3.0); 2]));
        assert_eq!(equal.verdict_text(), "Equal on 20 boards");
        (0..20).for_each(|board| equal.add([Some(3.0), Some(f64::from(board % 7))]));
        let text = equal.verdict_text();
        let more = equal.more_boards().expect("no difference is shown");
        assert!(text.starts_with("No difference shown; ") && text.contains(&more.to_string()));
    }
}
