//! The scripts print their usage and refuse unknown arguments, from any directory.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a script with `scripts` as the current directory.
fn script(name: &str, arguments: &[&str]) -> Output {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    Command::new(format!("./{name}")).args(arguments).current_dir(directory).output().unwrap()
}

#[test]
fn scripts_print_their_usage() {
    for name in ["check", "plots", "fuzz", "wasm-signature", "page", "cargo-build"] {
        for option in ["--help", "-h"] {
            let Output { status, stdout, stderr } = script(name, &[option]);
            let (help, stderr) =
                (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
            assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{name}");
            // The help is exactly the comment at the top.
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

/// The exit code and the messages of `scripts/cargo-build` where cargo is this shell script.
fn build_with(cargo: &str) -> (Option<i32>, String) {
    let directory = tempfile::TempDir::new().unwrap();
    let program = directory.path().join("cargo");
    std::fs::write(&program, format!("#!/bin/sh\n{cargo}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let Output { status, stdout, stderr } =
        Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/cargo-build"))
            .args(["build", "--release", "--package", "judge"])
            .env("PATH", format!("{}:{path}", directory.path().display()))
            .output()
            .unwrap();
    assert_eq!(stdout, b"");
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_build_is_shown_if_something_is_compiled() {
    let finished = "    Finished `release` profile [optimized] target(s) in 0.05s";
    assert_eq!(build_with(&format!("echo '{finished}' >&2")), (Some(0), String::new()));
    let compiled = format!("echo '   Compiling sapper' >&2; echo '{finished}' >&2");
    assert_eq!(build_with(&compiled), (Some(0), "   Compiling sapper\n".to_owned()));
    let failed = build_with("echo 'error: no' >&2; exit 101");
    assert_eq!(failed, (Some(101), "error: no\n".to_owned()));
    assert_eq!(build_with("echo $*").1, {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        format!("build --manifest-path {manifest} --locked --release --package judge\n")
    });
}

#[test]
fn scripts_refuse_unknown_arguments() {
    for (name, arguments, hint) in [
        ("check", &["--no-such"][..], "unknown argument --no-such"),
        ("check", &["--games"], "--games takes a number"),
        ("check", &["--games", "x"], "--games takes a number"),
        ("plots", &["--no-such"], "--no-such is not a number of boards"),
        ("plots", &["0", "more"], "unknown argument more"),
        ("fuzz", &["--no-such"], "unknown target --no-such"),
        ("fuzz", &["field", "soon"], "soon is not a number of seconds"),
        ("fuzz", &["field", "1", "thread"], "unknown sanitizer thread"),
        ("fuzz", &["field", "1", "none", "more"], "unknown argument more"),
        ("wasm-signature", &["--no-such"], "unknown argument --no-such"),
        ("page", &["--no-such"], "unknown argument --no-such"),
    ] {
        let Output { status, stdout, stderr } = script(name, arguments);
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!((status.code(), stdout.as_slice()), (Some(2), &b""[..]), "{name} {arguments:?}");
        assert!(stderr.contains(hint), "{name} {arguments:?}: {stderr}");
    }
}
