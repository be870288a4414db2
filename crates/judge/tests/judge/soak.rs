//! `judge check soak` and `judge check worst`: no faults of sapper, and the faults of dummy bots.

use std::fs;

use serde_json::Value;

use crate::bots::{MARKER, judge};

const POSITION: &str = "# one line\n9 9 20% 1 lattice\n";

/// A bot for `--bot` that is kept running and gives this answer to every line.
fn always(answer: &str) -> String {
    format!("sh -c 'while read -r line; do printf \"%s\\n{MARKER}\\n\" \"{answer}\"; done'")
}

/// A JSON report without times and memory.
fn without_times(text: &str) -> Value {
    let mut report: Value = serde_json::from_str(text).unwrap();
    let entries = report.as_object_mut().unwrap();
    entries.retain(|key, _| !key.ends_with("_ms") && !key.ends_with("_mib") && key != "seconds");
    report
}

#[test]
fn a_soak_is_reproducible_and_finds_no_fault() {
    let run = || {
        judge([
            "check",
            "soak",
            "--seeds",
            "1..6",
            "--processes",
            "0",
            "--time-limit",
            "60",
            "--json",
        ])
    };
    let (one, other) = (run(), run());
    assert_eq!(one.code, 0, "{}", one.stderr);
    let report = without_times(&one.stdout);
    assert_eq!(report, without_times(&other.stdout));
    assert_eq!((&report["games"], &report["faults"]), (&6.into(), &0.into()));
    let turns = report["turns"].as_u64().unwrap();
    assert!(turns >= 6, "{report}");
    let by_effort = |report: &Value| {
        ["fast", "standard", "full"].map(|effort| report["efforts"][effort].as_u64().unwrap())
    };
    assert_eq!(by_effort(&report).iter().sum::<u64>(), turns, "{report}");
    // Efforts are drawn from the seed, unless one is given.
    assert!(by_effort(&report).iter().filter(|turns| **turns > 0).count() > 1, "{report}");
    let fast = judge([
        "check",
        "soak",
        "--seeds",
        "1..6",
        "--processes",
        "0",
        "--effort",
        "fast",
        "--json",
    ]);
    let fast: Value = serde_json::from_str(&fast.stdout).unwrap();
    assert_eq!(by_effort(&fast), [fast["turns"].as_u64().unwrap(), 0, 0]);
}

