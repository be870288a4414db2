//! The histories of open matches on disk, so that another run goes on where this one ends.
//!
//! A match has a file `ID.jsonl` in the directory, a line for each request, answer and delivery.
//! Each line is written before anything is sent that depends on it, and the file is removed when
//! the match is over. Invariant: one run at a time uses a directory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::game::{Entry, Game};
use super::news::read_id;
use crate::cli::resume::ResumeOptions;
use crate::results::json_lines::JsonLines;

/// The directory of the histories.
pub struct Store {
    directory: PathBuf,
    files: BTreeMap<String, JsonLines>,
    /// Holds the lock of the directory.
    _lock: File,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(rename = "match")]
    id: String,
}

/// Where histories are kept if no directory is named.
///
/// # Errors
/// Fails if the user has no home directory.
pub fn default_directory() -> Result<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty());
    let state = state.map(PathBuf::from).or_else(|| {
        std::env::var_os("HOME").map(|home| Path::new(&home).join(".local").join("state"))
    });
    let state = state.context("there is no home directory; name a directory with --state")?;
    Ok(state.join("sapper").join("matches"))
}

impl Store {
    /// Opens a directory, or makes it, and reads the open matches.
    ///
    /// # Errors
    /// Fails if the directory cannot be used, if another run uses it, or if a file is damaged.
    pub fn open(directory: &Path) -> Result<(Store, BTreeMap<String, Game>)> {
        let name = directory.display();
        let cannot = || format!("cannot use the directory {name}");
        fs::create_dir_all(directory).with_context(cannot)?;
        let lock = File::open(directory).with_context(cannot)?;
        // A file system without locks is not an error.
        if flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            bail!("another client plays with the matches in {name}; end it, or give --state");
        }
        let mut store =
            Store { directory: directory.to_owned(), files: BTreeMap::new(), _lock: lock };
        let mut games = BTreeMap::new();
        for entry in fs::read_dir(directory).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let Ok(id) = read_id(id) else { continue };
            let mut game = Game::default();
            store.open_file(&id)?.into_iter().for_each(|line| game.restore(line));
            if game.requests.is_empty() {
                // The run before was ended between the first two lines.
                store.remove(&id);
            } else {
                games.insert(id, game);
            }
        }
        Ok((store, games))
    }

    /// Adds a line to the file of a match.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add(&mut self, id: &str, entry: &Entry) -> Result<()> {
        if !self.files.contains_key(id) {
            self.open_file(id)?;
        }
        self.files.get_mut(id).map_or(Ok(()), |file| file.add(entry))
    }

    /// Removes the file of a match that is over.
    pub fn remove(&mut self, id: &str) {
        if self.files.remove(id).is_some() {
            // What remains is an open match of which nothing more is heard.
            fs::remove_file(self.path(id)).ok();
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.jsonl"))
    }

    /// Opens the file of a match and returns the lines that it holds.
    fn open_file(&mut self, id: &str) -> Result<Vec<Entry>> {
        let options = ResumeOptions { resume: Some(self.path(id)), restart: false };
        let Some((file, lines)) = JsonLines::open(&options, &Head { id: id.to_owned() })? else {
            return Ok(Vec::new());
        };
        self.files.insert(id.to_owned(), file);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_match_is_on_disk_until_it_is_over() {
        let directory = TempDir::new().unwrap();
        let open = || Store::open(directory.path());
        let (mut store, games) = open().unwrap();
        assert!(games.is_empty());
        let request = json!({"height": 3, "width": 3, "minecount": 1, "changed": null});
        for id in ["a", "b"] {
            store.add(id, &Entry::Request(request.clone())).unwrap();
        }
        store.add("a", &Entry::Answer(json!({"response": {"row": 0, "col": 0}}))).unwrap();
        assert!(open().is_err_and(|error| error.to_string().contains("another client")));
        drop(store);
        // A kill in the middle of a line, and one before the first request.
        let mut file = File::options().append(true).open(directory.path().join("b.jsonl")).unwrap();
        file.write_all(b"{\"answer\":{\"resp").unwrap();
        fs::write(directory.path().join("c.jsonl"), "{\"match\":\"c\"}\n").unwrap();
        fs::write(directory.path().join("notes.txt"), "kept").unwrap();
        let (mut store, games) = open().unwrap();
        let names: Vec<&String> = games.keys().collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((games["a"].owed().is_some(), games["b"].is_asked()), (true, true));
        store.remove("a");
        drop(store);
        assert_eq!(open().unwrap().1.len(), 1);
        fs::write(directory.path().join("b.jsonl"), "{\"match\":\"x\"}\n").unwrap();
        let error = format!("{:#}", open().map(|_| ()).unwrap_err());
        assert!(error.contains("b.jsonl"), "{error}");
    }
}
