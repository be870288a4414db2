//! `samples/python`: the odds, the move and the reasons of a position, asked for by Python.

use std::io::Write;
use std::path::Path;
use std::process::Output;

/// Runs `samples/python/explain.py` on a position; `None` without Python.
fn explain(position: &str) -> Option<Output> {
    let script = Path::new(crate::bots::ROOT).join("samples/python/explain.py");
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(position.as_bytes()).unwrap();
    let mut python = crate::bots::in_project("python3");
    python.arg(script).arg(file.path()).arg(env!("CARGO_BIN_EXE_judge"));
    let run = python.output().ok();
    if run.is_none() {
        println!("python3 is missing: the sample is not tested");
    }
    run
}

#[test]
fn python_has_the_odds_the_move_and_the_reasons() {
    let Some(run) = explain("3 2 1\n1..\n1..\n") else { return };
    let text = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["   - 0.50 0.00"; 2], "{text}");
    assert_eq!(lines[2], "open (0,2), found by deduction:");
    assert!(lines[3..].iter().any(|line| line.contains("safe")), "{text}");

    let run = explain("1 1 0\n0\n").unwrap();
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "   -\n");
    let run = explain("9x9 10\n").unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(!run.status.success() && error.contains("did you mean `9 9 10`?"), "{error}");
}
