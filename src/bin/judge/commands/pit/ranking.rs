//! More than two bots in order: each against the best and against the one above it.
//!
//! Invariant: the order is that of the mean scores; whether two places are more than chance is told
//! beside it, by the paired difference of these two.

use std::fmt::Write as _;

use comfy_table::{Table, presets::ASCII_MARKDOWN};

use super::competitor::Competitor;
use super::tally::{Pair, Tally};

/// The bots' places among all, the best first; of equal ones the first given.
pub fn order(tallies: &[Tally]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tallies.len()).collect();
    order.sort_by(|&a, &b| tallies[b].score.value().total_cmp(&tallies[a].score.value()));
    order
}

/// The scores of one bot less those of another, on the same boards.
struct Gap {
    mean: f64,
    interval: Option<(f64, f64)>,
    same: bool,
}

impl Gap {
    /// `bot` less `other`.
    fn of(bot: usize, other: usize, pairs: &[Pair]) -> Option<Gap> {
        let pair = pairs
            .iter()
            .find(|pair| [[pair.a, pair.b], [pair.b, pair.a]].contains(&[bot, other]))?;
        let (mean, interval) = (pair.score.difference.value(), pair.score.interval());
        let same = pair.score.differing() == 0;
        Some(if pair.b == bot {
            Gap { mean, interval, same }
        } else {
            // Not -0.
            Gap {
                mean: 0.0 - mean,
                interval: interval.map(|(low, high)| (0.0 - high, 0.0 - low)),
                same,
            }
        })
    }

    fn columns(&self) -> [String; 2] {
        let interval = |(low, high)| format!("{low:+.2} to {high:+.2}");
        [format!("{:+.2}", self.mean), self.interval.map_or("-".to_owned(), interval)]
    }

    /// Whether the lower place is more than chance.
    fn is_worse(&self) -> bool {
        self.interval.is_some_and(|(_, high)| high < 0.0)
    }

    fn said(&self) -> &'static str {
        match (self.same, self.is_worse()) {
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
        "less the best",
        "95 %",
        "",
        "less the one above",
        "95 %",
        "",
    ]);
    let mut open = Vec::new();
    for (place, &bot) in order.iter().enumerate() {
        let (name, score) = (competitors[bot].name.clone(), tallies[bot].score.value());
        let mut row = vec![(place + 1).to_string(), name.clone(), format!("{score:.2}")];
        if place > 0 {
            for other in [order[0], order[place - 1]] {
                let Some(gap) = Gap::of(bot, other, pairs) else { continue };
                row.extend(gap.columns());
                row.push(gap.said().to_owned());
                if row.len() == 6 && !gap.is_worse() {
                    open.push(name.clone());
                }
            }
        }
        table.add_row(row);
    }
    let best = &competitors[order[0]].name;
    let mut text = format!("Ranking by score, with the paired differences of score\n\n{table}\n\n");
    let said = match open.as_slice() {
        [] => format!("{best} is better than every other."),
        _ if pairs.iter().all(|pair| pair.score.differing() == 0) => {
            "All have the same score on every board.".to_owned()
        }
        _ if pairs.iter().all(|pair| pair.score.too_few()) => {
            "Too few boards to tell: the order may be chance; give more --seeds.".to_owned()
        }
        all if all.len() + 1 == order.len() => {
            format!("Nobody is shown to be worse than {best}; more --seeds narrow it.")
        }
        some => format!(
            "{best} has the best score; not shown to be worse: {}. More --seeds narrow it.",
            some.join(", ")
        ),
    };
    writeln!(text, "{said}").ok();
    text
}
