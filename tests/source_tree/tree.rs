//! The modules of a crate and what each imports, read from the text of the files, without comments
//! and unit tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::without_unit_tests;

/// The modules of a crate by their paths, such as `board::geometry`; the root is the empty path.
pub struct Tree {
    /// The text of each module as [`code`] leaves it.
    pub files: BTreeMap<Vec<String>, String>,
}

impl Tree {
    /// All files below `root`, except the files and folders directly in it that `excluded` names.
    pub fn read(root: &Path, excluded: &[&str]) -> Tree {
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
    pub fn imports(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        self.named_in(module, &self.files[module])
    }

    /// The modules that a module names for its own use: not what it passes on by `pub use`.
    fn used(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        self.named_in(module, &without_passed_on(&self.files[module]))
    }

    /// The modules that `code`, a part of this module, names.
    fn named_in(&self, module: &[String], code: &str) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::new();
        let children = self.files.keys().filter(|path| path.len() == module.len() + 1);
        let children = children.filter(|path| path.starts_with(module));
        let of_children = children.flat_map(|path| {
            let name = path.last().unwrap();
            paths_from(code, &format!("{name}::")).into_iter().map(|mut path| {
                path.insert(0, "self".to_owned());
                path
            })
        });
        for path in paths(code).into_iter().chain(of_children) {
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
pub fn code(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let lines = without_unit_tests(text).lines().filter(is_code);
    let code: Vec<&str> = lines.map(|line| line.split(" // ").next().unwrap()).collect();
    code.join("\n")
}

/// The code without the names that it passes on by `pub use`: a parent that names its children does
/// not stand on them.
fn without_passed_on(code: &str) -> String {
    let mut code = code.to_owned();
    let passed_on = |code: &str| {
        ["pub use ", "pub(crate) use ", "pub(super) use "]
            .into_iter()
            .find_map(|start| code.find(start))
    };
    while let Some(start) = passed_on(&code) {
        let end = code[start..].find(';').map_or(code.len(), |length| start + length);
        code.replace_range(start..end, "");
    }
    code
}

/// All paths that begin with `crate`, `self` or `super`, with braces expanded.
fn paths(code: &str) -> Vec<Vec<String>> {
    ["crate::", "self::", "super::"].into_iter().flat_map(|root| paths_from(code, root)).collect()
}

/// All paths that begin with `root`.
fn paths_from(code: &str, root: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(root) {
        let before = code[..at].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            branch(&code[at..], &[], &mut found);
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

pub fn assert_no_cycle(tree: &Tree) {
    // Removes the modules that are in no cycle until none is left to remove.
    let mut left: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
        tree.files.keys().map(|module| (module, tree.used(module))).collect();
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

#[test]
fn all_forms_of_paths_are_found() {
    let code = code(
        "//! crate::no\nuse crate::a::{B, c::{self, D}};\nlet x = super::y::Z; // crate::no\n\
         fn f() -> crate::e::F {}\nmy_crate::no();\npub use crate::g::H;\n\
         #[cfg(test)]\nmod tests { use crate::no; }",
    );
    let found = |code: &str| -> BTreeSet<String> {
        paths(code).iter().map(|path| path.join("::")).collect()
    };
    let used = ["crate::a::B", "crate::a::c::self", "crate::a::c::D", "super::y::Z", "crate::e::F"];
    let mut expected: BTreeSet<String> = used.map(str::to_owned).into();
    assert_eq!(found(&without_passed_on(&code)), expected);
    expected.insert("crate::g::H".to_owned());
    assert_eq!(found(&code), expected);
}
