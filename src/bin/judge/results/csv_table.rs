//! Reads tables of comma-separated values. Every error has the file and the line.
//!
//! The first line names the columns, in any order and with others among them. Lines that start with
//! `#` and empty lines are skipped.

use anyhow::{Context, Result, anyhow, bail};
use csv::{DeserializeErrorKind, ErrorKind, ReaderBuilder, StringRecord, Trim};
use serde::de::DeserializeOwned;

/// Calls `visit` for every row, with its values in `columns`, which are the fields of `R`.
///
/// # Errors
/// Fails if the table is not valid or if `visit` fails.
pub fn for_each_row<R: DeserializeOwned>(
    name: &str,
    bytes: &[u8],
    columns: &str,
    mut visit: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(bytes);
    let titles = reader.headers();
    let none = StringRecord::new();
    let titles = titles.map_err(|error| explain(name, &none, &none, error))?;
    if let Some(column) = columns.split(',').find(|column| !titles.iter().any(|t| t == *column)) {
        bail!(
            "{name}: no column `{column}`; the first line must name {columns}, with commas between"
        );
    }
    let titles = titles.clone();
    for row in reader.records() {
        let row = row.map_err(|error| explain(name, &titles, &StringRecord::new(), error))?;
        let value = row.deserialize(Some(&titles));
        let value = value.map_err(|error| explain(name, &titles, &row, error))?;
        let line = row.position().map_or(1, csv::Position::line);
        visit(value).with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

/// The error of a line, in the words of the table. `row` are its values, where they are known.
fn explain(
    name: &str,
    titles: &StringRecord,
    row: &StringRecord,
    error: csv::Error,
) -> anyhow::Error {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => anyhow!(
            "{name}, line {line}: {len} values, expected {expected_len} as in the first line"
        ),
        // A column that is named twice has no place in a row.
        ErrorKind::Deserialize { err, .. } if err.field().is_none() => {
            anyhow!("{name}, line 1: {}", err.kind())
        }
        ErrorKind::Deserialize { err, .. } => {
            let field = err.field().map_or(usize::MAX, |field| field as usize);
            let [column, value] = [titles, row].map(|of| of.get(field).unwrap_or(""));
            let fault = match err.kind() {
                DeserializeErrorKind::ParseInt(_) => "not a whole number, or out of range",
                DeserializeErrorKind::ParseFloat(_) => "not a number",
                other => &other.to_string(),
            };
            anyhow!("{name}, line {line}, column {column}: {fault}: `{value}`")
        }
        ErrorKind::Utf8 { .. } => anyhow!("{name}, line {line}: no text in UTF-8"),
        _ => anyhow!(error).context(name.to_owned()),
    }
}
