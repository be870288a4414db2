//! Adjusted results of `play`, `pit` and `compare`: those that the test computes from the clicks of
//! bots whose games it knows.

use std::fs;

use analysis::adjusted::click_odds::ClickOdds;
use analysis::adjusted::luck::Luck;
use analysis::adjusted::observer::Observer;
use game::field::Field;
use game::referee::Referee;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::settings::budget::Turn;
use sapper::settings::params::{Effort, Objective};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Files, ONCE, Run, SMALL, Script, answer, judge, small_field};

const BOARDS: i32 = 20;

/// The games must be those that the test expects, however busy the machine is.
const PATIENT: [&str; 2] = ["--time-limit", "60"];

/// A bot that opens what `choose` names on each board until its game ends, and the luck of its
/// games.
#[cfg(unix)]
fn bot(mut choose: impl FnMut(&Board, &Field) -> Cell) -> (Script, Vec<Luck>) {
    let (mut answers, mut lucks) = (Vec::new(), Vec::new());
    for field in (1..=BOARDS).map(small_field) {
        let mut referee = Referee::new(field.clone(), 7);
        let mut board = Board::new(field.shape(), 7);
        let mut observer = Observer::new(board.clone(), 0);
        while !referee.ended() {
            let cell = choose(&board, &field);
            let opened = referee.open(cell).unwrap();
            opened.changed.iter().for_each(|&(cell, value)| {
                board.open(cell, CellState::from_value(Some(value.into())));
            });
            observer.add_click(referee.changed());
            answers.push(answer(field.shape(), cell));
        }
        lucks.push(observer.luck());
    }
    (Script::with_answers(&answers, ONCE), lucks)
}

/// It opens one cell after another, whatever they show.
#[cfg(unix)]
fn blind() -> (Script, Vec<Luck>) {
    bot(|board, _| board.hidden().next().unwrap())
}

/// It knows the layout, and opens the safe cell that is riskiest for one who does not.
#[cfg(unix)]
fn cheat() -> (Script, Vec<Luck>) {
    let mut odds = ClickOdds::default();
    bot(move |board, field| {
        odds.begin(board.shape().len());
        let safe = board.hidden().filter(|&cell| !field.is_mine(cell));
        let mut risk = |cell: &Cell| odds.odds(board, *cell).unwrap();
        safe.map(|cell| (cell, risk(&cell))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
    })
}

/// It plays well.
#[cfg(unix)]
fn honest() -> (Script, Vec<Luck>) {
    let mut engine = Engine::new(Objective::FewestHits, Effort::Fast);
    bot(move |board, _| engine.decide(board, Turn::UNTIMED).unwrap().cell())
}

#[cfg(unix)]
fn pit(bots: &[(&str, &Script)], options: &[&str]) -> Run {
    let bots: Vec<String> =
        bots.iter().map(|(name, script)| format!("{name}={}", script.command)).collect();
    let bots = bots.iter().flat_map(|bot| ["--bot", bot]);
    judge(
        ["pit", "--seeds", "1..20"]
            .into_iter()
            .chain(PATIENT)
            .chain(SMALL)
            .chain(bots)
            .chain(options.iter().copied()),
    )
}

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    values.sum::<f64>() / f64::from(BOARDS)
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
}

