//! Whole games: no fault, no false proof, the same play in every form.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::time::Duration;

use game::board_file::Layout;
use game::referee::Referee;
use game::rule::Rule;
use game::simulate::play;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Decision, Engine, Step};
use sapper::settings::budget::{Clock, Deadlines, NoClock, Turn};
use sapper::settings::params::{Effort, Objective};

fn random_layout(random: &mut fastrand::Rng) -> Layout {
    let shape = Shape::new(random.u64(1..=20), random.u64(1..=20)).unwrap();
    let mines = match random.usize(0..8) {
        0 => 0,
        1 => shape.len(),
        2 => shape.len() - 1,
        _ => (shape.len() as f64 * random.f64() * 0.35) as usize,
    };
    let mines = random.choose_multiple(0..shape.len(), mines);
    Layout { shape, first: shape.cells().next().unwrap(), mines }
}

/// A turn at a time, each from the board alone, as the platform plays.
fn turn_by_turn(layout: &Layout, clock: &dyn Clock) -> (u32, Vec<Decision>) {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    let mut decisions = Vec::new();
    while !referee.ended() {
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock };
        let decision =
            Engine::new(Objective::FewestHits, Effort::Fast).decide(&board, turn).unwrap();
        let opened = referee.open(decision.cell()).expect("a legal answer");
        assert!(!(decision.by.is_proof() && opened.hit), "{board}{decision:?}");
        for &(cell, value) in opened.changed {
            board.open(cell, CellState::from_value(Some(value.into())));
        }
        assert_eq!(board.reasons(), []);
        decisions.push(decision);
    }
    (referee.hits(), decisions)
}

#[test]
#[ignore = "slow; scripts/check runs it"]
fn opening_all_safe_cells_at_once_changes_no_guess() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut engine = Engine::new(Objective::FewestHits, Effort::Fast);
    let mut guesses = 0;
    for _ in 0..100 {
        let layout = random_layout(&mut random);
        let mut batch: Vec<Cell> = Vec::new();
        let trial = play(&layout, Rule::Botzone, &mut engine, |_, decision, _| {
            if !decision.by.is_proof() {
                batch.push(decision.cell());
            }
        });
        let (hits, decisions) = turn_by_turn(&layout, &NoClock);
        let single: Vec<Cell> =
            decisions.iter().filter(|d| !d.by.is_proof()).map(Decision::cell).collect();
        assert_eq!(batch, single);
        assert_eq!((trial.hits, trial.won), (hits, hits == 0));
        guesses += single.len();
    }
    assert!(guesses > 100);
}

/// A clock that has expired from the start: answers stay legal, and what is claimed is proven.
#[test]
#[ignore = "slow; scripts/check runs it"]
fn an_expired_clock_costs_exact_odds_and_nothing_else() {
    struct Late;
    impl Clock for Late {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(3600)
        }
    }
    let mut random = fastrand::Rng::with_seed(22);
    let mut approximate = 0;
    for _ in 0..60 {
        let layout = random_layout(&mut random);
        let (_, late) = turn_by_turn(&layout, &Late);
        assert!(late.iter().all(|decision| decision.by != Step::Rough));
        approximate += late.iter().filter(|decision| decision.approximate > 0).count();
        let (_, in_time) = turn_by_turn(&layout, &NoClock);
        assert!(in_time.iter().all(|decision| decision.approximate == 0));
    }
    assert!(approximate > 60);
}

/// A classic game by the rules alone, without the referee, a cell at a time: whether every safe
/// cell was opened, and whether a mine was.
fn classic(layout: &Layout, engine: &mut Engine) -> (bool, bool) {
    let shape = layout.shape;
    let mines: HashSet<usize> = layout.mines.iter().copied().collect();
    let mined = |cell: Cell| mines.contains(&cell.index());
    let mut board = Board::new(shape, layout.mines.len() as u32);
    let mut next = layout.first;
    loop {
        let mut clicked = vec![next];
        while let Some(cell) = clicked.pop() {
            if mined(cell) {
                return (false, true);
            }
            let around = shape.neighbours(cell);
            let number = around.iter().filter(|&&neighbour| mined(neighbour)).count();
            if board.open(cell, CellState::Number(number as u8)) && number == 0 {
                clicked.extend(around);
            }
        }
        if shape.cells().all(|cell| board.is_hidden(cell) == mined(cell)) {
            return (true, false);
        }
        let turn = Turn::UNTIMED;
        next = engine.decide(&board, turn).unwrap().cell();
    }
}

/// The classic rules end a game at the first hit, or with the last safe cell.
#[test]
fn classic_games_end_as_the_rules_say() {
    let mut random = fastrand::Rng::with_seed(23);
    let mut engine = Engine::new(Objective::FewestHits, Effort::Fast);
    let (mut won, mut lost) = (0, 0);
    for _ in 0..500 {
        let mut layout = random_layout(&mut random);
        layout.mines.retain(|&mine| mine != layout.first.index());
        let trial = play(&layout, Rule::SafeFirst, &mut engine, |_, _, _| {});
        let (cleared, hit) = classic(&layout, &mut engine);
        assert_eq!((trial.won, trial.hits), (cleared, u32::from(hit)));
        won += u32::from(trial.won);
        lost += trial.hits;
    }
    assert!(won > 100 && lost > 50);
}
