//! A position that evolves: a layout, and which of its cells are open.
//!
//! Invariant: the number of mines stays as it is, and the numbers are those of the layout, so every
//! position is consistent.

use fixtures::pattern::{board_showing, without_safe_cells};
use game::board_gen::below;
use game::field::{Field, FieldError};
use game::glibc::Rand;
use game::level::Level;
use rand_xoshiro::Xoshiro256PlusPlus;
use sapper::board::Board;
use sapper::board::geometry::Shape;

/// A layout with its open cells, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Individual {
    shape: Shape,
    mines: Vec<bool>,
    /// A mine may be open too: it was hit.
    open: Vec<bool>,
}

impl Individual {
    /// A random layout of `level`; some of its cells are open.
    ///
    /// # Errors
    /// Fails if the mines do not fit.
    pub fn random(level: Level, random: &mut Xoshiro256PlusPlus) -> Result<Individual, FieldError> {
        let Level { shape, mines } = level;
        let mut rand = Rand::new(below(random, 1 << 31) as i32);
        let field = Field::generate(shape, mines, &mut rand)?;
        let mines: Vec<bool> = shape.cells().map(|cell| field.is_mine(cell)).collect();
        // From hardly a cell to most of the safe cells.
        let percent = below(random, 80);
        let open = mines.iter().map(|is_mine| !is_mine && below(random, 100) < percent).collect();
        Ok(Individual { shape, mines, open })
    }

    /// A changed copy: some cells open or close, some mines move, or a rectangle of open and closed
    /// cells comes from `other`.
    pub fn changed(&self, other: &Individual, random: &mut Xoshiro256PlusPlus) -> Individual {
        let mut changed = self.clone();
        for _ in 0..=below(random, 3) {
            match below(random, 5) {
                0 | 1 => changed.toggle(random),
                2 | 3 => changed.move_mine(random),
                _ => changed.copy_rectangle(other, random),
            }
        }
        changed
    }

    fn toggle(&mut self, random: &mut Xoshiro256PlusPlus) {
        let index = below(random, self.open.len() as u64) as usize;
        self.open[index] = !self.open[index];
    }

    /// Swaps two cells. An open number that becomes a mine is closed, and the other cell is open.
    fn move_mine(&mut self, random: &mut Xoshiro256PlusPlus) {
        let len = self.mines.len() as u64;
        let (a, b) = (below(random, len) as usize, below(random, len) as usize);
        self.mines.swap(a, b);
        if self.mines[a] && self.open[a] {
            self.open.swap(a, b);
        }
        if self.mines[b] && self.open[b] {
            self.open.swap(a, b);
        }
    }

    fn copy_rectangle(&mut self, other: &Individual, random: &mut Xoshiro256PlusPlus) {
        let (rows, columns) = (u64::from(self.shape.rows()), u64::from(self.shape.columns()));
        let mut range = |len: u64| {
            let (a, b) = (below(random, len), below(random, len));
            a.min(b)..=a.max(b)
        };
        let (height, width) = (range(rows), range(columns));
        for row in height {
            for column in width.clone() {
                let index = (row * columns + column) as usize;
                self.open[index] = other.open[index] && !self.mines[index];
            }
        }
    }

    /// What a player sees, without the numbers that prove a cell safe.
    pub fn board(&self) -> Board {
        let mines = (0..self.mines.len()).filter(|&index| self.mines[index]);
        let field = Field::from_mines(self.shape, mines).expect("different cells of the shape");
        let board = board_showing(&field, |cell| self.open[cell.index()]);
        without_safe_cells(board)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;
    use sapper::board::CellState;
    use sapper::deduction::groups::deducer::{Deducer, Reach};

    use super::*;

    #[test]
    fn every_change_keeps_the_mines_and_the_position_consistent() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for level in ["5x4/6", "9x9/40", "1x7/1", "4x28/32", "3x3/9"] {
            let level: Level = level.parse().unwrap();
            let mut individual = Individual::random(level, &mut random).unwrap();
            let (mut changes, mut hits) = (0, 0);
            for _ in 0..200 {
                let other = Individual::random(level, &mut random).unwrap();
                let next = individual.changed(&other, &mut random);
                changes += usize::from(next != individual);
                individual = next;
                let board = individual.board();
                assert_eq!((board.mines(), board.reasons()), (level.mines, Vec::new()));
                hits += board.hits();
                let (position, mut deducer) = (board.position(), Deducer::default());
                // What only the mine total proves safe has no number to hide.
                for &safe in deducer.run(&position, Reach::FixedPoint).unwrap().safe() {
                    let mut around = level.shape.neighbours(safe).into_iter();
                    let is_number = |cell| matches!(board.state(cell), CellState::Number(_));
                    assert!(!around.any(is_number), "{board}");
                }
            }
            assert!(changes > 100 && hits > 0, "{level}: {changes} changes, {hits} hits");
        }
        assert!(Individual::random("3x3/10".parse().unwrap(), &mut random).is_err());
    }
}
