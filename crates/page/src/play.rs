//! A game by the rules, from a seed or a layout and the clicks so far.
//!
//! Every request has all clicks, from which the game can be played again from its start, so that a
//! reload, a step back and another worker see the same game. [`super::game_on`] plays them.
//!
//! Invariant: boards are those of [`game::board_gen`] and [`game::no_guess`]. Under `botzone` the
//! seed lays the official board; under the other rules the layout depends on the first cell too.

use serde_json::json;

use super::answer::{GameAnswer, LayoutAnswer, PageAnswer};
use super::position::cell_of;
use super::request::{PageRequest, RequestedCell, required};
use analysis::json::coordinates::list_coordinates;
use game::board_gen::generate;
use game::botzone::{BotzoneJudge, finish};
use game::field::Field;
use game::figures::bbbv;
use game::no_guess;
use game::record::Record;
use game::rule::{Rule, Start};
use game::setup::Setup;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};

fn shape(request: &PageRequest) -> Result<Shape, String> {
    Shape::new(request.height, request.width).map_err(|error| error.to_string())
}

pub(super) fn rule(request: &PageRequest) -> Result<Rule, String> {
    required(&request.rule, "rule").copied()
}

/// The field. `first` is the first cell that is opened, where the request does not state it.
pub(super) fn field(request: &PageRequest, first: Option<RequestedCell>) -> Result<Field, String> {
    let shape = shape(request)?;
    if let Some(mines) = &request.mines {
        let mines = mines.iter().map(|&mine| cell_of(shape, mine).map(Cell::index));
        let mines = mines.collect::<Result<Vec<usize>, String>>()?;
        return Field::from_mines(shape, mines).map_err(|error| error.to_string());
    }
    let start = match rule(request)? {
        Rule::Botzone => Start::CHOSEN,
        rule => {
            let first = *required(&request.first.or(first), "first")?;
            Start::new(rule, cell_of(shape, first)?)
        }
    };
    let (mines, seed) = (request.minecount, request.seed);
    if let (Some(level), Some(first)) = (request.proof, start.first()) {
        let layout = no_guess::generate(shape, mines, first, level, seed);
        return layout.map(|layout| layout.field()).map_err(|error| error.to_string());
    }
    let layout = generate(shape, mines, start, seed);
    layout.map(|layout| layout.field()).map_err(|error| error.to_string())
}

/// The mines of a layout, and its 3BV.
pub fn lay(request: &PageRequest) -> Result<PageAnswer, String> {
    let field = field(request, None)?;
    let mines: Vec<Cell> = field.mines().collect();
    let shape = field.shape();
    Ok(PageAnswer::Layout(LayoutAnswer {
        bbbv: Some(bbbv(&field)),
        height: shape.rows(),
        kind: None,
        minecount: mines.len(),
        mines: list_coordinates(shape, &mines),
        width: shape.columns(),
    }))
}

/// The game before the first click. The layout may depend on it, but must be possible.
pub(super) fn untouched(request: &PageRequest) -> Result<(Board, GameAnswer), String> {
    let shape = shape(request)?;
    // Of boards without guesses, only that the mines fit.
    let field = field(&PageRequest { proof: None, ..request.clone() }, Some([0, 0]))?;
    let is_known = request.first.is_some() || request.mines.is_some();
    let is_known = is_known || !rule(request)?.is_classic();
    let mines = field.mines().count() as u32;
    let board = Board::new(shape, mines);
    let answer = GameAnswer {
        bbbv: is_known.then(|| bbbv(&field)),
        changed: Vec::new(),
        field: board.to_text(Some(mines.into())),
        hits: 0,
        mines: None,
        over: false,
        played: Vec::new(),
        score: 100.0,
        solved_bbbv: 0,
        won: false,
    };
    Ok((board, answer))
}

/// The game as a record, as Botzone's judge would log it. A hit that ends the game scores 0.
///
/// # Errors
/// One line, where the request is no game.
pub fn record(request: &PageRequest) -> Result<Record, String> {
    rule(request)?;
    let field = field(request, request.clicks.first().copied())?;
    record_of(request, &field, None)
}

/// The game as a log that `judge verify` judges: as the judge's own classic games, which open the
/// first cell before the first turn. A first click that breaks the promise of the rule, as it may
/// on a given layout, stays a turn.
///
/// # Errors
/// As [`record`].
pub fn written_record(request: &PageRequest) -> Result<Record, String> {
    let field = field(request, request.clicks.first().copied())?;
    let cell = request.clicks.first().map(|&first| cell_of(field.shape(), first)).transpose()?;
    let rule = rule(request)?;
    let start = cell.filter(|_| rule.is_classic()).map(|cell| Start::new(rule, cell));
    record_of(request, &field, start.filter(|start| start.is_kept_by(&field)))
}

/// The game as a record; with a start, its first cell is opened before the first turn.
fn record_of(request: &PageRequest, field: &Field, start: Option<Start>) -> Result<Record, String> {
    let rule = rule(request)?;
    let mut setup = Setup::new(field.shape(), field.mines().count() as u32, request.seed);
    let is_official = !rule.is_classic() && request.mines.is_none();
    if let Some(start) = start {
        setup.start = start;
    }
    setup.field = (!is_official).then(|| field.to_string());
    let mut judge = BotzoneJudge::new(&setup).map_err(|error| error.to_string())?;
    let mut record = Record::new(&setup);
    if start.is_some() {
        // Else a hit may have been survived on another layout.
        record.set_survived(Vec::new(), field);
    }
    record.push_output(judge.first_output());
    for &[row, column] in request.clicks.iter().skip(usize::from(start.is_some())) {
        let answer = json!({"row": row, "col": column});
        let mut output = judge.answer(&answer).output;
        let is_lost = rule.is_classic() && judge.referee().hits() > 0;
        if is_lost && output["command"] == "request" {
            let changed = output["display"]["status"].take();
            output = finish("FINISH", &json!(0), &changed);
        }
        record.push_answer("OK", Some(&answer));
        record.push_output(&output);
        if is_lost {
            break;
        }
    }
    Ok(record)
}

