//! The launcher builds a program and becomes it. A shell script stands in for cargo.

#![cfg(unix)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// Held while a script is written, and while a program is started: a program that starts meanwhile
/// would have the file open for writing too, and the system runs no such file ("Text file busy").
static STARTS: Mutex<()> = Mutex::new(());

/// Writes an executable shell script.
fn script(file: &Path, text: &str) {
    let _guard = STARTS.lock().unwrap_or_else(PoisonError::into_inner);
    std::fs::write(file, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The exit code, output and messages of the launcher, where this script is cargo.
fn launch(folder: &TempDir, cargo: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    launch_in(folder.path(), folder, cargo, arguments)
}

/// As [`launch`], where `current` is the current folder, and `folder` is the checkout.
fn launch_in(
    current: &Path,
    folder: &TempDir,
    cargo: &str,
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let program = folder.path().join("cargo");
    script(&program, cargo);
    let guard = STARTS.lock().unwrap_or_else(PoisonError::into_inner);
    let launcher = Command::new(env!("CARGO_BIN_EXE_launch"))
        .args(arguments)
        .current_dir(current)
        .env("CARGO", program)
        .env("CARGO_MANIFEST_DIR", folder.path().join("crates/launch"))
        .env_remove("SAPPER_TYPED")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(guard);
    let output = launcher.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A cargo that has built the program in this folder.
fn built(folder: &TempDir, program: &str) -> String {
    let file = folder.path().join(program);
    format!(r#"echo '{{"reason":"compiler-artifact","executable":"{}"}}'"#, file.display())
}

const FINISHED: &str = "echo '    Finished `release` profile target(s) in 0.05s' >&2";

#[test]
fn the_program_gets_all_arguments_and_its_exit_code_counts() {
    let folder = TempDir::new().unwrap();
    script(&folder.path().join("judge"), "pwd; for word; do echo \"<$word>\"; done; exit 7");
    let cargo = format!("{}; {FINISHED}", built(&folder, "judge"));
    let arguments = ["judge", "--help", "a b", "", "'*'", "--", "-x"];
    let folder_name = folder.path().canonicalize().unwrap();
    let output = format!("{}\n<--help>\n<a b>\n<>\n<'*'>\n<-->\n<-x>\n", folder_name.display());
    assert_eq!(launch(&folder, &cargo, &arguments), (Some(7), output, String::new()));
}

#[test]
fn the_program_knows_what_was_typed() {
    let folder = TempDir::new().unwrap();
    for program in ["judge", "page"] {
        script(&folder.path().join(program), "echo \"$SAPPER_TYPED\"");
        let typed = (Some(0), format!("cargo sapper {program}\n"), String::new());
        assert_eq!(launch(&folder, &built(&folder, program), &[program]), typed);
    }
}

#[test]
fn a_build_is_shown_if_something_is_compiled() {
    let folder = TempDir::new().unwrap();
    script(&folder.path().join("page"), "echo done");
    let cargo = format!("echo '   Compiling page' >&2; {FINISHED}; {}", built(&folder, "page"));
    let (code, output, messages) = launch(&folder, &cargo, &["page"]);
    assert_eq!((code, output.as_str()), (Some(0), "done\n"));
    assert_eq!(messages, "   Compiling page\n");
}

#[test]
fn cargo_builds_the_package_of_the_checkout() {
    let folder = TempDir::new().unwrap();
    let (code, _, messages) = launch(&folder, "echo \"$@\" >&2", &["bundle", "--check"]);
    let expected = "build --release --locked --message-format=json-render-diagnostics \
                    --package bundle --bin bundle\n\
                    cargo sapper: cargo does not say where it has built bundle\n";
    assert_eq!((code, messages.as_str()), (Some(2), expected));
}

/// Cargo obeys the settings of the folder in which it runs.
#[test]
fn cargo_runs_in_the_checkout_and_the_program_in_the_folder_of_the_user() {
    let (folder, user) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    script(
        &folder.path().join("judge"),
        "pwd -P; echo \"$PWD\"; for word; do echo \"$word\"; done",
    );
    let cargo = format!("pwd -P >&2; {}", built(&folder, "judge"));
    let [checkout, own] = [&folder, &user].map(|folder| folder.path().canonicalize().unwrap());
    let (code, output, messages) = launch_in(&own, &folder, &cargo, &["judge", "play"]);
    assert_eq!((code, messages), (Some(0), format!("{}\n", checkout.display())));
    assert_eq!(output, format!("{0}\n{0}\nplay\n", own.display()));
    // As scripts/launch, which cannot be in both folders.
    let named = ["--folder", own.to_str().unwrap(), "judge", "--folder"];
    let (code, output, _) = launch_in(&checkout, &folder, &cargo, &named);
    assert_eq!((code, output), (Some(0), format!("{0}\n{0}\n--folder\n", own.display())));
    let (code, _, messages) = launch(&folder, &cargo, &["--folder"]);
    assert_eq!((code, messages.as_str()), (Some(2), "cargo sapper: --folder takes a folder\n"));
}

#[test]
fn output_of_a_compiler_that_is_not_utf_8_is_passed_over() {
    let folder = TempDir::new().unwrap();
    script(&folder.path().join("page"), "echo done");
    let cargo = format!("printf '\\377\\n'; {}", built(&folder, "page"));
    assert_eq!(launch(&folder, &cargo, &["page"]), (Some(0), "done\n".to_owned(), String::new()));
}

#[test]
fn an_error_of_the_compiler_is_shown_and_nothing_is_started() {
    let folder = TempDir::new().unwrap();
    script(&folder.path().join("judge"), "echo started");
    let cargo = format!("{}; echo 'error: no' >&2; exit 101", built(&folder, "judge"));
    let failed = (Some(101), String::new(), "error: no\n".to_owned());
    assert_eq!(launch(&folder, &cargo, &["judge"]), failed);
}

#[test]
fn the_help_names_every_program_and_other_names_are_refused() {
    let folder = TempDir::new().unwrap();
    for arguments in [&["--help"][..], &["-h"], &[]] {
        let (code, help, messages) = launch(&folder, "exit 1", arguments);
        assert_eq!((code, messages.as_str()), (Some(0), ""));
        for program in ["judge", "bundle", "page"] {
            assert!(help.contains(&format!("\n  {program} ")), "{help}");
        }
    }
    let (code, output, messages) = launch(&folder, "exit 1", &["juge", "play"]);
    assert_eq!((code, output.as_str()), (Some(2), ""));
    assert_eq!(messages, "cargo sapper: no program \"juge\"; give one of judge, bundle, page\n");
}
