//! Long runs of `judge bench`: shards and resumed runs have the results of a single run.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bots::{Files, Run, judge, rows_without_times, without_checksums};

/// 2,500 games, so that a shard has several lines, of 1,000 games.
const RUN: [&str; 9] = [
    "bench",
    "--level",
    "8x8/10",
    "--seeds",
    "-99..2400",
    "--rule",
    "safe-first",
    "--effort",
    "fast",
];

fn bench(options: &[&str]) -> Run {
    judge([&RUN, options].concat())
}

fn good(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
}

/// A report without its times, which is equal for all runs of the same games.
fn without_times(mut report: Value) -> Value {
    for key in ["cpu_ms_a_game", "slowest_turn_ms", "slowest_turn_board"] {
        assert!(report.as_object_mut().unwrap().remove(key).unwrap().as_f64().is_some());
    }
    report
}

/// The report of a shard, without its times.
fn report_of(path: &Path) -> Value {
    without_times(good(&judge(["report".as_ref(), path.as_os_str(), "--json".as_ref()])))
}

impl Files {
    fn report(&self, names: &[&str]) -> Run {
        let names = names.iter().map(|name| self.name(name));
        judge(["report".to_owned(), "--json".to_owned()].into_iter().chain(names))
    }
}

#[test]
fn shards_add_up_to_one_run_whatever_the_threads() {
    let files = Files::new();
    let (out, csv) = (files.name("all"), files.name("all.csv"));
    let whole =
        without_times(good(&bench(&["--json", "--resume", &out, "--csv", &csv, "--jobs", "1"])));
    assert_eq!(whole["games"], 2500);
    assert_eq!(whole["covered"], serde_json::json!([[-99, 2400]]));
    assert_eq!(whole["missing"], serde_json::json!([]));
    // The file has the same results as the output.
    assert_eq!(report_of(&files.path("all")), whole);
    // The results are the sums over the games.
    let rows = rows_without_times(&files.path("all.csv"));
    let column = |index: usize| -> u64 {
        let number = |row: &String| row.split(',').nth(index).unwrap().parse::<u64>().unwrap();
        rows[1..].iter().map(number).sum()
    };
    assert_eq!(
        (whole["wins"].as_u64(), whole["mines"].as_u64()),
        (Some(column(1)), Some(column(2)))
    );
    assert_eq!(
        (whole["turns"].as_u64(), whole["guesses"].as_u64()),
        (Some(column(3)), Some(column(4)))
    );
    let sum = |of: &str, key: &str| -> u64 {
        whole[of].as_array().unwrap().iter().map(|item| item[key].as_u64().unwrap()).sum()
    };
    assert_eq!(whole["explored"].as_array().unwrap().len(), 10);
    assert_eq!(sum("explored", "games"), 2500);
    assert_eq!((sum("steps", "clicks"), sum("steps", "mines")), (column(3), column(2)));
    // All safe cells are open in a game that is won.
    assert!(whole["explored"][9]["games"].as_u64().unwrap() >= column(1));

    for part in ["1/3", "2/3", "3/3"] {
        let name = files.name(&part[..1]);
        assert_eq!(bench(&["--shard", part, "--resume", &name, "--jobs", "3"]).code, 0);
    }
    let mut merged = without_times(good(&files.report(&["3", "1", "2"])));
    merged["covered"] = whole["covered"].clone();
    assert_eq!(merged, whole);
    let two = good(&files.report(&["1", "3"]));
    assert_eq!(two["missing"], serde_json::json!([[734, 1566]]));
    let text = judge(["report", &files.name("1"), &files.name("3")]).stdout;
    assert!(text.contains("Not finished: 833 boards are missing: 734..1566"), "{text}");
}

