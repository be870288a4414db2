//! The first cell of a tiny field, where optimal play takes too long to be found in a turn.
//!
//! The cost of an untouched field does not depend on anything that was shown, so it is computed
//! once by `examples/openings.rs`: the endgame ([`crate::search::endgame`]) from the first cell on,
//! for fewest hits, with more nodes than a turn has. After the first cell the nodes of a turn
//! nearly always suffice (results page, R25).
//!
//! The table holds the fields that satisfy all of these:
//!
//! - at most [`TINY_FIELD_CELLS`](crate::settings::params::TINY_FIELD_CELLS) cells, and at most
//!   half of them mines;
//! - no more layouts than full effort solves;
//! - standard effort does not prove the best first cell in a turn;
//! - `examples/openings.rs` found the optimum within its nodes.
//!
//! Invariant: every entry is optimal play, to the last mine over all layouts.
//!
//! Cost: reading the lines of the table, up to that of the field.

use crate::board::geometry::Shape;
use crate::probability::weight::binomial::binomial;
use crate::search::endgame::passes::Solution;

/// A line for each field, as `examples/openings.rs` prints it: rows, columns (no fewer than rows),
/// mines, the row-major index of the first cell, and the mines opened by optimal play, summed over
/// all layouts.
const TABLE: &str = include_str!("opening_table.txt");

fn entries() -> impl Iterator<Item = [u32; 5]> {
    TABLE.lines().map(|line| {
        let mut numbers = line.split(' ').map_while(|word| word.parse().ok());
        std::array::from_fn(|_| numbers.next().unwrap_or(0))
    })
}

/// The best first cell of an untouched field, for fewest hits, where it is known.
pub fn best(shape: Shape, mines: u32) -> Option<Solution> {
    let (rows, columns) = (shape.rows(), shape.columns());
    let field = [rows.min(columns), rows.max(columns), mines];
    let [_, greater, _, first, cost] = entries().find(|entry| entry[..3] == field)?;
    let (row, column) = (first / greater, first % greater);
    let (row, column) = if rows <= columns { (row, column) } else { (column, row) };
    let cell = shape.cell(row.into(), column.into())?;
    let layouts = binomial(shape.len() as u32, mines);
    let mined = layouts * u64::from(mines) / shape.len() as u64;
    Some(Solution { cell, mined: mined as u32, cost, layouts: layouts as u32, is_proven: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::params::{Effort, TINY_FIELD_CELLS};

    #[test]
    fn the_table_is_sorted_and_within_its_limits() {
        assert_eq!(entries().count(), 168);
        assert!(entries().is_sorted_by_key(|[rows, columns, mines, ..]| (rows, columns, mines)));
        let max_layouts = Effort::Full.limits().tiny_field.layouts as u64;
        for [rows, columns, mines, first, cost] in entries().map(|entry| entry.map(u64::from)) {
            let cells = rows * columns;
            assert!(rows <= columns && cells <= TINY_FIELD_CELLS as u64 && first < cells);
            assert!(0 < mines && mines * 2 <= cells);
            let layouts = binomial(cells as u32, mines as u32);
            // The first click alone costs this much on average.
            assert!(layouts <= max_layouts && cost * cells >= layouts * mines);
        }
    }

    #[test]
    fn a_field_and_its_transpose_have_one_entry() {
        let best = |rows, columns, mines| {
            let shape = Shape::new(rows, columns).unwrap();
            best(shape, mines).map(|best| (best, shape.row(best.cell), shape.column(best.cell)))
        };
        let (flat, row, column) = best(4, 5, 5).unwrap();
        assert_eq!((flat.cost, flat.layouts, flat.mined), (10909, 15504, 3876));
        assert_eq!((row, column), (1, 0));
        let (tall, row, column) = best(5, 4, 5).unwrap();
        assert_eq!((row, column), (0, 1));
        assert_eq!((tall.cost, tall.layouts, tall.mined), (flat.cost, flat.layouts, flat.mined));
        assert_eq!(best(4, 5, 6), None);
        assert_eq!(best(16, 30, 99), None);
    }
}
