//! A CSV file that is written during a run: a line with the names of the columns, then the rows.
//!
//! Invariant: after [`CsvWriter::resume`], the file holds exactly the first rows of the run.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use csv::{Writer, WriterBuilder};
use sapper::base::text::pluralize;
use serde::Serialize;

/// An open file.
pub struct CsvWriter {
    path: PathBuf,
    file: Writer<File>,
}

impl CsvWriter {
    /// Creates the file, or empties it, and writes the names of the columns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path, columns: &[&str]) -> Result<CsvWriter> {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut writer = CsvWriter::new(path, file);
        writer.add(columns)?;
        writer.flush()?;
        Ok(writer)
    }

    /// Opens the file of a run that is resumed after `rows` rows, and drops all later rows.
    ///
    /// # Errors
    /// The file cannot be written, or does not hold so many rows of these columns.
    pub fn resume(path: &Path, columns: &[&str], rows: u64) -> Result<CsvWriter> {
        if rows == 0 {
            return CsvWriter::create(path, columns);
        }
        let resumed = || -> Result<File> {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            let end = end_of_rows(BufReader::new(&file), columns, rows)?;
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end))?;
            Ok(file)
        };
        let file = resumed().with_context(|| {
            format!(
                "cannot resume {}; omit --csv, or start again with another --out",
                path.display()
            )
        })?;
        Ok(CsvWriter::new(path, file))
    }

    fn new(path: &Path, file: File) -> CsvWriter {
        let file = WriterBuilder::new().has_headers(false).from_writer(file);
        CsvWriter { path: path.to_owned(), file }
    }

    /// Adds a row: a tuple or a list. It may stay in memory until [`CsvWriter::flush`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, row: impl Serialize) -> Result<()> {
        let written = self.file.serialize(row);
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes all added rows to the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The offset of the byte after the names of the columns and `rows` rows of a line each.
fn end_of_rows(mut file: impl BufRead, columns: &[&str], rows: u64) -> Result<u64> {
    let (mut end, mut line) = (0, Vec::new());
    for number in 0..=rows {
        line.clear();
        end += file.read_until(b'\n', &mut line)? as u64;
        let names = columns.join(",");
        if number == 0 && line != format!("{names}\n").as_bytes() {
            bail!("its first line is not {names}");
        }
        if !line.ends_with(b"\n") {
            let games = pluralize(rows, "game", "games");
            bail!("it has fewer rows than the {games} that --out holds");
        }
    }
    Ok(end)
}
