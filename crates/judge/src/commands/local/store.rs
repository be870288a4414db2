//! The histories of open matches on disk, so that another run goes on where this one ends.
//!
//! A match has a file `ID.jsonl` in the directory, a line for each request, answer and delivery.
//! Each line is written before anything is sent that depends on it, and the file is removed when
//! the match is over.
//!
//! Invariants: one run at a time uses a directory. A file that cannot be used, such as one with an
//! altered line, stays as it is, and concerns its match alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use sapper::kit::object::read_from_object;
use sapper::kit::text::pluralize;
use serde::{Deserialize, Serialize};

use super::game::{Entry, LocalGame};
use super::news::read_id;
use crate::report::recorded_games::make_directory;
use crate::report::{Comparable, Entries, JsonLines, Line, entries, is_content_error};
use crate::runner::system;

/// The first line of a file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Self")]
struct Header {
    #[serde(rename = "match")]
    id: String,
}
read_from_object!(both Header);

impl Comparable for Header {
    fn entries(&self) -> Entries {
        entries("match", [("match", self.id.clone())])
    }
}

/// The directory of the histories.
pub struct Store {
    directory: PathBuf,
    files: BTreeMap<String, JsonLines>,
    /// The times since the last news of the matches that were read.
    ages: Vec<Duration>,
    /// Holds the lock of the directory.
    _lock: File,
}

/// What a directory holds.
pub struct Stored {
    pub store: Store,
    /// The open matches.
    pub games: BTreeMap<String, LocalGame>,
    /// The matches whose files cannot be used, and why.
    pub unusable: Vec<(String, String)>,
}

/// A match without news for this time may never end: the server may have forgotten it.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Where histories are kept if no directory is named.
///
/// # Errors
/// Fails if the user has no home directory.
pub fn default_directory() -> Result<PathBuf> {
    let state = state_directory(|name| std::env::var_os(name), std::env::home_dir());
    let state = state.context("there is no home folder; name a folder with --state")?;
    Ok(state.join("sapper").join("matches"))
}

