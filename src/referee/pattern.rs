//! Positions that no player would reach and that are hard on a solver: which safe cells are open.
//!
//! Play opens areas, and their edges are lines of a few groups at a time. What is hard to count is
//! a *wide* frontier: many numbers far apart that share hidden cells in every direction. So these
//! patterns open cells by their place and not by play. A position is a pattern over a random
//! layout; it is always one that can be.
//!
//! Invariant: the same recipe gives the same position, on every machine and in every version.

use std::fmt;
use std::str::FromStr;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::board_gen::below;
use super::field::Field;
use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::{Board, CellState};
use crate::deduction::deducer::{Deducer, Reach};

/// Which safe cells are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// None at all.
    Untouched,
    /// Every other row: hidden rows between numbers that see both neighbours.
    Rows,
    /// Every second cell, as on a chessboard.
    Checker,
    /// Every third cell, each row shifted: few numbers, each of which sees many hidden cells.
    Third,
    /// Every second cell of every second row: no two numbers touch.
    Lattice,
    /// A row of numbers every fourth row, and teeth of numbers hanging from it.
    Comb,
    /// A path that winds through the whole field, two cells wide: one component as long as the
    /// field.
    Snake,
    /// Pairs of rows open, pairs hidden.
    Pairs,
    /// Each safe cell with this chance in a hundred.
    Scattered(u8),
}

impl Pattern {
    /// Those without a number, in the order of their names here.
    pub const PLAIN: [(Pattern, &'static str); 8] = [
        (Pattern::Untouched, "untouched"),
        (Pattern::Rows, "rows"),
        (Pattern::Checker, "checker"),
        (Pattern::Third, "third"),
        (Pattern::Lattice, "lattice"),
        (Pattern::Comb, "comb"),
        (Pattern::Snake, "snake"),
        (Pattern::Pairs, "pairs"),
    ];

    fn opens(self, row: u32, column: u32, random: &mut Xoshiro256PlusPlus) -> bool {
        match self {
            Pattern::Untouched => false,
            Pattern::Rows => row % 2 == 1,
            Pattern::Checker => (row + column) % 2 == 1,
            Pattern::Third => (row * 7 + column * 11).is_multiple_of(3),
            Pattern::Lattice => row % 2 == 1 && column % 2 == 1,
            Pattern::Comb => row.is_multiple_of(4) || (column.is_multiple_of(3) && row % 4 != 3),
            Pattern::Snake => {
                let turn = if (row / 6).is_multiple_of(2) { column < 2 } else { column > 7 };
                row % 6 < 2 || (turn && row % 6 > 1)
            }
            Pattern::Pairs => row % 4 < 2,
            Pattern::Scattered(chance) => below(random, 100) < chance.into(),
        }
    }

    /// Opens cells of this field.
    pub fn board(self, field: &Field, seed: u64) -> Board {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let shape = field.shape();
        let mut board = Board::new(shape, field.mines().count() as u32);
        for cell in shape.cells() {
            let opens = self.opens(shape.row(cell), shape.column(cell), &mut random);
            if opens && !field.is_mine(cell) {
                board.open(cell, CellState::from_value(Some(field.value(cell).into())));
            }
        }
        board
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Scattered(chance) => write!(f, "scattered{chance}"),
            plain => {
                let name = Pattern::PLAIN.iter().find(|(pattern, _)| pattern == plain);
                f.write_str(name.map_or("", |(_, name)| name))
            }
        }
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(word: &str) -> Result<Pattern, String> {
        if let Some((pattern, _)) = Pattern::PLAIN.iter().find(|(_, name)| *name == word) {
            return Ok(*pattern);
        }
        let chance = word.strip_prefix("scattered").and_then(|rest| rest.parse::<u8>().ok());
        chance.filter(|chance| *chance <= 100).map(Pattern::Scattered).ok_or_else(|| {
            let names: Vec<&str> = Pattern::PLAIN.iter().map(|(_, name)| *name).collect();
            format!("`{word}` is no pattern; there are {}, scattered0-100", names.join(", "))
        })
    }
}

/// One position of a file of recipes: `WIDTH HEIGHT MINES% SEED PATTERN`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Rows and columns.
    pub shape: Shape,
    /// Mines in a hundred cells.
    pub percent: u32,
    /// What the layout, and what is scattered, is drawn from.
    pub seed: u64,
    /// Which safe cells are open.
    pub pattern: Pattern,
}

impl Recipe {
    /// The field: so many mines, all layouts equally likely.
    pub fn field(&self) -> Field {
        let mut places: Vec<usize> = (0..self.shape.len()).collect();
        let mines = self.shape.len() * self.percent as usize / 100;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for k in 0..mines {
            let drawn = below(&mut random, (places.len() - k) as u64);
            places.swap(k, k + drawn as usize);
        }
        Field::from_mines(self.shape, places[..mines].iter().copied())
            .expect("cells of the shape, each once")
    }

