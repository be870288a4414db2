//! The layout of the source: which folder may import which, and that no two files import each other.
//!
//! Paths are read from the text of the files, without comments and unit tests.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the library in the order in which data flows, each with those that it may import.
const LAYERS: [(&str, &[&str]); 9] = [
    ("base", &[]),
    ("board", &["base"]),
    ("protocol", &["base", "board"]),
    ("deduction", &["base", "board"]),
    ("probability", &["base", "board", "deduction"]),
    ("search", &["base", "board", "deduction", "probability"]),
    ("bot", &["base", "board", "protocol", "deduction", "probability", "search"]),
    ("analysis", &["base", "board", "deduction", "probability", "search", "bot"]),
    ("referee", &["base", "board", "protocol", "deduction", "probability", "search", "bot"]),
];

/// The modules of a crate by their paths, such as `board::geometry`; the root is the empty path.
struct Tree {
    files: BTreeMap<Vec<String>, String>,
}

impl Tree {
    /// All files below `root`, whose modules are named by their places.
    fn read(root: &Path, leave_out: &[&str]) -> Tree {
        let mut tree = Tree { files: BTreeMap::new() };
        tree.add(root, &[], leave_out);
        assert!(!tree.files.is_empty(), "no source below {}", root.display());
        tree
    }

    fn add(&mut self, folder: &Path, path: &[String], leave_out: &[&str]) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry: PathBuf = entry.unwrap().path();
            let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_empty() && leave_out.contains(&name.as_str()) {
                continue;
            }
            let mut inner = path.to_vec();
            if entry.is_dir() {
                inner.push(name);
                self.add(&entry, &inner, leave_out);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                if !["mod", "lib", "main"].contains(&name.as_str()) {
                    inner.push(name);
                }
                let known = self.files.insert(inner, code(&fs::read_to_string(&entry).unwrap()));
                assert!(known.is_none(), "{} is a module twice", entry.display());
            }
        }
    }

    /// The modules that a module names, itself left out.
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

/// A file without comments, and without the unit tests that close it.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.split(" // ").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Every path that begins with `crate`, `self` or `super`, those in braces one by one.
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

/// Reads the path at the start of `text`, whose first words are `before`; returns what follows it.
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

fn assert_no_circle(tree: &Tree) {
    // A module is cleared once all that it imports are.
    let mut left: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
        tree.files.keys().map(|module| (module, tree.imports(module))).collect();
    loop {
        // Nor is it in a circle where none that is left imports it.
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
    assert!(names.is_empty(), "these import each other:\n{}", names.join("\n"));
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
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
            let folder = import.first().unwrap_or(&module[0]);
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
    assert_no_circle(&Tree::read(&source(), &["bin", "main"]));
    for program in ["judge", "bundle"] {
        assert_no_circle(&Tree::read(&source().join("bin").join(program), &[]));
    }
}

#[test]
fn paths_are_found_in_every_form() {
    let code = code(
        "//! crate::no\nuse crate::a::{B, c::{self, D}};\nlet x = super::y::Z; // crate::no\n\
                     fn f() -> crate::e::F {}\nmy_crate::no();\n#[cfg(test)]\nmod tests { use crate::no; }",
    );
    let found: BTreeSet<String> = paths(&code).iter().map(|path| path.join("::")).collect();
    let expected =
        ["crate::a::B", "crate::a::c::self", "crate::a::c::D", "super::y::Z", "crate::e::F"];
    assert_eq!(found, expected.map(str::to_owned).into());
}
