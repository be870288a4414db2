//! Properties of every position and every input.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use proptest::prelude::*;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::{Answer, Session};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::protocol::inputs;
use sapper::settings::budget::{Budget, NoClock};
use sapper::settings::params::{Effort, EndgameLimits, Objective, RolloutLimits, SearchLimits};

/// A session of fast effort, or with all steps of full effort under small limits.
fn session(is_full: bool) -> Session {
    let limits = if is_full {
        let few = |rollouts| RolloutLimits {
            margin: 1.0,
            initial_playouts: 2,
            nodes: 20_000,
            ..rollouts
        };
        let full = Effort::Full.limits();
        let endgame = EndgameLimits { nodes: 200_000, ..full.endgame };
        SearchLimits { endgame, tiny_field: endgame, rollouts: full.rollouts.map(few), ..full }
    } else {
        Effort::Fast.limits()
    };
    Session::with(Engine::within(Objective::FewestHits, limits))
}

fn respond_with(text: &str, is_full: bool) -> Result<Answer, ReadError> {
    let input = inputs(text.as_bytes()).next().unwrap().map_err(ReadError::Json)?;
    session(is_full).answer(input, &NoClock, |_| {})
}

fn respond(text: &str) -> Result<Answer, ReadError> {
    respond_with(text, false)
}

fn odds_of(board: &Board) -> Odds {
    let position = board.position();
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
    let mut solver = ProbabilitySolver::default();
    solver.run(deduced, &mut Budget::unlimited()).unwrap().odds().clone()
}

/// A layout and the cells that were opened, in order.
#[derive(Clone, Debug)]
struct Game {
    shape: Shape,
    mined: Vec<bool>,
    opened: Vec<Cell>,
}

impl Game {
    fn shown(&self, cell: Cell) -> CellState {
        if self.mined[cell.index()] {
            return CellState::Hit;
        }
        let mine = |other: &&Cell| self.mined[other.index()];
        CellState::Number(self.shape.neighbours(cell).iter().filter(mine).count() as u8)
    }

    fn board(&self) -> Board {
        let mines = self.mined.iter().filter(|mine| **mine).count();
        let mut board = Board::new(self.shape, mines as u32);
        for &cell in &self.opened {
            board.open(cell, self.shown(cell));
        }
        board
    }

    /// The same game on another field, with the image of each cell under `transform`.
    fn transformed(
        &self,
        shape: Shape,
        transform: impl Fn(u32, u32) -> (u32, u32),
    ) -> (Game, Vec<Cell>) {
        let images: Vec<Cell> = self
            .shape
            .cells()
            .map(|cell| {
                let (row, column) = transform(self.shape.row(cell), self.shape.column(cell));
                shape.cell(row.into(), column.into()).unwrap()
            })
            .collect();
        let mut mined = vec![false; shape.len()];
        for cell in self.shape.cells() {
            mined[images[cell.index()].index()] = self.mined[cell.index()];
        }
        let opened = self.opened.iter().map(|cell| images[cell.index()]).collect();
        (Game { shape, mined, opened }, images)
    }
}

