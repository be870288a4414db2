//! The layout of the source: which package may depend on which, which folder of the bot may import
//! which, that no two files import each other, and the limits on the length of files, lines and
//! headers. The limit of lines holds for tests and scripts, too.
//!
//! The compiler keeps a package from importing one that it does not depend on; `tree` reads the
//! imports within a package. `lengths` has the limits.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod lengths;
mod tree;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tree::{Tree, assert_no_cycle, code};

/// The packages in the order in which they may depend on each other: each only on those before it.
const PACKAGES: [&str; 12] = [
    // It builds the others and is compiled before them.
    "launch",
    "sapper",
    "output",
    "game",
    "fixtures",
    "analysis",
    "viewer",
    // What works on its own: none of these depends on another.
    "page",
    "judge",
    "bundle",
    "wasm-signature",
    "twin",
];
const INDEPENDENT: &[&str] = &["launch", "page", "judge", "bundle", "wasm-signature"];

/// The folders and single files of the bot in the order in which data flows, each with those that
/// it may import.
const LAYERS: [(&str, &[&str]); 10] = [
    ("kit", &[]),
    ("settings", &["kit"]),
    ("board", &["kit", "settings"]),
    ("protocol", &["kit", "board"]),
    ("deduction", &["kit", "settings", "board"]),
    ("probability", &["kit", "settings", "board", "deduction"]),
    ("search", &["kit", "settings", "board", "deduction", "probability"]),
    ("bot", &["kit", "settings", "board", "protocol", "deduction", "probability", "search"]),
    ("error", &["kit", "board"]),
    ("evaluation", &["settings", "board", "deduction", "probability", "bot", "error"]),
];

/// The folders of the judge in the order in which they stand on each other.
const JUDGE_LAYERS: [(&str, &[&str]); 4] = [
    ("runner", &[]),
    ("report", &["runner"]),
    ("cli", &["runner", "report"]),
    ("commands", &["runner", "report", "cli"]),
];
/// The folders of the judge that know nothing of options.
const WITHOUT_OPTIONS: [&str; 2] = ["runner", "report"];

/// What only the files of `system` below its face, `mod.rs`, may name.
const OF_ONE_SYSTEM: [&str; 12] = [
    "os::unix",
    "os::linux",
    "os::windows",
    "procfs::",
    "rustix::",
    "wait4::",
    "signal_hook::",
    "\"/proc",
    "win32job::",
    "windows_args::",
    "sysinfo::",
    "which::",
];

fn without_unit_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
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

/// The names of the folders directly in `folder`.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.filter(|path| path.is_dir());
    names.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

/// The folder of the root package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder `crates`.
fn crates() -> PathBuf {
    root().join("crates")
}

/// The source folders of all packages.
fn sources() -> Vec<PathBuf> {
    let others = folders(&crates()).into_iter().map(|name| crates().join(name).join("src"));
    std::iter::once(source()).chain(others).collect()
}

