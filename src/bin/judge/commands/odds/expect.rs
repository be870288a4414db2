//! `judge odds --expect`: the odds held against a list from elsewhere.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::view::Line;
use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::cli::position::read_text;

/// Half of the second decimal, and a hair: 0.125 may be written as 0.12 or as 0.13.
const TOLERANCE: f64 = 0.005 + 1e-6;

/// The odds stated, by row and column.
pub type Expected = BTreeMap<(u32, u32), f64>;

/// A cell on which the two do not agree; `None` where one does not list it.
pub struct Difference {
    place: (u32, u32),
    found: Option<f64>,
    expected: Option<f64>,
}

/// Reads lines `row col odds`. Empty lines, and what follows a `#`, are passed over.
pub fn read(file: &Path) -> Result<Expected> {
    let text = read_text(file)?;
    let mut expected = Expected::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let at = || format!("{}, line {}", file.display(), number + 1);
        let (place, odds) = entry(line).with_context(at)?;
        if expected.insert(place, odds).is_some() {
            return Err(anyhow!("row {}, col {} is listed twice", place.0, place.1))
                .with_context(at);
        }
    }
    Ok(expected)
}

fn entry(line: &str) -> Result<((u32, u32), f64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, column, odds] = words[..] else {
        bail!("`{line}`: expected `row col odds`");
    };
    let place = |word: &str| word.parse().with_context(|| format!("`{word}` is no row or column"));
    let place = (place(row)?, place(column)?);
    let odds: f64 = odds.parse().with_context(|| format!("`{odds}` is no number"))?;
    ensure!((0.0..=1.0).contains(&odds), "odds {odds} are not between 0 and 1");
    Ok((place, odds))
}

/// Every cell on which the two differ, in row-major order.
pub fn differences(expected: &Expected, found: &[Line]) -> Vec<Difference> {
    let mut both: BTreeMap<(u32, u32), (Option<f64>, Option<f64>)> =
        found.iter().map(|line| ((line.row, line.column), (Some(line.odds), None))).collect();
    for (&place, &odds) in expected {
        both.entry(place).or_default().1 = Some(odds);
    }
    let agree = |found: Option<f64>, expected: Option<f64>| {
        found.zip(expected).is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE)
    };
    both.into_iter()
        .filter(|&(_, (found, expected))| !agree(found, expected))
        .map(|(place, (found, expected))| Difference { place, found, expected })
        .collect()
}

/// Prints the verdict.
pub fn print(differences: &[Difference], as_json: bool) -> Outcome {
    let correct = differences.is_empty();
    if as_json {
        let differences: Vec<Value> = differences
            .iter()
            .map(|Difference { place, found, expected }| {
                json!({"row": place.0, "col": place.1, "odds": found, "expected": expected})
            })
            .collect();
        outln!("{}", json!({"correct": correct, "differences": differences}));
    } else {
        outln!("{}", if correct { "Correct" } else { "Incorrect" });
        for Difference { place: (row, column), found, expected } in differences {
            let found = found.map_or("no hidden cell".to_owned(), |odds| format!("{odds:.6}"));
            let expected = expected.map_or("not listed".to_owned(), |odds| odds.to_string());
            outln!("row {row}, col {column}: {found}, expected: {expected}");
        }
    }
    Outcome::from(correct)
}
