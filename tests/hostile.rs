//! Hostile inputs for the built bot: exit code, time and memory.
//!
//! Recursion, allocations and time must not grow with a number in the input, with its nesting, with
//! its repetitions or with its length.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The time limit of a run. It is generous, for a debug build on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(60);
/// The memory limit of a run, in units of 2^20 bytes. The platform's limit is 256.
const MAX_MEGABYTES: u64 = 200;

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The stack limit of a run, in units of 2^10 bytes. The depth of every recursion is bounded.
const STACK_KILOBYTES: u64 = 256;

/// Runs the bot on the input that `write` writes, with limits on address space and stack. A bot
/// that exceeds them aborts, and one that exceeds [`MAX_TIME`] is killed.
fn run_within(megabytes: u64, write: impl FnOnce(&mut ChildStdin) + Send + 'static) -> Ran {
    let limit =
        format!("ulimit -v {} && ulimit -s {STACK_KILOBYTES} && exec \"$0\"", megabytes << 10);
    let mut bot = Command::new("sh")
        .args(["-c", &limit, env!("CARGO_BIN_EXE_sapper")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = bot.stdin.take().unwrap();
    std::thread::spawn(move || write(&mut stdin));
    let (mut stdout, mut stderr) = (bot.stdout.take().unwrap(), bot.stderr.take().unwrap());
    let (sent, read) = channel();
    std::thread::spawn(move || {
        let mut err = String::new();
        stderr.read_to_string(&mut err).unwrap();
        sent.send(err).unwrap();
    });
    let ended = wait(&mut bot);
    let mut out = String::new();
    stdout.read_to_string(&mut out).unwrap();
    Ran { code: ended, out, err: read.recv().unwrap() }
}

fn wait(bot: &mut Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = bot.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > MAX_TIME {
            bot.kill().unwrap();
            panic!("the bot took more than {MAX_TIME:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn run(input: impl Into<Vec<u8>>) -> Ran {
    let input = input.into();
    // The bot may exit before it has read the whole input.
    run_within(MAX_MEGABYTES, move |stdin| drop(stdin.write_all(&input)))
}

fn assert_answered(input: impl Into<Vec<u8>>, name: &str) {
    let ran = run(input);
    let line: serde_json::Value = serde_json::from_str(&ran.out).expect(name);
    assert!(line["response"]["row"].is_u64() && line["response"]["col"].is_u64(), "{name}: {line}");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{name}: {}", ran.err);
    assert!(!ran.err.contains("panicked"), "{name}: {}", ran.err);
}

fn assert_refused(input: impl Into<Vec<u8>>, word: &str) {
    let ran = run(input);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{word}: {}", ran.err);
    assert!(ran.err.starts_with("sapper: ") && ran.err.contains(word), "{word}: {}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

fn field(height: &str, width: &str, mines: &str) -> String {
    format!(r#"{{"height":{height},"width":{width},"minecount":{mines},"changed":null}}"#)
}

#[test]
fn a_large_size_costs_nothing() {
    for number in [
        "4000000000",
        "4294967296",
        "4294967297",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "1e18",
        "1e999",
        "\"4000000000\"",
    ] {
        assert_refused(field(number, "3", "1"), "too large");
        assert_refused(field("3", number, "1"), "too large");
        assert_refused(field(number, number, "1"), "too large");
        assert_answered(field("3", "3", number), number);
    }
    // Products that wrap to a small number.
    for (height, width) in [("65536", "65536"), ("4294967296", "4294967296"), ("2147483649", "2")] {
        assert_refused(field(height, width, "1"), "too large");
    }
    assert_answered(field("512", "512", "1"), "the largest");
    assert_answered(field("1", "262144", "262144"), "the longest");
    assert_refused(field("513", "512", "1"), "too large");
}

#[test]
fn numbers_may_have_any_json_form() {
    for (text, is_read) in [
        ("3.0", true),
        ("3e0", true),
        ("0.3e1", true),
        ("30E-1", true),
        ("\"3\"", true),
        ("-3", false),
        ("3.5", false),
        ("-0", false),
        ("1e-3", false),
        ("\"0x3\"", false),
        ("\"three\"", false),
        ("[3]", false),
        ("{\"3\":3}", false),
        ("true", false),
        ("null", false),
        ("\"\"", false),
    ] {
        if is_read {
            assert_answered(field(text, "3", "1"), text);
        } else {
            assert_refused(field(text, "3", "1"), "\"height\"");
        }
    }
    for text in ["03", "+3", "3.", ".3", "0x3", "3e", "NaN", "Infinity", "--3"] {
        assert_refused(field(text, "3", "1"), "not JSON");
    }
}

#[test]
fn a_number_with_two_million_zeros_is_read_exactly() {
    let zeros = "0".repeat(2_000_000);
    for number in
        [format!("3{zeros}e-2000000"), format!("0.{zeros}3E2000001"), format!("3.{zeros}")]
    {
        assert_answered(field(&number, "3", "1"), &number[..10]);
    }
    for (number, word) in [
        (format!("3{zeros}"), "too large"),
        (format!("3{zeros}e-1999990"), "too large"),
        (format!("3{zeros}e-2000001"), "not a fraction"),
        (format!("0.{zeros}3"), "not 0 "),
        (format!("-3{zeros}e-2000000"), "not -3 "),
        (format!("3{zeros}e-2.5"), "not JSON"),
        (format!("3{zeros}e"), "not JSON"),
        (format!("0{zeros}"), "not JSON"),
    ] {
        assert_refused(field(&number, "3", "1"), word);
    }
}

/// A number beyond 64 bits is clamped, and messages say so.
#[test]
fn a_clamped_number_is_marked_in_messages() {
    for number in ["1e999", "\"1e30\"", "9223372036854775807", "18446744073709551616"] {
        let ran = run(field("3", "3", number));
        let warning = "minecount 9223372036854775807 or more is more than the 9 cells";
        assert!(ran.code == Some(0) && ran.err.contains(warning), "{}", ran.err);
    }
    assert_refused(field("-1e999", "3", "1"), "not -9223372036854775808 or less (");
    let request = |mines| field("3", "3", mines);
    let ran = run(format!(r#"{{"requests":[{},{}]}}"#, request("1"), request("1e25")));
    let warning = "\"minecount\" 9223372036854775807 or more contradicts 1 before; 1 is used";
    assert!(ran.err.contains(warning), "{}", ran.err);
}

#[test]
fn a_million_reports_are_read() {
    for (row, val) in [("0", "1"), ("7", "1"), ("-1", "9"), ("0", "9")] {
        let cell = format!(r#"{{"row":{row},"col":0,"val":{val}}}"#);
        let cells = vec![cell; 1_000_000].join(",");
        let input = format!(r#"{{"height":3,"width":3,"minecount":1,"changed":[{cells}]}}"#);
        assert_answered(input, row);
    }
    // Many turns, and many null requests.
    let request = field("3", "3", "1");
    let many = vec![request.as_str(); 200_000].join(",");
    assert_answered(format!(r#"{{"requests":[{many}]}}"#), "turns");
    let nothing = vec!["null"; 1_000_000].join(",");
    assert_answered(format!(r#"{{"requests":[{request},{nothing}]}}"#), "nothing");
}

#[test]
fn deep_nesting_does_not_use_the_stack() {
    let request = r#""height":3,"width":3,"minecount":1"#;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"row\":[", "]}]")] {
        let deep =
            |middle: &str| format!("{}{middle}{}", open.repeat(1_000_000), close.repeat(1_000_000));
        for key in ["data", "changed", "time_limit", "responses"] {
            let input = format!("{{\"{key}\":{},{request}}}", deep("1"));
            assert_answered(input, key);
        }
        // A list without requests is a history without a size; another value is not a history.
        let input = format!("{{\"requests\":{},{request}}}", deep("1"));
        if open.starts_with('[') {
            assert_refused(input, "\"height\"");
        } else {
            assert_answered(input, "requests");
        }
    }
    // Nesting that is never closed is refused.
    let ran = run("[".repeat(3_000_000));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.starts_with("sapper: "), "{}", ran.err);
}

/// Ones and hidden cells, alternating in one row: two layouts over a very large number of cells.
#[test]
fn few_layouts_over_many_cells_are_fast() {
    for ones in [40_000, 100_000] {
        let row = |column: u32| format!(r#"{{"row":0,"col":{},"val":1}}"#, 2 * column + 1);
        let cells: Vec<String> = (0..ones).map(row).collect();
        let (width, mines) = (2 * ones + 1, ones / 2 + 1);
        let field = field("1", &width.to_string(), &mines.to_string());
        let input = field.replace("null", &format!("[{}]", cells.join(",")));
        let started = Instant::now();
        assert_answered(input, "a chain");
        // Such layouts must not be listed for an endgame, which would take much longer.
        assert!(started.elapsed() < MAX_TIME / 2);
    }
}

/// The endgame is the bot's only recursion, at most one level per cell. These are the largest
/// endgames.
#[test]
fn a_deep_endgame_does_not_exhaust_the_stack() {
    for (width, mines) in [(256, 1), (256, 255), (77, 2), (77, 75), (27, 3), (15, 5)] {
        for height in [1, 2] {
            let (height, width) = (height.to_string(), (width / height).to_string());
            let input = field(&height, &width, &mines.to_string());
            assert_answered(input, &format!("{height} {width} {mines}"));
        }
    }
}

#[test]
fn invalid_utf8_is_refused_or_ignored() {
    let request = field("3", "3", "1");
    for bytes in [&b"\0"[..], b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"] {
        let mut before = bytes.to_vec();
        before.extend_from_slice(request.as_bytes());
        assert_refused(before, "not JSON");
        // Bytes after the value are ignored.
        let mut after = request.clone().into_bytes();
        after.extend_from_slice(bytes);
        assert_answered(after, "after");
        // In an unknown value the bytes are either ignored or refused.
        let mut inside = br#"{"data":""#.to_vec();
        inside.extend_from_slice(bytes);
        inside.extend_from_slice(br#"","height":3,"width":3,"minecount":1}"#);
        let ran = run(inside);
        assert!(matches!(ran.code, Some(0 | 2)), "{:?}", ran.code);
        assert_eq!(ran.out.lines().count(), usize::from(ran.code == Some(0)));
    }
}

#[test]
fn the_last_of_many_duplicate_keys_counts() {
    let heights = vec!["\"height\":4000000000"; 100_000].join(",");
    assert_answered(format!(r#"{{{heights},"height":3,"width":3,"minecount":1}}"#), "heights");
    let lists = vec![r#""changed":[{"row":0,"col":0,"val":1}]"#; 100_000].join(",");
    assert_answered(format!(r#"{{"height":3,"width":3,"minecount":1,{lists}}}"#), "lists");
}

/// Consistent and inconsistent reports that cover the largest field.
#[test]
fn reports_of_every_cell_are_read() {
    let all = |value: fn(usize) -> usize| {
        let cell = |cell: usize| {
            let (row, column) = (cell / 512, cell % 512);
            format!(r#"{{"row":{row},"col":{column},"val":{}}}"#, value(cell))
        };
        (0..512 * 512 - 1).map(cell).collect::<Vec<_>>().join(",")
    };
    for (mines, value) in [
        (0, (|_| 0) as fn(usize) -> usize),
        (99, |_| 1),
        (262_144, |_| 9),
        (50_000, |cell| cell * 7919 % 9),
    ] {
        let cells = all(value);
        let input =
            format!(r#"{{"height":512,"width":512,"minecount":{mines},"changed":[{cells}]}}"#);
        assert_answered(input, &mines.to_string());
    }
}

/// Lines of 100 MB, which the bot must not keep in memory.
#[test]
fn a_long_line_is_read_but_not_kept() {
    const HISTORY: &[u8] = b"{\"requests\":[{\"height\":3,\"width\":3,\"minecount\":1},";
    const LATER: &[u8] = b"{\"requests\":[{\"height\":3,\"width\":3,\"minecount\":1,\
        \"changed\":[{\"row\":0,\"col\":0,\"val\":1}]},{\"changed\":[";
    let kinds: [(&[u8], &[u8], &[u8]); 13] = [
        (LATER, b"{\"row\":1,\"col\":1},", b"{}]}],"),
        (HISTORY, b"{},1,{\"changed\":7},{\"width\":\"\"},", b"1],"),
        (HISTORY, b"{\"width\":5},{\"height\":7},", b"1],"),
        (b"{\"changed\":[", b"1,{},{\"row\":1},", b"{}],"),
        (b"{\"changed\":[", b"{\"row\":512,\"col\":512},{\"row\":-1},", b"{}],"),
        (b"{\"data\":\"", b"aaaaaaaaaaaaaaaa", b"\","),
        (b"{\"", b"kkkkkkkkkkkkkkkk", b"\":1,"),
        (b"{\"data\":\"", b"\\u0041\\n\\u00e9\\t", b"\","),
        (b"{\"data\":[", b"1,2,3,4,5,6,7,8,", b"0],"),
        (b"{\"data\":", b"                ", b"1,"),
        (b"{\"height\":", b"9999999999999999", b","),
        (b"{\"height\":1", b"0000000000000000", b"e-99999999,"),
        (b"{\"height\":1e", b"9999999999999999", b","),
    ];
    for (head, filling, tail) in kinds {
        let ran = run_within(MAX_MEGABYTES, move |stdin| {
            let chunk = filling.repeat(4096);
            let mut written = stdin.write_all(head);
            for _ in 0..100_000_000 / chunk.len() {
                written = written.and_then(|()| stdin.write_all(&chunk));
            }
            let rest = br#""height":3,"width":3,"minecount":1}"#;
            let _ =
                written.and_then(|()| stdin.write_all(tail)).and_then(|()| stdin.write_all(rest));
        });
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{}", ran.err);
    }
}
