//! `judge odds` on JSON input: the list, the picture, the JSON output, and the input that it
//! refuses.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, judge, recorded};

fn odds(text: &str, options: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input.json");
    fs::write(&path, text).unwrap();
    judge(["odds", path.to_str().unwrap()].iter().chain(options))
}

/// Two rows of five cells with a 1 in the upper left corner. Six cells are unconstrained.
fn request() -> Value {
    let changed = json!([{"row": 0, "col": 0, "val": 1}]);
    json!({"height": 2, "width": 5, "minecount": 2, "changed": changed})
}

#[test]
fn rows_and_columns_are_not_swapped() {
    let run = odds(&request().to_string(), &["--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let size = (&found["height"], &found["width"], &found["minecount"]);
    assert_eq!(size, (&json!(2), &json!(5), &json!(2)));
    // One mine is beside the corner, the other among the six unconstrained cells.
    let (beside, far) = (Some(1.0 / 3.0), Some(1.0 / 6.0));
    let expected =
        [[None, beside, far, far, far], [beside, beside, far, far, far]].map(|row| row.to_vec());
    let rows = found["odds"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for (row, expected) in rows.iter().zip(expected) {
        let row = row.as_array().unwrap();
        assert_eq!(row.len(), 5);
        for (found, expected) in row.iter().zip(expected) {
            match expected {
                None => assert!(found.is_null()),
                Some(odds) => assert!((found.as_f64().unwrap() - odds).abs() < 1e-12, "{found}"),
            }
        }
    }
}

#[test]
fn proven_odds_are_integers_and_the_layouts_are_counted() {
    let mut request = request();
    request["minecount"] = json!(1);
    let found: Value =
        serde_json::from_str(&odds(&request.to_string(), &["--json"]).stdout).unwrap();
    assert_eq!(found["odds"][1][4], json!(0.0));
    let text = odds(&request.to_string(), &["--draw"]).stdout;
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(text.starts_with("5x2, 1 mine in 9 hidden cells; 3 layouts\n"), "{text}");
    assert!(lines.contains(&vec!["0", "1", "2", "3", "4"]), "{text}");
    assert!(lines.contains(&vec!["0", "1", "33%", "[0]", "[0]", "[0]"]), "{text}");
    assert!(lines.contains(&vec!["1", "33%", "33%", "[0]", "[0]", "[0]"]), "{text}");
    request["minecount"] = json!(7);
    let text = odds(&request.to_string(), &["--draw"]).stdout;
    let table: Vec<&str> = text.lines().take_while(|line| !line.starts_with("Hidden")).collect();
    assert_eq!(table.concat().matches("[F]").count(), 6, "{text}");
}

/// The last request of a recorded game is used, and the last of several inputs.
#[test]
fn the_last_request_is_used() {
    let path = recorded("default-30x20-80.json");
    let run = judge([std::ffi::OsStr::new("odds"), path.as_os_str(), "--json".as_ref()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let game: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut open = vec![vec![false; 30]; 20];
    for output in game["log"].as_array().unwrap().iter().step_by(2) {
        if output["output"]["command"] != "request" {
            continue;
        }
        for cell in output["output"]["content"]["0"]["changed"].as_array().into_iter().flatten() {
            let number = |key| cell[key].as_u64().unwrap() as usize;
            open[number("row")][number("col")] = true;
        }
    }
    let rows = found["odds"].as_array().unwrap();
    let nulls: Vec<Vec<bool>> = rows
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(Value::is_null).collect())
        .collect();
    assert_eq!(nulls, open);

    // Turn 1 has the first cell open.
    let run = judge(["odds", path.to_str().unwrap(), "--turn", "1"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 599), "{}", run.stderr);

    let mut second = request();
    second["changed"] = json!([{"row": 0, "col": 1, "val": 1}]);
    let both = format!("{}\n{second}\n", json!({"requests": [request()]}));
    let found: Value = serde_json::from_str(&odds(&both, &["--json"]).stdout).unwrap();
    assert_eq!((&found["odds"][0][0], &found["odds"][0][1]), (&Value::Null, &Value::Null));
}

#[test]
fn an_impossible_position_is_refused_with_its_reasons() {
    let with = |changed: Value| {
        let mut request = request();
        request["changed"] = changed;
        request.to_string()
    };
    let outside_and_too_many =
        json!([{"row": 4, "col": 1, "val": 1}, {"row": 1, "col": 0, "val": 6}]);
    let overlapping = json!([{"row": 0, "col": 1, "val": 0}, {"row": 0, "col": 0, "val": 1}]);
    for (text, reasons) in [
        (
            with(outside_and_too_many),
            vec!["impossible position", "(4,1): there is no such cell", " shows 6, but at most "],
        ),
        (with(overlapping), vec!["impossible position"]),
        ("{\"height\":".to_owned(), vec!["ends before its JSON"]),
        ("{}".to_owned(), vec!["no request"]),
        ("[]".to_owned(), vec!["input.json"]),
    ] {
        for options in [&[][..], &["--json"]] {
            let run = odds(&text, options);
            assert_eq!(run.code, 2, "{text}");
            if reasons[0] == "impossible position" && options == ["--json"] {
                let report: Value = serde_json::from_str(&run.stdout).unwrap();
                let told = report["conflicts"].to_string();
                assert!(reasons[1..].iter().all(|reason| told.contains(reason)), "{told}");
            } else {
                assert_eq!(run.stdout, "", "{text}");
            }
            for reason in &reasons {
                assert!(run.stderr.contains(reason), "{text}: {}", run.stderr);
            }
        }
    }
    assert_eq!(judge(["odds", "/no/such/file"]).code, 2);
}

#[test]
fn each_reason_of_an_impossible_position_has_its_cells_and_the_stated_mine_count() {
    let report =
        |text: &str| -> Value { serde_json::from_str(&odds(text, &["--json"]).stdout).unwrap() };
    let text = "minecount 100 is more than the 6 cells of the field";
    let mines = json!({"numbers": [], "text": text, "total": true});
    let text = "(0,0) shows 8, but at most 3 of its neighbours can be mines";
    let number = json!({"numbers": [[0, 0]], "text": text, "total": false});
    let text = "requests[0]: (7,0): there is no such cell";
    let outside = json!({"numbers": [], "text": text, "total": false});
    let history = r#"{"height":2,"width":3,"minecount":100,"changed":[
        {"row":0,"col":0,"val":8},{"row":7,"col":0,"val":1}]}"#;
    for (text, stated, conflicts) in [
        ("3 2 100\n8..\n...\n", json!(100), json!([mines, number])),
        ("3 2\n8..\n...\n", Value::Null, json!([number])),
        (history, json!(100), json!([mines, outside, number])),
    ] {
        let report = report(text);
        assert_eq!((&report["minecount"], &report["conflicts"]), (&stated, &conflicts), "{text}");
    }
}

#[test]
fn the_judge_reads_what_the_bot_reads() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let request = r#"{"height":1,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":1}]}"#;
    let text =
        format!(r#"{{"x":"\ud800","data":[{deep},1e999],"time_limit":"","requests":[{request}]}}"#);
    let run = odds(&text, &["--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &found["odds"]), (0, &json!([[null, 1.0, 0.0]])));
}

#[test]
fn a_misspelt_key_is_named() {
    let mut request = request();
    request["mine_count"] = json!(1);
    for command in ["odds", "explain"] {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("input.json");
        fs::write(&path, request.to_string()).unwrap();
        let run = judge([command, path.to_str().unwrap(), "--json"]);
        let note = "the key \"mine_count\" is unknown and was skipped";
        assert_eq!((run.code, run.stderr), (0, format!("judge: note: {note}\n")));
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&found["notes"], &found["minecount"]), (&json!([note]), &json!(2)));
    }
    // Without the key that was meant there is no position.
    let run = odds(r#"{"heigth":3,"width":3,"minecount":1}"#, &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no request has \"height\""), "{}", run.stderr);
    assert!(run.stderr.ends_with("; the key \"heigth\" is unknown and was skipped\n"));
}
