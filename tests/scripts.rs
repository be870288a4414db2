//! The scripts print their usage and refuse unknown arguments, from any directory.

// The scripts are for a Unix shell; elsewhere `cargo sapper` does what most of them do.
#![cfg(unix)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A compiler that writes an empty file, the operand of its option -o.
const EMPTY_FILE: &str = r#"while [ "$1" != -o ]; do shift; done; : >"$2""#;

/// Runs a script with `scripts` as the current directory.
fn script(name: &str, arguments: &[&str]) -> Output {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    Command::new(format!("./{name}")).args(arguments).current_dir(directory).output().unwrap()
}

/// A folder with a copy of the scripts, where shell scripts stand in for the tools that they start.
struct Checkout(PathBuf);

impl Checkout {
    fn new(name: &str) -> Checkout {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("scripts")).unwrap();
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        for file in fs::read_dir(scripts).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.join("scripts").join(file.file_name())).unwrap();
        }
        Checkout(folder)
    }

    /// Writes an executable shell script.
    fn program(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Writes a script that stands in for this tool.
    fn tool(&self, name: &str, text: &str) {
        self.program(&format!("tools/{name}"), text);
    }

    /// The command that runs a script of this checkout.
    fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("scripts").join(name));
        command.env("PATH", self.path());
        command
    }

    /// A `PATH` that begins with the tools.
    fn path(&self) -> String {
        format!("{}:{}", self.0.join("tools").display(), std::env::var("PATH").unwrap())
    }
}

