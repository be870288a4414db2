//! What is kept from position to position changes no answer, no odds and no charge.
//!
//! Every position is decided twice: by solvers that have seen all positions before it, and by new
//! ones. Some positions are of a layout, and some have a number or a mine count that is wrong.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use sapper::board::contradiction::Contradiction;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{Group, Position, Premise};
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Engine, Step};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::frontier_dp::ByteLimit;
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::CountedBoard;
use sapper::search::two_ply::Lookahead;
use sapper::settings::budget::{Budget, Turn};
use sapper::settings::params::{Effort, Objective, RolloutLimits, SearchLimits};

/// A board with more hidden cells than enumeration could take, and whether it is corrupted.
fn random_board(random: &mut fastrand::Rng) -> (Board, bool) {
    let shape = Shape::new(random.u64(3..=14), random.u64(3..=14)).unwrap();
    let density = [0.1, 0.16, 0.2, 0.25, 0.4][random.usize(0..5)];
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
    let is_corrupted = random.u8(0..4) == 0;
    let mines = mined.iter().filter(|mine| **mine).count();
    let wrong_by = if is_corrupted && random.bool() { random.usize(0..4) } else { 0 };
    let mut board = Board::new(shape, (mines + wrong_by) as u32);
    let mut order: Vec<Cell> = shape.cells().collect();
    if random.bool() {
        random.shuffle(&mut order);
    }
    let open_share = random.f64();
    for &cell in order.iter().take((open_share * shape.len() as f64) as usize) {
        match random.u8(0..60) {
            0 if is_corrupted => drop(board.open(cell, CellState::Number(random.u8(0..=8)))),
            1 if is_corrupted => drop(board.open(cell, CellState::Illegible)),
            hit if !mined[cell.index()] || hit < 10 => twin::open(&mut board, &mined, cell),
            _ => {}
        }
    }
    (board, is_corrupted)
}

/// The odds of all hidden cells bit by bit, the number of layouts, and the nodes.
fn counted(
    solver: &mut ProbabilitySolver,
    position: &Position,
    nodes: u64,
) -> (Result<String, Contradiction>, u64) {
    let mut deducer = Deducer::default();
    let deduced = match deducer.run(position, Reach::FixedPoint) {
        Ok(deduced) => deduced,
        Err(contradiction) => return (Err(contradiction), 0),
    };
    let mut budget = Budget::of_nodes(nodes);
    let counted = solver.run(deduced, &mut budget).map(|counted| {
        let odds = counted.odds();
        let bits: Vec<u64> = position.hidden.iter().map(|&cell| odds.of(cell).to_bits()).collect();
        format!("{bits:?} {:?} {}", odds.layouts(), odds.approximate())
    });
    (counted, budget.used())
}

#[test]
fn odds_and_charges_do_not_depend_on_the_components_counted_before() {
    let mut random = fastrand::Rng::with_seed(81);
    // Little memory refuses many components; with much, thousands are remembered and forgotten.
    let limits = [ByteLimit(4_000), ByteLimit::default()];
    let solver_within = |limit| {
        let mut solver = ProbabilitySolver::default();
        solver.set_limit(limit);
        solver
    };
    let mut solvers = limits.map(solver_within);
    let (mut corrupted, mut inexact, mut contradictions) = (0, 0, 0);
    for _ in 0..4000 {
        let (board, is_corrupted) = random_board(&mut random);
        let position = board.position();
        let nodes = [u64::MAX, random.u64(0..60_000)][random.usize(0..2)];
        for (limit, solver) in limits.iter().zip(&mut solvers) {
            let found = counted(solver, &position, nodes);
            let anew = counted(&mut solver_within(*limit), &position, nodes);
            assert_eq!(found, anew, "{board}");
            contradictions += usize::from(found.0.is_err());
            inexact += usize::from(found.0.is_ok_and(|found| found.contains("None")));
        }
        corrupted += usize::from(is_corrupted);
    }
    // The positions must be of all kinds.
    let kinds = (corrupted, inexact, contradictions);
    assert!(corrupted > 500 && inexact > 500 && contradictions > 100, "{kinds:?}");
}

/// The position in which `cell` shows `shown`, built from what deduction has left of the board.
fn position_after(
    board: &Board,
    base: &Position,
    cell: Cell,
    shown: CellState,
) -> Result<Position, Contradiction> {
    let is_mine = shown == CellState::Hit;
    let mut position = Position { premises: Vec::new(), ..base.clone() };
    position.hidden.retain(|&other| other != cell);
    position.mines = base.mines.saturating_sub(u32::from(is_mine));
    for Premise { source, group } in &base.premises {
        let others = group.cells().iter().copied().filter(|&other| other != cell);
        let mine = i64::from(is_mine && group.contains(cell));
        let group = Group::new(others.collect(), i64::from(group.mines()) - mine)?;
        position.premises.extend(group.map(|group| Premise { source: *source, group }));
    }
    if let CellState::Number(number) = shown {
        let around = board.shape().neighbours(cell);
        let (undecided, decided): (Vec<Cell>, Vec<Cell>) =
            around.into_iter().partition(|other| base.hidden.contains(other));
        let is_mine =
            |cell: &&Cell| matches!(board.state(**cell), CellState::Hidden | CellState::Hit);
        let known = decided.iter().filter(is_mine).count() as i64;
        let group = Group::new(undecided.into_iter().collect(), i64::from(number) - known)?;
        position.premises.extend(group.map(|group| Premise { source: cell, group }));
    }
    Ok(position)
}

