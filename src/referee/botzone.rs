//! Botzone's judge program: the rules as the JSON that goes to the bot and into the log.
//!
//! The first output is the request of turn 0 together with the echoed init data. Each answer gives
//! one more output: the next request, or the end (`FINISH` with the score, `INVALIDMOVE` with 0).
//!
//! The official judge is a process a turn that replays the whole game from the echo. That differs
//! from a judge that just goes on in one point: a `firstclick` given by the user is opened for the
//! first output only, and never happened afterwards. Here the first output is made on a referee of
//! its own for that reason.
//!
//! Invariant: `outputs` equal to the official judge's, key for key; numbers within the 16 digits
//! that it writes.
//!
//! Not followed: its JSON reader takes comments in a text answer, and dies (instead of judging) at
//! a text that holds a list or a bare number. Here these are no answers.

use serde_json::{Map, Value, json};

use super::rules::{Invalid, Referee};
use super::setup::{Setup, SetupError, first_value, int, skipped_cell};
use crate::board::geometry::Cell;

/// A game under judgement.
#[derive(Clone, Debug)]
pub struct Judge {
    referee: Referee,
    first: Value,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By its rules; the score is the referee's.
    Finished,
    /// By an answer that is none; the score is 0.
    Invalid(Invalid),
}

/// The judge's turn after one answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// What the judge sends: a request, or the end.
    pub output: Value,
    /// How the game ended, where it did.
    pub end: Option<End>,
}

impl Judge {
    /// Sets the game up and opens what is opened before the first turn.
    ///
    /// # Errors
    /// [`SetupError`] when there is no such field or no such first cell.
    pub fn new(setup: &Setup) -> Result<Judge, SetupError> {
        let (field, mut rand) = setup.field()?;
        let skipped = match setup.skip_first {
            true => Some(skipped_cell(&field, &mut rand)?),
            false => None,
        };
        let echo = setup.echo(&field, skipped);
        let mut referee = Referee::new(field, setup.mines);

        let mut of_first_turn = referee.clone();
        if let Some((row, column)) = setup.first_click {
            let cell = setup.shape.cell(row, column).ok_or(SetupError::FirstClick)?;
            of_first_turn.open_beforehand(cell);
        }
        let mut changed = Value::Null;
        if let Some(cell) = skipped {
            changed = cells_json(&referee, of_first_turn.open_beforehand(cell));
            referee.open_beforehand(cell);
        }
        let mut first = request(&referee, &changed);
        first["initdata"] = echo;
        Ok(Judge { referee, first })
    }

    /// The first output: the request of turn 0, and the echoed init data.
    pub fn first_output(&self) -> &Value {
        &self.first
    }

    /// The state of the game.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// Judges one answer: an object with integers `row` and `col`, or a string that holds one.
    pub fn answer(&mut self, answer: &Value) -> Ruling {
        match self.play(answer) {
            Ok((changed, false)) => Ruling { output: request(&self.referee, &changed), end: None },
            Ok((changed, true)) => Ruling {
                output: finish("FINISH", &as_written(self.referee.score()), &changed),
                end: Some(End::Finished),
            },
            Err(invalid) => {
                self.referee.forfeit();
                Ruling {
                    output: finish("INVALIDMOVE", &json!(0), &Value::Null),
                    end: Some(End::Invalid(invalid)),
                }
            }
        }
    }

    fn play(&mut self, answer: &Value) -> Result<(Value, bool), Invalid> {
        let (row, column) = place(answer)?;
        let cell = self.referee.field().shape().cell(row.into(), column.into());
        let cell = cell.ok_or(Invalid::Outside { row, column })?;
        let opened = self.referee.open(cell)?;
        let (changed, ended) = (opened.changed.to_vec(), opened.ended);
        Ok((cells_json(&self.referee, &changed), ended))
    }
}

/// What the bot answered in its item of a log: its `response`, or its `content` where that is null.
pub fn answer_in(item: &Value) -> &Value {
    let response = &item["0"]["response"];
    if response.is_null() { &item["0"]["content"] } else { response }
}

/// The cell an answer names: row, column.
///
/// # Errors
/// [`Invalid::NoAnswer`] or [`Invalid::NoInteger`].
pub fn place(answer: &Value) -> Result<(i32, i32), Invalid> {
    let unpacked: Map<String, Value>;
    let object = match answer {
        Value::Object(object) => object,
        Value::String(text) => match first_value(text) {
            Some(Value::Object(object)) => {
                unpacked = object;
                &unpacked
            }
            _ => return Err(Invalid::NoAnswer),
        },
        _ => return Err(Invalid::NoAnswer),
    };
    int(object.get("row")).zip(int(object.get("col"))).ok_or(Invalid::NoInteger)
}

