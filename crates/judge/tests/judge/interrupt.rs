//! An interrupted judge reports the games so far, without those that the interrupt cut off.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{SMALL, Script, wait_for};

/// A bot that crashes in three games and hangs in the fourth, and a judge that plays it by
/// `command`, as a bot of this name and an equals sign.
fn hanging(command: &[&str], name: &str, options: &[&str]) -> (Script, Child) {
    let bot = Script::new(
        "echo >> \"$here/games\"; [ $(wc -l < \"$here/games\") -gt 3 ] || exit 3; \
         echo > \"$here/ready\"; sleep 300",
    );
    let mut judge = crate::bots::judge_command();
    judge.args(command).args(["--bot", &format!("{name}{}", bot.command)]);
    judge.args(["--time-limit", "200", "--seeds", "1..9"]).args(SMALL).args(options);
    let judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    wait_for(&bot.path("ready"));
    (bot, judge.unwrap())
}

fn signal(judge: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", judge.id());
    assert!(crate::bots::shell().args(["-c", &kill]).status().unwrap().success());
}

/// What an interrupted judge printed on standard output and on standard error.
fn output(judge: Child) -> [String; 2] {
    let output = judge.wait_with_output().unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(130), "{}", texts[1]);
    texts
}

#[test]
fn an_interrupted_pit_reports_the_boards_so_far() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("run.jsonl");
    let resume = ["--resume", journal.to_str().unwrap(), "--json"];
    for (name, options) in [("INT", &[][..]), ("TERM", &["--json"]), ("TERM", &resume)] {
        let (bot, judge) = hanging(&["pit", "--bot", "sapper --keep-running"], "hangs=", options);
        signal(&judge, name);
        let start = Instant::now();
        let [stdout, stderr] = output(judge);
        assert!(start.elapsed() < Duration::from_secs(60));
        assert!(stderr.contains("interrupted after 3 boards; "), "{stderr}");
        let again = "the same command continues from here";
        assert_eq!(stderr.contains(again), options == resume, "{stderr}");
        assert_eq!(bot.text("games").lines().count(), 4);
        if options.is_empty() {
            let head = "3 boards 6x5 with 7 mines, seeds from 1; interrupted\n";
            assert!(stdout.starts_with(head), "{stdout}");
            assert!(stdout.contains("| 3 crash |") && stdout.contains("again: "), "{stdout}");
            continue;
        }
        let all: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((&all["boards"], &all["interrupted"]), (&json!(3), &json!(true)));
        // The game that was cut off is not a fault, and is not in the journal.
        assert_eq!(all["bots"][1]["faults"], json!({"crash": 3}));
    }
    let journal = fs::read_to_string(&journal).unwrap();
    let games = |bot: &str| journal.matches(&format!("{{\"bot\":\"{bot}\",\"seed\"")).count();
    assert_eq!((games("hangs"), journal.contains("signal 9")), (3, false), "{journal}");
}

/// As after `nohup`, and in a background job of a script.
#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    let bot = Script::new("echo > \"$here/ready\"; sleep 300");
    let mut judge = crate::bots::shell();
    judge.args(["-c", "trap '' HUP INT; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_judge")]);
    judge.args(["play", "--bot", &bot.command, "--time-limit", "200", "--seeds", "1"]).args(SMALL);
    let mut judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&bot.path("ready"));
    for name in ["HUP", "INT"] {
        signal(&judge, name);
        std::thread::sleep(Duration::from_millis(1500));
        assert!(judge.try_wait().unwrap().is_none(), "{name} ended it");
    }
    signal(&judge, "TERM");
    let [_, stderr] = output(judge);
    assert!(stderr.contains("interrupted"), "{stderr}");
}

#[test]
fn an_interrupted_soak_reports_the_games_so_far() {
    let mut judge = crate::bots::judge_command();
    judge.args([
        "check",
        "soak",
        "--processes",
        "0",
        "--effort",
        "fast",
        "--time-limit",
        "60",
        "--json",
    ]);
    let judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    signal(&judge, "INT");
    let [stdout, stderr] = output(judge);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let (interrupted, faults) = (&report["interrupted"], &report["faults"]);
    assert_eq!((interrupted, faults), (&json!(true), &json!(0)), "{report}");
    let after = format!("interrupted after {} game", report["games"]);
    assert!(stderr.contains(&after) && stderr.contains(&format!("{} turn", report["turns"])));
}

