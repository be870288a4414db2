//! The title of a replayed game, and the caption of a turn that opens a proven mine.

use std::fs;

use serde_json::{Value, json};

use crate::bots::{Files, judge, recorded};

fn replayed(game: &str) -> Value {
    let run = judge(["replay", "--playouts", "0", "--effort", "fast", "--json", game]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn a_title_has_everything_that_is_known_about_the_game() {
    let files = Files::new();
    let logs = files.name("logs");
    let game = ["--level", "4x3/1", "--seeds", "-5", "--log", &logs];
    let name = "4x3-1--5.json";
    judge(["play", "--bot", "sapper --debug"].iter().chain(&game));
    let title = replayed(&format!("{logs}/{name}"))["title"].as_str().unwrap().to_owned();
    let start = "4x3, 1 mine, seed -5, played by sapper --debug, score ";
    assert!(title.starts_with(start), "{title}");
    judge(["pit", "--bot", "mine=sapper", "--bot", "bad=false"].iter().chain(&game));
    let title = &replayed(&format!("{logs}/mine/{name}"))["title"];
    assert!(title.as_str().unwrap().starts_with("4x3, 1 mine, seed -5, played by mine, score "));
    let title = &replayed(&format!("{logs}/bad/{name}"))["title"];
    assert!(title.as_str().unwrap().contains(", played by bad, "), "{title}");
    // The bot's name does not matter for the verification.
    assert_eq!(judge(["verify", &format!("{logs}/mine/{name}")]).code, 0);
    // A record of the official judge does not name the bot. The page has the same title.
    let game = recorded("default-30x20-80.json");
    let title = replayed(game.to_str().unwrap())["title"].as_str().unwrap().to_owned();
    assert!(title.starts_with("30x20, 80 mines, seed ") && !title.contains("played"), "{title}");
    let page =
        judge(["replay", "--playouts", "0", "--effort", "fast", game.to_str().unwrap()]).stdout;
    assert!(page.contains(&json!(title).to_string()));
}

/// A game on a row of three cells with one mine, in which `(column, value)` cells are opened.
fn row_of_three(opened: &[(u32, u32)]) -> Value {
    let field =
        |changed: Value| json!({"height": 1, "width": 3, "minecount": 1, "changed": changed});
    let mut log =
        vec![json!({"output": {"command": "request", "content": {"0": field(Value::Null)}}})];
    for &(column, value) in opened {
        let changed = json!([{"row": 0, "col": column, "val": value}]);
        log.push(json!({"0": {"verdict": "OK", "response": {"row": 0, "col": column}}}));
        log.push(json!({"output": {
            "command": "request",
            "content": {"0": field(changed.clone())},
            "display": {"status": changed},
        }}));
    }
    json!(log)
}

#[test]
fn a_turn_that_opens_a_proven_mine_says_so() {
    let files = Files::new();
    fs::write(files.path("log.json"), row_of_three(&[(0, 1), (1, 9)]).to_string()).unwrap();
    let game = replayed(&files.name("log.json"));
    assert_eq!(game["title"], "3x1, 1 mine, not finished");
    let turn = &game["turns"][1];
    assert_eq!(turn["caption"], "Turn 1: (0,1) opened, a proven mine");
    assert_eq!((&turn["kind"], &turn["hit"]), (&json!("mine"), &json!(true)));
    assert_eq!(turn["instead"], json!([0, 2]));
    let why = turn["why"].to_string();
    assert!(
        why.contains("one hidden neighbour, (0,1): a mine") && why.contains("it is safe"),
        "{why}"
    );
    // All hidden cells are mines.
    let logs = files.name("logs");
    judge(["play", "--level", "2x1/2", "--seeds", "1", "--log", &logs]);
    let game = replayed(&format!("{logs}/2x1-2-1.json"));
    assert_eq!(game["turns"][0]["caption"], "Turn 0: (0,0) opened, a proven mine");
}
