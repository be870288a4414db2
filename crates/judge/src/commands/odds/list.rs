//! The odds as a list of cells, and `--expect`, which compares it with a list in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sapper::Board;
use sapper::probability::odds::Odds;
use serde::Serialize;

use crate::cli::{Outcome, RowColumn, print_report};
use crate::runner::files::{file_name, read_text};

/// The odds of cells, in row-major order.
pub type OddsList = BTreeMap<RowColumn, f64>;

/// The odds of every hidden cell.
pub fn list(board: &Board, odds: &Odds) -> OddsList {
    let shape = board.shape();
    let at = |cell| RowColumn { row: shape.row(cell).into(), column: shape.column(cell).into() };
    board.hidden().map(|cell| (at(cell), odds.of(cell))).collect()
}

/// A list as lines `row col odds`. Six decimals hide the digits that depend on the order of
/// summation. Proven odds have no decimals, to distinguish them from odds that round to 0.000000.
pub fn lines(odds: &OddsList) -> String {
    let mut text = String::new();
    for (RowColumn { row, column }, odds) in odds {
        let decimals = if *odds == 0.0 || *odds == 1.0 { 0 } else { 6 };
        let _ = writeln!(text, "{row} {column} {odds:.decimals$}");
    }
    text
}

/// Half a unit of the second decimal, and a rounding error: 0.125 may be listed as 0.12 or 0.13.
const TOLERANCE: f64 = 0.005 + 1e-6;

/// Reads lines `row col odds`. Empty lines and comments from `#` on are skipped.
///
/// # Errors
/// The file cannot be read; a line is malformed; a cell is listed twice.
pub fn read_list(file: &Path) -> Result<OddsList> {
    let text = read_text(file)?;
    let mut expected = OddsList::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let location = || format!("{}, line {number}", file_name(file));
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

/// The comparison of the odds with a list.
#[derive(Serialize)]
struct ComparedOdds {
    correct: bool,
    differences: Vec<Difference>,
}

/// A cell on which both lists disagree: their odds differ, or one list lacks the cell.
#[derive(Serialize)]
struct Difference {
    row: i64,
    col: i64,
    odds: Option<f64>,
    expected: Option<f64>,
}

/// Prints the cells on which both lists disagree.
pub fn print_differences(expected: &OddsList, computed: &OddsList, as_json: bool) -> Outcome {
    let mut cells: BTreeSet<&RowColumn> = expected.keys().chain(computed.keys()).collect();
    cells.retain(|cell| {
        let both = computed.get(cell).zip(expected.get(cell));
        !both.is_some_and(|(computed, expected)| (computed - expected).abs() <= TOLERANCE)
    });
    let difference = |at: &RowColumn| Difference {
        row: at.row,
        col: at.column,
        odds: computed.get(at).copied(),
        expected: expected.get(at).copied(),
    };
    let differences: Vec<Difference> = cells.into_iter().map(difference).collect();
    let report = ComparedOdds { correct: differences.is_empty(), differences };
    print_report(as_json, || &report, || report.text());
    Outcome::from(report.correct)
}

impl ComparedOdds {
    fn text(&self) -> String {
        let mut text = if self.correct { "Correct\n" } else { "Incorrect\n" }.to_owned();
        for Difference { row, col, odds, expected } in &self.differences {
            let odds = odds.map_or("no hidden cell".to_owned(), |odds| format!("{odds:.6}"));
            let expected =
                expected.map_or("not listed".to_owned(), |expected| expected.to_string());
            let _ = writeln!(text, "({row},{col}): {odds}, expected: {expected}");
        }
        text
    }
}