/// Whether the mines are laid after the first click, which is no risk then.
pub fn is_first_free(request: &PageRequest) -> bool {
    request.rule != Some(Rule::Botzone) && request.mines.is_none() && request.first.is_none()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn answer(request: &Value) -> Result<Value, String> {
        let request = PageRequest::read(&request.to_string())?;
        Ok(crate::game_on::LastPlayed::default().open(&request)?.to_value())
    }

    /// A row: a mine, 1, 0, 0.
    fn row(rule: &str, clicks: &Value) -> Result<Value, String> {
        answer(&json!({"rule": rule, "width": 4, "height": 1, "mines": [[0, 0]], "clicks": clicks}))
    }

    #[test]
    fn a_hit_costs_under_botzone_and_ends_the_other_games() {
        let hit = row("botzone", &json!([[0, 0]])).unwrap();
        assert_eq!(
            (&hit["over"], &hit["hits"], &hit["score"]),
            (&json!(false), &json!(1), &json!(0.0))
        );
        assert_eq!((&hit["mines"], &hit["field"]), (&Value::Null, &json!("4 1 1\n*...\n")));
        let end = row("botzone", &json!([[0, 0], [0, 3]])).unwrap();
        assert_eq!((&end["over"], &end["won"]), (&json!(true), &json!(false)));
        assert_eq!(end["changed"], json!([[0, 3, 0], [0, 2, 0], [0, 1, 1]]));
        assert_eq!((&end["mines"], &end["bbbv"]), (&json!([[0, 0]]), &json!(1)));
        for rule in ["safe-first", "open-first"] {
            let hit = row(rule, &json!([[0, 0]])).unwrap();
            assert_eq!((&hit["over"], &hit["won"]), (&json!(true), &json!(false)));
            let error = row(rule, &json!([[0, 0], [0, 3]])).unwrap_err();
            assert_eq!(error, "click 1: the game is over");
            let won = row(rule, &json!([[0, 3]])).unwrap();
            assert_eq!(
                (&won["over"], &won["won"], &won["score"]),
                (&json!(true), &json!(true), &json!(100.0))
            );
        }
    }

    #[test]
    fn the_changes_begin_with_the_click_that_is_asked_for() {
        let mut request = json!({"rule": "botzone", "width": 3, "height": 3, "mines": [[1, 1]],
            "clicks": [[0, 0], [0, 1], [0, 2]]});
        assert_eq!(answer(&request).unwrap()["changed"], json!([[0, 2, 1]]));
        request["since"] = json!(1);
        assert_eq!(answer(&request).unwrap()["changed"], json!([[0, 1, 1], [0, 2, 1]]));
        assert_eq!(answer(&request).unwrap()["bbbv"], json!(8));
    }

    #[test]
    fn a_botzone_seed_lays_the_official_board_and_the_first_click_decides_the_others() {
        let game = |rule: &str, clicks: Value| {
            json!({"rule": rule, "width": 30, "height": 20, "minecount": 80, "seed": 12345,
                "clicks": clicks})
        };
        let field =
            Field::generate(Shape::new(20, 30).unwrap(), 80, &mut game::glibc::Rand::new(12345))
                .unwrap();
        let layout = PageRequest::read(&game("botzone", json!([])).to_string()).unwrap();
        let mines: Vec<Cell> = field.mines().collect();
        let laid = lay(&layout).unwrap().to_value();
        assert_eq!(laid["mines"], json!(list_coordinates(field.shape(), &mines)));
        for first in [[0, 0], [7, 9], [19, 29]] {
            let safe = answer(&game("safe-first", json!([first]))).unwrap();
            assert_eq!(safe["hits"], 0);
            let open = answer(&game("open-first", json!([first]))).unwrap();
            assert_eq!(open["changed"][0], json!([first[0], first[1], 0]));
        }
        let untouched = answer(&game("open-first", json!([]))).unwrap();
        assert_eq!((&untouched["bbbv"], &untouched["changed"]), (&Value::Null, &json!([])));
    }

    #[test]
    fn a_game_that_an_earlier_page_wrote_is_the_same_game() {
        let game = |rule: &str| row(rule, &json!([[0, 3]])).unwrap();
        assert_eq!(game("opens-first"), game("open-first"));
    }

    #[test]
    fn what_cannot_be_played_is_one_line() {
        let game = |change: Value| {
            let mut game = json!({"rule": "safe-first", "width": 2, "height": 2, "minecount": 1,
                "clicks": [[0, 0]]});
            game.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            answer(&game).unwrap_err()
        };
        assert_eq!(game(json!({"minecount": 4})), "4 mines do not fit into 3 cells");
        assert_eq!(game(json!({"minecount": 4, "clicks": []})), "4 mines do not fit into 3 cells");
        assert_eq!(
            game(json!({"clicks": [[0, 2]]})),
            "(0,2) is no cell of the field: it has 2 rows and 2 columns, from 0"
        );
        assert_eq!(game(json!({"clicks": [[0, 0], [0, 0]]})), "click 1: (0,0) is open already");
        assert_eq!(game(json!({"mines": [[0, 1], [0, 1]]})), "mine index 1 occurs twice");
        assert!(game(json!({"width": 0})).contains("at least"), "{}", game(json!({"width": 0})));
    }
}
