//! `judge check signature`: the committed hashes are those of the current engine.

use std::fs;

use tempfile::TempDir;

use crate::bots::judge;

const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/signature/expected.txt");

/// `scripts/check` covers the other efforts, with an optimised build.
#[test]
fn fast_effort_decides_as_committed() {
    let run = judge(["check", "signature", "--effort", "fast", "--expect", EXPECTED]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(!run.stdout.contains("all"), "{}", run.stdout);
    let rows = run.stdout.lines().filter(|line| line.contains("fast"));
    assert_eq!(rows.count(), 2, "{}", run.stdout);
}

#[test]
fn a_changed_hash_is_reported_by_its_line() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("expected.txt");
    let text = fs::read_to_string(EXPECTED).unwrap();
    let line = text.lines().find(|line| line.contains("fast clean-win")).unwrap();
    fs::write(&path, text.replace(line, "| fast clean-win | 1 | 00000000 |")).unwrap();
    let run = judge(["check", "signature", "--effort", "fast", "--expect", path.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("play has changed") && run.stderr.contains("fast clean-win"));
    assert!(!run.stderr.contains("fewest-hits"), "{}", run.stderr);
    let run = judge(["check", "signature", "--effort", "fast", "--expect", "no such file"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}
