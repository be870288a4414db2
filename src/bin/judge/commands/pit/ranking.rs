//! The ranking of more than two bots, each compared with the best bot and with the one above it.
//!
//! Invariant: the order is that of the mean scores. Whether the difference of two ranks is
//! significant is a separate column, from the paired difference of these two bots.

use std::fmt::Write as _;

use super::competitor::Competitor;
use super::tally::{Pair, Tally};
use crate::results::paired::Paired;
use crate::results::table;

/// The indices of the bots, the best first; equal ones in the order in which they were given.
pub fn order(tallies: &[Tally]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tallies.len()).collect();
    order.sort_by(|&a, &b| tallies[b].score.value().total_cmp(&tallies[a].score.value()));
    order
}

/// Whether the interval of the difference excludes that the second bot is as good.
fn is_worse(score: &Paired) -> bool {
    score.interval().is_some_and(|(_, high)| high < 0.0)
}

fn columns(score: &Paired) -> [String; 3] {
    let verdict = match (score.differing(), is_worse(score)) {
        (0, _) => "the same",
        (_, true) => "worse",
        _ => "may be chance",
    };
    [score.difference_text(2), score.interval_text(2), verdict.to_owned()]
}

/// The ranking as a table and a sentence. `pairs` has every two bots in both orders.
pub fn text(competitors: &[Competitor], tallies: &[Tally], pairs: &[Pair]) -> String {
    let order = order(tallies);
    let score = |other: usize, bot: usize| {
        let pair = pairs.iter().find(|pair| (pair.a, pair.b) == (other, bot));
        &pair.expect("every two bots are a pair").score
    };
    let mut table = table::empty([
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
        let (name, mean) = (&competitors[bot].name, tallies[bot].score.value());
        let mut row = vec![(index + 1).to_string(), name.clone(), format!("{mean:.2}")];
        if index > 0 {
            let to_best = score(order[0], bot);
            row.extend(columns(to_best));
            row.extend(columns(score(order[index - 1], bot)));
            if !is_worse(to_best) {
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
