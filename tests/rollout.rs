//! Layouts drawn at random, and the choice by playouts, against all layouts.

// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod playouts;
mod twin;

use std::collections::BTreeSet;

use playouts::{GUESSES, GuessPosition, OBJECTIVES, TURN, by_odds, engine_game, guesses_of_both};
use sapper::base::budget::Budget;
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, EndgameLimits, PlayoutSettings, RolloutLimits, SearchLimits};
use sapper::base::rng::Random;
use sapper::board::geometry::Shape;
use sapper::board::text_format::Picture;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::search::guess::Candidate;
use sapper::search::rollout::halving::SequentialHalving;

#[test]
fn every_layout_is_drawn_as_often() {
    for picture in GUESSES {
        let guess = GuessPosition::parse(picture);
        let mut draws = guess.draws();
        let mut random = Random::new(1);
        let mut layouts = guess.layouts();
        layouts.iter_mut().for_each(|mines| mines.sort_unstable());
        layouts.sort();
        let mut counts = vec![0_u32; layouts.len()];
        let each = 100;
        for _ in 0..each * layouts.len() {
            let drawn = draws.draw(&mut random, &mut Budget::unlimited()).unwrap();
            let mut mines = drawn.to_vec();
            mines.sort_unstable();
            // Only layouts that fit are drawn.
            counts[layouts.binary_search(&mines).unwrap()] += 1;
        }
        let off = |count: &u32| (f64::from(*count) - each as f64).powi(2) / each as f64;
        let (chi, freedom) = (counts.iter().map(off).sum::<f64>(), (counts.len() - 1) as f64);
        // Normal for so many degrees of freedom.
        let z = (chi - freedom) / (2.0 * freedom).sqrt();
        assert!(z.abs() < 4.0, "{picture}: {} layouts, {z}", counts.len());
    }
}

/// The layouts of this field are more than a double can count.
#[test]
fn layouts_are_drawn_where_their_number_leaves_the_range_of_a_double() {
    let (rows, columns, mines) = (40, 60, 800);
    let mut board = Board::new(Shape::new(rows, columns).unwrap(), mines);
    let corner = board.shape().cell(0, 0).unwrap();
    board.open(corner, CellState::Number(1));
    let guess = GuessPosition::new(board);
    let mut draws = guess.draws();
    let mut random = Random::new(2);
    for _ in 0..50 {
        let drawn = draws.draw(&mut random, &mut Budget::unlimited()).unwrap().to_vec();
        let distinct: BTreeSet<_> = drawn.iter().collect();
        assert_eq!((drawn.len(), distinct.len()), (mines as usize, mines as usize));
        let around = guess.board.shape().neighbours(corner);
        assert_eq!(around.iter().filter(|cell| distinct.contains(cell)).count(), 1);
    }
}

#[test]
fn playouts_choose_what_costs_least() {
    let full = Effort::Full.limits().rollouts.unwrap();
    for (picture, objective) in guesses_of_both() {
        let guess = GuessPosition::parse(picture);
        let candidate = |cell| Candidate { cell, odds: guess.odds().of(cell), cost: 0.0 };
        let candidates: Vec<Candidate> = guess.openable().into_iter().map(candidate).collect();
        // Exactly, over all layouts.
        let layouts = guess.layouts();
        let cost = |candidate: &Candidate| {
            let cost = |mines: &Vec<_>| {
                let field = guess.field(mines);
                let game = engine_game(&mut by_odds(), guess.board, &field, candidate.cell);
                let is_clean_win = objective == Objective::CleanWin;
                f64::from(if is_clean_win { game.hits.min(1) } else { game.hits })
            };
            layouts.iter().map(cost).sum::<f64>() / layouts.len() as f64
        };
        let least = candidates.iter().map(cost).fold(f64::INFINITY, f64::min);
        let limits = RolloutLimits { prior_std: 1.0, initial_playouts: 500, ..full };
        let mut halving = SequentialHalving::new(objective, PlayoutSettings::BY_ODDS);
        let budget = &mut Budget::unlimited();
        let result = halving.choose(guess.at(), &candidates, limits, budget).unwrap();
        let chosen = candidates.iter().find(|candidate| candidate.cell == result.cell);
        let chosen = chosen.map(cost).unwrap();
        assert!(chosen < least + 0.02, "{picture}{objective:?}: {chosen} {least}");
    }
}

#[test]
fn impossible_numbers_are_ignored_in_playouts_too() {
    // A 0 beside a mine that was hit, and a 7 beside three cells.
    let picture: Picture = "6 3 9\n!2???!\n0?????\n7?????\n".parse().unwrap();
    let board = picture.board(picture.known_mines()).unwrap_or_else(|error| error.board);
    assert!(!board.reasons().is_empty());
    for objective in OBJECTIVES {
        for effort in [Effort::Standard, Effort::Full] {
            let nothing = EndgameLimits::NONE;
            let limits = SearchLimits { endgame: nothing, tiny_field: nothing, ..effort.limits() };
            let mut engine = Engine::within(objective, limits);
            let decision = engine.decide(&board, TURN).unwrap();
            assert!(board.is_hidden(decision.cell()));
            // For clean wins they begin later. A number that is not ignored would abort every
            // playout at its first count.
            let has_rollouts = effort == Effort::Full && objective == Objective::FewestHits;
            assert!(decision.playouts > 0 || !has_rollouts, "{decision:?}");
        }
    }
}
