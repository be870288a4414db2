//! The field as the judge holds it: one value for each cell, 0-8 for numbers and 9 for a mine.
//!
//! A field is generated from a seed ([`Field::generate`]), built from the indexes of its mines
//! ([`Field::from_mines`]), or read from the text of its values ([`Field::from_text`]). The first
//! two compute the numbers from the mines. The third takes the values as they are, as the judge
//! does: the numbers may be wrong, and missing values are zeros.

use std::fmt;

use super::glibc::Rand;
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::kit::text::pluralize;

/// The value of a mine.
pub const MINE: u8 = 9;

/// The shape and the values of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    shape: Shape,
    values: CellMap<u8>,
}

/// The reason why a field cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldError {
    /// More mines than cells.
    TooManyMines {
        /// Requested mines.
        mines: u32,
        /// Cells of the field.
        cells: usize,
    },
    /// The index of a mine is outside the field.
    Outside {
        /// The index.
        index: usize,
        /// Cells of the field.
        cells: usize,
    },
    /// An index occurs twice.
    Twice {
        /// The index.
        index: usize,
    },
    /// More characters than cells.
    TooLong {
        /// Characters of the text.
        characters: usize,
        /// Cells of the field.
        cells: usize,
    },
    /// A character is not a digit.
    NoDigit {
        /// Its index in the text, from 0.
        index: usize,
        /// The character.
        character: char,
    },
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldError::TooManyMines { mines, cells } => {
                write!(f, "{}", too_many_mines(u64::from(*mines), *cells as u64))
            }
            FieldError::Outside { index, cells } => {
                let cells = pluralize(*cells as u64, "cell", "cells");
                write!(f, "mine index {index} is outside the field, which has {cells}")
            }
            FieldError::Twice { index } => write!(f, "mine index {index} occurs twice"),
            FieldError::TooLong { characters, cells } => {
                let characters = pluralize(*characters as u64, "character", "characters");
                write!(f, "field: {characters} for {}", pluralize(*cells as u64, "cell", "cells"))
            }
            FieldError::NoDigit { index, character } => {
                write!(f, "field: character {index} is `{character}`, not a digit")
            }
        }
    }
}

impl std::error::Error for FieldError {}

impl Field {
    /// Draws `mines` mines as the judge does: row first, then column, again where the cell is
    /// already a mine.
    ///
    /// `rand` is left in the state that the judge's generator has afterwards.
    ///
    /// # Errors
    /// [`FieldError::TooManyMines`], where the judge would draw for ever.
    pub fn generate(shape: Shape, mines: u32, rand: &mut Rand) -> Result<Field, FieldError> {
        if mines as usize > shape.len() {
            return Err(FieldError::TooManyMines { mines, cells: shape.len() });
        }
        let mut field = Field::empty(shape);
        for _ in 0..mines {
            let mine = loop {
                let row = rand.below(shape.rows());
                let column = rand.below(shape.columns());
                let cell = Cell::from_index(row * shape.columns() + column);
                if !field.is_mine(cell) {
                    break cell;
                }
            };
            field.place_mine(mine);
        }
        Ok(field)
    }

    /// The field whose mines have these row-major indexes.
    ///
    /// # Errors
    /// [`FieldError::Outside`] or [`FieldError::Twice`] for the first index that is invalid.
    pub fn from_mines(
        shape: Shape,
        mines: impl IntoIterator<Item = usize>,
    ) -> Result<Field, FieldError> {
        let mut field = Field::empty(shape);
        for index in mines {
            if index >= shape.len() {
                return Err(FieldError::Outside { index, cells: shape.len() });
            }
            let cell = Cell::from_index(index as u32);
            if field.is_mine(cell) {
                return Err(FieldError::Twice { index });
            }
            field.place_mine(cell);
        }
        Ok(field)
    }

    /// The field with these values, row by row, without a check of the numbers.
    ///
    /// # Errors
    /// [`FieldError::TooLong`] or [`FieldError::NoDigit`].
    pub fn from_text(shape: Shape, text: &str) -> Result<Field, FieldError> {
        let characters = text.chars().count();
        if characters > shape.len() {
            return Err(FieldError::TooLong { characters, cells: shape.len() });
        }
        let mut field = Field::empty(shape);
        for (index, (cell, character)) in shape.cells().zip(text.chars()).enumerate() {
            let digit = character.to_digit(10);
            let value = digit.ok_or(FieldError::NoDigit { index, character })?;
            field.values[cell] = value as u8;
        }
        Ok(field)
    }

