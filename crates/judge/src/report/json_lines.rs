//! A file of JSON lines that grows during a run, and from which the run continues after an
//! interruption. The first line states the setting of the run.
//!
//! Invariant: a line is complete if it ends with a line feed. A file that was cut off anywhere (the
//! judge was killed, the disk was full) is valid up to its last line feed, and a run continues from
//! there. A lock keeps a second run from writing the file, and a file of another setting stays as
//! it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Display, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::runner::files::{check_output, read_bytes};
use crate::runner::system;

/// A locked file of JSON lines.
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

/// The error of a file whose contents are not those that the run would continue. A command without
/// --resume says it in its own words.
fn content_error(text: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Reads a file, which may be truncated or still growing: the setting, and the other lines.
///
/// # Errors
/// Fails if the file cannot be read, or if a complete line is not what it should be.
pub fn read<S: DeserializeOwned, L: DeserializeOwned>(path: &Path) -> Result<(S, Vec<L>)> {
    let bytes = read_bytes(path)?;
    parse(path, complete_lines(&bytes), "`judge bench`")
}

/// Parses complete lines, which `command` wrote.
fn parse<S: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    command: &str,
) -> Result<(S, Vec<L>)> {
    let name = path.display();
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let setting = serde_json::from_slice(lines.next().unwrap_or_default()).map_err(|_| {
        content_error(format!(
            "{name} is not a file that --resume of {command} wrote; name another file"
        ))
    })?;
    let line = |(line, number)| {
        serde_json::from_slice(line).map_err(|error| {
            content_error(format!(
                "{name}, line {number} is damaged; remove it and all after it, then --resume the \
                 run: {error}"
            ))
        })
    };
    Ok((setting, lines.zip(2..).map(line).collect::<Result<_, _>>()?))
}

/// The complete lines of a file.
fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

impl JsonLines {
    /// Opens the file of a run with this setting, or creates it, and cuts off a last line that is
    /// not complete. Returns the lines after the first one. To `restart` drops the lines of an
    /// earlier run.
    ///
    /// # Errors
    /// Fails if the file cannot be written, is locked by another process, is of another setting, or
    /// has a damaged line. The file is then unchanged.
    pub fn open<S, L>(path: &Path, restart: bool, setting: &S) -> Result<(JsonLines, Vec<L>)>
    where
        S: Serialize + DeserializeOwned + Comparable,
        L: DeserializeOwned,
    {
        check_output(path)?;
        let name = path.display();
        let cannot = || format!("cannot write {name}");
        let mut open = OpenOptions::new();
        open.read(true).write(true).create(true).truncate(false);
        let mut file = open.open(path).with_context(cannot)?;
        // The file is read to its end, which a device may not have.
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        ensure!(is_file, "cannot write {name}: it is not a regular file");
        if !system::try_lock(&file) {
            bail!("another run writes {name}; wait for it, or name another file");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
        if restart
            && let Some(first) = complete_lines(&bytes).split_inclusive(|&b| b == b'\n').next()
        {
            // Any version may have written it; but a file of another kind is not emptied.
            parse::<BTreeMap<String, IgnoredAny>, IgnoredAny>(path, first, "this command")?;
            bytes.clear();
        }
        let complete = complete_lines(&bytes);
        let is_new = complete.is_empty() && serde_json::to_vec(setting)?.starts_with(&bytes);
        let mut lines = Vec::new();
        if !is_new {
            let (found, others): (S, _) = parse(path, complete, "this command")?;
            if let Some(difference) = difference(&found, setting) {
                bail!(content_error(format!(
                    "{name} is of another run: {difference}; give the same options, another \
                     file, or --restart to drop its results"
                )));
            }
            lines = others;
        }
        // A file that is only read keeps its time.
        if file.metadata().with_context(cannot)?.len() != complete.len() as u64 {
            file.set_len(complete.len() as u64).with_context(cannot)?;
        }
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        let mut file = JsonLines { path: path.to_owned(), file };
        if is_new {
            file.add(setting)?;
        }
        Ok((file, lines))
    }

    /// The file's name.
    pub fn name(&self) -> Display<'_> {
        self.path.display()
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

/// What has to be equal in two runs whose results are joined: texts by their kinds and names. The
/// kind tells entries of one name apart.
pub type Entries = BTreeMap<(&'static str, String), String>;

/// The setting of a run, or a part of it.
pub trait Comparable {
    /// Its entries.
    fn entries(&self) -> Entries;
}

/// Entries of one kind.
pub fn entries<'a>(
    kind: &'static str,
    entries: impl IntoIterator<Item = (&'a str, String)>,
) -> Entries {
    entries.into_iter().map(|(name, text)| ((kind, name.to_owned()), text)).collect()
}

/// The entries in which two settings differ, as text; `None` if the two are equal.
pub fn difference<S: Comparable>(found: &S, expected: &S) -> Option<String> {
    let (found, expected) = (found.entries(), expected.entries());
    let text = |entries: &Entries, key| {
        let text = entries.get(key).map_or("", |text: &String| text.trim());
        if text.is_empty() { "none".to_owned() } else { text.to_owned() }
    };
    let keys: BTreeSet<_> = found.keys().chain(expected.keys()).collect();
    let differences = keys.into_iter().filter_map(|key| {
        let (found, expected) = (text(&found, key), text(&expected, key));
        (found != expected).then(|| format!("{} {found} instead of {expected}", key.1))
    });
    let differences: Vec<String> = differences.collect();
    (!differences.is_empty()).then(|| differences.join(", "))
}
