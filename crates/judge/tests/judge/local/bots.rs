//! Which bot plays, which matches, and what becomes of a bot's faults.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Fake, Running, client_with_table, histories, matches, read_until, records, replayed_score,
};
use crate::bots::{Files, Script, judge, wait_for};

#[test]
fn matches_are_opened_one_after_the_other_with_init_data() {
    let files = Files::new();
    let (state, logs) = (files.path("state"), files.path("logs"));
    let fake = Fake::start(&["--open", "0"]);
    let initdata = r#"{"width":12,"height":11,"minecount":14,"seed":5,"skipfirst":true}"#;
    let options = ["--run-match", initdata, "--count", "2", "--log", logs.to_str().unwrap()];
    let (code, report, stderr) = fake.play(&state, &options);
    assert_eq!(code, 0, "{stderr}");
    let rows = matches(&report);
    assert_eq!(rows.len(), 2);
    assert!(rows.values().all(|row| row["board"] == "12x11/14" && row["end"] == "finished"));
    let server = fake.interrupt();
    let held = matches(&server);
    for (id, record) in records(&logs) {
        assert_eq!(record.initdata_given.as_ref().unwrap()["skipfirst"], true);
        assert_eq!(replayed_score(&record), held[&id]["score"].as_f64());
    }
    // The two are one board, so the second was opened after the first, and played alike.
    let scores: Vec<&Value> = rows.values().map(|row| &row["score"]).collect();
    assert_eq!(scores[0], scores[1]);
    let initdata = r#"{"width":500,"height":11,"minecount":11}"#;
    let fake = Fake::start(&["--open", "0"]);
    let (code, report, stderr) = fake.play(&state, &["--run-match", initdata]);
    assert_eq!((code, &report["matches"][0]["board"]), (0, &json!("40x11/11")), "{stderr}");
    assert!(stderr.contains(": the server plays width 40 instead of 500\n"), "{stderr}");
    let bad = judge(["local", "--run-match", "[1]"]);
    assert!(bad.code == 2 && bad.stderr.contains("or a JSON object"), "{}", bad.stderr);
}

#[test]
fn a_client_ends_after_some_matches_and_leaves_the_others_open() {
    let files = Files::new();
    let state = files.path("state");
    let fake = Fake::start(&["--open", "9"]);
    let (code, report, stderr) = fake.play(&state, &["--matches", "2"]);
    assert_eq!((code, &report["totals"]["owed"]), (0, &json!(0)), "{stderr}");
    let ends: Vec<Value> = matches(&report).values().map(|row| row["end"].clone()).collect();
    let open = ends.iter().filter(|end| **end == "open").count();
    assert!(ends.len() == 9 && (1..=7).contains(&open), "{ends:?}");
    assert_eq!(histories(&state).len(), open);
    let (code, report, stderr) = fake.play(&state, &["--matches", &open.to_string()]);
    assert_eq!((code, matches(&report).len()), (0, open), "{stderr}");
    let (_, server) = fake.end();
    assert!(matches(&server).values().all(|row| row["score"].is_number()), "{server}");
}

