//! The exact odds of a click, and a layout drawn again in which it is safe.
//!
//! Invariant: odds depend on what the board shows and on nothing else: not on the layout, and not
//! on the bot, whose own odds are not asked. A layout drawn again is close to the present one.
//!
//! Cost: one count of the layouts for a click that no earlier count proved safe. What is proven
//! stays proven, so most clicks of a game cost nothing.

use sapper::board::Board;
use sapper::board::contradiction::Contradiction;
use sapper::board::geometry::{Cell, CellMap};
use sapper::board::group::{Group, GroupCells, MineCount, Position, Premise};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::kit::rng::Random;
use sapper::probability::sampler::LayoutDraws;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// Computes the odds of one click after another; its memory is reused.
#[derive(Default)]
pub struct ClickOdds {
    deducer: Deducer,
    solver: ProbabilitySolver,
    /// The cells that were proven safe in this game.
    safe: CellMap<bool>,
}

impl ClickOdds {
    /// Begins a game on a field of so many cells.
    pub fn begin(&mut self, cells: usize) {
        self.safe.reset(cells, false);
    }

    /// The probability that a hidden `cell` is a mine, exactly 0 or 1 if and only if proven; `None`
    /// if it is not known exactly.
    pub fn odds(&mut self, board: &Board, cell: Cell) -> Option<f64> {
        let ClickOdds { deducer, solver, safe } = self;
        if safe[cell] {
            return Some(0.0);
        }
        let position = board.position();
        if position.mine_count != MineCount::Exact {
            return None;
        }
        let deduced = deducer.run(&position, Reach::FixedPoint).ok()?;
        deduced.safe().iter().for_each(|&proven| safe[proven] = true);
        if let Some(is_mine) = deduced.verdict(cell) {
            return Some(if is_mine { 1.0 } else { 0.0 });
        }
        let counted = solver.run(deduced, &mut Budget::of_nodes(COUNT_NODES)).ok()?;
        counted.odds().safe().iter().for_each(|&proven| safe[proven] = true);
        let odds = counted.odds().of(cell);
        let is_exact = counted.odds().layouts().is_some() || odds == 0.0 || odds == 1.0;
        is_exact.then_some(odds)
    }

    /// Draws a layout from those that fit `board` and in which the hidden `cell` is safe, close to
    /// the present one, whose mines `is_mine` knows. Returns its hidden mines; `None` if there is
    /// no such layout, or if they are not counted exactly.
    ///
    /// Each of these layouts is equally probable under the condition of
    /// [`LayoutDraws::draw_safe_near`].
    pub fn redraw(
        &mut self,
        board: &Board,
        cell: Cell,
        is_mine: impl Fn(Cell) -> bool,
        seed: u64,
    ) -> Option<Vec<Cell>> {
        let position = board.position();
        if let Some(mut draws) = self.draws(&position) {
            let near = draws.draw_safe_near(cell, is_mine, seed, &mut Budget::unlimited());
            if let Ok(mines) = near {
                return Some(mines.to_vec());
            }
        }
        // The cell is hardly ever safe, or the layouts were not counted exactly: they are counted
        // again with the cell known to be safe.
        let position = with_safe(position, cell)?;
        self.draw(&position, 1, &mut Random::new(seed))?.pop()
    }

    /// Draws so many layouts, each with equal probability, from those that fit `board`. Returns
    /// their hidden mines; `None` if they are not counted exactly.
    pub fn layouts(
        &mut self,
        board: &Board,
        count: usize,
        random: &mut Random,
    ) -> Option<Vec<Vec<Cell>>> {
        self.draw(&board.position(), count, random)
    }

    fn draw(
        &mut self,
        position: &Position,
        count: usize,
        random: &mut Random,
    ) -> Option<Vec<Vec<Cell>>> {
        let mut draws = self.draws(position)?;
        let mut draw = || draws.draw(random, &mut Budget::unlimited()).map(<[Cell]>::to_vec).ok();
        (0..count).map(|_| draw()).collect()
    }

    fn draws<'a>(&'a mut self, position: &'a Position) -> Option<LayoutDraws<'a>> {
        let deduced = self.deducer.run(position, Reach::FixedPoint).ok()?;
        let counted = self.solver.run(deduced, &mut Budget::of_nodes(COUNT_NODES)).ok()?;
        Some(LayoutDraws::new(counted))
    }
}

/// The position in which `cell` is known to be safe; `None` if it cannot be.
fn with_safe(mut position: Position, cell: Cell) -> Option<Position> {
    position.hidden.retain(|&hidden| hidden != cell);
    let without = |premise: &Premise| {
        let Premise { source, group } = premise;
        let cells: GroupCells =
            group.cells().iter().copied().filter(|&other| other != cell).collect();
        let group = Group::new(cells, group.mines().into())?;
        Ok(group.map(|group| Premise { source: *source, group }))
    };
    let premises = position.premises.iter().map(without);
    let premises: Result<Vec<_>, Contradiction> = premises.collect();
    position.premises = premises.ok()?.into_iter().flatten().collect();
    let fits =
        position.mine_count == MineCount::Exact && position.mines as usize <= position.hidden.len();
    fits.then_some(position)
}
