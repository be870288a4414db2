//! The requests of a match, merged as they are read.
//!
//! A history may be wrong in millions of places, and a single line of it may have a hundred
//! megabytes. So no request is stored: of each size the first usable value is kept, of each kind of
//! fault the first occurrences and a count, and of the reported cells those that some field can
//! have. [`crate::board::replay`] and [`crate::bot::session`] check them.
//!
//! Invariant: memory grows with the reported cells that some field can have, 12 bytes for each and
//! 16 for each request with any, and with nothing else.

use crate::base::capped_vec::{CappedVec, MAX_STORED};
use crate::board::geometry::Shape;
use crate::board::replay::ChangedCell;
use crate::protocol::lenient_serde::{CompactInteger, Integer};

/// One entry of `changed`, as it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RawChangedCell {
    /// The row, from 0.
    pub row: CompactInteger,
    /// The column, from 0.
    pub col: CompactInteger,
    /// 0-8 for a number, 9 for a mine.
    pub val: CompactInteger,
}

impl RawChangedCell {
    /// Whether some field has this cell.
    fn is_possible(self) -> bool {
        let side =
            |number: CompactInteger| number.get().and_then(|number| u64::try_from(number).ok());
        side(self.row).zip(side(self.col)).is_some_and(|(row, col)| {
            // Neither sum overflows: both numbers fit 32 bits.
            (row + 1).saturating_mul(col + 1) <= Shape::MAX_CELLS
        })
    }
}

/// The request of one turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// The number of rows.
    pub height: Integer,
    /// The number of columns.
    pub width: Integer,
    /// The number of mines.
    pub minecount: Integer,
    /// The cells that the last answer opened; absent, null, `[]` and `""` are the empty list.
    pub changed: ChangedList,
    /// Whether the value has at least one key of a request.
    pub has_any_key: bool,
}

/// The `changed` of a request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedList {
    /// The entries that have at least one key of a cell.
    pub cells: RawChangedCells,
    /// The number of the other entries.
    pub unreadable: u64,
    /// Whether the value is neither a list nor a form of the empty list.
    pub is_invalid: bool,
}

/// Reported cells, in order: all that some field has, and the first [`MAX_STORED`] of the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawChangedCells {
    cells: Vec<RawChangedCell>,
    /// The number of `cells` that no field has.
    impossible: usize,
    /// The number of cells that no field has and that are not stored.
    omitted: usize,
    /// The last cell pushed that no field has.
    last_impossible: Option<RawChangedCell>,
}

impl RawChangedCells {
    /// Adds a cell.
    pub fn push(&mut self, cell: RawChangedCell) {
        if !cell.is_possible() {
            // A repetition would give the same message.
            if self.last_impossible.replace(cell) == Some(cell) {
                return;
            }
            if self.impossible == MAX_STORED {
                self.omitted += 1;
                return;
            }
            self.impossible += 1;
        }
        self.cells.push(cell);
    }

    /// The stored cells.
    pub fn as_slice(&self) -> &[RawChangedCell] {
        &self.cells
    }

    /// Adds the cells of `other`; of the impossible ones only as many as [`MAX_STORED`] allows.
    fn append(&mut self, mut other: RawChangedCells) {
        let (room, mut impossible) = (MAX_STORED - self.impossible, 0);
        if other.impossible > room {
            other.cells.retain(|cell| {
                impossible += usize::from(!cell.is_possible());
                cell.is_possible() || impossible <= room
            });
        }
        let stored = other.impossible.min(room);
        self.impossible += stored;
        self.omitted += other.omitted + other.impossible - stored;
        // The shorter list is moved, because one request may hold nearly the whole input.
        if other.cells.len() > self.cells.len() {
            std::mem::swap(&mut self.cells, &mut other.cells);
            self.cells.reserve_exact(other.cells.len());
            self.cells.splice(0..0, other.cells);
        } else {
            self.cells.append(&mut other.cells);
        }
    }
}

/// The height, the width or the mine count of the field, as the requests state it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedField {
    min: i64,
    /// The first usable value and its turn.
    pub used: Option<(u64, usize)>,
    /// The turn and the value of each unusable value, and of the first usable one that is not
    /// `used`.
    pub conflicts: CappedVec<(usize, Integer)>,
    is_contradicted: bool,
}

impl ResolvedField {
    /// A field without a value, whose usable values are integers of at least `min`.
    fn new(min: i64) -> ResolvedField {
        ResolvedField { min, used: None, conflicts: CappedVec::default(), is_contradicted: false }
    }

    /// Adds the value of the request of `turn`.
    fn push(&mut self, turn: usize, value: Integer) {
        match (self.usable(value), self.used) {
            _ if value == Integer::Absent => {}
            (Some(value), None) => self.used = Some((value, turn)),
            (Some(number), Some((used, _))) => {
                if number != used && !self.is_contradicted {
                    self.is_contradicted = true;
                    self.conflicts.push((turn, value));
                }
            }
            (None, _) => self.conflicts.push((turn, value)),
        }
    }

    /// The value as a number, if it is an integer that is large enough.
    pub fn usable(&self, value: Integer) -> Option<u64> {
        value.value().filter(|&value| value >= self.min).map(|value| value as u64)
    }
}

/// A fault of the `changed` of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It is not a list.
    NotAList,
    /// This number of its entries are no cells.
    UnreadableEntries(u64),
}