#[test]
fn scripts_print_their_usage() {
    for name in ["audit", "check", "fuzz", "install-target", "release", "wasm-signature", "windows"]
    {
        for option in ["--help", "-h"] {
            let Output { status, stdout, stderr } = script(name, &[option]);
            let (help, stderr) =
                (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
            assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{name}");
            // The help is exactly the comment at the top.
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
            let text = fs::read_to_string(path).unwrap();
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
fn the_judge_is_told_by_which_path_its_script_was_started() {
    let checkout = Checkout::new("cargo that prints");
    checkout.tool("cargo", "echo \"$SAPPER_TYPED\"");
    let mut judge = Command::new("scripts/judge");
    judge.current_dir(&checkout.0).env("PATH", checkout.path());
    assert_eq!(judge.output().unwrap().stdout, b"scripts/judge\n");
}

#[test]
fn scripts_refuse_unknown_arguments() {
    for (name, arguments, hint) in [
        ("check", &["--no-such"][..], "unknown argument --no-such"),
        ("check", &["--games"], "--games takes a number"),
        ("check", &["--games", "x"], "--games takes a number"),
        ("fuzz", &["--no-such"], "unknown target --no-such"),
        ("fuzz", &["field", "soon"], "soon is not a number of seconds"),
        ("fuzz", &["field", "1", "thread"], "unknown sanitizer thread"),
        ("fuzz", &["field", "1", "none", "more"], "unknown argument more"),
        ("wasm-signature", &["--no-such"], "unknown argument --no-such"),
        ("audit", &["--no-such"], "unknown argument --no-such"),
        ("release", &["--no-such"], "unknown argument --no-such"),
        ("install-target", &["--no-such"], "give targets"),
        ("install-target", &["no-such-target"], "no target no-such-target; see rustc"),
        ("release", &["--judge"], "--judge takes targets"),
        ("release", &["--join", "no-such"], "--join takes a folder"),
        ("release", &["--same"], "--same takes a folder"),
        ("release", &["--tag", "v0"], "not 'v0'"),
    ] {
        let Output { status, stdout, stderr } = script(name, arguments);
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!((status.code(), stdout.as_slice()), (Some(2), &b""[..]), "{name} {arguments:?}");
        assert!(stderr.contains(hint), "{name} {arguments:?}: {stderr}");
    }
}

/// What the workflow does with the files to upload that three systems have made.
#[test]
fn a_release_file_that_differs_between_systems_is_found() {
    let parts = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release-parts");
    let _ = fs::remove_dir_all(&parts);
    let write = |file: &str, text: &str| {
        let path = parts.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let same = || script("release", &["--same", parts.to_str().unwrap()]).status.code();
    fs::create_dir_all(&parts).unwrap();
    assert_eq!(same(), Some(2), "no folder");
    for (system, code) in [("linux", Some(2)), ("macos", Some(0)), ("windows", Some(0))] {
        write(&format!("{system}/sapper.cpp"), "cpp");
        write(&format!("{system}/sapper.rs"), "rs");
        assert_eq!(same(), code, "one folder is compared with nothing");
    }
    write("windows/sapper.rs", "rs\r");
    assert_eq!(same(), Some(1), "one file differs");
    fs::remove_file(parts.join("windows/sapper.rs")).unwrap();
    assert_eq!(same(), Some(1), "one file is missing");
}

/// What the workflow does with the files that three systems have made.
#[test]
fn a_release_is_joined_from_complete_parts_of_one_commit_and_compiler() {
    const FIRST_LINE: &str = "# Sapper 0.1.0, commit 0123456789ab, rustc 1.95.0";
    const CPP: &str =
        "a5b50343c8eded95c0a971ff095e909e3e2c2b1f5cf0236102424f5f435e431f  sapper.cpp";
    const EXE: &str = "9095bdb859308b62acf04036ffd4adfe366d7f737d276eb6c46ae434f3816c9b  judge.exe";
    let checkout = Checkout::new("release-join");
    let parts = checkout.0.join("parts");
    let sums = |lines: &[&str]| lines.join("\n# command\n") + "\n";
    // The exit code and the messages, after one file of two complete parts was written, or removed.
    let join = |file: &str, text: Option<&str>| {
        let _ = fs::remove_dir_all(&parts);
        for (file, text) in [
            ("linux/sapper.cpp", "cpp"),
            ("linux/SHA256SUMS", &sums(&[FIRST_LINE, CPP])),
            ("windows/judge.exe", "exe"),
            ("windows/SHA256SUMS", &sums(&[FIRST_LINE, EXE])),
        ] {
            fs::create_dir_all(parts.join(file).parent().unwrap()).unwrap();
            fs::write(parts.join(file), text).unwrap();
        }
        match text {
            Some(text) => fs::write(parts.join(file), text).unwrap(),
            None => fs::remove_file(parts.join(file)).unwrap(),
        }
        let output = checkout.script("release").arg("--join").arg(&parts).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, messages) = join("linux/sapper.cpp", Some("cpp"));
    assert_eq!(code, Some(0), "{messages}");
    let joined = fs::read_to_string(checkout.0.join("target/release-files/SHA256SUMS")).unwrap();
    assert_eq!(joined, sums(&[FIRST_LINE, CPP]) + &sums(&[FIRST_LINE, EXE]));
    assert_eq!(fs::read(checkout.0.join("target/release-files/judge.exe")).unwrap(), b"exe");
    let other_line = FIRST_LINE.replace("1.95.0", "1.96.0");
    for (file, text, fault) in [
        ("linux/sapper.cpp", Some("c++"), "are not those of its SHA256SUMS"),
        ("linux/sapper.cpp", None, "are not those of its SHA256SUMS"),
        ("linux/SHA256SUMS", None, "SHA256SUMS is missing"),
        ("windows/sapper.rs", Some("rs"), "sapper.rs has no checksum"),
        ("windows/SHA256SUMS", Some(&sums(&[&other_line, EXE])), "compilers of two systems differ"),
    ] {
        let (code, messages) = join(file, text);
        assert!(code == Some(1) && messages.contains(fault), "{file} {text:?}: {messages}");
    }
}

// macOS has no flock.
#[test]
#[cfg(target_os = "linux")]
fn two_runs_of_all_checks_do_not_share_a_folder() {
    let checkout = Checkout::new("two-checks");
    checkout.tool("cargo", "exit 1");
    fs::create_dir_all(checkout.0.join("target/check")).unwrap();
    let lock = fs::File::create(checkout.0.join("target/check/lock")).unwrap();
    lock.lock().unwrap();
    let Output { status, stdout, stderr } = checkout.script("check").output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), stdout.as_slice()), (Some(2), &b""[..]), "{stderr}");
    assert!(stderr.contains("another run of it is in progress"), "{stderr}");
    lock.unlock().unwrap();
    assert_eq!(checkout.script("check").output().unwrap().status.code(), Some(1), "cargo fails");
}

/// Otherwise a script would start the older programs that are still in `target`.
#[test]
fn scripts_build_in_target_whatever_the_environment_says() {
    let checkout = Checkout::new("other-target");
    checkout.tool(
        "cargo",
        r#"echo "$CARGO_TARGET_DIR" >>built; env | grep CARGO_BUILD >>built; exit 1"#,
    );
    checkout.tool("rustc", "echo /");
    checkout.tool("x86_64-w64-mingw32-gcc", EMPTY_FILE);
    for tool in ["node", "wine", "wineboot", "wineserver", "script"] {
        checkout.tool(tool, "exit 0");
    }
    for name in ["check", "judge", "release", "wasm-signature", "windows"] {
        let mut script = checkout.script(name);
        let variables = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_TARGET"];
        script.envs(variables.map(|variable| (variable, "elsewhere")));
        assert_eq!(script.output().unwrap().status.code(), Some(1), "{name}: cargo fails");
        let built = fs::read_to_string(checkout.0.join("built")).unwrap();
        assert_eq!(built, format!("{}\n", checkout.0.join("target").display()), "{name}");
        fs::remove_file(checkout.0.join("built")).unwrap();
    }
}

/// Cargo and rustup obey the settings of the folder in which they run.
#[test]
fn programs_are_built_in_the_checkout_and_start_in_the_current_folder() {
    let checkout = Checkout::new("elsewhere");
    let root = checkout.0.canonicalize().unwrap();
    let folder = root.join("a folder");
    fs::create_dir(&folder).unwrap();
    checkout.tool("cargo", "pwd; for word; do echo \"$word\"; done");
    for name in ["judge", "bundle", "page"] {
        let output =
            checkout.script(name).args(["--option", "a b"]).current_dir(&folder).output().unwrap();
        let words = String::from_utf8(output.stdout).unwrap();
        assert!(words.starts_with(&format!("{}\nrun\n", root.display())), "{words}");
        let own = format!("--\n--folder\n{}\n{name}\n--option\na b\n", folder.display());
        assert!(words.ends_with(&own), "{words}");
    }
}

/// The interrupt waits for the start of a bot. If Wine or the judge fails, no bot starts.
#[test]
#[cfg(target_os = "linux")]
fn the_tests_on_windows_end_if_the_judge_does_not_start() {
    let checkout = Checkout::new("no-judge");
    for tool in ["cargo", "wine", "wineboot", "wineserver"] {
        checkout.tool(tool, "exit 0");
    }
    checkout.tool("x86_64-w64-mingw32-gcc", EMPTY_FILE);
    checkout.tool("rustc", "echo /");
    checkout.tool("script", "echo 'wine: cannot start'; exit 3");
    checkout.program("target/debug/sapper", "exit 0");
    let Output { status, stderr, .. } = checkout.script("windows").output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{stderr}");
    for part in ["wine: cannot start", "the bot has not started", "exit code 3"] {
        assert!(stderr.contains(part), "{stderr}");
    }
}
