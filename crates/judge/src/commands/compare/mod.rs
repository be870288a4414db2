//! `judge compare`: two bots on the same boards, compared board by board.
//!
//! The difference between two boards is usually much larger than the difference between two bots.
//! The difference of both results on one board does not contain the board's own difficulty, so the
//! mean of these paired differences has a far smaller standard error than the difference of two
//! independent means.
//!
//! Invariant: a board counts for a measure only where both files state that measure.
//!
//! | file | holds |
//! |---|---|
//! | [`arguments`] | the options and the help |
//! | [`board_results`] | the results of a bot, as a table states them |
//! | [`comparison`] | the boards of two tables, paired, and what they add up to |
//! | [`view`] | the report |

mod arguments;
mod board_results;
mod comparison;
mod view;

use anyhow::{Result, bail};

use crate::cli::{Outcome, print_report};
use comparison::Comparison;
use view::Report;

pub use arguments::Arguments;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { a, b, bot_a, bot_b, json } = arguments;
    let results =
        [board_results::read(a, bot_a.as_deref())?, board_results::read(b, bot_b.as_deref())?];
    let comparison = Comparison::of(&results)?;
    if comparison.boards == 0 {
        let (a, b) = (a.display(), b.display());
        bail!("no board is in both {a} and {b}: give results on the same boards");
    }
    let report = Report::of(arguments, &comparison);
    print_report(*json, || &report, || report.text());
    Ok(Outcome::Good)
}
