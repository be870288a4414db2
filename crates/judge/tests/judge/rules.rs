//! `--rule` for bots that are processes: the first cell opened for them, hits that end the game and
//! are survived, and their account by `coach`.

use std::fs;
use std::path::Path;

use analysis::adjusted::observer::Observer;
use analysis::explained_position::explain_position_for;
use analysis::review::recorded_game::RecordedGame;
use game::botzone::BotzoneJudge;
use game::record::Record;
use game::rule::{Rule, Start};
use game::setup::Setup;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::settings::budget::Turn;
use sapper::settings::params::{Effort, Objective};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ONCE, Run, Script, answer, judge};

/// One mine in three cells, the middle one open: a guess of 1/2 decides.
pub const COIN: [&str; 6] = ["--level", "3x1/1", "--rule", "safe-first", "--first", "0,1"];

pub fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

/// The columns of a table with these names.
fn columns(path: &Path, names: &[&str]) -> Vec<Vec<f64>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let headers = reader.headers().unwrap().clone();
    let place = |name: &&str| headers.iter().position(|header| header == *name).unwrap();
    let places: Vec<usize> = names.iter().map(place).collect();
    let row = |row: csv::StringRecord| places.iter().map(|&at| row[at].parse().unwrap()).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// A bot that opens the left cell of [`COIN`] in each of so many games.
pub fn left(games: usize) -> Script {
    Script::with_answers(&vec![json!({"response": {"row": 0, "col": 0}}); games], ONCE)
}

/// A bot that answers as the engine does turn by turn in the games of these setups.
#[cfg(unix)]
fn sapper(setups: &[Setup]) -> Script {
    let mut engine = Engine::new(Objective::CleanWin, Effort::Fast);
    let mut answers = Vec::new();
    for setup in setups {
        let mut judge = BotzoneJudge::new(setup).unwrap();
        let mut board = Board::new(setup.shape, setup.mines);
        let mut observer = Observer::new(board.clone(), i64::from(setup.seed) as u64);
        observer.show(judge.referee().changed());
        show(&mut board, judge.referee().changed());
        while !judge.is_won_beforehand() {
            let cell = engine.decide(&board, Turn::UNTIMED).unwrap().cell();
            let answer = answer(setup.shape, cell);
            let response = &answer["response"];
            let fatal = judge.fatal_mine(response);
            let is_fatal = fatal.map(|(cell, referee)| observer.survive(cell, referee)).is_some();
            let end = judge.answer(response).end;
            answers.push(answer);
            if end.is_some() {
                break;
            }
            let changed = judge.referee().changed();
            if is_fatal {
                observer.show(changed);
            } else {
                observer.add_click(changed);
            }
            show(&mut board, changed);
        }
    }
    Script::with_answers(&answers, ONCE)
}

fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}

/// Sapper as a program plays so too, where no turn is cut off by its clock.
#[cfg(unix)]
#[test]
#[ignore = "slow; scripts/check runs it"]
fn the_engine_turn_by_turn_has_the_results_of_the_bench() {
    let directory = TempDir::new().unwrap();
    let shape = Shape::new(6, 7).unwrap();
    for (rule, first) in [("safe-first", (0, 0)), ("open-first", (3, 4))] {
        let cell = shape.cell(first.0, first.1).unwrap();
        let start = Start::new(rule.parse().unwrap(), cell);
        let setups: Vec<Setup> =
            (-5..15).map(|seed| Setup { start, ..Setup::new(shape, 10, seed) }).collect();
        let bot = sapper(&setups);
        let first = format!("{},{}", first.0, first.1);
        let boards = ["--level", "7x6/10", "--rule", rule, "--first", &first, "--seeds", "-5..14"];
        let table = |name: &str| directory.path().join(format!("{rule}-{name}.csv"));
        let (played, benched, log) = (table("played"), table("benched"), table("log"));
        let [played_name, benched_name, log_name] =
            [&played, &benched, &log].map(|path| path.to_str().unwrap());
        let play = ["play", "--bot", &bot.command, "--jobs", "1", "--json"];
        let files = ["--csv", played_name, "--log", log_name];
        let report = json_of(&judge(play.iter().chain(&boards).chain(&files)));
        let bench = ["bench", "--effort", "fast", "--adjusted", "--json"];
        let bench = judge(bench.iter().chain(&boards).chain(&["--csv", benched_name]));
        let names = ["index", "won", "hits", "adjusted_won"];
        let [played, benched] = [&played, &benched].map(|path| columns(path, &names));
        assert_eq!(played.len(), 20);
        for (played, benched) in played.iter().zip(&benched) {
            assert_eq!(played[..3], benched[..3]);
            assert!((played[3] - benched[3]).abs() < 1e-8, "{played:?} {benched:?}");
        }
        let wins = played.iter().filter(|game| game[1] == 1.0).count();
        assert!((1..20).contains(&wins), "{wins}");
        assert_eq!(report["summary"]["clean"], wins, "{report}");
        let adjusted = |report: &Value| report["results"][1]["mean"].as_f64().unwrap();
        let expected = adjusted(&json_of(&bench)["adjusted"]);
        assert!((adjusted(&report["summary"]["adjusted"]) - expected).abs() < 1e-4);
        // Each record is a game by the same rule, on the layout that was drawn last.
        let files: Vec<_> = fs::read_dir(&log).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 20);
        assert_eq!(
            judge([Path::new("verify")].into_iter().chain(files.iter().map(|f| &**f))).code,
            0
        );
    }
}

