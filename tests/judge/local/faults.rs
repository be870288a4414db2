//! No fault of the server, the network or the client loses or duplicates an answer.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Fake, Running, answers, client, matches, records, replayed_score};
use crate::bots::{Files, judge};

#[test]
fn two_hundred_matches_with_all_faults_end_with_the_referees_scores() {
    let files = Files::new();
    let [state, logs, boards] = ["state", "logs", "boards"].map(|name| files.path(name));
    let fake = Fake::start(&[
        "--open",
        "200",
        "--faults",
        "all",
        "--hold",
        "0.2",
        "--log",
        boards.to_str().unwrap(),
    ]);
    let options = ["--matches", "200", "--poll-timeout", "1", "--log", logs.to_str().unwrap()];
    let (code, report, stderr) = fake.play(&state, &options);
    assert_eq!(code, 0, "{stderr}");
    let (code, server) = fake.end();
    assert_eq!((code, &server["answers_after_success"]), (0, &json!(0)), "{server}");

    let (played, held) = (matches(&report), matches(&server));
    let (boards, mut logs_found) = (records(&boards), records(&logs));
    logs_found.extend(records(&logs.join("incomplete")));
    assert_eq!((held.len(), boards.len()), (200, 200));
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
    assert_eq!(faults.len(), 9, "{faults:?}");
    assert!((1..100).contains(&aborted), "{aborted} aborted");
    assert!(server["ignored_answers"].as_u64() > Some(0), "{server}");
    assert!(server["refused_headers"].as_u64() > Some(0), "{server}");
    assert!(report["totals"]["sent_again"].as_u64() > Some(0), "{report}");
    assert_eq!(fs::read_dir(&state).unwrap().count(), 0);

    let complete: Vec<_> = records(&logs).into_keys().collect();
    assert!(complete.len() * 10 > (200 - aborted) * 9, "{} of {aborted}", complete.len());
    let files = complete.iter().map(|id| logs.join(format!("{id}.json")).display().to_string());
    let verified = judge(["verify".to_owned()].into_iter().chain(files));
    assert_eq!(verified.code, 0, "{}", verified.stdout);
}

/// Waits until the histories on disk have this many answers.
fn wait_for_answers(state: &Path, most: usize) {
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
        let files = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name());
        seen.extend(files);
    }
    assert_eq!(seen.len(), 40);
    let open = fs::read_dir(&state).unwrap().count();
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
fn an_interrupted_client_sends_what_it_owes() {
    let files = Files::new();
    let state = files.path("state");
    let fake = Fake::start(&["--open", "40"]);
    let mut client = Running::start(&mut fake.client(&state, &[]));
    wait_for_answers(&state, 60);
    client.signal("INT");
    let (code, stdout, stderr) = client.end();
    assert_eq!(code, 130, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let owed = report["totals"]["owed"].as_u64().unwrap();
    let mut unsent = 0;
    for entry in fs::read_dir(&state).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        unsent += u64::from(text.lines().last().unwrap().starts_with("{\"answer\""));
    }
    assert_eq!(unsent, owed);
    assert_eq!(owed, 0, "{report}");
    let open = fs::read_dir(&state).unwrap().count();
    let (code, report, stderr) = fake.play(&state, &["--matches", &open.to_string()]);
    assert_eq!((code, matches(&report).len()), (0, open), "{stderr}");
    let (code, server) = fake.end();
    assert_eq!((code, &server["answers_after_success"]), (0, &json!(0)), "{server}");
    assert!(matches(&server).values().all(|row| row["score"].is_number()), "{server}");
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
    let client = Running::start(&mut super::client(&address, &state, &["--matches", "5"]));
    std::thread::sleep(Duration::from_millis(500));
    let fake = Fake::start(&["--fake", &port, "--open", "5", "--faults", "restart"]);
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
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api/1/s3cret/localai", listener.local_addr().unwrap());
    let polls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&polls);
    // The start of the match was not seen.
    let request = json!({"height": 11, "width": 11, "minecount": 11, "changed": [
        {"row": 0, "col": 0, "val": 1}
    ]});
    let body = format!("1 0\nmatch\n{request}\n");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            counter.fetch_add(1, Ordering::Relaxed);
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
            write!(stream, "{head}Connection: close\r\n\r\n{body}").unwrap();
        }
    });
    let state = TempDir::new().unwrap();
    let mut running = Running::start(&mut client(&address, state.path(), &["--retry-wait", "1"]));
    std::thread::sleep(Duration::from_secs(4));
    running.signal("INT");
    let (code, ..) = running.end();
    let polls = polls.load(Ordering::Relaxed);
    assert_eq!(code, 130);
    assert!((2..=6).contains(&polls), "{polls} polls in four seconds");
}

/// The server is not asked for a match that cannot be kept or recorded.
#[test]
fn a_directory_that_cannot_be_written_is_named_before_a_match_begins() {
    let fake = Fake::start(&["--open", "1"]);
    // Nobody can make a file there.
    let place = Path::new("/proc/self");
    let (code, report, stderr) = fake.play(place, &[]);
    assert_eq!((code, report), (2, Value::Null));
    assert!(stderr.contains("cannot write to the directory /proc/self"), "{stderr}");
    assert_eq!(fake.interrupt()["matches"][0]["answers"], 0);
}
