//! What `judge coach` reads and writes: games from pipes, tables, and pages.

use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use analysis::mistakes::cost_text;
use sapper::settings::params::Objective;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ONCE, Script, judge};
use crate::coach::{GAME, coach};
use crate::rules::json_of;

/// The tables of two bots that are compared with the same policy are compared game by game.
#[test]
fn pages_are_written_and_tables_compared() {
    let directory = TempDir::new().unwrap();
    let name = |file: &str| directory.path().join(file).to_str().unwrap().to_owned();
    let [table, pages] = ["cost.csv", "pages"].map(name);
    let run = coach(&[GAME, "--csv", &table, "--pages", &pages, "--list", "2", "--json"]);
    let report = json_of(&run);
    for decision in
        ["costliest", "gains"].into_iter().flat_map(|key| report[key].as_array().unwrap())
    {
        let page = Path::new(&pages).join("default-30x20-80.html");
        let page = format!(
            "{}#{}",
            page.display().to_string().replace(std::path::MAIN_SEPARATOR, "/"),
            decision["turn"]
        );
        assert_eq!(decision["page"], page);
        assert!(decision["address"].as_str().unwrap().starts_with("#field=30%2020%2080%0A"));
    }
    assert!(
        fs::read_to_string(format!("{pages}/default-30x20-80.html")).unwrap().contains("<html")
    );
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 1);
    let cost = report["all"]["cost"].as_f64().unwrap();
    let better = name("better.csv");
    let options = "--level 30x20/80,--objective fewest-hits --effort fast";
    // The seed of the game.
    let row = format!("12345,0,9,{},{options}", cost - 1.0);
    fs::write(&better, format!("index,won,hits,cost,options,policy\n{row}\n")).unwrap();
    let compared = json_of(&judge(["compare", &table, &better, "--json"]));
    assert!((compared["cost"]["difference"].as_f64().unwrap() + 1.0).abs() < 1e-9, "{compared}");
    assert_eq!(compared["cost"]["b_better"], 1);
    // What means something else in a link is encoded in it.
    let odd = name("odd #1");
    let link = json_of(&coach(&[GAME, "--pages", &odd, "--list", "1", "--json"]));
    let link = link["costliest"][0]["page"].as_str().unwrap().to_owned();
    assert!(link.replace('\\', "/").contains("/odd%20%231/default-30x20-80.html#"), "{link}");
    assert_eq!(link.matches('#').count(), 1);
    // Without --pages, the link is to the position in the page of all.
    let text = coach(&[GAME, "--list", "1"]).stdout;
    assert!(text.contains("\nsapper.html#field=30%2020%2080%0A"), "{text}");
}

