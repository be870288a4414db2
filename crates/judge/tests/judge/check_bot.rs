//! `judge check bot`: good bots are ready, and each fault of a dummy bot is found with its mend.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::bots::{MARKER, ROOT, Run, Script, judge, shell};

/// An answer that is legal in every first turn.
const CORNER: &str = r#"echo '{"response":{"row":0,"col":0}}'"#;

/// A bot that reads one line and answers it as sapper does, with its answer changed by a filter.
fn sapper_through(filter: &str) -> String {
    let judge = env!("CARGO_BIN_EXE_judge");
    format!(r#"read -r line; printf '%s\n' "$line" | '{judge}' sapper {filter}"#)
}

fn check(bot: &str, options: &[&str]) -> Run {
    judge(["check", "bot", "--bot", bot].iter().chain(options))
}

/// The report of `--json`.
fn report(bot: &str, options: &[&str]) -> (Value, i32) {
    let run = check(bot, &[options, &["--json"]].concat());
    let report = serde_json::from_str(&run.stdout);
    (report.unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr)), run.code)
}

/// The checks with this result.
fn with_result(report: &Value, result: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let checks = checks.filter(|check| check["result"] == result);
    checks.map(|check| check["check"].as_str().unwrap().to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn good_bots_are_ready_in_both_modes() {
    let simple = format!("python3 '{}'", Path::new(ROOT).join("samples/bots/simple.py").display());
    let has_python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let has_python = has_python.is_ok_and(|status| status.success());
    for bot in ["sapper", &simple] {
        for (option, is_kept) in [("", false), (" --keep-running", true)] {
            if bot != "sapper" && !has_python {
                println!("python3 is missing: simple.py is not tested");
                continue;
            }
            let command = bot.to_owned() + option;
            // One bot is tried in full, in one of the two modes.
            let only = match (bot, is_kept) {
                ("sapper", true) => Some("games"),
                (_, true) => None,
                (_, false) => Some("turns"),
            };
            let mut options = vec!["--clock", "cpu", "--time-limit", "3"];
            options.extend(only.iter().flat_map(|only| ["--only", only]));
            let (report, code) = report(&command, &options);
            assert_eq!((code, &report["ready"]), (0, &json!(true)), "{command}: {report}");
            assert_eq!(report["keeps_running"], is_kept, "{command}");
            assert_eq!(report["failures"], json!([]), "{command}");
            assert!(with_result(&report, "ok").contains(&"first-turn".to_owned()), "{report}");
            let not_tried = report["not_tried"].to_string();
            assert!(not_tried.contains("upload"), "{not_tried}");
            assert_eq!(not_tried.contains("--full"), only.is_none(), "{not_tried}");
            assert_eq!(not_tried.contains(MARKER), !is_kept, "{not_tried}");
        }
    }
}

#[cfg(unix)]
#[test]
fn every_fault_is_found_with_its_mend() {
    let keep_then = |then: &str| format!("read -r line; {CORNER}; echo '{MARKER}'; {then}");
    let second_turn = |then: &str| {
        format!("read -r line; case $line in *'\"responses\":[]'*) {CORNER};; *) {then};; esac")
    };
    let of_sapper = |sed: &str| sapper_through(&format!("| sed '{sed}'"));
    let open = "mark every cell of every `changed` as open";
    let is_open_later = &format!("read -r line; {CORNER}");
    for (script, check, turn, fault, mend) in [
        (is_open_later, "turns", 1, "illegal", open),
        (
            &"echo '{\"response\":{\"row\":20,\"col\":0}}'".into(),
            "first-turn",
            0,
            "illegal",
            "`row` is 0 to 19",
        ),
        (
            &"echo '{\"response\":{\"row\":25,\"col\":3}}'".into(),
            "first-turn",
            0,
            "illegal",
            "swapped",
        ),
        (
            &"echo '{\"row\":0,\"col\":0}'".into(),
            "first-turn",
            0,
            "illegal",
            "one JSON object with the cell in it",
        ),
        (&"echo 0 0".into(), "first-turn", 0, "not-json", "nothing but one line of JSON"),
        (&"read -r line".into(), "first-turn", 0, "not-json", "and flush it before"),
        (
            &of_sapper("s/\"row\":\\([0-9]*\\)/\"row\":\\1.0/"),
            "first-turn",
            0,
            "illegal",
            "not 3.0",
        ),
        (
            &format!("echo thinking; {CORNER}"),
            "first-turn",
            0,
            "not-json",
            "write messages to standard error",
        ),
        (&second_turn("echo the reason >&2; exit 3"), "turns", 1, "crash", "exit code 0"),
        (&second_turn("kill -SEGV $$"), "turns", 1, "crash", "an index outside an array"),
        (&keep_then("exit 0"), "turns", 1, "crash", "read the next request in a loop"),
        (
            &format!("{CORNER}; head -c 3000000 /dev/zero; sleep 9"),
            "first-turn",
            0,
            "output-limit",
            "a loop left in",
        ),
    ] {
        let bot = Script::new(script);
        let (report, code) = report(&bot.command, &["--time-limit", "20"]);
        assert_eq!((code, &report["ready"]), (1, &json!(false)), "{script}: {report}");
        let failure = &report["failures"][0];
        assert_eq!(
            (&failure["check"], &failure["turn"]),
            (&json!(check), &json!(turn)),
            "{script}: {failure}"
        );
        assert_eq!(
            (&failure["fault"], &failure["needed"]),
            (&json!(fault), &json!(true)),
            "{script}"
        );
        let said = failure["mend"].as_str().unwrap();
        assert!(said.contains(mend), "{script}: `{said}` lacks `{mend}`");
        assert!(failure["input"].as_str().unwrap().starts_with('{'), "{script}");
    }
}

#[cfg(unix)]
#[test]
fn a_bot_that_uses_too_much_memory_is_told_the_limit() {
    let bot = Script::new(&format!("x=$(head -c 100000000 /dev/zero | tr '\\0' x); {CORNER}"));
    let (report, code) = report(&bot.command, &["--memory-limit", "40", "--time-limit", "20"]);
    assert_eq!((code, &report["ready"]), (1, &json!(false)), "{report}");
    let failure = &report["failures"][0];
    assert_eq!(failure["fault"], "memory-limit", "{failure}");
    assert!(failure["mend"].as_str().unwrap().contains("use less than 40 MiB"), "{failure}");
}

#[cfg(unix)]
#[test]
fn a_bot_that_is_late_is_told_what_it_waited_for() {
    let keep_then = |then: &str| format!("read -r line; {CORNER}; echo '{MARKER}'; {then}");
    for (script, check, mend) in [
        (format!("line=$(cat); {CORNER}"), "first-turn", "read one line and no more"),
        (
            format!("read -r line; read -r more; {CORNER}"),
            "first-turn",
            "read one line and no more",
        ),
        (
            "read -r line; printf '{\"response\":{\"row\":0,\"col\":0}}'; sleep 60".to_owned(),
            "first-turn",
            "end the program after its answer",
        ),
        ("echo thinking; sleep 60".to_owned(), "first-turn", "print the whole answer as one line"),
        ("read -r line; sleep 60".to_owned(), "first-turn", "wait for no second line"),
        ("while :; do :; done".to_owned(), "first-turn", "let a clock end the search after 0.5 s"),
        (keep_then("sleep 60"), "turns", "read one line, the bare request of the next turn"),
    ] {
        let bot = Script::new(&script);
        let (report, code) = report(&bot.command, &["--time-limit", "0.4"]);
        assert_eq!((code, &report["ready"]), (1, &json!(false)), "{script}: {report}");
        // Another check may fail before it: the bot always answers the same cell.
        let failures = report["failures"].as_array().unwrap();
        let failure = failures.iter().find(|failure| failure["check"] == check).unwrap();
        assert_eq!(
            (&failure["check"], &failure["fault"]),
            (&json!(check), &json!("timeout")),
            "{script}: {failure}"
        );
        let said = failure["mend"].as_str().unwrap();
        assert!(said.contains(mend), "{script}: `{said}` lacks `{mend}`");
    }
}

/// What Botzone does not send is a note.
#[cfg(unix)]
#[test]
fn a_bot_that_cannot_read_one_form_fails_in_that_check_alone() {
    let script = format!(
        "read -r line; case $line in *'\"changed\":\"\"'*) exit 1;; esac; \
         printf '%s\\n' \"$line\" | '{}' sapper",
        env!("CARGO_BIN_EXE_judge")
    );
    let bot = Script::new(&script);
    let only = |group| report(&bot.command, &["--time-limit", "20", "--only", group]);
    let (report, code) = only("forms");
    assert_eq!((code, &report["ready"]), (1, &json!(false)), "{report}");
    assert_eq!(with_result(&report, "failed"), ["forms/changed-empty-text"], "{report}");
    assert_eq!(with_result(&report, "ok").len(), 9, "{report}");
    let failure = &report["failures"][0];
    assert_eq!((&failure["needed"], &failure["also"]), (&json!(true), &json!([])));
    assert!(failure["about"].as_str().unwrap().contains("`changed` \"\""), "{failure}");
    // The command repeats the failure as it is.
    let again = failure["again"].as_str().unwrap();
    assert!(again.contains("--only forms/changed-empty-text --time-limit 20"), "{again}");
    let repeated = shell().args(["-c", again]).output().unwrap();
    assert_eq!(repeated.status.code(), Some(1));
    let repeated = String::from_utf8(repeated.stdout).unwrap();
    assert!(repeated.contains("FAILED forms/changed-empty-text, turn 0: crash (exit code 1)"));
    assert!(repeated.contains("NOT READY for Botzone: 1 of 2 checks failed"), "{repeated}");

    let (report, code) = only("samples");
    assert_eq!((code, &report["ready"]), (0, &json!(true)), "{report}");
    assert_eq!(with_result(&report, "note"), ["samples/any-form"], "{report}");
    assert_eq!(report["failures"][0]["needed"], false, "{report}");
}

/// A bot may store its state in `data`, which Botzone sends back; histories of other games lack it.
#[cfg(unix)]
#[test]
fn a_bot_that_stores_data_need_not_continue_a_foreign_game() {
    let script = format!(
        "read -r line; \
         case $line in *'\"responses\":[]'* | *'\"data\":\"x\"'*) ;; *) exit 1;; esac; \
         printf '%s\\n' \"$line\" | '{}' sapper | sed 's/}}$/,\"data\":\"x\"}}/'",
        env!("CARGO_BIN_EXE_judge")
    );
    let bot = Script::new(&script);
    for (group, ok, notes) in [("turns", 2, 0), ("histories", 1, 4)] {
        let (report, code) = report(&bot.command, &["--time-limit", "20", "--only", group]);
        assert_eq!((code, &report["ready"]), (0, &json!(true)), "{report}");
        assert_eq!(with_result(&report, "ok").len(), ok, "{report}");
        assert_eq!(with_result(&report, "note").len(), notes, "{report}");
        let is_told = report["notes"].to_string().contains("Botzone sends it back");
        assert_eq!(is_told, notes > 0, "{report}");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_may_be_a_text_with_the_object() {
    let filter = r#"| sed 's/"/\\"/g; s/.*\({[^{}]*}\).*/{"response":"\1"}/'"#;
    let bot = Script::new(&sapper_through(filter));
    let options = ["--clock", "cpu", "--time-limit", "20", "--only", "turns"];
    let (report, code) = report(&bot.command, &options);
    assert_eq!((code, &report["ready"]), (0, &json!(true)), "{report}");
    assert_eq!(with_result(&report, "ok"), ["first-turn", "turns"], "{report}");
}

#[cfg(unix)]
#[test]
fn the_text_names_failure_mend_command_and_verdict() {
    let bot = Script::new("echo the reason >&2; exit 4");
    let run = check(&bot.command, &["--time-limit", "20"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    for line in [
        "FAILED first-turn, turn 0: crash (exit code 4)",
        "  mend: end with exit code 0",
        "  stderr: the reason",
        "not tried: 36 checks, after failures",
        "NOT READY for Botzone: 1 of 1 check failed",
    ] {
        assert!(run.stdout.contains(line), "no `{line}` in {}", run.stdout);
    }
    let table = run.stdout.lines().take_while(|line| line.starts_with('|'));
    assert!(table.map(|line| line.chars().count()).max().is_some_and(|width| width <= 100));
    let again = run.stdout.lines().find_map(|line| line.strip_prefix("  again: ")).unwrap();
    assert!(
        again.contains("check bot --bot") && again.ends_with("--only first-turn --time-limit 20")
    );
}

#[test]
fn what_cannot_be_checked_is_bad_usage() {
    for (arguments, hint) in [
        (&["--bot", "./no-such-bot"][..], "there is no file ./no-such-bot"),
        (&["--only", "game"], "there is no such check; the groups are first-turn, turns, forms"),
        (&["--language", "x=java"], "no bot is called x"),
    ] {
        let run = judge(["check", "bot"].iter().chain(arguments));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(hint), "{arguments:?}: {}", run.stderr);
    }
}
