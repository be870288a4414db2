//! `judge play` with faulty bots: each fault has a name, and none stops the judge.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::bots::{Files, MARKER, SMALL, Script, judge, opening, safe_cells, small_field};

#[test]
fn every_fault_has_its_name() {
    let after_marker = |command: &str| {
        format!(
            "read -r line; echo '{{\"response\":{{\"row\":0,\"col\":0}}}}'; \
             echo '{MARKER}'; {command}"
        )
    };
    for (script, outcome, reason) in [
        ("echo '{\"response\":{\"row\":20,\"col\":0}}'", "illegal", "(20,0) is outside"),
        ("echo '{\"response\":{\"row\":0,\"col\":-1}}'", "illegal", "(0,-1) is outside"),
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'", "illegal", "(0,0) is open already"),
        ("echo '{\"response\":{\"row\":\"0\",\"col\":\"0\"}}'", "illegal", "not an integer"),
        ("echo '{\"response\":{\"row\":0.5,\"col\":0}}'", "illegal", "not an integer"),
        ("echo '{\"response\":{\"row\":0}}'", "illegal", "not an integer"),
        (
            "echo '{\"response\":[0,0]}'",
            "illegal",
            "`response` is [0,0], not an object with row and col",
        ),
        ("echo '{\"response\":\"0,0\"}'", "illegal", "`response` is \"0,0\", not an object"),
        ("echo '{\"response\":null}'", "illegal", "no `response` in"),
        ("echo '{\"row\":0,\"col\":0}'", "illegal", "no `response` in {\"col\":0"),
        ("echo 3", "illegal", "no `response` in 3"),
        ("exit 0", "not-json", "it printed nothing"),
        ("echo", "not-json", "it printed nothing"),
        ("echo garbage", "not-json", "in `garbage`"),
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'; echo more", "not-json", "trailing"),
        (
            "echo 'best: 0 0'; echo '{\"response\":{\"row\":0,\"col\":0}}'",
            "not-json",
            "only the answer may stand on standard output; debug goes to standard error, or into",
        ),
        ("echo 3 4", "not-json", r#"in `3 4`; expected {"response":{"row":R,"col":C}}"#),
        ("printf '\\377\\376'", "not-json", ""),
        ("head -c 3000000 /dev/zero; sleep 30", "output-limit", "more than 1048576 bytes"),
        (
            "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
            "output-limit",
            "more than",
        ),
        ("printf 'a\\nb\\033[1m'", "not-json", r"in `a\nb\u{1b}[1m`"),
        ("exit 3", "crash", "exit code 3"),
        ("echo '{\"response\":{\"row\":0,\"col\":0}}'; exit 1", "crash", "exit code 1"),
        ("kill -9 $$", "crash", "signal 9"),
        ("kill -SEGV $$", "crash", "signal 11"),
        (&after_marker("exit 0"), "crash", "although it had asked to be kept running"),
        (&after_marker("exit 7"), "crash", "exit code 7"),
        (&after_marker("read -r line; echo garbage"), "not-json", "in `garbage`"),
        (
            &after_marker(&format!("read -r line; echo garbage; echo '{MARKER}'")),
            "not-json",
            "garbage",
        ),
    ] {
        let game = Script::new(script).game(&["--time-limit", "5"]);
        assert_eq!(game["outcome"], outcome, "{script}: {game}");
        let said = game["reason"].as_str().unwrap_or("");
        assert!(said.contains(reason), "{script}: `{said}` lacks `{reason}`");
        assert_eq!(game["score"], 0.0);
    }
}

#[test]
fn a_bot_that_takes_too_long_is_ended_with_all_its_children() {
    let answered = "echo '{\"response\":{\"row\":0,\"col\":0}}'";
    for script in [
        "sleep 60".to_owned(),
        "sleep 60 & echo $! > \"$here/child\"; wait".to_owned(),
        "trap '' TERM INT HUP; sleep 60 & echo $! > \"$here/child\"; while :; do wait; done"
            .to_owned(),
        // Answers, and does not end.
        format!("{answered}; sleep 60"),
        // Closes its output, and does not end.
        format!("{answered}; exec 1>&-; sleep 60"),
        // Waits for the end of its input, which stays open.
        format!("cat > /dev/null; {answered}"),
        // Waits for a second line although it did not print the marker.
        format!("read -r line; {answered}; read -r line"),
        // Prints spaces without end.
        "while :; do printf ' '; sleep 0.02; done".to_owned(),
        // Does not answer in a later turn.
        format!("read -r line; {answered}; echo '{MARKER}'; sleep 60"),
        // Stops itself.
        "kill -STOP $$".to_owned(),
    ] {
        let bot = Script::new(&script);
        let start = Instant::now();
        let game = bot.game(&["--time-limit", "0.2"]);
        assert_eq!(game["outcome"], "timeout", "{script}: {game}");
        let slowest = game["slowest_ms"].as_f64().unwrap();
        assert!((200.0..5000.0).contains(&slowest), "{script}: {slowest} ms");
        assert!(start.elapsed() < Duration::from_secs(20));
        if let Ok(child) = fs::read_to_string(bot.path("child")) {
            assert!(ends(child.trim()), "{script}: the child still runs");
        }
    }
}

#[test]
fn a_timeout_says_what_the_bot_waited_for() {
    let answer = "echo '{\"response\":{\"row\":0,\"col\":0}}'";
    let only_when_closed = "it answered only when its input was closed: input stays open";
    for (script, reason) in [
        (format!("cat > /dev/null; {answer}"), Some(only_when_closed)),
        (format!("echo debug; cat > /dev/null; {answer}"), Some(only_when_closed)),
        (
            format!("read -r line; {answer}; read -r line"),
            Some("it printed its answer, and then neither ended nor printed the line >>>BOTZONE_"),
        ),
        ("echo thinking; sleep 60".to_owned(), Some("more than 0.8 s: it printed only `thinking`")),
        ("sleep 60".to_owned(), None),
        // It computes; its input is not to blame.
        ("while :; do :; done".to_owned(), None),
    ] {
        let game = Script::new(&script).game(&["--time-limit", "0.4"]);
        assert_eq!(game["outcome"], "timeout", "{script}: {game}");
        match reason {
            // The first turn has twice the time.
            None => assert_eq!(game["reason"], "more than 0.8 s", "{script}"),
            Some(reason) => assert!(game["reason"].as_str().unwrap().contains(reason), "{game}"),
        }
    }
}

/// Whether a process has ended, or ends within two seconds.
pub(crate) fn ends(process: &str) -> bool {
    let running = || {
        fs::read_to_string(format!("/proc/{process}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z") && !stat.contains(") X"))
    };
    (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        !running()
    })
}

