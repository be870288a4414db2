//! `judge coach` over recordings of people: each click and chord is judged by its odds.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{ROOT, Run, judge};
use crate::coach::GAME;
use crate::rules::json_of;

/// A chord at (2,5) with a flag on (1,5), which is safe: it opens the mine at (1,4).
const WRONG_CHORD: &str = "0.50 rc (88 24)\n0.55 rr (88 24)\n0.60 mc (88 40)\n0.65 mr (88 40)\n";
/// (0,5), which is proven to be a mine, and then nothing.
const PROVEN_MINE: &str = "0.50 lc (88 8)\n0.55 lr (88 8)\n";

/// A folder with the sample, two games on its board that are lost, one that is not finished, one
/// that is cut off, and a file that is none.
fn folder() -> TempDir {
    let sample = Path::new(ROOT).join("samples/formats/person.rawvf");
    let sample = fs::read_to_string(sample).unwrap();
    let (board, _) = sample.split_once("Events:\n").unwrap();
    let opening = "0.00 lc (8 8)\n0.05 lr (8 8)\n";
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("a.rawvf", sample.clone());
    write("b.rawvf", format!("{board}Events:\n{opening}{WRONG_CHORD}"));
    write("c.RAWVF", format!("{board}Events:\n{opening}{PROVEN_MINE}"));
    write("d.rawvf", format!("{board}Events:\n{opening}"));
    write("e.rawvf", board.to_owned());
    write("f.txt", "no game".to_owned());
    folder
}

fn coach(folder: &TempDir, options: &[&str]) -> Run {
    let path = folder.path().to_str().unwrap();
    judge(["coach", path].iter().chain(options))
}

#[test]
fn a_folder_of_recordings_is_judged_and_summed() {
    let folder = folder();
    let run = coach(&folder, &["--json"]);
    assert!(run.code == 2 && run.stderr.contains("e.rawvf"), "{}", run.stderr);
    assert!(run.stderr.contains("it is cut off") && run.stderr.contains("1 file was not judged"));
    let report = json_of(&run);
    let games = report["games"].as_array().unwrap();
    let results: Vec<&str> = games.iter().flat_map(|game| game["result"].as_str()).collect();
    assert_eq!(results, ["won", "lost", "lost", "unfinished"]);
    let of =
        |key: &str| -> Vec<f64> { games.iter().map(|game| game[key].as_f64().unwrap()).collect() };
    assert_eq!(of("safe"), [2.0, 0.0, 0.0, 0.0]);
    assert_eq!(of("proven_mines"), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(of("cost"), [0.0, 1.0, 1.0, 0.0]);
    // A proven mine is no luck.
    assert_eq!(of("luck"), [0.0; 4]);
    assert_eq!(of("bbbv"), [3.0; 4]);
    assert_eq!(of("solved_bbbv"), [3.0, 1.0, 1.0, 1.0]);
    assert_eq!(of("clicks"), [5.0, 3.0, 2.0, 1.0]);
    let total = &report["total"];
    assert_eq!((total["cost"].as_f64(), total["clicks"].as_f64()), (Some(2.0), Some(11.0)));
    assert_eq!(report["bins"], Value::from([0; 0]));
    let costliest = report["costliest"].as_array().unwrap();
    let kinds: Vec<&str> = costliest.iter().flat_map(|one| one["kind"].as_str()).collect();
    assert_eq!(kinds, ["proven mine opened by a chord", "proven mine opened"]);
    assert_eq!(costliest[0]["cells"].to_string(), "[[1,4]]");
    assert!(costliest[0]["why"][1].as_str().unwrap().contains("(1,4)"), "{}", costliest[0]);
}

#[test]
fn risks_are_told_with_the_proof_that_was_there() {
    // Two pairs at the right of the opening: (0,4) and (1,4), (2,4) and (3,4) have a mine each.
    let board = "Width: 5\nHeight: 4\nMines: 2\nBoard:\n0000*\n00000\n0000*\n00000\nEvents:\n";
    let click = |time: f64, column: u32, row: u32| {
        let at = format!("({} {})", 16 * column + 8, 16 * row + 8);
        format!("{time:.2} lc {at}\n{:.2} lr {at}\n", time + 0.05)
    };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("risk.rawvf");
    fs::write(&path, format!("{board}{}{}", click(0.0, 0, 0), click(1.0, 4, 0))).unwrap();
    let path = path.to_str().unwrap();
    let pages = folder.path().join("pages");
    let csv = folder.path().join("games.csv");
    let [pages, csv] = [&pages, &csv].map(|path| path.to_str().unwrap());
    let run = judge(["coach", path, "--pages", pages, "--csv", csv]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "1 game of people: 0 won, 1 lost, 0 unfinished; 1 click judged",
        "1. ",
        "turn 1 (1.050 s), ",
        ", and hit a mine",
        "risk.html#1",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let rows = fs::read_to_string(csv).unwrap();
    assert_eq!(rows.lines().count(), 2);
    assert!(rows.starts_with("game,program,player,"), "{rows}");
    let page = fs::read_to_string(Path::new(pages).join("risk.html")).unwrap();
    assert!(page.contains("3BV"), "the page has no figures");
}

#[test]
fn what_is_for_bots_is_refused_of_people() {
    let folder = folder();
    for (options, part) in [
        (&["--against", "x"][..], "--against is for games of bots"),
        (&["--playouts", "9"], "--playouts is for games of bots"),
        (&["--rule", "botzone"], "--rule is for games of bots"),
        (&["--objective", "fewest-hits"], "the objective is clean-win"),
        (&["--match", "1"], "a recording holds one"),
    ] {
        let run = coach(&folder, options);
        assert!(run.code == 2 && run.stderr.contains(part), "{options:?}: {}", run.stderr);
    }
    // Games of bots among them are left out, and recordings among games of bots.
    let run = coach(&folder, &[GAME, "--json"]);
    assert!(run.code == 2 && run.stderr.contains("there are more of people"), "{}", run.stderr);
    assert_eq!(json_of(&run)["games"].as_array().unwrap().len(), 4);
    let one = folder.path().join("a.rawvf");
    let run = judge(["coach", "--playouts", "4", GAME, one.to_str().unwrap(), "--json"]);
    assert!(run.code == 2 && run.stderr.contains("as many of bots"), "{}", run.stderr);
    assert_eq!(json_of(&run)["games"], 1);
}
