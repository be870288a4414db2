//! `judge verify`: recorded games pass, and every alteration of one is reported with its path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use game::record::Record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Files, Run, judge, recorded};

fn games() -> Vec<PathBuf> {
    fs::read_dir(recorded("")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn recorded_games_are_judged_as_recorded() {
    let games = games();
    assert!(games.len() >= 12);
    let run = judge([Path::new("verify").to_path_buf()].iter().chain(&games));
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("12 as recorded, 0 not"), "{}", run.stdout);
}

#[test]
fn a_bare_log_is_judged_from_its_own_init_data() {
    let directory = TempDir::new().unwrap();
    for game in games() {
        let record = Record::read(&fs::read_to_string(&game).unwrap()).unwrap();
        let path = directory.path().join(game.file_name().unwrap());
        fs::write(&path, json!(record.log).to_string()).unwrap();
        let run = judge([Path::new("verify"), &path]);
        assert_eq!(run.code, 0, "{}", run.stdout);
    }
}

/// The exit code reports a difference even if the output is closed.
#[test]
fn a_closed_output_does_not_change_the_exit_code() {
    let mut game: Value =
        serde_json::from_str(&fs::read_to_string(recorded("default-30x20-80.json")).unwrap())
            .unwrap();
    game["score"] = json!(1);
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("game.json");
    fs::write(&path, game.to_string()).unwrap();
    let mut judge = crate::bots::judge_command()
        .args([Path::new("verify"), &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(judge.stdout.take());
    let output = judge.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(1), &b""[..]));
}

/// Verifies a recorded game after an alteration, which must be reported.
fn altered(name: &str, alter: impl Fn(&mut Value)) -> Run {
    let path = recorded(name);
    let mut game: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let before = game.clone();
    alter(&mut game);
    assert_ne!(game, before);
    let directory = TempDir::new().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, game.to_string()).unwrap();
    let run = judge([Path::new("verify"), &path]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    run
}

#[test]
fn every_alteration_is_reported_with_its_path() {
    let output = |index: usize, rest: &str| format!("/log/{index}/output/{rest}");
    let set = |pointer: String, value: Value| {
        move |game: &mut Value| *game.pointer_mut(&pointer).unwrap() = value.clone()
    };
    let default = "default-30x20-80.json";
    let field_altered = |game: &mut Value| {
        let field = game.pointer_mut("/log/0/output/initdata/field").unwrap();
        *field = json!(field.as_str().unwrap().replacen('1', "2", 1));
    };
    type Alteration = Box<dyn Fn(&mut Value)>;
    let cases: Vec<(&str, Alteration, &str)> = vec![
        (
            default,
            Box::new(set(output(2, "content/0/changed/0/val"), json!(4))),
            "turn 1: log[2].output.content.0.changed[0].val: expected 3, the record says 4",
        ),
        (
            default,
            Box::new(set(output(2, "display/status"), json!(null))),
            "log[2].output.display.status",
        ),
        (default, Box::new(set(output(4, "command"), json!("finish"))), "log[4].output.command"),
        (
            default,
            Box::new(set(output(0, "content/0/minecount"), json!(79))),
            "content.0.minecount",
        ),
        (default, Box::new(field_altered), "log[0].output.initdata.field"),
        (default, Box::new(set("/initdata_given/seed".to_owned(), json!(12346))), "initdata.seed"),
        (
            "small-11x11-11.json",
            Box::new(set("/initdata_given/width".to_owned(), json!(12))),
            "initdata.width",
        ),
        (default, Box::new(set("/log/1/0/response/row".to_owned(), json!(5))), "turn 1: log[2]"),
        (
            default,
            Box::new(set("/score".to_owned(), json!(98.75))),
            "score: expected 97.5, the record says 98.75",
        ),
        (
            default,
            Box::new(set("/msg".to_owned(), json!("INVALIDMOVE"))),
            "msg: expected \"FINISH\"",
        ),
        (default, Box::new(set("/turns".to_owned(), json!(150))), "turns: expected 151"),
        (
            default,
            Box::new(|game| drop(game.as_object_mut().unwrap().remove("score"))),
            "score: expected 97.5, the record says nothing",
        ),
        (default, Box::new(|game| game["log"].as_array_mut().unwrap().truncate(301)), "OPEN  "),
        (
            default,
            Box::new(|game| game["log"].as_array_mut().unwrap().truncate(302)),
            "151 answers, as recorded, and then the judge's output after the last answer is \
             missing",
        ),
        (
            default,
            Box::new(|game| {
                let again = game["log"][1].clone();
                game["log"].as_array_mut().unwrap().push(again);
            }),
            "expected the game to be over",
        ),
        (
            default,
            Box::new(|game| {
                game.pointer_mut("/log/2/output").unwrap()["more"] = json!(1);
            }),
            "log[2].output.more: expected nothing, the record says 1",
        ),
        (
            "skipfirst-30x20-80.json",
            Box::new(|game| {
                let cells = game.pointer_mut("/log/0/output/content/0/changed").unwrap();
                cells.as_array_mut().unwrap().swap(1, 2);
            }),
            "changed[1].col",
        ),
        (
            "skipfirst-30x20-80.json",
            Box::new(|game| {
                let cells = game.pointer_mut("/log/0/output/display/status").unwrap();
                cells.as_array_mut().unwrap().pop();
            }),
            "the record says nothing",
        ),
        (
            "skipfirst-30x20-80.json",
            Box::new(set("/initdata_given/skipfirst".to_owned(), json!(false))),
            "initdata.firstclick",
        ),
        (
            "null-answer.json",
            Box::new(set("/log/15/0/response".to_owned(), json!({"row": 0, "col": 4}))),
            "log[16]",
        ),
        (
            "out-of-range-initdata.json",
            Box::new(set("/initdata_given/minecount".to_owned(), json!(80))),
            "minecount",
        ),
    ];
    for (name, alteration, difference) in cases {
        let run = altered(name, alteration);
        assert!(run.stdout.contains(difference), "{difference} is not in:\n{}", run.stdout);
        assert!(run.stdout.contains("0 as recorded, 1 not"));
    }
}

/// One line says why, instead of a difference for each cell.
#[test]
fn a_log_without_a_field_to_judge_by_is_named() {
    let files = Files::new();
    let game = fs::read_to_string(recorded("small-11x11-11.json")).unwrap();
    let mut log = serde_json::from_str::<Value>(&game).unwrap()["log"].take();
    let initdata = &mut log[0]["output"]["initdata"];
    initdata["width"] = json!(9);
    initdata["height"] = json!(9);
    let initdata = initdata.take();
    for (initdata, why) in [(Value::Null, "no init data"), (initdata, "make one of 40x20")] {
        log[0]["output"]["initdata"] = initdata;
        fs::write(files.path("log.json"), log.to_string()).unwrap();
        let run = judge(["verify", &files.name("log.json")]);
        assert!(run.code == 2 && run.stderr.contains(why), "{}", run.stderr);
        assert_eq!((run.stderr.lines().count(), run.stdout.lines().count()), (2, 1));
    }
}

#[test]
fn what_the_platform_measured_is_not_compared() {
    let path = recorded("small-11x11-11.json");
    let mut game: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for item in game["log"].as_array_mut().unwrap().iter_mut().step_by(2) {
        item["time"] = json!(99);
        item["memory"] = json!(99);
        item["verdict"] = json!("?");
    }
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("game.json");
    fs::write(&path, game.to_string()).unwrap();
    assert_eq!(judge([Path::new("verify"), &path]).code, 0);
}

#[test]
fn a_file_that_is_not_a_game_is_bad_input() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("game.json");
    for text in ["", "{", "{}", "[]", "3", r#"{"log":[{"x":1}]}"#] {
        fs::write(&path, text).unwrap();
        let run = judge([Path::new("verify"), &path]);
        assert_eq!(run.code, 2, "{text}");
        assert!(run.stderr.contains("game.json: not a recorded game"), "{}", run.stderr);
    }
    for (text, hint) in [
        ("", "game.json: not a recorded game: it is empty"),
        ("{\"log\":[", "game.json: not a recorded game: JSON of Botzone: the input ends before"),
        ("{}{}", "but a position: try `"),
        ("3", "game.json: not a recorded game: a field as text: no width or height"),
        ("3 2 1\n1..\n1..\n", "not a recorded game, but a position: try `"),
        ("\u{feff}3 2 1\r\n1x.\r\n", "not a recorded game: a field as text: unknown symbol"),
        (r#"{"requests":[]}"#, "but a position: try `"),
        ("3 2 1 0 0 5\n", "not a recorded game, but mine layouts: try `"),
    ] {
        fs::write(&path, text).unwrap();
        let run = judge([Path::new("replay"), &path]);
        assert!(run.code == 2 && run.stderr.contains(hint), "{text}: {}", run.stderr);
    }
    let game = fs::read_to_string(recorded("small-11x11-11.json")).unwrap();
    fs::write(&path, format!("\u{feff}{game}")).unwrap();
    assert_eq!(judge([Path::new("verify"), &path]).code, 0);
    let missing = judge([Path::new("verify"), &directory.path().join("none.json")]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("cannot read"), "{}", missing.stderr);
    assert_eq!(judge(["verify"]).code, 2);
}

#[test]
fn the_other_files_are_judged_after_one_that_is_not_a_game() {
    let files = Files::new();
    let good = recorded("small-11x11-11.json");
    let altered = fs::read_to_string(&good).unwrap().replacen("\"score\":", "\"score\":1", 1);
    fs::write(files.path("altered"), altered).unwrap();
    fs::write(files.path("letter"), "a letter").unwrap();
    let (good, none) = (good.to_str().unwrap(), files.name("none"));
    let (altered, letter) = (files.name("altered"), files.name("letter"));
    for wrong in [false, true] {
        let other = if wrong { &altered } else { good };
        let run = judge(["verify", &none, good, &letter, other]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        for hint in [
            format!("cannot read {none}"),
            format!("{letter}: not a recorded game"),
            "2 files cannot be judged".to_owned(),
        ] {
            assert!(run.stderr.contains(&hint), "{hint}: {}", run.stderr);
        }
        assert!(run.stdout.contains(&format!("ok    {good}: ")), "{}", run.stdout);
        let sum = format!("{} as recorded, {} not", 2 - u8::from(wrong), u8::from(wrong));
        assert!(run.stdout.contains(&sum) && run.stdout.contains("2 games, "), "{}", run.stdout);
    }
    let run = judge(["verify", "--json", &none, &altered]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["right"], &report["wrong"]), (2, &json!(0), &json!(1)));
    assert_eq!(report["unreadable"][0]["file"], json!(none));
    assert!(report["unreadable"][0]["why"].as_str().unwrap().contains("cannot read"), "{report}");
}

#[test]
fn the_json_reports_the_same() {
    let path = recorded("small-11x11-11.json");
    let mut game: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    game["score"] = json!(1);
    game["turns"] = json!(1);
    let directory = TempDir::new().unwrap();
    let altered = directory.path().join("altered.json");
    fs::write(&altered, game.to_string()).unwrap();
    let run = judge([Path::new("verify"), Path::new("--json"), &path, &altered]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["right"], &report["wrong"]), (&json!(1), &json!(1)));
    let [right, wrong] = &report["games"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!((&right["as_recorded"], &right["differences"]), (&json!(true), &json!([])));
    assert_eq!(right["game"], json!(path));
    assert_eq!(wrong["as_recorded"], json!(false));
    let paths: Vec<&Value> =
        wrong["differences"].as_array().unwrap().iter().map(|found| &found["path"]).collect();
    assert_eq!(paths, ["score", "turns"]);
    assert_eq!(wrong["differences"][0]["recorded"], "1");
}

/// The turns of survived hits have a meaning only where a hit ends the game.
#[test]
fn survived_hits_of_a_botzone_game_are_a_difference() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("survived.json");
    let path = path.to_str().unwrap();
    let game = recorded("default-30x20-80.json");
    let mut record: Value = serde_json::from_str(&fs::read_to_string(&game).unwrap()).unwrap();
    record["survived"] = json!([3]);
    fs::write(path, record.to_string()).unwrap();
    let run = judge(["verify", path]);
    let message = "survived: expected nothing where no hit ends the game, the record says [3]";
    assert!(run.code == 1 && run.stdout.contains(message), "{}", run.stdout);
    let coach = |path: &str| {
        let run = judge(["coach", "--playouts", "10", "--json", path]);
        serde_json::from_str::<Value>(&run.stdout).unwrap()["all"].clone()
    };
    assert_eq!(coach(path), coach(game.to_str().unwrap()));
}
