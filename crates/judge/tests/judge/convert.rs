//! `judge convert`: each format is written of each kind of file, or refused with those that can be.

use std::fs;
use std::path::Path;

use game::formats::{Contents, read};
use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{ROOT, Run, judge, judge_command, recorded};

const POSITIONS: [&str; 4] = ["text", "mine", "link", "js-link"];
const LAYOUTS: [&str; 3] = ["mbf", "board", "pttacg"];

/// The path of a file in `samples/formats`.
fn format(name: &str) -> String {
    Path::new(ROOT).join("samples/formats").join(name).display().to_string()
}

fn convert(file: &str, kind: &str, options: &[&str]) -> Run {
    judge([&["convert", file, "--to", kind], options].concat())
}

/// The text that is printed without a message.
fn text(file: &str, kind: &str) -> String {
    let run = convert(file, kind, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{file} --to {kind}");
    run.stdout
}

/// A file with these contents.
fn file(folder: &TempDir, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The only line that refuses.
fn refusal(run: &Run) -> &str {
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    &run.stderr
}

#[test]
fn a_position_is_written_in_each_format() {
    let spaced = format("spaced.txt");
    assert_eq!(text(&spaced, "text"), "3 2 1\n1..\n1..\n");
    assert_eq!(text(&spaced, "mine"), "3x2x1\n1HH\n1HH\n");
    assert_eq!(text(&spaced, "link"), "#field=3%202%201%0A1..%0A1..\n");
    let link = text(&spaced, "js-link");
    assert_eq!(link, "?board=3x2x1&analysis=adacaaablTlT\n");
    assert_eq!(text(link.trim(), "text"), "3 2 1\n1..\n1..\n");
    // Flags are kept where the format has them.
    let flags = format("flags.txt");
    assert_eq!(text(&flags, "mine"), "4x3x2\n1FHH\n12HH\nH1HH\n");
    let run = convert(&flags, "text", &[]);
    assert_eq!(run.stdout, "4 3 2\n1...\n12..\n.1..\n");
    assert!(run.stderr.contains("note: 1 flag is left out"), "{}", run.stderr);
    let run = convert(&format("java.mine"), "link", &[]);
    assert!(run.code == 0 && run.stderr.contains("1 flag is left out"), "{}", run.stderr);
    // What was assumed is said, and an opened mine is a flag elsewhere.
    let run = convert(&format("emoji.txt"), "text", &[]);
    assert!(run.stderr.contains("`⬜` was read as a 0"), "{}", run.stderr);
    let folder = TempDir::new().unwrap();
    let opened = file(&folder, "opened.txt", "3 1 1\n*1.\n");
    let run = convert(&opened, "mine", &[]);
    assert_eq!(run.stdout, "3x1x1\nF1H\n");
    assert!(run.stderr.contains("1 opened mine is written as flags"), "{}", run.stderr);
    // These two state the number of mines.
    for kind in ["mine", "js-link"] {
        let run = convert(&format("headerless.txt"), kind, &[]);
        assert!(refusal(&run).contains("no mine count: the first line must be"), "{}", run.stderr);
    }
}

#[test]
fn a_layout_is_written_in_each_format() {
    let small = format("small.mbf");
    assert_eq!(text(&small, "board"), "5 4 2 0 0 1 8\n");
    assert_eq!(text(&small, "pttacg"), "?b=54&m=8200\n");
    let output = judge_command().args(["convert", &small, "--to", "mbf"]).output().unwrap();
    assert_eq!(output.stdout, fs::read(&small).unwrap());
    let run = convert("?b=54&m=8200", "mbf", &["--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["text"], &report["held"]), (&"0504000201000301".into(), &"layouts".into()));
    // A first cell is in a board file alone.
    let run = convert("5x4:1,2,u40800", "pttacg", &[]);
    assert_eq!(run.stdout, "?b=54&m=8200\n");
    assert!(run.stderr.contains("note: the first cell (2,1) is left out"), "{}", run.stderr);
    assert_eq!(text("5x4:1,2,u40800", "board"), "5 4 2 2 1 1 8\n");
    // Several layouts are a board file.
    let folder = TempDir::new().unwrap();
    let boards = "5 4 2 0 0 1 8\n3 1 1 0 0 2\n";
    let list = file(&folder, "list.txt", boards);
    assert_eq!(text(&list, "board"), boards);
    for kind in ["mbf", "pttacg"] {
        let run = convert(&list, kind, &[]);
        let hint = format!("list.txt: it has 2 layouts, and {kind} holds one; write them by --to");
        assert!(refusal(&run).contains(&hint), "{}", run.stderr);
    }
    let wide = file(&folder, "wide.txt", "256 1 1 0 0 2\n");
    let run = convert(&wide, "mbf", &[]);
    assert!(refusal(&run).contains("a side of 256x1 is above 255"), "{}", run.stderr);
}

#[test]
fn a_game_is_written_as_a_log_a_recording_a_layout_or_a_turn() {
    let folder = TempDir::new().unwrap();
    let games = folder.path().join("games").display().to_string();
    let play = ["play", "--level", "6x6/6", "--seeds", "3", "--log", &games];
    assert_eq!(judge(play).code, 0);
    let game = format!("{games}/6x6-6-3.json");
    let log = fs::read_to_string(&game).unwrap();
    assert_eq!(text(&game, "log").trim_end(), log.trim_end());
    // Other forms of a log become the same log.
    let lite = text(&format("lite.json"), "log");
    assert_eq!(text(&format("page.html"), "log"), lite);
    let verified = file(&folder, "lite.json", &lite);
    assert_eq!(judge(["verify", &verified]).code, 0);
    // The recording has the layout, and a click for each answer.
    let rawvf = text(&format("lite.json"), "rawvf");
    let recorded = file(&folder, "lite.rawvf", &rawvf);
    assert_eq!(text(&recorded, "board"), text(&format("lite.json"), "board"));
    let Ok(Contents::Recording(recording)) = read(rawvf.as_bytes()) else { panic!("{rawvf}") };
    let clicks = recording.clicks();
    assert_eq!(
        (clicks.won, clicks.clicks.len(), clicks.clicks.last().unwrap().time),
        (true, 10, 10_000)
    );
    // A turn is the position that `explain` reads.
    let last = text(&format("lite.json"), "mine");
    assert!(last.starts_with("11x11x11\n0000000001H\n"), "{last}");
    let first = convert(&format("lite.json"), "text", &["--turn", "0"]).stdout;
    assert_eq!(first, format!("11 11 11\n{}", "...........\n".repeat(11)));
    for kind in POSITIONS.iter().chain(&LAYOUTS) {
        assert_eq!(convert(&format("lite.json"), kind, &["--json"]).code, 0, "{kind}");
    }
}

#[test]
fn a_game_that_goes_on_after_a_hit_is_written_until_the_hit() {
    let game = recorded("default-30x20-80.json").display().to_string();
    let run = convert(&game, "rawvf", &[]);
    let note = "it is written until the hit in turn 19, and 131 later turns are left out";
    assert!(run.code == 0 && run.stderr.contains(note), "{}", run.stderr);
    let Ok(Contents::Recording(recording)) = read(run.stdout.as_bytes()) else { panic!() };
    assert!(recording.clicks().lost && recording.clicks().clicks.last().unwrap().time == 20_000);
    // A log without init data has no layout, and a game without answers no clicks.
    let folder = TempDir::new().unwrap();
    let request = r#"{"output":{"command":"request","content":{"0":{"height":3,"width":3,
        "minecount":1,"changed":null}},"display":{"status":null}}}"#;
    let bare = file(&folder, "bare.json", format!("[{request}]"));
    for kind in ["rawvf", "mbf", "board", "pttacg"] {
        let run = convert(&bare, kind, &[]);
        let hint = "bare.json: the log has no init data";
        assert!(refusal(&run).contains(hint), "{}", run.stderr);
    }
    let init = r#"{"initdata":{"width":11,"height":11,"minecount":11,"seed":1},"log":"#;
    let unplayed = file(&folder, "unplayed.json", format!("{init}[{request}]}}"));
    let unplayed = convert(&unplayed, "rawvf", &[]);
    assert!(unplayed.code == 2, "{}", unplayed.stderr);
}