#[cfg(unix)]
#[test]
fn a_pit_charges_the_odds_and_finds_out_who_knows_the_layout() {
    let ((blind, of_blind), (cheat, of_cheat)) = (blind(), cheat());
    let bots = [("blind", &blind), ("cheat", &cheat)];
    let files = Files::new();
    let journal = files.name("journal");
    let report = json_of(&pit(&bots, &["--json", "--resume", &journal]));
    for (bot, lucks) in report["bots"].as_array().unwrap().iter().zip([&of_blind, &of_cheat]) {
        let expected = mean(lucks.iter().map(|luck| luck.expected));
        close(&bot["adjusted"]["mines"]["mean"], expected);
        close(&bot["adjusted"]["score"]["mean"], 100.0 - 100.0 * expected / 7.0);
        let hits: u64 = lucks.iter().map(|luck| luck.hits).sum();
        let luck = &bot["adjusted"]["luck"];
        let reported = ["hits", "proven_mines"].map(|key| luck[key].as_u64().unwrap());
        assert_eq!(reported.iter().sum::<u64>(), hits);
    }
    let fits = |bot: usize| report["bots"][bot]["adjusted"]["luck"]["fits"].as_bool();
    assert_eq!((fits(0), fits(1)), (Some(true), Some(false)));
    let pair = &report["pairs"][0];
    let difference = |bot: &[Luck]| mean(bot.iter().map(|luck| luck.expected));
    close(&pair["adjusted_mines"]["difference"], difference(&of_cheat) - difference(&of_blind));
    assert_eq!(pair["better"], "cheat");
    assert_eq!(pair["mines"]["b"], 0.0);
    let text = pit(&bots, &["--resume", &journal]).stdout;
    let told = "cheat: ";
    let line = text.lines().find(|line| line.starts_with(told)).unwrap();
    assert!(line.contains(" guesses: 0 mines, "), "{line}");
    assert_eq!(text.matches("HITS AND ODDS DO NOT FIT TOGETHER").count(), 1, "{text}");
    assert!(text.contains("| score, adjusted | 20"), "{text}");
}

/// By its score the bot that knows the layout is better, by the adjusted score it is worse.
#[cfg(unix)]
#[test]
fn the_verdict_and_the_test_go_by_the_adjusted_scores_if_asked() {
    let ((cheat, _), (honest, of_honest)) = (cheat(), honest());
    let bots = [("cheat", &cheat), ("honest", &honest)];
    let files = Files::new();
    let journal = files.name("journal");
    let pit = |options: &[&str]| pit(&bots, &[&["--resume", &journal], options].concat());
    let report = json_of(&pit(&["--json", "--adjusted", "--sprt=0,5"]));
    let pair = &report["pairs"][0];
    let (plain, adjusted) = (&pair["score"], &pair["adjusted_score"]);
    assert!(plain["interval"][1].as_f64().unwrap() < 0.0, "{plain}");
    assert!(adjusted["interval"][0].as_f64().unwrap() > 0.0, "{adjusted}");
    assert_eq!((&pair["better"], &report["ranking"][0]), (&json!("honest"), &json!("honest")));
    assert_eq!(report["sprt"]["adjusted"], true);
    close(&adjusted["b"], 100.0 - 100.0 * mean(of_honest.iter().map(|luck| luck.expected)) / 7.0);
    let text = pit(&["--adjusted"]).stdout;
    assert!(text.contains("honest is better than cheat: by"), "{text}");
    assert!(text.contains("by adjusted scores"), "{text}");
    assert!(pit(&[]).stdout.contains("cheat is better than honest: by"));
}

#[cfg(unix)]
#[test]
fn the_adjusted_scores_are_pointed_to_where_they_tell_and_hold() {
    let bots = |other: &str, boards: [&str; 4], options: &[&str]| {
        let bots = ["--bot", "s=sapper --keep-running --effort fast", "--bot", other];
        judge([&["pit"], &bots[..], &PATIENT, &boards, options].concat()).stdout
    };
    let simple = "r=python3 samples/bots/simple.py --keep-running";
    let few = ["--level", "6x6/2", "--seeds", "1..60"];
    // The second report is of the same games.
    let directory = tempfile::TempDir::new().unwrap();
    let journal = directory.path().join("games.jsonl");
    let resume = ["--resume", journal.to_str().unwrap()];
    let text = bots(simple, few, &resume);
    let advice = "The scores show no difference, and the adjusted scores show one: add --adjusted.";
    assert!(text.contains(advice) && !text.contains("is better"), "{text}");
    let text = bots(simple, few, &[&["--adjusted"], &resume[..]].concat());
    assert!(text.contains("s is better than r: by"), "{text}");
    // One mine in two cells: half a score less on every board, without an interval.
    let text = bots("f=false", ["--level", "2x1/1", "--seeds", "1..10"], &["--adjusted"]);
    let verdict = "s is better than f: by 50.00 points on every board, by adjusted scores.";
    assert!(text.contains(verdict), "{text}");
}

