//! The value of every cell of an endgame: what best play costs after opening it.
//!
//! The endgame search knows the cost of its best cell only. Here each cell is opened in turn. For
//! each value that the cell can show, the layouts that are left are listed and solved like the
//! first list, with the cell and its number as two more groups.
//!
//! Invariant: the least value is the cost of the endgame's solution, where both are proven.
//!
//! Cost: at most `PASSES` times the nodes of the search for the move; the cells of least risk come
//! first, and those that the budget does not reach have no value.

use std::collections::BTreeSet;

use crate::notation::percent;
use sapper::board::geometry::Cell;
use sapper::board::group::{Group, GroupCells, Position, Premise};
use sapper::board::{Board, CellState};
use sapper::bot::engine::Decision;
use sapper::search::endgame::layouts::{Layouts, MINE};
use sapper::search::endgame::{Solution, solve};
use sapper::settings::budget::Budget;
use sapper::settings::params::{EndgameLimits, Objective};

/// How many times the nodes of one search all cells may take.
const PASSES: u64 = 3;

/// A cell of an endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellValue {
    /// The cell.
    pub cell: Cell,
    /// Layouts in which it is a mine.
    pub mined: u32,
    /// What opening it and best play after it cost, summed over all layouts: mines opened, or
    /// layouts lost. `None` where the budget ended before.
    pub cost: Option<u32>,
    /// Whether its number, if it is safe, is the same in all layouts.
    pub is_dead: bool,
}

/// The solution of the endgame that decides, where it is proven to be the best.
pub fn proven_solution(decision: &Decision) -> Option<Solution> {
    decision.solved.filter(|solution| solution.is_proven)
}

impl CellValue {
    /// Its value over so many layouts, in words: the share won, or the mean number of mines opened.
    pub fn text(&self, layouts: u32, objective: Objective) -> String {
        let Some(cost) = self.cost else { return "not computed".to_owned() };
        let mean = f64::from(cost) / f64::from(layouts);
        match objective {
            Objective::CleanWin => percent(1.0 - mean),
            Objective::FewestHits => format!("{mean:.3}"),
        }
    }
}

/// What [`CellValue::text`] says, as the head of a column.
pub fn value_name(objective: Objective) -> &'static str {
    match objective {
        Objective::CleanWin => "wins",
        Objective::FewestHits => "mines opened",
    }
}

/// The values of the undecided cells, the best first. Empty where the layouts cannot be listed.
pub fn cell_values(
    board: &Board,
    undecided: &Position,
    objective: Objective,
    limits: EndgameLimits,
) -> Vec<CellValue> {
    let mut budget = Budget::of_nodes(limits.nodes.saturating_mul(PASSES));
    let Ok(all) = Layouts::list(board, undecided, limits.layouts, &mut budget) else {
        return Vec::new();
    };
    let mut values: Vec<(usize, CellValue)> = (0..all.cells().len())
        .map(|index| {
            let shown = all.values(index);
            let mined = shown.iter().filter(|value| **value == MINE).count() as u32;
            let mut numbers = shown.iter().filter(|value| **value != MINE);
            let first = numbers.next();
            let is_dead = first.is_some_and(|first| numbers.all(|number| number == first));
            (index, CellValue { cell: all.cells()[index], mined, cost: None, is_dead })
        })
        .collect();
    values.sort_by_key(|(_, value)| (value.mined, value.cell));
    let after = After { board, undecided, objective, max_layouts: limits.layouts };
    for (index, value) in &mut values {
        value.cost = after.cost(&all, *index, &mut budget).map(|cost| cost + value.mined);
    }
    let mut values: Vec<CellValue> = values.into_iter().map(|(_, value)| value).collect();
    values.sort_by_key(|value| (value.cost.unwrap_or(u32::MAX), value.mined, value.cell));
    values
}

/// What it costs to open all of `cells` at once, which are undecided, where a mine loses the game:
/// the layouts with a mine in one of them, and those that best play loses after it. `None` where
/// the layouts cannot be listed, or the budget ends before.
pub fn chord_cost(
    board: &Board,
    undecided: &Position,
    limits: EndgameLimits,
    cells: &[Cell],
) -> Option<u32> {
    let objective = Objective::CleanWin;
    let mut budget = Budget::of_nodes(limits.nodes.saturating_mul(PASSES));
    let all = Layouts::list(board, undecided, limits.layouts, &mut budget).ok()?;
    let index = |cell: &Cell| all.cells().iter().position(|other| other == cell);
    let indices: Vec<usize> = cells.iter().map(index).collect::<Option<_>>()?;
    // What the cells show together, where none is a mine.
    let mut shown: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut sum = 0;
    for layout in 0..all.len() {
        let values: Vec<u8> = indices.iter().map(|&index| all.values(index)[layout]).collect();
        if values.contains(&MINE) {
            sum += 1;
        } else {
            shown.insert(values);
        }
    }
    let after = After { board, undecided, objective, max_layouts: limits.layouts };
    for values in shown {
        let mut position = undecided.clone();
        for (&cell, value) in cells.iter().zip(values) {
            after.show(&mut position, all.cells(), cell, value)?;
        }
        sum += after.solved(&position, &mut budget)?;
    }
    Some(sum)
}

/// The games after opening a cell.
struct After<'a> {
    board: &'a Board,
    undecided: &'a Position,
    objective: Objective,
    max_layouts: usize,
}

impl After<'_> {
    /// The cost of best play after opening the cell `index`, without the cost of a mine there.
    fn cost(&self, all: &Layouts, index: usize, budget: &mut Budget) -> Option<u32> {
        let last = if self.objective == Objective::CleanWin { MINE - 1 } else { MINE };
        let mut sum = 0;
        for shown in (0..=last).filter(|shown| all.values(index).contains(shown)) {
            let mut position = self.undecided.clone();
            self.show(&mut position, all.cells(), all.cells()[index], shown)?;
            sum += self.solved(&position, budget)?;
        }
        Some(sum)
    }

    /// The cost of best play over all layouts of a position.
    fn solved(&self, position: &Position, budget: &mut Budget) -> Option<u32> {
        let layouts = Layouts::list(self.board, position, self.max_layouts, budget).ok()?;
        match solve(&layouts, self.objective, budget).ok()? {
            Some(solution) => solution.is_proven.then_some(solution.cost),
            None => Some(0),
        }
    }

    /// Lets `cell` show `shown` in a position, which has the cell still, as a group of its own.
    fn show(&self, position: &mut Position, cells: &[Cell], cell: Cell, shown: u8) -> Option<()> {
        let mut add = |cells: GroupCells, mines: i64| {
            let group = Group::new(cells, mines).ok()?;
            position.premises.extend(group.map(|group| Premise { source: cell, group }));
            Some(())
        };
        add([cell].into_iter().collect(), i64::from(shown == MINE))?;
        if shown != MINE {
            let around = self.board.shape().neighbours(cell);
            let (inside, outside): (GroupCells, GroupCells) =
                around.iter().copied().partition(|neighbour| cells.contains(neighbour));
            let is_mine = |neighbour: &&Cell| {
                matches!(self.board.state(**neighbour), CellState::Hit | CellState::Hidden)
            };
            let known = outside.iter().filter(is_mine).count() as i64;
            add(inside, i64::from(shown) - known)?;
        }
        Some(())
    }
}