/// The Rust files of all packages, without their tests.
fn all_source_files() -> Vec<(PathBuf, String)> {
    sources().iter().flat_map(|source| files(source, &["rs"])).collect()
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

/// The names in the tables of dependencies of a manifest that `is_table` accepts.
fn dependencies(manifest: &str, is_table: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_inside = false;
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            is_inside = is_table(table.trim_end_matches(']'));
        } else if is_inside
            && !line.starts_with('#')
            && let Some((name, _)) = line.split_once(['.', ' ', '='])
        {
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn packages_depend_only_on_those_before_them() {
    let mut listed = PACKAGES.map(str::to_owned).to_vec();
    let mut found = folders(&crates());
    found.push("sapper".to_owned());
    listed.sort();
    found.sort();
    assert_eq!(listed, found);
    let is_normal = |table: &str| table.ends_with("dependencies") && !table.contains("dev-");
    for (position, package) in PACKAGES.into_iter().enumerate() {
        let folder = match package {
            "sapper" => crates().join(".."),
            package => crates().join(package),
        };
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest = manifest.replace("[workspace.dependencies]", "[workspace.versions]");
        for name in dependencies(&manifest, is_normal) {
            let before = PACKAGES.iter().position(|other| *other == name);
            let is_allowed =
                before.is_none_or(|before| before < position && !(INDEPENDENT.contains(&&*name)));
            assert!(is_allowed, "{package} depends on {name}");
        }
    }
    let manifest = fs::read_to_string(crates().join("../Cargo.toml")).unwrap();
    let own = dependencies(&manifest, |table| table == "dependencies");
    let four = ["arrayvec", "serde", "serde_json", "smallvec"].map(str::to_owned);
    assert_eq!(own, four.into(), "the bot has other dependencies than its four");
    let of_tests = dependencies(&manifest, |table| table == "dev-dependencies");
    assert!(!of_tests.iter().any(|name| name == "game"), "the bot's tests see the referee");
}

#[test]
fn the_bot_is_compiled_alike_everywhere() {
    let is_condition = |line: &&str| line.contains("cfg(") || line.contains("cfg_attr(");
    let allowed = ["cfg(test)", "cfg(doctest)", "cfg(sapper_injected", "cfg!(panic", "target_"];
    for (path, text) in files(&source(), &["rs"]) {
        for line in text.lines().filter(is_condition) {
            let is_allowed = allowed.iter().any(|condition| line.contains(condition));
            assert!(is_allowed, "{}: {line}", path.display());
        }
    }
    let manifest = fs::read_to_string(crates().join("../Cargo.toml")).unwrap();
    assert!(!manifest.contains("[features]"), "the bot has features");
}

#[test]
fn files_of_other_packages_are_compiled_in_by_the_fixtures_alone() {
    for (path, text) in all_source_files() {
        if path.starts_with(crates().join("fixtures")) {
            continue;
        }
        let package = path.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).unwrap();
        for call in ["include_str!(\"", "include_bytes!(\"", "#[path = \""] {
            for (at, _) in text.match_indices(call) {
                let name = text[at + call.len()..].split('"').next().unwrap();
                let file = path.parent().unwrap().join(name);
                // What does not exist is text of a test.
                let Ok(file) = file.canonicalize() else { continue };
                let is_inside = file.starts_with(package.canonicalize().unwrap());
                // The folder of the other packages is inside that of the root package.
                let is_of_another = package == root() && file.starts_with(crates());
                assert!(is_inside && !is_of_another, "{} compiles in {name}", path.display());
            }
        }
    }
}

/// Fails if a module is in no folder of `layers`, or imports one that its folder may not.
fn assert_layers(tree: &Tree, layers: &[(&str, &[&str])]) {
    for module in tree.files.keys().filter(|module| !module.is_empty()) {
        let (_, allowed) = layers
            .iter()
            .find(|(name, _)| *name == module[0])
            .unwrap_or_else(|| panic!("{} is in no folder of the layers", module.join("::")));
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
fn folders_import_only_those_before_them() {
    assert_layers(&Tree::read(&source(), &["main"]), &LAYERS);
}

#[test]
fn the_judge_stands_on_its_runner() {
    let source = crates().join("judge/src");
    let tree = Tree::read(&source, &["main"]);
    assert_layers(&tree, &JUDGE_LAYERS);
    for folder in WITHOUT_OPTIONS {
        assert_no_faults(
            "options are read in cli",
            &files(&source.join(folder), &["rs"]),
            |_, text| code(text).contains("clap").then(|| "it names clap".to_owned()),
        );
    }
}

#[test]
fn the_judge_names_its_operating_system_in_one_folder() {
    let source = crates().join("judge/src");
    let mut files = files(&source, &["rs"]);
    let system = source.join("runner/system");
    files.retain(|(path, _)| !path.starts_with(&system) || path.ends_with("system/mod.rs"));
    assert_no_faults("other systems lack it", &files, |_, text| {
        let code = code(text);
        OF_ONE_SYSTEM.iter().find(|name| code.contains(**name)).map(|name| (*name).to_string())
    });
}

#[test]
fn no_command_imports_another_one() {
    let tree = Tree::read(&crates().join("judge/src"), &["main"]);
    for module in tree.files.keys().filter(|module| module.len() > 1 && module[0] == "commands") {
        for import in tree.imports(module) {
            assert!(
                import[0] != "commands" || import.get(1) == module.get(1),
                "{} imports {}",
                module.join("::"),
                import.join("::")
            );
        }
    }
}

#[test]
fn no_two_files_import_each_other() {
    for source in sources() {
        // The program of a package with a library sees the library as another package does.
        let has_library = source.join("lib.rs").is_file();
        let tree = Tree::read(&source, if has_library { &["main"] } else { &[] });
        assert_no_cycle(&tree);
    }
}