#[cfg(unix)]
#[test]
fn a_hit_is_survived_and_the_game_counts_its_chances() {
    let (bot, games) = (left(20), TempDir::new().unwrap());
    let log = games.path().to_str().unwrap();
    let options = ["--seeds", "1..20", "--jobs", "1", "--json", "--log", log];
    let report = json_of(&bot.play(&[&COIN[..], &options].concat()));
    let lost = |game: &&Value| game["mines"] == 1;
    let played = report["games"].as_array().unwrap();
    let losses = played.iter().filter(lost).count();
    assert!((4..17).contains(&losses), "{losses}");
    for game in played {
        assert_eq!((&game["adjusted_won"], &game["turns"]), (&json!(0.5), &json!(1)), "{game}");
        assert_eq!(game["score"], if game["mines"] == 1 { 0.0 } else { 100.0 });
        let path = games.path().join(format!("3x1-1-{}-safe-first.json", game["seed"]));
        let record: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let survived = if game["mines"] == 1 { json!([0]) } else { json!([]) };
        assert_eq!((&record["survived"], &record["score"]), (&survived, &json!(100.0)));
        assert_eq!(record["initdata_given"]["first"], json!({"row": 0, "col": 1}));
    }
    assert_eq!(report["summary"]["clean"], 20 - losses);
    // In a pit too, and the report goes by the rule.
    bot.restart();
    let named = format!("left={}", bot.command);
    let pit = ["pit", "--bot", &named, "--seeds", "1..20", "--jobs", "1", "--json"];
    let pit = json_of(&judge(pit.iter().chain(&COIN)));
    let left = &pit["bots"][0];
    assert_eq!((&pit["rule"], &left["clean"]), (&json!("safe-first"), &json!(20 - losses)));
    assert_eq!(left["adjusted"]["score"]["mean"], 50.0);
    assert_eq!(left["adjusted"]["mines"]["mean"], 0.5);
}

/// A mine that is proven cannot be survived, and an open cell is a fault as in every game.
#[cfg(unix)]
#[test]
fn a_proven_mine_ends_the_game_and_an_open_cell_is_a_fault() {
    let bot = Script::with_answers(
        &[[0, 2], [0, 1]].map(|[row, col]| json!({"response": {"row": row, "col": col}})),
        ONCE,
    );
    // A 2 between two mines; all layouts are this one.
    let options = ["--level", "3x1/2", "--rule", "safe-first", "--first", "0,1", "--jobs", "1"];
    let won = json_of(&bot.play(&[&options[..], &["--seeds", "1", "--json"]].concat()));
    assert_eq!((&won["games"][0]["turns"], &won["summary"]["clean"]), (&json!(0), &json!(1)));
    let options = ["--level", "4x1/2", "--rule", "safe-first", "--first", "0,1", "--jobs", "1"];
    let shape = Shape::new(1, 4).unwrap();
    let start = Start::new(Rule::SafeFirst, shape.cell(0, 1).unwrap());
    let mut proven = 0;
    for seed in 1..=20 {
        bot.restart();
        let text = seed.to_string();
        let game = bot.play(&[&options[..], &["--seeds", &text, "--json"]].concat());
        let game = json_of(&game)["games"][0].take();
        assert_eq!((&game["outcome"], &game["turns"]), (&json!("done"), &json!(1)), "{game}");
        // With a mine on each side of the first cell, it has 2: the third cell is a proven mine.
        // Else it has 1, the guess is one of 1/2, and the game is over if it is survived.
        let field = Setup { start, ..Setup::new(shape, 2, seed) }.field().unwrap().0;
        let is_proven = field.value(shape.cell(0, 1).unwrap()) == 2;
        assert_eq!(game["adjusted_won"], if is_proven { 0.0 } else { 0.5 }, "{game}");
        assert_eq!(game["score"], if game["mines"] == 1 { 0.0 } else { 100.0 }, "{game}");
        assert!(!is_proven || game["mines"] == 1, "{game}");
        proven += u32::from(is_proven);
    }
    assert!((1..20).contains(&proven), "{proven}");
    let open = Script::with_answers(&[json!({"response": {"row": 0, "col": 1}})], ONCE);
    let fault = open.game(&COIN);
    assert_eq!((&fault["outcome"], &fault["score"]), (&json!("illegal"), &json!(0.0)), "{fault}");
}

