//! `judge ceiling`: the gain does not depend on the threads or on interruptions, and is that of the
//! games that it names.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::judge;
use crate::results::Folder;

/// Small boards with guesses that are no solved endgame.
const OPTIONS: [&str; 12] = [
    "--level",
    "9x9/16",
    "--rule",
    "safe-first",
    "--effort",
    "fast",
    "--policy",
    "fast",
    "--playouts",
    "40",
    "--seeds",
    "1..30",
];

fn ceiling(options: &[&str]) -> Value {
    let run = judge([&["ceiling"], &OPTIONS[..], options, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn the_gain_does_not_depend_on_threads_and_interruptions() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ceiling.jsonl");
    let resume = ["--resume", file.to_str().unwrap()];
    let whole = ceiling(&["--jobs", "1"]);
    assert_eq!(whole, ceiling(&[resume[0], resume[1], "--jobs", "2"]));
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 31);
    // Cut off within a line, altered, and whole.
    let cut = &lines[..lines.len() / 2];
    let altered = lines.replacen("\"guesses\":", "\"guesses\":1", 4);
    for text in [cut, &altered, &lines] {
        fs::write(&file, text).unwrap();
        assert_eq!(ceiling(&resume), whole);
        assert_eq!(fs::read_to_string(&file).unwrap(), lines);
    }
    let other = judge([&["ceiling"], &OPTIONS[..], &resume, &["--open", "10..100"]].concat());
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("open 0..100 instead of 10..100"), "{}", other.stderr);
}

#[test]
fn the_phases_add_up_to_the_game() {
    let whole = ceiling(&[]);
    assert_eq!((&whole["games"], &whole["unit"]), (&json!(30), &json!("probability to win")));
    let rows = whole["rows"].as_array().unwrap();
    let sum = |key: &str, rows: &[Value]| rows.iter().map(|row| row[key].as_f64().unwrap()).sum();
    for key in ["drawn", "compared", "differing", "gain", "gain_as_chosen", "guesses_a_game"] {
        let (phases, all): (f64, f64) = (sum(key, &rows[..3]), sum(key, &rows[3..]));
        assert!((phases - all).abs() < 1e-12, "{key}: {phases} {all}");
    }
    assert!(rows[3]["compared"].as_u64() > Some(10) && rows[3]["differing"].as_u64() > Some(0));
    // The guesses of a share alone are all in its phase.
    let early = ceiling(&["--open", "0..33"]);
    assert_eq!(early["rows"][0]["guesses_a_game"], early["rows"][3]["guesses_a_game"]);
}

#[test]
fn the_largest_gains_are_told_with_their_positions() {
    let level = "ceiling --level 8x8/20 --rule safe-first --effort fast --seeds 20..25 --json";
    let options = ["--policy", "fast", "--playouts", "100", "--candidates", "3"];
    let run = judge(level.split(' ').chain(options));
    let whole: Value = serde_json::from_str(&run.stdout).unwrap();
    let largest = whole["largest"].as_array().unwrap();
    assert!(!largest.is_empty() && largest.len() <= 5, "{largest:?}");
    let figure = |one: &Value, key: &str| one[key].as_f64().unwrap();
    let low = |one| figure(one, "gain") - 1.96 * figure(one, "standard_error");
    let lows: Vec<f64> = largest.iter().map(low).collect();
    assert!(lows.is_sorted_by(|a, b| a >= b) && lows[lows.len() - 1] > 0.0, "{lows:?}");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("position.txt");
    let options = ["--objective", "clean-win", "--effort", "fast", "--json"];
    for one in largest {
        assert_ne!(one["own"], one["chosen"]);
        let position = one["position"].as_str().unwrap();
        fs::write(&file, position).unwrap();
        let run = judge([&["explain", file.to_str().unwrap()], &options[..]].concat());
        let explained: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(explained["move"]["cell"], one["own"], "{position}");
    }
}

#[test]
fn a_part_of_the_engine_cannot_be_disabled() {
    let run = judge(["ceiling", "--without", "endgame", "--seeds", "1"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("choose --effort instead"), "{}", run.stderr);
    let run = judge(["ceiling", "--open", "5..1"]);
    assert!(run.code == 2 && run.stderr.contains("such as 67..100"), "{}", run.stderr);
}

/// The parts of two sizes add up to the command on all of their boards, whatever the threads.
#[test]
fn a_measurement_of_the_list_is_the_ceiling_of_its_boards() {
    let folder = Folder::new(
        "fast --level 9x9/16 --rule safe-first --effort fast --ceiling fast --playouts 40 --seed 1 \
         --try 4 --day 30",
    );
    let run = folder.results(&["run", "--size", "try", "--jobs", "1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let begun = folder.results(&["show", "--size", "day"]);
    assert!(begun.code == 1 && begun.stderr.contains("incomplete: fast (4 of 30)"));
    let run = folder.results(&["run", "--size", "day", "--jobs", "2"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let shown = folder.show("day")["ceilings"][0].clone();
    let whole = ceiling(&[]);
    assert_eq!((&shown["games"], &shown["outdated"]), (&json!(30), &json!(null)));
    assert_eq!(shown["phases"], whole["rows"]);
    // The stored command judges the games of the last part again.
    let command = shown["command"].as_str().unwrap();
    let again = judge(command.split(' ').skip(1).chain(["--json"]));
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["games"], json!(2));

    fs::write(
        folder.path("page.md"),
        "<!-- result fast gain --><!-- end --> <!-- ceilings fast --><!-- end -->",
    )
    .unwrap();
    let page = folder.text("page.md");
    assert_eq!(folder.results(&["fill", &page]).code, 0);
    let filled = fs::read_to_string(&page).unwrap();
    let text = judge([&["ceiling"], &OPTIONS[..]].concat()).stdout;
    let row = text.lines().find(|line| line.starts_with("| whole game")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let gain = format!("<!-- result fast gain -->{} ({})<!-- end -->", cells[6], cells[7]);
    assert!(filled.contains(&gain), "{filled}\n{row}");
    assert!(filled.contains("| fast        | 30    | points |"), "{filled}");
    for (place, expected) in [
        ("ceilings none", "no measurement is called none"),
        ("odds fast", "fast is of no odds; give `ceilings fast`"),
        ("results fast", "fast is of no games; give `ceilings fast`"),
        ("result fast won", "`won` is no field of a ceiling: give gain or games"),
    ] {
        fs::write(&page, format!("<!-- {place} --><!-- end -->")).unwrap();
        let run = folder.results(&["fill", &page]);
        assert!(run.code == 2 && run.stderr.contains(expected), "{}", run.stderr);
    }
}
