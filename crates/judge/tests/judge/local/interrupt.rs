//! Ctrl-C: the first sends what is owed, the second ends at once; both end with the report.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::faults::wait_for_answers;
use super::{Fake, Running, client_with_table, histories, matches, read_until, serve};
use crate::bots::Files;

#[test]
fn an_interrupted_client_sends_what_it_owes() {
    let files = Files::new();
    let state = files.path("state");
    let fake = Fake::start(&["--open", "40"]);
    let mut client = Running::start(&mut fake.client(&state, &[]));
    wait_for_answers(&state, 60);
    client.interrupt();
    let (code, stdout, stderr) = client.end();
    // Its message is missing where nothing happens to be owed.
    assert_eq!(code, 130, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let owed = report["totals"]["owed"].as_u64().unwrap();
    let mut unsent = 0;
    for history in histories(&state) {
        let text = fs::read_to_string(history).unwrap();
        unsent += u64::from(text.lines().last().unwrap().starts_with("{\"answer\""));
    }
    assert_eq!(unsent, owed);
    assert_eq!(owed, 0, "{report}");
    let open = histories(&state).len();
    let (code, report, stderr) = fake.play(&state, &["--matches", &open.to_string()]);
    assert_eq!((code, matches(&report).len()), (0, open), "{stderr}");
    let (code, server) = fake.end();
    assert_eq!((code, &server["answers_after_success"]), (0, &json!(0)), "{server}");
    assert!(matches(&server).values().all(|row| row["score"].is_number()), "{server}");
}

/// The second poll, which carries the answer, is held for longer than anybody waits.
#[test]
fn a_second_interrupt_ends_at_once_with_the_table() {
    let request = json!({"height": 11, "width": 11, "minecount": 11, "changed": null});
    let body = format!("1 0\nmatch\n{request}\n");
    let address = serve(move |poll| (poll == 0).then(|| body.clone()));
    let state = TempDir::new().unwrap();
    let options = ["--poll-timeout", "1000"];
    let mut client = Running::start(&mut client_with_table(&address, state.path(), &options));
    wait_for_answers(state.path(), 1);
    client.interrupt();
    read_until(&mut client, "a second Ctrl-C ends at once");
    // A signal that follows at once is taken for a copy of the first.
    std::thread::sleep(Duration::from_millis(1100));
    client.interrupt();
    let (code, stdout, stderr) = client.end();
    assert_eq!(code, 130, "{stderr}");
    assert!(stdout.contains("11x11/11") && stdout.contains("1 match: 1 open"), "{stdout}");
    assert!(stdout.contains("1 not sent: the same command sends"), "{stdout}");
}

/// Failures before the interrupt do not count: what is owed is tried three times after it.
#[test]
fn what_is_owed_is_tried_three_more_times_after_an_interrupt() {
    let request = json!({"height": 11, "width": 11, "minecount": 11, "changed": null});
    let body = format!("1 0\nmatch\n{request}\n");
    let polls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&polls);
    let address = serve(move |poll| {
        counter.store(poll + 1, Ordering::SeqCst);
        (poll == 0).then(|| body.clone())
    });
    let state = TempDir::new().unwrap();
    // The wait after the third failure is long enough for the interrupt.
    let options = ["--poll-timeout", "0.1", "--retry-wait", "0.5"];
    let mut client = Running::start(&mut client_with_table(&address, state.path(), &options));
    read_until(&mut client, "trying again");
    let before = polls.load(Ordering::SeqCst);
    client.interrupt();
    let (code, stdout, _) = client.end();
    assert_eq!((code, before), (130, 4), "{stdout}");
    assert_eq!(polls.load(Ordering::SeqCst), before + 3, "{stdout}");
    assert!(stdout.contains("1 not sent: the same command sends"), "{stdout}");
}
