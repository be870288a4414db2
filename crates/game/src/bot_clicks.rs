//! A recorded game of a bot as the clicks of a mouse.
//!
//! A cell that the rule opens beforehand is clicked at the start, and the answer of turn N at N + 1
//! seconds: a press and a release of the left button. So the game takes as many seconds as turns.
//!
//! Invariant: the clicks open what the answers opened, on the same layout. A recording ends with
//! its first hit, and so do the clicks.

use sapper::board::geometry::{Cell, Shape};
use sapper::kit::text::pluralize;
use serde_json::Value;

use super::botzone::{BotzoneJudge, GameEnd, answered_cell, logged_answer};
use super::record::Record;
use super::recording::{Action, Button, Mode, MouseEvent, Recording};
use super::rule::Rule;
use super::setup::{Setup, SetupError};

/// The clicks of a game, and what they leave out.
#[derive(Clone, PartialEq, Debug)]
pub struct BotClicks {
    /// The recording. The player is the bot.
    pub recording: Recording,
    /// What of the game is not in the recording, one sentence each.
    pub left_out: Vec<String>,
}

/// The game of a record with this setup as clicks.
///
/// # Errors
/// [`SetupError`] when the field or the first cell is invalid.
pub fn bot_clicks(record: &Record, setup: &Setup) -> Result<BotClicks, SetupError> {
    let mut judge = BotzoneJudge::new(setup)?;
    let layout = setup.layout()?;
    let (shape, answers) = (layout.shape, record.answers());
    let (mut events, mut left_out) = (Vec::new(), Vec::new());
    let mut click = |time: u32, cell: Cell| {
        let actions = [Action::Press(Button::Left), Action::Release(Button::Left)];
        events.extend(actions.map(|action| MouseEvent { time, action, cell: Some(cell) }));
    };
    let shown = &judge.first_output()["content"]["0"]["changed"][0];
    if let Some(first) = cell_of(shape, shown) {
        click(0, first);
    }
    for (turn, item) in record.log.iter().skip(1).step_by(2).enumerate() {
        let answer = logged_answer(item);
        let ruling = judge.answer(answer);
        let cell = cell_of(shape, answer);
        let Some(cell) = cell.filter(|_| !matches!(ruling.end, Some(GameEnd::Invalid(_)))) else {
            left_out.push(format!("the answer of turn {turn} opens no cell, which ended the game"));
            break;
        };
        click(1000 * (turn as u32 + 1), cell);
        let later = answers - turn - 1;
        if judge.referee().field().is_mine(cell) && later > 0 {
            let turns = pluralize(later, "later turn is", "later turns are");
            left_out.push(format!(
                "a hit ends a recording: it is written until the hit in turn {turn}, and \
                 {turns} left out"
            ));
            break;
        }
    }
    if let Some(turns) = record.survived.as_ref().filter(|turns| !turns.is_empty()) {
        let hits = pluralize(turns.len(), "hit that was", "hits that were");
        left_out.push(format!("{hits} survived cannot be told: the cells are safe on the layout"));
    }
    let mode = match setup.start.rule() {
        Rule::Botzone => Mode::Unprotected,
        Rule::SafeFirst | Rule::OpenFirst => Mode::Classic,
    };
    let recording = Recording {
        format: "RAWVF",
        program: "Botzone".to_owned(),
        player: record.bot.clone().unwrap_or_default(),
        layout,
        mode,
        has_marks: false,
        events,
    };
    Ok(BotClicks { recording, left_out })
}

/// The cells that the answers of a record open on a field of this shape, in order. An answer that
/// ended the game because it is invalid opens none.
pub fn clicks_of_answers(record: &Record, shape: Shape) -> Vec<Cell> {
    let answers = record.log.iter().skip(1).step_by(2);
    let outputs = record.log.iter().skip(2).step_by(2);
    let is_valid = |output: &Value| output["output"]["display"]["msg"] != "INVALIDMOVE";
    let valid = answers.zip(outputs).take_while(|(_, output)| is_valid(output));
    valid.map_while(|(item, _)| cell_of(shape, logged_answer(item))).collect()
}