#[test]
fn a_process_left_behind_is_not_waited_for_and_is_killed() {
    let field = small_field(1);
    let answers = opening(&field, safe_cells(&field));
    let bot = Script::with_answers(
        &answers,
        "read -r line; next; echo \"$answer\"; sleep 60 & echo $! > \"$here/child\"",
    );
    let game = bot.game(&SMALL);
    assert_eq!((&game["outcome"], &game["score"]), (&json!("done"), &json!(100.0)));
    assert!(ends(bot.text("child").trim()), "the child still runs");
}

#[test]
fn the_first_turn_has_twice_the_time() {
    let field = small_field(1);
    let answers = opening(&field, field.mines().chain(safe_cells(&field)));
    let slow_at = |turn: usize| {
        let script =
            format!("read -r line; next; [ $n -ne {turn} ] || sleep 1.4; echo \"$answer\"");
        Script::with_answers(&answers, &script)
            .game(&[&SMALL[..], &["--time-limit", "1.0"]].concat())
    };
    assert_eq!(slow_at(1)["outcome"], "done");
    let second = slow_at(2);
    assert_eq!((&second["outcome"], &second["turns"]), (&json!("timeout"), &json!(2)));
    assert_eq!((&second["mines"], &second["turn"]), (&json!(1), &json!(1)));
}