    /// The position, less the numbers by which deduction proves a cell safe: where one is left to
    /// be seen, the bot answers it and does nothing that is hard.
    ///
    /// Of the numbers around a cell that is proven safe one is closed, until none is proven. The
    /// field stays what it was.
    pub fn hard_board(&self) -> Board {
        let mut board = self.pattern.board(&self.field(), self.seed);
        let (shape, mut deducer) = (self.shape, Deducer::new());
        loop {
            // A contradiction cannot be: the numbers are those of a field.
            let proven = deducer.run(&board.position(), Reach::FixedPoint).is_ok();
            let mut closed = CellMap::new(shape.len(), false);
            for &safe in deducer.safe() {
                let around = shape.neighbours(safe);
                let numbers = || around.iter().filter(|cell| !board.is_hidden(**cell));
                if numbers().all(|&cell| !closed[cell])
                    && let Some(&number) = numbers().next()
                {
                    closed[number] = true;
                }
            }
            // By the total alone nothing can be closed.
            if !proven || closed.iter().all(|(_, closed)| !closed) {
                return board;
            }
            let mut again = Board::new(shape, board.mines());
            for (cell, shown) in board.iter().filter(|(cell, _)| !closed[*cell]) {
                again.open(cell, shown);
            }
            board = again;
        }
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(line: &str) -> Result<Recipe, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [columns, rows, percent, seed, pattern] = words[..] else {
            return Err(format!("`{line}`: expected `WIDTH HEIGHT MINES% SEED PATTERN`"));
        };
        let number = |word: &str| {
            word.parse::<u64>().map_err(|_| format!("`{line}`: `{word}` is no number"))
        };
        let shape = Shape::new(number(rows)?, number(columns)?);
        let percent = number(percent.trim_end_matches('%'))?;
        if percent > 100 {
            return Err(format!("`{line}`: {percent} % of the cells cannot be mines"));
        }
        Ok(Recipe {
            shape: shape.map_err(|error| format!("`{line}`: {error}"))?,
            percent: percent as u32,
            seed: number(seed)?,
            pattern: pattern.parse()?,
        })
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe { shape, percent, seed, pattern } = self;
        write!(f, "{} {} {percent}% {seed} {pattern}", shape.columns(), shape.rows())
    }
}

/// The text of the request that reports these cells, as the judge writes it.
pub fn request_text(shape: Shape, mines: u32, cells: impl Iterator<Item = (Cell, u8)>) -> String {
    use fmt::Write;
    let mut text = String::from("{\"changed\":[");
    for (index, (cell, value)) in cells.enumerate() {
        let (comma, row, column) =
            (if index == 0 { "" } else { "," }, shape.row(cell), shape.column(cell));
        let _ = write!(text, "{comma}{{\"col\":{column},\"row\":{row},\"val\":{value}}}");
    }
    let (rows, columns) = (shape.rows(), shape.columns());
    let _ = write!(text, "],\"height\":{rows},\"minecount\":{mines},\"width\":{columns}}}");
    text
}

/// The text of the request that leaves `board`, where it is the first.
pub fn request_of(board: &Board) -> String {
    let open = board.iter().filter(|(_, shown)| *shown != CellState::Hidden);
    let open = open.filter_map(|(cell, shown)| Some((cell, shown.value()?)));
    request_text(board.shape(), board.mines(), open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_are_read_and_faults_named() {
        for line in ["80 40 30% 7 checker", "3 2 0% 0 untouched", "9 9 50% 1 scattered40"] {
            assert_eq!(line.parse::<Recipe>().unwrap().to_string(), line);
        }
        for (line, word) in [
            ("80 40 30% 7", "expected"),
            ("80 x 30% 7 rows", "`x` is no number"),
            ("0 40 30% 7 rows", "at least one row"),
            ("80 40 130% 7 rows", "130 %"),
            ("80 40 30% 7 stripes", "no pattern"),
            ("80 40 30% 7 scattered101", "no pattern"),
        ] {
            assert!(line.parse::<Recipe>().unwrap_err().contains(word), "{line}");
        }
    }

    #[test]
    fn a_position_can_be_and_its_request_leads_to_it() {
        for (pattern, _) in Pattern::PLAIN.into_iter().chain([(Pattern::Scattered(40), "")]) {
            let shape = Shape::new(13, 17).unwrap();
            let recipe = Recipe { shape, percent: 20, seed: 3, pattern };
            let board = pattern.board(&recipe.field(), recipe.seed);
            assert_eq!(board.mines(), 44);
            assert_eq!(board.reasons(), []);
            assert_eq!(board.hidden_len() == 221, pattern == Pattern::Untouched, "{pattern}");
            let hard = recipe.hard_board();
            let mut deducer = Deducer::new();
            deducer.run(&hard.position(), Reach::FixedPoint).unwrap();
            assert_eq!(deducer.safe(), []);
            assert_eq!(hard.hidden_len() == 221, pattern == Pattern::Untouched, "{pattern}");
            let text = request_of(&board);
            let input = crate::protocol::inputs(text.as_bytes()).next().unwrap().unwrap();
            let mut session = crate::bot::session::Session::default();
            session.push(input).unwrap();
            assert_eq!(session.board().unwrap(), (board, Vec::new()));
        }
    }
}
