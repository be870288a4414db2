//! Reads tables of comma-separated values row by row, with the file and the line of every fault.
//!
//! The first line names the columns, in any order and with others among them. A line that starts
//! with `#` is skipped, as empty lines are.
//!
//! Invariant: lines are counted as an editor counts them. The CSV library counts records and bytes,
//! and lets a row begin with the skipped lines before it.

use anyhow::{Context, Result, anyhow, ensure};
use csv::{Position, StringRecord};
use sapper::base::text::pluralize;

/// Gives every row's values of the columns `wanted` to `take`, with the row's line. `name` is the
/// file's.
///
/// # Errors
/// What is wrong with the table, and what `take` says of a row; each with `name` and the line.
pub fn rows<const N: usize>(
    (name, bytes): (&str, &[u8]),
    wanted: [&str; N],
    mut take: impl FnMut(u64, [&str; N]) -> Result<()>,
) -> Result<()> {
    let all = wanted.join(",");
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("{name}, line {line}: no UTF-8 text; give a table with the columns {all}")
    })?;
    let mut builder = csv::ReaderBuilder::new();
    // Whether a row is as long as the first line is looked at here.
    builder.trim(csv::Trim::All).comment(Some(b'#')).flexible(true);
    let mut reader = builder.from_reader(text.as_bytes());
    let mut lines = Lines { text, byte: 0, line: 1 };
    let header = reader.headers().with_context(|| name.to_owned())?.clone();
    let line = lines.of(&header);
    let mut columns = [0; N];
    for (column, word) in columns.iter_mut().zip(wanted) {
        *column = header.iter().position(|title| title == word).ok_or_else(|| {
            anyhow!("{name}, line {line}: no column `{word}`; the first line must name {all}")
        })?;
    }
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).with_context(|| name.to_owned())? {
        let line = lines.of(&record);
        row(&record, &header, columns)
            .and_then(|values| take(line, values))
            .with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

fn row<'r, const N: usize>(
    record: &'r StringRecord,
    header: &StringRecord,
    columns: [usize; N],
) -> Result<[&'r str; N]> {
    ensure!(
        record.len() == header.len(),
        "{}, but the first line names {}: {}",
        pluralize(record.len() as u64, "value", "values"),
        pluralize(header.len() as u64, "column", "columns"),
        header.iter().collect::<Vec<_>>().join(",")
    );
    Ok(columns.map(|column| &record[column]))
}

/// Where in a text the last record was, and on which line.
struct Lines<'t> {
    text: &'t str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line on which the next record begins.
    fn of(&mut self, record: &StringRecord) -> u64 {
        let start = record.position().map_or(0, Position::byte) as usize;
        let passed = self.text.as_bytes().get(self.byte..start).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.byte = self.byte.max(start);
        while let Some((line, _)) = self.text[self.byte..].split_once('\n') {
            if !line.starts_with('#') && !line.trim_end_matches('\r').is_empty() {
                break;
            }
            self.byte += line.len() + 1;
            self.line += 1;
        }
        self.line
    }
}
