//! `judge samples`: answers compared with the acceptable ones, on samples made here.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{MARKER, Run, Script, judge};

/// A directory with two samples, one of each kind, with these acceptable answers.
fn two_samples(answer: &Value, answers: &Value) -> TempDir {
    let directory = TempDir::new().unwrap();
    let write = |name: &str, text: String| fs::write(directory.path().join(name), text).unwrap();
    let request = json!({"changed": null, "height": 2, "minecount": 1, "width": 3});
    write("one.json", format!("{:#}", json!({"requests": [request], "responses": []})));
    write("one.expected.json", json!({"about": "once", "answer": answer}).to_string());
    let bare = json!({"changed": [], "height": 2, "minecount": 1, "width": 3});
    write(
        "two.keep.jsonl",
        format!("{}\n\n{bare}\n", json!({"requests": [request], "responses": []})),
    );
    write("two.expected.json", json!({"about": "kept", "answers": answers}).to_string());
    directory
}

fn samples(directory: &TempDir, bot: &Script, keep_bot: &Script) -> Run {
    let directory = directory.path().to_str().unwrap();
    judge(["samples", directory, "--bot", &bot.command, "--keep-bot", &keep_bot.command])
}

/// A bot that asks to be kept running and gives these answers.
fn kept(answers: &[(i32, i32)]) -> Script {
    let answers: Vec<Value> =
        answers.iter().map(|(row, col)| json!({"response": {"row": row, "col": col}})).collect();
    let script = format!("while read -r line; do next; echo \"$answer\"; echo '{MARKER}'; done");
    Script::with_answers(&answers, &script)
}

#[test]
fn answers_are_compared_with_the_acceptable_ones() {
    let one = Script::new("echo '{\"response\":{\"row\":1,\"col\":2}}'");
    let good = two_samples(&json!([[0, 0], [1, 2]]), &json!([[[0, 0]], [[1, 1], [0, 2]]]));
    let run = samples(&good, &one, &kept(&[(0, 0), (0, 2)]));
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("2 samples, 0 wrong"), "{}", run.stdout);
    assert!(run.stdout.contains("0,0  1,2") && run.stdout.contains("two 2"), "{}", run.stdout);

    let run = samples(&good, &one, &kept(&[(0, 0), (1, 2)]));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("2 samples, 1 wrong"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("WRONG").count(), 1);

    let other = two_samples(&json!([[0, 0]]), &json!([[[0, 0]], [[0, 2]]]));
    assert_eq!(samples(&other, &one, &kept(&[(0, 0), (0, 2)])).code, 1);
}

/// A correct bot that is started for every turn is not wrong; one that claims to keep running has
/// to.
#[test]
fn a_bot_that_does_not_keep_running_is_not_asked_to() {
    let good = two_samples(&json!([[1, 2]]), &json!([[[1, 2]], [[0, 2]]]));
    let directory = good.path().to_str().unwrap();
    let one = "echo '{\"response\":{\"row\":1,\"col\":2}}'";
    let strict = format!("[ $# = 0 ] || exit 2; {one}");
    let late = format!("{one}; echo '{MARKER}'; read -r line; read -r line; exit 5");
    let names = "left out, because the bot does not ask to be kept running: two; --keep-bot CMD";
    for (script, code, summary, is_left_out) in [
        (one, 0, "1 sample, 0 wrong answers", true),
        (&strict, 0, "1 sample, 0 wrong answers", true),
        (&late, 1, "2 samples, 1 wrong answer", false),
    ] {
        let bot = Script::new(script);
        let run = judge(["samples", directory, "--bot", &bot.command]);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(&format!("\n{summary}\n")), "{}", run.stdout);
        assert_eq!(run.stdout.contains(names), is_left_out, "{}", run.stdout);
    }
    let bot = Script::new(one);
    let claims = format!("{} --keep-running", bot.command);
    let run = judge(["samples", directory, "--bot", &claims]);
    assert!(run.code == 1 && run.stdout.contains("no keep-running marker"), "{}", run.stdout);
    fs::remove_file(good.path().join("one.json")).unwrap();
    fs::remove_file(good.path().join("one.expected.json")).unwrap();
    let run = judge(["samples", directory, "--bot", &bot.command]);
    assert!(run.code == 2 && run.stderr.contains("no sample is left: "), "{}", run.stderr);
}

