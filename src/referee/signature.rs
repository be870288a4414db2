//! The signature: a hash of the engine's decisions, which shows whether play has changed.
//!
//! A [`Part`] is an effort and an objective. Each part decides every position of a [`Suite`]. The
//! efforts below full, which are much faster, also play whole games. The hash covers the cells that
//! are opened, in order, and nothing else. `samples/signature/expected.txt` is the committed
//! signature, the table that `judge signature` prints.
//!
//! Invariant: the same engine gives the same signature on every machine, natively and as
//! WebAssembly (`scripts/wasm-signature`). The search is limited by nodes, no clock is read, and no
//! arithmetic depends on the platform's C library or on the width of `usize`.
//!
//! Cost: the positions at full effort take most of the time.

use super::board_file::Layout;
use super::simulate::{Rule, play};
use crate::base::budget::Turn;
use crate::base::objective::Objective;
use crate::base::params::Effort;
use crate::base::rng::mix;
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::board::text_format::Picture;
use crate::bot::engine::Engine;

/// A hash of cells in order, printed as 8 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hash(u64);

impl Hash {
    /// The 32 bits that are printed.
    pub fn bits(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Appends a cell.
    fn add_cell(&mut self, cell: Cell) {
        self.add(cell.index() as u64);
    }

    /// Appends the hash of an item.
    fn add_hash(&mut self, item: Hash) {
        // Drops the lowest bit, so that `add` cannot overflow.
        self.add(item.0 >> 1);
    }

    fn add(&mut self, value: u64) {
        // `mix` maps 0 to 0, so the value is shifted by one.
        self.0 = mix(self.0.rotate_left(1) ^ mix(value + 1));
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.bits())
    }
}

/// What one hash of the signature covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The effort of the engine.
    pub effort: Effort,
    /// The objective of the engine.
    pub objective: Objective,
}

impl Part {
    /// All parts, in the order in which they are printed.
    pub const ALL: [Part; 6] = [
        Part { effort: Effort::Fast, objective: Objective::FewestHits },
        Part { effort: Effort::Fast, objective: Objective::CleanWin },
        Part { effort: Effort::Standard, objective: Objective::FewestHits },
        Part { effort: Effort::Standard, objective: Objective::CleanWin },
        Part { effort: Effort::Full, objective: Objective::FewestHits },
        Part { effort: Effort::Full, objective: Objective::CleanWin },
    ];

    /// The part of the bot as it is uploaded.
    pub const BOT: Part = Part::ALL[4];

    /// Its name, such as `full fewest-hits`.
    pub fn name(self) -> &'static str {
        match (self.effort, self.objective) {
            (Effort::Fast, Objective::FewestHits) => "fast fewest-hits",
            (Effort::Fast, Objective::CleanWin) => "fast clean-win",
            (Effort::Standard, Objective::FewestHits) => "standard fewest-hits",
            (Effort::Standard, Objective::CleanWin) => "standard clean-win",
            (Effort::Full, Objective::FewestHits) => "full fewest-hits",
            (Effort::Full, Objective::CleanWin) => "full clean-win",
        }
    }
}

/// The positions of the signature.
const POSITIONS: &str = include_str!("../../samples/signature/positions.txt");

/// The boards of the signature, with the rules that they are played by.
const BOARDS: [(Rule, &str); 3] = [
    (Rule::Botzone, include_str!("../../samples/boards/botzone-default.txt")),
    (Rule::Classic, include_str!("../../samples/boards/expert-safe-first.txt")),
    (Rule::Classic, include_str!("../../samples/boards/expert-open-first.txt")),
];

/// The positions and boards that the signature is made of.
pub struct Suite {
    positions: Vec<Board>,
    games: Vec<(Rule, Layout)>,
}

/// The result of one item of a part, or of several items combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The hash of the decisions.
    pub hash: Hash,
    /// The number of decisions.
    pub decisions: u64,
}

impl Item {
    /// The item whose decisions open these cells, in order.
    pub fn of_cells(cells: impl IntoIterator<Item = Cell>) -> Item {
        let mut item = Item { hash: Hash::default(), decisions: 0 };
        for cell in cells {
            item.hash.add_cell(cell);
            item.decisions += 1;
        }
        item
    }
}

impl Suite {
    /// The suite of the committed signature, `samples/signature/expected.txt`.
    pub fn from_samples() -> Suite {
        Suite::read(POSITIONS, &BOARDS).expect("the samples are read by the tests")
    }

    /// Reads `positions`, pictures separated by empty lines, and board files with their rules.
    ///
    /// # Errors
    /// Names the first picture or line that cannot be read; positions are counted from 0.
    pub fn read(positions: &str, boards: &[(Rule, &str)]) -> Result<Suite, String> {
        let mut suite = Suite { positions: Vec::new(), games: Vec::new() };
        for text in positions.split("\n\n") {
            let is_text =
                |line: &str| !line.trim_start().starts_with('#') && !line.trim().is_empty();
            if !text.lines().any(is_text) {
                continue;
            }
            let index = suite.positions.len();
            let picture = text.parse::<Picture>();
            let picture = picture.map_err(|error| format!("position {index}: {error}"))?;
            let mines = picture.mines.ok_or(format!("position {index} states no mine count"))?;
            let board = picture.board(mines);
            suite.positions.push(board.map_err(|error| format!("position {index}: {error}"))?);
        }
        for (rule, text) in boards {
            for line in text.lines() {
                let layout = line.parse().map_err(|error| format!("`{line}`: {error}"))?;
                suite.games.push((*rule, layout));
            }
        }
        Ok(suite)
    }

