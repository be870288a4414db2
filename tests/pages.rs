//! The pages of text: their links resolve, and the first one stays short.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGES: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "samples/results/README.md",
    "crates/judge/README.md",
    "crates/judge/REFERENCE.md",
    "crates/bundle/README.md",
    "fuzz/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The targets of the links and pictures of a page, except those of other sites.
fn targets(text: &str) -> Vec<&str> {
    let ends = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
    let targets = ends.map(|rest| rest.split(')').next().unwrap());
    targets.filter(|target| !target.starts_with("http")).collect()
}

/// The anchors of the headings of a page, as GitHub names them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let words = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    words
        .map(|words| {
            let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn links_resolve() {
    for page in PAGES {
        let text = read(page);
        for target in targets(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = root().join(page).parent().unwrap().join(file);
            assert!(file.is_empty() || path.exists(), "{page} links to {target}, which is missing");
            if !anchor.is_empty() {
                let linked =
                    if file.is_empty() { text.clone() } else { read(path.to_str().unwrap()) };
                assert!(
                    anchors(&linked).contains(anchor),
                    "{page} links to {target}: no such part"
                );
            }
        }
    }
    let count: usize = PAGES.iter().map(|page| targets(&read(page)).len()).sum();
    assert!(count > 20, "{count} links were found");
}

/// Whether a path begins with a folder of the project.
fn is_of_project(path: &str) -> bool {
    let folders =
        ["src/", "crates/", "tests/", "samples/", "scripts/", "examples/", "fuzz/", ".github/"];
    folders.iter().any(|folder| path.starts_with(folder))
}

/// The paths in backticks that begin with a folder of the project.
fn named_paths(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).filter(|path| is_of_project(path)).collect()
}

/// The lines of the commands of a page.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("```sh\n").skip(1);
    blocks.flat_map(|block| block.split("```").next().unwrap().lines())
}

#[test]
fn commands_name_files_that_exist() {
    let mut count = 0;
    for page in PAGES {
        let text = read(page);
        for line in commands(&text) {
            let words = line.split([' ', '"', '\'', '=']).map(|word| word.trim_end_matches('.'));
            for path in words.filter(|word| is_of_project(word)) {
                assert!(root().join(path).exists(), "{page}: {path} is missing: {line}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} paths were found");
}

#[test]
fn the_guide_to_changes_names_files_that_exist() {
    let text = read("CONTRIBUTING.md");
    let paths = named_paths(&text);
    assert!(paths.len() > 20, "{} paths were found", paths.len());
    for path in paths {
        // The name of a command that is to be added.
        let exists = path.contains("NAME") || root().join(path).exists();
        assert!(exists, "CONTRIBUTING.md names {path}, which is missing");
    }
}

/// A line without the comments of its place-holders, which a page does not show.
fn without_comments(line: &str) -> String {
    let parts =
        line.split("<!--").map(|part| part.split_once("-->").map_or(part, |(_, text)| text));
    parts.collect()
}

#[test]
fn the_first_page_is_short() {
    let text = read("README.md");
    assert!(text.lines().count() <= 180, "{} lines", text.lines().count());
    for (number, line) in (1..).zip(text.lines()) {
        let is_table = line.starts_with('|');
        let columns = without_comments(line).chars().count();
        assert!(columns <= if is_table { 120 } else { 100 }, "line {number}: {columns} columns");
        assert!(!is_table || line.matches('|').count() <= 6, "line {number}: over five columns");
    }
}

#[test]
fn the_page_of_results_can_be_read_at_once() {
    let text = read("samples/results/README.md");
    assert!(text.lines().count() <= 250, "{} lines", text.lines().count());
    let is_word = |word: &&str| word.contains(|letter: char| letter.is_alphanumeric());
    let words = text.split_whitespace().filter(is_word).count();
    assert!(words <= 3000, "{words} words");
}

/// Where finished files are, README says once the project has an address.
#[test]
fn the_first_page_links_to_the_releases_of_the_address() {
    let address = env!("CARGO_PKG_REPOSITORY");
    assert!(!address.ends_with('/'), "{address} ends with a slash");
    let text = read("README.md");
    if address.is_empty() {
        assert!(!text.contains("/releases"), "Cargo.toml has no `repository`, README a link to it");
    } else {
        let link = format!("]({address}/releases)");
        assert!(text.contains(&link), "README must have a link to {address}/releases");
    }
}

/// Every command of the pages for users works in sh, cmd and PowerShell: no comment, pipe,
/// variable, pattern, line end or quote that one of them reads differently, and no program that is
/// started by a path.
#[test]
fn commands_are_the_same_in_every_shell() {
    let mut count = 0;
    for page in
        ["README.md", "CONTRIBUTING.md", "crates/judge/README.md", "crates/bundle/README.md"]
    {
        for line in commands(&read(page)) {
            let program = line.split(' ').next().unwrap();
            let is_shared = !line.contains(['\'', '<', '|', '&', ';', '$', '*', '`', '#', '\\']);
            // PowerShell has no `printf`.
            assert!(is_shared && !program.contains('/') && program != "printf", "{page}: {line}");
            assert!(line.chars().count() <= 100, "{page}: {line}");
            count += 1;
        }
    }
    assert!(count > 30, "{count} commands were found");
}

/// Cargo looks for the package of `cargo sapper` in the workspace of the current folder.
#[test]
fn cargo_sapper_works_in_the_folders_that_the_pages_name() {
    let mut workspaces = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let is_made = ["target", "node_modules", ".git"].contains(&name.as_str());
            if path.is_dir() && !path.is_symlink() && !is_made {
                folders.push(path);
            } else if name == "Cargo.toml" {
                let text = fs::read_to_string(&path).unwrap();
                if text.lines().any(|line| line.starts_with("[workspace")) {
                    workspaces.push(folder.strip_prefix(root()).unwrap().display().to_string());
                }
            }
        }
    }
    workspaces.sort();
    assert_eq!(workspaces, ["", "fuzz"]);
    for page in ["README.md", "crates/judge/README.md"] {
        assert!(read(page).contains("folder of the project except `fuzz`"), "{page}");
    }
}

/// What a command of these pages writes is ignored by git, or a file of the project.
#[test]
fn commands_leave_no_untracked_file() {
    const OPTIONS: [&str; 7] = ["-o", ">", "--csv", "--log", "--pages", "--resume", "--state"];
    let mut count = 0;
    for page in PAGES.iter().filter(|page| !page.starts_with("samples/")) {
        let text = read(page);
        for block in text.split("```sh\n").skip(1) {
            let words: Vec<&str> = block.split("```").next().unwrap().split_whitespace().collect();
            for pair in words.windows(2).filter(|pair| OPTIONS.contains(&pair[0])) {
                let path = pair[1];
                let is_ignored = path.starts_with("target/") || path == "games";
                assert!(is_ignored || root().join(path).is_file(), "{page}: {path}");
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count} files were found");
}

/// Every figure that a comment of the source refers to is on the results page.
#[test]
fn the_figures_of_comments_exist() {
    let page = read("samples/results/README.md");
    let mut found = BTreeSet::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let words: Vec<&str> =
                    text.split_whitespace().filter(|word| !word.starts_with("//")).collect();
                for three in words.windows(3).filter(|words| words[0].ends_with("(results")) {
                    let number = three[2].split(')').next().unwrap();
                    let number = number.to_owned();
                    let entry = format!("\n| {number} | ");
                    assert!(page.contains(&entry), "{}: no {number}", path.display());
                    found.insert(number);
                }
            }
        }
    }
    assert!(found.len() > 15, "{found:?}");
}