/// The cell of an object with row and column.
fn cell_of(shape: Shape, value: &Value) -> Option<Cell> {
    let (row, column) = answered_cell(value).ok()?;
    shape.cell(row.into(), column.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Start;
    use serde_json::json;

    /// A game whose cells are chosen at random, by this seed.
    fn played(setup: &Setup, seed: u64, turns: usize) -> (Record, BotzoneJudge) {
        let mut judge = BotzoneJudge::new(setup).unwrap();
        let mut record = Record::new(setup);
        record.push_output(judge.first_output());
        let random = &mut fastrand::Rng::with_seed(seed);
        let turns = if judge.referee().hidden_len() == setup.mines as usize { 0 } else { turns };
        for _ in 0..turns {
            let is_open = |cell: &Cell| judge.referee().is_open(*cell);
            let hidden: Vec<Cell> = setup.shape.cells().filter(|cell| !is_open(cell)).collect();
            let cell = hidden[random.usize(..hidden.len())];
            let answer = json!({"row": setup.shape.row(cell), "col": setup.shape.column(cell)});
            record.push_answer("OK", Some(&answer));
            let ruling = judge.answer(&answer);
            record.push_output(&ruling.output);
            if ruling.end.is_some() {
                break;
            }
        }
        (record, judge)
    }

    #[test]
    fn clicks_open_what_the_game_opened_until_the_first_hit() {
        let shape = Shape::new(9, 9).unwrap();
        let first = shape.cell(4, 4).unwrap();
        let (mut whole, mut cut, mut won) = (0, 0, 0);
        for seed in 0..500 {
            let rule = Rule::ALL[seed as usize % 3];
            let start = Start::new(rule, first);
            let skip_first = seed % 6 == 0;
            let setup = Setup { start, skip_first, ..Setup::new(shape, 4, seed) };
            let Ok(layout) = setup.layout() else { continue };
            if BotzoneJudge::new(&setup).is_err() {
                continue;
            }
            let (record, judge) = played(&setup, seed as u64, 4);
            let BotClicks { recording, left_out } = bot_clicks(&record, &setup).unwrap();
            assert_eq!(recording.layout, layout);
            let game = recording.clicks();
            let opened: Vec<Cell> =
                game.clicks.iter().flat_map(|click| &click.opened).map(|on| on.0).collect();
            assert!(opened.iter().all(|&cell| judge.referee().is_open(cell)));
            won += usize::from(game.won);
            if left_out.is_empty() {
                let is_open = |cell: &Cell| judge.referee().is_open(*cell);
                assert_eq!(opened.len(), shape.cells().filter(is_open).count(), "seed {seed}");
                whole += 1;
            } else {
                assert!(game.lost && left_out[0].starts_with("a hit ends a recording"));
                cut += 1;
            }
        }
        assert!(whole > 100 && cut > 10 && won > 10, "{whole} whole, {cut} cut, {won} won");
    }

    #[test]
    fn an_answer_that_opens_nothing_is_left_out() {
        let setup = Setup::new(Shape::new(9, 9).unwrap(), 4, 1);
        for answer in [json!(null), json!({"row": 9, "col": 0}), json!("x")] {
            let (mut record, mut judge) = played(&setup, 1, 0);
            record.push_answer("OK", Some(&answer));
            record.push_output(&judge.answer(&answer).output);
            let clicks = bot_clicks(&record, &setup).unwrap();
            assert!(clicks.recording.events.is_empty());
            assert_eq!(clicks.left_out.len(), 1);
            assert!(clicks.left_out[0].starts_with("the answer of turn 0 opens no cell"));
        }
    }

    #[test]
    fn each_turn_takes_a_second() {
        let setup = Setup::new(Shape::new(9, 9).unwrap(), 1, 1);
        let (mut record, _) = played(&setup, 3, 3);
        record.bot = Some("a bot".to_owned());
        record.survived = Some(vec![0]);
        let BotClicks { recording, left_out } = bot_clicks(&record, &setup).unwrap();
        let times: Vec<u32> = recording.events.iter().map(|event| event.time).collect();
        assert_eq!(times[..2], [1000, 1000]);
        assert_eq!(times.len(), 2 * record.answers());
        assert_eq!((recording.mode, &recording.player[..]), (Mode::Unprotected, "a bot"));
        assert!(left_out[0].starts_with("1 hit that was survived cannot be told"));
    }
}
