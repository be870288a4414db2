//! The launcher on Windows starts a copy of the program, so that a running program does not keep
//! the next build from linking. A batch file stands in for cargo, and the launcher itself for the
//! program.

#![cfg(windows)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Launches `judge`, which cargo has built as this file.
fn launch(folder: &Path, built: &Path, arguments: &[&str]) -> Output {
    let cargo = folder.join("cargo.cmd");
    let path = built.to_str().unwrap().replace('\\', r"\\");
    let message = format!(r#"{{"reason":"compiler-artifact","executable":"{path}","fresh":true}}"#);
    fs::write(&cargo, format!("@echo {message}\r\n")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_launch"))
        .arg("judge")
        .args(arguments)
        .current_dir(folder)
        .env("CARGO", cargo)
        .output()
        .unwrap()
}

fn copies(folder: &Path) -> Vec<PathBuf> {
    let builds = fs::read_dir(folder.join("running")).unwrap().map(|build| build.unwrap().path());
    // There is a lock, too.
    builds.filter(|build| build.is_dir()).map(|build| build.join("judge.exe")).collect()
}

#[test]
fn a_copy_runs_and_the_program_can_be_replaced() {
    let folder = TempDir::new().unwrap();
    let built = folder.path().join("judge.exe");
    fs::copy(env!("CARGO_BIN_EXE_launch"), &built).unwrap();
    let help = launch(folder.path(), &built, &["--help"]);
    assert!(help.status.success(), "{help:?}");
    assert!(String::from_utf8(help.stdout).unwrap().contains("cargo sapper PROGRAM"));
    let first = copies(folder.path());
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(fs::read(&first[0]).unwrap(), fs::read(&built).unwrap());
    // The exit code is the program's.
    let refused = launch(folder.path(), &built, &["no-such-program"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_eq!(copies(folder.path()), first);
    // Another build, whose length differs, is copied, and the first copy goes.
    let other = [fs::read(&built).unwrap(), b"end".to_vec()].concat();
    fs::write(&built, other).unwrap();
    assert!(launch(folder.path(), &built, &["--help"]).status.success());
    let second = copies(folder.path());
    assert_eq!(second.len(), 1, "{second:?}");
    assert_ne!(second, first);
}

#[test]
fn a_program_without_a_copy_runs() {
    let folder = TempDir::new().unwrap();
    let built = folder.path().join("judge.exe");
    fs::copy(env!("CARGO_BIN_EXE_launch"), &built).unwrap();
    // No folder for copies can be made.
    fs::write(folder.path().join("running"), "").unwrap();
    let help = launch(folder.path(), &built, &["--help"]);
    assert!(help.status.success(), "{help:?}");
    assert!(String::from_utf8(help.stdout).unwrap().contains("cargo sapper PROGRAM"));
}

/// Otherwise the start of another build could remove the copy before it runs.
#[test]
fn a_start_waits_for_another_one() {
    let folder = TempDir::new().unwrap();
    let built = folder.path().join("judge.exe");
    fs::copy(env!("CARGO_BIN_EXE_launch"), &built).unwrap();
    fs::create_dir(folder.path().join("running")).unwrap();
    let other = fs::File::create(folder.path().join("running/lock")).unwrap();
    other.lock().unwrap();
    thread::scope(|scope| {
        let help = scope.spawn(|| launch(folder.path(), &built, &["--help"]));
        thread::sleep(Duration::from_secs(3));
        let early = copies(folder.path());
        drop(other);
        assert!(help.join().unwrap().status.success());
        assert_eq!((early.len(), copies(folder.path()).len()), (0, 1));
    });
}
