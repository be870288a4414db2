//! Reads tables of comma-separated values row by row. Every error has the file and the line.
//!
//! The first line names the columns, in any order and with others among them. Lines that start with
//! `#` and empty lines are skipped. A row is a line: no value contains a line feed.

use anyhow::{Context, Result, anyhow, ensure};
use csv::StringRecord;
use sapper::base::text::pluralize;

/// A file with a table.
pub struct CsvFile<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
}

/// Calls `visit` for every row, with the row's line and its values in `columns`.
///
/// # Errors
/// Fails if the table is not valid or if `visit` fails. The message has the file and the line.
pub fn for_each_row<const N: usize>(
    file: &CsvFile,
    columns: [&str; N],
    mut visit: impl FnMut(u64, [&str; N]) -> Result<()>,
) -> Result<()> {
    let CsvFile { name, bytes } = *file;
    let all = columns.join(",");
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("{name}, line {line}: not UTF-8 text; give a table with the columns {all}")
    })?;
    let is_row = |(line, _): &(&str, u64)| !line.trim().is_empty() && !line.starts_with('#');
    let mut rows = text.lines().zip(1..).filter(is_row);
    let (first, line) = rows.next().unwrap_or(("", 1));
    let header = record(first)?;
    let mut positions = [0; N];
    for (position, column) in positions.iter_mut().zip(columns) {
        *position = header.iter().position(|title| title == column).ok_or_else(|| {
            anyhow!("{name}, line {line}: no column `{column}`; the first line must name {all}")
        })?;
    }
    for (row, line) in rows {
        record(row)
            .and_then(|record| visit(line, values(&record, &header, positions)?))
            .with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

/// The values of a line.
fn record(line: &str) -> Result<StringRecord> {
    let mut builder = csv::ReaderBuilder::new();
    // `values` checks that a row is as long as the first line.
    builder.has_headers(false).trim(csv::Trim::All).flexible(true);
    let first = builder.from_reader(line.as_bytes()).records().next();
    Ok(first.transpose()?.unwrap_or_default())
}

/// The values of a row at these positions.
fn values<'r, const N: usize>(
    record: &'r StringRecord,
    header: &StringRecord,
    positions: [usize; N],
) -> Result<[&'r str; N]> {
    ensure!(
        record.len() == header.len(),
        "{}, but the first line names {}: {}",
        pluralize(record.len() as u64, "value", "values"),
        pluralize(header.len() as u64, "column", "columns"),
        header.iter().collect::<Vec<_>>().join(",")
    );
    Ok(positions.map(|position| &record[position]))
}
