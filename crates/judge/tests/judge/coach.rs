//! `judge coach`: the cost of decisions whose odds are known, of bots and of recorded games.

use std::fs;

use analysis::review::recorded_game::RecordedGame;
use game::record::Record;
use page::service::Service;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ONCE, Run, Script, judge, opening, small_field};
use crate::rules::json_of;

pub const GAME: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/games/default-30x20-80.json");

pub fn coach(options: &[&str]) -> Run {
    judge(["coach", "--playouts", "4"].iter().chain(options))
}

#[test]
fn a_recorded_game_is_judged_decision_by_decision() {
    let run = coach(&[GAME, "--json", "--list", "3", "--per-kind", "3"]);
    let report = json_of(&run);
    assert_eq!((run.code, &report["games"], &report["unjudged"]), (0, &json!(1), &json!(0)));
    let sum = |key: &str| -> f64 {
        let groups = report[key].as_array().unwrap();
        groups.iter().map(|group| group["cost"].as_f64().unwrap()).sum()
    };
    let all = report["all"]["cost"].as_f64().unwrap();
    for key in ["kinds", "phases", "places"] {
        assert!((sum(key) - all).abs() < 1e-9 && all > 5.0, "{key}: {all}");
    }
    // In turn 139 a proven mine is opened: one mine more, and nothing else changes.
    let costliest = &report["costliest"];
    assert_eq!(costliest.as_array().unwrap().len(), 3);
    assert_eq!(
        (&costliest[0]["turn"], &costliest[0]["kind"]),
        (&json!(139), &json!("proven mine opened"))
    );
    assert_eq!((&costliest[0]["cell"], &costliest[0]["odds"]), (&json!([16, 24]), &json!(1.0)));
    assert!((costliest[0]["cost"].as_f64().unwrap() - 1.0).abs() < 0.01, "{}", costliest[0]);
    assert!(costliest[0]["field"].as_str().unwrap().lines().nth(16).unwrap().contains('A'));
    let text = coach(&[GAME]).stdout;
    assert!(text.contains("(16,24) was proven to be a mine."), "{text}");
    assert!(text.contains("Mines still to be expected: 1.000 by A, 0.000 by B."), "{text}");
    let clean = json_of(&coach(&[GAME, "--json", "--objective", "clean-win"]));
    // The two chances are those of the playouts that tell the cost.
    for (report, sign) in [(&report, 1.0), (&clean, -1.0)] {
        for decision in report["costliest"].as_array().unwrap() {
            let [cost, own, other] =
                ["cost", "chance", "chance_instead"].map(|key| decision[key].as_f64().unwrap());
            assert!((sign * (own - other) - cost).abs() < 1e-9 && own >= 0.0, "{decision}");
        }
    }
    // The decisions before the first mine only.
    assert!(clean["differing"].as_u64() < report["differing"].as_u64());
}

