//! The limits on the length of files, lines and headers, and the essays that open folders.

use std::fs;
use std::path::Path;

use super::{
    all_source_files, assert_no_faults, files, folders, root, source, sources, without_unit_tests,
};

/// A longer file is a reason to look. Comments and unit tests do not count.
const MAX_FILE_LINES: usize = 400;
const MAX_LINE_COLUMNS: usize = 100;
const MAX_HEADER_LINES: usize = 25;
/// The header of a folder is the essay on all its files.
const MAX_ESSAY_LINES: usize = 45;
const MAX_FOLDERS: usize = 11;

#[test]
fn files_are_short() {
    let rule = "a file has at most 400 lines of code besides its unit tests";
    assert_no_faults(rule, &all_source_files(), |_, text| {
        let is_code = |line: &&str| !line.is_empty() && !line.trim_start().starts_with("//");
        let lines = without_unit_tests(text).lines().filter(is_code).count();
        (lines > MAX_FILE_LINES).then(|| format!("{lines} lines"))
    });
}

#[test]
fn lines_are_short() {
    let folders = ["src", "tests", "examples", "crates", "fuzz"];
    let all = folders.iter().flat_map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        files(&folder, &["rs", "js", "mjs", "css"])
    });
    let scripts = fs::read_dir(root().join("scripts")).unwrap().map(|script| {
        let path = script.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    });
    let all: Vec<_> = all.chain(scripts).collect();
    assert_no_faults("a line has at most 100 columns", &all, |_, text| {
        let columns = text.lines().map(|line| line.chars().count());
        let long: Vec<String> = (1..)
            .zip(columns)
            .filter(|(_, columns)| *columns > MAX_LINE_COLUMNS)
            .map(|(number, _): (usize, usize)| number.to_string())
            .collect();
        (!long.is_empty()).then(|| format!("line {}", long.join(", ")))
    });
}

#[test]
fn headers_are_short() {
    let rule = "a header has at most 25 lines, an essay at most 45";
    assert_no_faults(rule, &all_source_files(), |path, text| {
        let lines = text.lines().take_while(|line| line.starts_with("//!")).count();
        // The root of the bot is the tour of the whole.
        let is_tour = path == source().join("lib.rs");
        let is_essay = path.ends_with("mod.rs") || path.ends_with("lib.rs");
        let most = if is_essay { MAX_ESSAY_LINES } else { MAX_HEADER_LINES };
        (lines > most && !is_tour).then(|| format!("{lines} lines"))
    });
}

#[test]
fn every_folder_and_package_opens_with_its_essay() {
    let of_bot = folders(&source());
    assert!(of_bot.len() <= MAX_FOLDERS, "{} folders in src", of_bot.len());
    let roots = of_bot.iter().map(|folder| source().join(folder).join("mod.rs"));
    let packages = sources().into_iter().map(|source| {
        let library = source.join("lib.rs");
        if library.is_file() { library } else { source.join("main.rs") }
    });
    for path in roots.chain(packages) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(text.starts_with("//! "), "{} must open with a //! comment", path.display());
    }
}
