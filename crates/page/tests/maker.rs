//! The program that makes the page builds the engine by the settings of the project. Shell scripts
//! stand in for cargo and rustc.

#![cfg(unix)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// Cargo obeys the settings of the folder in which it runs.
#[test]
fn cargo_runs_in_the_checkout() {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-tools");
    fs::create_dir_all(&tools).unwrap();
    for (name, script) in [("cargo", "pwd -P >&2; exit 1"), ("rustc", "echo /")] {
        fs::write(tools.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_page"))
        .current_dir(&tools)
        .env("PATH", path)
        .env("CARGO", tools.join("cargo"))
        .env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let built = format!("{}\n", root.canonicalize().unwrap().display());
    assert!(output.status.code() == Some(2) && messages.starts_with(&built), "{messages}");
}