    /// The positions, the first items of every part.
    pub fn positions(&self) -> &[Board] {
        &self.positions
    }

    /// The number of items that a part consists of: positions and games.
    pub fn len(&self, part: Part) -> usize {
        let games = if part.effort == Effort::Full { 0 } else { self.games.len() };
        self.positions.len() + games
    }

    /// Decides item `index` of a part with `engine`, which must have that part's objective and
    /// effort.
    pub fn run(&self, index: usize, engine: &mut Engine) -> Item {
        let mut cells = Vec::new();
        if let Some(board) = self.positions.get(index) {
            cells.extend(decide(board, engine));
        } else if let Some((rule, layout)) = self.games.get(index - self.positions.len()) {
            play(layout, *rule, engine, |_, decision, _| cells.push(decision.cell()));
        }
        Item::of_cells(cells)
    }

    /// Decides all items of a part, one after another.
    pub fn part(&self, part: Part) -> Item {
        let mut engine = Engine::new(part.objective, part.effort);
        combine((0..self.len(part)).map(|index| self.run(index, &mut engine)))
    }
}

/// The cell that `engine` opens on `board` when no clock is read, or `None` if no cell is hidden.
pub fn decide(board: &Board, engine: &mut Engine) -> Option<Cell> {
    let turn = Turn::UNTIMED;
    engine.decide(board, turn).map(|decision| decision.cell())
}

/// Combines items, or parts, in order.
pub fn combine(items: impl IntoIterator<Item = Item>) -> Item {
    let mut combined = Item { hash: Hash::default(), decisions: 0 };
    for item in items {
        combined.hash.add_hash(item.hash);
        combined.decisions += item.decisions;
    }
    combined
}

/// A row of a printed signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name of a part, or `all`.
    pub name: String,
    /// The number of decisions.
    pub decisions: u64,
    /// The 32 bits of the hash that are printed.
    pub hash: u32,
}

impl Row {
    /// The row of an item.
    pub fn new(name: &str, item: Item) -> Row {
        Row { name: name.to_owned(), decisions: item.decisions, hash: item.hash.bits() }
    }

    /// Reads the line `| name | decisions | hash |`; any other line is `None`.
    fn read(line: &str) -> Option<Row> {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", name, decisions, hash, ""] = columns[..] else { return None };
        let hash = u32::from_str_radix(hash, 16).ok()?;
        Some(Row { name: name.to_owned(), decisions: decisions.parse().ok()?, hash })
    }
}

/// Reads the rows of a printed signature. Its other lines, such as the heading, are skipped.
pub fn read_rows(text: &str) -> Vec<Row> {
    text.lines().filter_map(Row::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_and_the_order_of_cells_change_the_hash() {
        let hash = |cells: &[u32]| {
            let mut hash = Hash::default();
            cells.iter().for_each(|&cell| hash.add_cell(Cell::from_index(cell)));
            hash.to_string()
        };
        let all = [&[][..], &[0], &[0, 0], &[1], &[0, 1], &[1, 0], &[2]].map(hash);
        let different: std::collections::HashSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert!(all.iter().all(|text| text.len() == 8));
    }

    #[test]
    fn every_item_of_a_suite_is_decided() {
        let positions = "# Two.\n\n2 2 1\n1?\n??\n\n2 2 1\n??\n??\n";
        let suite = Suite::read(positions, &[(Rule::Botzone, "2 2 1 0 0 3\n")]).unwrap();
        assert_eq!(suite.positions().len(), 2);
        let [fast, full] = [Part::ALL[0], Part::BOT].map(|part| suite.len(part));
        assert_eq!((fast, full), (3, 2));
        let fast = suite.part(Part::ALL[0]);
        assert!(fast.decisions >= 4, "{fast:?}");
        assert_eq!(suite.part(Part::BOT).decisions, 2);
        for (positions, boards) in [("2 2\n??\n??", ""), ("2 2 1\n?", ""), ("", "2 2 1")] {
            assert!(Suite::read(positions, &[(Rule::Botzone, boards)]).is_err());
        }
    }

    #[test]
    fn the_committed_signature_has_a_row_for_every_part() {
        let rows = read_rows(include_str!("../../samples/signature/expected.txt"));
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let expected: Vec<&str> = Part::ALL.iter().map(|part| part.name()).chain(["all"]).collect();
        assert_eq!(names, expected);
        let item = Item { hash: Hash(0x0123_abcd << 32), decisions: 7 };
        let printed = format!("| part | decisions | hash |\n|---|\n| all | 7 | {} |\n", item.hash);
        assert_eq!(read_rows(&printed), [Row::new("all", item)]);
        assert_eq!(read_rows("| all | 7 |\nall 7 0123abcd\n| all | x | 0123abcd |\n"), []);
    }
}
