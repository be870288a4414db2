//! Records of games that a hit loses, as `verify`, `replay` and `coach` read them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bots::{Files, Run, judge, recorded};
use crate::rules::{COIN, json_of, left};

/// The games of the bot that opens the left cell of [`COIN`]: each is lost or won in turn 0.
fn coins(files: &Files, seeds: &str) -> Vec<(String, bool)> {
    let logs = files.name("coins");
    let bot = left(20);
    let options = ["--seeds", seeds, "--jobs", "1", "--json", "--log", &logs];
    let report = json_of(&bot.play(&[&COIN[..], &options].concat()));
    let path = |game: &Value| format!("{logs}/3x1-1-{}-safe-first.json", game["seed"]);
    let games = report["games"].as_array().unwrap().iter();
    let games: Vec<_> = games.map(|game| (path(game), game["mines"] == 1)).collect();
    assert!(games.iter().any(|(_, lost)| *lost) && games.iter().any(|(_, lost)| !lost));
    games
}

fn replayed(path: &str, options: &[&str]) -> Value {
    json_of(&judge(
        ["replay", "--playouts", "0", "--effort", "fast", "--json", path].iter().chain(options),
    ))
}

#[cfg(unix)]
#[test]
fn a_hit_that_was_survived_lost_the_game() {
    let files = Files::new();
    for (path, lost) in coins(&files, "1..6") {
        let verified = json_of(&judge(["verify", "--json", &path]))["games"][0].take();
        let (lost_in, score) = if lost { (json!(0), 0.0) } else { (Value::Null, 100.0) };
        assert_eq!((&verified["lost_in"], &verified["score"]), (&lost_in, &json!(score)));
        assert_eq!(
            (&verified["adjusted_won"], &verified["as_recorded"]),
            (&json!(0.5), &true.into())
        );
        let text = judge(["verify", &path]).stdout;
        assert_eq!(text.contains("1 answer, lost in turn 0, score 0.0; adjusted, 0.5000"), lost);
        let game = replayed(&path, &[]);
        let keys = ["won", "lost_in", "adjusted_won"].map(|key| &game[key]);
        assert_eq!(keys, [&json!(!lost), &lost_in, &json!(0.5)]);
        let end = if lost { ", lost in turn 0" } else { ", won" };
        assert!(game["title"].as_str().unwrap().ends_with(end), "{}", game["title"]);
        let (first, last) = (&game["turns"][0], &game["turns"][1]);
        assert_eq!((&first["hit"], &last["kind"]), (&json!(lost), &json!("end")));
        assert_eq!((&last["hits"], &last["score"]), (&json!(u32::from(lost)), &json!(score)));
        assert_eq!(first["caption"].as_str().unwrap().contains("A MINE, survived"), lost);
        assert_eq!(last["caption"].as_str().unwrap().contains("lost in turn 0"), lost);
        assert!(last["why"].to_string().contains("counts as 50.00 % won"), "{last}");
        // The risk was 1/2, and the luck goes by the hit.
        assert_eq!(game["account"]["luck"], if lost { -0.5 } else { 0.5 });
    }
}

#[cfg(unix)]
#[test]
fn a_turn_that_the_log_does_not_have_cannot_have_been_survived() {
    let files = Files::new();
    let (path, _) = coins(&files, "1..6").into_iter().find(|(_, lost)| *lost).unwrap();
    let mut game: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    game["survived"] = json!([0, 7]);
    fs::write(&path, game.to_string()).unwrap();
    let run = judge(["verify", &path]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("survived[1]: expected a turn of the log"), "{}", run.stdout);
}

/// The echo of a bare log lacks the rule and the first cell; the first request shows the cell.
#[test]
fn a_bare_log_tells_its_rule() {
    let files = Files::new();
    let (logs, bare) = (files.name("logs"), files.name("bare.json"));
    let mut lost = 0;
    for (rule, first) in [("safe-first", "0,0"), ("open-first", "3,4")] {
        let level = ["--level", "12x12/28", "--rule", rule, "--first", first, "--seeds", "1..4"];
        let play = ["play", "--bot", "sapper --keep-running", "--log", &logs, "--json"];
        let played = json_of(&judge(play.iter().chain(&level)));
        for game in played["games"].as_array().unwrap() {
            let path = format!("{logs}/12x12-28-{}-{rule}.json", game["seed"]);
            let record: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            fs::write(&bare, record["log"].to_string()).unwrap();
            let run = judge(["verify", &bare]);
            assert_eq!(run.code, 0, "{}", run.stdout);
            let is_lost = !record["survived"].as_array().unwrap().is_empty();
            let text = "lost in a turn that the log does not name, score 0.0";
            assert_eq!(run.stdout.contains(text), is_lost, "{}", run.stdout);
            lost += u32::from(is_lost);
            // The weights of the decisions after a survived hit are not known.
            let coached = judge(["coach", "--playouts", "5", "--json", &bare]);
            if is_lost {
                assert_eq!((coached.code, coached.stdout.as_str()), (2, ""));
            } else {
                assert_eq!(json_of(&coached)["rule"], rule);
            }
        }
    }
    assert!((1..8).contains(&lost), "{lost}");
}

