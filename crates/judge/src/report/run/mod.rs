//! The report of a run in process, and the shards that a long run consists of.
//!
//! [`setting::Setting`] states what is played and how, [`counts::Counts`] are sums over the games
//! ([`adjusted`] those without the luck of the guesses),
//! [`shard`] is the file that grows during a run, and [`merged::Merged`] has the results of all
//! shards of a run. [`print()`] writes a report as text or as JSON.
//!
//! Invariant: counts are integers, so the report does not depend on the division into shards.

mod adjusted;
mod counts;
mod merged;
mod setting;
mod shard;
mod view;

use sapper::base::text::pluralize;

use crate::cli::{Outcome, errln, print_report};
pub use adjusted::{AdjustedCounts, adjusted_result};
pub use counts::Counts;
pub use merged::Merged;
pub use setting::Setting;
pub use shard::{Header, Shard};
pub use view::json;

/// Prints a report. The outcome is a failure if a cell that was proven safe held a mine.
pub fn print(merged: &Merged, json: bool) -> Outcome {
    print_report(json, || view::json(merged), || view::text(merged));
    let false_proofs = merged.counts.false_proofs();
    if false_proofs > 0 {
        let cells = pluralize(false_proofs, "cell that was", "cells that were");
        errln!("{cells} proven safe held a mine: this is a bug");
    }
    Outcome::from(false_proofs == 0)
}
