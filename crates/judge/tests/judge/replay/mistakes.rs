//! The judgement of clicks and the account, computed by hand for two games of a few cells.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{data_of, replay};

/// A log of a field of this size: the cells that each request opens, with an answer after each but
/// the last. `score` ends the game.
fn log(
    [height, width, mines]: [u32; 3],
    opened: &[&[[u32; 3]]],
    answers: &[[u32; 2]],
    score: Option<u32>,
) -> Value {
    let mut log = Vec::new();
    for (turn, cells) in opened.iter().enumerate() {
        let cells = cells.iter().map(|[row, col, val]| json!({"row": row, "col": col, "val": val}));
        let changed: Value = cells.collect();
        let display = json!({"status": changed});
        let request =
            json!({"height": height, "width": width, "minecount": mines, "changed": changed});
        let output = match score.filter(|_| turn + 1 == opened.len()) {
            Some(score) => {
                json!({"command": "finish", "content": {"0": score}, "display": display})
            }
            None => json!({"command": "request", "content": {"0": request}, "display": display}),
        };
        log.push(json!({"verdict": "OK", "output": output}));
        if let Some([row, col]) = answers.get(turn) {
            log.push(json!({"0": {"verdict": "OK", "response": {"row": row, "col": col}}}));
        }
    }
    Value::Array(log)
}

/// The output of `judge replay --json`, and the data of the page.
fn replayed(log: &Value, options: &[&str]) -> [Value; 2] {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("game.json");
    fs::write(&file, log.to_string()).unwrap();
    let run = replay(&file, Path::new("-"), &[options, &["--json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let page = replay(&file, Path::new("-"), options).stdout;
    [serde_json::from_str(&run.stdout).unwrap(), data_of(&page)]
}

/// One mine beside the two open numbers, in the middle column of three: the right column is safe.
#[test]
fn needless_risks_and_proven_mines_are_mistakes() {
    let opened: [&[[u32; 3]]; 5] =
        [&[[0, 0, 1], [1, 0, 1]], &[[0, 1, 1]], &[[1, 1, 9]], &[[0, 2, 1]], &[[1, 2, 1]]];
    // A cell that is a mine with one half; the mine, which is proven by then; two safe cells.
    let answers = [[0, 1], [1, 1], [0, 2], [1, 2]];
    let [json, data] = replayed(&log([2, 3, 1], &opened, &answers, Some(0)), &[]);
    assert_eq!(json["mistakes"], json!([0, 1]));
    let judged = |turn: usize, key: &str| json["turns"][turn]["judgement"][key].clone();
    for (turn, name, odds, cost, better) in [
        (0, "needless risk", 0.5, 0.5, json!([0, 2])),
        (1, "proven mine opened", 1.0, 1.0, json!([0, 2])),
        (2, "proven safe", 0.0, 0.0, Value::Null),
        (3, "proven safe", 0.0, 0.0, Value::Null),
    ] {
        assert_eq!(judged(turn, "name"), name, "turn {turn}");
        assert_eq!(judged(turn, "odds"), json!(odds), "turn {turn}");
        assert_eq!(judged(turn, "cost"), json!(cost), "turn {turn}");
        assert_eq!(judged(turn, "better"), better, "turn {turn}");
        assert_eq!(judged(turn, "mistake"), json!(cost > 0.0), "turn {turn}");
    }
    assert!(judged(0, "proof")[0].as_str().unwrap().contains("(0,2)"));
    assert_eq!(json["turns"][4]["judgement"], Value::Null);
    let account = &json["account"];
    // The odds 1/2 + 1 + 0 + 0, all of it by mistake; one mine was hit.
    assert_eq!([&account["risk"], &account["cost"]], [&json!(1.5), &json!(1.5)]);
    assert_eq!([&account["hits"], &account["luck"]], [&json!(1), &json!(0.5)]);
    let costliest = json!([{"turn": 1, "cost": 1.0}, {"turn": 0, "cost": 0.5}]);
    assert_eq!(account["costliest"], costliest);
    assert_eq!(&data["account"], account);
    let sentences = json!([
        "Risk taken: 1.500 mines, the sum of the odds of the clicks.",
        "Mistakes: 1.500 mines, in 2 clicks where another cell was better.",
        "Luck: +0.500 mines, the risk taken less 1 mine hit."
    ]);
    assert_eq!(account["sentences"], sentences);
    for turn in 0..5 {
        let judgement = &json["turns"][turn]["judgement"];
        assert_eq!(&data["frames"][turn]["judgement"], judgement, "turn {turn}");
    }
    let why = json["turns"][0]["why"][0].as_str().unwrap();
    assert_eq!(
        why,
        "A needless risk: (0,1) was a mine with a probability of 50.00 %, while (0,2) was safe."
    );
}

/// Two numbers with one mine each, at the left or the right of it. One of the two cells between the
/// numbers tells about both; the left end tells nothing: 1/2 x 1/2 of the games is lost by it.
#[test]
fn a_worse_guess_costs_the_difference_of_the_values() {
    let opened: [&[[u32; 3]]; 2] = [&[[0, 1, 1], [0, 4, 1]], &[[0, 0, 0]]];
    let game = log([1, 6, 2], &opened, &[[0, 0]], None);
    let [json, data] = replayed(&game, &["--objective", "clean-win"]);
    let judgement = &json["turns"][0]["judgement"];
    assert_eq!(
        [&judgement["name"], &judgement["odds"], &judgement["cost"]],
        [&json!("worse guess"), &json!(0.5), &json!(0.25)]
    );
    assert_eq!(judgement["better"], json["turns"][0]["instead"]);
    assert_eq!(judgement["cost_text"], "25.0 points of the chance to win");
    assert_eq!((&json["mistakes"], &data["account"]["luck"]), (&json!([0]), &json!(0.5)));
    let sentences = json!([
        "Risk taken: 50.00 %, the sum of the odds of the clicks.",
        "Mistakes: 25.0 points of the chance to win, in 1 click where another cell was better.",
        "Luck: +50.00 %, the risk taken less 0 mines hit, 100 % each."
    ]);
    assert_eq!(data["account"]["sentences"], sentences);
    // For the fewest mines the left end is as good: if it is a mine, the cell at the right of the
    // number is safe and tells about the other pair.
    let [json, data] = replayed(&game, &[]);
    assert_eq!((&json["mistakes"], &json["account"]["cost"]), (&json!([]), &json!(0.0)));
    assert_eq!(data["account"]["sentences"][1], "Mistakes: none.");
}
