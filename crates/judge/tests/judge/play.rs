//! `judge play` with bots without faults: both modes of the protocol, records, and bad usage.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use game::record::Record;
use serde_json::{Value, json};

use crate::bots::{
    MARKER, ONCE, SMALL, Script, game_on_file, judge, opening, recorded, safe_cells, small_field,
};

#[cfg(unix)]
#[test]
fn a_bot_that_knows_the_board_scores_100() {
    let field = small_field(1);
    let answers = opening(&field, safe_cells(&field));
    let game = Script::with_answers(&answers, ONCE).game(&SMALL);
    assert_eq!(
        (&game["outcome"], &game["score"], &game["mines"], &game["turns"]),
        (&json!("done"), &json!(100.0), &json!(0), &json!(answers.len()))
    );
}

#[cfg(unix)]
#[test]
fn a_bot_that_opens_every_mine_first_scores_0() {
    let field = small_field(1);
    let answers = opening(&field, field.mines().chain(safe_cells(&field)));
    let game = Script::with_answers(&answers, ONCE).game(&SMALL);
    assert_eq!(
        (&game["outcome"], &game["score"], &game["mines"], &game["turns"]),
        (&json!("done"), &json!(0.0), &json!(7), &json!(answers.len()))
    );
}

#[cfg(unix)]
#[test]
fn a_bot_started_every_turn_reads_the_history_and_gets_its_data_back() {
    let field = small_field(1);
    let answers: Vec<Value> = opening(&field, field.mines().chain(safe_cells(&field)))
        .into_iter()
        .enumerate()
        .map(|(turn, mut answer)| {
            answer["data"] = json!(format!("turn {turn}"));
            answer
        })
        .collect();
    let bot = Script::with_answers(
        &answers,
        "read -r line; echo \"$line\" >> \"$here/seen\"; next; echo \"$answer\"",
    );
    assert_eq!(bot.game(&SMALL)["outcome"], "done");
    let seen = bot.text("seen");
    let seen: Vec<Value> = seen.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(seen.len(), answers.len());
    assert_eq!(
        seen[0]["requests"],
        json!([{"changed": null, "height": 5, "minecount": 7, "width": 6}])
    );
    assert_eq!((&seen[0]["time_limit"], &seen[1]["time_limit"]), (&json!(2.0), &json!(1.0)));
    assert_eq!((seen[0].get("data"), &seen[3]["data"]), (None, &json!("turn 2")));
    assert_eq!(seen[3]["requests"].as_array().unwrap().len(), 4);
    assert_eq!(seen[3]["requests"][3]["changed"][0]["val"], 9);
    let given: Value = answers[..3].iter().map(|answer| answer["response"].clone()).collect();
    assert_eq!(seen[3]["responses"], given);
}

#[cfg(unix)]
#[test]
fn a_bot_that_prints_the_marker_is_kept_running_and_reads_single_requests() {
    let field = small_field(1);
    let answers = opening(&field, field.mines().chain(safe_cells(&field)));
    let loops = format!(
        "echo started >> \"$here/starts\"\n\
         while read -r line; do \
         echo \"$line\" >> \"$here/seen\"; next; echo \"$answer\"; echo '{MARKER}'; \
         done\n\
         echo ended >> \"$here/ends\""
    );
    let bot = Script::with_answers(&answers, &loops);
    let game = bot.game(&SMALL);
    assert_eq!((&game["outcome"], &game["mines"]), (&json!("done"), &json!(7)));
    assert_eq!(bot.text("starts"), "started\n");
    assert_eq!(bot.text("ends"), "ended\n");
    let seen = bot.text("seen");
    let seen: Vec<Value> = seen.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(seen.len(), answers.len());
    assert_eq!(seen[0]["requests"].as_array().unwrap().len(), 1);
    for bare in &seen[1..] {
        let keys: Vec<&String> = bare.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["changed", "height", "minecount", "width"]);
    }
}

#[cfg(unix)]
#[test]
fn a_response_may_be_a_string_that_holds_the_object() {
    let field = small_field(1);
    let answers: Vec<Value> = opening(&field, safe_cells(&field))
        .iter()
        .map(|answer| json!({"response": answer["response"].to_string()}))
        .collect();
    assert_eq!(Script::with_answers(&answers, ONCE).game(&SMALL)["score"], 100.0);
}

