//! The address is shown to nobody, and a server that refuses it ends the client clearly.

use std::fs;
use std::path::Path;

use super::{Fake, Running, client, read_until, report};
use crate::bots::{Files, Script};

const SECRET: &str = "s3cret-w0rd";

/// Everything below a directory, as one text.
fn all_text(directory: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        text.push_str(&path.display().to_string());
        if path.is_dir() {
            text.push_str(&all_text(&path));
        } else {
            text.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
    text
}

/// Runs a client with this address and returns its exit code and all that it printed.
fn run(address: &str, state: &Path, options: &[&str]) -> (i32, String) {
    let mut client = client(address, state, options);
    client.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "1");
    let (code, stdout, stderr) = Running::start(&mut client).end();
    (code, stdout + &stderr)
}

#[test]
fn a_refused_address_ends_the_client_and_is_not_printed() {
    let files = Files::new();
    let state = files.path("state");
    let fake = Fake::start(&["--open", "1"]);
    let base = fake.address.split("/api").next().unwrap();
    for (path, why) in [
        (format!("api/1/{SECRET}/localai"), "401: the secret in the address is wrong"),
        (format!("api/{SECRET}/x/localai"), "403: the address may not play"),
    ] {
        let (code, text) = run(&format!("{base}/{path}"), &state, &[]);
        assert!(code == 2 && text.contains(why), "{code} {text}");
        let (code, text) = run(&format!("{base}/{path}"), &state, &["--run-match", "{}"]);
        assert!(code == 2 && text.contains(why) && !text.contains(SECRET), "{code} {text}");
    }
    assert_eq!(fake.interrupt()["polls"], 0);
    assert!(!all_text(&state).contains(SECRET));
}

#[test]
fn an_address_that_cannot_be_used_is_not_printed() {
    let files = Files::new();
    let state = files.path("state");
    for bad in [
        format!("https://{SECRET}"),
        format!("http://www.example.org/api/1/{SECRET}/localai"),
        format!("https://host name/api/1/{SECRET}/localai"),
        format!("https://host/{SECRET}/localai"),
        format!("https://host/api/1/{SECRET}/localai\nhttps://host/api/2/{SECRET}/localai"),
        SECRET.to_owned(),
    ] {
        let (code, text) = run(&bad, &state, &[]);
        assert!(code == 2 && text.contains("BOTZONE_LOCALAI_URL: it "), "{code} {text}");
        assert!(!text.contains(SECRET), "{text}");
    }
    let good = format!("https://host/api/1/{SECRET}/localai");
    let part = &format!("{SECRET}/localai");
    for line in [
        vec![good.as_str()],
        vec!["--matches", "1", &good, &good],
        vec!["--url-file", &good],
        vec!["--url", &good],
        vec![&format!("--url={good}")],
        vec!["--run-match", &good],
        vec!["--bot", &good],
        vec!["--fake", &good],
        vec!["--state", &good],
        vec!["--log", &good],
        // A part of it is quoted by no parser either.
        vec!["--run-match", part],
        vec!["--fake", part],
        vec!["--faults", part],
        vec!["--fault-seed", part],
        vec!["--open", part],
        vec!["--hold", part],
        vec!["--level", part],
        vec!["--width", part],
        vec!["--count", part],
        vec!["--matches", part],
        vec!["--match-time-limit", part],
        vec!["--poll-timeout", part],
        vec!["--retry-wait", part],
        vec!["--jobs", part],
        vec!["--time-limit", part],
        vec!["--memory-limit", part],
        vec!["--clock", part],
        vec!["--language", part],
        vec![part],
    ] {
        let (code, text) = run("", &state, &line);
        assert!(code == 2 && !text.contains(SECRET), "{code} {text}");
    }
    let mut without = client("", &state, &[]);
    let (code, _, stderr) = report(without.env_remove("BOTZONE_LOCALAI_URL"));
    assert!(code == 2 && stderr.contains("no address: set BOTZONE_LOCALAI_URL"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_client_that_reaches_nobody_shows_no_address() {
    let files = Files::new();
    let (state, file) = (files.path("state"), files.path("address"));
    // A host that does not exist, and a port on which nothing listens.
    for host in ["https://local.invalid", "http://127.0.0.1:1", "https://127.0.0.1:1"] {
        fs::write(&file, format!("{host}/api/1/{SECRET}/localai\n")).unwrap();
        let mut judge = crate::bots::judge_command();
        judge.args(["local", "--retry-wait", "0.02", "--state"]).arg(&state);
        judge.arg("--url-file").arg(&file).env("RUST_LOG", "trace");
        let mut judge = Running::start(&mut judge);
        let mut text = read_until(&mut judge, "trying again");
        let command = fs::read(format!("/proc/{}/cmdline", judge.child().id())).unwrap();
        judge.interrupt();
        let (code, stdout, stderr) = judge.end();
        text += &(String::from_utf8(command).unwrap() + &stdout + &stderr);
        assert_eq!(code, 130, "{text}");
        assert!(!text.contains(SECRET) && !text.contains("/api/"), "{text}");
    }
}

#[test]
fn the_address_of_a_file_comes_before_that_of_the_environment() {
    let files = Files::new();
    let fake = Fake::start(&["--open", "1"]);
    // As it is pasted: in quotes, between empty lines.
    fs::write(files.path("address"), format!("\n\"{}\"\n\n", fake.address)).unwrap();
    let options = ["--url-file", &files.name("address"), "--matches", "1"];
    let (code, text) = run("http://127.0.0.1:1/api/1/x/localai", &files.path("state"), &options);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("the address is that of --url-file, and not that of BOT"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_bot_does_not_see_the_address() {
    let files = Files::new();
    let (state, logs) = (files.path("state"), files.path("logs"));
    let bot =
        Script::new(&format!("env > \"$here/env\"; exec '{}' sapper", env!("CARGO_BIN_EXE_judge")));
    let fake = Fake::start(&["--open", "1"]);
    let options = ["--matches", "1", "--bot", &bot.command, "--log", logs.to_str().unwrap()];
    let (code, report, stderr) = fake.play(&state, &options);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(report["matches"][0]["end"], "finished");
    let environment = bot.text("env");
    assert!(environment.contains("PATH=") && !environment.contains("LOCALAI"), "{environment}");
    assert!(!all_text(&logs).contains("no-secret"));
}
