//! The files that people have, each read by the commands that are for it.
//!
//! `samples/formats` has a file of each format: matches of Botzone as the site and its downloaders
//! give them, positions and layouts of other programs.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::bots::{ROOT, Run, judge};

/// The path of a file in `samples/formats`.
fn format(name: &str) -> String {
    Path::new(ROOT).join("samples/formats").join(name).display().to_string()
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn every_form_of_a_match_is_the_same_game() {
    let forms = ["lite.json", "page.html", "string.json", "initdata-beside.json"];
    let mut pictures = Vec::new();
    for form in forms {
        let run = judge(["verify", &format(form), "--json"]);
        let report = json(&run);
        assert_eq!((&report["right"], &report["answers"]), (&1.into(), &10.into()), "{form}");
        assert_eq!(report["games"][0].get("match"), None, "{form}");
        // Without the envelope of `judge play`, the last output has the score.
        assert_eq!(report["games"][0]["score"], 100.0, "{form}");
        let run = judge(["replay", &format(form), "--svg", "4"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        pictures.push(run.stdout);
    }
    let of_pack = judge(["replay", &format("pack.zip"), "--match", "1", "--svg", "4"]).stdout;
    pictures.push(of_pack);
    assert!(pictures.iter().all(|picture| *picture == pictures[0] && !picture.is_empty()));
}

#[test]
fn a_folder_of_saved_pages_is_judged_without_the_pages_of_replay() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["a.html", "b.HTM"] {
        fs::copy(format("page.html"), path(name)).unwrap();
    }
    fs::write(path("other.html"), "<!DOCTYPE html>\n<title>a page</title>\n").unwrap();
    let run = judge(["replay", &path("a.html"), "-o", &path("made.html")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let whole = path("");
    let report = json(&judge(["verify", &whole, "--json"]));
    assert_eq!((&report["right"], &report["wrong"]), (&2.into(), &0.into()));
    assert_eq!(json(&judge(["coach", &whole, "--json"]))["games"], 2);
    // A page that is named is read, whatever it holds.
    let run = judge(["verify", &path("made.html")]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the page has no `_rawLogJSON`"), "{}", run.stderr);
    for name in ["a.html", "b.HTM"] {
        fs::remove_file(path(name)).unwrap();
    }
    let run = judge(["verify", &whole]);
    assert!(run.code == 2 && run.stderr.contains("and no saved replay page"), "{}", run.stderr);
}

#[test]
fn a_pack_is_judged_whole_or_by_the_match() {
    let id = "000000000000000000000002";
    for pack in ["pack.jsonl", "pack.zip"] {
        let report = json(&judge(["verify", &format(pack), "--json"]));
        assert_eq!((&report["right"], &report["wrong"]), (&2.into(), &0.into()));
        assert_eq!(report["games"][1]["match"], 2);
        for chosen in ["2", id] {
            let one = json(&judge(["verify", &format(pack), "--match", chosen, "--json"]));
            assert_eq!(one["games"], Value::from(vec![report["games"][1].clone()]));
        }
        let run = judge(["odds", &format(pack)]);
        assert!(run.code == 2 && run.stderr.contains("it has 2 matches; choose one by --match"));
        let run = judge(["odds", &format(pack), "--match", "3"]);
        assert!(run.code == 2 && run.stderr.contains("no match has the ID or the number 3"));
        let run = judge(["coach", &format(pack), "--effort", "fast", "--playouts", "2", "--json"]);
        assert_eq!(json(&run)["games"], 2, "{pack}");
    }
}

#[test]
fn one_broken_match_does_not_keep_the_others_from_being_judged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("pack.jsonl");
    let pack = fs::read_to_string(format("pack.jsonl")).unwrap();
    let lines: Vec<&str> = pack.lines().collect();
    fs::write(&path, format!("{}\n{{\"log\":[\n7\n{}\n", lines[0], lines[1])).unwrap();
    let run = judge([Path::new("verify"), &path]);
    assert_eq!((run.code, run.stdout.matches("ok ").count()), (2, 2), "{}", run.stdout);
    for match_name in ["match 2 (line 2): not a recorded game", "match 3 (line 3): not a rec"] {
        assert!(run.stderr.contains(match_name), "{}", run.stderr);
    }
}

#[test]
fn every_form_of_a_position_has_the_same_odds() {
    // Two ones in a column beside four hidden cells with one mine.
    let expected = judge(["odds", &format("jsminesweeper.mine")]);
    assert_eq!(expected.stdout, "0 1 0.500000\n0 2 0\n1 1 0.500000\n1 2 0\n");
    let link = "https://example.org/index.html?board=9x9x10&analysis=adacaaablTlT";
    // As `convert --to link` writes it, and as the page's address has it.
    let own = "sapper.html#field=3%202%201%0A1..%0A1..&effort=full";
    for position in [&format("spaced.txt"), &format("utf16.txt"), &format("java.mine"), link, own] {
        let run = judge(["odds", position]);
        assert_eq!((run.code, &run.stdout), (0, &expected.stdout), "{position}: {}", run.stderr);
    }
    let java = judge(["odds", &format("java.mine")]);
    assert!(java.stderr.contains("the flag on (1,2) is wrong"), "{}", java.stderr);
    let emoji = json(&judge(["explain", &format("emoji.txt"), "--json"]));
    assert_eq!((&emoji["width"], &emoji["minecount"]), (&4.into(), &Value::Null));
    let notes = emoji["notes"].to_string();
    assert!(notes.contains("`⬜` was read as a 0") && notes.contains("the number of mines is unk"));
    let headerless = json(&judge(["odds", &format("headerless.txt"), "--json"]));
    assert_eq!(headerless["odds"][2][3], 1.0);
}

#[test]
fn every_form_of_a_layout_is_played_and_a_game_by_its_layout() {
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("boards.txt");
    // Column and row of each mine of the MBF file: (1,0) and (3,1) of five columns and four rows.
    fs::write(&list, "5 4 2 0 0 1 8\n").unwrap();
    let results = |boards: &str| {
        let report = json(&judge(["bench", "--boards", boards, "--json"]));
        (report["games"].clone(), report["hits"].clone(), report["won"].clone())
    };
    let expected = results(list.to_str().unwrap());
    for layout in [&format("small.mbf"), "?b=54&m=8200", "5x4:0,0,u40800"] {
        assert_eq!(results(layout), expected, "{layout}");
    }
    assert_eq!(results(&format("pack.zip")).0, 2);
    for (position, command) in [("small.mbf", "odds"), ("small.mbf", "replay")] {
        let run = judge([command, &format(position)]);
        assert!(run.code == 2 && run.stderr.contains("mine layouts"), "{}", run.stderr);
    }
    let run = judge(["bench", "--boards", &format("spaced.txt")]);
    assert!(run.code == 2 && run.stderr.contains("a position, which does not"), "{}", run.stderr);
}

#[test]
fn a_recording_of_a_person_is_replayed_click_by_click() {
    let person = format("person.rawvf");
    let report = json(&judge(["replay", &person, "--json"]));
    assert_eq!(report["title"], "6x4, 3 mines, RAWVF of Sapper 1, played by Ann, won in 2.050 s");
    assert_eq!((&report["won"], &report["mistakes"]), (&Value::from(true), &Value::from([0; 0])));
    let turns = report["turns"].as_array().unwrap();
    let clicks: Vec<&str> = turns.iter().flat_map(|turn| turn["click"].as_str()).collect();
    assert_eq!(clicks, ["open", "flag", "wasted", "chord", "open"]);
    let chord = &turns[3];
    assert_eq!((&chord["seconds"], &chord["odds"]), (&Value::from(1.3), &Value::from(0.0)));
    for (key, expected) in [("cell", "[1,3]"), ("targets", "[[0,4]]"), ("flags", "[[1,4]]")] {
        assert_eq!(chord[key].to_string(), expected, "{key}");
    }
    let figures = &report["account"]["figures"];
    assert_eq!((&figures["bbbv"], &figures["clicks"]), (&Value::from(3), &Value::from(5)));
    let page = judge(["replay", &person]);
    assert!(page.code == 0 && page.stdout.contains(r#""targets":[[0,4]]"#), "{}", page.stderr);
    assert!(page.stdout.contains("3BV 3, 2.050 s, 3BV/s 1.46; 5 clicks"));
    let picture = judge(["replay", &person, "--svg", "3"]);
    assert!(picture.code == 0 && picture.stdout.starts_with("<svg"), "{}", picture.stderr);
    for command in ["replay", "odds"] {
        let run = judge([command, &person, "--match", "1"]);
        assert!(run.code == 2 && run.stderr.contains("a recording holds one"), "{}", run.stderr);
    }
    // Before the last click one safe cell is hidden; before the first all cells are.
    for (turn, hidden) in [(&["--turn", "4"][..], 4), (&[], 4), (&["--turn", "0"], 24)] {
        let odds = json(&judge(["odds", &person, "--json"].iter().chain(turn)));
        let cells = odds["odds"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
        assert_eq!(cells.filter(|odds| odds.is_number()).count(), hidden, "{turn:?}");
    }
    let run = judge(["explain", &person, "--turn", "9"]);
    assert!(run.code == 2 && run.stderr.contains("the turns are 0 to 5"), "{}", run.stderr);
}

#[test]
fn a_recording_of_a_person_is_a_board() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.rawvf");
    let events = "0.00 lc (4 4)\n0.01 lr (4 4)\n";
    fs::write(&path, format!("Width: 3\nHeight: 1\nMines: 1\nBoard:\n00*\nEvents:\n{events}"))
        .unwrap();
    let path = path.to_str().unwrap();
    let report = json(&judge(["bench", "--boards", path, "--json"]));
    assert_eq!(report["games"], 1);
    let run = judge(["verify", path]);
    let named = run.stderr.contains("a recording of a person's mouse (RAWVF)");
    assert!(run.code == 2 && named, "{}", run.stderr);
    let cut = fs::read_to_string(path).unwrap().replace(events, "");
    fs::write(path, cut).unwrap();
    let run = judge(["bench", "--boards", path]);
    assert!(run.code == 2 && run.stderr.contains("it is cut off"), "{}", run.stderr);
}

/// A zip file of these files.
fn zipped(path: &Path, files: &[(&str, &[u8])]) -> String {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        // Stored, so that a byte can be altered.
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(*name, stored).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
    path.display().to_string()
}

#[test]
fn a_zip_file_of_recordings_is_a_pack_of_them() {
    let folder = TempDir::new().unwrap();
    let person = fs::read(format("person.rawvf")).unwrap();
    // Only the opening.
    let events = person.windows(7).position(|part| part == b"Events:").unwrap();
    let lines = person[events..].split_inclusive(|&byte| byte == b'\n').take(4);
    let cut = &person[..events + lines.map(<[u8]>::len).sum::<usize>()];
    let path = folder.path().join("games.zip");
    let pack = zipped(&path, &[("a.rawvf", &person), ("in/b c.rawvf", cut)]);
    let report = json(&judge(["coach", &pack, "--json"]));
    let games = report["games"].as_array().unwrap();
    let named = |game: &Value| game["game"].as_str().unwrap().replace(&pack, "PACK");
    let names: Vec<String> = games.iter().map(named).collect();
    assert_eq!(names, ["PACK, match 1 (a.rawvf)", "PACK, match 2 (in/b c.rawvf)"]);
    let results: Vec<&Value> = games.iter().map(|game| &game["result"]).collect();
    assert_eq!(results, ["won", "unfinished"]);
    let alone = judge(["replay", &format("person.rawvf"), "--svg", "3"]).stdout;
    for chosen in ["1", "a.rawvf"] {
        let run = judge(["replay", &pack, "--match", chosen, "--svg", "3"]);
        assert!(run.code == 0 && run.stdout == alone, "{}", run.stderr);
        let odds = |file: &[&str]| judge(["odds", "--turn", "4"].iter().chain(file)).stdout;
        let of_pack = odds(&[&pack, "--match", chosen]);
        assert!(of_pack == odds(&[&format("person.rawvf")]) && !of_pack.is_empty());
        for kind in ["rawvf", "board", "pttacg", "mine"] {
            let run = judge(["convert", "--to", kind, &pack, "--match", chosen]);
            let expected = judge(["convert", "--to", kind, &format("person.rawvf")]);
            assert_eq!((run.code, run.stdout), (0, expected.stdout), "{kind}: {}", run.stderr);
        }
        let run = judge(["convert", "--to", "log", &pack, "--match", chosen]);
        assert!(run.code == 2 && run.stderr.contains("a log has no flags and chords"));
    }
    assert_eq!(judge(["convert", "--to", "board", &pack]).stdout.lines().count(), 2);
    assert_eq!(json(&judge(["bench", "--boards", &pack, "--json"]))["games"], 2);
    let run = judge(["replay", &pack]);
    assert!(run.code == 2 && run.stderr.contains("it has 2 matches; choose one"), "{}", run.stderr);
    let run = judge(["verify", &pack]);
    assert_eq!((run.code, run.stderr.matches("a recording of a person's mouse").count()), (2, 2));
    let run = judge(["coach", &pack, "--pages", folder.path().join("pages").to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn what_is_no_game_in_a_zip_file_is_left_out_and_named() {
    let folder = TempDir::new().unwrap();
    let person = fs::read(format("person.rawvf")).unwrap();
    let lite = fs::read(format("lite.json")).unwrap();
    let path = folder.path().join("games.zip");
    let judged = |files: &[(&str, &[u8])]| {
        let run = judge(["coach", &zipped(&path, files), "--json"]);
        let report: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        let games = report["games"]
            .as_array()
            .map_or(report["games"].as_u64().unwrap_or(0), |games| games.len() as u64);
        (run.code, games, run.stderr)
    };
    let person = ("a.rawvf", &person[..]);
    let (code, games, stderr) = judged(&[person, ("notes.txt", b"no game"), ("e.avf", b"")]);
    assert_eq!((code, games, stderr.lines().count()), (2, 1, 3), "{stderr}");
    assert!(stderr.contains("notes.txt: ") && stderr.contains("e.avf: it is empty"), "{stderr}");
    // What the system adds is no file of the person's.
    let added = [("__MACOSX/._a.rawvf", &b"\0\x05"[..]), (".DS_Store", b"\0\0"), ("in/", b"")];
    let (code, games, stderr) = judged(&[&[person][..], &added].concat());
    assert_eq!((code, games), (0, 1), "{stderr}");
    // People's games and a bot's.
    let mixed = [person, ("b.rawvf", person.1), ("lite.json", &lite[..])];
    let (code, games, stderr) = judged(&mixed);
    assert!(
        (code, games) == (2, 2) && stderr.contains("match 3 (line 1): a game of a bot"),
        "{stderr}"
    );
    let (code, games, stderr) = judged(&mixed[1..]);
    assert!((code, games) == (2, 1) && stderr.contains("a person's game"), "{stderr}");
    for (files, fault) in [
        (&[("a.txt", &b"x"[..]), ("b.txt", b"y")][..], "none of its 2 files is a game or a layout"),
        (&[person, ("small.mbf", &[2, 1, 0, 1, 0, 0])], "its files are not of one kind"),
        (&[], "it is empty"),
    ] {
        let (code, _, stderr) = judged(files);
        assert!(code == 2 && stderr.contains(fault), "{stderr}");
    }
    let inner = zipped(&folder.path().join("inner.zip"), &[person]);
    let (code, games, stderr) = judged(&[person, ("in.zip", &fs::read(inner).unwrap())]);
    let fault = "in.zip: a packed file: zip in another packed file: unpack that one first";
    assert!((code, games) == (2, 1) && stderr.contains(fault), "{stderr}");
    // A byte of one file is altered after it was packed.
    let pack = zipped(&path, &[("b.rawvf", b"Width: 7"), person]);
    let altered = fs::read(&pack).unwrap();
    let at = altered.windows(8).position(|part| part == b"Width: 7").unwrap();
    fs::write(&pack, [&altered[..at], b"x", &altered[at + 1..]].concat()).unwrap();
    let run = judge(["coach", &pack]);
    let fault = "b.rawvf: cannot unpack it: Invalid checksum";
    assert!(run.code == 2 && run.stderr.contains(fault), "{}", run.stderr);
    assert!(run.stdout.starts_with("1 game of people"), "{}", run.stdout);
}