fn cells_json(referee: &Referee, cells: &[(Cell, u8)]) -> Value {
    let shape = referee.field().shape();
    let cell = |&(cell, value): &(Cell, u8)| json!({"row": shape.row(cell), "col": shape.column(cell), "val": value});
    if cells.is_empty() { Value::Null } else { cells.iter().map(cell).collect() }
}

fn request(referee: &Referee, changed: &Value) -> Value {
    let shape = referee.field().shape();
    json!({
        "command": "request",
        "content": {"0": {
            "height": shape.rows(),
            "width": shape.columns(),
            "minecount": referee.mines(),
            "changed": changed,
        }},
        "display": {"status": changed},
    })
}

fn finish(msg: &str, score: &Value, changed: &Value) -> Value {
    json!({
        "command": "finish",
        "content": {"0": score},
        "display": {"msg": msg, "status": changed},
    })
}

/// A score with the 16 significant digits that the official judge writes.
fn as_written(score: f64) -> Value {
    json!(format!("{score:.15e}").parse().unwrap_or(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Shape;
    use crate::referee::setup::Rules;

    fn judge(given: &Value) -> Judge {
        Judge::new(&Setup::read(given, Rules::Official, 1).unwrap()).unwrap()
    }

    #[test]
    fn an_answer_is_an_object_or_a_text_that_holds_one() {
        for (answer, expected) in [
            (json!({"row": 1, "col": 2}), Ok((1, 2))),
            (json!({"row": 1, "col": 2, "more": []}), Ok((1, 2))),
            (json!(r#" {"row":1,"col":2} and more"#), Ok((1, 2))),
            (json!({"row": -1, "col": i32::MAX}), Ok((-1, i32::MAX))),
            (json!({"row": "1", "col": "2"}), Err(Invalid::NoInteger)),
            (json!({"row": 1.0, "col": 2}), Err(Invalid::NoInteger)),
            (json!({"row": 1, "col": 2.5}), Err(Invalid::NoInteger)),
            (json!({"row": 1, "col": 4_000_000_000u64}), Err(Invalid::NoInteger)),
            (json!({"row": 1}), Err(Invalid::NoInteger)),
            (json!({}), Err(Invalid::NoInteger)),
            (json!(null), Err(Invalid::NoAnswer)),
            (json!([1, 2]), Err(Invalid::NoAnswer)),
            (json!(3), Err(Invalid::NoAnswer)),
            (json!("row 1"), Err(Invalid::NoAnswer)),
            (json!("[1,2]"), Err(Invalid::NoAnswer)),
        ] {
            assert_eq!(place(&answer), expected, "{answer}");
        }
    }

    #[test]
    fn a_null_response_gives_way_to_the_content() {
        let item = json!({"0": {"response": null, "content": {"row": 1, "col": 2}}});
        assert_eq!(place(answer_in(&item)), Ok((1, 2)));
        let item = json!({"0": {"response": {"row": 3, "col": 4}, "content": {"row": 1}}});
        assert_eq!(place(answer_in(&item)), Ok((3, 4)));
        assert_eq!(place(answer_in(&json!({"0": {"verdict": "TLE"}}))), Err(Invalid::NoAnswer));
    }

    #[test]
    fn each_bad_answer_ends_the_game_with_nothing() {
        let (row, column) = (99, 0);
        for (answer, invalid) in [
            (json!({"row": row, "col": column}), Invalid::Outside { row, column }),
            (json!(null), Invalid::NoAnswer),
            (json!({"row": "0", "col": 0}), Invalid::NoInteger),
        ] {
            let mut judge = judge(&json!({}));
            let ruling = judge.answer(&answer);
            assert_eq!(ruling.end, Some(End::Invalid(invalid)));
            assert_eq!(
                ruling.output.to_string(),
                r#"{"command":"finish","content":{"0":0},"display":{"msg":"INVALIDMOVE","status":null}}"#
            );
            let after = judge.answer(&json!({"row": 0, "col": 0}));
            assert_eq!(after.end, Some(End::Invalid(Invalid::Over)));
        }
    }

    #[test]
    fn a_given_first_click_is_forgotten_after_the_first_turn() {
        // A zero in the corner of a field whose other cells are ones.
        let field = format!("0{}", "1".repeat(120));
        let sizes = json!({"width": 11, "height": 11, "minecount": 11, "field": field});
        let mut given = sizes.clone();
        given["firstclick"] = json!({"row": 0, "col": 1});
        let mut silent = judge(&given);
        assert_eq!(silent.first_output()["content"]["0"]["changed"], Value::Null);
        let again = silent.answer(&json!({"row": 0, "col": 1}));
        assert_eq!(again.output["display"]["status"], json!([{"col": 1, "row": 0, "val": 1}]));

        // With `skipfirst` the first report leaves out what the click had opened.
        given["skipfirst"] = json!(true);
        let first = judge(&given).first_output().clone();
        let count = |output: &Value| output["display"]["status"].as_array().unwrap().len();
        assert_eq!(count(&first), 3);
        assert_eq!(first["initdata"]["firstclick"], json!({"row": 0, "col": 0}));
        given["firstclick"] = json!(null);
        let mut skipped = judge(&given);
        assert_eq!(count(skipped.first_output()), 4);
        let again = skipped.answer(&json!({"row": 0, "col": 1}));
        assert_eq!(again.end, Some(End::Invalid(Invalid::Open { row: 0, column: 1 })));

        given["firstclick"] = json!({"row": 11, "col": 0});
        let setup = Setup::read(&given, Rules::Official, 1).unwrap();
        assert_eq!(Judge::new(&setup).unwrap_err(), SetupError::FirstClick);
    }

    #[test]
    fn scores_are_written_with_sixteen_digits() {
        assert_eq!(as_written(83.0 * 100.0 / 99.0).to_string(), "83.83838383838383");
        assert_eq!(as_written(100.0).to_string(), "100.0");
        assert_eq!(as_written(0.0).to_string(), "0.0");
    }

    /// A game on one row with these values, all of its mines announced.
    fn row(values: &str, alter: impl Fn(&mut Setup)) -> Result<Judge, SetupError> {
        let shape = Shape::new(1, values.len() as u64).unwrap();
        let mines = values.matches('9').count() as u32;
        let mut setup = Setup { field: Some(values.to_owned()), ..Setup::new(shape, mines, 1) };
        alter(&mut setup);
        Judge::new(&setup)
    }

    #[test]
    fn where_no_cell_is_a_zero_one_number_is_skipped() {
        let mut judge = row("92929", |setup| setup.skip_first = true).unwrap();
        let first = judge.first_output().clone();
        let [cell] = &first["content"]["0"]["changed"].as_array().unwrap()[..] else {
            panic!("{first}")
        };
        let column = cell["col"].as_i64().unwrap();
        assert!(cell["val"] == 2 && (column == 1 || column == 3), "{cell}");
        assert_eq!(first["initdata"]["firstclick"], json!({"row": 0, "col": column}));
        // It is open from then on; the other number is the last safe cell.
        let other = judge.answer(&json!({"row": 0, "col": 4 - column}));
        assert_eq!(other.end, Some(End::Finished));
        assert_eq!(other.output["content"]["0"], json!(100.0));
        let all_mines = row("999", |setup| setup.skip_first = true);
        assert_eq!(all_mines.unwrap_err(), SetupError::NoSafeCell);
    }

    #[test]
    fn a_skip_that_opens_every_safe_cell_still_waits_for_an_answer() {
        let mut judge = row("019", |setup| setup.skip_first = true).unwrap();
        assert_eq!(judge.first_output()["command"], "request");
        assert_eq!(judge.first_output()["content"]["0"]["changed"].as_array().unwrap().len(), 2);
        let mine = judge.answer(&json!({"row": 0, "col": 2}));
        assert_eq!(mine.end, Some(End::Finished));
        assert_eq!(mine.output["content"]["0"], json!(0.0));
    }

    #[test]
    fn a_mine_given_as_first_click_is_hidden_again_after_it() {
        let mut judge = row("019", |setup| setup.first_click = Some((0, 2))).unwrap();
        assert_eq!(judge.first_output()["content"]["0"]["changed"], Value::Null);
        let hit = judge.answer(&json!({"row": 0, "col": 2}));
        assert_eq!(hit.output["content"]["0"]["changed"], json!([{"row": 0, "col": 2, "val": 9}]));
        let last = judge.answer(&json!({"row": 0, "col": 0}));
        assert_eq!(last.end, Some(End::Finished));
        assert_eq!(last.output["content"]["0"], json!(0.0));
    }
}
