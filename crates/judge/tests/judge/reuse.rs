//! `--reuse`: a bot that keeps running is kept for the next games.

use serde_json::{Value, json};

use crate::bots::{MARKER, Run, SMALL, Script, judge, opening, safe_cells, small_field};

/// The games are the same, whether the bot is started for each or once for all.
#[test]
fn a_bot_that_is_reused_is_started_once() {
    let program = env!("CARGO_BIN_EXE_judge");
    let bot = Script::new(&format!(
        "echo >> \"$here/starts\"; exec '{program}' sapper --keep-running --effort fast"
    ));
    let options = ["--level", "9x9/10", "--seeds", "1..8", "--jobs", "1", "--json"];
    let games = |run: &Run| -> Vec<[Value; 3]> {
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let games = report["games"].as_array().unwrap().iter();
        games.map(|game| ["seed", "mines", "turns"].map(|key| game[key].clone())).collect()
    };
    let fresh = bot.play(&options);
    assert_eq!((fresh.code, bot.text("starts").lines().count()), (0, 8), "{}", fresh.stderr);
    let reused = bot.play(&[&options[..], &["--reuse"]].concat());
    assert_eq!((reused.code, bot.text("starts").lines().count()), (0, 9), "{}", reused.stderr);
    assert_eq!(games(&reused), games(&fresh));
    // In a pit each bot has its own.
    let pit = [
        "pit",
        "--bot",
        &bot.command,
        "--bot",
        &format!("sapper='{program}' sapper --keep-running"),
    ];
    let pit = judge(pit.iter().chain(&options).chain(&["--reuse"]));
    assert_eq!((pit.code, bot.text("starts").lines().count()), (0, 10), "{}", pit.stderr);
}

/// A bot that ends after a game although it was kept running has a fault in the next.
#[test]
fn a_reused_bot_that_ends_is_a_fault_of_the_next_game() {
    let cells: Vec<Value> = [1, 2, 3]
        .map(small_field)
        .into_iter()
        .flat_map(|field| opening(&field, safe_cells(&field)))
        .collect();
    let first = opening(&small_field(1), safe_cells(&small_field(1))).len();
    let bot = Script::with_answers(
        &cells,
        &format!(
            "turns=0; while [ $turns -lt {first} ] && read -r line; do next; echo \"$answer\"; \
             echo '{MARKER}'; turns=$((turns + 1)); done"
        ),
    );
    let run = bot.play(&[&SMALL[..], &["--seeds", "1..2", "--reuse", "--json"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let outcomes = [0, 1].map(|index| &report["games"][index]["outcome"]);
    assert_eq!((run.code, outcomes), (1, [&json!("done"), &json!("crash")]), "{report}");
}

/// A bot that has a fault is not kept, and says in its report why.
#[test]
fn a_fault_does_not_spoil_the_next_game() {
    // It answers the third request of its life with a cell outside the field, or with no response.
    for (wrong, reason) in [("{\"response\":{\"row\":9,\"col\":0}}", "9"), ("{}", "response")] {
        let cells: Vec<Value> = (1..=3)
            .map(small_field)
            .flat_map(|field| opening(&field, safe_cells(&field)).into_iter().take(2))
            .collect();
        let bot = Script::with_answers(
            &cells,
            &format!(
                "turns=0; echo started >&2; while read -r line; do if [ $turns -lt 2 ]; then \
                 next; else answer='{wrong}'; fi; echo \"$answer\"; echo '{MARKER}'; \
                 turns=$((turns + 1)); done"
            ),
        );
        let run = bot.play(&[&SMALL[..], &["--seeds", "1..3", "--reuse", "--json"]].concat());
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        for game in report["games"].as_array().unwrap() {
            assert_eq!((&game["outcome"], &game["turns"]), (&json!("illegal"), &json!(3)));
            assert!(game["reason"].as_str().unwrap().contains(reason), "{game}");
            assert_eq!(game["stderr"], "started");
        }
    }
}

/// At the end a reused bot reads the end of its input, as one that is not reused.
#[test]
fn a_reused_bot_ends_by_itself() {
    let program = env!("CARGO_BIN_EXE_judge");
    let bot = Script::new(&format!(
        "'{program}' sapper --keep-running --effort fast; echo ended >> \"$here/ends\""
    ));
    let options = ["--level", "9x9/10", "--seeds", "1..3", "--jobs", "1", "--reuse"];
    assert_eq!(bot.play(&options).code, 0);
    assert_eq!(bot.text("ends"), "ended\n");
}