#[test]
fn much_output_on_stderr_does_not_block_and_its_end_is_shown_with_a_fault() {
    let field = small_field(1);
    let answers = opening(&field, safe_cells(&field));
    let noisy = "head -c 3000000 /dev/zero >&2; read -r line; next; echo \"$answer\"";
    assert_eq!(Script::with_answers(&answers, noisy).game(&SMALL)["score"], 100.0);
    let run = Script::new("head -c 300000 /dev/zero | tr '\\0' x >&2; echo the reason >&2; exit 5")
        .play(&["--seeds", "1"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("crash (exit code 5)"), "{}", run.stdout);
    assert!(run.stdout.contains("turns    1") && run.stdout.contains("FAULT in turn 0;"));
    assert!(run.stdout.contains("the reason"), "{}", run.stdout);
    assert!(run.stdout.len() < 5000);
}

#[test]
fn a_fault_has_its_seed_and_the_command_that_repeats_the_game() {
    let bot = Script::new("echo '{\"response\":{\"row\":0,\"col\":0}}'; sleep 0");
    let run = bot.play(&["--level", "8x9/10", "--seeds", "3..4", "--skipfirst"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("FAULTS: 2 illegal"), "{}", run.stdout);
    let again = run.stdout.lines().find_map(|line| line.split_once("again: ")).unwrap().1;
    assert!(again.contains("--seeds 3") && again.contains("--skipfirst"), "{again}");
    // The command works as it is, without a `judge` on the PATH.
    let replayed = crate::bots::shell().args(["-c", again]).output().unwrap();
    assert_eq!(replayed.status.code(), Some(1));
    let replayed = String::from_utf8(replayed.stdout).unwrap();
    let line = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("seed      3")).unwrap();
        let (before, after) = line.split_once("slowest").unwrap();
        (before.to_owned(), after.split_once(" ms ").unwrap().1.to_owned())
    };
    assert_eq!(line(&run.stdout), line(&replayed));
}

/// Marks that turn the order of characters, escape sequences and other control characters are
/// shown as escapes, whether they come from a bot, a file, the name of a file or an option.
#[test]
fn no_hidden_character_of_others_reaches_the_terminal() {
    let hidden = "\u{202e}\u{200f}\u{2066}\u{1b}[31m\u{9b}\u{7}\u{feff}";
    let marks = "\u{202e}\u{200f}\u{2066}\u{feff}";
    let is_shown = |text: &str| {
        let is_plain = |c: char| c == '\n' || !c.is_control() && !marks.contains(c);
        text.chars().all(is_plain)
    };
    let files = Files::new();
    let name = "a\u{202e}\u{200f}.json";
    let request = r#"{"output":{"content":{"0":{"height":"HIDDEN"}}}}"#;
    let game = format!(r#"{{"initdata_given":{{}},"bot":"HIDDEN","log":[{request}]}}"#);
    fs::write(files.path(name), game.replace("HIDDEN", hidden)).unwrap();
    let bot = Script::new(&format!("printf '%s' '{hidden}' >&2; printf '{{\"%s' '{hidden}'"));
    let named = files.name(name);
    for (arguments, told) in [
        (
            vec!["play", "--games", "1", "--bot", &bot.command],
            r"\u{202e}\u{200f}\u{2066}\u{1b}[31m",
        ),
        (vec!["play", "--games", "1", "--bot", &bot.command, "--json"], r"u{202e}"),
        (vec!["samples", "--bot", &bot.command, "--json"], r"u{202e}"),
        (vec!["verify", &named], r"\u{202e}\u{200f}.json"),
        (vec!["verify", &named, "--json"], r"\u202e\u200f.json"),
        (vec!["odds", "no/\u{202e}"], r"no/\u{202e}"),
        (vec!["play", "--level", "\u{202e}3x3/1"], r"'\u{202e}3x3/1'"),
        (vec!["play", "--seeds", "1..\u{202e}"], r"`\u{202e}` is not a 32-bit integer"),
        (vec!["play", "--games", "1", "--bot", "./\u{202e}bot"], r"./\u{202e}bot"),
    ] {
        let run = judge(&arguments);
        let all = run.stdout + &run.stderr;
        assert!(is_shown(&all) && all.contains(told), "{arguments:?}: {all:?}");
        assert_ne!(run.code, 0, "{arguments:?}");
    }
}
