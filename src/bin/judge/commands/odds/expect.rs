//! `judge odds --expect`: compares the odds with a list of expected ones.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::list::OddsList;
use crate::cli::{Outcome, RowColumn, outln, read_text};

/// Half a unit of the second decimal, and a rounding error: 0.125 may be listed as 0.12 or 0.13.
const TOLERANCE: f64 = 0.005 + 1e-6;

/// Reads lines `row col odds`. Empty lines and comments from `#` on are skipped.
///
/// # Errors
/// The file cannot be read; a line is malformed; a cell is listed twice.
pub fn read(file: &Path) -> Result<OddsList> {
    let text = read_text(file)?;
    let mut expected = OddsList::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let location = || format!("{}, line {number}", file.display());
            add_line(line, &mut expected).with_context(location)?;
        }
    }
    Ok(expected)
}

fn add_line(line: &str, expected: &mut OddsList) -> Result<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, column, odds] = words[..] else {
        bail!("`{line}`: expected `row col odds`");
    };
    let number = |word: &str| {
        word.parse().with_context(|| format!("`{word}` is not a row or column, a number from 0"))
    };
    let at = RowColumn { row: number(row)?, column: number(column)? };
    let odds: f64 = odds.parse().with_context(|| format!("`{odds}` is not a number"))?;
    ensure!(
        (0.0..=1.0).contains(&odds),
        "odds {odds} are not between 0 and 1; expected `row col odds`"
    );
    ensure!(expected.insert(at, odds).is_none(), "({row},{column}) is listed twice");
    Ok(())
}

/// Prints the cells on which both lists disagree: their odds differ, or one list lacks the cell.
pub fn print(expected: &OddsList, computed: &OddsList, as_json: bool) -> Outcome {
    let mut cells: BTreeSet<&RowColumn> = expected.keys().chain(computed.keys()).collect();
    cells.retain(|cell| {
        let both = computed.get(cell).zip(expected.get(cell));
        !both.is_some_and(|(computed, expected)| (computed - expected).abs() <= TOLERANCE)
    });
    let is_correct = cells.is_empty();
    let differences = cells.into_iter().map(|at| (at, computed.get(at), expected.get(at)));
    if as_json {
        let differences = differences.map(|(at, computed, expected)| {
            json!({"row": at.row, "col": at.column, "odds": computed, "expected": expected})
        });
        let differences: Vec<Value> = differences.collect();
        outln!("{}", json!({"correct": is_correct, "differences": differences}));
    } else {
        outln!("{}", if is_correct { "Correct" } else { "Incorrect" });
        for (RowColumn { row, column }, computed, expected) in differences {
            let computed =
                computed.map_or("no hidden cell".to_owned(), |odds| format!("{odds:.6}"));
            let expected = expected.map_or("not listed".to_owned(), f64::to_string);
            outln!("({row},{column}): {computed}, expected: {expected}");
        }
    }
    Outcome::from(is_correct)
}
