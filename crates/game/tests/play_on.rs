//! Games that are played on from a position.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use game::board_file::Layout;
use game::field::Field;
use game::play_on::{KnownPositions, PlayedOn, play_from};
use game::referee::Referee;
use game::rule::Rule;
use game::simulate::GuessObserver;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::settings::params::Effort;

/// Under the classic rules a hit ends the game.
struct NoLuck;

impl GuessObserver for NoLuck {
    fn add_click(&mut self, _: &Board, _: Cell, _: bool) {}

    fn survive(&mut self, _: &Board, _: Cell, _: &mut Referee) -> bool {
        false
    }
}

fn played(board: &Board, field: &Field, first: Cell, rule: Rule) -> Option<PlayedOn> {
    let mut engine = Engine::new(rule.objective(), Effort::Fast);
    let policy = (&mut engine, &mut KnownPositions::default());
    play_from(board, field.clone(), &[first], rule, policy, &mut NoLuck)
}

/// A player who copies a board puts in a zero before its neighbours.
#[test]
fn the_hidden_neighbours_of_a_zero_are_open_from_the_beginning() {
    let mut random = fastrand::Rng::with_seed(4);
    let shape = Shape::new(6, 6).unwrap();
    let (mut compared, mut with_hits) = (0, 0);
    while compared < 300 {
        let mines: Vec<usize> = random.choose_multiple(0..shape.len(), 7);
        let cells: Vec<Cell> = shape.cells().collect();
        let field = Layout { shape, first: cells[0], mines: mines.clone() }.field();
        let zero = cells[random.usize(0..cells.len())];
        if field.is_mine(zero) || field.value(zero) != 0 {
            continue;
        }
        let mut alone = Board::new(shape, 7);
        alone.open(zero, CellState::Number(0));
        let mut whole = Board::new(shape, 7);
        for &(cell, number) in Referee::new(field.clone(), 7).open_beforehand(zero) {
            whole.open(cell, CellState::Number(number));
        }
        let hidden: Vec<Cell> = whole.hidden().collect();
        let first = hidden[random.usize(0..hidden.len())];
        for rule in [Rule::Botzone, Rule::SafeFirst] {
            let [of_alone, of_whole] =
                [&alone, &whole].map(|board| played(board, &field, first, rule));
            let is_over = whole.hidden_len() == 7;
            assert_eq!(of_whole.is_none(), is_over);
            let expected = of_whole.unwrap_or(PlayedOn { hits: 0, rest: 0.0 });
            assert_eq!(of_alone, Some(expected), "{mines:?} {zero:?} {first:?} {rule:?}");
            with_hits += u32::from(expected.hits > 0);
        }
        compared += 1;
    }
    assert!(with_hits > 50, "{with_hits}");
}
