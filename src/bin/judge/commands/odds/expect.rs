//! `judge odds --expect`: compares the odds with a list of expected ones.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::view::CellOdds;
use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::cli::parse::RowColumn;
use crate::cli::position::read_text;

/// Half a unit of the second decimal, and a rounding error: 0.125 may be listed as 0.12 or 0.13.
const TOLERANCE: f64 = 0.005 + 1e-6;

/// The expected odds.
pub type Expected = BTreeMap<RowColumn, f64>;

/// A cell whose odds differ, or that only one side lists.
pub struct Difference {
    at: RowColumn,
    /// `None` if the cell is not hidden.
    computed: Option<f64>,
    /// `None` if the cell is not in the list.
    expected: Option<f64>,
}

/// Reads lines `row col odds`. Empty lines and comments from `#` on are skipped.
///
/// # Errors
/// The file cannot be read; a line is malformed; a cell is listed twice.
pub fn read(file: &Path) -> Result<Expected> {
    let text = read_text(file)?;
    let mut expected = Expected::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let location = || format!("{}, line {}", file.display(), index + 1);
        let CellOdds { at, odds } = parse_line(line).with_context(location)?;
        if expected.insert(at, odds).is_some() {
            let RowColumn { row, column } = at;
            return Err(anyhow!("row {row}, col {column} is listed twice")).with_context(location);
        }
    }
    Ok(expected)
}

fn parse_line(line: &str) -> Result<CellOdds> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, column, odds] = words[..] else {
        bail!("`{line}`: expected `row col odds`");
    };
    let number = |word: &str| {
        word.parse().with_context(|| format!("`{word}` is not a row or column, a number from 0"))
    };
    let at = RowColumn { row: number(row)?, column: number(column)? };
    let odds: f64 = odds.parse().with_context(|| format!("`{odds}` is not a number"))?;
    ensure!((0.0..=1.0).contains(&odds), "odds {odds} are not between 0 and 1");
    Ok(CellOdds { at, odds })
}

/// The cells on which both sides disagree, in row-major order.
pub fn differences(expected: &Expected, computed: &[CellOdds]) -> Vec<Difference> {
    let mut cells: BTreeMap<RowColumn, Difference> = BTreeMap::new();
    for &CellOdds { at, odds } in computed {
        cells.insert(at, Difference { at, computed: Some(odds), expected: None });
    }
    for (&at, &odds) in expected {
        let cell = cells.entry(at).or_insert(Difference { at, computed: None, expected: None });
        cell.expected = Some(odds);
    }
    cells.into_values().filter(|cell| !cell.agrees()).collect()
}

impl Difference {
    fn agrees(&self) -> bool {
        let both = self.computed.zip(self.expected);
        both.is_some_and(|(computed, expected)| (computed - expected).abs() <= TOLERANCE)
    }
}

/// Prints the result of the comparison.
pub fn print(differences: &[Difference], as_json: bool) -> Outcome {
    let is_correct = differences.is_empty();
    if as_json {
        let differences: Vec<Value> = differences
            .iter()
            .map(|Difference { at, computed, expected }| {
                json!({"row": at.row, "col": at.column, "odds": computed, "expected": expected})
            })
            .collect();
        outln!("{}", json!({"correct": is_correct, "differences": differences}));
    } else {
        outln!("{}", if is_correct { "Correct" } else { "Incorrect" });
        for Difference { at: RowColumn { row, column }, computed, expected } in differences {
            let computed =
                computed.map_or("no hidden cell".to_owned(), |odds| format!("{odds:.6}"));
            let expected = expected.map_or("not listed".to_owned(), |odds| odds.to_string());
            outln!("row {row}, col {column}: {computed}, expected: {expected}");
        }
    }
    Outcome::from(is_correct)
}
