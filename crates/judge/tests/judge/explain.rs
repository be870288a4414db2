//! `judge explain`: its text and JSON for positions with known answers, its colours, and the input
//! that it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, judge, recorded};

fn sample(name: &str) -> PathBuf {
    Path::new(crate::bots::ROOT).join("samples").join(name)
}

fn explain(file: &Path, options: &[&str]) -> Run {
    let file = file.to_str().unwrap();
    judge(["explain", file, "--effort", "fast"].iter().chain(options))
}

fn drawn(field: &str, options: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("field.txt");
    fs::write(&file, field).unwrap();
    explain(&file, options)
}

/// The expected answers of a sample contain the explained move, and the sample's name states the
/// step.
#[test]
fn the_explained_move_is_an_expected_answer() {
    for (name, step) in [
        ("safe-by-one-number", "deduction"),
        ("safe-by-subset", "deduction"),
        ("safe-by-overlap", "deduction"),
        ("safe-by-total", "deduction"),
        ("safe-by-counting", "counting"),
        ("safe-by-total-and-counting", "counting"),
        ("forced-guess", "endgame"),
    ] {
        let run = explain(&sample(&format!("requests/{name}.json")), &["--json"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        let output: Value = serde_json::from_str(&run.stdout).unwrap();
        let expected =
            fs::read_to_string(sample(&format!("requests/{name}.expected.json"))).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let answers = expected["answer"].as_array().unwrap();
        assert!(answers.contains(&output["move"]["cell"]), "{name}: {}", output["move"]);
        assert_eq!(output["move"]["step"], step, "{name}");
        let proven = output["move"]["odds"] == json!(0.0);
        assert_eq!(proven, step != "endgame", "{name}");
        if step == "deduction" {
            let why = output["move"]["why"].as_array().unwrap();
            let [row, column] = [0, 1].map(|side| output["move"]["cell"][side].as_u64().unwrap());
            let last = why[why.len() - 1].as_str().unwrap();
            assert!(last.contains(&format!("({row},{column})")) && last.contains("safe"), "{last}");
        }
    }
}

#[test]
fn an_endgame_states_its_layouts_and_its_value() {
    let run = drawn("2 1 1\n..\n", &["--json"]);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    // One of the two cells is opened, and is the mine in one of the two layouts. No further mine is
    // opened.
    assert_eq!(
        output["move"]["endgame"],
        json!({"layouts": 2, "mined": 1, "cost": 1, "proven": true, "cells": [
            {"cell": [0, 0], "mined": 1, "cost": 1, "dead": true},
            {"cell": [0, 1], "mined": 1, "cost": 1, "dead": true},
        ]})
    );
    assert_eq!(output["move"]["equal"], json!([[0, 1]]));
    assert_eq!(output["fifty_fifties"], json!([{"sides": [[[0, 0]], [[0, 1]]], "beside": []}]));
    let text = drawn("2 1 1\n..\n", &[]).stdout;
    assert!(text.contains("by endgame") && text.contains("2 layouts"), "{text}");
    assert!(text.contains("0.500 mines are opened on average"), "{text}");
    let text = drawn("2 1 1\n..\n", &["--objective", "clean-win"]).stdout;
    assert!(text.contains("best play wins in 1 of 2 layouts (50.00 %)"), "{text}");
}

#[test]
fn a_guess_lists_its_candidates_with_their_costs() {
    let run = drawn("9 5 12\n1........\n.........\n....3....\n.........\n.........", &["--json"]);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(output["move"]["step"], "guess");
    let candidates = output["candidates"].as_array().unwrap();
    let number = |candidate: &Value, key: &str| candidate[key].as_f64().unwrap();
    let costs: Vec<f64> = candidates.iter().map(|candidate| number(candidate, "cost")).collect();
    assert!(costs.len() > 1 && costs.is_sorted());
    for candidate in candidates {
        let mean = (number(candidate, "next") + number(candidate, "second")) / 2.0;
        let sum = number(candidate, "odds") + mean;
        assert!((sum - number(candidate, "cost")).abs() < 1e-12);
        let [row, column] = [0, 1].map(|side| candidate["cell"][side].as_u64().unwrap() as usize);
        assert_eq!(output["odds"][row][column], candidate["odds"]);
    }
    let chosen =
        candidates.iter().find(|candidate| candidate["cell"] == output["move"]["cell"]).unwrap();
    assert!(number(chosen, "cost") <= costs[0] + 1e-8);
}

/// Every fact is told once, after those that its step uses, and nothing else is printed.
#[test]
fn a_step_uses_what_was_told_before_and_nothing_is_told_twice() {
    for field in ["safe-by-overlap", "safe-by-total-and-counting", "dense", "safe-by-total"] {
        let file = sample(&format!("fields/{field}.txt"));
        let output: Value = serde_json::from_str(&explain(&file, &["--json"]).stdout).unwrap();
        assert_eq!(output["version"], 1);
        let mut steps = Vec::new();
        for proof in [&output["easiest"], &output["move_proof"]] {
            steps.extend(proof["steps"].as_array().cloned().unwrap_or_default());
        }
        steps.extend(output["also"].as_array().unwrap().iter().cloned());
        assert!(steps.len() > 2, "{output}");
        let (mut safe, mut mines) = (Vec::new(), Vec::new());
        let cells = |value: &Value| value.as_array().unwrap().clone();
        let text = explain(&file, &[]).stdout;
        for step in &steps {
            assert!(cells(&step["known"]["safe"]).iter().all(|cell| safe.contains(cell)), "{step}");
            assert!(cells(&step["known"]["mines"]).iter().all(|cell| mines.contains(cell)));
            assert!(!cells(&step["numbers"]).is_empty() || step["total"] == true, "{step}");
            safe.extend(cells(&step["safe"]));
            mines.extend(cells(&step["mines"]));
            assert_eq!(text.matches(step["text"].as_str().unwrap()).count(), 1, "{text}");
        }
        for (told, proven) in [(&mut safe, &output["safe"]), (&mut mines, &output["mines"])] {
            told.sort_by_key(Value::to_string);
            let mut proven = cells(proven);
            proven.sort_by_key(Value::to_string);
            assert_eq!(*told, proven, "{field}");
        }
    }
}

#[test]
fn a_proof_is_told_in_the_numbers_on_the_board() {
    let field = "8 5 5\n00000000\n00000000\n00111000\n013.3221\n01......\n";
    let text = drawn(field, &[]).stdout;
    let expected = "Move: open (4,4), by deduction\n  \
                    The 3 at (3,2) has three hidden neighbours, (3,3), (4,2) and (4,3): all \
                    mines.\n  \
                    So the 2 mines left are all beside the 2 at (3,6): (4,4) is safe.\n";
    assert!(text.contains(expected), "{text}");
    // Where another cell is easier to prove than the move, it comes first.
    let text = explain(&sample("fields/safe-by-overlap.txt"), &[]).stdout;
    let [easiest, chosen] = ["Easiest: (3,5) is safe\n", "Move: open (1,5), by deduction\n"]
        .map(|line| text.find(line).unwrap_or_else(|| panic!("{text}")));
    assert!(easiest < chosen && text.contains(" >0<"), "{text}");
}

#[test]
fn a_move_that_the_stored_deductions_do_not_prove_has_its_numbers() {
    let run = drawn("6 3 5\n.....1\n..2.32\n..2..1", &["--json"]);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(output["move"]["cell"], json!([0, 1]));
    let steps = output["easiest"]["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["numbers"].as_array().unwrap().len() == 2), "{steps:?}");
}

/// In the middle of a game the text is short, with whole proofs of safe cells; `--all` has all.
#[test]
fn the_text_is_short_unless_all_is_asked_for() {
    let game = recorded("default-30x20-80.json");
    let also = |options: &[&str]| {
        let text = explain(&game, &[&["--turn", "12"], options].concat()).stdout;
        let (_, also) = text.split_once("\nAlso proven\n").unwrap();
        also.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let (short, all) = (also(&[]), also(&["--all"]));
    assert!((5..=13).contains(&short.len()) && all.len() > 50, "{short:?}");
    let (last, told) = short.split_last().unwrap();
    assert!(told.iter().all(|line| all.contains(line)), "{short:?}");
    // What "So" refers to stands before it, and the last line counts the rest.
    let at = |line: &String| all.iter().position(|other| other == line).unwrap();
    for (index, line) in told.iter().enumerate().filter(|(_, line)| line.starts_with("So ")) {
        assert_eq!(at(&told[index - 1]) + 1, at(line), "{short:?}");
    }
    let output = explain(&game, &["--turn", "12", "--json"]).stdout;
    let output: Value = serde_json::from_str(&output).unwrap();
    let steps = output["also"].as_array().unwrap();
    assert_eq!(steps.len(), all.len());
    let count = |key: &str| -> usize {
        let untold = steps.iter().filter(|step| !told.iter().any(|line| step["text"] == **line));
        untold.map(|step| step[key].as_array().unwrap().len()).sum()
    };
    let (safe, mines) = (count("safe"), count("mines"));
    let expected =
        format!("And {safe} more safe cells and {mines} more mines, as marked on the board");
    assert!(last.starts_with(&expected) && last.contains("--all"), "{last}");
}

/// The last line names no kind of cell of which there are none.
#[test]
fn the_rest_of_a_short_form_is_only_what_there_is() {
    let output = explain(&recorded("dense-11x11-80.json"), &["--turn", "53"]).stdout;
    let last = output.lines().find(|line| line.contains("as marked on the board")).unwrap();
    assert_eq!(last, "  And 59 more mines, as marked on the board; --all tells why.");
}

/// A 50/50 is told also while a safe cell is left, in one line.
#[test]
fn a_fifty_fifty_to_come_is_told() {
    let text = drawn("8 5 4\n0000001.\n0000013.\n000001..\n01110122\n0..10000\n", &[]).stdout;
    assert!(text.contains("Move: open (4,1)"), "{text}");
    assert!(text.contains("\n50/50, whatever is opened before: (0,7) or (1,7).\n"), "{text}");
}

/// A position with a 50/50 says so in words that need no knowledge of the program.
#[test]
fn a_fifty_fifty_is_named() {
    let text = explain(&sample("fields/forced-guess.txt"), &[]).stdout;
    for part in [
        "No cell is proven safe",
        "  As good: (1,7).\n",
        "(0,7) and (1,7) are a 50/50: one of them is a mine",
        "Waiting does not change its cost",
        "50/50 with (1,7)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("dead"), "{text}");
}

#[test]
fn one_cell_can_be_explained() {
    let field = sample("fields/safe-by-overlap.txt");
    for (cell, expected) in [
        ("0,4", "(0,4) is hidden; proven a mine\n  "),
        ("0,3", "(0,3) is open and shows 2, beside "),
        ("0,6", "(0,6) is hidden; a mine with 14.29 %\n"),
        ("1,5", "(1,5) is hidden; proven safe\n  "),
    ] {
        let text = explain(&field, &["--cell", cell]).stdout;
        assert!(text.contains(expected), "{text}");
    }
    // Of three cells in a row, the middle one is the mine, or it shows 1 and gives no information.
    let text = drawn("3 1 1\n...\n", &["--cell", "0,1"]).stdout;
    let single_spaced =
        text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    for row in [
        "| 1 | 66.67 % | 50.00 % | 0 |",
        "| a mine | 33.33 % | 0 % | 2 |",
        "On average the next move risks 33.33 %.",
    ] {
        assert!(single_spaced.contains(row), "{text}");
    }
    let asked = |field: &str, options: &[&str]| {
        let run = drawn(field, &[&["--json", "--cell"], options].concat());
        serde_json::from_str::<Value>(&run.stdout).unwrap()["asked"].take()
    };
    let middle = asked("3 1 1\n...\n", &["0,1", "--objective", "clean-win"]);
    assert_eq!(middle["cell"], json!([0, 1]));
    let [one, mine] = &middle["outcomes"].as_array().unwrap()[..] else { panic!("{middle}") };
    assert_eq!((&one["shows"], &one["next"], &one["safe"]), (&json!(1), &json!(0.5), &json!(0)));
    // With the objective of a clean win, a hit ends the game.
    assert_eq!((&mine["shows"], &mine["next"]), (&json!("mine"), &Value::Null));
    for (chance, expected) in
        [(&one["chance"], 2.0 / 3.0), (&mine["chance"], 1.0 / 3.0), (&middle["odds"], 1.0 / 3.0)]
    {
        assert!((chance.as_f64().unwrap() - expected).abs() < 1e-12, "{middle}");
    }
    let uncounted = asked("3 1\n1..\n", &["0,2"]);
    assert_eq!((&uncounted["outcomes"], &uncounted["odds"]), (&Value::Null, &json!(0.2)));
    assert_eq!(uncounted["about"], json!(["(0,2) is hidden; a mine with 20.00 %"]));
    let open = asked("3 1 1\n1..\n", &["0,0"]);
    assert!(open.get("outcomes").is_none() && open["about"][1] == "1 mine in (0,1)", "{open}");
    // A cell that is no candidate of the guess is evaluated too.
    let guess = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
    let text = drawn(guess, &["--cell", "1,4"]).stdout;
    assert!(text.contains("\n  The move after it risks "), "{text}");
    let text = drawn(guess, &["--cell", "1,4", "--objective", "clean-win"]).stdout;
    assert!(text.contains(" since it may be a zero.\n"), "{text}");
    for (objective, column) in [("clean-win", true), ("fewest-hits", false)] {
        let text = drawn(guess, &["--objective", objective]).stdout;
        assert_eq!(text.contains("| second-best | bonus of a zero |"), column, "{text}");
    }
    let text = drawn("3 1\n1..\n", &["--cell", "0,2"]).stdout;
    assert_eq!(text.matches("a mine with 20.00 %").count(), 1, "{text}");
    assert!(
        text.contains("not listed") && text.contains("no\nmine count") && text.contains("`W H M`"),
        "{text}"
    );
    for (cell, message) in [("9,0", "has 6 rows and 7 columns"), ("x", "give a row and a column")] {
        let run = explain(&field, &["--cell", cell]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

/// The known mines of a drawn field have not been opened; those of a game have.
#[test]
fn a_drawn_mine_is_called_known() {
    let text = drawn("4 2 3\n1??!\n1???\n", &["--cell", "0,3"]).stdout;
    assert!(text.starts_with("4x2, 3 mines: 1 known, 2 in 5 hidden cells"), "{text}");
    assert!(text.contains("\n(0,3) is a known mine\n") && !text.contains("opened"), "{text}");
    let text = drawn("2 2 1\n1!\n..\n", &[]).stdout;
    assert!(
        text.contains("The 1 at (0,0) has its mine already: ") && !text.contains("opened"),
        "{text}"
    );
    let request = r#"{"height":1,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":9}]}"#;
    let text = drawn(request, &["--cell", "0,0"]).stdout;
    assert!(
        text.contains("1 mine: 1 opened") && text.contains("(0,0) is a mine that was opened"),
        "{text}"
    );
}

#[test]
fn colours_are_used_on_terminals_or_on_request() {
    let field = sample("fields/safe-by-overlap.txt");
    let coloured = explain(&field, &["--color", "always"]).stdout;
    assert!(coloured.contains("\u{1b}[") && coloured.contains("48;5;"));
    assert!(coloured.contains("7% a mine with 7 % (brighter is riskier);"), "{coloured}");
    let plain = explain(&field, &[]).stdout;
    assert!(!plain.contains('\u{1b}') && !plain.contains("brighter"), "{plain}");
    assert_eq!(explain(&field, &["--color", "never"]).stdout, plain);
    // Without --color, the environment decides.
    let run = |name: &str, value: &str| {
        let mut command = crate::bots::judge_command();
        command.args(["explain", "--effort", "fast"]).arg(&field).env(name, value);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run("CLICOLOR_FORCE", "1"), coloured);
    assert_eq!(run("NO_COLOR", "1"), plain);
}

#[test]
fn a_turn_of_a_game_can_be_selected() {
    let game = recorded("default-30x20-80.json");
    let hidden = |run: &Run| {
        let output: Value = serde_json::from_str(&run.stdout).unwrap();
        let rows = output["odds"].as_array().unwrap();
        rows.iter().flat_map(|row| row.as_array().unwrap()).filter(|odds| !odds.is_null()).count()
    };
    assert_eq!(hidden(&explain(&game, &["--turn", "0", "--json"])), 600);
    assert_eq!(hidden(&explain(&game, &["--turn", "1", "--json"])), 599);
    let run = explain(&game, &["--turn", "999"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("there is no turn 999: the turns are 0 to 150"), "{}", run.stderr);
    let run = explain(&sample("fields/comb.txt"), &["--turn", "0"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("for a game only"), "{}", run.stderr);
}

#[test]
fn an_impossible_position_is_refused_with_all_reasons() {
    // The number that does not fit its neighbours, and each impossible component.
    let run = drawn("14 1 1\n1.00.11.11*8..", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    for reason in [
        "impossible position",
        "(0,11) shows 8, but at most",
        "the 1 at (0,0) and the 0 at (0,2) contradict each other",
        "the 0 at (0,3) and the 1 at (0,5) contradict each other",
        "0 mines are left, but the 1 at (0,6) needs at least 1",
        "\n     0  [1]  .  [0] [0]  .  [1] [1]  .",
    ] {
        assert!(run.stderr.contains(reason), "{reason}: {}", run.stderr);
    }
    let run = explain(&sample("requests/no-layout.json"), &["--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, report["conflicts"].as_array().unwrap().is_empty()), (2, false));
    let empty = drawn("", &[]);
    assert_eq!((empty.code, empty.stdout.as_str()), (2, ""));
    assert!(empty.stderr.contains("is empty: it has no position"), "{}", empty.stderr);
    assert_eq!(drawn("2 1 1\n..", &["--density", "0.3"]).code, 2);
    let open = drawn("2 1 1\n*1", &[]);
    assert!(open.stdout.contains("Every cell is open"), "{}", open.stdout);
}

#[test]
fn without_a_mine_count_the_density_is_used() {
    let run = drawn("4 1\n1.?.", &["--density", "0.25", "--json"]);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&output["minecount"], &output["density"]), (&Value::Null, &json!(0.25)));
    assert_eq!(output["move"]["step"], "guess");
    let far = output["odds"][0][3].as_f64().unwrap();
    assert!((far - 0.25).abs() < 1e-12);
}

#[test]
fn the_legend_explains_the_symbols_of_the_picture() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("field.txt");
    let legend = |field: &str| {
        std::fs::write(&file, field).unwrap();
        let run = judge(["explain", file.to_str().unwrap(), "--effort", "fast"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let lines = run.stdout.lines().filter(|line| line.contains(" cells: "));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        legend("4 2 3\n1??!\n1???\n"),
        "Hidden cells: 7% a mine with 7 %; >7< the move\n\
         Open cells: 0-8 mines around it; * a known mine"
    );
    // Symbols that the picture does not contain are not explained.
    assert_eq!(
        legend("3 1 1\n1??\n"),
        "Hidden cells: [0] proven safe; [F] proven a mine (a flag); >7< the move\n\
         Open cells: 0-8 mines around it"
    );
    assert_eq!(legend("2 1 0\n00\n"), "Open cells: 0-8 mines around it");
}

#[test]
fn the_chance_to_win_is_told_exactly_or_with_its_uncertainty() {
    let path = |name: &str| sample(name).to_str().unwrap().to_owned();
    let forced = path("fields/forced-guess.txt");
    let exact = judge(["explain", &forced, "--objective", "clean-win"]);
    let told = "Chance to win: 50.00 % (over all layouts with best play)\n";
    assert!(exact.stdout.contains(told), "{}", exact.stdout);
    let game = path("games/default-30x20-80.json");
    let guess = [&game, "--turn", "3"];
    let explained = |options: &[&str]| {
        let run = judge([&["explain"], &guess[..], options].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let text = explained(&["--objective", "clean-win", "--playouts", "40"]);
    let line = text.lines().find(|line| line.starts_with("Chance to win: ")).unwrap();
    assert!(line.ends_with(", in 40 playouts)") && line.contains(" % (± "), "{line}");
    let mines = explained(&["--playouts", "40"]);
    assert!(mines.contains("\nMines still to be expected: "), "{mines}");
    assert!(!explained(&["--playouts", "0"]).contains("to be expected"));
    let json = |playouts: &str| -> Value {
        let text = explained(&["--objective", "clean-win", "--playouts", playouts, "--json"]);
        serde_json::from_str(&text).unwrap()
    };
    let (few, many) = (json("20"), json("100"));
    assert_eq!(json("20"), few);
    let within = |report: &Value| report["chance"]["cells"][0]["within"].as_f64().unwrap();
    assert!(within(&many) < within(&few) && within(&many) > 0.0, "{few} {many}");
    assert_eq!(many["chance"]["cells"][0]["cell"], many["move"]["cell"]);
    let percent = 100.0 * json("40")["chance"]["cells"][0]["chance"].as_f64().unwrap();
    assert!(line.starts_with(&format!("Chance to win: {percent:.1} %")), "{line} {percent}");
    assert!(json("0").get("chance").is_none());
    // As many as are asked for, but no fewer than tell an uncertainty.
    assert_eq!(json("33")["chance"]["playouts"], 33);
    assert_eq!(json("5"), few);
}
