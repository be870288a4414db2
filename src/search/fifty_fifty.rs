//! 50/50s that are guessed before any other cell.
//!
//! A *50/50* is here a set of cells in two sides. Either all of one side are mines or all of the
//! other, and every other cell that can still be opened sees as many cells of both sides. So no
//! number to come tells the sides apart, and the set costs the same whenever it is guessed: half a
//! mine on average, or half of the wins. Any of its cells decides the whole set, whose safe side
//! then shows numbers. They are of use where undecided cells are around.
//!
//! Play that guesses such a set later can be imitated after it, with more known. So optimal play
//! loses nothing by guessing it before any other cell (results page, R32).
//!
//! The sides are found in the groups that deduction has left: pairs of cells with one mine, linked
//! by common cells, none of which is in a group of another kind.
//!
//! Cost: for each pair, the pairs linked to it times the groups.

use crate::board::geometry::Cell;
use crate::board::group::Group;
use crate::search::counted::CountedBoard;

/// The first cell of a 50/50 that tells something of the cells around it, on a board without a
/// proven safe cell.
pub fn first_cell(at: CountedBoard) -> Option<Cell> {
    let groups = || at.counted.deduced().groups();
    let sets = groups().filter_map(pair).filter_map(|first| linked(first, groups));
    // Not the first set: the order of the groups depends on how they were deduced.
    sets.filter(|sides| tells_something(at, sides)).flat_map(|sides| sides.concat()).min()
}

/// The cells of a group of two cells with one mine.
fn pair(group: &Group) -> Option<[Cell; 2]> {
    <[Cell; 2]>::try_from(group.cells()).ok().filter(|_| group.mines() == 1)
}

/// The sides of the pairs that are linked to `first`; `None` if a group of another kind has one of
/// their cells.
fn linked<'g, I: Iterator<Item = &'g Group>>(
    first: [Cell; 2],
    groups: impl Fn() -> I,
) -> Option<[Vec<Cell>; 2]> {
    let mut sides = first.map(|cell| vec![cell]);
    loop {
        let len = sides[0].len() + sides[1].len();
        for group in groups() {
            let side = sides.iter().position(|side| group.cells().iter().any(|c| side.contains(c)));
            let Some(side) = side else { continue };
            let [a, b] = pair(group)?;
            let other = if sides[side].contains(&a) { b } else { a };
            if !sides[1 - side].contains(&other) {
                sides[1 - side].push(other);
            }
        }
        if sides[0].len() + sides[1].len() == len {
            return Some(sides);
        }
    }
}

/// Whether an undecided cell is beside the sides, and all that are see as many cells of both.
fn tells_something(at: CountedBoard, sides: &[Vec<Cell>; 2]) -> bool {
    let (odds, shape) = (at.counted.odds(), at.board.shape());
    let hidden = &at.counted.position().hidden;
    let around = sides.iter().flatten().flat_map(|&cell| shape.neighbours(cell));
    let is_side = |cell: &Cell| sides.iter().any(|side| side.contains(cell));
    let mut beside = around
        .filter(|cell| hidden.binary_search(cell).is_ok() && odds.of(*cell) < 1.0 && !is_side(cell))
        .peekable();
    let sees = |cell: Cell, side: &[Cell]| {
        shape.neighbours(cell).iter().filter(|near| side.contains(near)).count()
    };
    sides[0].len() == sides[1].len()
        && beside.peek().is_some()
        && beside.all(|cell| sees(cell, &sides[0]) == sees(cell, &sides[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::Budget;
    use crate::board::geometry::Cell;
    use crate::board::text_format::Picture;
    use crate::deduction::deducer::{Deducer, Reach};
    use crate::probability::solver::ProbabilitySolver;

    /// The row and column of the first cell.
    fn first(picture: &str) -> Option<(u32, u32)> {
        let board = picture.parse::<Picture>().unwrap().board(0).unwrap();
        let position = board.position();
        let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        assert_eq!(counted.odds().safe(), [], "{board}");
        let place = |cell: Cell| (board.shape().row(cell), board.shape().column(cell));
        first_cell(CountedBoard { board: &board, counted }).map(place)
    }

    #[test]
    fn the_first_cell_is_that_of_a_set_which_other_cells_see_alike() {
        for (picture, cell) in [
            // Nothing is left around the pair.
            ("2 2 1\n1.\n1.", None),
            // Both cells of the next column see both cells of the pair.
            ("4 2 3\n1...\n1...", Some((0, 1))),
            // The last row sees one cell of the pair alone.
            ("4 3 4\n2...\n*...\n....", None),
            // It holds mines there, which show no number.
            ("4 3 6\n2...\n*...\n***.", Some((0, 1))),
        ] {
            assert_eq!(first(picture), cell, "{picture}");
        }
    }
}
