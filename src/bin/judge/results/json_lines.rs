//! A file of JSON lines that grows during a run, and from which the run continues after an
//! interruption. The first line states what the file is about.
//!
//! Invariant: a line is complete if it ends with a line feed. A file that was cut off anywhere (the
//! judge was killed, the disk was full) is valid up to its last line feed, and a run continues from
//! there. A lock keeps a second run from writing the file, and a file of another run stays as it
//! is.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::Serialize;

/// A locked file of JSON lines.
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

/// The complete lines of a file.
pub fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

impl JsonLines {
    /// Opens the file, or creates it, and cuts off a last line that is not complete. An empty file,
    /// and one whose first line was cut off, gets the first line `first`; `parse` reads the
    /// complete lines of any other.
    ///
    /// # Errors
    /// Fails if the file cannot be written or is locked by another process, or if `parse` fails.
    /// The file is then unchanged.
    pub fn open<T: Default>(
        path: &Path,
        first: &impl Serialize,
        parse: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<(JsonLines, T)> {
        let name = path.display();
        let cannot = || format!("cannot write {name}");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).with_context(cannot)?;
        // The file is read to its end, which a device may not have.
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        ensure!(is_file, "cannot write {name}: it is not a regular file");
        // A file system without locks is not an error.
        if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            bail!("another run writes {name}; wait for it, or name another file");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
        let complete = complete_lines(&bytes);
        let is_new = complete.is_empty() && serde_json::to_vec(first)?.starts_with(&bytes);
        let contents = if is_new { T::default() } else { parse(complete)? };
        file.set_len(complete.len() as u64).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        let mut lines = JsonLines { path: path.to_owned(), file };
        if is_new {
            lines.add(first)?;
        }
        Ok((lines, contents))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}
