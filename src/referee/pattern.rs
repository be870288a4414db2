//! Positions that play does not reach and that are expensive to count.
//!
//! Play opens areas whose edges are narrow lines of numbers. Counting is expensive for a *wide*
//! frontier: many numbers that share hidden cells in every direction. A [`Pattern`] opens safe
//! cells by their row and column instead. The layout below it is random, so every position is
//! consistent.
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

/// The set of safe cells that are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// No cell.
    Untouched,
    /// Every other row.
    Rows,
    /// Every other cell, as on a chessboard.
    Checker,
    /// Every third cell, each row shifted: few numbers with many hidden neighbours each.
    Third,
    /// Every other cell of every other row: no two numbers touch.
    Lattice,
    /// Every fourth row, and columns of numbers that hang from it like the teeth of a comb.
    Comb,
    /// A path, two cells wide, that winds through the whole field: one long component.
    Snake,
    /// Two open rows, two hidden rows, alternating.
    Pairs,
    /// Each safe cell with this probability in percent.
    Scattered(u8),
}

impl Pattern {
    /// The patterns without a parameter, with their names.
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

    /// The board of `field` on which the safe cells of this pattern are open.
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
            format!(
                "unknown pattern `{word}`; the patterns are {}, scattered0-100",
                names.join(", ")
            )
        })
    }
}

/// The description of one position: `WIDTH HEIGHT MINES% SEED PATTERN`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Rows and columns.
    pub shape: Shape,
    /// Mines in percent of the cells.
    pub percent: u32,
    /// The seed of the layout and of [`Pattern::Scattered`].
    pub seed: u64,
    /// The set of safe cells that are open.
    pub pattern: Pattern,
}

impl Recipe {
    /// The field; all layouts with this number of mines are equally likely.
    pub fn field(&self) -> Field {
        let mut indexes: Vec<usize> = (0..self.shape.len()).collect();
        let mines = self.shape.len() * self.percent as usize / 100;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for k in 0..mines {
            let drawn = below(&mut random, (indexes.len() - k) as u64);
            indexes.swap(k, k + drawn as usize);
        }
        Field::from_mines(self.shape, indexes[..mines].iter().copied())
            .expect("the indexes are different cells of the shape")
    }

    /// The position without the numbers by which deduction proves a cell safe, because the bot
    /// would answer with such a cell instead of counting.
    ///
    /// One number around each provably safe cell is hidden again, until no cell is provably safe.
    pub fn hard_board(&self) -> Board {
        let mut board = self.pattern.board(&self.field(), self.seed);
        let (shape, mut deducer) = (self.shape, Deducer::default());
        loop {
            let position = board.position();
            let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { return board };
            let mut to_hide = CellMap::new(shape.len(), false);
            for &safe in deduced.safe() {
                let around = shape.neighbours(safe);
                let numbers = || around.iter().filter(|cell| !board.is_hidden(**cell));
                if numbers().all(|&cell| !to_hide[cell])
                    && let Some(&number) = numbers().next()
                {
                    to_hide[number] = true;
                }
            }
            // A cell that only the mine total proves safe has no number to hide.
            if to_hide.iter().all(|(_, to_hide)| !to_hide) {
                return board;
            }
            let mut reduced = Board::new(shape, board.mines());
            for (cell, state) in board.iter().filter(|(cell, _)| !to_hide[*cell]) {
                reduced.open(cell, state);
            }
            board = reduced;
        }
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(line: &str) -> Result<Recipe, String> {
        /// The most characters of the line that a message shows.
        const MAX_SHOWN: usize = 60;
        let words: Vec<&str> = line.split_whitespace().collect();
        let line: String = line.chars().take(MAX_SHOWN).collect();
        let [columns, rows, percent, seed, pattern] = words[..] else {
            return Err(format!("`{line}`: expected `WIDTH HEIGHT MINES% SEED PATTERN`"));
        };
        let number = |word: &str| {
            word.parse::<u64>().map_err(|_| format!("`{line}`: `{word}` is not a number"))
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

/// The request that reports `cells` with their values, as the judge writes it.
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

/// The request of turn 0 that reports all open cells of `board`.
pub fn first_request_text(board: &Board) -> String {
    let open = board.iter().filter(|(_, state)| *state != CellState::Hidden);
    let open = open.filter_map(|(cell, state)| Some((cell, state.value()?)));
    request_text(board.shape(), board.mines(), open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_are_read_and_errors_named() {
        for line in ["80 40 30% 7 checker", "3 2 0% 0 untouched", "9 9 50% 1 scattered40"] {
            assert_eq!(line.parse::<Recipe>().unwrap().to_string(), line);
        }
        for (line, word) in [
            ("80 40 30% 7", "expected"),
            ("80 x 30% 7 rows", "`x` is not a number"),
            ("0 40 30% 7 rows", "at least one row"),
            ("80 40 130% 7 rows", "130 %"),
            ("80 40 30% 7 stripes", "unknown pattern"),
            ("80 40 30% 7 scattered101", "unknown pattern"),
        ] {
            assert!(line.parse::<Recipe>().unwrap_err().contains(word), "{line}");
        }
    }

    #[test]
    fn positions_are_consistent_and_their_requests_lead_to_them() {
        for (pattern, _) in Pattern::PLAIN.into_iter().chain([(Pattern::Scattered(40), "")]) {
            let shape = Shape::new(13, 17).unwrap();
            let recipe = Recipe { shape, percent: 20, seed: 3, pattern };
            let board = pattern.board(&recipe.field(), recipe.seed);
            assert_eq!(board.mines(), 44);
            assert_eq!(board.reasons(), []);
            assert_eq!(board.hidden_len() == 221, pattern == Pattern::Untouched, "{pattern}");
            let hard = recipe.hard_board();
            let mut deducer = Deducer::default();
            let position = hard.position();
            assert_eq!(deducer.run(&position, Reach::FixedPoint).unwrap().safe(), []);
            assert_eq!(hard.hidden_len() == 221, pattern == Pattern::Untouched, "{pattern}");
            let text = first_request_text(&board);
            let input = crate::protocol::inputs(text.as_bytes()).next().unwrap().unwrap();
            let mut session = crate::bot::session::Session::default();
            session.push(input);
            assert_eq!(session.board().unwrap(), (board, Vec::new()));
        }
    }
}
