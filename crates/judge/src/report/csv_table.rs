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
    let read_error = |error: csv::Error| read_error(name, error);
    let titles = reader.headers().map_err(read_error)?;
    if let Some(column) = columns.split(',').find(|column| !titles.iter().any(|t| t == *column)) {
        bail!(
            "{name}: no column `{column}`; the first line must name {columns}, with commas between"
        );
    }
    let titles = titles.clone();
    for row in reader.records() {
        let row = row.map_err(read_error)?;
        let value = row.deserialize(Some(&titles));
        let value = value.map_err(|error| value_error(name, &titles, &row, error))?;
        let line = row.position().map_or(1, csv::Position::line);
        visit(value).with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

/// The error of a line that cannot be read, in the words of the table.
fn read_error(name: &str, error: csv::Error) -> anyhow::Error {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => anyhow!(
            "{name}, line {line}: {len} values, expected {expected_len} as in the first line"
        ),
        ErrorKind::Utf8 { .. } => anyhow!("{name}, line {line}: no text in UTF-8"),
        _ => anyhow!(error).context(name.to_owned()),
    }
}

/// The error of a value in a row, likewise.
fn value_error(
    name: &str,
    titles: &StringRecord,
    row: &StringRecord,
    error: csv::Error,
) -> anyhow::Error {
    let line = error.position().map_or(1, csv::Position::line);
    let ErrorKind::Deserialize { err, .. } = error.kind() else { return read_error(name, error) };
    // A column that is named twice has no place in a row.
    let Some(field) = err.field() else { return anyhow!("{name}, line 1: {}", err.kind()) };
    let [column, value] = [titles, row].map(|of| of.get(field as usize).unwrap_or(""));
    let fault = match err.kind() {
        DeserializeErrorKind::ParseInt(_) => "not a whole number, or out of range",
        DeserializeErrorKind::ParseFloat(_) => "not a number",
        other => &other.to_string(),
    };
    anyhow!("{name}, line {line}, column {column}: {fault}: `{value}`")
}
