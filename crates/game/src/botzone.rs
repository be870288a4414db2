//! Botzone's judge program: the rules, on the JSON messages that are sent and logged.
//!
//! The first output is the request of turn 0 together with the echoed init data. Each answer
//! produces one more output: the next request, or the end (`FINISH` with the score, `INVALIDMOVE`
//! with 0).
//!
//! The official judge runs one process per turn, which replays the whole game from the echo. This
//! differs from a judge that keeps its state in one point: a `firstclick` given by the user is
//! opened for the first output only, and is hidden again afterwards. [`BotzoneJudge::new`]
//! therefore makes the first output from a copy of the referee.
//!
//! A game by the classic rules is judged in the same messages: its first cell is opened before the
//! first turn and reported, and a hit ends it with a score of 0.
//!
//! Invariant: the outputs have the same keys and values as the official judge's, where numbers are
//! equal in the 16 digits that it writes.
//!
//! Not reproduced: the official JSON reader accepts comments in a text answer, and crashes on a
//! text that holds a list or a bare number. Here neither is an answer.

use serde_json::{Map, Value, json};

use super::referee::{InvalidMove, Referee};
use super::rule::Rule;
use super::setup::{Setup, SetupError, first_value, int, skipped_cell};
use sapper::board::Board;
use sapper::board::geometry::Cell;

/// A game and its judge.
#[derive(Clone, Debug)]
pub struct BotzoneJudge {
    referee: Referee,
    first_output: Value,
    rule: Rule,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The game ended by its rules; the score is the referee's.
    Finished,
    /// An invalid answer ended the game; the score is 0.
    Invalid(InvalidMove),
}

/// The judge's output after one answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// The message: a request, or the end.
    pub output: Value,
    /// The end of the game, where the answer ended it.
    pub end: Option<GameEnd>,
}

impl BotzoneJudge {
    /// Sets up a game and opens the cells that are opened before the first turn.
    ///
    /// # Errors
    /// [`SetupError`] when the field or the first cell is invalid.
    pub fn new(setup: &Setup) -> Result<BotzoneJudge, SetupError> {
        let (field, mut rand) = setup.field()?;
        if !setup.start.is_kept_by(&field) {
            return Err(SetupError::Promise);
        }
        let skipped = if setup.skip_first { Some(skipped_cell(&field, &mut rand)?) } else { None };
        let echo = setup.echo(&field, skipped);
        let mut referee = Referee::new(field, setup.mines);

        let mut first_turn = referee.clone();
        if let Some((row, column)) = setup.first_click {
            let cell = setup.shape.cell(row, column).ok_or(SetupError::FirstClick)?;
            first_turn.open_beforehand(cell);
        }
        let mut changed = Value::Null;
        if let Some(cell) = skipped.or(setup.start.first()) {
            changed = cells_json(&referee, first_turn.open_beforehand(cell));
            referee.open_beforehand(cell);
        }
        let mut first_output = request(&referee, &changed);
        first_output["initdata"] = echo;
        Ok(BotzoneJudge { referee, first_output, rule: setup.start.rule() })
    }

    /// The first output: the request of turn 0, and the echoed init data.
    pub fn first_output(&self) -> &Value {
        &self.first_output
    }

    /// The state of the game.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// Whether the first cell of the classic rules has ended the game before the first turn.
    pub fn is_won_beforehand(&self) -> bool {
        self.rule.is_classic() && self.referee.hidden_len() == self.referee.mines() as usize
    }

    /// The hidden mine that `answer` opens and that ends the game, with the game, in which another
    /// layout may be drawn.
    pub fn fatal_mine(&mut self, answer: &Value) -> Option<(Cell, &mut Referee)> {
        let cell = self.answered_cell(answer).ok().filter(|_| self.rule.is_classic())?;
        let is_fatal = self.referee.field().is_mine(cell) && !self.referee.is_open(cell);
        is_fatal.then_some((cell, &mut self.referee))
    }

    /// Judges one answer: an object with integers `row` and `col`, or a string that holds one.
    pub fn answer(&mut self, answer: &Value) -> Ruling {
        let opened = self.answered_cell(answer).and_then(|cell| self.referee.open(cell));
        let (changed, hit, ended) = match opened {
            Ok(opened) => (opened.changed.to_vec(), opened.hit, opened.ended),
            Err(invalid) => {
                self.referee.forfeit();
                return Ruling {
                    output: finish("INVALIDMOVE", &json!(0), &Value::Null),
                    end: Some(GameEnd::Invalid(invalid)),
                };
            }
        };
        let changed = cells_json(&self.referee, &changed);
        let score = if hit && self.rule.is_classic() {
            self.referee.forfeit();
            json!(0)
        } else if ended {
            with_16_digits(self.referee.score())
        } else {
            return Ruling { output: request(&self.referee, &changed), end: None };
        };
        Ruling { output: finish("FINISH", &score, &changed), end: Some(GameEnd::Finished) }
    }