/// An account may be the work of hours.
#[test]
fn a_page_that_cannot_be_written_costs_no_account() {
    let directory = TempDir::new().unwrap();
    let pages = directory.path().join("pages");
    fs::create_dir_all(pages.join("default-30x20-80.html")).unwrap();
    let run = coach(&[GAME, "--pages", pages.to_str().unwrap()]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot write") && run.stderr.contains("default-30x20-80.html"));
    assert_eq!(run.stdout, coach(&[GAME]).stdout);
}

#[cfg(unix)]
#[test]
fn a_table_is_emptied_only_by_a_run_that_begins() {
    let directory = TempDir::new().unwrap();
    let table = directory.path().join("table.csv");
    let path = table.to_str().unwrap();
    fs::write(&table, "index,kept").unwrap();
    for options in [["--against", ""], ["--pages", "/dev/null"]] {
        let run = coach(&[&["--bot", "sapper", "--csv", path], &options[..]].concat());
        assert_eq!((run.code, fs::read_to_string(&table).unwrap().as_str()), (2, "index,kept"));
    }
    // As where the name of the table was forgotten: `--csv games/*.json`.
    let game = directory.path().join("game.json");
    fs::copy(GAME, &game).unwrap();
    for (input, message) in [
        (GAME, "game.json: it exists, and is no table that begins with the column index; name"),
        (game.to_str().unwrap(), "game.json: it is the file that is read; name another file"),
    ] {
        let run = coach(&[input, "--csv", game.to_str().unwrap()]);
        assert!(run.code == 2 && run.stderr.contains(message), "{}", run.stderr);
    }
    assert_eq!(fs::read(&game).unwrap(), fs::read(GAME).unwrap());
    fs::write(&table, "").unwrap();
    for rows in [2, 2] {
        assert_eq!(coach(&[GAME, "--csv", path]).code, 0);
        assert_eq!(fs::read_to_string(&table).unwrap().lines().count(), rows);
    }
}

/// A file that is no game, or one of another rule, costs no other file its account.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_judged_are_reported_and_left_out() {
    let expected = json_of(&coach(&[GAME, "--json"]));
    let skipped = GAME.replace("default-30x20", "skipfirst-30x20");
    // A game of another rule, and a file that is left out.
    let directory = TempDir::new().unwrap();
    let log = directory.path().to_str().unwrap();
    let classic = ["--level", "6x5/7", "--rule", "safe-first", "--seeds", "1", "--log", log];
    assert_eq!(judge([&["play", "--bot", "sapper"], &classic[..]].concat()).code, 0);
    let classic = format!("{log}/6x5-7-1-safe-first.json");
    let table = format!("{log}/table.csv");
    let run = coach(&[&skipped, GAME, &classic, "--csv", &table]);
    let message = format!("{classic}: a game by safe-first, and those before by botzone");
    assert!(run.code == 2 && run.stderr.contains(&message), "{}", run.stderr);
    let rows = fs::read_to_string(&table).unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    assert!(rows.len() == 2 && rows[1].starts_with("12345,"), "{rows:?}");
    let run = coach(&[&classic, "--effort", "standard", "--csv", &table]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let options = "--level 6x5/7 --rule safe-first --first 0,0,--objective clean-win \
                   --effort standard";
    assert!(fs::read_to_string(&table).unwrap().contains(&options.replace("0,0,", "0,0\",")));
    for options in [&[][..], &["--json"]] {
        let run = coach(&[&[&skipped, GAME, "Cargo.toml"], options].concat());
        assert_eq!(run.code, 2);
        let lines: Vec<&str> = run.stderr.lines().collect();
        assert!(lines[0].contains("not all layouts are equally likely"), "{lines:?}");
        assert!(lines[1].contains("Cargo.toml: not a recorded game"), "{lines:?}");
        assert_eq!((lines[2], lines.len()), ("judge: 2 files were not judged; see above", 3));
        if options.is_empty() {
            assert_eq!(run.stdout, coach(&[GAME]).stdout);
        } else {
            let report = json_of(&run);
            assert_eq!((&report["games"], &report["all"]), (&json!(1), &expected["all"]));
            assert_eq!(report["not_judged"][0]["file"], skipped);
        }
    }
    // A name that is not UTF-8, and no name.
    let odd = OsStr::from_bytes(b"/no-such-\xff.json");
    let mut run = crate::bots::judge_command();
    let run = run.args(["coach", "--playouts", "10", "--json", GAME]).args([odd, "-".as_ref()]);
    let output = run.stdin(Stdio::null()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["games"]), (Some(2), &json!(1)));
    assert_eq!(report["not_judged"][1]["file"], "standard input");
    let run = coach(&[&skipped, "samples/requests/*.jsonl"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains(".keep.jsonl: not a recorded game"), "{}", run.stderr);
    assert!(run.stderr.ends_with("no file can be judged; see above\n"), "{}", run.stderr);
}

#[test]
fn recorded_faults_and_games_without_an_end_are_named() {
    let directory = TempDir::new().unwrap();
    let open = directory.path().join("open.json");
    let mut game: Value = serde_json::from_str(&fs::read_to_string(GAME).unwrap()).unwrap();
    game["log"].as_array_mut().unwrap().truncate(41);
    fs::write(&open, game.to_string()).unwrap();
    let fault = GAME.replace("default-30x20-80", "null-answer");
    let run = coach(&[&fault, open.to_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains(&format!("\n{fault}: illegal in turn 7\n")), "{}", run.stdout);
    let faults = "\nFAULTS: 1 illegal; a fault has no cost in this account; its game counts in \
                  the table as far as it went, and the CSV file has no cost\n";
    assert!(run.stdout.contains(faults), "{}", run.stdout);
    assert!(run.stdout.contains("\n1 game has no end: "), "{}", run.stdout);
    let report = json_of(&coach(&[&fault, open.to_str().unwrap(), "--json"]));
    // Of two games the sum may be chance, and has no shares.
    let (low, high) = (&report["all"]["interval"][0], &report["all"]["interval"][1]);
    assert!(low.as_f64().unwrap() < 0.0 && 0.0 < high.as_f64().unwrap(), "{report}");
    assert_eq!(report["all"]["share"], Value::Null);
    assert_eq!(report["unfinished"], 1);
    let first = json!({"game": fault, "outcome": "illegal", "turn": 7});
    assert_eq!(report["first_faults"], json!([first]));
}

/// A bare log of another size than the official ones states a field that was not played.
#[test]
fn a_bare_log_that_states_another_field_is_refused() {
    let directory = TempDir::new().unwrap();
    let log = directory.path().to_str().unwrap();
    let boards = ["--bot", "sapper", "--seeds", "1", "--log", log];
    for level in ["9x9/10", "30x20/80"] {
        assert_eq!(judge([&["play"], &boards[..], &["--level", level]].concat()).code, 0);
        let path = format!("{log}/{}-1.json", level.replace('/', "-"));
        let game: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        fs::write(&path, game["log"].to_string()).unwrap();
        let run = coach(&[&path, "--json"]);
        if level == "30x20/80" {
            assert_eq!((run.code, &json_of(&run)["games"]), (0, &json!(1)));
            continue;
        }
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{level}");
        let message =
            "the requests are of a field of 9x9, but by Botzone's limits of size the init data ";
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(judge(["verify", &path]).stderr.contains(message));
    }
}

/// The order of the files does not matter: a row has the seed of its game.
#[cfg(unix)]
#[test]
fn a_row_has_the_seed_of_its_game() {
    let directory = TempDir::new().unwrap();
    let log = directory.path().to_str().unwrap();
    let simple = "python3 samples/bots/simple.py --keep-running";
    let bot = ["--bot", simple, "--level", "6x5/7", "--seeds", "9..11", "--log", log];
    let table = format!("{log}/table.csv");
    let rows = |options: &[&str]| -> Vec<String> {
        assert_eq!(coach(&[options, &["--csv", &table]].concat()).code, 0);
        fs::read_to_string(&table).unwrap().lines().skip(1).map(str::to_owned).collect()
    };
    let played = rows(&bot);
    // As a shell lists them.
    let files = [10, 11, 9].map(|seed| format!("{log}/6x5-7-{seed}.json"));
    let read = rows(&files.each_ref().map(String::as_str));
    // The playouts of a game are those of its seed, too.
    assert_eq!([2, 0, 1].map(|index| read[index].as_str()), [0, 1, 2].map(|index| &*played[index]));
    assert!(played[0].starts_with("9,") && played.len() == 3, "{played:?}");
}

/// Games that begin alike have a decision in common: it is listed once, with one page.
#[cfg(unix)]
#[test]
fn a_first_cell_is_listed_once_for_all_its_games() {
    let directory = TempDir::new().unwrap();
    let pages = directory.path().join("pages");
    // Cells inside, and the same again, which is a fault: three games with the first.
    let cells = [2, 3, 2, 4, 2].map(|column| json!({"response": {"row": 2, "col": column}}));
    let bot = Script::with_answers(&cells.map(|cell| [cell.clone(), cell]).concat(), ONCE);
    let options = ["coach", "--bot", &bot.command, "--level", "6x5/7", "--jobs", "1"];
    let options =
        [&options[..], &["--seeds", "1..5", "--playouts", "60", "--per-kind", "9"]].concat();
    let run = judge([&options[..], &["--list", "1", "--pages", pages.to_str().unwrap()]].concat());
    let (line, games) =
        ("1. seed 1, turn 0, first cell: costs ", ", in each of 3 games; the 5 of this kind cost ");
    assert!(run.stdout.contains(line) && run.stdout.contains(games), "{}", run.stdout);
    assert!(run.stdout.contains("/seed-1.html#0\n"), "{}", run.stdout);
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 1);
    bot.restart();
    let report = json_of(&judge([&options[..], &["--json"]].concat()));
    let first = &report["costliest"][0];
    assert_eq!((&first["games"], &first["cell"]), (&json!(3), &json!([2, 2])), "{report}");
    assert!(first["playouts"].as_u64() >= Some(180));
    let listed = report["costliest"].as_array().unwrap();
    let of = |one: &Value, key: &str| one[key].as_f64().unwrap();
    let total: f64 = listed.iter().map(|one| of(one, "cost") * of(one, "games")).sum();
    let all = 5.0 * report["all"]["cost"].as_f64().unwrap();
    // Each of the three cells costs clearly more than a corner.
    assert!(listed.len() == 3 && (total - all).abs() < 1e-9, "{report}");
}

/// In an endgame that is solved no playout is needed.
#[cfg(unix)]
#[test]
fn exact_costs_are_told_as_exact() {
    let simple = "python3 samples/bots/simple.py --keep-running";
    let options = ["coach", "--bot", simple, "--level", "5x5/6", "--seeds", "1..10"];
    let options = [&options[..], &["--playouts", "2", "--list", "99", "--per-kind", "99"]].concat();
    let report = json_of(&judge([&options[..], &["--json"]].concat()));
    let listed = ["costliest", "gains"].into_iter().flat_map(|key| report[key].as_array().unwrap());
    let exact: Vec<&Value> = listed.filter(|one| one["playouts"] == 0).collect();
    assert!(!exact.is_empty(), "{report}");
    let text = judge(options).stdout;
    assert_eq!(text.matches(" (exact)").count(), exact.len(), "{text}");
    for one in exact {
        assert_eq!(
            (&one["standard_error"], &one["kind"]),
            (&json!(0.0), &json!("endgame that is solved"))
        );
        let line = format!(
            "{}, turn {}, endgame that is solved: costs {:.3} mines (exact)",
            one["game"].as_str().unwrap(),
            one["turn"],
            one["cost"].as_f64().unwrap()
        );
        assert!(text.contains(&line), "{line}{text}");
    }
    let few = judge(["coach", "--bot", "sapper", "--playouts", "1"]);
    assert!(few.code == 2 && few.stderr.contains("give a whole number from 2"), "{}", few.stderr);
}

/// A field that the init data give is not the one of the seed.
#[test]
fn a_given_field_is_told_from_the_board_of_the_seed() {
    let directory = TempDir::new().unwrap();
    let [path, table] =
        ["given.json", "table.csv"].map(|name| directory.path().join(name).display().to_string());
    let mut game: Value = serde_json::from_str(&fs::read_to_string(GAME).unwrap()).unwrap();
    game["initdata_given"]["field"] = game["log"][0]["output"]["initdata"]["field"].clone();
    fs::write(&path, game.to_string()).unwrap();
    assert_eq!(coach(&[&path, "--csv", &table]).code, 0);
    let rows = fs::read_to_string(&table).unwrap();
    let (_, mark) = rows.split_once(",\"--level 30x20/80, field ").unwrap();
    assert!(
        mark[..8].bytes().all(|byte| byte.is_ascii_hexdigit()) && &mark[8..9] == "\"",
        "{rows}"
    );
}

/// A bot that has not played has no table of decisions.
#[cfg(unix)]
#[test]
fn a_bot_that_fails_at_once_is_told_to_mend_that() {
    let run = coach(&["--bot", "false", "--level", "6x5/7", "--games", "2", "--jobs", "1"]);
    assert_eq!(run.code, 1);
    assert!(!run.stdout.contains('|') && run.stdout.contains("FAULT in turn 0"), "{}", run.stdout);
    let message = "\nFAULTS: 2 crash; no game without a fault: mend that first\n";
    assert!(run.stdout.ends_with(message), "{}", run.stdout);
}

/// The list has what is hardly chance, and the text has costs in points of the chance to win.
#[cfg(unix)]
#[test]
fn clear_costs_are_listed_with_their_weight() {
    let bot = ["--bot", "python3 samples/bots/simple.py --keep-running", "--seeds", "1..8"];
    let level = ["--level", "8x8/10", "--rule", "safe-first", "--list", "99", "--per-kind", "99"];
    let options = [&bot[..], &level].concat();
    let report = json_of(&coach(&[&options[..], &["--json"]].concat()));
    let listed = ["costliest", "gains"].into_iter().flat_map(|key| report[key].as_array().unwrap());
    let listed: Vec<&Value> = listed.collect();
    let of = |decision: &Value, key: &str| decision[key].as_f64().unwrap();
    assert!(listed.iter().all(|one| of(one, "cost").abs() > 2.0 * of(one, "standard_error")));
    assert!(report["differing"].as_u64().unwrap() > listed.len() as u64);
    let weighed = listed.iter().find(|one| of(one, "weight") < 1.0).expect("a later decision");
    let text = coach(&options).stdout;
    let (cost, weight) = (of(weighed, "cost"), of(weighed, "weight"));
    let line = format!(
        "{}, turn {}, {}: {} {} (s.e. {:.2}), {:.2} with the weight {weight:.3}; the ",
        weighed["game"].as_str().unwrap(),
        weighed["turn"],
        weighed["kind"].as_str().unwrap(),
        if cost > 0.0 { "costs" } else { "gains" },
        cost_text((weight * cost).abs(), Objective::CleanWin),
        100.0 * weight * of(weighed, "standard_error"),
        100.0 * cost.abs(),
    );
    assert!(text.contains(&line), "{line}{text}");
    assert!(
        text.contains("\nCosts are points of the chance to win, above those of the cell of sapper")
    );
    assert!(text.contains("\nA guess that would hit is survived: "), "{text}");
    assert!(
        text.contains("\nThe links open sapper.html, which a release has and `cargo sapper page` "),
        "{text}"
    );
    let all = text.lines().find(|line| line.starts_with("| all ")).unwrap();
    let cost = format!("| {:+.2} ", 100.0 * report["all"]["cost"].as_f64().unwrap());
    assert!(all.contains(&cost), "{all}");
}

/// Standard input, and a pipe, can be read once only.
#[cfg(unix)]
#[test]
fn a_game_is_read_from_standard_input() {
    let expected = json_of(&coach(&[GAME, "--json"]));
    for file in ["-", "/dev/stdin"] {
        let script = "cat \"$1\" | \"$0\" coach --playouts 4 --json \"$2\"";
        let arguments = ["-c", script, env!("CARGO_BIN_EXE_judge"), GAME, file];
        let output = crate::bots::shell().args(arguments).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{file}: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(report["all"], expected["all"]);
    }
}