/// The bot opens one cell after another, and nothing in the last game.
#[cfg(unix)]
#[test]
fn a_bot_plays_and_its_faults_are_reported() {
    let cells: Vec<Value> = (1..=3)
        .map(small_field)
        .flat_map(|field| opening(&field, field.shape().cells()))
        .chain([json!("nothing")])
        .collect();
    let bot = Script::with_answers(&cells, ONCE);
    let games = TempDir::new().unwrap();
    let log = games.path().to_str().unwrap();
    let options = ["--bot", &bot.command, "--level", "6x5/7", "--jobs", "1", "--json"];
    let table = format!("{log}.csv");
    let files = ["--seeds", "1..4", "--log", log, "--csv", &table];
    let run = coach(&[&options[..], &files].concat());
    let report = json_of(&run);
    let rows = fs::read_to_string(&table).unwrap();
    fs::remove_file(&table).unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    assert!(rows[1].starts_with("1,0,") && !rows[1].contains(",,"), "{rows:?}");
    let options = "--level 6x5/7,--objective fewest-hits --effort fast";
    assert_eq!((rows.len(), rows[4]), (5, format!("4,0,,illegal,,{options}").as_str()));
    assert_eq!((run.code, &report["games"]), (1, &json!(4)));
    assert_eq!(report["faults"], json!({"illegal": 1}));
    // As in a pit.
    let fault = &report["first_faults"][0];
    assert_eq!((&fault["seed"], &fault["turn"]), (&json!(4), &json!(0)), "{fault}");
    assert!(fault["again"].as_str().unwrap().contains(" play --bot "), "{fault}");
    assert!(report["all"]["cost"].as_f64().unwrap() > 1.0, "{report}");
    let files = fs::read_dir(games.path()).unwrap().count();
    assert_eq!(files, 4);
    // The games on file have the same account.
    let paths = (1..=4).map(|seed| format!("{log}/6x5-7-{seed}.json"));
    let paths: Vec<String> = paths.collect();
    let mut again: Vec<&str> = paths.iter().map(String::as_str).collect();
    again.push("--json");
    let run = coach(&again);
    let again = json_of(&run);
    assert_eq!((&again["kinds"], &again["costliest"]), (&report["kinds"], &report["costliest"]));
    assert_eq!((run.code, &again["faults"]), (1, &report["faults"]));
}

/// Every decision is of one kind, one phase and one place, also where the cells are the same.
#[test]
fn decisions_are_counted_with_those_that_do_not_differ() {
    let options = ["--bot", "sapper --keep-running --effort fast", "--reuse", "--level", "6x5/7"];
    let report = json_of(&coach(&[&options[..], &["--seeds", "1..10", "--json"]].concat()));
    let [same, differing] = ["same", "differing"].map(|key| report[key].as_u64().unwrap());
    assert!(same > 10 && differing == 0, "{report}");
    let sum = |key: &str| -> f64 {
        let groups = report[key].as_array().unwrap();
        groups.iter().map(|group| group["a_game"].as_f64().unwrap()).sum()
    };
    for key in ["kinds", "phases", "places"] {
        assert!((sum(key) - same as f64 / 10.0).abs() < 1e-9, "{key}: {report}");
    }
    assert_eq!(report["all"]["cost_a_decision"], 0.0);
    let phases = report["phases"].as_array().unwrap();
    let names: Vec<&str> = phases.iter().map(|phase| phase["name"].as_str().unwrap()).collect();
    assert_eq!(names[0], "open: 0 to 5 %");
    assert!(names.iter().is_sorted_by_key(|name| name.find(" %")), "{names:?}");
}

