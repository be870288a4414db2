//! Comparison of bots by `judge pit`: few boards, rankings, and bots that cannot be started.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::bots::{Files, Run, judge};

/// Boards without mines: every legal answer ends the game with score 100.
const TINY: [&str; 2] = ["--level", "4x4/0"];
const GOOD: &str = "good=sapper --keep-running";
/// A bot with score 0 on every board.
const BAD: &str = "bad=false";

fn pit(bots: &[&str], seeds: &str, options: &[&str]) -> Run {
    let bots = bots.iter().flat_map(|bot| ["--bot", bot]);
    judge(["pit", "--seeds", seeds].into_iter().chain(TINY).chain(bots).chain(options.to_vec()))
}

#[cfg(unix)]
#[test]
fn a_few_boards_do_not_decide() {
    for (seeds, message) in [
        (
            "1..2",
            "Too few boards to tell: 2 boards differ, and a verdict needs 6; \
             give about 4 more --seeds.",
        ),
        ("1..5", "Too few boards to tell: 5 boards differ"),
        // The difference is 100 on a share of at least 0.54 of all boards, and at least -100 else.
        (
            "1..6",
            "good is better than bad: by 8.15 to 100.00 points per game. No game without a fault: \
             bad; mend that first.\n",
        ),
        ("1..6", "\nbad: 3 more faults; --csv FILE has all\n"),
    ] {
        let run = pit(&[BAD, GOOD], seeds, &[]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.contains(message), "{seeds}: {}", run.stdout);
        assert_eq!(run.stdout.contains("is better"), seeds == "1..6", "{}", run.stdout);
    }
    let run = pit(&[BAD, GOOD], "1..2", &["--json"]);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    let pair = &all["pairs"][0];
    assert_eq!((&pair["better"], &pair["score"]["too_few_boards"]), (&Value::Null, &json!(true)));
    for (interval, least, most) in [
        (&all["bots"][1]["score"]["interval"], 0.0, 100.0),
        (&pair["score"]["interval"], -100.0, 100.0),
        (&pair["clean_percent"]["interval"], -100.0, 100.0),
    ] {
        let end = |end: usize| interval[end].as_f64().unwrap();
        assert!(least <= end(0) && end(0) < end(1) && end(1) <= most, "{interval}");
    }
    // The interval of two equal values is wide.
    assert!(all["bots"][1]["score"]["interval"][0].as_f64().unwrap() < 50.0);
}

#[cfg(unix)]
#[test]
fn many_bots_are_ranked() {
    let same: Vec<String> = (1..=6).map(|n| format!("same-{n}=sapper --keep-running")).collect();
    let mut bots: Vec<&str> = same.iter().map(String::as_str).collect();
    bots.insert(2, BAD);
    bots.push("worse=sh -c 'exit 4'");
    let run = pit(&bots, "1..7", &[]);
    let (_, ranking) = run.stdout.split_once("Ranking by score").unwrap();
    let rows: Vec<Vec<&str>> = ranking
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let of = |column: usize| rows.iter().map(|row| row[column]).collect::<Vec<_>>();
    let titles = ["", "", "boards", "A", "B", "B - A", "95 %"];
    assert_eq!(rows[0][..7], titles);
    let order = ["", "same-2", "same-3", "same-4", "same-5", "same-6", "bad", "worse"];
    assert_eq!(of(1), order);
    assert_eq!(of(5)[5..], ["0.00", "-100.00", "-100.00"]);
    let message =
        "same-1 has the best score; not shown to be worse: same-2, same-3, same-4, same-5, same-6.";
    assert!(ranking.contains(message), "{ranking}");
    assert!(run.stdout.lines().count() < 60, "{}", run.stdout);
    let few = pit(&[GOOD, "other=sapper", BAD], "1..2", &[]);
    assert!(few.stdout.contains("Too few boards to tell: the order may be chance"));
    let equal = pit(&[GOOD, "other=sapper", "third=sapper"], "1..2", &[]);
    assert!(equal.stdout.contains("All have the same score on every board."), "{}", equal.stdout);
    let all: Value = serde_json::from_str(&pit(&[BAD, GOOD], "1", &["--json"]).stdout).unwrap();
    assert_eq!(all["ranking"], json!(["good", "bad"]));
}

