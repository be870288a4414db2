//! The deadline inside every long loop: a clock that expires at each of its readings.
#![cfg(feature = "judge")]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::backtrace::Backtrace;
use std::cell::{Cell as Slot, RefCell};
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
use sapper::referee::pattern::{Pattern, Recipe, request_of};

/// Readings that may follow the one at which the clock expired: one of each step that was still to
/// come, and one of each component that is balanced.
const MAX_AFTER: u64 = 40;

/// Stands still for so many readings, and then is an hour late.
struct Expiring {
    after: u64,
    readings: Slot<u64>,
    /// The time of the first reading that was late.
    late: Slot<Option<ThreadTime>>,
}

impl Expiring {
    fn after(after: u64) -> Expiring {
        Expiring { after, readings: Slot::new(0), late: Slot::new(None) }
    }

    /// The time spent after that reading.
    fn worked_on(&self) -> Duration {
        self.late.get().map_or(Duration::ZERO, |late| late.elapsed())
    }
}

impl Clock for Expiring {
    fn elapsed(&self) -> Duration {
        let readings = self.readings.get() + 1;
        self.readings.set(readings);
        if readings <= self.after {
            return Duration::ZERO;
        }
        self.late.set(self.late.get().or_else(|| Some(ThreadTime::now())));
        Duration::from_secs(3600)
    }
}

/// Stands still, and records the modules of the bot on the stack of each reading, by their paths.
#[derive(Default)]
struct Watching {
    modules: RefCell<BTreeSet<String>>,
}

impl Clock for Watching {
    fn elapsed(&self) -> Duration {
        let stack = Backtrace::force_capture().to_string();
        for path in stack.split("sapper::").skip(1) {
            // The folder and the file, or the file and an item.
            let names = path.split("::").filter(|name| !name.starts_with('<'));
            let module: Vec<&str> = names.take(3).collect();
            for len in 1..=module.len() {
                self.modules.borrow_mut().insert(module[..len].join("::"));
            }
        }
        Duration::ZERO
    }
}

/// Answers the position under this clock, and checks the rest of the board after it.
fn answer(board: &Board, clock: &dyn Clock, limits: SearchLimits) -> (Answer, Vec<String>) {
    let input = inputs(request_of(board).as_bytes()).next().unwrap().unwrap();
    let mut session = Session::with(Engine::within(Objective::FewestHits, limits));
    let answer = session.answer(input, clock, |_| {}).unwrap();
    let late = session.late_warnings(&answer, clock);
    let (row, column) = (answer.place.row.into(), answer.place.col.into());
    let cell = board.shape().cell(row, column).unwrap();
    assert!(board.is_hidden(cell));
    assert!(answer.decision.is_some(), "the search panicked");
    (answer, late)
}

/// Answers under a clock that expires at each of its first `every` readings, and at some of the
/// later ones. Returns the number of readings.
fn at_every_reading(recipe: &Recipe, board: &Board, limits: SearchLimits, every: u64) -> u64 {
    let field = recipe.field();
    let never = Expiring::after(u64::MAX);
    let start = ThreadTime::now();
    let whole = answer(board, &never, limits);
    let (readings, took) = (never.readings.get(), start.elapsed());
    assert_eq!(answer(board, &NoClock, limits), whole);
    let mut cut_short = 0;
    let later = (every..readings).step_by((readings.saturating_sub(every) / 12).max(1) as usize);
    for after in (0..readings.min(every)).chain(later) {
        let clock = Expiring::after(after);
        let (early, late) = answer(board, &clock, limits);
        let worked = clock.worked_on();
        let most = took / 4 + Duration::from_millis(5);
        assert!(
            worked < most,
            "{recipe}: {worked:?} of {took:?} after reading {after} of {readings}"
        );
        assert_eq!((&early.warnings[..], &late[..]), (&[][..], &[][..]), "{recipe}");
        // Once it has expired, nothing long may follow: only the steps that then see it.
        let seen = clock.readings.get() - after;
        assert!(
            seen <= MAX_AFTER,
            "{recipe}: {seen} readings after it expired at {after} of {readings}"
        );
        let decision = early.decision.as_ref().unwrap();
        assert!(!decision.by.is_proof() || !field.is_mine(decision.cell()), "{recipe}");
        cut_short += u64::from(early.decision != whole.0.decision);
    }
    assert_eq!(answer(board, &Expiring::after(readings), limits), whole, "{recipe}");
    assert!(cut_short > 0 || readings < 20, "{recipe}: the clock makes no difference");
    readings
}

/// All loops of full effort, with so few playouts that a clock may expire at each reading.
fn full() -> SearchLimits {
    let full = Effort::Full.limits();
    let few = |rollouts| RolloutLimits {
        margin: 1.0,
        candidates: 3,
        initial_playouts: 2,
        nodes: 20_000,
        ..rollouts
    };
    SearchLimits { rollouts: full.rollouts.map(few), ..full }
}

fn recipe(line: &str) -> Recipe {
    line.parse().unwrap()
}

#[test]
fn whenever_the_clock_expires_the_answer_is_legal() {
    let (fast, standard) = (Effort::Fast.limits(), Effort::Standard.limits());
    let mut readings = 0;
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
        readings += at_every_reading(&recipe, &board, limits, every);
        let watching = Watching::default();
        answer(&board, &watching, limits);
        modules.append(&mut watching.modules.borrow_mut());
    }
    assert!(readings > 1000, "{readings}: nothing long was tried");
    // Names of what was inlined are known where the build has them.
    for module in [
        "deduction::deducer",
        "probability::elimination_order",
        "probability::frontier_dp",
        "probability::mine_total",
        "probability::balance",
        "search::two_ply",
        "search::endgame::layouts",
        "search::endgame::sets",
        "search::rollout::halving",
        "search::rollout::playout",
    ] {
        assert!(
            modules.contains(module) || !cfg!(debug_assertions),
            "{module} never reads the clock: {modules:?}"
        );
    }
}

#[test]
fn the_same_holds_for_contradictory_boards() {
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
        let (never, watching) = (Expiring::after(u64::MAX), Watching::default());
        let (whole, late) = answer(&board, &never, full());
        assert_eq!(whole.decision.unwrap().by, Step::Rough, "{line}");
        assert!(!late.is_empty(), "{line}");
        answer(&board, &watching, full());
        assert!(
            watching.modules.borrow().contains("probability::inconsistency")
                || !cfg!(debug_assertions)
        );
        for after in 0..never.readings.get().min(300) {
            let clock = Expiring::after(after);
            answer(&board, &clock, full());
            assert!(clock.readings.get() - after <= MAX_AFTER, "{line}: continues after {after}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_same_holds_for_small_positions(
        (rows, columns, percent, seed, chance, effort) in
            (1..=9_u64, 1..=9_u64, 5..50_u32, any::<u64>(), 0..80_u8, 0..8_u8)
    ) {
        let shape = Shape::new(rows, columns).unwrap();
        let recipe = Recipe { shape, percent, seed, pattern: Pattern::Scattered(chance) };
        let limits = if effort == 0 { full() } else { Effort::Fast.limits() };
        let board = recipe.hard_board();
        // Where all cells are open there is nothing to answer.
        if board.hidden_len() > 0 {
            at_every_reading(&recipe, &board, limits, 40);
        }
    }
}
