//! The report of a run: what was played, what was counted, and the shards that a long run is made
//! of.
//!
//! [`setting::Setting`] says what was played and how, [`counts::Counts`] are the sums over its
//! games, [`shard`] is the file that grows while they are played, and [`merged::Merged`] puts the
//! shards of one run together. [`print()`] writes a report as text or as JSON.
//!
//! Invariant: counts are whole numbers, so that any cut of a run into shards gives the same report.

pub mod counts;
pub mod merged;
pub mod setting;
pub mod shard;
mod view;

use sapper::base::text::pluralize;

use crate::cli::Outcome;
use crate::cli::output::{errln, outln, write};
use merged::Merged;

pub use view::json;

/// Prints a report; what it finds is the outcome of the command.
pub fn print(merged: &Merged, json: bool) -> Outcome {
    if json {
        outln!("{}", view::json(merged));
    } else {
        write(&view::text(merged));
    }
    let false_proofs = merged.counts.false_proofs();
    if false_proofs > 0 {
        let cells = pluralize(false_proofs, "cell that was", "cells that were");
        errln!("{cells} proven safe held a mine: this is a bug");
    }
    Outcome::from(false_proofs == 0)
}