#[test]
fn a_match_of_a_pack_is_chosen_and_boards_are_all() {
    for pack in [format("pack.jsonl"), format("pack.zip")] {
        assert_eq!(text(&pack, "board").lines().count(), 2);
        for kind in POSITIONS.iter().chain(&["log", "rawvf", "mbf", "pttacg"]) {
            let run = convert(&pack, kind, &[]);
            let hint = "it has 2 matches; choose one by --match";
            assert!(refusal(&run).contains(hint), "{kind}: {}", run.stderr);
        }
        let one = convert(&pack, "board", &["--match", "1"]).stdout;
        assert_eq!(one, text(&format("lite.json"), "board"));
    }
}

#[test]
fn a_recording_is_written_as_a_whole_a_layout_or_a_turn() {
    let folder = TempDir::new().unwrap();
    let whole = "RawVF_Version: Rev5\nProgram: Own 1\nPlayer: Ann\nLevel: Custom\nWidth: 3\n\
                 Height: 1\nMines: 1\nSquareSize: 16\nMarks: On\nMode: UPK\nBoard:\n00*\nEvents:\n\
                 0.000 start\n0.007 rc (40 8)\n0.008 rr (40 8)\n0.010 lc (8 8)\n0.500 lr (8 8)\n\
                 0.500 won\n";
    let recording = file(&folder, "game.rawvf", whole);
    assert_eq!(text(&recording, "rawvf"), whole);
    assert_eq!(text(&recording, "board"), "3 1 1 0 0 2\n");
    assert_eq!(text(&recording, "pttacg"), "?b=31&m=4\n");
    // Before the last click, which opens the first two cells, the last cell is flagged.
    let position = |kind: &str| convert(&recording, kind, &[]).stdout;
    assert_eq!(position("text"), "3 1 1\n...\n");
    assert_eq!(position("mine"), "3x1x1\nHHF\n");
    let end = convert(&recording, "text", &["--turn", "2"]);
    assert_eq!((end.code, end.stdout.as_str()), (0, "3 1 1\n01.\n"));
    let run = convert(&recording, "log", &[]);
    let hint = "give --to text, mine, link, js-link, mbf, board, pttacg, rawvf";
    assert!(refusal(&run).trim_end().ends_with(hint), "{}", run.stderr);
    assert!(run.stderr.contains("log: a log has no flags and chords"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_written_is_refused_with_what_can() {
    let games = ["log", "rawvf"];
    for (name, kinds, can) in [
        ("spaced.txt", &LAYOUTS[..], "give --to text, mine, link, js-link\n"),
        ("spaced.txt", &games, "give --to text, mine, link, js-link\n"),
        ("small.mbf", &POSITIONS, "give --to mbf, board, pttacg\n"),
        ("small.mbf", &games, "give --to mbf, board, pttacg\n"),
    ] {
        for kind in kinds {
            let run = convert(&format(name), kind, &[]);
            assert!(refusal(&run).ends_with(can), "{name} --to {kind}: {}", run.stderr);
            assert!(run.stderr.contains(&format!("{name}: it cannot be written as {kind}: ")));
        }
    }
    for (name, kind, options, hint) in [
        ("small.mbf", "board", ["--turn", "1"], "--turn chooses a position, and board is none"),
        ("lite.json", "log", ["--turn", "1"], "--turn chooses a position, and log is none"),
        ("lite.json", "text", ["--turn", "99"], "there is no turn 99: the turns are 0 to 9"),
        ("small.mbf", "board", ["--match", "1"], "--match chooses a recorded game"),
        ("spaced.txt", "text", ["--match", "1"], "--match chooses a recorded game"),
        ("pack.zip", "board", ["--match", "3"], "no match has the ID or the number 3"),
    ] {
        let run = convert(&format(name), kind, &options);
        assert!(refusal(&run).contains(hint), "{name}: {}", run.stderr);
    }
    let run = convert(&format("spaced.txt"), "avf", &[]);
    assert!(run.code == 2 && run.stderr.contains("text, mine, link, js-link, mbf, board, pttacg"));
}

#[test]
fn files_are_replaced_with_force_alone_and_never_the_input() {
    let folder = TempDir::new().unwrap();
    let boards = file(&folder, "boards.txt", "5 4 2 0 0 1 8\n");
    let other = file(&folder, "other.txt", "notes\n");
    let run = convert(&boards, "pttacg", &["-o", &other]);
    assert!(refusal(&run).contains("is no link of PTTACG; name another file, or replace"));
    assert_eq!(fs::read_to_string(&other).unwrap(), "notes\n");
    for options in [&["-o", &boards][..], &["-o", &boards, "--force"]] {
        let run = convert(&boards, "pttacg", options);
        assert!(refusal(&run).contains("it is the file that is read"), "{}", run.stderr);
    }
    let run = convert(&boards, "pttacg", &["-o", &other, "--force"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, format!("{other}: pttacg\n").as_str()));
    assert_eq!(fs::read_to_string(&other).unwrap(), "?b=54&m=8200\n");
    // A file of its own kind is replaced without it; MBF has no mark of its own.
    assert_eq!(convert("?b=11&m=0", "pttacg", &["-o", &other]).code, 0);
    let bytes = folder.path().join("new.mbf").display().to_string();
    let run = convert(&boards, "mbf", &["-o", &bytes, "--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["output"], &report["text"]), (&bytes.as_str().into(), &Value::Null));
    assert_eq!(fs::read(&bytes).unwrap(), [5, 4, 0, 2, 1, 0, 3, 1]);
    let run = convert(&boards, "mbf", &["-o", &bytes]);
    assert!(refusal(&run).contains("it exists, and is no empty file"), "{}", run.stderr);
    let run = convert(&boards, "board", &["-o", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "5 4 2 0 0 1 8\n"));
}