/// The answers and the options of the recorded game on the largest field. Its histories exceed the
/// capacity of a pipe.
fn largest() -> (Vec<Value>, [&'static str; 6]) {
    let path = recorded("largest-80x40-80.json");
    let record = Record::read(&fs::read_to_string(path).unwrap()).unwrap();
    let answers =
        record.log.iter().skip(1).step_by(2).map(|item| json!({"response": item["0"]["response"]}));
    // A shell reads a line byte by byte, which may take more than a second on a busy machine.
    let options = ["--level", "80x40/80", "--seeds", "5", "--time-limit", "20"];
    (answers.collect(), options)
}

#[cfg(unix)]
#[test]
fn a_bot_may_answer_without_reading() {
    let (answers, options) = largest();
    for script in ["next; echo \"$answer\"", "exec 0<&-; next; echo \"$answer\""] {
        let bot = Script::with_answers(&answers, script);
        let run = bot.play(&options);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("score 100.00  mines   0  turns   25"), "{}", run.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_record_is_reproducible_and_verifies() {
    let (answers, options) = largest();
    let (mut texts, mut games) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let bot = Script::with_answers(&answers, ONCE);
        let logs = bot.path("logs");
        let run = bot.play(&[&options[..], &["--log", logs.to_str().unwrap()]].concat());
        assert_eq!(run.code, 0, "{}", run.stdout);
        let files: Vec<PathBuf> =
            fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files, [logs.join("80x40-80-5.json")]);
        assert_eq!(judge([Path::new("verify"), &files[0]]).code, 0);
        texts.push(fs::read_to_string(&files[0]).unwrap());
        games.push(game_on_file(&files[0]));
    }
    assert_eq!(games[0], games[1]);
    // The record equals the official judge's, except for what the platform measured.
    let record = Record::read(&texts[0]).unwrap();
    let official = fs::read_to_string(recorded("largest-80x40-80.json"));
    let official = Record::read(&official.unwrap()).unwrap();
    assert_eq!((record.rules, record.log.len()), (None, official.log.len()));
    for (ours, theirs) in record.log.iter().zip(&official.log) {
        assert_eq!(ours["output"], theirs["output"]);
        assert_eq!(ours["0"]["response"], theirs["0"]["response"]);
        assert_eq!((keys(ours), keys(&ours["0"])), (keys(theirs), keys(&theirs["0"])));
    }
}

fn keys(item: &Value) -> BTreeSet<String> {
    item.as_object().into_iter().flat_map(|item| item.keys().cloned()).collect()
}

#[cfg(unix)]
#[test]
fn records_of_any_size_and_of_faults_verify() {
    for (index, (script, options)) in [
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'", vec!["--level", "1x1/0"]),
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'", vec!["--level", "2x2/4"]),
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'", vec!["--level", "7x3/5", "--skipfirst"]),
        ("echo '{\"response\":{\"row\":99,\"col\":0}}'", vec!["--level", "200x40/900"]),
        ("exit 3", vec![]),
        ("echo nothing", vec![]),
        ("echo '{}'", vec!["--level", "12x20/80"]),
    ]
    .into_iter()
    .enumerate()
    {
        let bot = Script::new(script);
        let logs = bot.path("logs");
        bot.play(&[&options[..], &["--seeds", "-1..2", "--log", logs.to_str().unwrap()]].concat());
        let files: Vec<PathBuf> =
            fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 4);
        let run = judge([PathBuf::from("verify")].iter().chain(&files));
        assert_eq!(run.code, 0, "case {index}: {}{}", run.stdout, run.stderr);
    }
}

/// Games of another run in the same directory are told, those that are replaced are not.
#[cfg(unix)]
#[test]
fn a_directory_of_another_run_is_told() {
    let bot = Script::new("exit 3");
    let logs = bot.path("logs");
    let warning = |seeds: &str| {
        let run = bot.play(&["--seeds", seeds, "--log", logs.to_str().unwrap()]);
        run.stderr.lines().find(|line| line.contains("warning")).map(str::to_owned)
    };
    assert_eq!(warning("1..2"), None);
    assert_eq!(warning("1..4"), None);
    let told = warning("4..5").unwrap();
    assert!(told.ends_with("keeps 3 games of another run; name another folder for --log"));
}