fn games() -> impl Strategy<Value = Game> {
    (1..=12_u64, 1..=12_u64).prop_flat_map(|(rows, columns)| {
        let shape = Shape::new(rows, columns).unwrap();
        let mined = prop::collection::vec(prop::bool::weighted(0.22), shape.len());
        let opened = prop::collection::vec(0..shape.len() as u32, 0..shape.len().min(60));
        (mined, opened, prop::bool::weighted(0.3)).prop_map(move |(mined, opened, hits)| {
            let opened = opened.into_iter().map(Cell::from_index);
            let opened = opened.filter(|cell| hits || !mined[cell.index()]).collect();
            Game { shape, mined, opened }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn odds_sum_to_the_mines_left_and_proofs_are_true(game in games()) {
        let board = game.board();
        let odds = odds_of(&board);
        let sum: f64 = board.hidden().map(|cell| odds.of(cell)).sum();
        let left = f64::from(board.mines() - board.hits());
        prop_assert!((sum - left).abs() < 1e-9 * left.max(1.0), "{sum} {left}");
        prop_assert!(odds.safe().iter().all(|cell| !game.mined[cell.index()]));
        prop_assert!(odds.mines().iter().all(|cell| game.mined[cell.index()]));
    }

    #[test]
    fn a_mirrored_or_rotated_board_has_mirrored_or_rotated_odds(game in games()) {
        let odds = odds_of(&game.board());
        let (rows, columns) = (game.shape.rows(), game.shape.columns());
        let transposed = Shape::new(columns.into(), rows.into()).unwrap();
        let transformed = [
            game.transformed(game.shape, |row, column| (row, columns - 1 - column)),
            game.transformed(game.shape, |row, column| (rows - 1 - row, column)),
            game.transformed(transposed, |row, column| (column, row)),
            game.transformed(transposed, |row, column| (column, rows - 1 - row)),
        ];
        for (other, images) in transformed {
            let other_odds = odds_of(&other.board());
            for cell in game.board().hidden() {
                let (here, there) = (odds.of(cell), other_odds.of(images[cell.index()]));
                prop_assert!((here - there).abs() < 1e-12);
                prop_assert_eq!(here == 0.0, there == 0.0);
                prop_assert_eq!(here == 1.0, there == 1.0);
            }
        }
    }

    #[test]
    fn opening_a_safe_cell_keeps_all_proofs(game in games()) {
        let mut board = game.board();
        let before = odds_of(&board);
        let Some(&safe) = before.safe().first() else { return Ok(()) };
        board.open(safe, game.shown(safe));
        let after = odds_of(&board);
        let mut still_hidden = before.safe().iter().filter(|cell| **cell != safe);
        prop_assert!(still_hidden.all(|&cell| after.of(cell) == 0.0));
        prop_assert!(before.mines().iter().all(|&cell| after.of(cell) == 1.0));
    }
}

const INVALID: [&str; 5] = ["-1", "10", "99", "2147483647", "-2147483648"];

/// The height, the width and the requests of a history; a few values are invalid.
fn requests() -> impl Strategy<Value = (i64, i64, Vec<String>)> {
    let number = |range: std::ops::Range<i64>| {
        prop_oneof![
            20 => range.prop_map(|value| value.to_string()),
            1 => prop::sample::select(&INVALID[..]).prop_map(str::to_owned),
        ]
    };
    (1..=9_i64, 1..=9_i64, 0..30_i64).prop_flat_map(move |(height, width, mines)| {
        let cell = (number(0..height), number(0..width), number(0..10))
            .prop_map(|(row, col, val)| format!(r#"{{"row":{row},"col":{col},"val":{val}}}"#));
        let changed = prop::collection::vec(cell, 0..6);
        let request = changed.prop_map(move |cells| {
            let cells = cells.join(",");
            format!(
                r#"{{"height":{height},"width":{width},"minecount":{mines},"changed":[{cells}]}}"#
            )
        });
        prop::collection::vec(request, 1..6).prop_map(move |requests| (height, width, requests))
    })
}

fn history(requests: &[String]) -> String {
    format!(r#"{{"requests":[{}],"responses":[]}}"#, requests.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Most of these histories are contradictory.
    #[test]
    fn readable_inputs_are_answered_with_a_hidden_cell((height, width, requests) in requests()) {
        match respond(&history(&requests)) {
            Ok(answer) => {
                let (line, board) = (answer.line(), answer.board);
                let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
                let (row, column) =
                    (&answer["response"]["row"], &answer["response"]["col"]);
                let cell = board.shape().cell(row.as_i64().unwrap(), column.as_i64().unwrap());
                prop_assert!(cell.is_some_and(|cell| board.is_hidden(cell)));
                prop_assert_eq!(respond(&history(&requests)).unwrap().line(), line);
            }
            Err(ReadError::NoHiddenCell) => {
                let mut text = String::new();
                requests.iter().for_each(|request| write!(text, "{request}").unwrap());
                prop_assert!(text.matches("\"val\"").count() as i64 >= height * width);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn whole_histories_and_bare_requests_give_the_same_answers(
        (_, _, requests) in requests(),
        is_full in prop::bool::weighted(0.1),
    ) {
        let mut session = session(is_full);
        for turn in 0..requests.len() {
            let bare = serde_json::from_str(&requests[turn]).unwrap();
            let from_history = respond_with(&history(&requests[..=turn]), is_full);
            let answer = session.answer(bare, &NoClock, |_| {});
            prop_assert_eq!(answer.ok(), from_history.ok());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A session may read the whole history at any turn, and bare requests at the others.
    #[test]
    fn histories_and_bare_requests_may_be_mixed(
        (_, _, requests) in requests(),
        sends_history in prop::collection::vec(any::<bool>(), 6),
    ) {
        let mut session = session(false);
        for turn in 0..requests.len() {
            let so_far = history(&requests[..=turn]);
            let next = if sends_history[turn] { &so_far } else { &requests[turn] };
            let answer = session.answer(serde_json::from_str(next).unwrap(), &NoClock, |_| {});
            let from_history = respond(&so_far).ok();
            let line = |answer: Answer| answer.line();
            prop_assert_eq!(answer.ok().map(line), from_history.map(line));
        }
    }
}