#[test]
fn a_truncated_run_resumes_with_the_same_results() {
    let files = Files::new();
    let (out, csv) = (files.name("out"), files.name("csv"));
    let run = |jobs| bench(&["--resume", &out, "--csv", &csv, "--json", "--jobs", jobs]);
    // The files do not exist yet.
    let whole = without_times(good(&run("2")));
    let (shard, table) = (fs::read(&out).unwrap(), fs::read(&csv).unwrap());
    let all = rows_without_times(&files.path("csv"));
    let ends: Vec<usize> = (0..shard.len()).filter(|&at| shard[at] == b'\n').collect();
    assert!(ends.len() >= 3, "{}", String::from_utf8_lossy(&shard));
    // In and after the first line, in and after the second, in the last, and at the end.
    let last = shard.len() - 9;
    for cut in
        [0, 50, ends[0], ends[0] + 1, ends[1] - 20, ends[1] + 1, ends[1] + 40, last, shard.len()]
    {
        fs::write(&out, &shard[..cut]).unwrap();
        // The table may have more rows than the shard counts, and a truncated last row.
        fs::write(&csv, &table[..table.len() - 7]).unwrap();
        if cut == shard.len() {
            fs::write(&csv, &table).unwrap();
        }
        assert_eq!(without_times(good(&run("3"))), whole, "cut at {cut}");
        assert_eq!(report_of(&files.path("out")), whole, "cut at {cut}");
        assert_eq!(rows_without_times(&files.path("csv")), all, "cut at {cut}");
        // Complete lines are kept.
        let kept = ends.iter().rfind(|&&end| end < cut).map_or(0, |end| end + 1);
        assert_eq!(fs::read(&out).unwrap()[..kept], shard[..kept]);
    }
    // A finished run is not played again.
    assert_eq!(fs::read(&out).unwrap(), shard);
    // A truncated shard can be reported.
    fs::write(&out, &shard[..ends[1] + 30]).unwrap();
    let part = good(&files.report(&["out"]));
    let games = part["games"].as_i64().unwrap();
    assert_eq!(part["missing"], serde_json::json!([[games - 99, 2400]]));
}

#[test]
fn a_file_of_boards_can_be_divided_into_shards() {
    let files = Files::new();
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/boards/expert-safe-first.txt");
    let text = fs::read_to_string(boards).unwrap();
    // Empty lines are skipped, and the name of the file does not matter.
    fs::write(files.path("boards"), format!("\n{}", text.replacen('\n', "\n\n", 30))).unwrap();
    fs::write(files.path("copy"), fs::read(files.path("boards")).unwrap()).unwrap();
    let run = |boards: &str, options: &[&str]| {
        let options = options.iter().map(|&option| option.to_owned());
        let fixed =
            ["bench", "--rule", "safe-first", "--effort", "fast", "--from", "12", "--games", "60"];
        let fixed = fixed.map(str::to_owned).into_iter();
        judge(fixed.chain(["--boards".to_owned(), files.name(boards)]).chain(options))
    };
    let csv = |name: &str| ["--csv".to_owned(), files.name(name)];
    let [option, all] = csv("all.csv");
    let whole = without_times(good(&run("boards", &[&option, &all, "--json"])));
    let mut table = rows_without_times(&files.path("all.csv"));
    let mut parts = Vec::new();
    for (part, of) in [("1/4", "boards"), ("2/4", "copy"), ("3/4", "boards"), ("4/4", "copy")] {
        let [option, path] = csv(&format!("{}.csv", &part[..1]));
        let out = files.name(&part[..1]);
        assert_eq!(run(of, &["--shard", part, &option, &path, "--resume", &out]).code, 0);
        let part = rows_without_times(&files.path(&format!("{}.csv", &part[..1])));
        parts.extend_from_slice(&part[1..]);
    }
    table.remove(0);
    assert_eq!(parts, table);
    let mut merged = without_times(good(&files.report(&["1", "2", "3", "4"])));
    assert_eq!(merged["missing"], serde_json::json!([]));
    merged["covered"] = whole["covered"].clone();
    merged["setting"]["boards"]["file"] = whole["setting"]["boards"]["file"].clone();
    assert_eq!(merged, whole);
    // A file with other contents is another run.
    fs::write(files.path("boards"), text).unwrap();
    let run = run("boards", &["--shard", "1/4", "--resume", &files.name("1")]);
    assert!(run.code == 2 && run.stderr.contains("is of another run: crc32 "), "{}", run.stderr);
}