#[cfg(unix)]
#[test]
fn several_jobs_report_in_the_order_of_the_seeds() {
    let bot = Script::new("echo '{\"response\":{\"row\":99,\"col\":0}}'");
    let run = bot.play(&["--seeds", "1..12", "--jobs", "3", "--json"]);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    let seeds: Vec<i64> = all["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["seed"].as_i64().unwrap())
        .collect();
    assert_eq!(seeds, (1..=12).collect::<Vec<_>>());
    assert_eq!(all["summary"]["faults"], json!({"illegal": 12}));
    assert_eq!(all["summary"]["mean_mines"], Value::Null);
}

#[cfg(unix)]
#[test]
fn bad_usage_says_what_to_do() {
    for (arguments, hint) in [
        (vec!["--level", "30x20/601"], "give fewer mines"),
        (vec!["--level", "0x20/8"], "at least one row"),
        (vec!["--level", "4000000x4000000/80"], "is too large"),
        (vec!["--level", "3x3/9", "--skipfirst"], "needs a safe cell"),
        (vec!["--seeds", "9..1"], "did you mean 1..9?"),
        (vec!["--seeds", "x"], "not a 32-bit integer"),
        (vec!["--time-limit", "0"], "seconds above 0"),
        (vec!["--language", "a=java"], "no bot is called a; give the language alone"),
        (vec!["--jobs", "0"], "give a whole number from 1"),
        (vec!["--bot", "/no/such/bot"], "cannot start the bot"),
        (vec!["--bot", ""], "the command is empty"),
        (vec!["--bot", "'"], "missing closing quote"),
    ] {
        let mut all = vec!["play"];
        if !arguments.contains(&"--bot") {
            all.extend(["--bot", "true"]);
        }
        all.extend(&arguments);
        let run = judge(&all);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(judge([""; 0]).code, 2);
}

#[test]
fn fields_without_a_guess_have_no_odds_to_fit() {
    let bot = ["play", "--bot", "sapper --keep-running", "--seeds", "1..2"];
    for (level, text, high) in [
        ("3x3/9", "\nNo guess with exact odds; 2 proven mines were opened.\n", 9.0),
        ("5x5/0", "\nNo guess with exact odds.\n", 0.0),
    ] {
        let options = [&bot[..], &["--level", level]].concat();
        let run = judge(&options);
        assert!(run.code == 0 && run.stdout.contains(text), "{}", run.stdout);
        let report: Value =
            serde_json::from_str(&judge([&options[..], &["--json"]].concat()).stdout).unwrap();
        // No game has more mines than the field.
        let interval = &report["summary"]["adjusted"]["results"][0]["interval"];
        assert!(interval[1].as_f64().unwrap() <= high, "{level}: {interval}");
    }
}

/// What a start costs is told of a bot that is started for each turn, and how to save it.
#[cfg(unix)]
#[test]
fn a_bot_that_is_started_for_each_turn_is_told_what_that_costs() {
    let game = ["--games", "1", "--level", "4x4/3"];
    let run = |bot: &str| judge([&["play", "--bot", bot], &game[..]].concat()).stdout;
    let text = run("sapper");
    let limits = "\nlimits: 1 s of wall time a turn, 2 s for the first, 256 MiB\n";
    assert!(text.contains(limits), "{text}");
    let told = "\nThe bot was started anew for ";
    let line = text.lines().find(|line| line.starts_with(told.trim())).unwrap();
    assert!(line.contains(" turns; a start takes about ") && line.contains(" % of their time; "));
    let advice = "; with --bot 'sapper --keep-running' it is started once a game.";
    assert!(line.ends_with(advice), "{line}");
    let text = run("sapper --keep-running");
    assert!(!text.contains(told) && text.contains(limits), "{text}");
    // Another bot is not started once more to find out whether it can be kept running.
    let bot = crate::bots::Script::new(&format!("exec {} sapper", env!("CARGO_BIN_EXE_judge")));
    let text = run(&bot.command);
    assert!(text.contains("REQUEST_KEEP_RUNNING<<< after its answers is started once a game, "));
    let pit = ["pit", "--bot", "a=sapper", "--bot", "b=sapper --keep-running"];
    let text = judge([&pit[..], &game].concat()).stdout;
    assert!(text.contains("\na was started anew for ") && text.contains(advice), "{text}");
    assert!(!text.contains("\nb was "), "{text}");
}
