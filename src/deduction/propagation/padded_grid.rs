//! A board with a border, in which all cells near a cell lie at fixed offsets.
//!
//! A *padded index* numbers the cells of the board and of its border in row-major order. The border
//! is two cells wide, which is the greatest distance between two numbers that share a neighbour;
//! the border to the right of a row is also the border to the left of the next row. Loops over the
//! surroundings of a cell therefore need no test for the edge of the board.
//!
//! Sets of cells near a padded index are bit masks with eight bits for each row. The neighbours of
//! one cell fit in 32 bits ([`NeighbourMask`]), and the neighbours of two cells that share one fit
//! in the 7x7 window around either ([`WindowMask`]). Intersection, difference and size of such sets
//! take a few instructions.
//!
//! Invariant: every neighbour of a neighbour of a board cell has a padded index.

use crate::board::geometry::{Cell, CellMap, Shape};

/// Width of the border: the greatest distance between two numbers that share a neighbour.
const BORDER: usize = 2;

/// A set of neighbours of a cell: bit `8 * row + column`, counted from the neighbour above left.
pub type NeighbourMask = u32;

/// A set of cells in the 7x7 window around a cell: bit `8 * row + column`, counted from the top
/// left corner, three rows above and three columns to the left of the cell.
pub type WindowMask = u64;

/// Returns a set of neighbours of a cell as a set in the window around the cell.
pub fn window(neighbours: NeighbourMask) -> WindowMask {
    WindowMask::from(neighbours) << 18
}

/// The conversion between cells and padded indices, for boards of one shape at a time.
#[derive(Default)]
pub struct PaddedGrid {
    shape: Option<Shape>,
    stride: usize,
    index_of: CellMap<u32>,
    /// The cell of each padded index; meaningless in the border.
    cell_at: Vec<Cell>,
}

impl PaddedGrid {
    /// Sets the shape of the board.
    pub fn reset(&mut self, shape: Shape) {
        if self.shape.replace(shape) == Some(shape) {
            return;
        }
        let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
        self.stride = columns + BORDER;
        let len = (rows + 2 * BORDER) * self.stride + BORDER;
        self.cell_at.clear();
        self.cell_at.resize(len, Cell::from_index(0));
        self.index_of.reset(shape.len(), 0);
        for cell in shape.cells() {
            let (row, column) = (shape.row(cell) as usize, shape.column(cell) as usize);
            let index = (row + BORDER) * self.stride + BORDER + column;
            self.index_of[cell] = index as u32;
            self.cell_at[index] = cell;
        }
    }

    /// Returns the padded index of a cell.
    pub fn index(&self, cell: Cell) -> usize {
        self.index_of[cell] as usize
    }

    /// Returns the cell at a padded index, which must not be in the border.
    pub fn cell(&self, index: usize) -> Cell {
        self.cell_at[index]
    }

    /// Returns the distance from a padded index to the one below.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the number of cells of the board.
    pub fn cell_count(&self) -> usize {
        self.index_of.len()
    }

    /// Returns the number of padded indices, the border included.
    pub fn index_count(&self) -> usize {
        self.cell_at.len()
    }

    /// Returns the eight neighbours of a board cell, each with the bit that stands for the cell in
    /// the neighbour's own [`NeighbourMask`].
    pub fn neighbours(&self, index: usize) -> [(usize, NeighbourMask); 8] {
        let (above, below) = (index - self.stride, index + self.stride);
        [
            (above - 1, 1 << 18),
            (above, 1 << 17),
            (above + 1, 1 << 16),
            (index - 1, 1 << 10),
            (index + 1, 1 << 8),
            (below - 1, 1 << 2),
            (below, 1 << 1),
            (below + 1, 1),
        ]
    }

    /// Returns the padded indices of the cells in a window around `index`, in row-major order.
    pub fn indices_in(
        &self,
        index: usize,
        mut window: WindowMask,
    ) -> impl Iterator<Item = usize> + use<> {
        // The corner of the window may lie before index 0. No bit is set there, and the sum of the
        // corner and the offset of a set bit wraps back to a valid index.
        let (corner, stride) = (index.wrapping_sub(3 * self.stride + 3), self.stride);
        std::iter::from_fn(move || {
            let bit = window.trailing_zeros() as usize;
            (window != 0).then(|| {
                window &= window - 1;
                corner.wrapping_add(bit / 8 * stride + bit % 8)
            })
        })
    }
}
