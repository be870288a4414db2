//! The deadline inside every long loop: a clock that runs out at each of its looks.
#![cfg(feature = "judge")]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::backtrace::Backtrace;
use std::cell::{Cell as ComponentCounter, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use cpu_time::ThreadTime;
use proptest::prelude::*;
use sapper::base::budget::{Clock, NoClock};
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, RolloutLimits, SearchLimits};
use sapper::board::geometry::Shape;
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Engine, Step};
use sapper::bot::session::{Answer, Session};
use sapper::protocol::inputs;
use sapper::referee::pattern::{Pattern, Recipe, first_request_text};

/// Looks that may follow the one at which the clock ran out: one of each step that was still to come, and one of
/// each component that is balanced.
const MOST_AFTER: u64 = 40;

/// Stands still for so many looks, and then is an hour late.
struct RunsOut {
    after: u64,
    looks: ComponentCounter<u64>,
    /// The first look that found it late.
    late: ComponentCounter<Option<ThreadTime>>,
}

impl RunsOut {
    fn after(after: u64) -> RunsOut {
        RunsOut { after, looks: ComponentCounter::new(0), late: ComponentCounter::new(None) }
    }

    /// What was done after that look.
    fn worked_on(&self) -> Duration {
        self.late.get().map_or(Duration::ZERO, |late| late.elapsed())
    }
}

impl Clock for RunsOut {
    fn elapsed(&self) -> Duration {
        let looks = self.looks.get() + 1;
        self.looks.set(looks);
        if looks <= self.after {
            return Duration::ZERO;
        }
        self.late.set(self.late.get().or_else(|| Some(ThreadTime::now())));
        Duration::from_secs(3600)
    }
}

/// Stands still, and remembers who looked: the modules of the bot on the way to each look.
#[derive(Default)]
struct Watching {
    modules: RefCell<BTreeSet<String>>,
}

impl Clock for Watching {
    fn elapsed(&self) -> Duration {
        let way = Backtrace::force_capture().to_string();
        let names = way.split("sapper::").skip(1).filter_map(|rest| rest.split("::").next());
        self.modules.borrow_mut().extend(names.map(str::to_owned));
        Duration::ZERO
    }
}

/// Answers the position under this clock, and looks at the rest of the board after it.
fn answer(board: &Board, clock: &dyn Clock, limits: SearchLimits) -> (Answer, Vec<String>) {
    let input = inputs(first_request_text(board).as_bytes()).next().unwrap().unwrap();
    let mut session = Session::with(Engine::within(Objective::FewestHits, limits));
    let answer = session.answer(input, clock, |_| {}).unwrap();
    let late = session.late_warnings(&answer, clock);
    let (row, column) = (answer.place.row.into(), answer.place.col.into());
    let cell = board.shape().cell(row, column).unwrap();
    assert!(board.is_hidden(cell));
    assert!(answer.decision.is_some(), "the search panicked");
    (answer, late)
}

/// Answers under a clock that runs out at each of its first looks, `every` of them, and at some of the later ones.
/// Returns the looks there are.
fn at_every_look(recipe: &Recipe, board: &Board, limits: SearchLimits, every: u64) -> u64 {
    let field = recipe.field();
    let never = RunsOut::after(u64::MAX);
    let start = ThreadTime::now();
    let whole = answer(board, &never, limits);
    let (looks, took) = (never.looks.get(), start.elapsed());
    assert_eq!(answer(board, &NoClock, limits), whole);
    let mut cut_short = 0;
    let later = (every..looks).step_by((looks.saturating_sub(every) / 12).max(1) as usize);
    for after in (0..looks.min(every)).chain(later) {
        let clock = RunsOut::after(after);
        let (early, late) = answer(board, &clock, limits);
        let worked = clock.worked_on();
        let most = took / 4 + Duration::from_millis(5);
        assert!(worked < most, "{recipe}: {worked:?} of {took:?} after look {after} of {looks}");
        assert_eq!((&early.warnings[..], &late[..]), (&[][..], &[][..]), "{recipe}");
        // Once it has run out, nothing long may follow: only the steps that then see it.
        let seen = clock.looks.get() - after;
        assert!(
            seen <= MOST_AFTER,
            "{recipe}: {seen} looks after it ran out at {after} of {looks}"
        );
        let decision = early.decision.as_ref().unwrap();
        assert!(!decision.by.is_proof() || !field.is_mine(decision.cell()), "{recipe}");
        cut_short += u64::from(early.decision != whole.0.decision);
    }
    assert_eq!(answer(board, &RunsOut::after(looks), limits), whole, "{recipe}");
    assert!(cut_short > 0 || looks < 20, "{recipe}: the clock makes no difference");
    looks
}