/// It ends its games with a fault where it would go on after a hit. Its score is 0 or 100, and so
/// is that without luck on average: what it hit until then is taken out of the 0.
#[cfg(unix)]
#[test]
fn the_luck_until_a_fault_is_taken_out_too() {
    let (mut answers, mut excess) = (Vec::new(), 0.0);
    for field in (1..=BOARDS).map(small_field) {
        let mut observer = Observer::new(Board::new(field.shape(), 7), 0);
        let mut referee = Referee::new(field.clone(), 7);
        for cell in field.shape().cells() {
            if referee.is_open(cell) {
                continue;
            }
            let hit = referee.open(cell).unwrap().hit;
            observer.add_click(referee.changed());
            answers.push(answer(field.shape(), cell));
            if hit {
                answers.push(json!("no answer"));
                break;
            }
        }
        excess += observer.luck().excess();
    }
    let coward = Script::with_answers(&answers, ONCE);
    let report = json_of(&pit(&[("coward", &coward)], &["--json"]));
    let bot = &report["bots"][0];
    let score = bot["score"]["mean"].as_f64().unwrap();
    assert!(bot["faults"]["illegal"].as_u64().unwrap() > 10, "{bot}");
    close(&bot["adjusted"]["score"]["mean"], score + 100.0 * excess / 7.0 / f64::from(BOARDS));
    assert_ne!(bot["adjusted"]["luck"]["fits"], false);
}

#[cfg(unix)]
#[test]
fn the_tables_of_play_have_the_adjusted_hits_and_compare_reads_them() {
    let (blind, lucks) = blind();
    let directory = TempDir::new().unwrap();
    let csv = directory.path().join("blind.csv");
    let csv = csv.to_str().unwrap();
    let options = ["--bot", &blind.command, "--seeds", "1..20", "--json", "--csv", csv];
    let report = json_of(&judge(["play"].iter().chain(&PATIENT).chain(&SMALL).chain(&options)));
    let adjusted = &report["summary"]["adjusted"]["results"];
    close(&adjusted[1]["mean"], mean(lucks.iter().map(|luck| luck.expected)));
    close(&adjusted[0]["mean"], mean(lucks.iter().map(|luck| luck.hits as f64)));
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let names: Vec<&str> = reader.headers().unwrap().iter().rev().take(3).collect();
    assert_eq!(names, ["options", "adjusted_won", "adjusted_hits"]);
    for (row, luck) in reader.records().zip(&lucks) {
        close(
            &json!(row.unwrap().iter().nth_back(2).unwrap().parse::<f64>().unwrap()),
            luck.expected,
        );
    }
    // One mine fewer on each board, with and without luck.
    let better = directory.path().join("better.csv");
    let row = |(luck, seed): (&Luck, i32)| {
        format!("{seed},0,{},{},\n", luck.hits - 1, luck.expected - 1.0)
    };
    let rows: String = lucks.iter().zip(1..).map(row).collect();
    fs::write(&better, format!("index,won,hits,adjusted_hits,adjusted_won\n{rows}")).unwrap();
    let compared = json_of(&judge(["compare", csv, better.to_str().unwrap(), "--json"]));
    close(&compared["adjusted_mines"]["difference"], -1.0);
    assert_eq!(compared["adjusted_mines"]["b_better"], 20);
    assert_eq!(compared["adjusted_wins_percent"], Value::Null);
}

#[test]
fn games_that_cannot_be_adjusted_are_not() {
    let sapper = ["--bot", "sapper --keep-running", "--level", "8x8/8", "--seeds", "1..2"];
    let skipped = judge(["play", "--skipfirst", "--json"].iter().chain(&sapper));
    assert_eq!(json_of(&skipped)["summary"]["adjusted"], Value::Null);
    let skipped = judge(["pit", "--skipfirst", "--json"].iter().chain(&sapper));
    assert_eq!(json_of(&skipped)["bots"][0]["adjusted"], Value::Null);
    let both = judge(["pit", "--skipfirst", "--adjusted"].iter().chain(&sapper));
    assert!(both.code == 2 && both.stderr.contains("--skipfirst"), "{}", both.stderr);
}
