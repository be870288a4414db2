//! Reads tables of comma-separated values. Every error has the file, and the row or the line.
//!
//! The first line names the columns, in any order and with others among them. Lines that start with
//! `#` and empty lines are skipped.

use anyhow::{Context, Result, bail};
use csv::{ReaderBuilder, Trim};
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
    let hint = || format!("{name}: give a table with the columns {columns}");
    let mut reader = ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(bytes);
    let titles = reader.headers().with_context(hint)?;
    if let Some(column) = columns.split(',').find(|column| !titles.iter().any(|t| t == *column)) {
        bail!("{name}: no column `{column}`; the first line must name {columns}");
    }
    for (row, number) in reader.deserialize().zip(1..) {
        visit(row.with_context(hint)?).with_context(|| format!("{name}, row {number}"))?;
    }
    Ok(())
}
