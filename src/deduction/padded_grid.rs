//! A field with walls around, so that everything near a cell lies at the same distances.
//!
//! A place is an index of the field with its walls, which are two cells wide: as far as two numbers that share a cell are
//! apart. The cells around one place fit a word of bits, and so do those around two that are near each other, which lie in a
//! window of 7x7: sets of them are cut and counted in a few instructions.
//!
//! Invariant: whatever is around a cell of the field, and around that again, is a place.

use crate::board::geometry::{Cell, CellMap, Shape};

/// How wide the wall is: as far as two numbers that share a cell are apart.
const WALL: usize = 2;

/// Cells around a place: bit 8 x (rows below) + (columns to the right), from the one above to the left.
pub type Around = u32;

/// Cells around two numbers that are near: the same from the cell three rows above and three columns to the left.
pub type Window = u64;

/// The cells around a place, in the window about it.
pub fn window(around: Around) -> Window {
    Window::from(around) << 18
}

/// The field with its walls.
#[derive(Default)]
pub struct PaddedGrid {
    shape: Option<Shape>,
    stride: usize,
    place_of: CellMap<u32>,
    cell_of: Vec<Cell>,
}

impl PaddedGrid {
    /// Becomes the field of this shape.
    pub fn lay_out(&mut self, shape: Shape) {
        if self.shape.replace(shape) == Some(shape) {
            return;
        }
        let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
        self.stride = columns + WALL;
        let places = (rows + 2 * WALL) * self.stride + WALL;
        self.cell_of.clear();
        self.cell_of.resize(places, Cell::from_index(0));
        self.place_of.reset(shape.len(), 0);
        for cell in shape.cells() {
            let (row, column) = (shape.row(cell) as usize, shape.column(cell) as usize);
            let place = (row + WALL) * self.stride + WALL + column;
            self.place_of[cell] = place as u32;
            self.cell_of[place] = cell;
        }
    }

    /// The place of a cell.
    pub fn place(&self, cell: Cell) -> usize {
        self.place_of[cell] as usize
    }

    /// The cell at a place that is no wall.
    pub fn cell(&self, place: usize) -> Cell {
        self.cell_of[place]
    }

    /// From a place to the one below.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.place_of.len()
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.cell_of.len()
    }

    /// The places around `place`, with the bit that stands for `place` in the undecided cells of each.
    pub fn around(&self, place: usize) -> [(usize, Around); 8] {
        let (above, below) = (place - self.stride, place + self.stride);
        [
            (above - 1, 1 << 18),
            (above, 1 << 17),
            (above + 1, 1 << 16),
            (place - 1, 1 << 10),
            (place + 1, 1 << 8),
            (below - 1, 1 << 2),
            (below, 1 << 1),
            (below + 1, 1),
        ]
    }

    /// The places of the cells in a window about `place`, in row-major order.
    pub fn places_in(
        &self,
        place: usize,
        mut window: Window,
    ) -> impl Iterator<Item = usize> + use<> {
        // Three rows above the first there is nothing, and no bit for it.
        let (first, stride) = (place.wrapping_sub(3 * self.stride + 3), self.stride);
        std::iter::from_fn(move || {
            let bit = window.trailing_zeros() as usize;
            (window != 0).then(|| {
                window &= window - 1;
                first.wrapping_add(bit / 8 * stride + bit % 8)
            })
        })
    }
}
