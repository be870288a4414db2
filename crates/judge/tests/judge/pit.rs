//! `judge pit`: bots with known results, every kind of fault at once, the sequential test, and the
//! CSV.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{
    MARKER, ONCE, Run, SMALL, Script, game_on_file, judge, opening, safe_cells, small_field,
    without_checksums,
};
#[cfg(unix)]
use crate::faults::ends;

pub const SAPPER: &str = "sapper --keep-running";
/// Boards on which sapper is quick even without optimisation.
pub const QUICK: [&str; 2] = ["--level", "8x8/8"];

pub fn pit(bots: &[&str], options: &[&[&str]]) -> Run {
    let bots = bots.iter().flat_map(|bot| ["--bot", bot]);
    judge(["pit"].into_iter().chain(bots).chain(options.concat()))
}

pub fn pit_json(bots: &[&str], options: &[&[&str]]) -> (i32, Value) {
    let mut all: Vec<&[&str]> = vec![&["--json"]];
    all.extend(options);
    let run = pit(bots, &all);
    let value = serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr));
    (run.code, value)
}

/// A bot that knows these boards, and opens all safe cells of each, with `mines_first` after all
/// mines.
#[cfg(unix)]
fn omniscient(seeds: std::ops::RangeInclusive<i32>, mines_first: bool) -> Script {
    let answers: Vec<Value> = seeds
        .flat_map(|seed| {
            let field = small_field(seed);
            let mines: Vec<_> = field.mines().filter(|_| mines_first).collect();
            opening(&field, mines.into_iter().chain(safe_cells(&field)))
        })
        .collect();
    Script::with_answers(&answers, ONCE)
}

#[cfg(unix)]
#[test]
fn a_bot_that_knows_the_board_scores_100_and_one_that_opens_every_mine_0() {
    let (best, worst) = (omniscient(1..=3, false), omniscient(1..=3, true));
    let bots = [format!("worst={}", worst.command), format!("best={}", best.command)];
    let (code, all) =
        pit_json(&bots.each_ref().map(String::as_str), &[&SMALL, &["--seeds", "1..3"]]);
    assert_eq!((code, &all["boards"]), (0, &json!(3)));
    let [worst, best] = [&all["bots"][0], &all["bots"][1]];
    assert_eq!((&best["name"], &worst["name"]), (&json!("best"), &json!("worst")));
    assert_eq!((&best["score"]["mean"], &worst["score"]["mean"]), (&json!(100.0), &json!(0.0)));
    assert_eq!((&best["mines"]["mean"], &worst["mines"]["mean"]), (&json!(0.0), &json!(7.0)));
    assert_eq!((&best["clean"], &worst["clean"]), (&json!(3), &json!(0)));
    assert_eq!((&best["faults"], &best["left_behind"]), (&json!({}), &json!(0)));
    for clock in ["wall_ms", "cpu_ms"] {
        let times = &best[clock];
        let time = |key: &str| times[key].as_f64().unwrap();
        assert!(0.0 < time("median") && time("median") <= time("p99"), "{times}");
        assert!(time("p99") <= time("worst") && time("worst") < 2000.0, "{times}");
    }
    // A shell may end before its memory is sampled. The memory is then null, not 0.
    let memory = best["memory_mb"].as_f64();
    assert!(memory.is_none_or(|memory| (0.5..64.0).contains(&memory)), "{memory:?} MB");
    let pair = &all["pairs"][0];
    assert_eq!((&pair["a"], &pair["b"]), (&json!("worst"), &json!("best")));
    assert_eq!(pair["score"]["difference"], 100.0);
    assert_eq!(
        (&pair["score"]["b_better"], &pair["mines"]["difference"]),
        (&json!(3), &json!(-7.0))
    );
    assert_eq!(pair["most_apart"][0], json!({"seed": 1, "a": 0.0, "b": 100.0}));
}

