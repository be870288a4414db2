//! The shape of a field, its cells, and maps from cells to values.
//!
//! A [`Cell`] is a row-major index; its row and column exist only through a [`Shape`], as a
//! [`Place`]. [`CellMap`] is indexed by `Cell` and by nothing else, so that neither a row nor a
//! loop counter can be mistaken for a cell.
//!
//! Invariants: a shape has at least one and at most [`Shape::MAX_CELLS`] cells, so that all index
//! arithmetic fits 32 bits. A cell is made by a shape and is below its number of cells; only sets
//! that know no grid, and tests, make cells with [`Cell::from_index`].

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

/// The cells around a cell, in row-major order.
pub type Neighbours = ArrayVec<Cell, 8>;

/// A cell of a field: its row-major index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u32);

impl Cell {
    /// The row-major index, below the number of cells of the shape that made this cell.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell with a row-major index that the caller has checked against its shape.
    ///
    /// For sets of cells without a grid; the cells of a grid come from [`Shape::cell`].
    pub fn from_index(index: u32) -> Cell {
        Cell(index)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The row and the column of a cell, both from 0.
///
/// People read it as `(row,column)`; [`Shape::at`] and [`Shape::cell`] convert.
///
/// ```
/// use sapper::Place;
/// assert_eq!(Place { row: 2, column: 5 }.to_string(), "(2,5)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.row, self.column)
    }
}

/// The rows and columns of a field, each at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    rows: u32,
    columns: u32,
}

/// Why there is no field of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// There is no row or no column.
    Empty,
    /// There are more than [`Shape::MAX_CELLS`] cells.
    TooLarge,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Empty => write!(f, "a field needs at least one row and one column"),
            ShapeError::TooLarge => {
                write!(f, "a field of more than {} cells is too large", Shape::MAX_CELLS)
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// The maximum number of cells of a field: 512 x 512.
    ///
    /// A turn on the hardest fields of this size keeps within the time and the memory of the
    /// platform; on much larger ones it does not (results page, R9). The platform's own fields are
    /// far smaller.
    pub const MAX_CELLS: u64 = 1 << 18;

    /// A field of one cell, as a placeholder before there is a field.
    pub const SMALLEST: Shape = Shape { rows: 1, columns: 1 };

    /// A field of `rows` x `columns`.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero or the product exceeds [`Shape::MAX_CELLS`].
    pub fn new(rows: u64, columns: u64) -> Result<Shape, ShapeError> {
        if rows == 0 || columns == 0 {
            return Err(ShapeError::Empty);
        }
        match rows.checked_mul(columns) {
            Some(cells) if cells <= Shape::MAX_CELLS => {
                Ok(Shape { rows: rows as u32, columns: columns as u32 })
            }
            _ => Err(ShapeError::TooLarge),
        }
    }

    /// The number of rows.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(self) -> u32 {
        self.columns
    }

    /// The number of cells.
    pub fn len(self) -> usize {
        (self.rows * self.columns) as usize
    }

    /// Always `false`: a shape has at least one cell.
    pub fn is_empty(self) -> bool {
        false
    }

    /// The cell at `row` and `column`, or `None` off the field.
    pub fn cell(self, row: i64, column: i64) -> Option<Cell> {
        let inside = (0..i64::from(self.rows)).contains(&row)
            && (0..i64::from(self.columns)).contains(&column);
        inside.then(|| Cell(row as u32 * self.columns + column as u32))
    }

    /// The row and the column of a cell of this shape.
    ///
    /// ```
    /// let shape = sapper::Shape::new(16, 30)?;
    /// let cell = shape.cell(2, 5).expect("a cell of the field");
    /// assert_eq!(shape.at(cell).to_string(), "(2,5)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(self, cell: Cell) -> Place {
        Place { row: self.row(cell), column: self.column(cell) }
    }

    /// The cell at a place, the inverse of [`Shape::at`]; `None` off the field.
    pub fn cell_at(self, place: Place) -> Option<Cell> {
        self.cell(place.row.into(), place.column.into())
    }

    /// The row of a cell of this shape.
    pub fn row(self, cell: Cell) -> u32 {
        cell.0 / self.columns
    }

    /// The column of a cell of this shape.
    pub fn column(self, cell: Cell) -> u32 {
        cell.0 % self.columns
    }

    /// Every cell, in row-major order.
    pub fn cells(self) -> impl ExactSizeIterator<Item = Cell> + Clone {
        (0..self.rows * self.columns).map(Cell)
    }

    /// The cells around `cell`, in row-major order.
    #[inline]
    pub fn neighbours(self, cell: Cell) -> Neighbours {
        let (row, column) = (self.row(cell), self.column(cell));
        // One comparison per axis: 0 - 1 wraps to a number beyond every field.
        let is_inner = |index: u32, len: u32| index.wrapping_sub(1) < len.saturating_sub(2);
        if is_inner(row, self.rows) && is_inner(column, self.columns) {
            let (above, below) = (cell.0 - self.columns, cell.0 + self.columns);
            let [west, east] = [cell.0 - 1, cell.0 + 1];
            return Neighbours::from(
                [above - 1, above, above + 1, west, east, below - 1, below, below + 1].map(Cell),
            );
        }
        self.border_neighbours(row, column)
    }

    /// The cells around a cell that may lie at the border.
    fn border_neighbours(self, row: u32, column: u32) -> Neighbours {
        let mut found = Neighbours::new();
        for r in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
            for c in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                if (r, c) != (row, column) {
                    found.push(Cell(r * self.columns + c));
                }
            }
        }
        found
    }
}

