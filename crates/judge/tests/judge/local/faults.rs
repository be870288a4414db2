//! No fault of the server, the network or the client loses or duplicates an answer.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    Fake, Running, answers, client, client_with_table, histories, matches, read_until, records,
    replayed_score, serve,
};
use crate::bots::{Files, judge};

#[test]
fn matches_with_all_faults_end_with_the_referees_scores() {
    play_with_all_faults(60);
}

#[test]
#[ignore = "slow; scripts/check runs it"]
fn two_hundred_matches_with_all_faults_end_with_the_referees_scores() {
    play_with_all_faults(200);
}

fn play_with_all_faults(count: usize) {
    let files = Files::new();
    let [state, logs, boards] = ["state", "logs", "boards"].map(|name| files.path(name));
    let text = count.to_string();
    let faults = ["--faults", "all", "--log", boards.to_str().unwrap()];
    let fake = Fake::start(&[&["--open", &text], &faults[..]].concat());
    let options = ["--matches", &text, "--poll-timeout", "0.8", "--log", logs.to_str().unwrap()];
    let (code, report, stderr) = fake.play(&state, &options);
    assert_eq!(code, 0, "{stderr}");
    let (code, server) = fake.end();
    assert_eq!((code, &server["answers_after_success"]), (0, &json!(0)), "{server}");

    let (played, held) = (matches(&report), matches(&server));
    let (boards, mut logs_found) = (records(&boards), records(&logs));
    logs_found.extend(records(&logs.join("incomplete")));
    assert_eq!((held.len(), boards.len()), (count, count));
    let names: BTreeSet<&String> = played.keys().collect();
    assert_eq!(names, held.keys().collect());
    let mut aborted = 0;
    for (id, row) in &played {
        let score = held[id]["score"].as_f64();
        assert_eq!((row["score"].as_f64(), replayed_score(&boards[id])), (score, score), "{id}");
        assert_eq!(row["end"], if score.is_some() { "finished" } else { "aborted" }, "{row}");
        let taken = answers(&boards[id]);
        match (score, logs_found.get(id)) {
            (Some(_), log) => {
                assert_eq!(answers(log.unwrap()), taken, "{id}");
                assert_eq!(row["turns"], taken.len(), "{row}");
            }
            // Not all answers of an aborted match were taken, and it may have had no request.
            (None, log) => {
                aborted += 1;
                assert!(log.is_none_or(|log| answers(log).starts_with(&taken)), "{id}");
            }
        }
    }
    // The run had what it is to be robust against.
    let faults = server["faults"].as_object().unwrap();
    let is_long = count >= 200;
    assert!(faults.len() >= if is_long { 9 } else { 4 }, "{faults:?}");
    assert!((1..=count / 3).contains(&aborted), "{aborted} aborted");
    assert!(!is_long || server["repeated_answers"].as_u64() > Some(0), "{server}");
    assert!(server["refused_headers"].as_u64() > Some(0), "{server}");
    assert!(report["totals"]["sent_again"].as_u64() > Some(0), "{report}");
    assert_eq!(histories(&state).len(), 0);

    let complete: Vec<_> = records(&logs).into_keys().collect();
    assert!(complete.len() * 10 > (count - aborted) * 8, "{} of {aborted}", complete.len());
    let files = complete.iter().map(|id| logs.join(format!("{id}.json")).display().to_string());
    let verified = judge(["verify".to_owned()].into_iter().chain(files));
    assert_eq!(verified.code, 0, "{}", verified.stdout);
}

