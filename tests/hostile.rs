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

/// The bot with limits on address space and stack, which Windows does not have.
fn bot_within(megabytes: u64) -> Command {
    let bot = env!("CARGO_BIN_EXE_sapper");
    if cfg!(windows) {
        return Command::new(bot);
    }
    let limit =
        format!("ulimit -v {} && ulimit -s {STACK_KILOBYTES} && exec \"$0\"", megabytes << 10);
    let mut shell = Command::new("sh");
    shell.args(["-c", &limit, bot]);
    shell
}

/// Runs the bot on the input that `write` writes, in [`bot_within`]. A bot that exceeds the limits
/// aborts, and one that exceeds [`MAX_TIME`] is killed.
fn run_within(megabytes: u64, write: impl FnOnce(&mut ChildStdin) + Send + 'static) -> Ran {
    let mut bot = bot_within(megabytes)
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
        "18446744073709551615",
    ] {
        assert_refused(field(number, "3", "1"), "too large");
        assert_refused(field("3", number, "1"), "too large");
        assert_refused(field(number, number, "1"), "too large");
        let ran = run(field("3", "3", number));
        let warning = format!("minecount {number} is more than the 9 cells");
        assert!(ran.code == Some(0) && ran.err.contains(&warning), "{}", ran.err);
    }
    // Products that wrap to a small number.
    for (height, width) in [("65536", "65536"), ("4294967296", "4294967296"), ("2147483649", "2")] {
        assert_refused(field(height, width, "1"), "too large");
    }
    assert_answered(field("512", "512", "1"), "the largest");
    assert_answered(field("1", "262144", "262144"), "the longest");
    assert_refused(field("513", "512", "1"), "too large");
    assert_refused(field("0", "3", "1"), "at least one row");
}

/// A size or a count is a JSON integer that fits 64 bits.
#[test]
fn other_numbers_are_refused_in_one_line() {
    for text in [
        "3.0",
        "3e0",
        "30E-1",
        "3.5",
        "1e18",
        "1e300",
        "-3",
        "18446744073709551616",
        "\"3\"",
        "\"\"",
        "\"NaN\"",
        "[3]",
        "{\"3\":3}",
        "true",
    ] {
        let expected =
            |key: &str| format!("expected a whole number from 0 as \"{key}\" at line 1 ");
        assert_refused(field(text, "3", "1"), &expected("height"));
        assert_refused(field("3", "3", text), &expected("minecount"));
    }
    assert_answered(field("3", "3", "-0"), "JSON's other way to write 0");
    assert_refused(field("null", "3", "1"), "no request has \"height\"");
    for text in
        ["03", "+3", "3.", ".3", "0x3", "3e", "NaN", "Infinity", "--3", "1e999", "\"\\ud800\""]
    {
        assert_refused(field(text, "3", "1"), "not JSON");
    }
    // An error quotes the input, but not all of it.
    let long = format!("\"{}\"", "a\\n".repeat(5_000_000));
    let ran = run(field(&long, "3", "1"));
    assert!(ran.code == Some(2) && ran.err.lines().count() == 1, "{:?}", ran.code);
    assert!(ran.err.len() < 1000);
}