#[cfg(unix)]
#[test]
fn another_answer_of_the_built_bot_is_a_fault_that_is_reported_with_its_input() {
    let bot = always("{}");
    let soak =
        ["check", "soak", "--seeds", "3", "--processes", "1", "--effort", "fast", "--bot", &bot];
    let run = judge(soak.into_iter().chain(["--time-limit", "60"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let again = run.stdout.lines().find_map(|line| line.split_once("again: ")).unwrap().1;
    assert!(again.contains(" soak --seeds 3 --effort fast --processes 1 --bot "), "{again}");
    assert!(again.ends_with(" --time-limit 60"), "{again}");
    // The command finds the same faults.
    let found = crate::bots::shell().args(["-c", again]).output().unwrap();
    assert_eq!(found.status.code(), Some(1));
    let faults = |text: &str| {
        let lines = text.lines().filter(|line| line.starts_with("seed 3, turn "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(faults(&String::from_utf8(found.stdout).unwrap()), faults(&run.stdout));
    let run = judge(soak.into_iter().chain(["--time-limit", "60", "--json"]));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let fault = &report["first_faults"][0];
    assert_eq!((&fault["seed"], &fault["turn"]), (&3.into(), &0.into()), "{fault}");
    let input: Value = serde_json::from_str(fault["input"].as_str().unwrap()).unwrap();
    assert!(input["requests"].is_array());
}

#[cfg(unix)]
#[test]
fn a_soak_stops_after_three_faults() {
    let bot = always("{}");
    let soak = [
        "check",
        "soak",
        "--seeds",
        "1..200",
        "--processes",
        "1",
        "--effort",
        "fast",
        "--bot",
        &bot,
    ];
    let run = judge(soak.into_iter().chain(["--time-limit", "60", "--jobs", "1", "--json"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&report["stopped"], &report["process_turns"]),
        (&true.into(), &3.into()),
        "{report}"
    );
    assert_eq!((&report["faults"], &report["turns"]), (&3.into(), &3.into()), "{report}");
    // The same with several threads.
    let run = judge(soak.into_iter().chain(["--time-limit", "60", "--jobs", "3"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let faults = run.stdout.lines().filter(|line| line.starts_with("seed ")).count();
    assert_eq!(faults, 3, "{}", run.stdout);
}

/// The answer is the last hidden cell: legal, but not the one that sapper opens at any effort.
#[cfg(unix)]
#[test]
fn another_legal_answer_of_the_built_bot_is_a_fault() {
    let directory = tempfile::tempdir().unwrap();
    let bot = directory.path().join("bot.awk");
    // The answer is the last cell in row-major order that was not reported open.
    let program = r#"{
        line = $0; sub(/.*"height":/, "", line); height = line + 0
        line = $0; sub(/.*"width":/, "", line); width = line + 0
        line = $0
        while (match(line, /"row":[0-9]+,"col":[0-9]+/)) {
            split(substr(line, RSTART, RLENGTH), of, /[:,]/)
            open[of[2] * width + of[4]] = 1
            line = substr(line, RSTART + RLENGTH)
        }
        for (cell = height * width - 1; open[cell]; cell--);
        printf "{\"response\":{\"row\":%d,\"col\":%d}}\n", int(cell / width), cell % width
        print ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
    }"#;
    fs::write(&bot, program).unwrap();
    // One awk for each line, because some versions read ahead before they answer.
    let bot = format!(
        "sh -c 'while read -r line; do printf \"%s\\n\" \"$line\" | awk -f {}; done'",
        bot.display()
    );
    for effort in ["fast", "full"] {
        let seeds =
            ["--seeds", "1..4", "--processes", "6", "--time-limit", "60", "--effort", effort];
        let run = judge([&["check", "soak", "--bot", &bot, "--json"][..], &seeds[..]].concat());
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(run.code, 1, "{}", run.stderr);
        let first = report["first_faults"][0]["what"].as_str().unwrap();
        assert!(first.contains("the built bot answered {\"response\""), "{first}");
    }
}

#[cfg(unix)]
#[test]
fn the_limits_of_a_position_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("positions.txt");
    fs::write(&file, POSITION).unwrap();
    let file = file.to_str().unwrap();
    let ask = |more: &[&str]| {
        judge(
            ["check", "worst", file, "--load", "0", "--tries", "1"]
                .into_iter()
                .chain(more.iter().copied()),
        )
    };
    // Kept running, and started for the turn.
    for more in [&[][..], &["--bot", "sapper"]] {
        let limits = ["--time-limit", "60", "--expect-untimed", "--json"];
        let run = ask(&[&limits[..], more].concat());
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let figure = |name: &str| report["positions"][0][name].as_f64().unwrap();
        assert!(figure("ms") > 0.0 && figure("peak_mib") > 0.5);
    }
    for (more, word) in [
        (&["--time-limit", "0.0000001"][..], "timeout"),
        (&["--time-limit", "60", "--memory-limit", "1"], "memory-limit (it used "),
        (
            &[
                "--time-limit",
                "60",
                "--bot",
                &always("{\\\"response\\\":{\\\"row\\\":9,\\\"col\\\":0}}"),
            ],
            "illegal",
        ),
        (
            &[
                "--time-limit",
                "60",
                "--expect-untimed",
                "--bot",
                &always("{\\\"response\\\":{\\\"row\\\":0,\\\"col\\\":8}}"),
            ],
            "as without a clock: {\"response\":{\"row\":0,\"col\":8}}",
        ),
        (&["--time-limit", "60", "--bot", "false"], "crash (exit code 1)"),
    ] {
        let run = ask(more);
        assert_eq!(run.code, 1, "{word}: {}", run.stdout);
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
        // A bot that never answered within its limits has no times.
        let unanswered = run.stdout.contains("|  - |      - |   - |");
        let is_answered = word == "illegal" || word.starts_with("as without");
        assert_eq!(unanswered, !is_answered, "{}", run.stdout);
    }
}

#[test]
fn a_file_of_positions_that_cannot_be_read_is_bad_input() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("positions.txt");
    for (text, word) in
        [("", "holds no position"), ("\n9 9 20% 1 stripes", "line 2"), ("9 9", "expected")]
    {
        fs::write(&file, text).unwrap();
        let run = judge(["check", "worst", file.to_str().unwrap()]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(word), "{}", run.stderr);
    }
    assert_eq!(judge(["check", "worst", "no-such-file"]).code, 2);
}

/// What evolves is printed as lines that `check worst` measures; the objective is in the line.
#[test]
fn evolved_positions_are_those_of_a_file_of_worst_positions() {
    let run =
        judge(["check", "evolve", "5x5/6", "3x7/4", "--turns", "12", "--keep", "2", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let positions = report["positions"].as_array().unwrap();
    let lines: Vec<&str> = positions.iter().map(|one| one["position"].as_str().unwrap()).collect();
    assert_eq!(lines.len(), 8, "{lines:?}");
    let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(
        (of("5 5 6 "), of("clean-win 5 5 6 "), of("3 7 4 "), of("clean-win 3 7 4 ")),
        (2, 2, 2, 2)
    );
    let measured = |one: &Value| {
        // Windows counts the CPU time of a thread in steps of 15.6 ms.
        let is_short = cfg!(windows) && one["nodes"].as_u64().unwrap() < 50_000_000;
        one["cpu_ms"].as_f64().unwrap() > 0.0 || is_short
    };
    assert!(positions.iter().all(measured), "{positions:?}");
    assert!(positions.iter().any(|one| one["nodes"].as_u64().unwrap() > 100_000));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evolved.txt");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let file = file.to_str().unwrap();
    let run = judge([
        "check",
        "worst",
        file,
        "--load",
        "0",
        "--tries",
        "1",
        "--time-limit",
        "60",
        "--json",
    ]);
    let measured: Value = serde_json::from_str(&run.stdout).unwrap();
    let again: Vec<&str> = measured["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["position"].as_str().unwrap())
        .collect();
    assert_eq!((run.code, again), (0, lines));
}
