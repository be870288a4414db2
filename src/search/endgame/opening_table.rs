//! The first cell of a tiny field, where optimal play takes too long to be found in a turn.
//!
//! The cost of an untouched field does not depend on anything that was shown, so it is computed
//! once by `examples/openings.rs`: the endgame ([`crate::search::endgame`]) from the first cell on,
//! for fewest hits, with more nodes than a turn has. After the first cell the nodes of a turn
//! nearly always suffice (results page, R25).
//!
//! The table holds the fields that satisfy all of these:
//!
//! - at most [`TINY_FIELD_CELLS`](crate::base::params::TINY_FIELD_CELLS) cells, and at most half of
//!   them mines;
//! - no more layouts than full effort solves;
//! - standard effort does not prove the best first cell in a turn;
//! - `examples/openings.rs` found the optimum within its nodes.
//!
//! Invariant: every entry is optimal play, to the last mine over all layouts.
//!
//! Cost: a binary search.

use crate::board::geometry::Shape;
use crate::search::endgame::solution::Solution;

/// Rows, columns (no fewer than rows), mines, the row-major index of the first cell, and the mines
/// opened by optimal play, summed over all layouts.
type Entry = (u8, u8, u8, u8, u32);

/// The best first cell of an untouched field, for fewest hits, where it is known.
pub fn best(shape: Shape, mines: u32) -> Option<Solution> {
    let (rows, columns) = (shape.rows(), shape.columns());
    let (lesser, greater) = (rows.min(columns), rows.max(columns));
    let key = |entry: &Entry| (u32::from(entry.0), u32::from(entry.1), u32::from(entry.2));
    let index = TABLE.binary_search_by_key(&(lesser, greater, mines), key).ok()?;
    let (_, _, _, first, cost) = TABLE[index];
    let (row, column) = (u32::from(first) / greater, u32::from(first) % greater);
    let (row, column) = if rows <= columns { (row, column) } else { (column, row) };
    let cell = shape.cell(row.into(), column.into())?;
    let layouts = layouts(shape.len() as u64, mines.into());
    let mined = layouts * u64::from(mines) / shape.len() as u64;
    Some(Solution { cell, mined: mined as u32, cost, layouts: layouts as u32, is_proven: true })
}

/// The number of ways in which `mines` of `cells` cells can be mines; [`u64::MAX`] where it does
/// not fit.
pub fn layouts(cells: u64, mines: u64) -> u64 {
    let step =
        |ways: u64, k: u64| ways.checked_mul(cells - k).map_or(u64::MAX, |ways| ways / (k + 1));
    (0..mines.min(cells - mines)).fold(1, step)
}

