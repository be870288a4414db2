//! The scripts of the repository say how they are used, wherever they are called from, and refuse what they do not know.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

/// Runs a script from within `scripts`, where its path is short.
fn script(name: &str, arguments: &[&str]) -> Output {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    Command::new(format!("./{name}")).args(arguments).current_dir(directory).output().unwrap()
}

#[test]
fn scripts_tell_their_usage() {
    for name in ["check", "plots", "fuzz"] {
        for option in ["--help", "-h"] {
            let Output { status, stdout, stderr } = script(name, &[option]);
            let (help, stderr) =
                (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
            assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{name}");
            // The comment at its top, all of it and nothing else.
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
            let text = std::fs::read_to_string(path).unwrap();
            let comment = text.lines().skip(1).map_while(|line| line.strip_prefix('#'));
            let comment: Vec<&str> =
                comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
            assert_eq!(help.lines().collect::<Vec<_>>(), comment, "{name}");
            assert!(
                help.contains(&format!("  scripts/{name} --help")) && comment.len() > 6,
                "{help}"
            );
        }
    }
}

#[test]
fn scripts_refuse_what_they_do_not_know() {
    for (name, arguments, hint) in [
        ("check", &["--no-such"][..], "unknown argument --no-such"),
        ("check", &["--games"], "--games takes a number"),
        ("check", &["--games", "x"], "--games takes a number"),
        ("plots", &["--no-such"], "--no-such is no number of boards"),
        ("plots", &["0", "more"], "unknown argument more"),
        ("fuzz", &["--no-such"], "there is no target --no-such"),
        ("fuzz", &["field", "soon"], "soon is no number of seconds"),
        ("fuzz", &["field", "1", "thread"], "there is no sanitizer thread"),
        ("fuzz", &["field", "1", "none", "more"], "unknown argument more"),
    ] {
        let Output { status, stdout, stderr } = script(name, arguments);
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!((status.code(), stdout.as_slice()), (Some(2), &b""[..]), "{name} {arguments:?}");
        assert!(stderr.contains(hint), "{name} {arguments:?}: {stderr}");
    }
}
