//! The data of the page and the JSON, compared with the log.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{OpenCells, data_of, log_of, open_cells, page_of, replay};
use crate::bots::{judge, recorded};

/// The letter of a cell with this value.
fn letter(value: u64) -> String {
    if value == 9 { "*".to_owned() } else { value.to_string() }
}

#[test]
fn the_data_of_a_page_agree_with_the_log() {
    for name in ["default-30x20-80.json", "skipfirst-30x20-80.json", "dense-11x11-80.json"] {
        let game = recorded(name);
        let (log, data) = (log_of(&game), data_of(&page_of(&game)));
        let frames = data["frames"].as_array().unwrap();
        let open_cells = open_cells(&log);
        assert_eq!(frames.len(), open_cells.len());
        let columns = data["columns"].as_u64().unwrap();
        let mut letters = BTreeMap::new();
        for (turn, (frame, open)) in frames.iter().zip(&open_cells).enumerate() {
            for opened in frame["opened"].as_array().unwrap() {
                let cell = opened[0].as_u64().unwrap();
                let letter = opened[1].as_str().unwrap().to_owned();
                letters.insert((cell / columns, cell % columns), letter);
            }
            let expected: BTreeMap<_, _> =
                open.iter().map(|(&cell, &value)| (cell, letter(value))).collect();
            assert_eq!(letters, expected, "{name}, turn {turn}");
            let hits = open.values().filter(|value| **value == 9).count();
            assert_eq!(frame["hits"], json!(hits), "{name}, turn {turn}");
            // The answer of this turn, and the value of its cell in the next.
            let answer = log.get(2 * turn + 1).map(|item| &item["0"]["response"]);
            let cell = answer.map(|answer| ["row", "col"].map(|key| answer[key].as_u64().unwrap()));
            assert_eq!(frame["move"], json!(cell), "{name}, turn {turn}");
            let next = open_cells.get(turn + 1).zip(cell);
            let value = next.and_then(|(next, [row, column])| next.get(&(row, column)));
            assert_eq!(frame["hit"], json!(value == Some(&9)), "{name}, turn {turn}");
            if turn + 1 < frames.len() {
                assert!(!frame["why"][0].as_str().unwrap().is_empty());
            }
        }
        let last = &frames[frames.len() - 1];
        let score = log[log.len() - 1]["output"]["content"]["0"].as_f64().unwrap();
        assert!((last["score"].as_f64().unwrap() - score).abs() < 0.006, "{name}");
        assert_eq!(last["kind"], "end");
        let mines = data["laid"].as_array().unwrap().len();
        assert_eq!(data["mines"].as_u64().unwrap() as usize, mines);
    }
}

#[test]
fn the_json_agrees_with_the_log() {
    let game = recorded("default-30x20-80.json");
    let run =
        judge(["replay", "--playouts", "0", "--effort", "fast", "--json", game.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let replayed: Value = serde_json::from_str(&run.stdout).unwrap();
    let (log, turns) = (log_of(&game), replayed["turns"].as_array().unwrap());
    let (open_cells, mut open) = (open_cells(&log), OpenCells::new());
    assert_eq!(turns.len(), open_cells.len());
    assert_eq!((&replayed["width"], &replayed["minecount"]), (&json!(30), &json!(80)));
    let mines = replayed["laid"].as_array().unwrap();
    assert_eq!(mines.len(), 80);
    let mut proven = 0;
    for (number, (turn, expected)) in turns.iter().zip(&open_cells).enumerate() {
        assert_eq!(turn["turn"], json!(number));
        for cell in turn["opened"].as_array().unwrap() {
            let [row, column] = [0, 1].map(|side| cell[0][side].as_u64().unwrap());
            open.insert((row, column), cell[1].as_u64().unwrap());
        }
        assert_eq!(&open, expected, "turn {number}");
        let answer = log.get(2 * number + 1).map(|item| &item["0"]["response"]);
        let cell = answer.map(|answer| json!([answer["row"], answer["col"]]));
        assert_eq!(turn["move"], json!(cell), "turn {number}");
        let hit = cell.is_some_and(|cell| mines.contains(&cell));
        assert_eq!(turn["hit"], json!(hit), "turn {number}");
        let odds = turn["odds"].as_f64();
        assert_eq!(odds.is_some(), answer.is_some());
        if turn["kind"] == "deduction" || turn["kind"] == "counting" {
            assert_eq!((odds, hit), (Some(0.0), false));
            proven += 1;
        }
    }
    assert!(proven > 50 && turns[turns.len() - 1]["kind"] == "end");
}

/// The opening bonus has a column if any candidate has one, so that a cost is listed with all of
/// its terms.
#[test]
fn the_rows_of_candidates_agree_with_the_json() {
    let mut rows_seen = [0, 0];
    for (name, objective) in
        [("default-30x20-80.json", "clean-win"), ("dense-11x11-80.json", "fewest-hits")]
    {
        let (game, options) = (recorded(name), ["--objective", objective]);
        let run = replay(&game, Path::new("-"), &[&options[..], &["--json"]].concat());
        let replayed: Value = serde_json::from_str(&run.stdout).unwrap();
        let data = data_of(&replay(&game, Path::new("-"), &options).stdout);
        let frames = data["frames"].as_array().unwrap();
        for (turn, frame) in replayed["turns"].as_array().unwrap().iter().zip(frames) {
            let (candidates, shown) = (&turn["candidates"], &frame["candidates"]);
            compare_candidates(candidates, shown, objective == "fewest-hits", &mut rows_seen);
        }
    }
    assert!(rows_seen.iter().all(|&rows| rows > 0), "{rows_seen:?}");
}

/// Compares the rows of a page with the JSON, and counts the rows without and with an opening
/// bonus. A cost may be in mines; all else is in percent.
fn compare_candidates(
    exact: &Value,
    rows: &Value,
    is_cost_in_mines: bool,
    rows_seen: &mut [usize; 2],
) {
    let (exact, rows) = (exact.as_array().unwrap(), rows.as_array().unwrap());
    let has_bonus = exact.iter().any(|candidate| candidate["zero"].as_f64().unwrap() > 0.0);
    let bonus = has_bonus.then_some("zero");
    let keys: Vec<&str> =
        ["odds", "next", "second"].into_iter().chain(bonus).chain(["cost"]).collect();
    for (row, candidate) in rows.iter().zip(exact).take(8) {
        let row = row.as_array().unwrap();
        assert_eq!(row.len(), 1 + keys.len());
        for (text, key) in row[1..].iter().zip(&keys) {
            let is_in_mines = *key == "cost" && is_cost_in_mines;
            let (unit, factor, half) =
                if is_in_mines { (" mines", 1.0, 0.00051) } else { (" %", 100.0, 0.0051) };
            let text = text.as_str().unwrap().strip_suffix(unit).unwrap();
            let exact = factor * candidate[*key].as_f64().unwrap();
            assert!(
                (text.parse::<f64>().unwrap() - exact).abs() < half,
                "{key}: {row:?} {candidate}"
            );
        }
        rows_seen[usize::from(has_bonus)] += 1;
    }
}