#[cfg(unix)]
#[test]
fn a_fault_of_the_bot_is_named_and_ends_its_match() {
    for (script, turn, fault, why) in [
        ("exit 3", 0, "crash", "exit code 3"),
        ("echo no", 0, "not-json", "expected "),
        ("echo '{\"response\":{\"row\":99,\"col\":0}}'", 0, "illegal", "outside"),
        // The second answer is the first one again.
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'", 1, "illegal", "open already"),
        ("sleep 60", 0, "timeout", ""),
    ] {
        let files = Files::new();
        let (state, logs) = (files.path("state"), files.path("logs"));
        let bot = Script::new(script);
        let fake = Fake::start(&["--open", "1"]);
        let limit = ["--time-limit", if fault == "timeout" { "0.1" } else { "10" }];
        let options = ["--matches", "1", "--bot", &bot.command, "--log", logs.to_str().unwrap()];
        let (code, report, stderr) = fake.play(&state, &[&options[..], &limit].concat());
        assert_eq!(code, 1, "{stderr}");
        let row = &report["matches"][0];
        assert_eq!((&row["end"], &row["score"]), (&json!(fault), &json!(0.0)), "{row}");
        assert!(row["why"].as_str().unwrap().starts_with(&format!("{fault} in turn {turn}")));
        assert!(
            stderr.contains(&format!("turn {turn}: {fault}")) && stderr.contains(why),
            "{stderr}"
        );
        let file = fs::read_dir(logs.join("incomplete")).unwrap().next().unwrap().unwrap().path();
        let shown = judge(["replay", file.to_str().unwrap(), "--json"]);
        assert_eq!(shown.code, 0, "{}", shown.stderr);
    }
    let missing = super::client(
        "http://127.0.0.1:1/api/1/x/localai",
        "/dev/null".as_ref(),
        &["--bot", "/no/such/bot"],
    );
    let (code, _, stderr) = super::report(&mut { missing });
    assert!(code == 2 && stderr.contains("/no/such/bot"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn the_table_of_faults_is_narrow_and_tells_each_once() {
    let files = Files::new();
    let (state, logs) = (files.path("state"), files.path("logs"));
    let bot = Script::new(&format!("echo '{}'", "nonsense ".repeat(40)));
    let fake = Fake::start(&["--open", "3"]);
    let options = ["--matches", "3", "--bot", &bot.command, "--log", logs.to_str().unwrap()];
    let mut client = client_with_table(&fake.address, &state, &options);
    let (code, stdout, stderr) = Running::start(&mut client).end();
    assert_eq!(code, 1, "{stderr}");
    let table: Vec<&str> = stdout.lines().filter(|line| line.starts_with('|')).collect();
    assert!(table.len() == 5 && table.iter().all(|line| line.len() <= 120), "{stdout}");
    assert_eq!(stdout.matches(" and 2 more: not-json in turn 0 (expected ").count(), 1, "{stdout}");
    assert_eq!(stdout.matches("`nonsense nonsense").count(), 1, "{stdout}");
    let place = format!("3 logs without a known field in {}", logs.join("incomplete").display());
    assert!(stdout.contains(&place), "{stdout}");
}

/// Also of the server, which writes the games at its end.
#[test]
fn a_directory_that_cannot_be_made_is_refused_at_the_start() {
    let files = Files::new();
    let file = files.name("file");
    fs::write(&file, "").unwrap();
    for options in [&["--fake", "0", "--log", &file][..], &["--state", &file]] {
        let mut judge = crate::bots::judge_command();
        judge.env("BOTZONE_LOCALAI_URL", "http://127.0.0.1:1/api/1/x/localai");
        let (code, stdout, stderr) = Running::start(judge.arg("local").args(options)).end();
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("file: a file has this name; name another folder"), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_kept_running_bot_plays_the_same_after_a_restart() {
    let files = Files::new();
    let (state, boards) = (files.path("state"), files.path("boards"));
    let program = env!("CARGO_BIN_EXE_judge");
    // The first process of the bot answers a few turns and then waits for ever.
    let bot = Script::new(&format!(
        "if [ -e \"$here/again\" ]; then exec '{program}' sapper --keep-running; fi\n\
         for turn in 1 2 3 4; do read -r line; echo \"$line\"; done |\n\
         '{program}' sapper --keep-running\n\
         touch \"$here/ready\"; sleep 600"
    ));
    let fake = Fake::start(&["--open", "1", "--log", boards.to_str().unwrap()]);
    let options = ["--bot", bot.command.as_str(), "--time-limit", "100", "--matches", "1"];
    let client = Running::start(&mut fake.client(&state, &options));
    wait_for(&bot.path("ready"));
    client.kill();
    fs::write(bot.path("again"), "").unwrap();
    let (code, report, stderr) = fake.play(&state, &options);
    assert_eq!((code, &report["matches"][0]["end"]), (0, &json!("finished")), "{stderr}");
    let (_, server) = fake.end();
    for (id, record) in records(&boards) {
        assert_eq!(replayed_score(&record), matches(&server)[&id]["score"].as_f64());
        assert!(record.answers() > 4);
    }
}

#[cfg(unix)]
#[test]
fn a_match_whose_start_was_not_seen_is_reported_and_not_answered() {
    let files = Files::new();
    let fake = Fake::start(&["--open", "1"]);
    let bot = Script::new(&format!(
        "[ -e \"$here/second\" ] && touch \"$here/ready\" && sleep 600\n\
         [ -e \"$here/first\" ] && touch \"$here/second\"\n\
         touch \"$here/first\"; exec '{}' sapper",
        env!("CARGO_BIN_EXE_judge")
    ));
    let options = ["--bot", bot.command.as_str(), "--time-limit", "100"];
    let client = Running::start(&mut fake.client(&files.path("first"), &options));
    wait_for(&bot.path("ready"));
    client.kill();
    // The server sends the open request again, to a client without the history.
    let mut client = Running::start(&mut fake.client(&files.path("second"), &[]));
    read_until(&mut client, "is not answered: its start was not seen");
    // The request comes again, and is not reported again.
    std::thread::sleep(Duration::from_millis(2500));
    client.interrupt();
    let (code, stdout, stderr) = client.end();
    assert!(code == 130 && !stderr.contains("is not answered"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let row = &report["matches"][0];
    assert_eq!((&row["end"], &row["turns"]), (&json!("open"), &json!(0)), "{row}");
    assert_eq!(report["totals"]["answers"], 0);
    let server = fake.interrupt();
    assert_eq!(
        (&server["matches"][0]["over"], &server["matches"][0]["answers"]),
        (&json!(false), &json!(2))
    );
}
