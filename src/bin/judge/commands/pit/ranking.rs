//! The ranking of more than two bots, each compared with the best bot and with the one above it.
//!
//! Invariant: the order is that of the mean scores. Whether the difference of two ranks is
//! significant is a separate column, from the paired difference of these two bots.

use std::fmt::Write as _;

use comfy_table::{Table, presets::ASCII_MARKDOWN};

use super::competitor::Competitor;
use super::tally::{Pair, Tally};

/// The indices of the bots, the best first; equal ones in the order in which they were given.
pub fn order(tallies: &[Tally]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tallies.len()).collect();
    order.sort_by(|&a, &b| tallies[b].score.value().total_cmp(&tallies[a].score.value()));
    order
}

/// The score of one bot minus that of another, on the same boards.
struct Difference {
    mean: f64,
    interval: Option<(f64, f64)>,
    /// Whether both have the same score on every board.
    is_zero: bool,
}

impl Difference {
    /// The score of `bot` minus that of `other`.
    fn new(bot: usize, other: usize, pairs: &[Pair]) -> Difference {
        let pair = pairs
            .iter()
            .find(|pair| [[pair.a, pair.b], [pair.b, pair.a]].contains(&[bot, other]))
            .expect("every two bots are a pair");
        let (mean, interval) = (pair.score.difference.value(), pair.score.interval());
        let is_zero = pair.score.differing() == 0;
        if pair.b == bot {
            Difference { mean, interval, is_zero }
        } else {
            // Subtracted from 0, since the negative of 0 is printed as -0.
            Difference {
                mean: 0.0 - mean,
                interval: interval.map(|(low, high)| (0.0 - high, 0.0 - low)),
                is_zero,
            }
        }
    }

    fn columns(&self) -> [String; 3] {
        let interval = |(low, high)| format!("{low:+.2} to {high:+.2}");
        [
            format!("{:+.2}", self.mean),
            self.interval.map_or("-".to_owned(), interval),
            self.verdict().to_owned(),
        ]
    }

    /// Whether the interval excludes that the bot is as good.
    fn is_worse(&self) -> bool {
        self.interval.is_some_and(|(_, high)| high < 0.0)
    }

    fn verdict(&self) -> &'static str {
        match (self.is_zero, self.is_worse()) {
            (true, _) => "the same",
            (_, true) => "worse",
            _ => "may be chance",
        }
    }
}

/// The ranking as a table and a sentence.
pub fn text(competitors: &[Competitor], tallies: &[Tally], pairs: &[Pair]) -> String {
    let order = order(tallies);
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "",
        "bot",
        "score",
        "minus the best",
        "95 %",
        "",
        "minus the one above",
        "95 %",
        "",
    ]);
    // The bots that are not shown to be worse than the best.
    let mut undecided: Vec<&str> = Vec::new();
    for (index, &bot) in order.iter().enumerate() {
        let (name, score) = (&competitors[bot].name, tallies[bot].score.value());
        let mut row = vec![(index + 1).to_string(), name.clone(), format!("{score:.2}")];
        if index > 0 {
            let [to_best, to_above] =
                [order[0], order[index - 1]].map(|other| Difference::new(bot, other, pairs));
            row.extend(to_best.columns());
            row.extend(to_above.columns());
            if !to_best.is_worse() {
                undecided.push(name);
            }
        }
        table.add_row(row);
    }
    let best = &competitors[order[0]].name;
    let mut text = format!("Ranking by score, with the paired differences of score\n\n{table}\n\n");
    let verdict = match undecided.as_slice() {
        [] => format!("{best} is better than every other."),
        _ if pairs.iter().all(|pair| pair.score.differing() == 0) => {
            "All have the same score on every board.".to_owned()
        }
        _ if pairs.iter().all(|pair| pair.score.too_few()) => {
            "Too few boards to tell: the order may be chance; give more --seeds.".to_owned()
        }
        all if all.len() + 1 == order.len() => {
            format!("No bot is shown to be worse than {best}; more --seeds narrow the intervals.")
        }
        some => format!(
            "{best} has the best score; not shown to be worse: {}. \
             More --seeds narrow the intervals.",
            some.join(", ")
        ),
    };
    writeln!(text, "{verdict}").ok();
    text
}
