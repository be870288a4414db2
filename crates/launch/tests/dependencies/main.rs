//! The dependencies of the project: their licences, their sources, and which of them the bot has.
//!
//! The rules are those of `.config/deny.toml`, which `cargo deny` reads too. It also looks for
//! advisories, which come from the network and may change every day. These tests need only what
//! cargo downloads for the build, or once for other systems, so that every run of the tests has
//! them.
//!
//! Invariant: a rule of that file which these tests do not know is a failure, so that no rule is
//! passed over in silence.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod metadata;
mod rules;

use std::collections::BTreeSet;

use rules::Rules;

/// The four crates of the bot, the crates that these depend on, and the bot.
const OF_THE_BOT: [&str; 14] = [
    "arrayvec",
    "itoa",
    "memchr",
    "proc-macro2",
    "quote",
    "sapper",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "smallvec",
    "syn",
    "unicode-ident",
    "zmij",
];

#[test]
fn every_dependency_keeps_the_rules() {
    let root = metadata::root();
    let rules = std::fs::read_to_string(root.join(".config/deny.toml")).unwrap();
    let rules = Rules::parse(&rules).unwrap();
    let mut packages = Vec::new();
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        packages.extend(metadata::packages(&root.join(manifest), rules.all_features()));
    }
    // Both lists have packages of a registry: neither is empty by mistake.
    assert!(packages.len() > 150, "cargo metadata lists only {} packages", packages.len());
    let faults = rules.faults(&packages, root);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_bot_depends_on_its_own_crates_alone() {
    let manifest = metadata::root().join("Cargo.toml");
    // A line is a package: its name, its version, and perhaps where it lies.
    let tree = metadata::cargo(
        &["tree", "--package", "sapper", "--edges", "normal", "--prefix", "none"],
        &["--target", "all"],
        &manifest,
    );
    let names: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains("sapper"), "{tree}");
    let others: Vec<&&str> = names.iter().filter(|name| !OF_THE_BOT.contains(name)).collect();
    assert!(others.is_empty(), "the bot must not depend on {others:?}");
}