/// The nodes of solving a position anew, and its number of layouts; `None` where it has none.
fn solved_anew(position: &Position) -> (u64, Option<f64>) {
    let mut budget = Budget::unlimited();
    let mut deducer = Deducer::default();
    let deduced = deducer.run_within(position, Reach::FirstSafe, &mut budget);
    let layouts =
        deduced.and_then(|deduced| ProbabilitySolver::default().layout_count(deduced, &mut budget));
    (budget.used(), layouts.ok().map(|layouts| layouts.unwrap().to_f64()))
}

#[test]
fn a_look_ahead_finds_and_charges_what_solving_each_outcome_anew_does() {
    let mut random = fastrand::Rng::with_seed(82);
    let (mut lookahead, mut solver) = (Lookahead::default(), ProbabilitySolver::default());
    let (mut outcomes, mut without_layout, mut corrupted, mut kept_groups) = (0, 0, 0, 0);
    for _ in 0..1500 {
        let (board, is_corrupted) = random_board(&mut random);
        let position = board.position();
        let mut deducer = Deducer::default();
        let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { continue };
        let Ok(counted) = solver.run(deduced, &mut Budget::unlimited()) else { continue };
        let at = CountedBoard { board: &board, counted };
        let Some(mut two_ply) = lookahead.begin(at) else { continue };
        if !counted.odds().safe().is_empty() {
            continue;
        }
        let base = deduced.undecided();
        let mut first = Lookahead::default();
        let mut first = first.begin(at).unwrap();
        let all = counted.odds().layouts().unwrap().to_f64();
        for &cell in base.hidden.iter().filter(|&&cell| counted.odds().of(cell) < 1.0).take(12) {
            for shown in two_ply.numbers(cell).chain([CellState::Hit]) {
                let [mut budget, mut again] = [(); 2].map(|()| Budget::unlimited());
                let found = two_ply.outcome(cell, shown, &mut budget).unwrap();
                assert_eq!(found, first.outcome(cell, shown, &mut again).unwrap(), "{board}");
                let (nodes, layouts) = match position_after(&board, &base, cell, shown) {
                    Ok(after) => solved_anew(&after),
                    Err(_) => (0, None),
                };
                // An outcome has nodes of its own; the groups of components that are as before have
                // none.
                let nodes = nodes + 3000 + 2 * base.hidden.len() as u64;
                let kept = nodes.checked_sub(budget.used()).unwrap();
                assert_eq!(budget.used(), again.used(), "{board}{shown:?}");
                assert!(kept.is_multiple_of(500), "{kept}: {board}{shown:?}");
                assert!(kept <= 500 * base.premises.len() as u64, "{kept}: {board}{shown:?}");
                kept_groups += kept / 500;
                let share = found.map(|found| found.probability);
                let expected = layouts.map(|layouts| layouts / all);
                assert_eq!(share.is_some(), expected.is_some(), "{board}{cell:?} {shown:?}");
                let difference = share.unwrap_or(0.0) - expected.unwrap_or(0.0);
                assert!(difference.abs() < 1e-11, "{board}{cell:?} {shown:?}");
                outcomes += usize::from(found.is_some());
                without_layout += usize::from(found.is_none());
                corrupted += usize::from(is_corrupted);
            }
        }
    }
    let kinds = (outcomes, without_layout, corrupted);
    assert!(outcomes > 5000 && without_layout > 1000 && corrupted > 500, "{kinds:?}");
    assert!(kept_groups > 1000, "{kept_groups}");
}

/// The limits of `effort` with few playouts.
fn limits(effort: Effort) -> SearchLimits {
    let limits = effort.limits();
    let few = |rollouts| RolloutLimits { nodes: 300_000, ..rollouts };
    SearchLimits { rollouts: limits.rollouts.map(few), ..limits }
}

#[test]
fn decisions_do_not_depend_on_the_boards_before() {
    let mut random = fastrand::Rng::with_seed(83);
    let (mut guesses, mut corrupted) = (0, 0);
    for (effort, boards) in [(Effort::Fast, 1500), (Effort::Standard, 500), (Effort::Full, 40)] {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let mut engine = Engine::within(objective, limits(effort));
            for _ in 0..boards {
                let (board, is_corrupted) = random_board(&mut random);
                let decision = engine.decide(&board, Turn::UNTIMED);
                let anew = Engine::within(objective, limits(effort)).decide(&board, Turn::UNTIMED);
                assert_eq!(decision, anew, "{board}");
                guesses += usize::from(decision.is_some_and(|one| one.by == Step::Guess));
                corrupted += usize::from(is_corrupted);
            }
        }
    }
    assert!(guesses > 300 && corrupted > 500, "{guesses} {corrupted}");
}