/// A bot may read one line, since Botzone sends no more.
#[test]
fn an_input_of_several_lines_is_asked_in_one() {
    let samples = two_samples(&json!([[1, 2]]), &json!([[[1, 2]], [[0, 2]]]));
    let bot = Script::new(
        "read -r line; case \"$line\" in '{'*'}') ;; *) exit 3 ;; esac\n\
         echo '{\"response\":{\"row\":1,\"col\":2}}'",
    );
    let run = judge(["samples", samples.path().to_str().unwrap(), "--bot", &bot.command]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_table_of_the_repository_fits_100_columns() {
    let bot = Script::new("echo '{\"response\":{\"row\":10,\"col\":10}}'");
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/requests");
    let run = judge(["samples", samples, "--bot", &bot.command, "--keep-bot", &bot.command]);
    assert!(run.stdout.contains("safe-by-total-and-counting"), "{}", run.stderr);
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn a_fault_of_the_bot_is_reported() {
    let good = two_samples(&json!([[0, 0]]), &json!([[[0, 0]], [[0, 2]]]));
    let fails = Script::new("echo the reason >&2; exit 4");
    let run = samples(&good, &fails, &kept(&[(0, 0), (0, 2)]));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("exit code 4"), "{}", run.stdout);
    assert!(run.stdout.contains("one: stderr: the reason"), "{}", run.stdout);
    // Without the keep-running marker the second turn is not asked.
    let one = Script::new("echo '{\"response\":{\"row\":0,\"col\":0}}'");
    let run = samples(&good, &one, &one);
    assert_eq!(run.code, 1);
    let last = run.stdout.lines().last();
    assert_eq!(last, Some("2 samples, 1 wrong answer, 1 turn not asked"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("WRONG").count(), 1, "{}", run.stdout);
}

#[test]
fn samples_that_cannot_be_read_are_bad_input() {
    let bot = Script::new("true");
    let bad = |directory: &TempDir, hint: &str| {
        let run = samples(directory, &bot, &bot);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    };
    bad(&TempDir::new().unwrap(), "holds no samples");
    bad(&two_samples(&json!(null), &json!([[], []])), "needs `answer`");
    bad(&two_samples(&json!([]), &json!(null)), "needs `answers`");
    bad(&two_samples(&json!([]), &json!([[]])), "1 list of answers for 2 inputs");
    bad(&two_samples(&json!([[1]]), &json!([[], []])), "does not list answers");
    // The other sample is asked.
    let one_bad = two_samples(&json!([[0, 0]]), &json!(null));
    let run = samples(&one_bad, &Script::new("echo '{\"response\":{\"row\":0,\"col\":0}}'"), &bot);
    assert!(run.stdout.contains("1 sample, 0 wrong answers"), "{}", run.stdout);
    assert!(run.code == 2 && run.stderr.contains("1 sample cannot be read"), "{}", run.stderr);
    let lonely = two_samples(&json!([]), &json!([[], []]));
    fs::remove_file(lonely.path().join("one.json")).unwrap();
    bad(&lonely, "has no input; add one.json");
    let lonely = two_samples(&json!([]), &json!([[], []]));
    fs::remove_file(lonely.path().join("two.expected.json")).unwrap();
    bad(&lonely, "two.expected.json is missing");
    let run = judge(["samples", "/no/such/directory", "--bot", "true"]);
    assert_eq!(run.code, 2);
}

#[test]
fn the_json_reports_the_same() {
    let one = Script::new("echo '{\"response\":{\"row\":1,\"col\":2}}'");
    let good = two_samples(&json!([[0, 0], [1, 2]]), &json!([[[0, 0]], [[1, 1], [0, 2]]]));
    let keep = kept(&[(0, 0), (1, 2)]);
    let directory = good.path().to_str().unwrap();
    let run =
        judge(["samples", directory, "--bot", &one.command, "--keep-bot", &keep.command, "--json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["samples"], &report["wrong"]), (&json!(2), &json!(1)));
    let oks: Vec<&Value> =
        report["answers"].as_array().unwrap().iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(oks, [true, true, false]);
    let last = &report["answers"][2];
    assert_eq!((&last["sample"], &last["turn"]), (&json!("two"), &json!(2)));
    assert_eq!((&last["expected"], &last["answered"]), (&json!([[1, 1], [0, 2]]), &json!([1, 2])));

    let fails = Script::new("echo the reason >&2; exit 4");
    let keep = kept(&[(0, 0), (0, 2)]);
    let run = judge([
        "samples",
        directory,
        "--bot",
        &fails.command,
        "--keep-bot",
        &keep.command,
        "--json",
    ]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["answers"][0]["answered"]), (1, &Value::Null));
    assert!(report["answers"][0]["fault"].as_str().unwrap().contains('4'), "{report}");
    assert_eq!(report["stderr"], json!(["one: stderr: the reason"]));
}