/// Beside its own cells a bot loses nothing, and beside another's what the other would lose less.
#[cfg(unix)]
#[test]
fn a_bot_is_compared_with_another_at_the_same_decisions() {
    let games = TempDir::new().unwrap();
    let log = games.path().to_str().unwrap();
    let [fast, simple] =
        ["sapper --keep-running --effort fast", "python3 samples/bots/simple.py --keep-running"];
    let boards = ["--level", "6x5/7", "--seeds", "1..6", "--json", "--list", "9"];
    let against = |bot: &str, other: &str, more: &[&str]| {
        let options = ["--bot", bot, "--against", other];
        let run = coach(&[&options[..], &boards, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        json_of(&run)
    };
    let own = against(simple, simple, &[]);
    assert_eq!((&own["differing"], &own["all"]["cost"]), (&json!(0), &json!(0.0)));
    // The policy's cells, from a bot that says them.
    let by_policy = json_of(&coach(&[&["--bot", simple, "--log", log], &boards[..]].concat()));
    let by_bot = against(simple, fast, &[]);
    assert!(by_policy["differing"].as_u64() > Some(2), "{by_policy}");
    for key in ["kinds", "phases", "places", "all", "same", "safe", "costliest"] {
        let without_names = |report: &Value| {
            let mut decisions = report[key].clone();
            for decision in decisions.as_array_mut().into_iter().flatten() {
                decision.as_object_mut().unwrap().remove("game");
            }
            decisions
        };
        assert_eq!(without_names(&by_bot), without_names(&by_policy), "{key}");
    }
    // The recorded games say the same.
    let files = (1..=6).map(|seed| format!("{log}/6x5-7-{seed}.json"));
    let files: Vec<String> = files.collect();
    let mut options = vec!["--against", fast, "--json", "--reuse"];
    options.extend(files.iter().map(String::as_str));
    assert_eq!(json_of(&coach(&options))["kinds"], by_bot["kinds"]);
    // The other way about, a cell that is proven safe may be one that the other bot passes over.
    let other_way = against(fast, simple, &[]);
    assert!(other_way["all"]["cost"].as_f64().unwrap() < 0.0, "{other_way}");
}

/// The decisions before the fault are judged, and those of games without one.
#[cfg(unix)]
#[test]
fn a_fault_of_the_other_bot_is_reported() {
    let field = small_field(1);
    let cells: Vec<Value> = opening(&field, field.shape().cells()).into_iter().take(1).collect();
    let other = Script::with_answers(
        &[&cells[..], &[json!({"response": {"row": 9, "col": 0}})]].concat(),
        ONCE,
    );
    let options =
        ["--bot", "python3 samples/bots/simple.py --keep-running", "--against", &other.command];
    let directory = TempDir::new().unwrap();
    let table = directory.path().join("cost.csv");
    let files = ["--json", "--csv", table.to_str().unwrap()];
    let run = coach(&[&options[..], &["--level", "6x5/7", "--seeds", "1"], &files].concat());
    let report = json_of(&run);
    assert_eq!((run.code, &report["faults"]), (1, &json!({})));
    let rows = fs::read_to_string(&table).unwrap();
    let options = format!(" --effort fast --against '{}'\n", other.command.replace('\'', "'\\''"));
    assert!(rows.contains(",done,,") && rows.ends_with(&options), "{rows}");
    assert_eq!(report["other_faults"], json!({"illegal": 1}), "{report}");
    let fault = &report["first_other_faults"][0];
    assert_eq!((&fault["game"], &fault["turn"]), (&json!("seed 1"), &json!(1)));
    let again = fault["again"].as_str().unwrap();
    let arguments = " coach --bot 'python3 samples/bots/simple.py --keep-running' --level 6x5/7 \
                     --seeds 1 --objective fewest-hits --effort fast --against '";
    assert!(again.contains(arguments), "{again}");
    other.restart();
    let again = crate::bots::shell().args(["-c", &format!("{again} --playouts 2 --json")]).output();
    let again: Value = serde_json::from_slice(&again.unwrap().stdout).unwrap();
    assert_eq!(again["other_faults"], report["other_faults"]);
    let judged = ["safe", "same", "differing"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(judged.iter().sum::<u64>(), 1);
    let run = coach(&["--bot", "sapper", "--against", "/does/not/exist", "--games", "1"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("/does/not/exist"), "{}", run.stderr);
}

/// What comes after the first mine does not count for a clean win, a fault neither.
#[cfg(unix)]
#[test]
fn the_other_bot_is_asked_as_far_as_decisions_count() {
    let field = small_field(1);
    let mine = field.mines().next().unwrap();
    let cells = || [mine].into_iter().chain(field.shape().cells());
    let answers = opening(&field, cells());
    let bot = Script::with_answers(&answers, ONCE);
    let other = Script::with_answers(&answers[..1], ONCE);
    let options = ["--bot", &bot.command, "--against", &other.command, "--level", "6x5/7"];
    let options = [&options[..], &["--seeds", "1", "--jobs", "1", "--json"]].concat();
    let run = coach(&[&options[..], &["--objective", "clean-win"]].concat());
    let report = json_of(&run);
    assert_eq!((run.code, &report["same"], &report["other_faults"]), (0, &json!(1), &json!({})));
    bot.restart();
    other.restart();
    let run = coach(&options);
    assert_eq!((run.code, &json_of(&run)["other_faults"]), (1, &json!({"not-json": 1})));
}

/// What is said of two cells is said of these two.
#[cfg(unix)]
#[test]
fn a_sentence_names_no_cost_above_a_third_cell() {
    let [first, last] = [false, true].map(|backwards| {
        let cells = (1..=3).map(small_field).flat_map(|field| {
            let mut cells: Vec<_> = field.shape().cells().collect();
            if backwards {
                cells.reverse();
            }
            opening(&field, cells.into_iter())
        });
        Script::with_answers(&cells.collect::<Vec<Value>>(), ONCE)
    });
    let simple = "python3 samples/bots/simple.py --keep-running";
    let boards = ["--level", "6x5/7", "--seeds", "1..3", "--jobs", "1", "--list", "99"];
    let whys = |bot: &Script, other: Option<&str>| -> Vec<String> {
        bot.restart();
        let against: Vec<&str> = other.into_iter().flat_map(|other| ["--against", other]).collect();
        let options = ["--bot", &bot.command, "--json"];
        let report = json_of(&coach(&[&options[..], &boards, &against].concat()));
        let listed = ["costliest", "gains"].map(|key| report[key].as_array().unwrap().clone());
        let why = |decision: &Value| {
            let cells = ["cell", "instead"].map(|key| decision[key].to_string()).concat();
            format!("{cells} {}", decision["why"].as_str().unwrap())
        };
        listed.iter().flatten().map(why).collect()
    };
    let mut beside_both = 0;
    for bot in [&first, &last] {
        let (by_policy, by_bot) = (whys(bot, None), whys(bot, Some(simple)));
        let costly = |why: &&String| why.contains("By the two-ply look-ahead alone, ");
        assert!(by_policy.iter().any(|why| costly(&why)), "{by_policy:?}");
        // Beside the policy's cell, and nowhere else.
        let pairs = |whys: &[String]| -> Vec<String> {
            let cells = whys.iter().filter(costly).map(|why| why.split(' ').next().unwrap());
            cells.map(str::to_owned).collect()
        };
        let known = pairs(&by_policy);
        let paired = pairs(&by_bot);
        assert!(paired.iter().all(|pair| known.contains(pair)), "{by_bot:?}");
        assert!(by_bot.len() > paired.len());
        beside_both += paired.len();
    }
    assert!(beside_both > 0);
}

/// A zero with hidden neighbours, which no game has, is not judged.
#[test]
fn a_board_that_no_game_comes_to_is_not_judged() {
    let request = json!({"height": 5, "width": 5, "minecount": 3,
        "changed": [{"row": 0, "col": 0, "val": 0}]});
    let mut record = Record::of_requests([&request], [&json!({"row": 4, "col": 4})]);
    let given = json!({"width": 5, "height": 5, "minecount": 3, "seed": 1});
    record.initdata_given = Some(given);
    let mut record = serde_json::to_value(record).unwrap();
    record["rules"] = json!("any-size");
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("zero.json");
    fs::write(&path, record.to_string()).unwrap();
    let report = json_of(&coach(&[path.to_str().unwrap(), "--json"]));
    assert_eq!((&report["unjudged"], &report["differing"]), (&json!(1), &json!(0)), "{report}");
    let field = "5 5 3\n0....\n.....\n.....\n.....\n.....\n";
    let request = json!({
        "do": "cost", "field": field, "turn": 0, "effort": "fast", "objective": "fewest-hits",
        "cell": [4, 4],
    });
    let answer: Value =
        serde_json::from_str(&Service::default().call(&request.to_string())).unwrap();
    assert!(answer.get("cost").is_some_and(Value::is_null), "{answer}");
}

/// Click by click, by the requests that the page makes.
#[cfg(unix)]
#[test]
#[ignore = "slow; scripts/check runs it"]
fn the_page_counts_as_the_judge_does() {
    let cells = [3, 5].map(small_field).into_iter().flat_map(|field| {
        // Backwards, because the policy opens the first cell of a field itself.
        let cells: Vec<_> = field.shape().cells().collect();
        opening(&field, cells.into_iter().rev())
    });
    let bot = Script::with_answers(&cells.collect::<Vec<Value>>(), ONCE);
    let games = TempDir::new().unwrap();
    let log = games.path().to_str().unwrap();
    for (seed, objective) in [("3", "fewest-hits"), ("5", "clean-win")] {
        let options = ["--seeds", seed, "--level", "6x5/7", "--jobs", "1", "--log", log];
        assert_eq!(bot.play(&options).code, 0);
        let path = format!("{log}/6x5-7-{seed}.json");
        let record = Record::read(&fs::read_to_string(&path).unwrap()).unwrap();
        let game = RecordedGame::new(record).unwrap();
        let report = json_of(&judge(["coach", &path, "--json", "--objective", objective]));
        let mut service = Service::default();
        let mut sum = 0.0;
        for (turn, (board, cell)) in game.clicks().enumerate() {
            if objective == "clean-win" && board.hits() > 0 {
                break;
            }
            let shape = board.shape();
            let request = json!({
                "do": "cost", "field": board.to_string(), "turn": turn, "effort": "fast",
                "seed": seed.parse::<i32>().unwrap(), "objective": objective,
                "cell": [shape.row(cell), shape.column(cell)],
            });
            let answer: Value = serde_json::from_str(&service.call(&request.to_string())).unwrap();
            sum += answer["cost"].as_f64().unwrap_or_else(|| panic!("{request}: {answer}"));
        }
        let expected = report["all"]["cost"].as_f64().unwrap();
        assert!((sum - expected).abs() < 1e-9 && sum != 0.0, "{sum}, expected {expected}");
    }
}

/// All cells of a field with one mine are equal before the first number.
#[cfg(unix)]
#[test]
fn equal_costs_are_not_listed() {
    let bot = ["--bot", "python3 samples/bots/simple.py --keep-running", "--level", "5x5/1"];
    let report = json_of(&coach(&[&bot[..], &["--seeds", "1..6", "--json"]].concat()));
    let costs = ["costliest", "gains"].into_iter().flat_map(|key| report[key].as_array().unwrap());
    assert!(costs.clone().all(|one| one["cost"].as_f64().unwrap().abs() > 1e-9), "{report}");
    assert!(report["differing"].as_u64().unwrap() > costs.count() as u64);
}

#[test]
fn what_cannot_be_judged_is_refused_in_a_line() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("no-game.json");
    fs::write(&path, "3 2 1\n1..\n1..").unwrap();
    let skipped = directory.path().join("skipped.json");
    let game = fs::read_to_string(GAME).unwrap();
    let mut game: Value = serde_json::from_str(&game).unwrap();
    game["initdata_given"]["skipfirst"] = json!(true);
    game["log"][0]["output"]["initdata"]["skipfirst"] = json!(true);
    fs::write(&skipped, game.to_string()).unwrap();
    for (options, hint) in [
        (&[path.to_str().unwrap()][..], "not a recorded game, but a position"),
        (&[skipped.to_str().unwrap()], "not all layouts are equally likely"),
        (&["--bot", "sapper", "--skipfirst"], "not all layouts are equally likely"),
        (&["--bot", "sapper", "--against", ""], "--against: the command is empty"),
        // Before the first game is judged.
        (&[GAME, "--pages", path.to_str().unwrap()], "cannot make the folder"),
        (&["--bot", "sapper", GAME], "cannot be used with"),
        (&[GAME, "--list", "-1"], "give a whole number from 0"),
        (&[GAME, "--rule", "safe-first"], "a game by botzone; --rule asks for safe-first"),
        (&[GAME, "--seeds", "1..3"], "cannot be used with"),
        (&[], "--bot <CMD>"),
        (&["/does/not/exist.json"], "/does/not/exist.json"),
    ] {
        let run = coach(options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
    }
}
