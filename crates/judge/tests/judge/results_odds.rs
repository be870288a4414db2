//! `judge results` of exact odds: the engine's, and those that the example `dummy` prints, right
//! and wrong.

use std::fs;

use serde_json::{Value, json};

use crate::bots::Run;
use crate::results::{Folder, untimed};
use crate::systems::dummy;

const LIST: &str = "\
ours   --odds mid-game --try 20 --day 30
wide   --odds wide --try 1
theirs --odds mid-game --bot x --try 5 --day 9
hard   --odds wide --bot x --try 2
";

/// Measures the list of a folder at a size, with `dummy WHAT` as its program.
fn measured(folder: &Folder, what: &str, size: &str) -> Run {
    let bot = format!("x=\"{}\" {what}", dummy().display());
    folder.results(&["run", "--size", size, "--bot", &bot])
}

/// The odds of a report at a size.
fn shown(folder: &Folder, size: &str) -> Vec<Value> {
    folder.show(size)["odds"].as_array().unwrap().clone()
}

fn counts(odds: &[Value]) -> Vec<[u64; 4]> {
    let count = |one: &Value| {
        ["positions", "of", "solved", "agreeing"].map(|key| one[key].as_u64().unwrap())
    };
    odds.iter().map(count).collect()
}

#[test]
fn the_engine_and_a_program_are_measured() {
    let folder = Folder::new(LIST);
    let run = folder.results(&["run"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("2 parts need the odds of x: give --bot \"x=CMD\""));
    assert_eq!(counts(&shown(&folder, "try"))[..2], [[20, 20, 20, 20], [1, 1, 1, 1]]);
    let run = measured(&folder, "odds", "try");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let odds = shown(&folder, "try");
    assert_eq!(counts(&odds)[2..], [[5, 5, 5, 5], [2, 2, 2, 2]]);
    // The dummy says that a position takes 10.5 microseconds and one more for each before it.
    assert_eq!((&odds[2]["median_us"], &odds[2]["p99_us"]), (&json!(12.5), &json!(14.5)));
    // Each of the hard ones is alone.
    assert_eq!((&odds[3]["median_us"], &odds[3]["p99_us"]), (&json!(10.5), &json!(10.5)));
    let command = odds[2]["command"].as_str().unwrap();
    assert!(command.starts_with("judge results run theirs --size try --to again.jsonl --bot "));
    // Nothing is missing, so that no program is needed.
    let before = fs::read_to_string(folder.path("figures.jsonl")).unwrap();
    assert_eq!(folder.results(&["run"]).code, 0);
    assert_eq!(fs::read_to_string(folder.path("figures.jsonl")).unwrap(), before);
    assert_eq!(measured(&folder, "odds", "day").code, 0);
    assert_eq!(counts(&shown(&folder, "day"))[0], [30; 4]);
    let text = folder.results(&["show", "--size", "day"]).stdout;
    assert!(text.starts_with("| measurement | positions | exact | agreeing | median us"), "{text}");
    assert!(text.contains("| theirs      | 9         | 9     | 9        |"), "{text}");
}

#[test]
fn what_disagrees_is_counted_and_what_is_no_odds_is_refused() {
    for (what, expected) in
        [("wrong-odds", [[5, 5, 5, 4], [2, 2, 2, 0]]), ("no-odds", [[5, 5, 0, 0], [2, 2, 0, 0]])]
    {
        let folder = Folder::new(LIST);
        let run = measured(&folder, what, "try");
        assert_eq!(run.code, 0, "{what}: {}", run.stderr);
        assert_eq!(counts(&shown(&folder, "try"))[2..], expected, "{what}");
    }
    for (what, expected) in [
        (
            "other-text",
            "--bot x: its output for 5 positions: line 1: `position 0:`: expected INDEX \
             MICROSECONDS ODDS..., or INDEX -",
        ),
        ("fewer-odds", "2 lines of position 0, counted from 0; expected 3"),
        ("odd", "--bot x: its output for 5 positions: line 1: `0 10.5`: expected INDEX"),
    ] {
        let folder = Folder::new(LIST);
        let run = measured(&folder, what, "try");
        assert!(run.code == 2 && run.stderr.contains(expected), "{what}: {}", run.stderr);
        // Windows has a note about bots besides.
        let is_fault = |line: &&str| !line.starts_with("judge: note: ");
        assert_eq!(run.stderr.lines().filter(is_fault).count(), 1, "{}", run.stderr);
        assert_eq!(counts(&shown(&folder, "try"))[2][0], 0);
    }
    let folder = Folder::new(LIST);
    let run = folder.results(&["run", "--bot", "x=./no-such-program"]);
    assert!(run.code == 2 && run.stderr.contains("no-such-program"), "{}", run.stderr);
}

#[test]
fn shares_are_the_whole_and_differ_in_times_alone() {
    let (whole, shared) = (Folder::new(LIST), Folder::new(LIST));
    let list = ["ours", "wide"];
    let run = |folder: &Folder, words: &[&str]| {
        let run = folder.results(&[&["run", "--size", "day"], &list[..], words].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    run(&whole, &[]);
    run(&shared, &["--share", "1/2"]);
    run(&shared, &["--share", "2/2"]);
    let [one, two] = ["share-1-of-2.jsonl", "share-2-of-2.jsonl"].map(|name| shared.text(name));
    assert_eq!(shared.results(&["join", &one, &two]).code, 1, "the program's are missing");
    assert_eq!(untimed(shared.show("day")), untimed(whole.show("day")));
    assert_eq!(counts(&shown(&shared, "day"))[..2], [[30; 4], [1; 4]]);
    let joined = whole.results(&["join", &one, &two]);
    assert!(joined.stdout.starts_with("0 parts added to"), "{}{}", joined.stdout, joined.stderr);
    assert!(joined.stdout.contains("; 3 parts were there already"), "{}", joined.stdout);
    // Another machine solves less of the same odds: one of the two is wrong.
    let text = fs::read_to_string(&one).unwrap();
    let mut figure: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    figure.as_object_mut().unwrap().remove("crc32");
    figure["sums"]["agreeing"] = json!(3);
    let other = whole.text("other.jsonl");
    fs::write(&other, format!("{}\n{figure}\n", json!({"results": 1}))).unwrap();
    let run = whole.results(&["join", &other]);
    assert!(run.code == 2 && run.stderr.contains("other sums than"), "{}", run.stderr);
}

#[test]
fn figures_of_other_odds_do_not_count() {
    let list = "ours --odds mid-game --try 5\ngames --level 8x8/10 --effort fast --try 1\n";
    let folder = Folder::new(list);
    assert_eq!(folder.results(&["run"]).code, 0);
    let text = fs::read_to_string(folder.path("figures.jsonl")).unwrap();
    let [mut figure, games] = [1, 2].map(|line| {
        let mut figure: Value = serde_json::from_str(text.lines().nth(line).unwrap()).unwrap();
        figure.as_object_mut().unwrap().remove("crc32");
        figure
    });
    let write = |figure: &Value| {
        let text = format!("{}\n{figure}\n", json!({"results": 1}));
        fs::write(folder.path("figures.jsonl"), text).unwrap();
        folder.results(&["show", "ours", "--size", "try"])
    };
    assert_eq!(write(&figure).code, 0);
    let mut other = figure.clone();
    other["play"] = json!(["00000000"]);
    let run = write(&other);
    assert!(run.code == 1 && run.stderr.contains("of another play than today's"), "{}", run.stderr);
    // Sums of games under the name of odds are none.
    figure["sums"] = games["sums"].clone();
    assert_eq!(write(&figure).code, 1);
    assert_eq!(counts(&shown(&folder, "try")), [[0, 5, 0, 0]]);
}

#[test]
fn pages_have_the_stored_odds() {
    let folder = Folder::new("ours --odds mid-game --try 5\ngames --level 8x8/10 --day 1\n");
    assert_eq!(folder.results(&["run", "ours"]).code, 0);
    let page = folder.text("page.md");
    let fill = |text: &str| {
        fs::write(&page, text).unwrap();
        let run = folder.results(&["fill", &page]);
        (run.code, run.stderr, fs::read_to_string(&page).unwrap())
    };
    let fields = ["positions", "solved", "agreeing", "median", "p99"];
    let holders = fields.map(|field| format!("<!-- result ours {field} --><!-- end -->"));
    let (code, error, filled) = fill(&(holders.join("\n") + "\n<!-- odds ours --><!-- end -->\n"));
    assert_eq!(code, 0, "{error}");
    let odds = &shown(&folder, "try")[0];
    let us = |key: &str| format!("{:.0} us", odds[key].as_f64().unwrap());
    let values = ["5", "5", "5", &us("median_us"), &us("p99_us")];
    for (field, value) in fields.iter().zip(values) {
        assert!(filled.contains(&format!("ours {field} -->{value}<!-- end -->")), "{filled}");
    }
    assert!(filled.contains("\n\n| measurement | positions | exact"), "{filled}");
    for (text, expected) in [
        ("<!-- result ours won -->", "`won` is no field of odds: give median"),
        ("<!-- results ours -->", "ours is of no games; give `odds ours`"),
        ("<!-- differences ours -->", "ours is of no games"),
        ("<!-- odds games -->", "games is not measured: run `results run games`"),
    ] {
        let (code, error, _) = fill(&format!("{text}<!-- end -->\n"));
        assert!(code == 2 && error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_line_of_odds_that_cannot_be_is_refused() {
    for (line, expected) in [
        ("a --odds x --try 1", "no set of positions is called x; there are mid-game, wide"),
        ("a --odds wide --level expert --try 1", "cannot be used with '--level"),
        ("a --odds wide --try 25", "wide has 24 positions; give no more"),
    ] {
        let run = Folder::new(line).results(&["run"]);
        assert!(run.code == 2 && run.stderr.contains(expected), "{line}: {}", run.stderr);
        assert_eq!(run.stderr.trim().lines().count(), 1, "{}", run.stderr);
    }
}
