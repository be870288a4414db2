//! `play`, `pit` and `coach` on the boards of a file: those that `bench` plays, with results that
//! pair by board.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ROOT, judge};
use crate::pit::SAPPER;
use crate::systems::bot;

/// A file of small boards, with an empty line, and its folder: `size` is columns, rows and mines.
fn small_boards() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("small boards.txt");
    let boards = ["5 5 4 0 0 4 9 18 24", "5 5 4 2 2 0 1 20 23", "", "5 5 4 4 4 2 7 10 13"];
    fs::write(&path, boards.join("\n") + "\n").unwrap();
    (folder, path.display().to_string())
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn a_bot_plays_the_boards_of_a_file_as_the_engine_does() {
    let (folder, boards) = small_boards();
    let [engine, bot] = ["engine.csv", "bot.csv"].map(|name| path_in(&folder, name));
    let mut rows = Vec::new();
    for rule in [&["--rule", "botzone"][..], &["--rule", "safe-first"]] {
        let objective = ["--objective", "fewest-hits", "--effort", "full", "--force"];
        let of_file = ["--boards", &boards];
        let run = judge([&["bench", "--csv", &engine][..], &of_file, rule, &objective].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = judge([&["play", "--csv", &bot, "--force"][..], &of_file, rule].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("board      3  score"), "{}", run.stdout);
        let compared = judge(["compare", &engine, &bot, "--json"]);
        let report: Value = serde_json::from_str(&compared.stdout).unwrap();
        assert_eq!((&report["boards"], &report["only_in_a"]), (&json!(3), &json!(0)), "{report}");
        assert_eq!(report["mines"]["equal"], json!(3), "{report}");
        assert_eq!(report["wins_percent"]["equal"], json!(3), "{report}");
        rows.push(fs::read_to_string(&bot).unwrap());
    }
    let options = "\"--level 5x5/4 --rule safe-first --first 4,4, file ";
    assert!(rows[1].lines().nth(3).is_some_and(|row| row.starts_with("3,sapper,")));
    assert!(rows[1].contains(options) && !rows[0].contains("--first"), "{}", rows[1]);
}

#[test]
fn a_game_of_a_file_is_recorded_verified_and_played_again() {
    let (folder, boards) = small_boards();
    let log = path_in(&folder, "log");
    let ends = bot("exit");
    let bot = ["--bot", &ends];
    let run = judge(["play", "--boards", &boards, "--from", "1", "--games", "2", "--log", &log]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // The second line after the first is empty.
    assert_eq!(run.stdout.matches("score").count(), 2, "{}", run.stdout);
    let file = PathBuf::from(&log).join("5x5-4-board1.json");
    let verified = judge([Path::new("verify"), &file]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    let layout = judge(["convert", &file.display().to_string(), "--to", "board"]);
    assert_eq!(layout.stdout.trim(), "5 5 4 0 0 0 1 20 23");
    // By a classic rule, a game is won or lost as it was played.
    let rule = ["--boards", &boards, "--rule", "safe-first"];
    let (lost_and_won, csv) = (path_in(&folder, "classic"), path_in(&folder, "classic.csv"));
    let run = judge([&["play", "--log", &lost_and_won, "--csv", &csv][..], &rule].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let won = |text: &str| text.lines().skip(1).filter(|row| row.contains(",sapper,1,")).count();
    let won = won(&fs::read_to_string(&csv).unwrap());
    let verified = judge(["verify", &lost_and_won]).stdout;
    assert!(won > 0 && verified.matches("score 100.0").count() == won, "{won}: {verified}");
    let coach = path_in(&folder, "coach.csv");
    assert_eq!(judge(["coach", &lost_and_won, "--csv", &coach, "--playouts", "2"]).code, 0);
    let rows = fs::read_to_string(&coach).unwrap();
    let coached = rows.lines().skip(1).filter(|row| row.split(',').nth(1) == Some("1"));
    assert_eq!(coached.count(), won, "{rows}");
    let run = judge([&["play"][..], &rule, &bot].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let again = format!("--boards '{boards}' --from 3 --games 1 --rule safe-first");
    assert!(run.stdout.contains(&again) || cfg!(windows), "{}", run.stdout);
}

#[test]
fn a_pit_on_a_file_continues_and_names_its_boards() {
    let (folder, boards) = small_boards();
    let (journal, csv) = (path_in(&folder, "run.jsonl"), path_in(&folder, "pit.csv"));
    let bots = ["--bot", SAPPER, "--bot", "again=sapper --keep-running"];
    let of_file = ["pit", "--boards", &boards, "--resume", &journal, "--json"];
    let pit = |more: &[&str]| {
        let run = judge([&of_file[..], &bots, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str::<Value>(&run.stdout).unwrap()
    };
    let first = pit(&["--games", "2"]);
    assert_eq!((&first["boards"], &first["resumed_games"]), (&json!(2), &json!(0)));
    let all = pit(&["--csv", &csv]);
    assert_eq!((&all["boards"], &all["resumed_games"]), (&json!(3), &json!(4)));
    assert_eq!((&all["width"], &all["minecount"]), (&json!(5), &json!(4)));
    assert_eq!(all["pairs"][0]["score"]["difference"], json!(0.0));
    let compared = judge(["compare", &csv, &csv, "--a", "sapper", "--b", "again", "--json"]);
    let report: Value = serde_json::from_str(&compared.stdout).unwrap();
    assert_eq!(report["boards"], json!(3));
    // Another file has other boards.
    let other = path_in(&folder, "other.txt");
    fs::write(&other, "5 5 4 0 0 4 9 18 23\n").unwrap();
    let run = judge([&["pit", "--boards", &other, "--resume", &journal][..], &bots].concat());
    assert!(run.code == 2 && run.stderr.contains("is of another run"), "{}", run.stderr);
}

#[test]
fn boards_of_several_sizes_are_one_run() {
    let (folder, _) = small_boards();
    let boards = path_in(&folder, "mixed.txt");
    fs::write(&boards, "5 5 4 0 0 4 9 18 24\n6 4 3 0 0 5 11 23\n").unwrap();
    let run = judge(["play", "--boards", &boards]);
    assert!(run.stdout.contains("2 games of several sizes, "), "{}{}", run.stdout, run.stderr);
    let run = judge(["pit", "--bot", SAPPER, "--boards", &boards]);
    assert!(run.stdout.contains("2 boards of several sizes, boards from 0"), "{}", run.stdout);
    let run = judge(["pit", "--bot", SAPPER, "--boards", &boards, "--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["width"], &report["seeds"]), (&Value::Null, &json!([0, 1])));
}

#[test]
fn layouts_of_other_programs_are_boards_of_a_bot_and_of_the_coach() {
    let formats = Path::new(ROOT).join("samples/formats");
    for name in ["small.mbf", "person.rawvf", "pack.zip"] {
        let file = formats.join(name).display().to_string();
        let run = judge(["play", "--bot", SAPPER, "--boards", &file, "--games", "1"]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        assert!(run.stdout.contains("no fault"), "{name}: {}", run.stdout);
    }
    let file = formats.join("small.mbf").display().to_string();
    let run = judge(["coach", "--bot", SAPPER, "--boards", &file, "--json", "--playouts", "2"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["games"]), (0, &json!(1)), "{}", run.stderr);
}

#[test]
fn options_that_do_not_fit_boards_of_a_file_are_refused() {
    let (folder, boards) = small_boards();
    let bot = ["--bot", SAPPER];
    let touched = path_in(&folder, "touched.txt");
    fs::write(&touched, "5 5 1 0 0 24\n5 5 1 0 0 6\n").unwrap();
    for (options, expected) in [
        (&["--boards", &boards, "--adjusted"][..], "--adjusted needs boards of seeds"),
        (&["--boards", &boards, "--seeds", "1..5"], "cannot be used with"),
        (&["--from", "3"], "--from chooses boards of a file: add --boards FILE"),
        (&["--boards", &boards, "--from", "9"], "has no board from line 9 on"),
        (&["--boards", &path_in(&folder, "none.txt")], "none.txt"),
        (&["--boards", &touched, "--rule", "open-first"], "touched.txt, line 2: mines touch"),
    ] {
        let run = judge([&["pit"][..], &bot, options].concat());
        assert!(run.code == 2 && run.stderr.contains(expected), "{options:?}: {}", run.stderr);
    }
}
