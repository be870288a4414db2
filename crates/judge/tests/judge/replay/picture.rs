//! The picture of a turn, and what the command reports about its output.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{drawn, log_of, picture_of, replay};
use crate::bots::{judge, recorded};

#[test]
fn a_picture_shows_the_odds_of_its_turn() {
    let game = recorded("dense-11x11-80.json");
    for turn in [0, 7, 20] {
        let path = game.to_str().unwrap();
        let number = turn.to_string();
        let run = judge(["explain", path, "--turn", &number, "--json", "--effort", "fast"]);
        let explained: Value = serde_json::from_str(&run.stdout).unwrap();
        let picture = drawn(&picture_of(&game, &number));
        let caption = &picture.caption;
        assert!(caption.starts_with(&format!("Turn {turn}: (")), "{caption}");
        assert!(picture.marks.iter().any(|[class, _]| class == "move"));
        let odds: Vec<Option<f64>> = explained["odds"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|row| row.as_array().unwrap().iter().map(Value::as_f64))
            .collect();
        assert_eq!(odds.len(), picture.cells.len());
        for (odds, cell) in odds.iter().zip(&picture.cells) {
            let (class, text) = (&cell.class, &cell.text);
            match odds {
                None => assert!(class.contains("open") || class.contains("hit"), "{class}"),
                Some(odds) if *odds == 0.0 => assert_eq!(text, "ok"),
                Some(odds) if *odds == 1.0 => assert_eq!(text, "\u{d7}"),
                Some(odds) => {
                    let percent: f64 = text.parse().unwrap();
                    assert!(
                        (percent - 100.0 * odds).abs() < 0.52 && percent > 0.0 && percent < 100.0
                    );
                }
            }
        }
    }
    let turns = log_of(&game).len() / 2;
    assert_eq!(picture_of(&game, "last"), picture_of(&game, &turns.to_string()));
}

#[test]
fn the_output_is_reported_and_a_turn_that_does_not_exist_is_refused() {
    let game = recorded("dense-11x11-80.json");
    let turns = log_of(&game).len() / 2;
    let run = replay(&game, Path::new("-"), &["--svg", "999"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let hint =
        format!("there is no turn 999: the turns are 0 to {}, and {turns} is the end\n", turns - 1);
    assert!(run.stderr.ends_with(&hint), "{}", run.stderr);
    let directory = TempDir::new().unwrap();
    for (turn, report) in [("3", "turn 3".to_owned()), ("last", format!("turn {turns}, the end"))] {
        let run = replay(&game, &directory.path().join("turn.svg"), &["--svg", turn]);
        assert!(run.stdout.contains(&format!("turn.svg: {report}, ")), "{}", run.stdout);
    }
    let run = replay(&game, &directory.path().join("page.html"), &[]);
    assert!(run.stdout.contains(&format!("page.html: {turns} turns, ")), "{}", run.stdout);
    // The log of an unfinished game has no end.
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&game).unwrap()).unwrap();
    value["log"].as_array_mut().unwrap().truncate(9);
    let unfinished = directory.path().join("unfinished.json");
    fs::write(&unfinished, value.to_string()).unwrap();
    let run = replay(&unfinished, &directory.path().join("turn.svg"), &["--svg", "last"]);
    assert!(
        run.stdout.contains("turn.svg: turn 4, ") && !run.stdout.contains("end"),
        "{}",
        run.stdout
    );
    let run = replay(&unfinished, Path::new("-"), &["--svg", "5"]);
    assert!(run.stderr.ends_with("there is no turn 5: the turns are 0 to 4\n"), "{}", run.stderr);
}
