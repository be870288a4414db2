//! Inputs that want more than they should get, asked of the built bot: exit code, time and memory.
//!
//! No recursion, no allocation and no time may grow with a number that is merely written down, or with what the
//! input nests, repeats or never ends.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// What a run may take: far more than it does, and far less than one that follows a number would. Debug
/// builds on a machine that is busy are meant.
const LONGEST: Duration = Duration::from_secs(60);
/// Megabytes of 2^20 bytes that an input which promises much may cost. The platform's limit is 256.
const MOST_MEGABYTES: u64 = 200;

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Kilobytes of 2^10 bytes of stack that are enough for any input: what depth there is has a bound of its own.
const STACK: u64 = 256;

/// Runs the bot on what `write` writes, with so much address space and a small stack; a bot that takes more
/// aborts, and one that takes too long is ended.
fn run_within(megabytes: u64, write: impl FnOnce(&mut ChildStdin) + Send + 'static) -> Ran {
    let limit = format!("ulimit -v {} && ulimit -s {STACK} && exec \"$0\"", megabytes << 10);
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
        if start.elapsed() > LONGEST {
            bot.kill().unwrap();
            panic!("it took more than {LONGEST:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn run(input: impl Into<Vec<u8>>) -> Ran {
    let input = input.into();
    // The bot may leave before it has read all.
    run_within(MOST_MEGABYTES, move |stdin| drop(stdin.write_all(&input)))
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
fn a_size_that_is_merely_written_down_costs_nothing() {
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
    // Products that wrap to something small.
    for (height, width) in [("65536", "65536"), ("4294967296", "4294967296"), ("2147483649", "2")] {
        assert_refused(field(height, width, "1"), "too large");
    }
    assert_answered(field("512", "512", "1"), "the largest");
    assert_answered(field("1", "262144", "262144"), "the longest");
    assert_refused(field("513", "512", "1"), "too large");
}

#[test]
fn numbers_may_be_written_in_any_way() {
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

/// What zeros are worth does not grow with their number.
#[test]
fn a_number_of_two_million_zeros_is_read_for_what_it_is_worth() {
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

/// Of a number beyond 64 bits its nearest end is kept, and told as no more than that.
#[test]
fn a_number_that_is_kept_as_less_is_not_told_as_if_written_so() {
    for number in ["1e999", "\"1e30\"", "9223372036854775807", "18446744073709551616"] {
        let ran = run(field("3", "3", number));
        let told = "minecount 9223372036854775807 or more is more than the 9 cells";
        assert!(ran.code == Some(0) && ran.err.contains(told), "{}", ran.err);
    }
    assert_refused(field("-1e999", "3", "1"), "not -9223372036854775808 or less (");
    let request = |mines| field("3", "3", mines);
    let ran = run(format!(r#"{{"requests":[{},{}]}}"#, request("1"), request("1e25")));
    let told = "\"minecount\" 9223372036854775807 or more contradicts 1 before; 1 is used";
    assert!(ran.err.contains(told), "{}", ran.err);
}

#[test]
fn a_million_reports_are_read_and_told_of_in_part() {
    for (row, val) in [("0", "1"), ("7", "1"), ("-1", "9"), ("0", "9")] {
        let cell = format!(r#"{{"row":{row},"col":0,"val":{val}}}"#);
        let cells = vec![cell; 1_000_000].join(",");
        let input = format!(r#"{{"height":3,"width":3,"minecount":1,"changed":[{cells}]}}"#);
        assert_answered(input, row);
    }
    // Turns, too, and lists of nothing.
    let request = field("3", "3", "1");
    let many = vec![request.as_str(); 200_000].join(",");
    assert_answered(format!(r#"{{"requests":[{many}]}}"#), "turns");
    let nothing = vec!["null"; 1_000_000].join(",");
    assert_answered(format!(r#"{{"requests":[{request},{nothing}]}}"#), "nothing");
}

#[test]
fn depth_is_not_the_stacks() {
    let request = r#""height":3,"width":3,"minecount":1"#;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"row\":[", "]}]")] {
        let deep =
            |middle: &str| format!("{}{middle}{}", open.repeat(1_000_000), close.repeat(1_000_000));
        for key in ["data", "changed", "time_limit", "responses"] {
            let input = format!("{{\"{key}\":{},{request}}}", deep("1"));
            assert_answered(input, key);
        }
        // A list of what is no request is a history without a size; anything else is no history.
        let input = format!("{{\"requests\":{},{request}}}", deep("1"));
        if open.starts_with('[') {
            assert_refused(input, "\"height\"");
        } else {
            assert_answered(input, "requests");
        }
    }
    // What is read is never deep; what is deep and never ends is refused all the same.
    let ran = run("[".repeat(3_000_000));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.starts_with("sapper: "), "{}", ran.err);
}

/// A row of 1s with a cell between each two: two layouts, as few as an endgame's, over as many cells as there are.
#[test]
fn few_layouts_over_many_cells_take_no_time() {
    for ones in [40_000, 100_000] {
        let row = |column: u32| format!(r#"{{"row":0,"col":{},"val":1}}"#, 2 * column + 1);
        let cells: Vec<String> = (0..ones).map(row).collect();
        let (width, mines) = (2 * ones + 1, ones / 2 + 1);
        let field = field("1", &width.to_string(), &mines.to_string());
        let input = field.replace("null", &format!("[{}]", cells.join(",")));
        let started = Instant::now();
        assert_answered(input, "a chain");
        // Listed as an endgame they took 1 and 9 s in a release build, and are guessed in 0.2 s.
        assert!(started.elapsed() < LONGEST / 2);
    }
}

/// The endgame's is the bot's only recursion, a level a cell or less: the most layouts over the most cells.
#[test]
fn neither_is_the_depth_of_the_endgame() {
    for (width, mines) in [(256, 1), (256, 255), (77, 2), (77, 75), (27, 3), (15, 5)] {
        for height in [1, 2] {
            let (height, width) = (height.to_string(), (width / height).to_string());
            let input = field(&height, &width, &mines.to_string());
            assert_answered(input, &format!("{height} {width} {mines}"));
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_or_passed_over() {
    let request = field("3", "3", "1");
    for bytes in [&b"\0"[..], b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"] {
        let mut before = bytes.to_vec();
        before.extend_from_slice(request.as_bytes());
        assert_refused(before, "not JSON");
        // After the value nobody looks.
        let mut after = request.clone().into_bytes();
        after.extend_from_slice(bytes);
        assert_answered(after, "after");
        // In a text that nobody wants it costs no answer, as far as the parser passes over it.
        let mut inside = br#"{"data":""#.to_vec();
        inside.extend_from_slice(bytes);
        inside.extend_from_slice(br#"","height":3,"width":3,"minecount":1}"#);
        let ran = run(inside);
        assert!(matches!(ran.code, Some(0 | 2)), "{:?}", ran.code);
        assert_eq!(ran.out.lines().count(), usize::from(ran.code == Some(0)));
    }
}

#[test]
fn of_duplicate_keys_the_last_counts_however_many() {
    let heights = vec!["\"height\":4000000000"; 100_000].join(",");
    assert_answered(format!(r#"{{{heights},"height":3,"width":3,"minecount":1}}"#), "heights");
    let lists = vec![r#""changed":[{"row":0,"col":0,"val":1}]"#; 100_000].join(",");
    assert_answered(format!(r#"{{"height":3,"width":3,"minecount":1,{lists}}}"#), "lists");
}

/// Reports that cover the largest field, right or wrong.
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

/// A line of 100 MB, made as it is read: what nobody wants of it is not kept, and of a history what it says.
#[test]
fn a_long_line_is_read_to_its_end_and_not_kept() {
    const HISTORY: &[u8] = b"{\"requests\":[{\"height\":3,\"width\":3,\"minecount\":1},";
    const LATER: &[u8] =
        b"{\"requests\":[{\"height\":3,\"width\":3,\"minecount\":1,\"changed\":[{\"row\":0,\"col\":0,\"val\":1}]},{\"changed\":[";
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
        let ran = run_within(MOST_MEGABYTES, move |stdin| {
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
