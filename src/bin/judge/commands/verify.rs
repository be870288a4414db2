//! `judge verify`: judges recorded games again and compares every output with the record.
//!
//! The init data as given sets the game up, the recorded answers are played, and each output of the
//! judge is held against the recorded one, value by value. Verdicts, times and memory are the
//! platform's and not compared. Numbers are equal to 14 digits, because the official judge rounds
//! its scores to 16.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sapper::base::text::pluralize;
use sapper::referee::botzone::{BotzoneJudge, logged_answer};
use sapper::referee::record::Record;
use serde_json::{Value, json};

use crate::cli::Outcome;
use crate::cli::output::{errln, outln};

/// Judge recorded games again and say where the record differs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge verify samples/games/*.json
  judge play --seeds 1..20 --log games && judge verify games/*.json
  judge verify samples/games/*.json --json

A file holds a record (initdata_given, log, score, msg, turns) or a bare Botzone log. One that is
no recorded game is named, and the others are judged all the same.

Exit code: 0 all games are judged as recorded, 1 one is not, 2 a file is no recorded game,
whatever the others are.")]
pub struct Arguments {
    /// The recorded games.
    #[arg(required = true, value_name = "GAME.json")]
    games: Vec<PathBuf>,
    /// Print one JSON object instead of lines, with every difference.
    #[arg(long)]
    json: bool,
}

/// Differences printed of one game; the rest is counted.
const SHOWN: usize = 5;

/// One place where the record is not what the judge says.
struct Difference {
    path: String,
    expected: String,
    recorded: String,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut wrong = 0;
    let mut answers = 0;
    let (mut rows, mut unreadable) = (Vec::new(), Vec::new());
    for path in &arguments.games {
        let (record, differences) = match judged(path) {
            Ok(judged) => judged,
            Err(error) => {
                errln!("{error:#}");
                unreadable.push(json!({"file": path, "why": format!("{error:#}")}));
                continue;
            }
        };
        answers += record.answers();
        wrong += usize::from(!differences.is_empty());
        if arguments.json {
            rows.push(json!({
                "game": path,
                "answers": record.answers(),
                "score": record.score,
                "as_recorded": differences.is_empty(),
                "differences": differences.iter().map(Difference::json).collect::<Vec<_>>(),
            }));
        } else {
            print(path, &record, &differences);
        }
    }
    let games = arguments.games.len() - unreadable.len();
    let right = games - wrong;
    if arguments.json {
        outln!(
            "{}",
            json!({
                "games": rows, "answers": answers, "right": right, "wrong": wrong,
                "unreadable": unreadable,
            })
        );
    } else {
        let answers = pluralize(answers, "answer", "answers");
        outln!(
            "{}, {answers}: {right} as recorded, {wrong} not",
            pluralize(games, "game", "games")
        );
    }
    if !unreadable.is_empty() {
        bail!(
            "{}; see above",
            pluralize(unreadable.len(), "file holds no game", "files hold no game")
        );
    }
    Ok(Outcome::from(wrong == 0))
}

/// The game of a file, and where its record differs from it.
fn judged(path: &Path) -> Result<(Record, Vec<Difference>)> {
    let record = read(path)?;
    let differences = judge_again(&record).with_context(|| path.display().to_string())?;
    Ok((record, differences))
}

/// One game, in lines.
fn print(path: &Path, record: &Record, differences: &[Difference]) {
    let name = path.display();
    let score = record.score.as_ref().map_or("-".to_owned(), Value::to_string);
    if differences.is_empty() {
        let answers = pluralize(record.answers(), "answer", "answers");
        outln!("ok    {name}: {answers}, score {score}");
        return;
    }
    outln!("WRONG {name}: {}", pluralize(differences.len(), "difference", "differences"));
    for Difference { path, expected, recorded } in differences.iter().take(SHOWN) {
        outln!("      {path}: expected {expected}, the record says {recorded}");
    }
    if differences.len() > SHOWN {
        outln!("      ... and {} more", differences.len() - SHOWN);
    }
}

impl Difference {
    fn json(&self) -> Value {
        json!({"path": self.path, "expected": self.expected, "recorded": self.recorded})
    }
}

fn read(path: &Path) -> Result<Record> {
    let name = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {name}; name files that hold recorded games"))?;
    Record::read(&text).with_context(|| format!("{name}"))
}

/// Every difference between the record and the game judged again, in the order of the log.
fn judge_again(record: &Record) -> Result<Vec<Difference>> {
    let mut judge = BotzoneJudge::new(&record.setup()?)?;
    let mut found = Differences(Vec::new());
    let recorded = |index: usize| record.log.get(index).map(|item| &item["output"]);

    let place = |index: usize| format!("turn {}: log[{index}]", index / 2);

    let mut expected = judge.first_output().clone();
    let mut index = 0;
    loop {
        found.compare(&format!("{}.output", place(index)), Some(&expected), recorded(index));
        let Some(answer) = record.log.get(index + 1) else { break };
        if expected["command"] == "finish" {
            found.note(place(index + 1), "the game to be over", "another answer".to_owned());
            break;
        }
        expected = judge.answer(logged_answer(answer)).output;
        index += 2;
    }
    let ended = expected["command"] == "finish";
    if !ended {
        found.note(place(index), "the game to go on", "its last item".to_owned());
    }
    let envelope = [
        ("score", &record.score, &expected["content"]["0"]),
        ("msg", &record.msg, &expected["display"]["msg"]),
        ("turns", &record.turns, &json!(index / 2)),
    ];
    for (key, recorded, expected) in envelope {
        // A bare log has no envelope; an unfinished game has no score, and was noted above.
        if record.initdata_given.is_some() && ended {
            found.compare(key, Some(expected), recorded.as_ref());
        }
    }
    Ok(found.0)
}

struct Differences(Vec<Difference>);

impl Differences {
    fn note(&mut self, path: String, expected: &str, recorded: String) {
        self.0.push(Difference { path, expected: expected.to_owned(), recorded });
    }

    /// Compares two values; an absent key is not the same as null.
    fn compare(&mut self, path: &str, expected: Option<&Value>, recorded: Option<&Value>) {
        match (expected, recorded) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                for key in a.keys() {
                    self.compare(&format!("{path}.{key}"), a.get(key), b.get(key));
                }
                for key in b.keys().filter(|key| !a.contains_key(*key)) {
                    self.compare(&format!("{path}.{key}"), None, b.get(key));
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for index in 0..a.len().max(b.len()) {
                    self.compare(&format!("{path}[{index}]"), a.get(index), b.get(index));
                }
            }
            (a, b) if same(a, b) => {}
            (a, b) => self.note(path.to_owned(), &shown(a), shown(b)),
        }
    }
}

fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    if let (Some(a), Some(b)) = (a.and_then(Value::as_f64), b.and_then(Value::as_f64)) {
        return (a - b).abs() <= 1e-14 * a.abs().max(b.abs());
    }
    a == b
}

fn shown(value: Option<&Value>) -> String {
    const MOST: usize = 60;
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(a: &Value, b: &Value) -> Vec<String> {
        let mut found = Differences(Vec::new());
        found.compare("x", Some(a), Some(b));
        found.0.into_iter().map(|difference| difference.path).collect()
    }

    #[test]
    fn differences_are_named_by_their_path() {
        let a = json!({"a": [1, {"b": null}], "c": "x", "d": 97.5});
        assert!(paths(&a, &a).is_empty());
        let b = json!({"a": [1, {}, 3], "c": "y", "d": 97.5, "e": null});
        assert_eq!(paths(&a, &b), ["x.a[1].b", "x.a[2]", "x.c", "x.e"]);
        assert_eq!(paths(&a, &json!([])), ["x"]);
    }

    #[test]
    fn numbers_are_equal_to_fourteen_digits() {
        assert!(paths(&json!(100.0), &json!(100)).is_empty());
        assert!(paths(&json!(83.838_383_838_383_83), &json!(83.0 * 100.0 / 99.0)).is_empty());
        assert_eq!(paths(&json!(83.838_383_838_38), &json!(83.0 * 100.0 / 99.0)), ["x"]);
        assert_eq!(paths(&json!(1), &json!(2)), ["x"]);
        assert_eq!(paths(&json!(1), &json!("1")), ["x"]);
    }
}