    fn answered_cell(&self, answer: &Value) -> Result<Cell, InvalidMove> {
        let (row, column) = answered_cell(answer)?;
        let cell = self.referee.field().shape().cell(row.into(), column.into());
        cell.ok_or(InvalidMove::Outside { row, column })
    }
}

/// The answer in a bot's item of a log: `response`, or `content` where that is null.
pub fn logged_answer(item: &Value) -> &Value {
    let response = &item["0"]["response"];
    if response.is_null() { &item["0"]["content"] } else { response }
}

/// The row and the column that an answer names.
///
/// # Errors
/// [`InvalidMove::NoAnswer`] or [`InvalidMove::NoInteger`].
pub fn answered_cell(answer: &Value) -> Result<(i32, i32), InvalidMove> {
    let unpacked: Map<String, Value>;
    let object = match answer {
        Value::Object(object) => object,
        Value::String(text) => match first_value(text) {
            Some(Value::Object(object)) => {
                unpacked = object;
                &unpacked
            }
            _ => return Err(InvalidMove::NoAnswer),
        },
        _ => return Err(InvalidMove::NoAnswer),
    };
    int(object.get("row")).zip(int(object.get("col"))).ok_or(InvalidMove::NoInteger)
}

/// The hidden cell that an answer opens on a board.
///
/// # Errors
/// [`InvalidMove`], which ends a game on this board.
pub fn legal_cell(answer: &Value, board: &Board) -> Result<Cell, InvalidMove> {
    let (row, column) = answered_cell(answer)?;
    let shape = board.shape();
    match shape.cell(row.into(), column.into()) {
        None => Err(InvalidMove::Outside { row, column }),
        Some(cell) if board.is_hidden(cell) => Ok(cell),
        Some(cell) => Err(InvalidMove::Open { row: shape.row(cell), column: shape.column(cell) }),
    }
}

