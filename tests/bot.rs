//! The built bot, driven through real pipes.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

const FIRST: &str = r#"{"changed":null,"height":3,"minecount":1,"width":3}"#;
const SECOND: &str =
    r#"{"changed":[{"col":0,"row":0,"val":1}],"height":3,"minecount":1,"width":3}"#;
const MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_sapper"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Everything at once: what a shell's `<` does.
fn run(arguments: &[&str], input: &[u8]) -> (ExitStatus, String, String) {
    let mut bot = start(arguments);
    // The bot may answer and leave before it has read all.
    let _ = bot.stdin.take().unwrap().write_all(input);
    let output = bot.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status, text(output.stdout), text(output.stderr))
}

fn line(reader: &mut impl BufRead) -> String {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

#[test]
fn one_shot_answers_one_exact_line() {
    let input = format!(r#"{{"requests":[{FIRST}],"responses":[]}}"#);
    for ending in ["", "\n", "\r\n", "\n\n{\"requests\":[]}", " trailing words"] {
        let (status, out, err) = run(&[], format!("{input}{ending}").as_bytes());
        assert_eq!(out, "{\"response\":{\"row\":0,\"col\":0}}\n");
        assert_eq!((status.code(), err.as_str()), (Some(0), ""));
    }
    // A mark that some shells put before a pipe's text.
    let (status, out, _) = run(&[], format!("\u{feff}{input}").as_bytes());
    assert_eq!((status.code(), out.lines().count()), (Some(0), 1));
}

#[test]
fn an_answer_does_not_wait_for_the_end_of_the_input() {
    let mut bot = start(&[]);
    let mut stdin = bot.stdin.take().unwrap();
    write!(stdin, r#"{{"requests":[{FIRST}],"responses":[]}}"#).unwrap();
    stdin.flush().unwrap();
    // The pipe stays open, and there is no line feed: the bot answers and leaves all the same.
    assert!(bot.wait().unwrap().success());
    let mut out = String::new();
    bot.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "{\"response\":{\"row\":0,\"col\":0}}\n");
    drop(stdin);
}

#[test]
fn input_may_come_in_pieces() {
    let input = format!(r#"{{"requests":[{FIRST},{SECOND}],"responses":[{{"row":0,"col":0}}]}}"#);
    let whole = run(&[], input.as_bytes()).1;
    let mut bot = start(&[]);
    let mut stdin = bot.stdin.take().unwrap();
    for (number, byte) in input.bytes().enumerate() {
        stdin.write_all(&[byte]).unwrap();
        stdin.flush().unwrap();
        if number % 16 == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    let output = bot.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), whole);
}

#[test]
fn kept_running_takes_bare_requests_and_whole_histories() {
    let mut bot = start(&["--keep-running"]);
    let mut stdin = bot.stdin.take().unwrap();
    let mut stdout = BufReader::new(bot.stdout.take().unwrap());
    let mut ask = |input: &str| {
        writeln!(stdin, "{input}").unwrap();
        stdin.flush().unwrap();
        let answer = line(&mut stdout);
        assert_eq!(line(&mut stdout), MARKER);
        answer
    };
    let whole = |requests: &str| format!(r#"{{"requests":[{requests}],"responses":[]}}"#);
    let one_shot = |requests: &str| run(&[], whole(requests).as_bytes()).1.trim_end().to_owned();
    assert_eq!(ask(&whole(FIRST)), one_shot(FIRST));
    let both = format!("{FIRST},{SECOND}");
    assert_eq!(ask(SECOND), one_shot(&both));
    // A whole history replaces what was known; the same bare request then follows it again.
    assert_eq!(ask(&whole(FIRST)), one_shot(FIRST));
    assert_eq!(ask(SECOND), one_shot(&both));
    // A bare request may also be the first of all.
    drop(stdin);
    assert_eq!(line(&mut stdout), "");
    assert_eq!(bot.wait().unwrap().code(), Some(0));
    let (status, out, _) = run(&["--keep-running"], format!("{FIRST}\n{SECOND}\n").as_bytes());
    assert_eq!(status.code(), Some(0));
    assert_eq!(out, format!("{}\n{MARKER}\n{}\n{MARKER}\n", one_shot(FIRST), one_shot(&both)));
}

#[test]
fn unreadable_input_is_exit_code_2_and_nothing_on_stdout() {
    for input in [&b""[..], b"  \n", b"{", b"\xff\xfe", b"{\"requests\":[{}]}", b"[]", b"nul\0"] {
        for arguments in [&[][..], &["--keep-running"]] {
            let (status, out, err) = run(arguments, input);
            assert_eq!((status.code(), out.as_str()), (Some(2), ""), "{input:?}");
            assert!(err.starts_with("sapper: "), "{err}");
        }
    }
    let (status, out, err) = run(&["--no-such"], b"");
    assert_eq!((status.code(), out.as_str()), (Some(2), ""));
    assert!(err.contains("--no-such") && err.contains("--help"));
}

#[test]
fn a_bad_line_after_an_answer_is_an_error() {
    let (status, out, err) = run(&["--keep-running"], format!("{FIRST}\nnonsense\n").as_bytes());
    assert_eq!(status.code(), Some(2));
    assert_eq!(out.lines().count(), 2);
    assert!(err.contains("line 2"), "{err}");
}

#[test]
fn help_and_version_say_what_they_should() {
    let (status, help, _) = run(&["--help"], b"");
    assert!(status.success() && help.contains("--keep-running") && help.contains("Examples:"));
    let (status, version, _) = run(&["--version"], b"");
    assert!(status.success());
    assert!(version.starts_with(concat!("sapper ", env!("CARGO_PKG_VERSION"))), "{version}");
}

#[test]
fn the_objective_and_the_effort_decide_how_it_plays() {
    // Both cells are those of optimal play.
    let tiny = br#"{"height":4,"width":4,"minecount":4,"changed":[{"row":1,"col":1,"val":3}]}"#;
    let fewest_hits = "{\"response\":{\"row\":3,\"col\":3}}\n";
    for arguments in [&[][..], &["--objective", "fewest-hits"], &["--effort", "full"]] {
        assert_eq!(run(arguments, tiny).1, fewest_hits, "{arguments:?}");
    }
    let clean_win = "{\"response\":{\"row\":1,\"col\":3}}\n";
    for arguments in [&["--objective", "clean-win"][..], &["--objective=clean-win"]] {
        assert_eq!(run(arguments, tiny).1, clean_win, "{arguments:?}");
    }

    let wide = br#"{"height":9,"width":9,"minecount":20,"changed":[{"row":4,"col":4,"val":2}]}"#;
    let playouts = |arguments: &[&str]| run(arguments, wide).1.contains(" playouts");
    assert!(playouts(&["--debug"]) && playouts(&["--debug", "--effort", "full"]));
    assert!(!playouts(&["--debug", "--effort", "fast"]));

    let efforts = "sapper: --effort: give fast, standard or full\n";
    let objectives = "sapper: --objective: give fewest-hits or clean-win\n";
    for (arguments, reason) in [
        (&["--effort"][..], efforts),
        (&["--effort", "Full"], efforts),
        (&["--objective", "win"], objectives),
        (&["--objective="], objectives),
        (&["--debug=yes"], "unknown argument \"--debug=yes\""),
    ] {
        let (status, out, err) = run(arguments, tiny);
        assert_eq!((status.code(), out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
    }
}

#[test]
fn a_file_is_answered_as_standard_input_is() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/requests");
    for (arguments, name) in [
        (&[][..], "forced-guess.json"),
        (&["--debug"], "late-endgame.json"),
        (&["--keep-running"], "keep-running.keep.jsonl"),
    ] {
        let path = format!("{samples}/{name}");
        let text = std::fs::read(&path).unwrap();
        let expected = run(arguments, &text);
        assert!(expected.0.success() && expected.1.contains("response"), "{name}: {expected:?}");
        let with = |file| [arguments, &[file]].concat();
        assert_eq!(run(&with(&path), b""), expected, "{name}");
        assert_eq!(run(&with("-"), &text), expected, "{name}");
    }
    let missing = format!(
        "sapper: cannot read no-such-file.json: it does not exist (the current folder is {})\n",
        std::env::current_dir().unwrap().display()
    );
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/fields/forced-guess.txt");
    let of_board = "sapper: the input is no request or history: expected a history or a request at \
                    line 1 column 2; `judge explain` reads boards drawn as text\n";
    let of_folder = format!("sapper: cannot read {samples}: it is a folder; give a file in it\n");
    for (arguments, reason) in [
        (&["no-such-file.json"][..], missing.as_str()),
        (&["a.json", "b.json"], "sapper: give one file, not both a.json and b.json\n"),
        (&[samples], &of_folder),
        (&[board], of_board),
    ] {
        let (status, out, err) = run(arguments, b"");
        assert_eq!((status.code(), out.as_str()), (Some(2), ""), "{arguments:?}");
        assert_eq!(err, reason, "{arguments:?}");
    }
}

#[test]
fn a_stated_time_limit_does_not_change_the_answer() {
    let game = include_str!("../samples/requests/late-endgame.json");
    let none = "\"time_limit\":\"\"";
    assert!(game.contains(none));
    let answer = run(&[], game.as_bytes()).1;
    for limit in ["1", "\"0.5\"", "\"\"", "null", "\"soon\"", "-3", "1e9"] {
        let with = game.replace(none, &format!("\"time_limit\":{limit}"));
        assert_eq!(run(&[], with.as_bytes()).1, answer, "{limit}");
    }
}

/// Kills a bot that hangs, so that the test fails instead of waiting; until the sender is dropped.
fn end_after_a_minute(bot: &Child) -> Sender<()> {
    let (done, watched) = channel();
    let process = bot.id().to_string();
    std::thread::spawn(move || {
        if watched.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
            Command::new("kill").args(["-9", &process]).status().unwrap();
        }
    });
    done
}

#[test]
fn unread_warnings_do_not_block_a_bot_that_is_kept_running() {
    let mut bot = start(&["--keep-running"]);
    let _watch = end_after_a_minute(&bot);
    let mut stdin = bot.stdin.take().unwrap();
    let mut stdout = BufReader::new(bot.stdout.take().unwrap());
    // Three cells outside a turn: 1200 warnings, and the last turn finds all of them again.
    for turn in 0..400 {
        let outside = |col: i32| format!(r#"{{"row":{turn},"col":{col},"val":1}}"#);
        let changed = [outside(3), outside(4), outside(-1)].join(",");
        writeln!(stdin, r#"{{"changed":[{changed}],"height":3,"minecount":1,"width":3}}"#).unwrap();
        assert_ne!(line(&mut stdout), "", "turn {turn}");
        assert_eq!(line(&mut stdout), MARKER, "turn {turn}");
    }
    drop(stdin);
    assert_eq!(bot.wait().unwrap().code(), Some(0));
    let mut err = String::new();
    bot.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let lines: Vec<&str> = err.lines().collect();
    let different: std::collections::BTreeSet<&&str> = lines.iter().collect();
    assert_eq!(different.len(), lines.len(), "a warning is written twice");
    assert!(lines.len() > 700, "{} lines", lines.len());
    assert!(lines[0].contains("requests[0]: (0,3)"), "{}", lines[0]);
    assert!(lines[lines.len() - 1].contains("there are more"));
}

#[test]
fn many_warnings_are_written_in_part_and_the_bot_ends() {
    let mut bot = start(&[]);
    let _watch = end_after_a_minute(&bot);
    let outside: Vec<String> =
        (0..40_000).map(|row| format!(r#"{{"row":{row},"col":200,"val":1}}"#)).collect();
    let request =
        format!(r#"{{"changed":[{}],"height":200,"minecount":1,"width":200}}"#, outside.join(","));
    bot.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    assert_eq!(bot.wait().unwrap().code(), Some(0));
    let mut err = String::new();
    bot.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let (last, written) = (err.lines().last().unwrap(), err.lines().count() - 1);
    assert!((700..2000).contains(&written), "{written}");
    assert_eq!(last, "sapper: warning: there are more, which are not printed");
}

/// The warnings to an input that is answered, without their head.
fn warnings(input: &str) -> Vec<String> {
    let (status, out, err) = run(&[], input.as_bytes());
    assert_eq!((status.code(), out.lines().count()), (Some(0), 1), "{input}");
    err.lines().map(|line| line.strip_prefix("sapper: warning: ").unwrap().to_owned()).collect()
}

#[test]
fn each_contradiction_is_warned_of_once() {
    let field = |mines: u32, cells: &str| {
        format!(r#"{{"height":2,"width":20,"minecount":{mines},"changed":[{cells}]}}"#)
    };
    let left = r#"{"row":0,"col":1,"val":3},{"row":0,"col":2,"val":0}"#;
    let right = r#"{"row":0,"col":17,"val":0},{"row":0,"col":18,"val":3}"#;
    let both = warnings(&field(10, &format!("{left},{right}")));
    let [one, other] = &both[..] else { panic!("{both:?}") };
    let place = "no layout fits: 3 mines would have to lie in 2 cells, near";
    assert_eq!((one, other), (&format!("{place} (0,0)"), &format!("{place} (0,19)")));
    assert_eq!(warnings(&field(10, left)), both[..1]);
    // The total that follows from another fault is no warning of its own.
    let small = |rest: &str| warnings(&format!(r#"{{"height":3,"width":3,{rest}}}"#));
    assert_eq!(
        small(r#""minecount":50,"changed":[{"row":0,"col":0,"val":1},{"row":0,"col":0,"val":2}]"#),
        [
            "minecount 50 is more than the 9 cells of the field",
            "requests[0]: (0,0): val 2 contradicts an earlier report"
        ]
    );
    assert_eq!(
        small(r#""minecount":1,"changed":[{"row":0,"col":0,"val":2}]"#),
        ["no layout fits: 1 mine is left, but the numbers need at least 2"]
    );
}

#[test]
fn contradictory_and_empty_requests_are_warned_of() {
    let found = warnings(
        r#"{"requests":[{},{"height":3,"width":3,"minecount":18446744073709551615},
        {"height":4,"width":3,"minecount":1},{"height":5,"changed":[{"row":3,"col":-1,"val":2},
        {"row":0,"col":0,"val":10},{"row":0,"col":0,"val":1}]},{"height":null}]}"#,
    );
    assert_eq!(
        found,
        [
            r#"requests[2]: "height" 4 contradicts 3 before; 3 is used"#,
            concat!(
                r#"requests[2]: "minecount" 1 contradicts 18446744073709551615 before; "#,
                "18446744073709551615 is used"
            ),
            "requests[0] is empty",
            "minecount 18446744073709551615 is more than the 9 cells of the field",
            "requests[3]: (3,-1): there is no such cell",
            "requests[3]: (0,0): val 10 is neither a number (0-8) nor a mine (9)",
            "requests[3]: (0,0): val 1 contradicts an earlier report",
        ]
    );
    let fine = r#"{"requests":[{"height":3,"width":3,"minecount":1},{"height":3,"x":null}]}"#;
    assert_eq!(warnings(fine), [""; 0]);
}

#[test]
fn without_a_field_the_error_names_what_was_found() {
    let expected_form = concat!(
        r#"expected {"requests":[{"height":H,"width":W,"minecount":M,"changed":[...]}]} "#,
        "or one bare request"
    );
    for (input, expected) in [
        (
            r#"{"height":"x","width":3}"#,
            "the input is no request or history: expected a whole number from 0 as \"height\" at \
             line 1 column 13",
        ),
        (
            "3 2 1\n1..\n1..",
            "the input is no request or history: expected a history or a request at line 1 column \
             2",
        ),
        (
            r#"{"requests":[{"height":null,"width":3,"minecount":3}]}"#,
            &format!(r#"no request has "height"; {expected_form}"#),
        ),
        (
            r#"{"requests":[{"width":2,"height":1},{}]}"#,
            &format!(r#"no request has "minecount"; {expected_form}"#),
        ),
        (
            r#"{"requests":[]}"#,
            &format!(r#"no request has "height" or "width" or "minecount"; {expected_form}"#),
        ),
        (
            r#"{"requests":[{"width":2,"minecount":1},{"height":0}]}"#,
            r#""height" 0, "width" 2: a field needs at least one row and one column"#,
        ),
        (
            r#"{"requests":[{"height":3,"minecount":1},{"width":4000000000}]}"#,
            concat!(
                r#""height" 3, "width" 4000000000: "#,
                "a field of more than 262144 cells is too large"
            ),
        ),
    ] {
        let (status, _, err) = run(&[], input.as_bytes());
        assert_eq!((status.code(), err.trim_end()), (Some(2), &format!("sapper: {expected}")[..]));
    }
}

/// A directory can be opened and not read; on Windows, not opened either.
#[cfg(unix)]
#[test]
fn a_directory_is_no_input() {
    let directory = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sapper")).stdin(directory).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("sapper: the input cannot be read: "), "{err}");
}

#[test]
fn a_byte_order_mark_may_stand_before_the_first_line() {
    let plain = run(&["--keep-running"], format!("{FIRST}\n{SECOND}\n").as_bytes());
    let marked = run(&["--keep-running"], format!("\u{feff}{FIRST}\n{SECOND}\n").as_bytes());
    assert_eq!((marked.0.code(), &marked.2[..]), (Some(0), ""));
    assert_eq!((marked.1.lines().count(), marked.1), (4, plain.1));
    let (status, out, err) = run(&["--keep-running"], format!("{FIRST}\n\u{feff}").as_bytes());
    assert_eq!((status.code(), out.lines().count()), (Some(2), 2));
    assert!(err.contains("not JSON") && err.contains("line 2"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_answer_that_cannot_be_written_is_exit_code_1() {
    let ended = |redirection: &str| {
        let line = format!("echo '{{\"requests\":[{FIRST}]}}' | \"$0\" {redirection}");
        let run = Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_sapper")]).output();
        let run = run.unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, err) = ended("> /dev/full");
    assert_eq!(code, Some(1));
    assert!(err.starts_with("sapper: cannot write the answer: "), "{err}");
    // As `--help` says, a standard output that is closed from the start is no fault.
    assert_eq!(ended(">&-"), (Some(0), String::new()));
}
