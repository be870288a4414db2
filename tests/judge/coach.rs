//! `judge coach`: the cost of decisions whose odds are known, of bots and of recorded games.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ONCE, Run, Script, judge, opening, small_field};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/games/default-30x20-80.json");

fn coach(options: &[&str]) -> Run {
    judge(["coach", "--playouts", "10"].iter().chain(options))
}

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

#[test]
fn a_recorded_game_is_judged_decision_by_decision() {
    let run = coach(&[GAME, "--json", "--dearest", "3"]);
    let report = json_of(&run);
    assert_eq!((run.code, &report["games"], &report["unjudged"]), (0, &json!(1), &json!(0)));
    let sum = |key: &str| -> f64 {
        let groups = report[key].as_array().unwrap();
        groups.iter().map(|group| group["cost"].as_f64().unwrap()).sum()
    };
    let all = report["all"]["cost"].as_f64().unwrap();
    for key in ["kinds", "phases", "places"] {
        assert!((sum(key) - all).abs() < 1e-9 && all > 5.0, "{key}: {all}");
    }
    // In turn 139 a proven mine is opened: one mine more, and nothing else changes.
    let dearest = &report["dearest"];
    assert_eq!(dearest.as_array().unwrap().len(), 3);
    assert_eq!(
        (&dearest[0]["turn"], &dearest[0]["kind"]),
        (&json!(139), &json!("proven mine opened"))
    );
    assert_eq!((&dearest[0]["cell"], &dearest[0]["odds"]), (&json!([16, 24]), &json!(1.0)));
    assert!((dearest[0]["cost"].as_f64().unwrap() - 1.0).abs() < 0.01, "{}", dearest[0]);
    assert!(dearest[0]["field"].as_str().unwrap().lines().nth(16).unwrap().contains('A'));
    let text = coach(&[GAME]).stdout;
    assert!(text.contains("(16,24) was proven to be a mine."), "{text}");
    let clean = json_of(&coach(&[GAME, "--json", "--objective", "clean-win"]));
    // The decisions before the first mine only.
    assert!(clean["differing"].as_u64() < report["differing"].as_u64());
}

/// The bot opens one cell after another, and nothing in the last game.
#[test]
fn a_bot_plays_and_its_faults_are_reported() {
    let cells: Vec<Value> = (1..=3)
        .map(small_field)
        .flat_map(|field| opening(&field, field.shape().cells()))
        .chain([json!("nothing")])
        .collect();
    let bot = Script::with_answers(&cells, ONCE);
    let games = TempDir::new().unwrap();
    let log = games.path().to_str().unwrap();
    let options = ["--bot", &bot.command, "--level", "6x5/7", "--jobs", "1", "--json"];
    let run = coach(&[&options[..], &["--seeds", "1..4", "--log", log]].concat());
    let report = json_of(&run);
    assert_eq!((run.code, &report["games"]), (1, &json!(4)));
    assert_eq!(report["faults"], json!({"illegal": 1}));
    assert!(report["all"]["cost"].as_f64() > Some(1.0), "{report}");
    let files = fs::read_dir(games.path()).unwrap().count();
    assert_eq!(files, 4);
    // The games on file have the same account.
    let paths = (1..=4).map(|seed| format!("{log}/6x5-7-{seed}.json"));
    let paths: Vec<String> = paths.collect();
    let mut again: Vec<&str> = paths.iter().map(String::as_str).collect();
    again.push("--json");
    let again = json_of(&coach(&again));
    assert_eq!((&again["kinds"], &again["dearest"]), (&report["kinds"], &report["dearest"]));
}

#[test]
fn what_cannot_be_judged_is_refused_in_a_line() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("no-game.json");
    fs::write(&path, "3 2 1\n1..\n1..").unwrap();
    let skipped = directory.path().join("skipped.json");
    let game = fs::read_to_string(GAME).unwrap();
    let mut game: Value = serde_json::from_str(&game).unwrap();
    game["initdata_given"]["skipfirst"] = json!(true);
    game["log"][0]["output"]["initdata"]["skipfirst"] = json!(true);
    fs::write(&skipped, game.to_string()).unwrap();
    for (options, hint) in [
        (&[path.to_str().unwrap()][..], "not a recorded game, but a position"),
        (&[skipped.to_str().unwrap()], "not all layouts are equally likely"),
        (&["--bot", "sapper", "--skipfirst"], "not all layouts are equally likely"),
        (&["--bot", "sapper", GAME], "cannot be used with"),
        (&[], "--bot <CMD>"),
        (&["/does/not/exist.json"], "/does/not/exist.json"),
    ] {
        let run = coach(options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
    }
}
