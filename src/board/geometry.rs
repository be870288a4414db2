//! The field as a shape, and its cells as things.
//!
//! A [`Cell`] is a number below its field's size; rows and columns exist only through [`Shape`].
//! Containers over cells are indexed by `Cell` and by nothing else ([`CellMap`]), so a row can never
//! be taken for a column, and no loop counter can be taken for a cell.
//!
//! Invariant: a `Cell` is only ever made by a `Shape`, and is below that shape's number of cells.
//! Every shape fits [`Shape::MAX_CELLS`], so all index arithmetic fits 32 bits.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

/// The cells around one cell, at most eight, in row-major order.
pub type Neighbours = ArrayVec<Cell, 8>;

/// One cell of a field: its row-major index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u32);

impl Cell {
    /// The row-major index, below the number of cells of the shape that made this cell.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell at a row-major index that the caller has checked against its shape.
    ///
    /// For sets and tests that name cells by number alone; a grid's cells come from [`Shape::cell`].
    pub fn from_index(index: u32) -> Cell {
        Cell(index)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Rows and columns of a field, each at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    rows: u32,
    columns: u32,
}

/// Why there is no field of the size asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// No row or no column.
    Empty,
    /// More than [`Shape::MAX_CELLS`] cells.
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
    /// The most cells a field may have: 512 x 512.
    ///
    /// A run may use 200 MB and about a second. Measured on half opened fields of this size that no rule
    /// settles: 0.5 s and 190 MB for the text, the board, the groups and the counting; four times
    /// the cells took over a second. The largest field of the platform has 3,200 cells.
    pub const MAX_CELLS: u64 = 1 << 18;

    /// A single cell: what holds the place of a field before there is one.
    pub const SMALLEST: Shape = Shape { rows: 1, columns: 1 };

    /// A field of `rows` x `columns`.
    ///
    /// # Errors
    /// [`ShapeError`] when a side is zero or the product is over [`Shape::MAX_CELLS`].
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

    /// Number of rows.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// Number of columns.
    pub fn columns(self) -> u32 {
        self.columns
    }

    /// Number of cells.
    pub fn len(self) -> usize {
        (self.rows * self.columns) as usize
    }

    /// Never true: a shape has at least one cell. Here because a length asks for it.
    pub fn is_empty(self) -> bool {
        false
    }

    /// The cell at `row`, `column`, or `None` outside the field.
    pub fn cell(self, row: i64, column: i64) -> Option<Cell> {
        let inside = (0..i64::from(self.rows)).contains(&row)
            && (0..i64::from(self.columns)).contains(&column);
        inside.then(|| Cell(row as u32 * self.columns + column as u32))
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

    /// The cells that touch `cell`, itself left out, in row-major order.
    #[inline]
    pub fn neighbours(self, cell: Cell) -> Neighbours {
        let (row, column) = (self.row(cell), self.column(cell));
        // One comparison a side: what is below 0 wraps to a number beyond every field.
        let is_inner = |at: u32, len: u32| at.wrapping_sub(1) < len.saturating_sub(2);
        if is_inner(row, self.rows) && is_inner(column, self.columns) {
            let (above, below) = (cell.0 - self.columns, cell.0 + self.columns);
            let [west, east] = [cell.0 - 1, cell.0 + 1];
            return Neighbours::from(
                [above - 1, above, above + 1, west, east, below - 1, below, below + 1].map(Cell),
            );
        }
        self.neighbours_at_the_wall(row, column)
    }

    fn neighbours_at_the_wall(self, row: u32, column: u32) -> Neighbours {
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

/// One value for every cell of a field.
#[derive(PartialEq, Eq, Debug)]
pub struct CellMap<T>(Vec<T>);

/// Of no field yet.
impl<T> Default for CellMap<T> {
    fn default() -> CellMap<T> {
        CellMap(Vec::new())
    }
}

/// Written out for the sake of `clone_from`, which keeps the memory.
impl<T: Clone> Clone for CellMap<T> {
    fn clone(&self) -> CellMap<T> {
        CellMap(self.0.clone())
    }

    fn clone_from(&mut self, other: &CellMap<T>) {
        self.0.clone_from(&other.0);
    }
}

impl<T: Clone> CellMap<T> {
    /// The same value for each of `len` cells.
    pub fn new(len: usize, value: T) -> CellMap<T> {
        CellMap(vec![value; len])
    }

    /// Gives every cell of a field of `len` cells the same value, keeping the memory.
    pub fn reset(&mut self, len: usize, value: T) {
        self.0.clear();
        self.0.resize(len, value);
    }
}

impl<T> CellMap<T> {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it covers no cell at all: only before the first [`CellMap::reset`].
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
                        let apart = |a: u32, b: u32| a.abs_diff(b);
                        let rows = apart(shape.row(cell), shape.row(other));
                        let columns = apart(shape.column(cell), shape.column(other));
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