/// The bot opens the left cell and then nothing. The game is won beforehand if the mine is on the
/// right, and else ends with a fault, in a third of the games after a survived hit.
#[cfg(unix)]
#[test]
fn a_fault_is_a_lost_game_in_every_result() {
    let bot = Script::new(
        "read -r line; case \"$line\" in *'\"responses\":[]'*) row=0;; *) row=9;; esac
        echo \"{\\\"response\\\":{\\\"row\\\":$row,\\\"col\\\":0}}\"",
    );
    let options = ["--level", "4x1/1", "--rule", "safe-first", "--first", "0,1"];
    let csv = bot.path("games.csv");
    let files = ["--seeds", "1..20", "--json", "--csv", csv.to_str().unwrap()];
    let report = json_of(&bot.play(&[&options[..], &files].concat()));
    let games = report["games"].as_array().unwrap();
    let (mut clean, mut hit) = (0, 0);
    let mut rows = csv::Reader::from_path(&csv).unwrap();
    for (game, row) in games.iter().zip(rows.records()) {
        let row = row.unwrap();
        let is_done = game["outcome"] == "done";
        assert_eq!(game["adjusted_won"], if is_done { 1.0 } else { 0.0 }, "{game}");
        assert_eq!(game["adjusted_mines"].is_null(), !is_done, "{game}");
        clean += u32::from(is_done);
        hit += u32::from(game["mines"] == 1);
        // hits, adjusted_hits and adjusted_won
        let adjusted = if is_done { ["0.0", "1.0"] } else { ["", "0.0"] };
        let hits = if is_done { "0" } else { "" };
        assert_eq!([&row[3], &row[13], &row[14]], [hits, adjusted[0], adjusted[1]], "{row:?}");
        let plain = if is_done { ["1", "100.0"] } else { ["0", "0.0"] };
        assert_eq!([&row[2], &row[5]], plain, "{row:?}");
    }
    assert!(clean > 0 && hit > 0 && clean + hit < 20, "{clean} {hit}");
    let share = f64::from(clean) / 20.0;
    let results = &report["summary"]["adjusted"]["results"];
    assert_eq!((&results[0]["mean"], &results[1]["mean"]), (&json!(share), &json!(share)));
    let summary = &report["summary"];
    assert_eq!((&summary["clean"], &summary["mean_score"]), (&json!(clean), &json!(100.0 * share)));
    let named = format!("bot={}", bot.command);
    let pit = ["pit", "--bot", &named, "--seeds", "1..20", "--json"];
    let pit = json_of(&judge(pit.iter().chain(&options)));
    let figures = &pit["bots"][0];
    assert_eq!((&figures["clean"], &figures["games"]), (&json!(clean), &json!(20)));
    for score in [&figures["score"], &figures["adjusted"]["score"]] {
        assert_eq!(score["mean"], 100.0 * share);
    }
}