#[test]
fn a_number_with_two_million_digits_is_refused() {
    let zeros = "0".repeat(2_000_000);
    for number in [
        format!("3{zeros}e-2000000"),
        format!("0.{zeros}3E2000001"),
        format!("3.{zeros}"),
        format!("3{zeros}"),
        format!("0.{zeros}3"),
        format!("3{zeros}e-2.5"),
        format!("3{zeros}e"),
        format!("3e{zeros}"),
        format!("3e-{}", "9".repeat(2_000_000)),
        format!("0{zeros}"),
    ] {
        assert_refused(field(&number, "3", "1"), "at line 1 column ");
        // Where nobody reads it, only its syntax matters.
        let input = format!(r#"{{"data":{number},"height":3,"width":3,"minecount":1}}"#);
        if number.starts_with("00") || number.ends_with('e') || number.ends_with(".5") {
            assert_refused(input, "not JSON");
        } else {
            assert_answered(input, &number[..10]);
        }
    }
}

#[test]
fn a_million_reports_are_read() {
    for (row, val) in [("0", "1"), ("7", "1"), ("-1", "9"), ("0", "9")] {
        let cell = format!(r#"{{"row":{row},"col":0,"val":{val}}}"#);
        let cells = vec![cell; 1_000_000].join(",");
        let input = format!(r#"{{"height":3,"width":3,"minecount":1,"changed":[{cells}]}}"#);
        assert_answered(input, row);
    }
    // Many turns, and many empty requests.
    let request = field("3", "3", "1");
    let many = vec![request.as_str(); 200_000].join(",");
    assert_answered(format!(r#"{{"requests":[{many}]}}"#), "turns");
    let empty = vec!["{}"; 1_000_000].join(",");
    assert_answered(format!(r#"{{"requests":[{request},{empty}]}}"#), "empty");
}

#[test]
fn parts_of_a_wrong_type_are_refused() {
    let request = field("3", "3", "1");
    for (part, expected) in [
        ("null", "expected a request"),
        ("3", "expected a request"),
        ("[3,3,1,null]", "expected an object, found an array"),
        (r#"{"changed":[[0,0,1]]}"#, "expected an object, found an array"),
        (r#"{"changed":7}"#, "expected a list of cells"),
        (r#"{"changed":"[]"}"#, "expected a list of cells"),
        (r#"{"changed":[null]}"#, "expected a cell"),
        (r#"{"changed":[{}]}"#, "missing field `row`"),
        (r#"{"changed":[{"row":1,"col":1}]}"#, "missing field `val`"),
        (r#"{"changed":[{"row":1,"col":1,"val":null}]}"#, "expected an integer as \"val\" at line"),
        (r#"{"changed":[{"row":1,"col":1,"val":"1"}]}"#, "expected an integer as \"val\" at line"),
        (r#"{"changed":[{"row":1,"col":1.5,"val":1}]}"#, "expected an integer as \"col\" at "),
    ] {
        assert_refused(format!(r#"{{"requests":[{request},{part}]}}"#), expected);
    }
    for number in ["2147483648", "99999999999", "18446744073709551615", "-2147483649"] {
        let outside = format!(r#"{{"changed":[{{"row":1,"col":{number},"val":1}}]}}"#);
        let ran = run(format!(r#"{{"requests":[{request},{outside}]}}"#));
        assert!(ran.code == Some(0) && ran.err.contains("there is no such cell"), "{}", ran.err);
    }
    assert_refused(format!(r#"{{"requests":{request}}}"#), "expected a list of requests");
    assert_refused("[]", "expected an object, found an array");
    assert_refused("[null,null,3,3,1,[]]", "expected an object, found an array");
}

#[test]
fn deep_nesting_does_not_use_the_stack() {
    let request = r#""height":3,"width":3,"minecount":1"#;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"row\":[", "]}]")] {
        let deep =
            |middle: &str| format!("{}{middle}{}", open.repeat(1_000_000), close.repeat(1_000_000));
        for key in ["data", "responses"] {
            assert_answered(format!("{{\"{key}\":{},{request}}}", deep("1")), key);
        }
        for key in ["changed", "time_limit", "requests", "height"] {
            let input = format!("{{\"{key}\":{},\"minecount\":1}}", deep("1"));
            assert_refused(input, "request");
        }
    }
    // Nesting that is never closed is refused.
    for input in ["[".repeat(3_000_000), "{\"a\":".repeat(3_000_000)] {
        assert_refused(input, "the input ");
    }
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
fn duplicate_keys_are_refused() {
    let heights = vec!["\"height\":3"; 100_000].join(",");
    let input = format!(r#"{{{heights},"width":3,"minecount":1}}"#);
    assert_refused(input, "duplicate field `height`");
    let lists = vec![r#""changed":[{"row":0,"col":0,"val":1}]"#; 100_000].join(",");
    let input = format!(r#"{{"height":3,"width":3,"minecount":1,{lists}}}"#);
    assert_refused(input, "duplicate field `changed`");
    let unknown = vec!["\"data\":1"; 100_000].join(",");
    assert_answered(format!(r#"{{{unknown},"height":3,"width":3,"minecount":1}}"#), "unknown");
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

/// What is kept of a line while it is read.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// Every reported cell.
    Cells,
    /// A key or a number, or one byte for each value that is open.
    Text,
    Nothing,
}

impl Kept {
    /// The length of a line, in units of 10^6 bytes, and the address space, in units of 2^20 bytes.
    fn megabytes(self) -> (usize, u64) {
        match self {
            Kept::Cells => (50, 100),
            Kept::Text => (16, 33),
            // The program with its libraries takes a third of it.
            Kept::Nothing => (20, 16),
        }
    }
}

/// Long lines, in an address space that the line does not fit: of what is read, only reported cells
/// are kept, and a long key or number while it is read.
#[test]
fn a_long_line_is_read_in_little_memory() {
    use Kept::{Cells, Nothing, Text};
    const HISTORY: &[u8] = b"{\"requests\":[{\"height\":3,\"width\":3,\"minecount\":1},";
    const LAST_CELL: &[u8] = b"{\"row\":0,\"col\":0,\"val\":1}],";
    const LAST_TURN: &[u8] = b"{\"row\":0,\"col\":0,\"val\":1}],\
        \"height\":3,\"width\":3,\"minecount\":1}],";
    // The exit code, what is kept, the head of the line, what is repeated, and what follows it.
    type Kind = (i32, Kept, &'static [u8], &'static [u8], &'static [u8]);
    let kinds: [Kind; 16] = [
        (0, Cells, b"{\"changed\":[", b"{\"row\":1,\"col\":1,\"val\":1},", LAST_CELL),
        (0, Cells, b"{\"changed\":[", b"{\"row\":9,\"col\":9,\"val\":1},", LAST_CELL),
        (
            0,
            Cells,
            b"{\"requests\":[{\"changed\":[",
            b"{\"row\":1,\"col\":1,\"val\":1},",
            LAST_TURN,
        ),
        (0, Nothing, HISTORY, b"{},", b"{}],"),
        (0, Nothing, HISTORY, b"{\"width\":5},{\"height\":7},", b"{}],"),
        (2, Nothing, HISTORY, b"{},1,", b"{}],"),
        (2, Nothing, b"{\"changed\":[", b"{\"row\":1},", b"{}],"),
        (0, Nothing, b"{\"data\":\"", b"aaaaaaaaaaaaaaaa", b"\","),
        (0, Text, b"{\"", b"kkkkkkkkkkkkkkkk", b"\":1,"),
        (0, Nothing, b"{\"data\":\"", b"\\u0041\\n\\u00e9\\t", b"\","),
        (0, Nothing, b"{\"data\":[", b"1,2,3,4,5,6,7,8,", b"0],"),
        (2, Text, b"{\"data\":", b"[[[[[[[[[[[[[[[[", b""),
        (0, Nothing, b"{\"data\":", b"                ", b"1,"),
        (0, Nothing, b"{\"data\":", b"9999999999999999", b","),
        (2, Text, b"{\"height\":", b"9999999999999999", b","),
        (2, Text, b"{\"height\":1e", b"9999999999999999", b","),
    ];
    for (code, kept, head, filling, tail) in kinds {
        let (line, space) = kept.megabytes();
        let ran = run_within(space, move |stdin| {
            let chunk = filling.repeat(4096);
            let mut written = stdin.write_all(head);
            for _ in 0..line * 1_000_000 / chunk.len() {
                written = written.and_then(|()| stdin.write_all(&chunk));
            }
            let rest = br#""height":3,"width":3,"minecount":1}"#;
            let _ =
                written.and_then(|()| stdin.write_all(tail)).and_then(|()| stdin.write_all(rest));
        });
        let name = String::from_utf8_lossy(filling);
        assert_eq!(ran.code, Some(code), "{name}: {}", ran.err);
        assert_eq!(ran.out.lines().count(), usize::from(code == 0), "{name}: {}", ran.err);
    }
}
