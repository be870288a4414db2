//! `judge replay`: helpers that run it and read its output.
//!
//! [`data`] compares the page's data and the JSON with the log, [`page`] checks the form of the
//! page, [`picture`] the SVG of a turn, [`mistakes`] the judgement of clicks, [`chance`] the chance
//! to win, and [`outputs`] which files are replaced. In a browser the page is tested by
//! `crates/page/tests/browser/judge-replay.test.mjs`.

mod chance;
mod data;
mod long;
mod mistakes;
mod outputs;
mod page;
mod picture;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, judge};

/// Without the chances to win, which take long.
fn replay(game: &Path, output: &Path, options: &[&str]) -> Run {
    let files = [game, Path::new("-o"), output].map(|file| file.to_str().unwrap());
    // A picture has none.
    let no_chances: &[&str] = if options.contains(&"--svg") { &[] } else { &["--playouts", "0"] };
    judge(["replay", "--effort", "fast"].iter().chain(&files).chain(options).chain(no_chances))
}

fn page_of(game: &Path) -> String {
    let directory = TempDir::new().unwrap();
    let output = directory.path().join("page.html");
    let run = replay(game, &output, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("turns, ") && run.stdout.contains("page.html"), "{}", run.stdout);
    fs::read_to_string(output).unwrap()
}

fn picture_of(game: &Path, turn: &str) -> String {
    let directory = TempDir::new().unwrap();
    let output = directory.path().join("turn.svg");
    let run = replay(game, &output, &["--svg", turn]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read_to_string(output).unwrap()
}

/// The text between the first `start` and the `end` after it.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap() + start.len();
    &text[from..from + text[from..].find(end).unwrap()]
}

/// The data of a page.
fn data_of(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).unwrap()
}

/// The log of a recorded game.
fn log_of(game: &Path) -> Vec<Value> {
    let value: Value = serde_json::from_str(&fs::read_to_string(game).unwrap()).unwrap();
    value["log"].as_array().unwrap().clone()
}

/// The values of the open cells by row and column.
type OpenCells = BTreeMap<(u64, u64), u64>;

/// The open cells after each of the judge's outputs.
fn open_cells(log: &[Value]) -> Vec<OpenCells> {
    let mut open = OpenCells::new();
    let outputs = log.iter().step_by(2).map(|item| &item["output"]);
    outputs
        .map(|output| {
            for cell in output["display"]["status"].as_array().into_iter().flatten() {
                let [row, column, value] =
                    ["row", "col", "val"].map(|key| cell[key].as_u64().unwrap());
                open.insert((row, column), value);
            }
            open.clone()
        })
        .collect()
}

/// What a picture shows.
#[derive(PartialEq, Debug)]
struct Drawn {
    cells: Vec<DrawnCell>,
    /// The class and the transform of each mark.
    marks: Vec<[String; 2]>,
    caption: String,
}

#[derive(PartialEq, Debug)]
struct DrawnCell {
    class: String,
    fill: String,
    text: String,
}

fn drawn(picture: &str) -> Drawn {
    let document = roxmltree::Document::parse(picture).unwrap();
    let by_id =
        |id: &str| document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
    let attribute = |node: roxmltree::Node, name: &str| node.attribute(name).unwrap().to_owned();
    let cells = by_id("cells").children().filter(roxmltree::Node::is_element);
    let cells = cells.map(|cell| {
        let mut parts = cell.children().filter(roxmltree::Node::is_element);
        let square = parts.next().unwrap();
        let text = parts.next().unwrap().text().unwrap_or("").trim().to_owned();
        DrawnCell { class: attribute(cell, "class"), fill: attribute(square, "fill"), text }
    });
    let marks = by_id("marks").children().filter(roxmltree::Node::is_element);
    let marks = marks.map(|mark| ["class", "transform"].map(|name| attribute(mark, name)));
    let caption = by_id("caption").text().unwrap().trim().to_owned();
    Drawn { cells: cells.collect(), marks: marks.collect(), caption }
}

/// A log whose bot writes markup beside its answers, and whose numbers are inconsistent from turn 2
/// on.
fn hostile_log() -> Value {
    let evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>";
    let request = |changed: Value| {
        let content =
            json!({"0": {"height": 11, "width": 11, "minecount": 11, "changed": changed}});
        let display = json!({"status": changed});
        let output = json!({"command": "request", "content": content, "display": display});
        json!({"verdict": "OK", "output": output})
    };
    let answer = |column: u32| {
        let response = json!({"row": 0, "col": column});
        json!({"0": {"verdict": "OK", "response": response, "debug": evil}})
    };
    json!([
        request(Value::Null),
        answer(0),
        request(json!([{"row": 0, "col": 0, "val": 1}])),
        answer(2),
        request(json!([{"row": 0, "col": 2, "val": 5}, {"row": 1, "col": 1, "val": 0}])),
        answer(4),
    ])
}
