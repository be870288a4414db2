//! Layouts drawn at random, and the choice by playouts, against all layouts.

// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use sapper::board::geometry::{Cell, Shape};
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::kit::rng::Random;
use sapper::search::guess::Candidate;
use sapper::search::rollout::halving::SequentialHalving;
use sapper::settings::budget::Budget;
use sapper::settings::params::{
    Effort, EndgameLimits, Objective, PlayoutSettings, RolloutLimits, SearchLimits,
};
use twin::playouts::{
    GUESSES, GuessPosition, OBJECTIVES, TURN, by_odds, engine_game, guesses_of_both,
};

/// Fields of several components with numbers of mines that vary, all but the second with
/// unconstrained cells. Each has the mines that a close layout may move at most, as a share of
/// those that an independent one moves.
const COMPONENTS: [(&str, f64); 3] = [
    ("11 2 5\n?1?1??1?1??\n???????????\n", 0.55),
    ("9 2 4\n?1?1??2?1\n?????????\n", 0.69),
    ("13 2 5\n?1?1???1?1???\n?????????????\n", 0.55),
];

/// All fields with their shares. The third has one component and no unconstrained cell, so that
/// nothing can be taken over.
fn fields() -> impl Iterator<Item = (&'static str, f64)> {
    GUESSES.into_iter().zip([0.45, 0.40, 1.05, 0.42]).chain(COMPONENTS)
}

/// How far counts, each of which is expected to be `each`, are from uniform: a normal number, for
/// as many degrees of freedom as there are layouts.
fn deviation(counts: &[u32], each: f64) -> f64 {
    let off = |count: &u32| (f64::from(*count) - each).powi(2) / each;
    let (chi, freedom) = (counts.iter().map(off).sum::<f64>(), (counts.len() - 1) as f64);
    (chi - freedom) / (2.0 * freedom).sqrt()
}

/// The mines of all layouts, and the layouts, in order.
fn sorted_layouts(guess: &GuessPosition) -> Vec<Vec<Cell>> {
    let mut layouts = guess.layouts();
    layouts.iter_mut().for_each(|mines| mines.sort_unstable());
    layouts.sort();
    layouts
}

#[test]
fn every_layout_is_drawn_as_often() {
    for (picture, _) in fields() {
        let guess = GuessPosition::parse(picture);
        let mut draws = guess.draws();
        let mut random = Random::new(1);
        let layouts = sorted_layouts(&guess);
        let mut counts = vec![0_u32; layouts.len()];
        let each = 100;
        for _ in 0..each * layouts.len() {
            let drawn = draws.draw(&mut random, &mut Budget::unlimited()).unwrap();
            let mut mines = drawn.to_vec();
            mines.sort_unstable();
            // Only layouts that fit are drawn.
            counts[layouts.binary_search(&mines).unwrap()] += 1;
        }
        let z = deviation(&counts, f64::from(each as u32));
        assert!(z.abs() < 4.0, "{picture}: {} layouts, {z}", counts.len());
    }
}

#[test]
fn every_layout_with_a_safe_cell_is_drawn_as_often_near_those_where_it_is_a_mine() {
    let mut budget = Budget::unlimited();
    for (picture, share) in fields() {
        let guess = GuessPosition::parse(picture);
        let layouts = sorted_layouts(&guess);
        let mut draws = guess.draws();
        let mut random = Random::new(3);
        let (mut moved, mut moved_by_others) = (0, 0);
        for cell in guess.openable().into_iter().step_by(2) {
            let (old, safe): (Vec<_>, Vec<_>) =
                layouts.iter().partition(|mines: &&Vec<Cell>| mines.contains(&cell));
            let mut counts = vec![0_u32; safe.len()];
            let each = 40;
            for _ in 0..each * safe.len() {
                let mines = old[random.below(old.len())];
                let is_old = |other| mines.binary_search(&other).is_ok();
                let near = draws.draw_safe_near(cell, is_old, random.next_u64(), &mut budget);
                let mut near = near.unwrap().to_vec();
                near.sort_unstable();
                counts[safe.binary_search(&&near).unwrap()] += 1;
                let other = draws.draw_safe(cell, &mut random, &mut budget).unwrap();
                let distance = |new: &[Cell]| new.iter().filter(|&&cell| !is_old(cell)).count();
                moved += distance(&near);
                moved_by_others += distance(other);
            }
            let z = deviation(&counts, f64::from(each as u32));
            assert!(z.abs() < 4.0, "{picture}{cell:?}: {} layouts, {z}", counts.len());
        }
        let moved_share = moved as f64 / moved_by_others as f64;
        assert!(moved_share < share, "{picture}: {moved} of {moved_by_others}");
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
        let (best, _) = halving.choose(guess.at(), &candidates, limits, budget).unwrap();
        let chosen = candidates.iter().find(|candidate| candidate.cell == best.cell);
        let chosen = chosen.map(cost).unwrap();
        assert!(chosen < least + 0.02, "{picture}{objective:?}: {chosen} {least}");
    }
}

#[test]
fn impossible_numbers_are_ignored_in_playouts_too() {
    // A 0 beside a mine that was hit, and a 7 beside three cells.
    let picture: BoardText = "6 3 9\n!2???!\n0?????\n7?????\n".parse().unwrap();
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
