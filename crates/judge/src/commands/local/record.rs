//! The record of a match that is over, as `judge verify` and `judge replay` read it.
//!
//! The client never sees the field. Once a match has ended by the rules the field follows from what
//! was shown: all safe cells are open, so the cells that are hidden are the mines. Only the cells
//! that the last answer opened were not reported. Where these are an opening, they are
//! those that are proven safe when the answered cell is a zero.
//!
//! Invariant: a record with init data is equal to the referee's: the same requests and the same
//! score. Where the field does not follow (the match was aborted or lost by an illegal answer, or
//! the last opening is not proven), the record has no init data but all that was sent.

use analysis::Analyzer;
use game::botzone::{BotzoneJudge, GameEnd, answered_cell};
use game::field::Field;
use game::record::Record;
use game::setup::Setup;
use sapper::{Board, Cell, CellState, Effort, Objective};
use serde_json::{Value, json};

use super::game::LocalGame;

/// The directory, in that of the records, of those whose field is not known.
pub const INCOMPLETE: &str = "incomplete";

/// The record of a match with this score; aborted matches have none.
pub fn record(game: &LocalGame, score: Option<f64>, bot: &str) -> Record {
    let judged = score.and_then(|score| judged(game, score));
    let mut record = judged.unwrap_or_else(|| as_seen(game, score));
    record.bot = Some(bot.to_owned());
    record
}

/// The referee's record of the match, if it is the match.
fn judged(game: &LocalGame, score: f64) -> Option<Record> {
    let setup = setup(game)?;
    let mut judge = BotzoneJudge::new(&setup).ok()?;
    let mut record = Record::new(&setup);
    let mut output = judge.first_output().clone();
    let mut end = None;
    for (request, answer) in game.requests.iter().zip(&game.answers) {
        if end.is_some() || changed(&output["content"]["0"]) != changed(request) {
            return None;
        }
        record.push_output(&output);
        record.push_answer("OK", Some(&answer["response"]));
        let ruling = judge.answer(&answer["response"]);
        (output, end) = (ruling.output, ruling.end);
    }
    record.push_output(&output);
    let is_same = (output["content"]["0"].as_f64()? - score).abs() < 1e-9;
    (end == Some(GameEnd::Finished) && is_same).then_some(record)
}

/// The reported cells of a request; null where there are none.
fn changed(request: &Value) -> &Value {
    match &request["changed"] {
        Value::Array(cells) if !cells.is_empty() => &request["changed"],
        _ => &Value::Null,
    }
}

/// The init data that the match must have had, apart from its seed.
fn setup(game: &LocalGame) -> Option<Setup> {
    let board = game.board()?;
    let (shape, mines) = (board.shape(), board.mines());
    let (row, column) = answered_cell(&game.answers.last()?["response"]).ok()?;
    let answered = shape.cell(row.into(), column.into()).filter(|&cell| board.is_hidden(cell))?;
    let is_hit = |&cell: &Cell| board.state(cell) == CellState::Hit;
    let hits: Vec<Cell> = shape.cells().filter(is_hit).collect();
    let mines_left = (mines as usize).checked_sub(hits.len())?;
    let hidden_mines: Vec<Cell> = if board.hidden().count() == mines_left + 1 {
        board.hidden().filter(|&cell| cell != answered).collect()
    } else {
        mines_beside_last_region(board, answered)?
    };
    let cells = hits.iter().chain(&hidden_mines).map(|cell| cell.index());
    let field = Field::from_mines(shape, cells).ok()?.to_string();
    Some(Setup {
        field: Some(field),
        skip_first: !changed(&game.requests[0]).is_null(),
        ..Setup::new(shape, mines, 0)
    })
}

/// The mines that are hidden when `answered` is a zero; `None` where they are not proven.
fn mines_beside_last_region(mut board: Board, answered: Cell) -> Option<Vec<Cell>> {
    board.open(answered, CellState::Number(0));
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let analysis = analyzer.analyze(&board, None).ok()?;
    let odds = analysis.odds();
    let is_known = |cell: Cell| [0.0, 1.0].contains(&odds.of(cell));
    if !board.hidden().all(is_known) {
        return None;
    }
    Some(board.hidden().filter(|&cell| odds.of(cell) == 1.0).collect())
}

/// The requests and answers alone.
fn as_seen(game: &LocalGame, score: Option<f64>) -> Record {
    let responses = game.answers.iter().map(|answer| &answer["response"]);
    let mut record = Record::of_requests(&game.requests, responses);
    if let Some(score) = score.filter(|_| !game.is_asked()) {
        let output = json!({"command": "finish", "content": {"0": score}, "display": {}});
        record.push_output(&output);
        // The server does not say how the match ended: no message, and not null either.
        record.msg = None;
    }
    record
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Shape;

    use super::*;

    /// A match on a field, in which these cells are answered.
    fn game(setup: &Setup, cells: &[(u32, u32)]) -> (LocalGame, f64) {
        let mut judge = BotzoneJudge::new(setup).unwrap();
        let mut game = LocalGame::default();
        game.push_request(judge.first_output()["content"]["0"].clone());
        for (row, col) in cells {
            let response = json!({"row": row, "col": col});
            let ruling = judge.answer(&response);
            game.answers.push(json!({"response": response}));
            let content = ruling.output["content"]["0"].clone();
            if ruling.end.is_some() {
                return (game, content.as_f64().unwrap());
            }
            game.push_request(content);
        }
        (game, 0.0)
    }

    fn on(width: u64, text: &str) -> Setup {
        let shape = Shape::new(text.len() as u64 / width, width).unwrap();
        let mines = text.bytes().filter(|&byte| byte == b'9').count() as u32;
        Setup { field: Some(text.to_owned()), ..Setup::new(shape, mines, 0) }
    }

    #[test]
    fn the_field_follows_from_a_match_that_ended() {
        for (setup, cells) in [
            // The last answer opens one number.
            (on(3, "191111000"), vec![(2, 0), (0, 1), (0, 0), (0, 2)]),
            // The last answer is an opening.
            (on(4, "19101110"), vec![(0, 0), (1, 0), (1, 1), (1, 2), (0, 3)]),
            (Setup { skip_first: true, ..on(3, "191111000") }, vec![(0, 0), (0, 2)]),
        ] {
            let (game, score) = game(&setup, &cells);
            let record = record(&game, Some(score), "sapper");
            let expected = Setup { seed: 0, ..setup };
            assert_eq!(record.setup().unwrap(), expected);
            assert_eq!(record.answers(), game.answers.len());
            assert_eq!(record.score.unwrap().as_f64(), Some(score));
        }
    }

    #[test]
    fn other_matches_are_recorded_as_they_were_seen() {
        let setup = on(3, "191111000");
        let (ended, score) = game(&setup, &[(2, 0), (0, 0), (0, 2)]);
        let (aborted, _) = game(&setup, &[(2, 0)]);
        let (illegal, zero) = game(&setup, &[(2, 0), (2, 0)]);
        assert!(score > 0.0);
        for (game, score) in [(&ended, Some(score - 1.0)), (&aborted, None), (&illegal, Some(zero))]
        {
            let record = record(game, score, "sapper");
            assert_eq!((record.initdata_given, record.score), (None, score.map(|s| json!(s))));
            let text = serde_json::to_string(&record.log).unwrap();
            assert!(Record::read(&text).is_ok());
            let items = game.requests.len() + game.answers.len() + usize::from(score.is_some());
            assert_eq!(record.log.len(), items);
        }
    }
}