#[cfg(unix)]
#[test]
#[ignore = "slow; scripts/check runs it"]
fn the_coach_weighs_decisions_after_survived_guesses() {
    let log = TempDir::new().unwrap();
    let directory = log.path().to_str().unwrap();
    let options = ["--level", "6x6/9", "--rule", "safe-first", "--games", "12"];
    let simple = "python3 samples/bots/simple.py --keep-running";
    let play = ["coach", "--bot", simple, "--playouts", "20", "--json", "--list", "500"];
    let played = json_of(&judge(play.iter().chain(&options).chain(&["--log", directory])));
    assert_eq!((&played["objective"], &played["games"]), (&json!("clean-win"), &json!(12)));
    let decisions =
        || ["costliest", "gains"].into_iter().flat_map(|key| played[key].as_array().unwrap());
    let number = |decision: &Value, key: &str| decision[key].as_f64().unwrap();
    assert!(decisions().any(|one| number(one, "weight") < 1.0), "{played}");
    // The weight is the probability to survive all clicks before, by the engine's own odds.
    for one in decisions() {
        let file = fs::read_to_string(one["game"].as_str().unwrap()).unwrap();
        let game = RecordedGame::new(Record::read(&file).unwrap()).unwrap();
        let turn = one["turn"].as_u64().unwrap() as usize;
        let mut weight = 1.0;
        for (board, cell) in game.clicks().take(turn) {
            let explained =
                explain_position_for(&board.to_string(), Objective::CleanWin, Effort::Fast);
            let shape = board.shape();
            weight *= 1.0 - explained.unwrap().odds(shape.row(cell), shape.column(cell)).unwrap();
        }
        assert!((weight - number(one, "weight")).abs() < 1e-9, "{weight}, {one}");
    }
    // The costliest are those that add most to the sum.
    for (key, sign) in [("costliest", 1.0), ("gains", -1.0)] {
        let listed = played[key].as_array().unwrap();
        let costs = listed.iter().map(|one| sign * number(one, "weight") * number(one, "cost"));
        assert!(costs.is_sorted_by(|a, b| a >= b), "{key}");
    }
    // The games on file have the same account.
    let mut files: Vec<_> =
        (1..=12).map(|seed| log.path().join(format!("6x6-9-{seed}-safe-first.json"))).collect();
    files.retain(|file| file.is_file());
    let again = ["coach", "--playouts", "20", "--json", "--list", "500"].map(Path::new);
    let again = judge(again.into_iter().chain(files.iter().map(|file| &**file)));
    let again = json_of(&again);
    assert_eq!((&again["all"], &again["kinds"]), (&played["all"], &played["kinds"]));
    // Without the mark, the turns of survived hits are not known.
    let (mut counted, mut refused) = (0, 0);
    for file in &files {
        let mut record: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let survived = record.as_object_mut().unwrap().remove("survived").unwrap();
        fs::write(file, record.to_string()).unwrap();
        let plain = ["coach", "--json", "--playouts", "2"].map(Path::new);
        let plain = judge(plain.into_iter().chain([file.as_path()]));
        if survived == json!([]) {
            assert_eq!(json_of(&plain)["games"], 1);
            counted += 1;
        } else {
            assert_eq!((plain.code, plain.stdout.as_str()), (2, ""));
            assert!(plain.stderr.contains("a turn that the log does not name"), "{}", plain.stderr);
            refused += 1;
        }
    }
    assert!(counted > 0 && refused > 0, "{counted} {refused}");
}

#[test]
fn what_does_not_fit_the_rule_is_refused_in_a_line() {
    for (command, options, hint) in [
        ("play", &["--first", "0,0"][..], "under botzone the bot chooses its first cell"),
        ("play", &["--rule", "safe-first", "--first", "99,0"], "rows are 0 to 19, columns 0 to 29"),
        ("play", &["--rule", "safe-first", "--skipfirst"], "cannot be used with"),
        ("play", &["--rule", "open-first", "--level", "3x3/8"], "too many mines"),
        ("coach", &["--rule", "safe-first", "--objective", "fewest-hits"], "clean-win"),
        ("coach", &["--games", "3", "--seeds", "1..3"], "cannot be used with"),
        ("coach", &["--games", "0"], "a whole number from 1"),
    ] {
        let run = judge([command, "--bot", "sapper"].iter().chain(options));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
        // The lines after the first, of the parser's errors, tell the usage.
        let first = run.stderr.lines().next().unwrap();
        assert!(first.contains(hint), "{options:?}: {}", run.stderr);
        assert!(first.starts_with("error: ") || run.stderr.lines().count() == 1, "{}", run.stderr);
    }
}
