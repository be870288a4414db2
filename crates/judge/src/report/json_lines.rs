//! A file of JSON lines that grows during a run, and from which the run continues after an
//! interruption. The first line states the setting of the run.
//!
//! Invariant: a line is complete if it ends with a line feed. A file that was cut off anywhere (the
//! judge was killed, the disk was full) is valid up to its last line feed, and a run continues from
//! there. A line that was altered is found by its checksum ([`crate::report::line_checksum`]) and
//! has no value. The files of earlier versions have no checksums: a file has one in each line from
//! the first, or in those that this version has appended. A lock keeps a second run from writing
//! the file, and a file of another setting stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Display, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use output::check_place;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::report::line_checksum::{Unsealed, sealed, unsealed};
use crate::runner::files::read_bytes;
use crate::runner::messages::errln;
use crate::runner::system;

/// A locked file of JSON lines.
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

/// A line after the first one.
pub struct Line<L> {
    pub place: Place,
    /// The value, or why there is none.
    pub value: Result<L, String>,
}

/// Where a line is in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the line, from 1.
    number: usize,
    /// The number of bytes before the line.
    start: u64,
}

impl Place {
    /// What is wrong with the line here, in the file of this name.
    pub fn fault(self, name: impl fmt::Display, why: &str) -> String {
        format!("{name}, line {}: {why}", self.number)
    }
}

/// The error of a file whose contents are not those that the run would continue. A command without
/// --resume says it in its own words.
fn content_error(text: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Whether a file could not be opened for its contents.
pub fn is_content_error(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == ErrorKind::InvalidData)
}

/// The error of a file that `writer` has not written.
fn other_file(path: &Path, writer: &str) -> io::Error {
    let name = path.display();
    content_error(format!("{name} is not a file that {writer} wrote; name another file"))
}

/// Reads a file of `writer`, which may be truncated or still growing: the setting, and the other
/// lines.
///
/// # Errors
/// Fails if the file cannot be read, or if its first line is not what it should be.
pub fn read<S: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    writer: &str,
) -> Result<(S, Vec<Line<L>>)> {
    let bytes = read_bytes(path)?;
    parse(path, complete_lines(&bytes), writer)
}

/// Parses complete lines, which `writer` wrote.
fn parse<S: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    writer: &str,
) -> Result<(S, Vec<Line<L>>)> {
    let name = path.display();
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let unsealed_first = unsealed(first.trim_ascii_end());
    if unsealed_first == Unsealed::Altered {
        let place = Place { number: 1, start: 0 };
        bail!(content_error(format!(
            "{}, so that it is not known what was played; name another file, or play its run anew \
             with --restart",
            place.fault(name, ALTERED)
        )));
    }
    let is_sealed = matches!(unsealed_first, Unsealed::Whole(_));
    let setting = value(first, false).map_err(|_| other_file(path, writer))?;
    let mut start = first.len() as u64;
    let line = |(line, number): (&[u8], usize)| {
        let place = Place { number, start };
        start += line.len() as u64;
        Line { place, value: value(line, is_sealed) }
    };
    Ok((setting, lines.zip(2..).map(line).collect()))
}

/// What is wrong with a line whose checksum is not its own.
const ALTERED: &str = "it was altered after it was written";

