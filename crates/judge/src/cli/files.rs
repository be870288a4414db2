//! Arguments that name several files: files, folders and patterns.
//!
//! A shell of Unix replaces a pattern by the files that it matches; cmd and PowerShell do not.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game::formats::is_saved_page;

use sapper::bot::input_file::looked_up;

use crate::runner::files::{cannot_read, read_bytes};

/// The endings of HTML pages.
const PAGE_ENDINGS: [&str; 2] = ["html", "htm"];

/// The files that these arguments name, in the order of the arguments. A folder names all its files
/// with one of these endings, in any case, and all its saved replay pages of Botzone. A pattern
/// (`*`, `?`, `[...]`) names all files that it matches. Both are sorted by name. Any other
/// argument, such as `-`, is left as it is.
///
/// # Errors
/// Fails if a folder or a pattern names no file, or if a pattern is malformed.
pub fn named_files(arguments: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>> {
    let files: Result<Vec<Vec<PathBuf>>> =
        arguments.iter().map(|argument| of_argument(argument, endings)).collect();
    Ok(files?.concat())
}

fn of_argument(argument: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let name = argument.display();
    if argument.is_dir() {
        let cannot = |error| cannot_read(argument, &error);
        let entries = argument.read_dir().map_err(cannot)?;
        let paths = entries.map(|entry| Ok(entry.map_err(cannot)?.path()));
        let mut files: Vec<PathBuf> = paths.collect::<Result<_>>()?;
        files.retain(|file| has_ending(file, endings) || is_replay_page(file));
        files.sort();
        ensure!(
            !files.is_empty(),
            "the folder {name} has no file that ends in .{}, and no saved replay page{}",
            endings.join(", ."),
            folder_with_files(argument, endings)
                .map(|folder| format!("; its folder {} has", folder.display()))
                .unwrap_or_default()
        );
        return Ok(files);
    }
    let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| !argument.exists()) else {
        return Ok(vec![argument.to_owned()]);
    };
    let found = glob::glob(pattern).with_context(|| format!("{name} is no pattern"))?;
    let files: Vec<PathBuf> =
        found.collect::<Result<_, _>>().with_context(|| format!("cannot read {name}"))?;
    ensure!(!files.is_empty(), "no file matches {name}{}", looked_up(argument));
    Ok(files)
}

/// The first folder in this one that has such a file: `--log` writes one for each bot.
fn folder_with_files(folder: &Path, endings: &[&str]) -> Option<PathBuf> {
    let paths_in = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let has_files = |folder: &PathBuf| {
        folder.is_dir() && paths_in(folder).iter().any(|file| has_ending(file, endings))
    };
    paths_in(folder).into_iter().find(has_files)
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension()
        .is_some_and(|found| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
}

/// Whether a file is a saved replay page, which other pages of the folder, such as those of `judge
/// replay`, are not. A page that cannot be read is one, so that its reader says why.
fn is_replay_page(file: &Path) -> bool {
    has_ending(file, &PAGE_ENDINGS) && read_bytes(file).map_or(true, |bytes| is_saved_page(&bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_and_patterns_are_the_files_in_them() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["b.json", "a.json", "c.txt", "[d].json", "e.JSON"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("empty")).unwrap();
        fs::create_dir_all(path("logs/b")).unwrap();
        fs::create_dir_all(path("logs/a")).unwrap();
        fs::write(path("logs/b/1.json"), "").unwrap();
        let named = |names: &[&str]| {
            let arguments: Vec<PathBuf> = names.iter().map(|name| path(name)).collect();
            named_files(&arguments, &["json"]).map_err(|error| format!("{error:#}"))
        };
        let paths =
            |names: &[&str]| Ok(names.iter().map(|name| path(name)).collect::<Vec<PathBuf>>());
        assert_eq!(named(&[""]), paths(&["[d].json", "a.json", "b.json", "e.JSON"]));
        assert_eq!(named(&["*.txt", "?.json"]), paths(&["c.txt", "a.json", "b.json"]));
        assert_eq!(named(&["b.json", "[d].json"]), paths(&["b.json", "[d].json"]));
        assert_eq!(named(&["none.json"]), paths(&["none.json"]));
        let dash = [PathBuf::from("-")];
        assert_eq!(named_files(&dash, &["json"]).unwrap(), dash);
        for (names, reason) in [
            (&["empty"][..], "has no file that ends in .json, and no saved replay page"),
            (&["logs"], &format!("; its folder {} has", path("logs").join("b").display())),
            (&["*.jsonl"], "no file matches "),
            (&["a***.json"], "is no pattern"),
        ] {
            let error = named(names).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