fn cells_json(referee: &Referee, cells: &[(Cell, u8)]) -> Value {
    let shape = referee.field().shape();
    let cell_json = |&(cell, value): &(Cell, u8)| {
        let (row, column) = (shape.row(cell), shape.column(cell));
        json!({"row": row, "col": column, "val": value})
    };
    if cells.is_empty() { Value::Null } else { cells.iter().map(cell_json).collect() }
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

/// The output that ends a game.
pub fn finish(msg: &str, score: &Value, changed: &Value) -> Value {
    json!({
        "command": "finish",
        "content": {"0": score},
        "display": {"msg": msg, "status": changed},
    })
}

/// A score rounded to the 16 significant digits that the official judge writes.
fn with_16_digits(score: f64) -> Value {
    json!(format!("{score:.15e}").parse().unwrap_or(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::SizeLimits;
    use sapper::board::geometry::Shape;

    fn judge(given: &Value) -> BotzoneJudge {
        BotzoneJudge::new(&Setup::read(given, SizeLimits::Official, 1).unwrap()).unwrap()
    }

    #[test]
    fn an_answer_is_an_object_or_a_text_with_an_object() {
        for (answer, expected) in [
            (json!({"row": 1, "col": 2}), Ok((1, 2))),
            (json!({"row": 1, "col": 2, "more": []}), Ok((1, 2))),
            (json!(r#" {"row":1,"col":2} and more"#), Ok((1, 2))),
            (json!({"row": -1, "col": i32::MAX}), Ok((-1, i32::MAX))),
            (json!({"row": "1", "col": "2"}), Err(InvalidMove::NoInteger)),
            (json!({"row": 1.0, "col": 2}), Err(InvalidMove::NoInteger)),
            (json!({"row": 1, "col": 2.5}), Err(InvalidMove::NoInteger)),
            (json!({"row": 1, "col": 4_000_000_000u64}), Err(InvalidMove::NoInteger)),
            (json!({"row": 1}), Err(InvalidMove::NoInteger)),
            (json!({}), Err(InvalidMove::NoInteger)),
            (json!(null), Err(InvalidMove::NoAnswer)),
            (json!([1, 2]), Err(InvalidMove::NoAnswer)),
            (json!(3), Err(InvalidMove::NoAnswer)),
            (json!("row 1"), Err(InvalidMove::NoAnswer)),
            (json!("[1,2]"), Err(InvalidMove::NoAnswer)),
        ] {
            assert_eq!(answered_cell(&answer), expected, "{answer}");
        }
    }

    #[test]
    fn a_null_response_is_replaced_by_the_content() {
        let item = json!({"0": {"response": null, "content": {"row": 1, "col": 2}}});
        assert_eq!(answered_cell(logged_answer(&item)), Ok((1, 2)));
        let item = json!({"0": {"response": {"row": 3, "col": 4}, "content": {"row": 1}}});
        assert_eq!(answered_cell(logged_answer(&item)), Ok((3, 4)));
        assert_eq!(
            answered_cell(logged_answer(&json!({"0": {"verdict": "TLE"}}))),
            Err(InvalidMove::NoAnswer)
        );
    }

    #[test]
    fn each_invalid_answer_ends_the_game_with_a_score_of_0() {
        let (row, column) = (99, 0);
        for (answer, invalid) in [
            (json!({"row": row, "col": column}), InvalidMove::Outside { row, column }),
            (json!(null), InvalidMove::NoAnswer),
            (json!({"row": "0", "col": 0}), InvalidMove::NoInteger),
        ] {
            let mut judge = judge(&json!({}));
            let ruling = judge.answer(&answer);
            assert_eq!(ruling.end, Some(GameEnd::Invalid(invalid)));
            assert_eq!(
                ruling.output.to_string(),
                concat!(
                    r#"{"command":"finish","content":{"0":0},"#,
                    r#""display":{"msg":"INVALIDMOVE","status":null}}"#
                )
            );
            let after = judge.answer(&json!({"row": 0, "col": 0}));
            assert_eq!(after.end, Some(GameEnd::Invalid(InvalidMove::Over)));
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

        // With `skipfirst` the first report omits the cells that the click opened.
        given["skipfirst"] = json!(true);
        let first = judge(&given).first_output().clone();
        let count = |output: &Value| output["display"]["status"].as_array().unwrap().len();
        assert_eq!(count(&first), 3);
        assert_eq!(first["initdata"]["firstclick"], json!({"row": 0, "col": 0}));
        given["firstclick"] = json!(null);
        let mut skipped = judge(&given);
        assert_eq!(count(skipped.first_output()), 4);
        let again = skipped.answer(&json!({"row": 0, "col": 1}));
        assert_eq!(again.end, Some(GameEnd::Invalid(InvalidMove::Open { row: 0, column: 1 })));

        given["firstclick"] = json!({"row": 11, "col": 0});
        let setup = Setup::read(&given, SizeLimits::Official, 1).unwrap();
        assert_eq!(BotzoneJudge::new(&setup).unwrap_err(), SetupError::FirstClick);
    }

    #[test]
    fn scores_are_written_with_sixteen_digits() {
        assert_eq!(with_16_digits(83.0 * 100.0 / 99.0).to_string(), "83.83838383838383");
        assert_eq!(with_16_digits(100.0).to_string(), "100.0");
        assert_eq!(with_16_digits(0.0).to_string(), "0.0");
    }

    /// A game on one row with these values, whose mine count is the true one.
    fn row(values: &str, alter: impl Fn(&mut Setup)) -> Result<BotzoneJudge, SetupError> {
        let shape = Shape::new(1, values.len() as u64).unwrap();
        let mines = values.matches('9').count() as u32;
        let mut setup = Setup { field: Some(values.to_owned()), ..Setup::new(shape, mines, 1) };
        alter(&mut setup);
        BotzoneJudge::new(&setup)
    }

    #[test]
    fn without_a_zero_skipfirst_opens_one_number() {
        let mut judge = row("92929", |setup| setup.skip_first = true).unwrap();
        let first = judge.first_output().clone();
        let [cell] = &first["content"]["0"]["changed"].as_array().unwrap()[..] else {
            panic!("{first}")
        };
        let column = cell["col"].as_i64().unwrap();
        assert!(cell["val"] == 2 && (column == 1 || column == 3), "{cell}");
        assert_eq!(first["initdata"]["firstclick"], json!({"row": 0, "col": column}));
        // It stays open; the other number is the last safe cell.
        let other = judge.answer(&json!({"row": 0, "col": 4 - column}));
        assert_eq!(other.end, Some(GameEnd::Finished));
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
        assert_eq!(mine.end, Some(GameEnd::Finished));
        assert_eq!(mine.output["content"]["0"], json!(0.0));
    }

    #[test]
    fn a_mine_given_as_first_click_is_hidden_again_after_it() {
        let mut judge = row("019", |setup| setup.first_click = Some((0, 2))).unwrap();
        assert_eq!(judge.first_output()["content"]["0"]["changed"], Value::Null);
        let hit = judge.answer(&json!({"row": 0, "col": 2}));
        assert_eq!(hit.output["content"]["0"]["changed"], json!([{"row": 0, "col": 2, "val": 9}]));
        let last = judge.answer(&json!({"row": 0, "col": 0}));
        assert_eq!(last.end, Some(GameEnd::Finished));
        assert_eq!(last.output["content"]["0"], json!(0.0));
    }
}