/// The value of a line.
fn value<L: DeserializeOwned>(line: &[u8], must_be_sealed: bool) -> Result<L, String> {
    let line = line.trim_ascii_end();
    let whole = match unsealed(line) {
        Unsealed::Whole(whole) => whole,
        Unsealed::Unknown if !must_be_sealed => line.to_vec(),
        Unsealed::Altered | Unsealed::Unknown => return Err(ALTERED.to_owned()),
    };
    serde_json::from_slice(&whole).map_err(|error| format!("it cannot be read: {error}"))
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
    /// has another first line. The file is then unchanged.
    pub fn open<S, L>(path: &Path, restart: bool, setting: &S) -> Result<(JsonLines, Vec<Line<L>>)>
    where
        S: Serialize + DeserializeOwned + Comparable,
        L: DeserializeOwned,
    {
        check_place(path)?;
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
        let first = serde_json::to_string(setting)?;
        if restart
            && let Some(found) = complete_lines(&bytes).split_inclusive(|&b| b == b'\n').next()
        {
            // Any version may have written it, with other keys besides. A file of another kind,
            // such as a recorded game, has none of the keys, and is not emptied.
            type Keys = BTreeMap<String, IgnoredAny>;
            let found: Keys = serde_json::from_slice(found).unwrap_or_default();
            let keys: Keys = serde_json::from_str(&first)?;
            let is_of_run = keys.keys().any(|key| found.contains_key(key));
            ensure!(is_of_run, other_file(path, S::WRITER));
            bytes.clear();
        }
        let complete = complete_lines(&bytes);
        let is_cut = |first: &str| first.as_bytes().starts_with(&bytes);
        let is_new = complete.is_empty() && (is_cut(&first) || is_cut(&sealed(&first)));
        let mut lines = Vec::new();
        if !is_new {
            let (found, others): (S, _) = parse(path, complete, S::WRITER)?;
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

    /// Drops this line, which cannot be used for this reason, and all after it, and says so.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn cut(&mut self, place: Place, why: &str) -> Result<()> {
        let fault = place.fault(self.name(), why);
        errln!("warning: {fault}; its boards and all after them are played again");
        let end = SeekFrom::Start(place.start);
        let cut = self.file.set_len(place.start).and_then(|()| self.file.seek(end));
        cut.map(|_| ()).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Appends a line, an object with a key.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let line = sealed(&serde_json::to_string(line)?) + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// What has to be equal in two runs whose results are joined: texts by their kinds and names. The
/// kind tells entries of one name apart.
pub type Entries = BTreeMap<(&'static str, String), String>;

/// The setting of a run, or a part of it.
pub trait Comparable {
    /// What writes files with this setting.
    const WRITER: &'static str = "--resume of this command";

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

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Setting {
        level: String,
    }

    impl Comparable for Setting {
        fn entries(&self) -> Entries {
            entries("setting", [("level", self.level.clone())])
        }
    }

    #[derive(Serialize, Deserialize)]
    struct Won {
        won: u32,
    }

    /// The values of a file; of lines that cannot be used what is wrong with them.
    fn values(path: &Path) -> Result<Vec<Result<u32, String>>> {
        let setting = Setting { level: "8x8/8".to_owned() };
        let (_, lines) = JsonLines::open::<_, Won>(path, false, &setting)?;
        let fault = |place: Place, why: String| place.fault("run", &why);
        let values = lines.into_iter().map(|Line { place, value }| {
            value.map(|line: Won| line.won).map_err(|why| fault(place, why))
        });
        Ok(values.collect())
    }

    fn written(path: &Path, numbers: &[u32]) -> String {
        let setting = Setting { level: "8x8/8".to_owned() };
        let (mut file, _) = JsonLines::open::<_, Won>(path, false, &setting).unwrap();
        numbers.iter().for_each(|&won| file.add(&Won { won }).unwrap());
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn no_altered_byte_changes_a_value() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let text = written(&path, &[7, 11, 13]);
        let right = [7, 11, 13];
        assert_eq!(values(&path).unwrap(), right.map(Ok));
        for index in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[index] ^= 1;
            fs::write(&path, &bytes).unwrap();
            // An altered first line is an error, unless only the name of its checksum is another.
            let Ok(found) = values(&path) else { continue };
            let wrong: Vec<_> = found.iter().filter_map(|value| value.as_ref().err()).collect();
            assert!(
                found.iter().flatten().all(|value| right.contains(value)),
                "{index}: {found:?}"
            );
            let is_first = index < text.find('\n').unwrap();
            assert!(is_first || !wrong.is_empty(), "{index}: {found:?}");
        }
        let altered = text.replace("\"won\":11", "\"won\":12");
        fs::write(&path, &altered).unwrap();
        let fault = "run, line 3: it was altered after it was written";
        assert_eq!(values(&path).unwrap(), [Ok(7), Err(fault.to_owned()), Ok(13)]);
        // The first line, and a line without a checksum where the first has one.
        fs::write(&path, text.replace("8x8", "8x9")).unwrap();
        let error = values(&path).unwrap_err().to_string();
        assert!(error.contains(", line 1: it was altered"), "{error}");
        fs::write(&path, format!("{text}{{\"won\":1}}\n")).unwrap();
        assert_eq!(values(&path).unwrap()[3], Err(fault.replace('3', "5")));
    }

    #[test]
    fn a_file_of_an_earlier_version_goes_on_with_checksums() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let old = "{\"level\":\"8x8/8\"}\n{\"won\":3}\n{\"won\":\n";
        fs::write(&path, format!("{old}{{\"won\":5}}\n{{\"wo")).unwrap();
        let text = written(&path, &[7]);
        assert!(
            text.starts_with(&format!("{old}{{\"won\":5}}\n{{\"won\":7,\"crc32\":\"")),
            "{text}"
        );
        let damaged =
            "run, line 3: it cannot be read: EOF while parsing a value at line 1 column 7";
        assert_eq!(values(&path).unwrap(), [Ok(3), Err(damaged.to_owned()), Ok(5), Ok(7)]);
        // A first line that was cut off is written again.
        for cut in ["{\"level\":", "{\"level\":\"8x8/8\",\"crc"] {
            fs::write(&path, cut).unwrap();
            assert_eq!(written(&path, &[]).lines().count(), 1);
        }
    }

    #[test]
    fn a_file_of_another_kind_is_not_emptied() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let setting = Setting { level: "8x8/8".to_owned() };
        let restart = || JsonLines::open::<_, Won>(&path, true, &setting);
        for game in ["{\"log\":[]}\n", "[1]\n", "a text\n", "{}\n{\"won\":3}\n"] {
            fs::write(&path, game).unwrap();
            let error = restart().err().unwrap();
            assert!(is_content_error(&error), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), game);
        }
        // The run of another version, and a run of other options.
        for run in ["{\"level\":5,\"more\":1}\n{\"won\":3}\n", "{\"level\":\"9x9/9\"}\n"] {
            fs::write(&path, run).unwrap();
            assert_eq!(restart().unwrap().1.len(), 0);
            assert_eq!(fs::read_to_string(&path).unwrap(), sealed("{\"level\":\"8x8/8\"}") + "\n");
        }
    }

    #[test]
    fn a_file_is_cut_before_a_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let text = written(&path, &[7, 11, 13]);
        let (mut file, lines) =
            JsonLines::open::<_, Won>(&path, false, &Setting { level: "8x8/8".to_owned() })
                .unwrap();
        file.cut(lines[1].place, "of another run").unwrap();
        file.add(&Won { won: 13 }).unwrap();
        drop(file);
        let kept: Vec<&str> = [0, 1, 3].map(|line| text.lines().nth(line).unwrap()).into();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().collect::<Vec<_>>(), kept);
    }
}
