//! A CSV file that is written during a run: a line with the names of the columns, then the rows.
//!
//! A row is a struct, and its fields are the columns.
//!
//! The table of a run before is kept until the first row of this run, and the file is locked, so
//! that two runs do not write one table.
//!
//! Invariant: after [`CsvWriter::resume`], the file holds exactly the first rows of the run.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use csv::{Reader, Writer, WriterBuilder};
use output::{Force, Kind, Output};
use serde::Serialize;

use crate::runner::system::try_lock;

/// What a table may replace.
#[derive(Clone, Copy)]
pub struct Over<'a> {
    /// The files that the command reads, which it never replaces.
    pub inputs: &'a [&'a Path],
    /// Whether it replaces what is no table.
    pub force: Force,
}

/// An open file, or none, to which nothing is written.
pub struct CsvWriter(Option<Table>);

struct Table {
    path: PathBuf,
    file: Writer<File>,
    /// The line of the columns, until it is written with the first row.
    header: Option<String>,
}

impl CsvWriter {
    /// Creates the file, or opens it to replace what it holds with the first row. The columns are
    /// the fields of `row`, whose values do not matter.
    ///
    /// # Errors
    /// The file cannot be written, or another run writes it.
    pub fn create(path: Option<&Path>, over: Over, row: &impl Serialize) -> Result<CsvWriter> {
        CsvWriter::resume(path, over, row, 0)
    }

    /// Opens the file of a run that is resumed after `rows` rows, and drops all later rows.
    ///
    /// # Errors
    /// The file cannot be written, or does not hold so many rows with the columns of `row`.
    pub fn resume(
        path: Option<&Path>,
        over: Over,
        row: &impl Serialize,
        rows: u64,
    ) -> Result<CsvWriter> {
        let Some(path) = path else { return Ok(CsvWriter(None)) };
        let columns = columns(row)?;
        let first = columns.split(',').next().unwrap_or_default();
        let name = format!("table that begins with the column {first}");
        let kind = Kind { name: &name, beginnings: &[first] };
        // Rows are appended during the run, and kept if it is interrupted: no part is renamed.
        Output::new(path, kind, over.inputs.iter().copied(), over.force)?;
        let resumed = || -> Result<File> {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            let mut reader = Reader::from_reader(&file);
            let names = reader.headers()?.iter().collect::<Vec<_>>().join(",");
            ensure!(names == columns, "its first line is not {columns}");
            let held = reader.records().take(rows as usize).filter(Result::is_ok).count() as u64;
            let end = reader.position().byte();
            // A last row without its line feed may be cut off.
            let mut last = [0];
            file.seek(SeekFrom::Start(end.saturating_sub(1)))?;
            file.read_exact(&mut last)?;
            let is_complete = held == rows && last == *b"\n";
            ensure!(is_complete, "it has fewer rows than the {rows} games of --resume");
            file.set_len(end)?;
            Ok(file)
        };
        let name = path.display();
        let created = || OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = match rows {
            0 => created().with_context(|| format!("cannot write {name}"))?,
            _ => resumed().with_context(|| {
                format!("cannot resume {name}; omit --csv, or start again with another --resume")
            })?,
        };
        let held = file.metadata().with_context(|| format!("cannot write {name}"))?;
        ensure!(
            !held.is_file() || try_lock(&file),
            "cannot write {name}: another run writes it; name another file, or wait for its end"
        );
        let file = WriterBuilder::new().has_headers(false).from_writer(file);
        let header = (rows == 0).then_some(columns);
        let mut table = Table { path: path.to_owned(), file, header };
        // An empty table has its columns from the start.
        if held.len() == 0 {
            table.begin()?;
        }
        Ok(CsvWriter(Some(table)))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, row: impl Serialize) -> Result<()> {
        let Some(table) = &mut self.0 else { return Ok(()) };
        table.begin()?;
        table.write(row)
    }

    /// Ends the table. Without a row it holds the names of the columns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), Table::begin)
    }
}

impl Table {
    /// Drops what the file held, and writes the names of the columns, unless that is done.
    fn begin(&mut self) -> Result<()> {
        let Some(columns) = self.header.take() else { return Ok(()) };
        let file = self.file.get_ref();
        // A pipe or a device has no length.
        if file.metadata().is_ok_and(|file| file.is_file()) {
            file.set_len(0).with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        self.write(columns.split(',').collect::<Vec<_>>())
    }

    fn write(&mut self, row: impl Serialize) -> Result<()> {
        let written = self.file.serialize(row).and_then(|()| Ok(self.file.flush()?));
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The names of the columns, with commas between them.
fn columns(row: &impl Serialize) -> Result<String> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.serialize(row)?;
    let text = String::from_utf8(writer.into_inner()?)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVER: Over = Over { inputs: &[], force: Force::Absent };

    #[derive(Serialize)]
    struct Row {
        a: u32,
        b: f64,
    }

    #[test]
    fn an_old_table_is_kept_until_the_first_row_and_written_by_one_run() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("rows.csv");
        let held = || std::fs::read_to_string(&path).expect("the rows");
        let create = || CsvWriter::create(Some(&path), OVER, &Row { a: 0, b: 0.0 });
        let mut first = create().expect("a new file");
        assert_eq!(held(), "a,b\n");
        let other = create().err().expect("a locked file").to_string();
        assert!(other.contains("another run writes it"), "{other}");
        first.add(Row { a: 1, b: 0.25 }).expect("a row");
        drop(first);
        drop(create().expect("the file of before"));
        assert_eq!(held(), "a,b\n1,0.25\n", "a run without a row leaves the table");
        create().expect("the file of before").add(Row { a: 2, b: 0.5 }).expect("a row");
        assert_eq!(held(), "a,b\n2,0.5\n");
        create().expect("the file of before").finish().expect("no row");
        assert_eq!(held(), "a,b\n");
    }

    #[test]
    fn a_row_that_was_cut_off_is_no_row() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("rows.csv");
        let mut writer =
            CsvWriter::create(Some(&path), OVER, &Row { a: 0, b: 0.0 }).expect("a new file");
        for row in [Row { a: 1, b: 0.25 }, Row { a: 2, b: 0.75 }] {
            writer.add(row).expect("a row");
        }
        drop(writer);
        let whole = std::fs::read_to_string(&path).expect("the rows");
        assert_eq!(whole, "a,b\n1,0.25\n2,0.75\n");
        let resumed = |len: usize, rows| {
            std::fs::write(&path, &whole[..len]).expect("a cut file");
            CsvWriter::resume(Some(&path), OVER, &Row { a: 0, b: 0.0 }, rows).is_ok()
        };
        assert!(resumed(whole.len(), 2));
        assert!(!resumed(whole.len() - 1, 2) && !resumed(whole.len() - 2, 2));
        assert!(resumed(whole.len() - 2, 1));
        assert_eq!(std::fs::read_to_string(&path).expect("the rows"), "a,b\n1,0.25\n");
    }
}
