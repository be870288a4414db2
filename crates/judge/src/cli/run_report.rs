//! The report of a run in process, for the commands that print one.

use sapper::kit::text::pluralize;

use crate::cli::{Outcome, print_report};
use crate::report::run::{Merged, RunReport};
use crate::runner::messages::errln;

/// Prints a report. The outcome is a failure if a cell that was proven safe held a mine.
pub fn print_run(merged: &Merged, is_json: bool) -> Outcome {
    let report = RunReport::of(merged);
    print_report(is_json, || &report, || report.text());
    let false_proofs = report.false_proofs;
    if false_proofs > 0 {
        let cells = pluralize(false_proofs, "cell that was", "cells that were");
        errln!("{cells} proven safe held a mine: this is a bug");
    }
    Outcome::from(false_proofs == 0)
}
