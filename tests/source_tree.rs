//! The layout of the source: which folder may import which, that no two files import each other,
//! and the limits on the length of files, lines and headers. That of lines holds for tests and
//! scripts, too.
//!
//! Imports are read from the text of the files, without comments and unit tests.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the library in the order in which data flows, each with those that it may import.
const LAYERS: [(&str, &[&str]); 10] = [
    ("base", &[]),
    ("board", &["base"]),
    ("protocol", &["base", "board"]),
    ("deduction", &["base", "board"]),
    ("probability", &["base", "board", "deduction"]),
    ("search", &["base", "board", "deduction", "probability"]),
    ("bot", &["base", "board", "protocol", "deduction", "probability", "search"]),
    ("analysis", &["base", "board", "protocol", "deduction", "probability", "search", "bot"]),
    ("referee", &["base", "board", "protocol", "deduction", "probability", "search", "bot"]),
    ("page", &["base", "board", "protocol", "bot", "analysis", "referee"]),
];

/// The modules of a crate by their paths, such as `board::geometry`; the root is the empty path.
struct Tree {
    files: BTreeMap<Vec<String>, String>,
}

impl Tree {
    /// All files below `root`, except the files and folders directly in it that `excluded` names.
    fn read(root: &Path, excluded: &[&str]) -> Tree {
        let mut tree = Tree { files: BTreeMap::new() };
        tree.add(root, &[], excluded);
        assert!(!tree.files.is_empty(), "no source below {}", root.display());
        tree
    }

    fn add(&mut self, folder: &Path, path: &[String], excluded: &[&str]) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry: PathBuf = entry.unwrap().path();
            let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_empty() && excluded.contains(&name.as_str()) {
                continue;
            }
            let mut inner = path.to_vec();
            if entry.is_dir() {
                inner.push(name);
                self.add(&entry, &inner, excluded);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                if !["mod", "lib", "main"].contains(&name.as_str()) {
                    inner.push(name);
                }
                let known = self.files.insert(inner, code(&fs::read_to_string(&entry).unwrap()));
                assert!(known.is_none(), "{} is a module twice", entry.display());
            }
        }
    }

    /// The modules that a module names, except itself.
    fn imports(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::new();
        for path in paths(&self.files[module]) {
            let supers = path.iter().take_while(|word| *word == "super").count();
            let start = match path[0].as_str() {
                "crate" => Vec::new(),
                "self" => module.to_vec(),
                _ => module[..module.len() - supers].to_vec(),
            };
            let rest = &path[supers.max(1)..];
            let mut target = start;
            for word in rest {
                target.push(word.clone());
                if !self.files.contains_key(&target) {
                    target.pop();
                    break;
                }
            }
            if target != module {
                found.insert(target);
            }
        }
        found
    }
}

/// A file without comments, and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.split(" // ").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// All paths that begin with `crate`, `self` or `super`, with braces expanded.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for root in ["crate::", "self::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                branch(&code[at..], &[], &mut found);
            }
        }
    }
    found
}