/// Waits until the histories on disk have this many answers.
pub fn wait_for_answers(state: &Path, most: usize) {
    let start = Instant::now();
    let answers = || {
        let files = fs::read_dir(state).into_iter().flatten();
        let texts = files.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
        texts.map(|text| text.matches("{\"answer\"").count()).sum::<usize>()
    };
    while answers() < most {
        assert!(start.elapsed().as_secs() < 60, "{} answers", answers());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_client_that_is_killed_goes_on_where_it_was() {
    let files = Files::new();
    let (state, boards) = (files.path("state"), files.path("boards"));
    let fake = Fake::start(&["--open", "40", "--log", boards.to_str().unwrap()]);
    let mut seen = BTreeSet::new();
    for answers in [20, 90, 200] {
        let client = Running::start(&mut fake.client(&state, &[]));
        wait_for_answers(&state, answers);
        client.kill();
        seen.extend(histories(&state));
    }
    assert_eq!(seen.len(), 40);
    let open = histories(&state).len();
    let (code, report, stderr) = fake.play(&state, &["--matches", &open.to_string()]);
    assert_eq!(code, 0, "{stderr}");
    let go_on = format!("{open} matches go on from an earlier run");
    assert!(stderr.contains(&go_on), "{stderr}");
    assert!(matches(&report).values().all(|row| row["end"] == "finished"), "{report}");
    let (_, server) = fake.end();
    let boards = records(&boards);
    for (id, row) in matches(&server) {
        assert!(row["over"] == true && row["score"].is_number(), "{row}");
        assert_eq!(replayed_score(&boards[&id]), row["score"].as_f64());
    }
}

#[test]
fn a_server_that_comes_later_or_restarts_is_waited_for() {
    let files = Files::new();
    let state = files.path("state");
    // A port on which nothing listens any more.
    let fake = Fake::start(&["--open", "0"]);
    let address = fake.address.clone();
    fake.interrupt();
    let port = address.split([':', '/']).nth(4).unwrap().to_owned();
    let client = Running::start(&mut super::client(&address, &state, &["--matches", "2"]));
    std::thread::sleep(Duration::from_millis(500));
    let fake = Fake::start(&["--fake", &port, "--open", "2", "--faults", "restart"]);
    let (code, stdout, stderr) = client.end();
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("Connection refused"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let (_, server) = fake.end();
    assert!(server["faults"]["restart"].as_u64() > Some(0), "{server}");
    for (id, row) in matches(&server) {
        assert_eq!(matches(&report)[&id]["score"], row["score"]);
        assert!(row["score"].is_number());
    }
}

/// A server that repeats at once what cannot be answered is not polled without a pause.
#[test]
fn a_server_that_repeats_itself_is_polled_slowly() {
    let polls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&polls);
    // The start of the match was not seen.
    let request = json!({"height": 11, "width": 11, "minecount": 11, "changed": [
        {"row": 0, "col": 0, "val": 1}
    ]});
    let body = format!("1 0\nmatch\n{request}\n");
    let address = serve(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Some(body.clone())
    });
    let state = TempDir::new().unwrap();
    let mut running = Running::start(&mut client(&address, state.path(), &["--retry-wait", "1"]));
    std::thread::sleep(Duration::from_secs(2));
    running.interrupt();
    let (code, ..) = running.end();
    let polls = polls.load(Ordering::Relaxed);
    assert_eq!(code, 130);
    assert!((1..=4).contains(&polls), "{polls} polls in two seconds");
}

/// What cannot be read is one match's, at its start, later, and in a file of an earlier version.
#[test]
fn bad_data_of_one_match_leaves_the_others() {
    let request = |changed: &str, mines: &str| {
        format!(r#"{{"changed":{changed},"height":5,"width":5,"minecount":{mines}}}"#)
    };
    let news = |requests: &[(&str, String)], results: &str| {
        let lines: String = requests.iter().map(|(id, text)| format!("{id}\n{text}\n")).collect();
        format!("{} {}\n{lines}{results}", requests.len(), results.lines().count())
    };
    let all = ["cells", "later", "mines", "cut", "far", "good", "old"];
    let first = news(
        &[
            ("cells", request("{}", "3")),
            ("later", request("null", "3")),
            ("mines", request("\"\"", "1.5")),
            ("cut", "{\"changed\":".to_owned()),
            // It is JSON, and no limit.
            ("far", request("null", "3").replace('{', "{\"time_limit\":1e400,")),
            ("../up", request("null", "3")),
        ],
        "",
    );
    let second = [("later", "[5]"), ("good", "[]"), ("../up", "null")];
    let second = news(&second.map(|(id, changed)| (id, request(changed, "3"))), "");
    let results: String = all.iter().map(|id| format!("{id} 0 1 7\n")).collect();
    let bodies = [first, second, news(&[], &results)];
    let address = serve(move |poll| bodies.get(poll).cloned());
    let state = TempDir::new().unwrap();
    let old = format!("{{\"match\":\"old\"}}\n{{\"request\":{}}}\n", request("\"x\"", "3"));
    fs::write(state.path().join("old.jsonl"), old).unwrap();
    let (code, report, stderr) =
        super::report(&mut client(&address, state.path(), &["--matches", "7"]));
    assert_eq!(code, 0, "{stderr}");
    let unreadable = "\"changed\" of its request cannot be read: expected a ";
    let rows = matches(&report);
    for (id, turns, why) in [
        ("cells", 0, &format!("{unreadable}list of cells")[..]),
        ("later", 1, &format!("{unreadable}cell")),
        ("mines", 1, ""),
        ("cut", 0, "its request is not JSON: EOF while parsing a value at line 1 column 11"),
        ("far", 1, ""),
        ("good", 1, ""),
        ("old", 0, &format!("{unreadable}list of cells")),
    ] {
        let found = rows[id]["why"].as_str().unwrap_or_default();
        assert_eq!((&rows[id]["turns"], found), (&json!(turns), why), "{stderr}");
        let told = stderr.contains(&format!("match {id} is not answered: {why}"));
        assert_eq!(told, !why.is_empty(), "{id}: {stderr}");
    }
    let unusable = "a match is not answered, because its id cannot be used: ../up\n";
    assert_eq!(stderr.matches(unusable).count(), 1, "{stderr}");
    let mines = "match mines: no request has a usable \"minecount\"; the first cell is answered\n";
    assert!(stderr.contains(mines), "{stderr}");
}

/// The server is not asked for a match that cannot be kept or recorded.
#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_written_is_named_before_a_match_begins() {
    let fake = Fake::start(&["--open", "1"]);
    // Nobody can make a file there.
    let place = Path::new("/proc/self");
    let (code, report, stderr) = fake.play(place, &[]);
    assert_eq!((code, report), (2, Value::Null));
    assert!(stderr.contains("cannot write to the folder /proc/self"), "{stderr}");
    assert_eq!(fake.interrupt()["matches"][0]["answers"], 0);
}

/// What is sent instead of news is told at once, and again in the closing line.
#[test]
fn a_web_page_instead_of_news_is_told() {
    let address = serve(|_| Some("<html>Welcome to this network</html>".to_owned()));
    let state = TempDir::new().unwrap();
    let mut running = Running::start(&mut client_with_table(&address, state.path(), &[]));
    let why = "the server sent a web page, no matches; is the address right?";
    let text = read_until(&mut running, "trying again");
    assert!(text.contains(why) && !text.contains("connected"), "{text}");
    running.interrupt();
    let (code, stdout, _) = running.end();
    assert!(code == 130 && stdout.contains(&format!("failed; the last: {why}")), "{stdout}");
}

/// A result that was not read comes again, and the server ends after one that was.
#[test]
fn a_fake_server_ends_when_the_last_result_was_read() {
    let fake = Fake::start(&["--open", "1"]);
    let (host, path) = fake.address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let poll = |header: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\n{header}\r\n").unwrap();
        stream
    };
    let body = |mut stream: TcpStream| {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    let news = body(poll(""));
    let id = news.lines().nth(1).unwrap();
    let unread = poll(&format!("X-Match-{id}: null\r\n"));
    assert!(unread.peek(&mut [0]).unwrap() > 0);
    drop(unread);
    let result = format!("0 1\n{id} 0 1 0\n");
    assert!((0..20).any(|_| body(poll("")) == result));
    let (code, report) = fake.end();
    assert_eq!((code, &report["matches"][0]["score"]), (0, &json!(0.0)), "{report}");
}

#[test]
fn a_fake_server_says_which_port_it_cannot_have() {
    let fake = Fake::start(&["--open", "1"]);
    let port = fake.address.split([':', '/']).nth(4).unwrap().to_owned();
    for (port, hint) in [
        (port.as_str(), format!("another program uses port {port}; name another one, or 0")),
        ("abc", "give a port, a number from 0 to 65535".to_owned()),
        ("70000", "give a port, a number from 0 to 65535".to_owned()),
    ] {
        let run = judge(["local", "--fake", port]);
        assert!(run.code == 2 && run.stderr.contains(&hint), "{}", run.stderr);
    }
}

#[test]
fn options_without_a_meaning_are_refused() {
    for (line, why) in [
        ("--fake 0 --matches 3", "'--fake <PORT>' cannot be used with '--matches <N>'"),
        ("--fake 0 --bot x", "'--fake <PORT>' cannot be used with '--bot <CMD>'"),
        ("--fake 0 --jobs 2", "'--fake <PORT>' cannot be used with '--jobs <N>'"),
        ("--fake 0 --clock cpu", "'--fake <PORT>' cannot be used with '--clock <CLOCK>'"),
        ("--fake 0 --skipfirst", "'--fake <PORT>' cannot be used with '--skipfirst'"),
        ("--open 3", "not provided:\n  --fake <PORT>"),
        ("--level beginner", "not provided:\n  --fake <PORT>"),
        ("--faults all", "not provided:\n  --fake <PORT>"),
        ("--count 3", "not provided:\n  --run-match <LEVEL|JSON>"),
    ] {
        let run = judge(["local"].into_iter().chain(line.split(' ')));
        assert!(run.code == 2 && run.stderr.contains(why), "{line}: {}", run.stderr);
    }
}