    fn empty(shape: Shape) -> Field {
        Field { shape, values: CellMap::new(shape.len(), 0) }
    }

    /// Places a mine on a safe cell and counts it in the neighbouring numbers.
    fn place_mine(&mut self, mine: Cell) {
        self.values[mine] = MINE;
        for neighbour in self.shape.neighbours(mine) {
            if self.values[neighbour] != MINE {
                self.values[neighbour] += 1;
            }
        }
        // A cell has at most 8 neighbours, so no number reaches `MINE`.
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The value of `cell`: 0-8, or 9 for a mine.
    pub fn value(&self, cell: Cell) -> u8 {
        self.values[cell]
    }

    /// Whether `cell` is a mine.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.values[cell] == MINE
    }

    /// The mines, in row-major order.
    pub fn mines(&self) -> impl Iterator<Item = Cell> {
        self.values.iter().filter(|(_, value)| **value == MINE).map(|(cell, _)| cell)
    }
}

impl fmt::Display for Field {
    /// The values as one string of digits, row by row: the judge's `field`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String =
            self.values.iter().map(|(_, value)| char::from(b'0' + value)).collect();
        f.write_str(&digits)
    }
}

/// The message that there are more mines than cells: `2 mines do not fit into 1 cell`.
pub fn too_many_mines(mines: u64, cells: u64) -> String {
    let (mines, cells) =
        (pluralize(mines, "mine does", "mines do"), pluralize(cells, "cell", "cells"));
    format!("{mines} not fit into {cells}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(columns: u64, rows: u64) -> Shape {
        Shape::new(rows, columns).unwrap()
    }

    #[test]
    fn boards_of_a_seed_are_the_official_ones() {
        for (columns, rows, mines, seed, expected) in [
            (30, 20, 80, 1, "f68b05c8addc38d55b6c5a6931685172"),
            (30, 20, 80, 12345, "f67ae0faaac8d8d800e9c7be3b371959"),
            (30, 20, 80, 1_600_000_000, "63d2356238008f7ab8f2e91f5c8256cb"),
            (80, 40, 100, 7, "65e8aa10a46502549c12f497468a39b7"),
            (11, 11, 11, 42, "b50707aa045585f8d20b4b911d7c5de0"),
        ] {
            let field = Field::generate(shape(columns, rows), mines, &mut Rand::new(seed)).unwrap();
            assert_eq!(format!("{:x}", md5::compute(field.to_string())), expected);
            let indexes: Vec<usize> = field.mines().map(Cell::index).collect();
            assert_eq!(indexes.len(), mines as usize);
            assert_eq!(Field::from_mines(field.shape(), indexes).unwrap(), field);
            assert_eq!(Field::from_text(field.shape(), &field.to_string()).unwrap(), field);
        }
    }

    #[test]
    fn a_field_may_be_all_mines_but_not_more() {
        let full = Field::generate(shape(3, 2), 6, &mut Rand::new(1)).unwrap();
        assert_eq!(full.to_string(), "999999");
        let error = Field::generate(shape(3, 2), 7, &mut Rand::new(1)).unwrap_err();
        assert_eq!(error, FieldError::TooManyMines { mines: 7, cells: 6 });
    }

    #[test]
    fn given_values_are_taken_as_they_are() {
        let field = Field::from_text(shape(3, 2), "9000").unwrap();
        assert_eq!(field.to_string(), "900000");
        assert_eq!(Field::from_mines(shape(3, 2), [0]).unwrap().to_string(), "910110");
    }

    #[test]
    fn invalid_fields_are_refused() {
        let text = |text| Field::from_text(shape(2, 1), text).unwrap_err();
        assert_eq!(text("000"), FieldError::TooLong { characters: 3, cells: 2 });
        assert_eq!(text("0x"), FieldError::NoDigit { index: 1, character: 'x' });
        let mines = |mines: [usize; 2]| Field::from_mines(shape(2, 1), mines).unwrap_err();
        assert_eq!(mines([0, 2]), FieldError::Outside { index: 2, cells: 2 });
        assert_eq!(mines([1, 1]), FieldError::Twice { index: 1 });
    }
}