/// Where programs keep what they need the next time, by these environment variables and this home
/// directory: as the XDG Base Directory Specification says, and on Windows in the local data of
/// programs.
fn state_directory(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let named = |name| variable(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    named("XDG_STATE_HOME").or_else(|| named("LOCALAPPDATA").filter(|_| cfg!(windows))).or_else(
        || {
            let home = home.filter(|home| !home.as_os_str().is_empty())?;
            Some(home.join(".local").join("state"))
        },
    )
}

impl Store {
    /// Opens a directory, or makes it, and reads the open matches.
    ///
    /// # Errors
    /// Fails if the directory cannot be used, or if another run uses it.
    pub fn open(directory: &Path) -> Result<Stored> {
        let name = directory.display();
        let cannot = || format!("cannot use the folder {name}");
        make_directory(directory)?;
        let Some(lock) = system::try_lock_folder(directory).with_context(cannot)? else {
            bail!("another client plays with the matches in {name}; end it, or give --state");
        };
        let (directory, files) = (directory.to_owned(), BTreeMap::new());
        let mut store = Store { directory, files, ages: Vec::new(), _lock: lock };
        let (mut games, mut unusable) = (BTreeMap::new(), Vec::new());
        for entry in fs::read_dir(&store.directory).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let Ok(id) = read_id(id) else { continue };
            let age = path.metadata().ok().and_then(|data| data.modified().ok()?.elapsed().ok());
            let mut game = LocalGame::default();
            match store.open_file(&id) {
                Ok(lines) => lines.into_iter().for_each(|line| game.restore(line)),
                Err(error) => {
                    unusable.push((id, format!("{error:#}")));
                    continue;
                }
            }
            if game.requests.is_empty() {
                // The run before was ended between the first two lines.
                store.remove(&id);
            } else {
                store.ages.extend(age);
                games.insert(id, game);
            }
        }
        Ok(Stored { store, games, unusable })
    }

    /// What there is to say of matches without news for long.
    pub fn old_matches(&self) -> Option<String> {
        let old = self.ages.iter().filter(|age| **age >= OLD);
        let days = old.clone().max()?.as_secs() / OLD.as_secs();
        let (count, days) = (old.count(), pluralize(days, "day", "days"));
        Some(format!(
            "{count} of them had no news for a day or more, up to {days}; to drop a match, end \
             this command and delete ID.jsonl in {}",
            self.directory.display()
        ))
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
        let (path, header) = (self.path(id), Header { id: id.to_owned() });
        let (file, lines) = JsonLines::open(&path, false, &header).or_else(|error| {
            // A command without --resume says in its own words what the file should hold.
            ensure!(!is_content_error(&error), "{} is no history of this match", path.display());
            Err(error)
        })?;
        let entries = lines.into_iter().map(|Line { place, value }| {
            value.map_err(|why| anyhow!(place.fault(path.display(), &why)))
        });
        let entries = entries.collect::<Result<_>>()?;
        self.files.insert(id.to_owned(), file);
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::SystemTime;

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn each_system_has_a_folder_for_histories() {
        let chosen = |variables: &[(&str, &str)], home: Option<&str>| {
            let value = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, v)| v);
            state_directory(|name| value(name).map(OsString::from), home.map(PathBuf::from))
        };
        let in_home = Path::new("home").join(".local").join("state");
        let [xdg, local] = [("XDG_STATE_HOME", "xdg"), ("LOCALAPPDATA", "local")];
        assert_eq!(chosen(&[xdg, local], Some("home")), Some("xdg".into()));
        let of_the_system = if cfg!(windows) { Path::new("local") } else { &in_home };
        assert_eq!(chosen(&[local], Some("home")), Some(of_the_system.to_owned()));
        assert_eq!(chosen(&[("XDG_STATE_HOME", "")], Some("home")), Some(in_home));
        assert_eq!(chosen(&[], Some("")), None);
        assert_eq!(chosen(&[], None), None);
    }

    #[test]
    fn a_match_is_on_disk_until_it_is_over() {
        let directory = TempDir::new().unwrap();
        let open = || Store::open(directory.path());
        let Stored { mut store, games, .. } = open().unwrap();
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
        let Stored { mut store, games, .. } = open().unwrap();
        let names: Vec<&String> = games.keys().collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((games["a"].owed().is_some(), games["b"].is_asked()), (true, true));
        store.remove("a");
        drop(store);
        assert_eq!(open().unwrap().games.len(), 1);
        // The lock leaves nothing behind.
        let entries = fs::read_dir(directory.path()).unwrap().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        assert_eq!(names, ["b.jsonl", "notes.txt"]);
    }

    #[test]
    fn a_file_that_cannot_be_used_concerns_its_match_alone() {
        let directory = TempDir::new().unwrap();
        let path = |id: &str| directory.path().join(format!("{id}.jsonl"));
        let request = json!({"height": 3, "width": 3, "minecount": 1, "changed": null});
        let mut store = Store::open(directory.path()).unwrap().store;
        for id in ["a", "b"] {
            store.add(id, &Entry::Request(request.clone())).unwrap();
        }
        drop(store);
        let altered = fs::read_to_string(path("b")).unwrap().replace("\"width\":3", "\"width\":4");
        for (text, why) in [
            (&altered[..], "b.jsonl, line 2: it was altered after it was written"),
            ("{\"match\":\"x\"}\n", "b.jsonl is no history of this match"),
            ("a letter\n", "b.jsonl is no history of this match"),
            (
                "{\"match\":\"b\"}\n{\"x\":1}\n",
                "b.jsonl, line 2: it cannot be read: unknown variant",
            ),
        ] {
            fs::write(path("b"), text).unwrap();
            let Stored { mut store, games, unusable } = Store::open(directory.path()).unwrap();
            assert_eq!(games.keys().collect::<Vec<_>>(), ["a"]);
            let [(id, found)] = &unusable[..] else { panic!("{unusable:?}") };
            assert!(id == "b" && found.contains(why) && !found.contains("--re"), "{found}");
            store.remove("b");
            assert_eq!(fs::read_to_string(path("b")).unwrap(), text);
        }
    }

    #[test]
    fn a_match_without_news_is_old_after_a_day() {
        let directory = TempDir::new().unwrap();
        let open = || Store::open(directory.path()).unwrap().store;
        let request = json!({"height": 3, "width": 3, "minecount": 1, "changed": null});
        let mut store = open();
        for id in ["a", "b", "c"] {
            store.add(id, &Entry::Request(request.clone())).unwrap();
        }
        drop(store);
        assert_eq!(open().old_matches(), None);
        for (id, days) in [("a", 2), ("b", 9)] {
            let file =
                File::options().write(true).open(directory.path().join(id.to_owned() + ".jsonl"));
            file.unwrap().set_modified(SystemTime::now() - days * OLD).unwrap();
        }
        // To read a match is no news of it.
        for _ in 0..2 {
            let text = open().old_matches().unwrap();
            assert!(text.starts_with("2 of them") && text.contains("up to 9 days"), "{text}");
        }
    }
}