#[test]
fn shards_of_different_runs_are_not_merged() {
    let files = Files::new();
    let base = ["bench", "--level", "5x5/4", "--seeds", "1..3", "--rule", "safe-first"];
    let shard = |name: &str, options: &[&str]| {
        let mut words: Vec<&str> = base.to_vec();
        for pair in options.chunks(2) {
            match words.iter().position(|word| *word == pair[0]) {
                Some(at) => words[at + 1] = pair[1],
                None => words.extend(pair),
            }
        }
        let out = files.name(name);
        let run = judge(words.into_iter().chain(["--resume", &out]));
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    shard("base", &[]);
    for (option, value, reason) in [
        ("--level", "5x5/5", "level 5x5/4 instead of 5x5/5"),
        ("--first", "2,2", "first [0,0] instead of [2,2]"),
        ("--rule", "open-first", "rule safe-first instead of open-first"),
        ("--effort", "fast", "effort standard instead of fast"),
        ("--objective", "fewest-hits", "objective clean-win instead of fewest-hits"),
    ] {
        let name = &option[2..];
        shard(name, &[option, value, "--seeds", "4..6"]);
        let run = files.report(&["base", name]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{option}");
        assert!(run.stderr.contains(reason), "{option}: {}", run.stderr);
    }
    let text = fs::read_to_string(files.path("base")).unwrap();
    let version = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(version));
    fs::write(files.path("old"), without_checksums(&text).replace(version, "\"version\":\"0.0.1"))
        .unwrap();
    let run = files.report(&["base", "old"]);
    assert!(run.code == 2 && run.stderr.contains("version "), "{}", run.stderr);
    // Seeds may have gaps, but no seed may occur twice.
    shard("next", &["--seeds", "25..30"]);
    assert_eq!(
        good(&files.report(&["next", "base"]))["covered"],
        serde_json::json!([[1, 3], [25, 30]])
    );
    shard("again", &["--seeds", "2..6"]);
    let run = files.report(&["again", "base"]);
    assert!(run.code == 2 && run.stderr.contains("both have the boards 2..3"), "{}", run.stderr);
    assert_eq!(files.report(&["base", "base"]).code, 2);
}

#[test]
fn a_line_that_cannot_be_used_is_named_and_its_boards_are_played_again() {
    let files = Files::new();
    let play = |seeds, name: &str| {
        let file = files.name(name);
        let options = ["--json", "--level", "8x8/10", "--rule", "safe-first", "--seeds", seeds];
        judge([&["bench"], &options[..], &["--resume", &file]].concat())
    };
    let whole = without_times(good(&play("1..9", "one")));
    good(&play("10..12", "two"));
    let shard = fs::read_to_string(files.path("one")).unwrap();
    let old = without_checksums(&shard);
    let counts = &shard[shard.find('\n').unwrap() + 1..];
    for (text, fault) in [
        (shard.replace("\"wins\":", "\"wins\":1"), "line 2: it was altered after it was written"),
        (shard.replace("\"turns\":", "\"turns\":1"), "line 2: it was altered after it was written"),
        (format!("{shard}x\n"), "line 3: it was altered after it was written"),
        (format!("{shard}{counts}"), "line 3: its games do not fit the boards 1 to 9"),
        (old.replace("\"wins\":", "\"wins\":-"), "line 2: it cannot be read: invalid value"),
        (old.replace("\"wins\":", "\"wins\":9"), "line 2: its games do not fit the boards 1 to 9"),
    ] {
        fs::write(files.path("one"), &text).unwrap();
        // The other shard is reported.
        let report = files.report(&["one", "two"]);
        assert!(report.code == 2 && report.stderr.contains(fault), "{fault}: {}", report.stderr);
        let games = if fault.starts_with("line 2") { 3 } else { 12 };
        let merged: Value = serde_json::from_str(&report.stdout).unwrap();
        assert_eq!(merged["games"], games, "{fault}");
        let again = play("1..9", "one");
        let warned = again.stderr.contains(fault) && again.stderr.contains("played again");
        assert!(warned, "{fault}: {}", again.stderr);
        assert_eq!(without_times(good(&again)), whole, "{fault}");
        let report = files.report(&["one", "two"]);
        assert_eq!((report.code, report.stderr.as_str()), (0, ""));
    }
    // The file of an earlier version, and one that is none.
    fs::write(files.path("one"), &old).unwrap();
    assert_eq!(files.report(&["one", "two"]).code, 0);
    assert_eq!(without_times(good(&play("1..9", "one"))), whole);
    assert_eq!(fs::read_to_string(files.path("one")).unwrap(), old);
    fs::write(files.path("one"), "a letter\n").unwrap();
    let report = files.report(&["one", "two"]);
    let merged: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!((report.code, &merged["games"]), (2, &3.into()));
    assert!(
        report.stderr.contains("1 file is not reported, or not as a whole"),
        "{}",
        report.stderr
    );
}

#[test]
fn files_that_are_not_shards_are_not_changed() {
    let files = Files::new();
    let out = files.name("out");
    let run = |options: &[&str]| {
        let words = [
            "bench",
            "--level",
            "8x8/10",
            "--seeds",
            "1..9",
            "--rule",
            "safe-first",
            "--resume",
            &out,
        ];
        judge([&words, options].concat())
    };
    assert_eq!(run(&[]).code, 0);
    let shard = fs::read_to_string(&out).unwrap();
    let old = without_checksums(&shard);
    for (text, options, reason) in [
        (shard.clone(), vec!["--effort", "fast"], "effort standard instead of fast"),
        (
            shard.clone(),
            vec!["--shard", "1/2"],
            "part [1,9] instead of [1,4]; give the same options, another file, or --restart",
        ),
        (old.replace("\"judge\":\"", "\"judge\":\"f"), vec![], "is of another run: judge f"),
        (
            shard.replace("\"judge\":\"", "\"judge\":\"f"),
            vec![],
            "line 1: it was altered after it was written, so that it is not known what was \
             played; name another file, or play its run anew with --restart",
        ),
        ("a letter, no line feed".to_owned(), vec![], "is not a file that --resume"),
        ("a letter\n".to_owned(), vec![], "is not a file that --resume"),
        (shard.clone(), vec!["--csv", &files.name("none")], "cannot resume"),
    ] {
        fs::write(&out, &text).unwrap();
        let run = run(&options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(reason), "{options:?}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&out).unwrap(), text, "{options:?}");
    }
    // --restart plays it anew.
    fs::write(&out, &shard).unwrap();
    assert_eq!(run(&["--effort", "fast", "--restart"]).code, 0);
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains("\"effort\":\"fast\"") && text.lines().count() == 2, "{text}");
    fs::write(&out, &shard).unwrap();
    fs::write(files.path("few"), "index,won,hits,turns,guesses,ms,options\n1,1,0,9,0,0.1,\n")
        .unwrap();
    let run = run(&["--csv", &files.name("few")]);
    assert!(run.code == 2 && run.stderr.contains("fewer rows than the 9 games"), "{}", run.stderr);
    for (options, hint) in [
        (
            vec!["bench", "--level", "8x8/10", "--seeds", "1..9", "--rule", "botzone", "--resume"],
            "a value is required for '--resume",
        ),
        (
            vec![
                "bench", "--level", "8x8/10", "--seeds", "1..9", "--rule", "botzone", "--shard",
                "0/3",
            ],
            "give K/N",
        ),
        (
            vec![
                "bench", "--level", "8x8/10", "--seeds", "1..9", "--rule", "botzone", "--shard",
                "4/3",
            ],
            "give K/N",
        ),
        (vec!["report"], "SHARD"),
        (vec!["report", "/no/such/file"], "cannot read /no/such/file"),
    ] {
        let run = judge(&options);
        assert_eq!(run.code, 2, "{options:?}: {}", run.stdout);
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn empty_parts_are_valid() {
    let files = Files::new();
    let boards = ["bench", "--level", "5x5/4", "--seeds", "7..9", "--rule", "botzone"];
    let run = |options: &[&str]| judge([&boards[..], options].concat());
    let (mut parts, mut empty) = (Vec::new(), 0);
    for part in 1..=5 {
        let (name, csv) = (files.name(&part.to_string()), files.name(&format!("{part}.csv")));
        let part = format!("{part}/5");
        let play = ["--shard", &part, "--resume", &name, "--csv", &csv];
        let played = run(&play);
        assert_eq!(played.code, 0, "{part}: {}", played.stderr);
        empty += u32::from(played.stdout == "No game: this part of the run has no board.\n");
        assert_eq!(run(&play).stdout, played.stdout);
        parts.push(name);
    }
    assert_eq!(empty, 2);
    // The order of the parts does not matter.
    for parts in [parts.clone(), parts.iter().rev().cloned().collect()] {
        let report = judge([vec!["report".to_owned(), "--json".to_owned()], parts].concat());
        let report: Value = serde_json::from_str(&report.stdout).unwrap();
        assert_eq!((&report["games"], &report["missing"]), (&3.into(), &json!([])));
        assert_eq!(report["covered"], json!([[7, 9]]));
    }
    let alone = run(&["--shard", "1/5", "--json"]);
    let alone: Value = serde_json::from_str(&alone.stdout).unwrap();
    assert_eq!((&alone["games"], &alone["covered"]), (&0.into(), &json!([])));
    // A report of some parts, even of empty ones, succeeds and lists what is missing.
    let all_missing = |run: &Run| run.stdout.contains("missing: 7..9\n");
    let reports = parts.iter().map(|part| judge(["report", part]));
    let empty: Vec<Run> = reports.filter(all_missing).collect();
    assert_eq!(empty.len(), 2);
    for run in empty {
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with("No game: every part is empty"), "{}", run.stdout);
        assert!(run.stdout.contains("Not finished: 3 boards are missing"), "{}", run.stdout);
    }
    let empty = judge(["report", "--json", &parts[0]]);
    let empty: Value = serde_json::from_str(&empty.stdout).unwrap();
    assert_eq!((&empty["games"], &empty["missing"]), (&json!(0), &json!([[7, 9]])));
}
