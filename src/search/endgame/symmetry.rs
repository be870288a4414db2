//! The mirrors and turns that map a set of cells to itself.
//!
//! Mirroring keeps neighbours, so the cells of a mirrored layout show the same numbers to each
//! other. The mirrored layout may contradict the numbers around; the caller checks that.
//!
//! The cells are mirrored within their bounding rectangle: the cells left in a corner of a large
//! field may be symmetric where the field is not.

use crate::board::geometry::{Cell, Shape};

/// A mirror or a turn of a rectangle.
#[derive(Clone, Copy)]
struct Symmetry {
    flips_rows: bool,
    flips_columns: bool,
    /// Whether rows and columns are exchanged, after the flips.
    transposes: bool,
}

impl Symmetry {
    /// The symmetry with this number, from 0 (the identity) to 7.
    fn of_kind(kind: u32) -> Symmetry {
        Symmetry {
            flips_rows: kind & 1 != 0,
            flips_columns: kind & 2 != 0,
            transposes: kind & 4 != 0,
        }
    }

    /// The image of a row and a column in a rectangle with this last row and this last column.
    fn image(self, (row, column): (u32, u32), (last_row, last_column): (u32, u32)) -> (u32, u32) {
        let row = if self.flips_rows { last_row - row } else { row };
        let column = if self.flips_columns { last_column - column } else { column };
        if self.transposes { (column, row) } else { (row, column) }
    }
}

/// The symmetries of `cells` besides the identity, seven at most; each as the number of the image
/// of every cell.
///
/// Cost: a sort of the cells, and for each symmetry a binary search for the image of every cell, up
/// to the first that has none. Without symmetries there is one allocation.
pub fn symmetries(shape: Shape, cells: &[Cell]) -> Vec<Vec<u32>> {
    let mut sorted: Vec<(u32, u32, u32)> = (0..)
        .zip(cells)
        .map(|(number, &cell)| (shape.row(cell), shape.column(cell), number))
        .collect();
    sorted.sort_unstable();
    let columns = || sorted.iter().map(|&(_, column, _)| column);
    let (Some(&(top, ..)), Some(&(bottom, ..)), Some(left), Some(right)) =
        (sorted.first(), sorted.last(), columns().min(), columns().max())
    else {
        return Vec::new();
    };
    let (height, width) = (bottom - top, right - left);
    let mut found = Vec::new();
    let number_at = |row: u32, column: u32| {
        let found = sorted.binary_search_by_key(&(row, column), |&(row, column, _)| (row, column));
        found.ok().map(|index| sorted[index].2)
    };
    for symmetry in (1..8).map(Symmetry::of_kind) {
        if symmetry.transposes && height != width {
            continue;
        }
        let image = |&cell: &Cell| {
            let place = (shape.row(cell) - top, shape.column(cell) - left);
            let (row, column) = symmetry.image(place, (height, width));
            number_at(row + top, column + left)
        };
        if cells.iter().all(|cell| image(cell).is_some()) {
            found.push(cells.iter().filter_map(image).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(shape: Shape, picture: &str) -> Vec<Cell> {
        let marks = picture.chars().filter(|mark| !mark.is_whitespace());
        shape.cells().zip(marks).filter(|(_, mark)| *mark == '?').map(|(cell, _)| cell).collect()
    }

    #[test]
    fn symmetries_are_found_and_keep_neighbours() {
        for (rows, columns, picture, expected) in [
            (3, 3, "??? ??? ???", 7),
            (3, 4, "???? ???? ????", 3),
            (1, 1, "?", 7),
            (3, 4, "..?? ...? ....", 1),
            (4, 4, "??.. ?... .... ...?", 1),
            (3, 4, "?... .?.. ....", 3),
            (3, 5, "??... .?... ...??", 0),
            (2, 5, "??.?? ?...?", 1),
            (2, 3, "... ...", 0),
        ] {
            let shape = Shape::new(rows, columns).unwrap();
            let mut cells = cells(shape, picture);
            // Their order does not matter.
            let third = cells.len() / 3;
            cells.rotate_left(third);
            let found = symmetries(shape, &cells);
            assert_eq!(found.len(), expected, "{picture}");
            for images in &found {
                let image = |n: usize| cells[images[n] as usize];
                for a in 0..cells.len() {
                    for b in 0..cells.len() {
                        let touch = |a: Cell, b: Cell| shape.neighbours(a).contains(&b);
                        assert_eq!(
                            touch(cells[a], cells[b]),
                            touch(image(a), image(b)),
                            "{picture}"
                        );
                        assert_eq!(a == b, images[a] == images[b], "{picture}");
                    }
                }
            }
        }
    }
}