/// Computed by `examples/openings.rs`.
const TABLE: &[Entry] = &[
    (1, 12, 6, 2, 2370),
    (1, 13, 5, 2, 2221),
    (1, 13, 6, 2, 4160),
    (1, 14, 5, 2, 3249),
    (1, 14, 6, 2, 6872),
    (1, 14, 7, 2, 10436),
    (1, 15, 4, 2, 1360),
    (1, 15, 5, 2, 4594),
    (1, 15, 6, 2, 10831),
    (1, 15, 7, 2, 18596),
    (1, 16, 4, 2, 1710),
    (1, 16, 5, 2, 6315),
    (1, 16, 6, 2, 16420),
    (1, 16, 7, 2, 31420),
    (1, 16, 8, 2, 45344),
    (1, 17, 4, 2, 2115),
    (1, 17, 5, 2, 8477),
    (1, 17, 6, 2, 24092),
    (1, 17, 7, 2, 50827),
    (1, 18, 4, 2, 2579),
    (1, 18, 5, 2, 11149),
    (1, 18, 6, 2, 34379),
    (1, 19, 4, 2, 3106),
    (1, 19, 5, 2, 14405),
    (1, 20, 3, 0, 494),
    (1, 20, 4, 2, 3700),
    (1, 20, 5, 2, 18324),
    (1, 21, 3, 0, 550),
    (1, 21, 4, 2, 4365),
    (1, 22, 3, 0, 609),
    (1, 22, 4, 2, 5105),
    (1, 23, 3, 0, 671),
    (1, 23, 4, 2, 5924),
    (1, 24, 3, 0, 736),
    (1, 24, 4, 2, 6826),
    (1, 25, 3, 0, 804),
    (1, 25, 4, 2, 7815),
    (1, 26, 3, 0, 875),
    (1, 26, 4, 2, 8895),
    (1, 27, 3, 0, 949),
    (1, 27, 4, 2, 10070),
    (1, 28, 3, 0, 1026),
    (1, 29, 3, 0, 1106),
    (1, 30, 3, 0, 1189),
    (1, 31, 3, 0, 1275),
    (1, 32, 3, 0, 1364),
    (1, 33, 3, 0, 1456),
    (1, 34, 2, 0, 65),
    (1, 34, 3, 0, 1551),
    (1, 35, 2, 0, 67),
    (1, 35, 3, 0, 1649),
    (1, 36, 2, 0, 69),
    (1, 36, 3, 0, 1750),
    (1, 37, 2, 0, 71),
    (1, 37, 3, 0, 1854),
    (1, 38, 2, 0, 73),
    (1, 38, 3, 0, 1961),
    (1, 39, 2, 0, 75),
    (1, 39, 3, 0, 2071),
    (1, 40, 2, 0, 77),
    (1, 40, 3, 0, 2184),
    (1, 41, 2, 0, 79),
    (1, 41, 3, 0, 2300),
    (1, 42, 2, 0, 81),
    (1, 42, 3, 0, 2419),
    (1, 43, 2, 0, 83),
    (1, 43, 3, 0, 2541),
    (1, 44, 2, 0, 85),
    (1, 44, 3, 0, 2666),
    (1, 45, 2, 0, 87),
    (1, 45, 3, 0, 2794),
    (1, 46, 2, 0, 89),
    (1, 46, 3, 0, 2925),
    (1, 47, 2, 0, 91),
    (1, 48, 2, 0, 93),
    (1, 49, 2, 0, 95),
    (1, 50, 2, 0, 97),
    (1, 51, 2, 0, 99),
    (1, 52, 2, 0, 101),
    (1, 53, 2, 0, 103),
    (1, 54, 2, 0, 105),
    (1, 55, 2, 0, 107),
    (1, 56, 2, 0, 109),
    (1, 57, 2, 0, 111),
    (1, 58, 2, 0, 113),
    (1, 59, 2, 0, 115),
    (1, 60, 2, 0, 117),
    (1, 61, 2, 0, 119),
    (1, 62, 2, 0, 121),
    (1, 63, 2, 0, 123),
    (1, 64, 2, 0, 125),
    (2, 7, 4, 0, 1650),
    (2, 7, 5, 0, 3965),
    (2, 7, 6, 0, 7074),
    (2, 7, 7, 2, 9629),
    (2, 8, 4, 0, 3064),
    (2, 8, 5, 0, 8800),
    (2, 8, 6, 0, 18858),
    (2, 8, 7, 2, 31375),
    (2, 8, 8, 3, 41212),
    (2, 9, 3, 3, 1099),
    (2, 9, 4, 0, 5218),
    (2, 9, 5, 0, 17453),
    (2, 10, 3, 4, 1551),
    (2, 10, 4, 0, 8378),
    (2, 11, 3, 4, 2113),
    (2, 11, 4, 0, 12803),
    (2, 12, 3, 4, 2797),
    (2, 12, 4, 0, 18790),
    (2, 13, 3, 4, 3615),
    (2, 14, 3, 4, 4579),
    (2, 15, 3, 4, 5701),
    (2, 16, 3, 4, 6993),
    (2, 17, 3, 5, 8467),
    (2, 18, 2, 0, 613),
    (2, 18, 3, 5, 10135),
    (2, 19, 2, 0, 685),
    (2, 19, 3, 5, 12009),
    (2, 20, 2, 0, 761),
    (2, 21, 2, 0, 841),
    (2, 22, 2, 0, 925),
    (2, 23, 2, 0, 1013),
    (2, 24, 2, 0, 1105),
    (2, 25, 2, 0, 1201),
    (2, 26, 2, 0, 1301),
    (2, 27, 2, 0, 1405),
    (2, 28, 2, 0, 1513),
    (2, 29, 2, 0, 1625),
    (2, 30, 2, 0, 1741),
    (2, 31, 2, 0, 1861),
    (2, 32, 2, 0, 1985),
    (3, 5, 5, 0, 3264),
    (3, 5, 6, 0, 7747),
    (3, 5, 7, 0, 13427),
    (3, 6, 4, 6, 1567),
    (3, 6, 5, 1, 7116),
    (3, 6, 6, 0, 22808),
    (3, 7, 4, 0, 2390),
    (3, 8, 4, 0, 3467),
    (3, 9, 4, 0, 4735),
    (3, 11, 3, 0, 662),
    (3, 12, 3, 0, 776),
    (3, 13, 3, 0, 899),
    (3, 14, 3, 0, 1031),
    (3, 15, 3, 0, 1172),
    (3, 16, 3, 0, 1322),
    (4, 4, 5, 1, 4140),
    (4, 4, 6, 1, 11144),
    (4, 4, 7, 1, 21450),
    (4, 4, 8, 1, 31307),
    (4, 5, 4, 5, 2220),
    (4, 5, 5, 5, 10909),
    (4, 6, 4, 0, 3254),
    (4, 9, 3, 0, 753),
    (4, 10, 3, 0, 915),
    (4, 11, 3, 0, 1093),
    (4, 12, 3, 0, 1287),
    (5, 5, 4, 0, 5025),
    (5, 6, 3, 0, 649),
    (5, 7, 3, 0, 875),
    (5, 8, 3, 0, 1140),
    (5, 9, 3, 0, 1432),
    (5, 10, 3, 0, 1763),
    (5, 12, 2, 0, 73),
    (6, 6, 3, 0, 754),
    (6, 7, 3, 0, 1003),
    (6, 8, 3, 0, 1292),
    (7, 7, 3, 0, 1339),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::{Effort, TINY_FIELD_CELLS};

    #[test]
    fn the_table_is_sorted_and_within_its_limits() {
        assert!(TABLE.is_sorted_by_key(|&(rows, columns, mines, ..)| (rows, columns, mines)));
        let max_layouts = Effort::Full.limits().tiny_field.layouts as u64;
        for &(rows, columns, mines, first, cost) in TABLE {
            let cells = u64::from(rows) * u64::from(columns);
            assert!(
                rows <= columns && cells <= TINY_FIELD_CELLS as u64 && u64::from(first) < cells
            );
            assert!(0 < mines && u64::from(mines) * 2 <= cells);
            let layouts = layouts(cells, mines.into());
            // The first click alone costs so many.
            assert!(
                layouts <= max_layouts && u64::from(cost) * cells >= layouts * u64::from(mines)
            );
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

    #[test]
    fn layouts_are_counted() {
        assert_eq!(
            [layouts(20, 5), layouts(20, 15), layouts(7, 0), layouts(7, 7)],
            [15504, 15504, 1, 1]
        );
        assert_eq!(layouts(64, 10), 151_473_214_816);
        assert_eq!(layouts(262_144, 100_000), u64::MAX);
    }
}