#[cfg(unix)]
#[test]
fn a_bot_that_cannot_be_started_is_refused_before_any_game() {
    let files = Files::new();
    let write = |name: &str, text: &str, mode: u32| {
        fs::write(files.path(name), text).unwrap();
        fs::set_permissions(files.path(name), fs::Permissions::from_mode(mode)).unwrap();
        files.name(name)
    };
    let carriage_returns = write("foreign", "#!/bin/sh\r\nexit 3\r\n", 0o755);
    let env_carriage_returns = write("foreign.py", "#!/usr/bin/env python3\r\nexit(3)\r\n", 0o755);
    let (not_executable, no_interpreter, not_a_program) = (
        write("plain.py", "#!/bin/sh\n", 0o644),
        write("lost.py", "#!/no/such/interpreter\n", 0o755),
        write("odd", "no program\n", 0o755),
    );
    let source_code = write("my.cpp", "int main() {}\n", 0o755);
    let directory = files.path("").to_str().unwrap().to_owned();
    for (bot, hint) in [
        ("no-such-bot", "no-such-bot is not on the PATH; install it, or give its path"),
        ("a=sapper", "only `judge pit` reads NAME=CMD"),
        ("a=./sapper", "a=./sapper is no program"),
        (
            "README.md",
            "README.md is not on the PATH, but in this folder: ./README.md is not executable",
        ),
        ("./no/such", "there is no file ./no/such (the current folder is /"),
        ("/no/such", "there is no file /no/such; is the path right"),
        (
            &not_executable,
            "is not executable; chmod +x it, or name its interpreter, as in 'python3 ",
        ),
        (&no_interpreter, "is a script whose interpreter does not exist: /no/such/interpreter"),
        (&carriage_returns, "is a script whose lines end in carriage returns; remove them: sed -i"),
        (
            &env_carriage_returns,
            "is a script whose lines end in carriage returns; remove them: sed -i",
        ),
        (&source_code, "is source code in C++; compile it by `g++ -O2 -o "),
        (&not_a_program, "is neither a program nor a script with a first line #!"),
        (&directory, "is a folder"),
    ] {
        let journal = files.name("journal");
        let pit = pit(&[GOOD, &format!("b={bot}")], "1..3", &["--resume", &journal]);
        let play = judge(["play", "--seeds", "1", "--bot", bot]);
        for run in [pit, play] {
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{bot}");
            assert!(run.stderr.contains("cannot start the bot"), "{}", run.stderr);
            assert!(run.stderr.contains(hint), "{}", run.stderr);
        }
        assert!(!files.path("journal").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_deleted_bot_loses_its_games_and_the_run_continues() {
    let files = Files::new();
    let (path, journal) = (files.path("bot"), files.name("journal"));
    // The script removes itself in its first turn.
    let script =
        "#!/bin/sh\nread -r line\nrm -f \"$0\"\necho '{\"response\":{\"row\":0,\"col\":99}}'\n";
    let write = |script: &str| {
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    write(script);
    let bot = format!("gone={}", path.display());
    let options = ["--jobs", "1", "--resume", &journal, "--json"];
    let run = pit(&[GOOD, &bot], "1..4", &options);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &all["boards"]), (1, &json!(4)), "{}", run.stderr);
    let [good, gone] = [&all["bots"][0], &all["bots"][1]];
    assert_eq!((&good["faults"], &good["games"]), (&json!({}), &json!(4)));
    assert_eq!(gone["faults"], json!({"illegal": 1, "not-started": 3}));
    let fault = &gone["first_faults"][1];
    assert_eq!((&fault["outcome"], &fault["turn"]), (&json!("not-started"), &json!(0)));
    // The reason is stated once.
    let reason = fault["reason"].as_str().unwrap();
    assert!(reason.starts_with("there is no file ") && !reason.contains("os error"), "{reason}");
    // A game that was not started is not in the journal, so a resumed run plays it.
    let first = fs::read_to_string(files.path("journal")).unwrap();
    assert!(!first.contains("not-started"), "{first}");
    let more = pit(&[GOOD, &bot], "1..4", &options);
    assert!(more.code == 2 && more.stderr.contains("there is no file"), "{}", more.stderr);
    write(script);
    let again = pit(&[GOOD, &bot], "1..4", &options);
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["bots"][1]["faults"], json!({"illegal": 2, "not-started": 2}));
}

/// The obstacle is found by the system only: the program is incomplete.
#[cfg(unix)]
#[test]
fn a_bot_that_was_never_started_ends_the_run() {
    let files = Files::new();
    let path = files.path("broken");
    fs::write(&path, b"\x7fELF and no more").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let (bot, journal) = (path.to_str().unwrap(), files.name("journal"));
    let options = ["--jobs", "2", "--resume", &journal, "--json"];
    let pit = pit(&[GOOD, &format!("broken={bot}")], "1..4", &options);
    let play = judge(["play", "--seeds", "1..4", "--bot", bot]);
    for run in [pit, play] {
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        let why = format!("cannot start the bot `{bot}`: the system says: Exec format error");
        assert!(run.stderr.contains(&why), "{}", run.stderr);
        assert!(run.stderr.contains("is the file complete, and built for this machine?"));
    }
    assert!(!fs::read_to_string(&journal).unwrap().contains("broken\",\"seed"));
}

#[cfg(unix)]
#[test]
fn without_a_path_the_default_directories_are_searched() {
    let mut judge = crate::bots::judge_command();
    judge.args(["play", "--seeds", "1", "--bot", "sh -c 'exit 3'"]).env_remove("PATH");
    let output = judge.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("crash (exit code 3)"), "{stdout}");
}