#[cfg(unix)]
#[test]
fn memory_that_was_not_sampled_is_null_and_not_0() {
    let directory = TempDir::new().unwrap();
    let (journal, csv) = (directory.path().join("run.jsonl"), directory.path().join("run.csv"));
    let slow = Script::new("sleep 0.2; echo '{\"response\":{\"row\":0,\"col\":0}}'; sleep 0.2");
    let options = ["--seeds", "1", "--resume", journal.to_str().unwrap()];
    let seen = &pit_json(&[&slow.command], &[&SMALL, &options]).1["bots"][0]["memory_mb"];
    assert!((0.5..64.0).contains(&seen.as_f64().unwrap()), "{seen}");
    // The same game, as of a bot that ended before its memory was sampled.
    let known = without_checksums(&fs::read_to_string(&journal).unwrap());
    let (before, after) = known.split_once("\"memory\":").unwrap();
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    fs::write(&journal, format!("{before}\"memory\":0{after}")).unwrap();
    let rows = ["--csv", csv.to_str().unwrap()];
    let all = pit_json(&[&slow.command], &[&SMALL, &options, &rows]).1;
    assert_eq!((&all["resumed_games"], &all["bots"][0]["memory_mb"]), (&json!(1), &Value::Null));
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    assert_eq!(&reader.records().next().unwrap().unwrap()[10], "");
    let table = pit(&[&slow.command], &[&SMALL, &options]).stdout;
    let row = table.lines().rfind(|line| line.starts_with('|')).unwrap();
    assert_eq!(row.split('|').rev().nth(2).unwrap().trim(), "-", "{table}");
}