/// A value for each cell of a field.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CellMap<T>(Vec<T>);

impl<T: Clone> CellMap<T> {
    /// A map of `len` cells with the same value.
    pub fn new(len: usize, value: T) -> CellMap<T> {
        CellMap(vec![value; len])
    }

    /// Makes this a map of `len` cells with the same value, reusing the allocation.
    pub fn reset(&mut self, len: usize, value: T) {
        self.0.clear();
        self.0.resize(len, value);
    }
}

impl<T> CellMap<T> {
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map has no cells, as before the first [`CellMap::reset`].
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every cell with its value, in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.0.iter().enumerate().map(|(index, value)| (Cell(index as u32), value))
    }
}

impl<T> Index<Cell> for CellMap<T> {
    type Output = T;
    fn index(&self, cell: Cell) -> &T {
        &self.0[cell.index()]
    }
}

impl<T> IndexMut<Cell> for CellMap<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.0[cell.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_coordinates_are_one_to_one() {
        let shape = Shape::new(3, 5).unwrap();
        assert_eq!(shape.cells().len(), 15);
        for cell in shape.cells() {
            let (row, column) = (shape.row(cell), shape.column(cell));
            assert_eq!(shape.cell(row.into(), column.into()), Some(cell));
            assert_eq!(shape.at(cell), Place { row, column });
        }
        for outside in [(-1, 0), (0, -1), (3, 0), (0, 5), (i64::MAX, i64::MAX)] {
            assert_eq!(shape.cell(outside.0, outside.1), None);
        }
    }

    #[test]
    fn neighbours_are_the_cells_at_king_distance_one() {
        for (rows, columns) in [(1, 1), (1, 6), (6, 1), (2, 2), (4, 5)] {
            let shape = Shape::new(rows, columns).unwrap();
            for cell in shape.cells() {
                let expected: Vec<Cell> = shape
                    .cells()
                    .filter(|&other| {
                        let rows = shape.row(cell).abs_diff(shape.row(other));
                        let columns = shape.column(cell).abs_diff(shape.column(other));
                        rows.max(columns) == 1
                    })
                    .collect();
                assert_eq!(shape.neighbours(cell).as_slice(), expected);
            }
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(Shape::new(0, 5), Err(ShapeError::Empty));
        assert_eq!(Shape::new(4_000_000_000, 20), Err(ShapeError::TooLarge));
        assert_eq!(Shape::new(u64::MAX, u64::MAX), Err(ShapeError::TooLarge));
        assert!(Shape::new(1, Shape::MAX_CELLS).is_ok());
    }
}
