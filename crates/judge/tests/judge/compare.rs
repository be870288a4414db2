//! `judge compare`: paired differences against calculations by hand.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, judge};
use crate::rules::json_of;

fn compare(a: &str, b: &str, options: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let [a, b] = [("a.csv", a), ("b.csv", b)].map(|(name, text)| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    judge([&["compare", &a, &b], options].concat())
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
}

/// Boards 1-5 are in both, in different orders; board 5 has no hits in B; 0 and 9 are in one only.
const A: &str = "index,won,hits\n0,1,0\n1,1,0\n2,0,3\n3,0,1\n4,0,2\n5,1,0\n";
const B: &str = "hits,turns,index,won\n1,50,4,0\n0,50,3,1\n2,50,2,0\n1,50,1,0\n,50,5,1\n7,50,9,0\n";

#[test]
fn differences_are_paired_by_board() {
    let run = compare(A, B, &["--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    for (key, expected) in [
        ("boards", 5),
        ("only_in_a", 1),
        ("only_in_b", 1),
        ("without_hits", 1),
        ("wins_a", 2),
        ("wins_b", 2),
    ] {
        assert_eq!(report[key], expected, "{key}");
    }
    // Wins, B - A on boards 1-5: -1 0 +1 0 0. Mean 0, variance 2/4, standard error sqrt(0.5 / 5).
    let wins = &report["wins_percent"];
    assert_eq!(
        (&wins["b_better"], &wins["equal"], &wins["b_worse"]),
        (&1.into(), &3.into(), &1.into())
    );
    close(&wins["a"], 40.0);
    close(&wins["b"], 40.0);
    close(&wins["difference"], 0.0);
    close(&wins["standard_error"], 31.622_776_6);
    // The exact interval of 1 of 2 is 1.26 % to 98.74 %, and the upper end of 2 of 5 is 85.34 %.
    close(&wins["interval"][0], -83.189_798_8);
    close(&wins["interval"][1], 83.189_798_8);
    assert_eq!(wins["too_few_boards"], true);
    // Mines on boards 1-4: +1 -1 -1 -1. Mean -1/2, variance (1.5^2 + 3 * 0.5^2) / 3 = 1, standard
    // error 1/2.
    let mines = &report["mines"];
    assert_eq!(
        (&mines["b_better"], &mines["equal"], &mines["b_worse"]),
        (&3.into(), &0.into(), &1.into())
    );
    assert_eq!(mines["boards"], 4);
    close(&mines["a"], 1.5);
    close(&mines["b"], 1.0);
    close(&mines["difference"], -0.5);
    close(&mines["standard_error"], 0.5);
    // Student's t of 3 degrees of freedom is 3.1824.
    close(&mines["interval"][0], -2.091_223_2);
    close(&mines["interval"][1], 1.091_223_2);
}

#[test]
fn the_table_counts_boards_that_are_not_paired() {
    let run = compare(A, B, &[]);
    assert_eq!(run.code, 0);
    for part in [
        "5 boards paired; 1 only in A skipped; 1 only in B skipped; 1 with blank hits",
        "a.csv, 2 wins",
        "| wins % | 5      | 40.00  | 40.00  | 0.00    | -    | -    |",
        "\nwins %: Too few boards to tell: 2 boards differ, and a verdict needs 6; \
         compare more boards.\nmines: Too few boards to tell: 4 boards differ, and a verdict \
         needs 6; compare about 28 more boards.\n",
        "-0.5000",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    // Without unpaired boards there is no count of them; without hits there is no row of mines.
    let run = compare("index,won,hits\n1,1,\n2,0,\n", "index,won,hits\n2,1,\n1,1,\n", &[]);
    assert!(run.stdout.contains("2 boards paired; 2 with blank hits"), "{}", run.stdout);
    assert!(!run.stdout.contains("| mines"), "{}", run.stdout);
}

#[test]
fn one_board_has_no_interval() {
    let one = "index,won,hits\n7,1,2\n";
    let run = compare(one, one, &["--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["boards"], &report["mines"]["interval"]), (&1.into(), &Value::Null));
    assert_eq!(compare(one, one, &[]).code, 0);
}

#[test]
fn what_bench_writes_is_read() {
    let directory = TempDir::new().unwrap();
    let csv = directory.path().join("out.csv");
    let csv = csv.to_str().unwrap();
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/boards/botzone-default.txt");
    let run = judge([
        "bench", "--boards", boards, "--rule", "botzone", "--from", "3", "--games", "4", "--csv",
        csv,
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = judge(["compare", csv, csv, "--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["boards"], &report["mines"]["equal"]), (&4.into(), &4.into()));
}

#[test]
fn faults_name_their_file_and_line() {
    let good = "index,won,hits\n0,1,0\n";
    for (bad, hint) in [
        ("", "b.csv: no column `index`"),
        ("index,hits\n0,1\n", "b.csv: no column `won`"),
        ("0,1,0\n", "no column `index`; the first line must name index,won,hits"),
        ("index,won,hits\n\n0,1,0\n1,2,0\n", "b.csv, line 4: won is 2; expected 0 or 1"),
        (
            "index,won,hits\n0,1,0\nx,1,0\n",
            "column index: not a whole number, or out of range: `x`",
        ),
        ("index,won,hits\n0,1,-1\n", "b.csv, line 2, column hits: not a whole number"),
        ("index,won,hits\n0,1\n", "b.csv, line 2: 2 values, expected 3 as in the first line"),
        ("index,won,hits\n0,1,0\n1,\"1,0\n2,1,0\n", "b.csv, line 3: 2 values, expected 3"),
        (
            "index,won,hits\n0,1,0\n1,1,0\n0,0,0\n",
            "b.csv, line 4: board 0 is in another row already",
        ),
        ("index,won,hits\n5,1,0\n", "no board is in both"),
        ("index,won,hits,hits\n0,1,0,0\n", "b.csv, line 1: duplicate field `hits`\n"),
        ("index,won,hits,cost\n0,1,0,nan\n", "line 2: cost is NaN; expected a finite number"),
        ("index,won,hits,adjusted_hits\n0,1,0,inf\n", "adjusted_hits is inf; expected a finite"),
        ("index,won,hits,adjusted_won\n0,1,0,1.5\n", "adjusted_won is 1.5; expected 0 to 1"),
    ] {
        let run = compare(good, bad, &[]);
        assert_eq!(run.code, 2, "{bad:?}: {}", run.stdout);
        assert!(run.stderr.contains(hint), "{bad:?}: {}", run.stderr);
    }
    // Without a column `bot`, the options that name one do not help.
    let twice = compare(good, "index,won,hits\n0,1,0\n0,0,0\n", &[]).stderr;
    assert!(twice.ends_with("give each board once\n"), "{twice}");
    // Bytes that are not text.
    let directory = TempDir::new().unwrap();
    for (bytes, line) in [(&b"\xff\n"[..], 1), (&b"index,won,hits\n0,1,\xff\n"[..], 2)] {
        let file = directory.path().join("bytes.csv");
        fs::write(&file, bytes).unwrap();
        let run = judge(["compare", file.to_str().unwrap(), file.to_str().unwrap()]);
        let hint = format!("bytes.csv, line {line}: no text in UTF-8");
        assert!(run.code == 2 && run.stderr.contains(&hint), "{}", run.stderr);
    }
    let run = judge(["compare", "/no/such/a.csv", "/no/such/b.csv"]);
    assert!(run.code == 2 && run.stderr.contains("cannot read /no/such/a.csv"), "{}", run.stderr);
    let help = judge(["compare", "--help"]);
    assert!(help.code == 0 && help.stdout.contains("Examples:"));
}

/// What one command rounds and another does not is equal, and the adjusted results are those that
/// too few boards may differ by.
#[test]
fn rounded_values_are_equal() {
    let table = |values: fn(u32) -> String| -> String {
        let rows = (0..20).map(|index| format!("{index},1,0,{}\n", values(index)));
        "index,won,hits,adjusted_won\n".to_owned() + &rows.collect::<String>()
    };
    let exact = table(|index| (0.123_456_789_123 + f64::from(index) / 100.0).to_string());
    let rounded = table(|index| format!("{:.9}", 0.123_456_789_123 + f64::from(index) / 100.0));
    let run = compare(&exact, &rounded, &["--json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let adjusted = &report["adjusted_wins_percent"];
    assert_eq!((&adjusted["equal"], &adjusted["difference"]), (&20.into(), &0.0.into()));
    let message = "A and B have the same results on every board.";
    assert!(compare(&exact, &rounded, &[]).stdout.contains(message));
    let better = table(|index| (0.2 + f64::from(index) / 90.0).to_string());
    let text = compare(&exact, &better, &[]).stdout;
    assert!(text.contains("\nwins %: Equal on 20 boards.\nwins %, adjusted: B is better.\n"));
    // No board differs in the wins: no interval.
    assert!(text.contains("| 0.00   | -"), "{text}");
}

#[test]
fn each_measure_has_its_verdict() {
    let table = |title: &str, row: &dyn Fn(u32) -> String| -> String {
        let rows = (0..20).map(|index| format!("{index},{}\n", row(index)));
        format!("index,won,hits{title}\n") + &rows.collect::<String>()
    };
    let verdicts = |[a, b]: [String; 2]| {
        let text = compare(&a, &b, &[]).stdout;
        text.rsplit_once("\n\n").unwrap().1.trim_end().to_owned()
    };
    // Nobody wins, and one hits fewer mines.
    let hits = |hits: u32| table("", &|index| format!("0,{}", hits + index % hits));
    let better = |[a, b]: [String; 2]| json_of(&compare(&a, &b, &["--json"]))["mines"].clone();
    assert_eq!(better([7, 4].map(hits))["better"], "b");
    assert_eq!(better([4, 7].map(hits))["better"], "a");
    let text = verdicts([7, 4].map(hits));
    assert_eq!(text, "wins %: Equal on 20 boards.\nmines: B is better.");
    let same = "A and B have the same results on every board.";
    assert_eq!(verdicts([7, 7].map(hits)), same);
    // One wins all, and the cost of one board only is known.
    let costs = |won: u32| {
        table(",cost", &|index| format!("{won},,{}", if index == 3 { "0.5" } else { "" }))
    };
    let text = verdicts([0, 1].map(costs));
    assert_eq!(text, "wins %: B is better.\ncost: Equal on 1 board.");
    let [a, b] = [1, 1].map(costs);
    let text = compare(&a, &b, &[]).stdout;
    assert!(text.contains("; 19 with a blank cost skipped for the cost") && !text.contains(same));
    // A difference that may be chance.
    let coin = |of: u32| table("", &|index| format!("{},0", u32::from(index % 3 == of)));
    let text = verdicts([0, 2].map(coin));
    assert!(text.starts_with("wins %: No difference shown; to show one of this size, compare "));
    // No number of boards shows a difference of 0.
    let text = verdicts([0, 1].map(coin));
    assert_eq!(
        text,
        "wins %: No difference shown: gains and losses are equal.\nmines: Equal on 20 boards."
    );
}

/// Blank costs are counted also where no board has one, and not where there is no such column.
#[test]
fn boards_and_costs_of_other_options_are_refused() {
    let with = |cost: &str, options: &str, policy: &str| -> String {
        let rows = (0..3).map(|index| format!("{index},0,1,{cost},{options},{policy}\n"));
        "index,won,hits,cost,options,policy\n".to_owned() + &rows.collect::<String>()
    };
    let table = |cost: &str, policy: &str| with(cost, "--level 9x9/10", policy);
    let fast = table("0.5", "--effort fast");
    for (other, message) in [
        (
            table("0.5", "--effort full"),
            "board 0: A is by `--effort fast`, and B by `--effort full`; costs by other options \
             have another scale",
        ),
        (
            with("0.5", "--level 9x9/11", "--effort fast"),
            "board 0: A is by `--level 9x9/10`, and B by `--level 9x9/11`; boards of one seed \
             differ by other options",
        ),
    ] {
        let run = compare(&fast, &other, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    assert_eq!(compare(&fast, &fast, &[]).code, 0);
    // Another program's table states no options.
    assert_eq!(compare(&fast, "index,won,hits,cost\n0,0,1,0.5\n", &[]).code, 0);
    let blank = table("", "--effort fast");
    let text = compare(&fast, &blank, &[]).stdout;
    assert!(text.contains("3 boards paired; 3 with a blank cost skipped"), "{text}");
    let text = compare(&fast, "index,won,hits\n0,0,1\n", &[]).stdout;
    assert!(!text.contains("blank cost"), "{text}");
}

/// Games of one seed by another rule are other games.
#[test]
fn tables_of_other_rules_are_refused() {
    let directory = TempDir::new().unwrap();
    let bench = |name: &str, options: &[&str]| {
        let path = directory.path().join(name).to_str().unwrap().to_owned();
        let seeds = ["bench", "--level", "9x9/10", "--seeds", "1..3", "--csv", &path];
        assert_eq!(judge([&seeds[..], options].concat()).code, 0);
        path
    };
    let safe = bench("safe.csv", &["--rule", "safe-first", "--adjusted"]);
    let fast = bench("fast.csv", &["--rule", "safe-first", "--effort", "fast"]);
    let open = bench("open.csv", &["--rule", "open-first"]);
    assert_eq!(judge(["compare", &safe, &fast]).code, 0);
    let run = judge(["compare", &safe, &open]);
    let message = "A is by `--level 9x9/10 --rule safe-first --first 0,0`, and B by `--level \
                   9x9/10 --rule open-first --first 0,0`";
    assert!(run.code == 2 && run.stderr.contains(message), "{}", run.stderr);
    // A board of a file is another one.
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/boards/expert-safe-first.txt");
    let expert = |name: &str, options: &[&str]| {
        let path = directory.path().join(name).to_str().unwrap().to_owned();
        let bench = ["bench", "--rule", "safe-first", "--effort", "fast", "--csv", &path];
        assert_eq!(judge([&bench[..], options].concat()).code, 0);
        path
    };
    let from_file = expert("file.csv", &["--boards", boards, "--games", "2"]);
    let from_seeds = expert("seeds.csv", &["--level", "expert", "--seeds", "0..1"]);
    let run = judge(["compare", &from_file, &from_seeds]);
    assert!(run.code == 2 && run.stderr.contains(", file "), "{}", run.stderr);
    // The same boards, played turn by turn.
    let played = directory.path().join("played.csv").to_str().unwrap().to_owned();
    let play = ["play", "--bot", "sapper --keep-running --effort fast --objective clean-win"];
    let boards = ["--level", "beginner", "--rule", "safe-first", "--seeds", "1..3"];
    assert_eq!(judge([&play[..], &boards, &["--csv", &played]].concat()).code, 0);
    let report = judge(["compare", &fast, &played, "--json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(
        (&report["wins_percent"]["equal"], report["faults_a"].as_object().unwrap().len()),
        (&3.into(), 0)
    );
}

#[test]
fn faults_and_tables_without_bots_are_named() {
    let a = "index,won,hits,outcome\n0,1,0,done\n1,0,2,done\n2,0,,unfinished\n";
    let b = "index,won,hits,outcome\n0,0,,crash\n1,0,,timeout\n2,0,,crash\n3,0,,crash\n";
    let text = compare(a, b, &[]).stdout;
    // Of the boards that are paired.
    assert!(text.contains("b.csv, 0 wins, 3 faults (2 crash, 1 timeout)\n"), "{text}");
    assert!(text.contains("a.csv, 1 win\n"), "{text}");
    let report: Value = serde_json::from_str(&compare(a, b, &["--json"]).stdout).unwrap();
    assert_eq!((&report["faults_a"], &report["faults_b"]["crash"]), (&json!({}), &json!(2)));
    // What the table states of a game with a fault makes its bot no better.
    let faulty = "index,won,hits,adjusted_hits,outcome\n0,1,0,0,crash\n";
    let other = "index,won,hits,adjusted_hits,outcome\n0,0,3,2.5,done\n";
    let report: Value = serde_json::from_str(&compare(faulty, other, &["--json"]).stdout).unwrap();
    assert_eq!((&report["wins_percent"]["equal"], &report["wins_a"]), (&json!(1), &json!(0)));
    assert_eq!((&report["mines"], &report["adjusted_mines"]), (&Value::Null, &Value::Null));
    let run = compare(a, b, &["--a", "foo"]);
    assert!(run.code == 2, "{}", run.stdout);
    let message = "a.csv names no bot in a column `bot`; omit --a or --b for it";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

/// The tables of two bots on `boards` boards. Only the second bot wins, on the first `differ`.
fn won_by_b(boards: u32, differ: u32) -> (String, String) {
    let table = |won: &dyn Fn(u32) -> bool| {
        let row = |board| format!("{board},{},\n", u8::from(won(board)));
        ["index,won,hits\n".to_owned()].into_iter().chain((0..boards).map(row)).collect()
    };
    (table(&|_| false), table(&|board| board < differ))
}

#[test]
fn few_boards_are_not_significant_and_intervals_are_within_the_bounds() {
    for (boards, differ, low, high) in [
        (2, 2, -68.38, 100.0),
        (5, 5, -4.36, 100.0),
        (6, 6, 4.41, 100.0),
        // No wins at all: the interval of 0 of 100.
        (100, 0, -3.62, 3.62),
        (100, 8, 0.92, 15.16),
    ] {
        let (a, b) = won_by_b(boards, differ);
        let run = compare(&a, &b, &["--json"]);
        let wins = serde_json::from_str::<Value>(&run.stdout).unwrap()["wins_percent"].clone();
        let end = |end: usize| wins["interval"][end].as_f64().unwrap();
        let near = (end(0) - low).abs() < 0.01 && (end(1) - high).abs() < 0.01;
        assert!(near, "{differ} of {boards}: {wins}");
        let text = compare(&a, &b, &[]).stdout;
        let is_few = text.contains("Too few boards to tell");
        assert_eq!(is_few, (1..6).contains(&differ), "{text}");
    }
}
