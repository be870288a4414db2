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
fn guesses_and_needless_risks_are_counted_with_their_odds() {
    // Each 1 has a mine at its left or at its right: two pairs, and no cell is safe.
    let board = "Program: Own\nWidth: 6\nHeight: 1\nMines: 2\nMode: UPK\nBoard:\n00*00*\nEvents:\n";
    let click = |time: f64, button: &str, column: u32| {
        let at = format!("({} 8)", 16 * column + 8);
        format!("{time:.2} {button}c {at}\n{:.2} {button}r {at}\n", time + 0.05)
    };
    let text = [
        click(0.0, "l", 1),
        click(1.0, "l", 4),
        // Neither pair is known: a guess of 1/2.
        click(2.0, "l", 0),
        // (0,2) is a mine now. Its flag is right, and a chord on the 1 opens nothing.
        click(3.0, "r", 2),
        click(4.0, "m", 1),
        // A guess of 1/2, which wins.
        click(5.0, "l", 3),
    ];
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("guesses.rawvf");
    fs::write(&path, board.to_owned() + &text.concat()).unwrap();
    let path = path.to_str().unwrap();
    let report = json_of(&judge(["coach", path, "--json"]));
    let game = &report["games"][0];
    let number = |key: &str| game[key].as_f64().unwrap();
    assert_eq!((game["result"].as_str(), number("bbbv")), (Some("won"), 3.0), "{report}");
    // The first cell: 2 mines in 6 cells; then, without the pair of the 1, one mine in 3 cells.
    assert_eq!((number("guesses"), number("needless_risks"), number("safe")), (4.0, 0.0, 0.0));
    let risk = 1.0 / 3.0 + 1.0 / 3.0 + 0.5 + 0.5;
    assert!((number("risk") - risk).abs() < 1e-9 && (number("luck") - risk).abs() < 1e-9, "{game}");
    assert!(number("best_risk") <= risk, "{game}");
    let counts = ["clicks", "left", "right", "chords", "wasted", "flags"].map(number);
    assert_eq!(counts, [6.0, 4.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(number("efficiency"), 3.0 / 6.0);
    for key in ["guesses", "risk", "best_risk", "luck", "clicks", "left", "flags", "wasted"] {
        assert_eq!(report["total"][key], game[key], "{key}");
    }
    let bins = report["bins"].as_array().unwrap();
    let guesses: Vec<f64> = bins.iter().map(|bin| bin["guesses"].as_f64().unwrap()).collect();
    assert_eq!((guesses.iter().sum::<f64>(), bins.len()), (4.0, 2), "{report}");
}

const THIRD: f64 = 1.0 / 3.0;

#[test]
fn a_needless_risk_is_told_with_the_proof_that_was_there() {
    // (0,2) shows the mine at (0,1), which the first cell has proven: (0,3) is safe, and the last
    // mine is one of three cells. The numbers on the way tell which.
    let board = "Width: 7\nHeight: 1\nMines: 2\nMode: UPK\nBoard:\n0*000*0\nEvents:\n";
    let click = |time: u32, column: u32| {
        let at = format!("({} 8)", 16 * column + 8);
        format!("{time}.00 lc {at}\n{time}.05 lr {at}\n")
    };
    let clicks = [click(0, 0), click(1, 2), click(2, 6)].concat();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("risk.rawvf");
    fs::write(&path, format!("{board}{clicks}")).unwrap();
    let path = path.to_str().unwrap();
    let [pages, csv] = ["pages", "games.csv"].map(|name| folder.path().join(name));
    let [pages, csv] = [&pages, &csv].map(|path| path.to_str().unwrap());
    let run = judge(["coach", path, "--pages", pages, "--csv", csv]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = json_of(&judge(["coach", path, "--json"]));
    let game = &report["games"][0];
    assert_eq!((&game["needless_risks"], &game["guesses"]), (&1.into(), &2.into()));
    assert_eq!((&game["needless_risk"], &game["result"]), (&THIRD.into(), &"unfinished".into()));
    let mut costliest = report["costliest"].as_array().unwrap().iter();
    let click = costliest.find(|click| click["kind"] == "needless risk").unwrap();
    assert_eq!((&click["cells"].to_string()[..], &click["turn"]), ("[[0,6]]", &2.into()));
    let is_near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    for (key, expected) in [("odds", THIRD), ("odds_instead", 0.0), ("cost", THIRD)] {
        assert!(is_near(&click[key], expected), "{key}: {}", click[key]);
    }
    for (cell, expected) in [(0, 1.0), (1, 1.0 - THIRD)] {
        assert!(is_near(&click["chance"]["cells"][cell]["chance"], expected), "{click}");
    }
    assert!(run.stdout.contains(": 33.3 points less (± 0.0)."), "{}", run.stdout);
    let why = click["why"].as_array().unwrap();
    assert!(why.len() > 1 && why[0].as_str().unwrap().starts_with("A needless risk: (0,6) was a"));
    assert!(run.stdout.contains(why[1].as_str().unwrap()), "{}", run.stdout);
    assert!(run.stdout.contains("risk.html#"), "{}", run.stdout);
    let rows = fs::read_to_string(csv).unwrap();
    assert!(rows.starts_with("game,program,player,") && rows.lines().count() == 2, "{rows}");
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
    assert!(run.code == 2 && run.stderr.contains("and more games are of people"), "{}", run.stderr);
    assert_eq!(json_of(&run)["games"].as_array().unwrap().len(), 4);
    let one = folder.path().join("a.rawvf");
    let run = judge(["coach", "--playouts", "4", GAME, one.to_str().unwrap(), "--json"]);
    assert!(
        run.code == 2 && run.stderr.contains("as many games or more are of bots"),
        "{}",
        run.stderr
    );
    assert_eq!(json_of(&run)["games"], 1);
}

#[test]
fn a_needless_risk_that_must_be_taken_anyway_costs_nothing() {
    // (0,3) is safe, and tells nothing: the last mine is (0,4) or (1,4).
    let board = "Width: 5\nHeight: 2\nMines: 3\nMode: UPK\nBoard:\n0*000\n0*00*\nEvents:\n";
    let clicks = [(0, 0), (1, 0), (0, 2), (0, 4)].map(|(row, column)| {
        let at = format!("({} {})", 16 * column + 8, 16 * row + 8);
        format!("0.00 lc {at}\n0.00 lr {at}\n")
    });
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("risk.rawvf");
    fs::write(&path, board.to_owned() + &clicks.concat()).unwrap();
    let report = json_of(&judge(["coach", path.to_str().unwrap(), "--json"]));
    let game = &report["games"][0];
    assert_eq!((&game["needless_risks"], &game["needless_risk"]), (&1.into(), &0.5.into()));
    let costliest = report["costliest"].as_array().unwrap();
    assert!(costliest.iter().all(|click| click["kind"] != "needless risk"), "{report}");
}

/// The first clicks of a person who opens safe cells in any order, on a field of 8x8 with 16 mines.
fn careless_game(random: &mut fastrand::Rng) -> String {
    const SIDE: usize = 8;
    let mut places: Vec<usize> = (0..SIDE * SIDE).collect();
    random.shuffle(&mut places);
    let (mines, safe) = places.split_at(16);
    let cell = |place| if mines.contains(&place) { '*' } else { '0' };
    let row = |row: usize| (SIDE * row..SIDE * (row + 1)).map(cell).collect();
    let board = (0..SIDE).map(row).collect::<Vec<String>>().join("\n");
    let clicks = (0..).zip(&safe[..20]).map(|(time, place)| {
        let at = format!("({} {})", 16 * (place % SIDE) + 8, 16 * (place / SIDE) + 8);
        format!("{time}.00 lc {at}\n{time}.05 lr {at}\n")
    });
    let clicks: String = clicks.collect();
    let head = format!("Width: {SIDE}\nHeight: {SIDE}\nMines: 16\nMode: UPK\n");
    format!("{head}Board:\n{board}\nEvents:\n{clicks}")
}

/// The coach tells the chances by the move and by the click, and `judge explain` those by the move
/// and the candidates. Both begin with the same seed, so that a cell in common is told the same.
#[test]
fn the_chances_at_a_costly_click_are_those_that_explain_tells_there() {
    let mut random = fastrand::Rng::with_seed(6);
    let folder = folder();
    for name in ["g.rawvf", "h.rawvf", "i.rawvf"] {
        fs::write(folder.path().join(name), careless_game(&mut random)).unwrap();
    }
    let run = coach(&folder, &["--json", "--effort", "fast", "--per-kind", "4"]);
    let report = json_of(&run);
    let (mut exact, mut played, mut of_click) = (0, 0, 0);
    for click in report["costliest"].as_array().unwrap() {
        let path = folder.path().join(click["game"].as_str().unwrap());
        let (path, turn) = (path.to_str().unwrap(), click["turn"].to_string());
        let run = judge(["explain", path, "--turn", &turn, "--effort", "fast", "--json"]);
        let explained = json_of(&run);
        let (told, alone) = (&click["chance"], &explained["chance"]);
        assert_eq!(told["cells"][0], alone["cells"][0], "{click}");
        assert_eq!(told["cells"][0]["cell"], explained["move"]["cell"], "{click}");
        for key in ["exact", "policy", "unit"] {
            assert_eq!(told[key], alone[key], "{key}: {click}");
        }
        let by_click = &told["cells"][1];
        assert_eq!(by_click["cell"], click["cells"][0], "{click}");
        let mut others = alone["cells"].as_array().unwrap().iter().skip(1);
        if let Some(other) = others.find(|other| other["cell"] == by_click["cell"]) {
            assert_eq!(other, by_click, "{click}");
            of_click += 1;
        }
        if told["exact"] == true {
            exact += 1;
        } else {
            assert_eq!(told["playouts"], alone["playouts"], "{click}");
            played += 1;
        }
    }
    assert!(exact > 0 && played > 0 && of_click > 0, "{exact} {played} {of_click}");
}
