//! Reads tables of comma-separated values row by row. Every error has the file and the line.
//!
//! The first line names the columns, in any order and with others among them. Lines that start with
//! `#` and empty lines are skipped.
//!
//! Invariant: lines are numbered as in an editor. The CSV library's numbers are no help: it counts
//! records, and its rows start at the skipped lines before them.

use anyhow::{Context, Result, anyhow, ensure};
use csv::{Position, StringRecord};
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
    let mut builder = csv::ReaderBuilder::new();
    // `values` checks that a row is as long as the first line.
    builder.trim(csv::Trim::All).comment(Some(b'#')).flexible(true);
    let mut reader = builder.from_reader(text.as_bytes());
    let mut lines = Lines { text, byte: 0, line: 1 };
    let header = reader.headers().with_context(|| name.to_owned())?.clone();
    let line = lines.of(&header);
    let mut positions = [0; N];
    for (position, column) in positions.iter_mut().zip(columns) {
        *position = header.iter().position(|title| title == column).ok_or_else(|| {
            anyhow!("{name}, line {line}: no column `{column}`; the first line must name {all}")
        })?;
    }
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).with_context(|| name.to_owned())? {
        let line = lines.of(&record);
        values(&record, &header, positions)
            .and_then(|values| visit(line, values))
            .with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
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

/// The position of the last record in a text.
struct Lines<'t> {
    text: &'t str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line on which a record starts. The records must come in order.
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