/// The requests of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// The number of turns.
    pub turns: usize,
    /// The number of rows of the field.
    pub height: ResolvedField,
    /// The number of columns of the field.
    pub width: ResolvedField,
    /// The number of mines of the field.
    pub minecount: ResolvedField,
    /// The turns of requests without any key of a request.
    pub unreadable: CappedVec<usize>,
    /// The turns and the faults of `changed`.
    pub flaws: CappedVec<(usize, Flaw)>,
    changed: RawChangedCells,
    /// Each turn with stored cells, in order, with the end of its cells in `changed`.
    ends: Vec<(usize, usize)>,
}

impl Default for History {
    fn default() -> History {
        History {
            turns: 0,
            height: ResolvedField::new(1),
            width: ResolvedField::new(1),
            minecount: ResolvedField::new(0),
            unreadable: CappedVec::default(),
            flaws: CappedVec::default(),
            changed: RawChangedCells::default(),
            ends: Vec::new(),
        }
    }
}

impl History {
    /// Adds the request of the next turn.
    pub fn push(&mut self, request: Request) {
        let turn = self.turns;
        self.turns += 1;
        if !request.has_any_key {
            self.unreadable.push(turn);
            return;
        }
        self.height.push(turn, request.height);
        self.width.push(turn, request.width);
        self.minecount.push(turn, request.minecount);
        let ChangedList { cells, unreadable, is_invalid } = request.changed;
        if is_invalid {
            self.flaws.push((turn, Flaw::NotAList));
        }
        if unreadable > 0 {
            self.flaws.push((turn, Flaw::UnreadableEntries(unreadable)));
        }
        let start = self.changed.cells.len();
        self.changed.append(cells);
        let end = self.changed.cells.len();
        if end > start {
            self.ends.push((turn, end));
        }
    }

    /// The stored cells, each with its turn.
    pub fn changed_cells(&self) -> impl Iterator<Item = ChangedCell> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(_, end)| end));
        starts.zip(&self.ends).flat_map(|(start, &(turn, end))| {
            self.changed.cells[start..end].iter().map(move |cell| ChangedCell {
                turn,
                row: cell.row.get(),
                column: cell.col.get(),
                value: cell.val.get(),
            })
        })
    }

    /// The number of faults that are not stored.
    pub fn omitted_faults(&self) -> usize {
        let fields = [&self.height, &self.width, &self.minecount];
        let conflicts: usize = fields.iter().map(|field| field.conflicts.omitted).sum();
        conflicts + self.unreadable.omitted + self.flaws.omitted + self.changed.omitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: i64, col: i64, val: i64) -> RawChangedCell {
        let compact = |number| CompactInteger::from(Integer::Value(number));
        RawChangedCell { row: compact(row), col: compact(col), val: compact(val) }
    }

    fn request(cells: impl IntoIterator<Item = RawChangedCell>) -> Request {
        let mut list = ChangedList::default();
        cells.into_iter().for_each(|cell| list.cells.push(cell));
        Request { changed: list, has_any_key: true, ..Request::default() }
    }

    #[test]
    fn every_cell_that_some_field_has_is_stored_with_its_turn() {
        let mut history = History::default();
        let turns = [vec![cell(0, 1, 2)], vec![], vec![cell(5, 0, 77), cell(-1, 0, 1)]];
        turns.into_iter().for_each(|cells| history.push(request(cells)));
        let found: Vec<_> = history.changed_cells().map(|r| (r.turn, r.row, r.value)).collect();
        let expected = [(0, 0, 2), (2, 5, 77), (2, -1, 1)];
        assert_eq!(found, expected.map(|(turn, row, val)| (turn, Some(row), Some(val))));
    }

    #[test]
    fn cells_that_no_field_has_are_counted_after_the_first() {
        let largest = i64::from(i32::MAX);
        let (last, none) = ((1 << 18) - 1, CompactInteger::default());
        for (raw, is_possible) in [
            (cell(0, last, 1), true),
            (cell(last, 0, 1), true),
            (cell(511, 511, 99), true),
            (cell(511, 512, 1), false),
            (cell(largest, largest, 1), false),
            (cell(-1, 3, 1), false),
            (RawChangedCell { row: none, ..cell(1, 1, 1) }, false),
            (RawChangedCell { val: none, ..cell(1, 1, 1) }, true),
        ] {
            assert_eq!(raw.is_possible(), is_possible, "{raw:?}");
        }
        let mut history = History::default();
        let many = MAX_STORED as i64;
        // Half of them in one request, as many as are stored in others, and one that is repeated.
        history.push(request((0..many / 2).map(|row| cell(-1, row, 1))));
        (0..many).for_each(|row| history.push(request([cell(-2, row, 1), cell(0, 0, 1)])));
        history.push(request([cell(-3, 0, 1); 1000]));
        assert_eq!(history.omitted_faults(), MAX_STORED / 2 + 1);
        assert_eq!(history.changed_cells().filter(|r| r.row == Some(0)).count(), MAX_STORED);
        assert_eq!(history.changed_cells().count(), 2 * MAX_STORED);
    }

    #[test]
    fn the_first_usable_value_of_a_field_is_used_and_conflicts_are_stored() {
        let mut field = ResolvedField::new(1);
        let values =
            [Integer::Absent, Integer::Invalid("a list"), Integer::Value(0), Integer::Value(7)];
        let later = [Integer::Value(7), Integer::Value(8), Integer::Value(9), Integer::Value(-1)];
        for (turn, value) in values.into_iter().chain(later).enumerate() {
            field.push(turn, value);
        }
        assert_eq!(field.used, Some((7, 3)));
        let conflicts =
            [(1, values[1]), (2, values[2]), (5, Integer::Value(8)), (7, Integer::Value(-1))];
        assert_eq!(field.conflicts.items, conflicts);
    }
}