/// A mine that was proven cannot be survived. The hit that ends such a game is visible, and need
/// not be the first on a layout that was drawn again.
#[cfg(unix)]
#[test]
fn a_visible_hit_on_a_redrawn_layout_need_not_be_the_first() {
    let files = Files::new();
    let logs = files.name("logs");
    let bot = "python3 samples/bots/simple.py --keep-running";
    let options = ["play", "--bot", bot, "--level", "6x6/8", "--rule", "safe-first", "--json"];
    let played = json_of(&judge(options.iter().chain(&["--seeds", "1..6", "--log", &logs])));
    let mut visible = 0;
    for game in played["games"].as_array().unwrap() {
        let path = format!("{logs}/6x6-8-{}-safe-first.json", game["seed"]);
        let mut record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let survived = record.as_object_mut().unwrap().remove("survived").unwrap();
        let is_hit = record["log"].to_string().contains("\"val\":9");
        if !is_hit || survived == json!([]) {
            continue;
        }
        visible += 1;
        fs::write(&path, record.to_string()).unwrap();
        let verified = judge(["verify", &path]).stdout;
        assert!(verified.contains("lost in a turn that the log does not name"), "{verified}");
        let coached = judge(["coach", "--playouts", "2", "--json", &path]);
        assert_eq!((coached.code, coached.stdout.as_str()), (2, ""));
    }
    assert!(visible > 0, "{played}");
}

/// Two numbers with one mine each, at the left or the right of it: only for a clean win is the left
/// end worse.
#[test]
fn a_replay_judges_by_the_objective_of_the_rule() {
    let files = Files::new();
    let path = files.name("game.json");
    let initdata = |rule: &str| match rule {
        "botzone" => json!({"width": 6, "height": 1, "minecount": 2, "seed": 1}),
        rule => json!({"width": 6, "height": 1, "minecount": 2, "seed": 1, "rule": rule,
            "first": {"row": 0, "col": 1}}),
    };
    let cell = |col: u32, val: u32| json!({"row": 0, "col": col, "val": val});
    let request = json!({"height": 1, "width": 6, "minecount": 2,
        "changed": [cell(1, 1), cell(4, 1)]});
    let output = json!({"command": "request", "content": {"0": request}, "display": {}});
    let log = json!([{"output": output}, {"0": {"response": {"row": 0, "col": 0}}}]);
    for (rule, objective, mistakes) in [
        ("botzone", None, json!([])),
        ("safe-first", None, json!([0])),
        ("safe-first", Some("fewest-hits"), json!([])),
        ("botzone", Some("clean-win"), json!([0])),
    ] {
        let record = json!({"initdata_given": initdata(rule), "rules": "any-size", "log": log});
        fs::write(&path, record.to_string()).unwrap();
        let asked = objective.map(|objective| ["--objective", objective]);
        let game = replayed(&path, asked.as_ref().map_or(&[], |asked| asked));
        assert_eq!(game["mistakes"], mistakes, "{rule} {objective:?}");
        let explain = ["explain", "--json", "--effort", "fast", "--cell", "0,0", &path];
        let explained = json_of(&judge(explain.iter().chain(asked.iter().flatten())));
        let cost = explained["move"]["endgame"]["cost"].as_u64();
        assert_eq!(cost, Some(if mistakes == json!([]) { 3 } else { 2 }), "{explained}");
    }
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The log of a game with this change.
fn altered(files: &Files, name: &str, alter: impl FnOnce(&mut Vec<Value>)) -> String {
    let game = fs::read_to_string(recorded("small-11x11-11.json")).unwrap();
    let mut game: Value = serde_json::from_str(&game).unwrap();
    alter(game["log"].as_array_mut().unwrap());
    fs::write(files.path(name), game.to_string()).unwrap();
    files.name(name)
}

#[cfg(unix)]
#[test]
fn the_coach_tells_games_without_an_end_from_games_won() {
    let files = Files::new();
    let table = files.path("table.csv");
    let coach = |games: &[&str]| -> Run {
        let options = ["coach", "--playouts", "2", "--csv", table.to_str().unwrap()];
        judge(options.iter().chain(games))
    };
    // No mine is opened until turn 1.
    let cut = altered(&files, "cut.json", |log| log.truncate(3));
    let fault = |log: &mut Vec<Value>, verdict: &str| {
        log.truncate(1);
        log.push(json!({"0": {"verdict": verdict}}));
        let display = json!({"msg": "INVALIDMOVE", "status": null});
        let content = json!({"0": 0});
        log.push(json!({"output": {"command": "finish", "content": content, "display": display}}));
    };
    let timeout = altered(&files, "timeout.json", |log| fault(log, "TLE"));
    let illegal = altered(&files, "illegal.json", |log| fault(log, "OK"));
    assert_eq!(coach(&[&cut, &timeout, &illegal]).code, 1);
    let ends: Vec<_> = rows(&table).iter().map(|row| row[1..4].join(",")).collect();
    assert_eq!(ends, ["0,,unfinished", "0,,timeout", "0,,illegal"]);
    // What they cost is not known.
    assert!(rows(&table).iter().all(|row| row[4].is_empty()));
    // No decision: 0.0, and not -0.0.
    let report: Value = serde_json::from_str(&coach(&[&timeout, "--json"]).stdout).unwrap();
    let all = ["cost", "a_game"].map(|key| report["all"][key].to_string());
    assert_eq!(all, ["0.0", "0.0"]);
    let games = coins(&files, "1..6");
    let paths: Vec<&str> = games.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(coach(&paths).code, 0);
    for (row, (_, lost)) in rows(&table).iter().zip(&games) {
        assert_eq!(row[1..4].join(","), if *lost { "0,1,done" } else { "1,0,done" });
    }
}