/// Reads the path at the start of `text`, which continues `before`; returns the text after it.
fn branch<'t>(text: &'t str, before: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut inner) = text.strip_prefix('{') {
        loop {
            inner = branch(inner, before, found).trim_start();
            match inner.chars().next() {
                Some(',') => inner = &inner[1..],
                Some('}') => return &inner[1..],
                _ => return inner,
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let mut path = before.to_vec();
    path.extend((end > 0).then(|| text[..end].to_owned()));
    match text[end..].strip_prefix("::") {
        Some(rest) => branch(rest, &path, found),
        None => {
            found.push(path);
            &text[end..]
        }
    }
}

fn assert_no_cycle(tree: &Tree) {
    // Removes the modules that are in no cycle until none is left to remove.
    let mut left: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
        tree.files.keys().map(|module| (module, tree.imports(module))).collect();
    loop {
        let is_imported = |module| left.values().any(|imports| imports.contains(module));
        let imports_none =
            |imports: &BTreeSet<Vec<String>>| imports.iter().all(|one| !left.contains_key(one));
        let is_clear = |module, imports| imports_none(imports) || !is_imported(module);
        let clear: Vec<&Vec<String>> = left
            .iter()
            .filter(|(module, imports)| is_clear(**module, imports))
            .map(|(m, _)| *m)
            .collect();
        if clear.is_empty() {
            break;
        }
        clear.iter().for_each(|module| drop(left.remove(module)));
    }
    let names: Vec<String> = left
        .iter()
        .map(|(module, imports)| {
            let imports = imports.iter().filter(|import| left.contains_key(import));
            let imports: Vec<String> = imports.map(|import| import.join("::")).collect();
            format!("{} imports {}", module.join("::"), imports.join(", "))
        })
        .collect();
    assert!(names.is_empty(), "these files import each other:\n{}", names.join("\n"));
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The paths of all files below `folder` with one of these endings, with their texts.
fn files(folder: &Path, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // The libraries that the tests of the page install are not ours.
            if path.file_name().is_some_and(|name| name != "node_modules" && name != "target") {
                files.extend(self::files(&path, endings));
            }
        } else if path.extension().is_some_and(|end| endings.iter().any(|ending| end == *ending)) {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
    files.sort();
    files
}

/// The names of the folders directly in `src`, without the programs in `bin`.
fn folders() -> Vec<String> {
    let entries = fs::read_dir(source()).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.filter(|path| path.is_dir());
    let names = names.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    names.filter(|name| name != "bin").collect()
}

/// Fails with a list of the files for which `fault` returns something.
fn assert_no_faults(
    rule: &str,
    files: &[(PathBuf, String)],
    fault: impl Fn(&Path, &str) -> Option<String>,
) {
    let faults: Vec<String> = files
        .iter()
        .filter_map(|(path, text)| {
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display();
            fault(path, text).map(|fault| format!("{name}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{rule}:\n{}", faults.join("\n"));
}

const MAX_FILE_LINES: usize = 400;
const MAX_LINE_COLUMNS: usize = 100;
const MAX_HEADER_LINES: usize = 25;
/// The header of a folder is the essay on all its files.
const MAX_ESSAY_LINES: usize = 45;
const MAX_FOLDERS: usize = 10;

#[test]
fn files_are_short() {
    assert_no_faults("a file has at most 400 lines", &files(&source(), &["rs"]), |_, text| {
        let lines = text.lines().count();
        (lines > MAX_FILE_LINES).then(|| format!("{lines} lines"))
    });
}

#[test]
fn lines_are_short() {
    let folders = ["src", "tests", "examples", "benches", "fuzz"];
    let all = folders.iter().flat_map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        files(&folder, &["rs", "js", "mjs", "css"])
    });
    assert_no_faults("a line has at most 100 columns", &all.collect::<Vec<_>>(), |_, text| {
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
    assert_no_faults(rule, &files(&source(), &["rs"]), |path, text| {
        let lines = text.lines().take_while(|line| line.starts_with("//!")).count();
        // The root of the library is the tour of the whole.
        let is_root = path.ends_with("src/lib.rs");
        let most = if path.ends_with("mod.rs") { MAX_ESSAY_LINES } else { MAX_HEADER_LINES };
        (lines > most && !is_root).then(|| format!("{lines} lines"))
    });
}

#[test]
fn every_folder_opens_with_its_essay() {
    let folders = folders();
    assert!(folders.len() <= MAX_FOLDERS, "{} folders in src", folders.len());
    for folder in folders {
        let path = source().join(&folder).join("mod.rs");
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(text.starts_with("//! "), "src/{folder}/mod.rs must open with a //! comment");
    }
}

#[test]
fn folders_import_only_those_before_them() {
    let tree = Tree::read(&source(), &["bin", "main"]);
    for module in tree.files.keys().filter(|module| !module.is_empty()) {
        let (_, allowed) = LAYERS
            .iter()
            .find(|(name, _)| *name == module[0])
            .unwrap_or_else(|| panic!("{} is in no folder of LAYERS", module.join("::")));
        for import in tree.imports(module) {
            // A name of the root, such as one that lib.rs exports, may stand for any folder.
            let folder = import.first().unwrap_or_else(|| {
                panic!("{} imports a name of the root, not of its folder", module.join("::"))
            });
            assert!(
                *folder == module[0] || allowed.contains(&folder.as_str()),
                "{} imports {}, which its folder may not",
                module.join("::"),
                import.join("::")
            );
        }
    }
}

#[test]
fn no_two_files_import_each_other() {
    assert_no_cycle(&Tree::read(&source(), &["bin", "main"]));
    for program in ["judge", "bundle", "page"] {
        assert_no_cycle(&Tree::read(&source().join("bin").join(program), &[]));
    }
}

#[test]
fn all_forms_of_paths_are_found() {
    let code = code(
        "//! crate::no\nuse crate::a::{B, c::{self, D}};\nlet x = super::y::Z; // crate::no\n\
         fn f() -> crate::e::F {}\nmy_crate::no();\n\
         #[cfg(test)]\nmod tests { use crate::no; }",
    );
    let found: BTreeSet<String> = paths(&code).iter().map(|path| path.join("::")).collect();
    let expected =
        ["crate::a::B", "crate::a::c::self", "crate::a::c::D", "super::y::Z", "crate::e::F"];
    assert_eq!(found, expected.map(str::to_owned).into());
}