/// All loops of full effort, with so few games played on that a clock may run out at each look.
fn full() -> SearchLimits {
    let full = Effort::Full.limits();
    let few = |rollouts| RolloutLimits {
        margin: 1.0,
        candidates: 3,
        games: 2,
        nodes: 20_000,
        ..rollouts
    };
    SearchLimits { rollouts: full.rollouts.map(few), ..full }
}

fn recipe(line: &str) -> Recipe {
    line.parse().unwrap()
}

#[test]
fn whenever_the_clock_runs_out_the_answer_is_legal() {
    let (fast, standard) = (Effort::Fast.limits(), Effort::Standard.limits());
    let mut looks = 0;
    let mut modules = BTreeSet::new();
    for (line, limits, every) in [
        ("40 13 35% 7 lattice", fast, 60),
        ("24 16 30% 1 lattice", fast, 120),
        ("60 15 25% 7 rows", fast, 200),
        ("80 40 35% 8 lattice", fast, 60),
        ("30 16 21% 1 scattered15", standard, 300),
        ("4 4 40% 1 lattice", standard, 100),
        ("5 5 25% 2 scattered40", full(), 80),
        ("11 11 30% 1 third", full(), 400),
    ] {
        let recipe = recipe(line);
        let board = recipe.hard_board();
        looks += at_every_look(&recipe, &board, limits, every);
        let watching = Watching::default();
        answer(&board, &watching, limits);
        modules.append(&mut watching.modules.borrow_mut());
    }
    assert!(looks > 1000, "{looks}: nothing long was tried");
    // Names of what was inlined are known where the build has them.
    for module in [
        "deduce",
        "order",
        "count",
        "combine",
        "balance",
        "lookahead",
        "layouts",
        "endgame",
        "rollout",
    ] {
        assert!(
            modules.contains(module) || !cfg!(debug_assertions),
            "{module} never looked: {modules:?}"
        );
    }
}

#[test]
fn the_same_of_boards_that_cannot_be() {
    for (line, mines) in
        [("9 9 20% 1 lattice", 2), ("24 16 30% 1 lattice", 20), ("40 13 35% 7 lattice", 60)]
    {
        let recipe = recipe(line);
        let hard = recipe.hard_board();
        let mut board = Board::new(recipe.shape, mines);
        for (cell, shown) in hard.iter().filter(|(_, shown)| matches!(shown, CellState::Number(_)))
        {
            board.open(cell, shown);
        }
        let (never, watching) = (RunsOut::after(u64::MAX), Watching::default());
        let (whole, late) = answer(&board, &never, full());
        assert_eq!(whole.decision.unwrap().by, Step::Rough, "{line}");
        assert!(!late.is_empty(), "{line}");
        answer(&board, &watching, full());
        assert!(watching.modules.borrow().contains("inconsistency") || !cfg!(debug_assertions));
        for after in 0..never.looks.get().min(300) {
            let clock = RunsOut::after(after);
            answer(&board, &clock, full());
            assert!(clock.looks.get() - after <= MOST_AFTER, "{line}: goes on after {after}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_same_of_small_positions_at_every_look(
        (rows, columns, percent, seed, chance, effort) in
            (1..=9_u64, 1..=9_u64, 5..50_u32, any::<u64>(), 0..80_u8, 0..8_u8)
    ) {
        let shape = Shape::new(rows, columns).unwrap();
        let recipe = Recipe { shape, percent, seed, pattern: Pattern::Scattered(chance) };
        let limits = if effort == 0 { full() } else { Effort::Fast.limits() };
        let board = recipe.hard_board();
        // Where all cells are open there is nothing to answer.
        if board.hidden_len() > 0 {
            at_every_look(&recipe, &board, limits, 40);
        }
    }
}
