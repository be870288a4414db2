//! The deadline inside every long loop: a clock that runs out at any of its looks.
#![cfg(feature = "judge")]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::cell::Cell as Counter;
use std::time::Duration;

use proptest::prelude::*;
use sapper::board::Board;
use sapper::budget::{Clock, NoClock};
use sapper::engine::Engine;
use sapper::game::pattern::{Pattern, Recipe, request_of};
use sapper::geometry::Shape;
use sapper::guess::Objective;
use sapper::params::Effort;
use sapper::protocol::inputs;
use sapper::session::{Answer, Session};

/// Stands still for so many looks, and then is an hour late.
struct RunsOut {
    after: u64,
    looks: Counter<u64>,
}

impl RunsOut {
    fn after(after: u64) -> RunsOut {
        RunsOut { after, looks: Counter::new(0) }
    }
}

impl Clock for RunsOut {
    fn elapsed(&self) -> Duration {
        let looks = self.looks.get() + 1;
        self.looks.set(looks);
        if looks > self.after { Duration::from_secs(3600) } else { Duration::ZERO }
    }
}

/// Answers the position under this clock, and looks at the rest of the board after it.
fn answer(board: &Board, clock: &dyn Clock, effort: Effort) -> Answer {
    let input = inputs(request_of(board).as_bytes()).next().unwrap().unwrap();
    let mut session = Session::with(Engine::new(Objective::FewestHits, effort));
    let answer = session.answer(input, clock, |_| {}).unwrap();
    let late = session.late_warnings(&answer, clock);
    assert_eq!((&answer.warnings[..], &late[..]), (&[][..], &[][..]));
    let (row, column) = (answer.place.row.into(), answer.place.col.into());
    let cell = board.shape().cell(row, column).unwrap();
    assert!(board.is_hidden(cell));
    assert!(answer.decision.is_some(), "the search panicked");
    answer
}

/// Answers under a clock that runs out at each look, or at `most` of them. Returns the looks there are.
fn at_every_look(recipe: &Recipe, effort: Effort, most: u64) -> u64 {
    let (board, field) = (recipe.hard_board(), recipe.field());
    let never = RunsOut::after(u64::MAX);
    let whole = answer(&board, &never, effort);
    let looks = never.looks.get();
    assert_eq!(answer(&board, &NoClock, effort), whole);
    let mut cut_short = 0;
    for after in (0..=looks).step_by(looks.div_ceil(most).max(1) as usize) {
        let clock = RunsOut::after(after);
        let early = answer(&board, &clock, effort);
        // Once it has run out, nothing long may follow: only the steps that then see it.
        let seen = clock.looks.get().saturating_sub(after);
        assert!(seen < 200, "{recipe}: {seen} looks after it ran out at {after} of {looks}");
        let decision = early.decision.as_ref().unwrap();
        assert!(!decision.by.is_proof() || !field.is_mine(decision.cell()), "{recipe}");
        cut_short += u64::from(early.decision != whole.decision);
    }
    assert_eq!(answer(&board, &RunsOut::after(looks), effort), whole, "{recipe}");
    assert!(cut_short > 0 || looks < 20, "{recipe}: the clock makes no difference");
    looks
}

fn recipe(line: &str) -> Recipe {
    line.parse().unwrap()
}

#[test]
fn whenever_the_clock_runs_out_the_answer_is_legal() {
    // Deduction to its end, counting forward and backward, balancing, looking ahead, the endgame.
    let looks: Vec<u64> = [
        ("40 13 35% 7 lattice", Effort::Fast, 40),
        ("60 15 25% 7 rows", Effort::Fast, 40),
        ("30 16 21% 1 scattered15", Effort::Standard, 40),
        ("9 9 20% 1 lattice", Effort::Full, 60),
        ("80 40 35% 8 lattice", Effort::Fast, 20),
    ]
    .map(|(line, effort, most)| at_every_look(&recipe(line), effort, most))
    .to_vec();
    assert!(looks.iter().any(|&looks| looks > 100), "{looks:?}: nothing long was tried");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_same_of_small_positions_at_every_look(
        (rows, columns, percent, seed, chance) in
            (1..=9_u64, 1..=9_u64, 5..50_u32, any::<u64>(), 0..80_u8)
    ) {
        let shape = Shape::new(rows, columns).unwrap();
        let recipe = Recipe { shape, percent, seed, pattern: Pattern::Scattered(chance) };
        // Where all cells are open there is nothing to answer.
        if recipe.hard_board().hidden_len() > 0 {
            at_every_look(&recipe, Effort::Fast, 25);
        }
    }
}