#[test]
fn an_interrupted_bench_or_calibration_tells_what_it_has() {
    let directory = TempDir::new().unwrap();
    let shard = directory.path().join("run.jsonl");
    let resume = ["--resume", shard.to_str().unwrap()];
    let seeds = ["--seeds", "1..9999999", "--effort", "fast", "--level", "8x8/10", "--jobs", "1"];
    for (options, after) in [
        (vec!["bench"], "with --resume FILE an interrupted run can be continued"),
        (vec!["bench", resume[0], resume[1]], "the same command continues from here"),
        (vec!["calibrate", "--guesses", "999999999"], "guesses"),
    ] {
        let mut judge = crate::bots::judge_command();
        let judge = judge.args(&options).args(seeds).stdout(Stdio::piped()).stderr(Stdio::piped());
        let judge = judge.spawn().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        signal(&judge, "INT");
        let [stdout, stderr] = output(judge);
        let games = stderr.split_once("interrupted after ").unwrap().1.split(' ').next().unwrap();
        assert!(games.parse::<u64>().unwrap() > 0 && stderr.contains(after), "{stderr}");
        if options[0] == "calibrate" {
            assert!(stdout.starts_with(&format!("{games} games, ")), "{stdout}");
            continue;
        }
        let head =
            format!("8x8/10, seeds 1..{games}; rule botzone, objective fewest-hits, effort fast\n");
        assert!(stdout.starts_with(&head), "{stdout}");
        assert!(stdout.contains("Not finished: "), "{stdout}");
    }
    let report = crate::bots::judge_command().arg("report").arg(&shard).output();
    assert!(String::from_utf8(report.unwrap().stdout).unwrap().contains("Not finished: "));
}

#[test]
fn a_second_interrupt_ends_the_judge_at_once() {
    // The judge's lines fill the pipe, which is not read, so the judge waits in a write.
    let bot = Script::new("echo >> \"$here/games\"; seq 1000 1400 >&2; exit 3");
    let play = || {
        let mut judge = crate::bots::judge_command();
        judge.args(["play", "--bot", &bot.command, "--seeds", "1..100000"]).args(SMALL);
        fs::write(bot.path("games"), "").unwrap();
        let judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while bot.text("games").lines().count() < 600 {
            assert!(start.elapsed() < Duration::from_secs(100), "{}", bot.text("games").len());
            std::thread::sleep(Duration::from_millis(10));
        }
        judge
    };
    let stop = |judge: &Child| {
        signal(judge, "INT");
        std::thread::sleep(Duration::from_millis(1500));
    };
    let mut judge = play();
    stop(&judge);
    assert!(judge.try_wait().unwrap().is_none(), "the first interrupt ended it");
    stop(&judge);
    let code = (0..3000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        judge.try_wait().unwrap()
    });
    assert_eq!(code.and_then(|status| status.code()), Some(130));
    let judge = play();
    stop(&judge);
    let [stdout, stderr] = output(judge);
    let games = stdout.lines().filter(|line| line.starts_with("seed ")).count();
    // The last game may have been cut off.
    let started = bot.text("games").lines().count();
    assert!(games == started || games + 1 == started, "{games} of {started}");
    assert!(stderr.contains(&format!("interrupted after {games} games")), "{stderr}");
    assert!(stdout.contains(&format!("\nFAULTS: {games} crash")), "{stdout}");
}

/// The game that the interrupt cut off is not written as one that the bot lost.
#[test]
fn an_interrupted_coach_writes_whole_games_only() {
    let log = TempDir::new().unwrap();
    let directory = log.path().to_str().unwrap();
    let (_bot, judge) = hanging(&["coach"], "", &["--log", directory]);
    signal(&judge, "INT");
    let [_, stderr] = output(judge);
    assert!(stderr.contains("interrupted after 3 games; "), "{stderr}");
    let mut files: Vec<_> =
        fs::read_dir(log.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["6x5-7-1.json", "6x5-7-2.json", "6x5-7-3.json"]);
}

/// A game of which every decision takes minutes.
#[test]
fn an_interrupted_coach_does_not_end_its_game() {
    let directory = TempDir::new().unwrap();
    let table = directory.path().join("cost.csv");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/games/dense-11x11-80.json");
    for options in [&[][..], &["--json"]] {
        fs::remove_file(&table).ok();
        let mut judge = crate::bots::judge_command();
        judge.args(["coach", game, "--playouts", "100000", "--csv", table.to_str().unwrap()]);
        let judge = judge.args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        let judge = judge.spawn().unwrap();
        wait_for(&table);
        std::thread::sleep(Duration::from_secs(1));
        signal(&judge, "INT");
        let start = Instant::now();
        let [stdout, stderr] = output(judge);
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        let message = "interrupted after 0 games; games in progress do not count";
        assert!(stderr.contains(message), "{stderr}");
        if options.is_empty() {
            assert_eq!(stdout, "");
        } else {
            let report: Value = serde_json::from_str(&stdout).unwrap();
            assert_eq!((&report["games"], &report["all"]["cost"]), (&json!(0), &Value::Null));
        }
    }
}
