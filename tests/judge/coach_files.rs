//! What `judge coach` reads and writes: games from pipes, tables, and pages.

use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::bots::judge;
use crate::coach::{GAME, coach};
use crate::rules::json_of;

/// The tables of two bots that are compared with the same policy are compared game by game.
#[test]
fn pages_are_written_and_tables_compared() {
    let directory = TempDir::new().unwrap();
    let name = |file: &str| directory.path().join(file).to_str().unwrap().to_owned();
    let [table, pages] = ["cost.csv", "pages"].map(name);
    let run = coach(&[GAME, "--csv", &table, "--pages", &pages, "--dearest", "2", "--json"]);
    let report = json_of(&run);
    for decision in ["dearest", "best"].into_iter().flat_map(|key| report[key].as_array().unwrap())
    {
        let page = format!("{pages}/default-30x20-80.html#{}", decision["turn"]);
        assert_eq!(decision["page"], page);
        assert!(decision["address"].as_str().unwrap().starts_with("#field=30%2020%2080%0A"));
    }
    assert!(
        fs::read_to_string(format!("{pages}/default-30x20-80.html")).unwrap().contains("<html")
    );
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 1);
    let cost = report["all"]["cost"].as_f64().unwrap();
    let better = name("better.csv");
    fs::write(&better, format!("index,won,hits,cost\n0,0,9,{}\n", cost - 1.0)).unwrap();
    let compared = json_of(&judge(["compare", &table, &better, "--json"]));
    assert!((compared["cost"]["difference"].as_f64().unwrap() + 1.0).abs() < 1e-9, "{compared}");
    assert_eq!(compared["cost"]["b_better"], 1);
    // What means something else in a link is encoded in it.
    let odd = name("odd #1");
    let link = json_of(&coach(&[GAME, "--pages", &odd, "--dearest", "1", "--json"]));
    let link = link["dearest"][0]["page"].as_str().unwrap().to_owned();
    assert!(link.contains("/odd%20%231/default-30x20-80.html#"), "{link}");
    assert_eq!(link.matches('#').count(), 1);
    // Without --pages, the link is to the position in the page of all.
    let text = coach(&[GAME, "--dearest", "1"]).stdout;
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

#[test]
fn a_table_is_emptied_only_by_a_run_that_begins() {
    let directory = TempDir::new().unwrap();
    let table = directory.path().join("table.csv");
    fs::write(&table, "kept").unwrap();
    let path = table.to_str().unwrap();
    for options in [["--against", ""], ["--pages", "/dev/null"]] {
        let run = coach(&[&["--bot", "sapper", "--csv", path], &options[..]].concat());
        assert_eq!((run.code, fs::read_to_string(&table).unwrap().as_str()), (2, "kept"));
    }
}

/// Standard input, and a pipe, can be read once only.
#[test]
fn a_game_is_read_from_standard_input() {
    let expected = json_of(&coach(&[GAME, "--json"]));
    for file in ["-", "/dev/stdin"] {
        let script = "cat \"$1\" | \"$0\" coach --playouts 10 --json \"$2\"";
        let arguments = ["-c", script, env!("CARGO_BIN_EXE_judge"), GAME, file];
        let output = Command::new("sh").args(arguments).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{file}: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(report["all"], expected["all"]);
    }
}