#[cfg(unix)]
#[test]
fn no_fault_stops_the_run() {
    let answer = "echo '{\"response\":{\"row\":0,\"col\":0}}'";
    let child = "sleep 300 & echo $! >> \"$here/children\"";
    let faulty = [
        ("illegal", "echo '{\"response\":{\"row\":0,\"col\":99}}'".to_owned()),
        ("crash", "kill -SEGV $$".to_owned()),
        ("timeout", "sleep 300".to_owned()),
        ("not-json", "echo garbage".to_owned()),
        ("output-limit", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done".to_owned()),
        ("memory-limit", "x=xxxxxxxx; while :; do x=$x$x; done".to_owned()),
        (
            "unasked",
            format!("all=$({answer}; echo '{MARKER}'; echo 1); printf '%s\\n' \"$all\"; cat"),
        ),
        // A child process that is left running is no fault; it is ended and reported.
        ("illegal", format!("{child}; echo '{{}}'")),
    ];
    let scripts: Vec<Script> = faulty.iter().map(|(_, script)| Script::new(script)).collect();
    let mut bots: Vec<String> =
        scripts.iter().enumerate().map(|(n, bot)| format!("b{n}={}", bot.command)).collect();
    bots.push(SAPPER.to_owned());
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let limits = ["--seeds", "1..2", "--jobs", "2", "--time-limit", "1", "--memory-limit", "60"];
    let (code, all) = pit_json(&bots, &[&QUICK, &limits]);
    assert_eq!((code, &all["boards"]), (1, &json!(2)));
    for (n, (kind, script)) in faulty.iter().enumerate() {
        let bot = &all["bots"][n];
        assert_eq!(bot["faults"], json!({*kind: 2}), "{script}: {bot}");
        assert_eq!((&bot["score"]["mean"], &bot["finished"]), (&json!(0.0), &json!(0)));
        let fault = &bot["first_faults"][1];
        assert_eq!((&fault["seed"], &fault["outcome"]), (&json!(2), &json!(*kind)));
        let again = fault["again"].as_str().unwrap();
        let (judge, play) = again.split_once(" play --bot ").unwrap();
        assert_eq!(judge.trim_matches('\''), env!("CARGO_BIN_EXE_judge"));
        assert!(play.contains("--seeds 2"), "{again}");
        assert!(again.ends_with("--memory-limit 60"), "{again}");
    }
    assert_eq!(all["bots"][7]["left_behind"], 2);
    for child in scripts[7].text("children").lines() {
        assert!(ends(child), "the child still runs");
    }
    let sapper = &all["bots"][8];
    assert_eq!((&sapper["name"], &sapper["faults"]), (&json!("sapper"), &json!({})));
    assert!(sapper["score"]["mean"].as_f64().unwrap() > 50.0);
    // The text reports the same.
    let run = pit(&bots[..2], &[&QUICK, &limits]);
    assert_eq!(run.code, 1);
    for part in [
        "| 2 illegal |",
        "b1, seed 2: crash (signal 11)",
        "FAULT in turn 0; again: ",
        "judge play --bot ",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

/// The files of a directory of records, by bot and name.
pub fn records(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for bot in fs::read_dir(directory).unwrap() {
        for file in fs::read_dir(bot.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.strip_prefix(directory).unwrap().to_owned();
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    files
}

#[test]
fn the_same_seed_twice_is_the_same_transcript() {
    let directory = TempDir::new().unwrap();
    let play = |name: &str, jobs: &str| {
        let logs = directory.path().join(name);
        let options = ["--seeds", "1..4", "--jobs", jobs, "--log", logs.to_str().unwrap()];
        assert_eq!(pit(&["a=sapper", SAPPER], &[&QUICK, &options]).code, 0);
        records(&logs)
    };
    let (once, twice) = (play("once", "1"), play("twice", "3"));
    assert_eq!((once.len(), &once), (8, &twice));
    // The game is the same in both modes of the protocol.
    let name = "8x8-8-3.json";
    let game = |bot: &str| game_on_file(&directory.path().join("once").join(bot).join(name));
    assert_eq!(game("a"), game("sapper"));
    let logs = once.keys().map(|path| directory.path().join("once").join(path));
    assert_eq!(judge([PathBuf::from("verify")].into_iter().chain(logs)).code, 0);
}

#[cfg(unix)]
#[test]
fn the_sequential_test_stops_when_it_is_decided() {
    let bots = ["a=sh -c 'exit 3'", "b=sapper --keep-running"];
    let tiny = ["--level", "4x4/1", "--seeds", "1..2000"];
    let (_, all) = pit_json(&bots, &[&tiny, &["--sprt=0,5", "--jobs", "2"]]);
    let sprt = &all["sprt"];
    assert_eq!((&sprt["accepted"], &sprt["adjusted"]), (&json!("h1"), &json!(false)), "{sprt}");
    assert_eq!((&all["boards"], &sprt["boards"]), (&json!(30), &json!(30)));
    assert!(sprt["llr"].as_f64().unwrap() >= sprt["upper"].as_f64().unwrap());
    // With the bots exchanged and another number of jobs it stops at the same board.
    let run = pit(&[bots[1], bots[0]], &[&tiny, &["--sprt=0,5"]]);
    assert!(run.stdout.contains("SPRT on score, a over b: H0 +0, H1 +5"), "{}", run.stdout);
    assert!(run.stdout.contains("H0 accepted: a is not better than b by 5"), "{}", run.stdout);
    assert!(run.stdout.contains("30 boards 4x4") && run.stdout.contains("b is better than a"));
    assert!(run.stdout.contains("\n  The test ended the run: "), "{}", run.stdout);
    // Equal bots never end the test.
    let equal = pit(&["a=sapper", "b=sapper"], &[&tiny[..2], &["--sprt", "--seeds", "1..31"]]);
    assert_eq!(equal.code, 0);
    assert!(equal.stdout.contains("undecided: the bots differ on 0 boards"), "{}", equal.stdout);
    assert!(equal.stdout.contains("a and b have the same score on every board"));
    assert!(equal.stdout.contains("\n  The test did not end the run: "), "{}", equal.stdout);
}

/// Each of two bots crashes in every other game, and one answer wins a game without mines.
#[cfg(unix)]
#[test]
fn no_number_of_boards_shows_a_difference_of_0() {
    let bots = [0, 1].map(|odd| {
        Script::new(&format!(
            "echo >> \"$here/games\"; [ $(($(wc -l < \"$here/games\") % 2)) = {odd} ] || exit 3; \
             echo '{{\"response\":{{\"row\":0,\"col\":0}}}}'"
        ))
    });
    let [a, b] = bots.each_ref().map(|bot| bot.command.as_str());
    let run = pit(&[a, b], &[&["--level", "5x5/0", "--jobs", "1", "--seeds", "1..8"]]);
    assert!(run.stdout.contains("\nNo difference shown: gains and losses are equal.\n"));
}

#[test]
fn bad_usage_says_what_to_do() {
    for (arguments, hint) in [
        (vec![], "--bot"),
        (vec!["--bot", "a=true", "--bot", "a=false"], "two bots are called a"),
        (vec!["--bot", "a=true", "--sprt"], "give --bot twice"),
        (vec!["--bot", "a=true", "--sprt=1,0"], "LOW below HIGH"),
        (vec!["--bot", "a=true", "--alpha", "0.7", "--sprt"], "between 0 and 0.5"),
        (vec!["--bot", "a=true", "--language", "a=cobol"], "with one of cpp"),
        (vec!["--bot", "a=/no/such/bot"], "cannot start the bot"),
        (vec!["--bot", "a=true", "--level", "30x20/601"], "give fewer mines"),
        (
            vec!["--bot", "a=true", "--level", "3x3/1", "--mines", "2"],
            "give --level WIDTHxHEIGHT/MINES",
        ),
        (vec!["--bot", "a=true", "--restart"], "--resume"),
        (vec!["--bot", "a=true", "--memory-limit", "0"], "memory-limit"),
    ] {
        let run = judge([&["pit"], &arguments[..]].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{arguments:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn every_game_is_a_row_of_the_csv() {
    let directory = TempDir::new().unwrap();
    let [csv, journal, later] =
        ["games.csv", "run.jsonl", "later.csv"].map(|name| directory.path().join(name));
    let bad = Script::new("echo 'a, \"b\"'");
    let bad = format!("bad={}", bad.command);
    let bots = [SAPPER, &bad];
    let resume = ["--jobs", "3", "--resume", journal.to_str().unwrap(), "--csv"];
    let [first, second] = [&csv, &later].map(|path| [path.to_str().unwrap(), "--seeds"]);
    let (code, all) = pit_json(&bots, &[&QUICK, &resume, &first, &["1..5"]]);
    assert_eq!(code, 1);
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let names = "index,bot,won,hits,outcome,score,turns,cpu_ms,wall_ms,slowest_ms,memory_mb,\
                 left_behind,reason,adjusted_hits,adjusted_won,options";
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","), names);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let number = |row: &csv::StringRecord, column: usize| row[column].parse::<f64>().unwrap();
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(number(row, 0), (index / 2 + 1) as f64, "{row:?}");
        let (bot, outcome) = [("sapper", "done"), ("bad", "not-json")][index % 2];
        assert_eq!((&row[1], &row[4], row[3].is_empty()), (bot, outcome, bot == "bad"));
        assert_eq!(row[12].contains("in `a, \"b\"`"), bot == "bad", "{row:?}");
        assert!(0.0 < number(row, 9) && number(row, 9) <= number(row, 8), "{row:?}");
    }
    assert_eq!(rows.len(), 10);
    let of_sapper = |column: usize| rows.iter().step_by(2).map(move |row| number(row, column));
    let mean = of_sapper(5).sum::<f64>() / 5.0;
    assert!((mean - all["bots"][0]["score"]["mean"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(of_sapper(6).sum::<f64>(), all["bots"][0]["turns"].as_f64().unwrap());
    // Games from the journal have the same rows.
    pit_json(&bots, &[&QUICK, &resume, &second, &["1..6"]]);
    let (before, after) = (fs::read_to_string(&csv).unwrap(), fs::read_to_string(later).unwrap());
    assert!(after.starts_with(&before) && after.lines().count() == 13, "{after}");
    // `compare` tells the bots of a table apart.
    let csv = csv.to_str().unwrap();
    let run = judge(["compare", csv, csv, "--a", "sapper", "--b", "bad", "--json"]);
    let paired: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&paired["boards"], &paired["wins_b"]), (&json!(5), &json!(0)));
    assert_eq!((&paired["without_hits"], &paired["wins_a"]), (&json!(5), &all["bots"][0]["clean"]));
    assert_eq!((&paired["bot_a"], &paired["bot_b"]), (&json!("sapper"), &json!("bad")));
    let text = judge(["compare", csv, csv, "--a", "sapper", "--b", "bad"]).stdout;
    assert!(text.contains("A: sapper in ") && text.contains("B: bad in "), "{text}");
    for (options, hint) in [
        (&[][..], "line 3: board 1 is in another row already; give each board once, or name a bot"),
        (&["--a", "x"], "has no row of the bot x; it has rows of: bad, sapper"),
    ] {
        let run = judge([&["compare", csv, csv], options].concat());
        assert!(run.code == 2 && run.stderr.contains(hint), "{}", run.stderr);
    }
    let unwritable = pit(&bots, &[&QUICK, &["--csv", "/no/such/directory/x.csv"]]);
    assert_eq!(unwritable.code, 2);
    assert!(unwritable.stderr.contains("cannot write /no/such"), "{}", unwritable.stderr);
}

#[cfg(unix)]
#[test]
fn a_language_has_its_time_factor() {
    let bots = ["a=sh -c 'exit 3'", "b=sh -c 'exit 3'"];
    let options = ["--language", "b=python", "--time-limit", "0.5", "--seeds", "1"];
    let (_, all) = pit_json(&bots, &[&options]);
    assert_eq!(
        (&all["bots"][0]["time_limit"], &all["bots"][1]["time_limit"]),
        (&json!(0.5), &json!(3.0))
    );
    let again = all["bots"][1]["first_faults"][0]["again"].as_str().unwrap();
    assert!(again.ends_with(" --time-limit 0.5 --language python"), "{again}");
}
