//! What the requests of a match say, folded as they are read.
//!
//! A history may be wrong in a million places, and may be read from a line of a hundred megabytes. So a request
//! is not kept: of a size the first usable value is, of what is wrong the first of each kind and how many
//! there are, and of the reported cells those that some field could have. What they mean is judged later,
//! by [`crate::bot::session`] and [`crate::board`].
//!
//! Invariant: memory grows with the cells reported at places that a field may have, 12 bytes each and 16 for
//! a request that has any, and with nothing else.

use crate::base::capped_vec::{CappedVec, MOST};
use crate::board::ChangedCell;
use crate::board::geometry::Shape;
use crate::protocol::lenient_serde::{Integer, Small};

/// One reported cell, as it came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RawChangedCell {
    /// Row from 0.
    pub row: Small,
    /// Column from 0.
    pub col: Small,
    /// 0-8 a number, 9 a mine.
    pub val: Small,
}

impl RawChangedCell {
    /// Whether there is a field, of whatever shape, that has this cell.
    fn may_be(self) -> bool {
        let side = |number: Small| number.get().and_then(|number| u64::try_from(number).ok());
        side(self.row).zip(side(self.col)).is_some_and(|(row, col)| {
            // Both fit 32 bits.
            (row + 1).saturating_mul(col + 1) <= Shape::MAX_CELLS
        })
    }
}

/// One turn's request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// Rows of the field.
    pub height: Integer,
    /// Columns of the field.
    pub width: Integer,
    /// Mines of the field.
    pub minecount: Integer,
    /// The cells opened by the last answer; null, absent, `[]` and `""` are all none.
    pub changed: Changed,
    /// Whether any key of a request was there at all.
    pub any_key: bool,
}

/// The cells that a request reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// Those that have at least one key of a cell.
    pub reports: Reports,
    /// Entries without any.
    pub unreadable: u64,
    /// Whether it is neither a list nor one of the forms of none.
    pub no_list: bool,
}

/// Reported cells, in order: all that a field may have, and the first of the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reports {
    cells: Vec<RawChangedCell>,
    /// How many of them no field has.
    nowhere: usize,
    /// How many more of those there were.
    more: usize,
    /// The last of those.
    last_nowhere: Option<RawChangedCell>,
}

impl Reports {
    /// Adds the next one.
    pub fn push(&mut self, cell: RawChangedCell) {
        // One that is repeated in a request is wrong in the same words.
        if cell.may_be() || self.last_nowhere.replace(cell) != Some(cell) {
            self.keep(cell);
        }
    }

    fn keep(&mut self, cell: RawChangedCell) {
        if !cell.may_be() {
            if self.nowhere == MOST {
                self.more += 1;
                return;
            }
            self.nowhere += 1;
        }
        self.cells.push(cell);
    }

    /// Those that are kept.
    pub fn cells(&self) -> &[RawChangedCell] {
        &self.cells
    }

    fn append(&mut self, mut other: Reports) {
        let (room, mut met) = (MOST - self.nowhere, 0);
        if other.nowhere > room {
            let is_kept = |cell: &RawChangedCell| {
                met += usize::from(!cell.may_be());
                cell.may_be() || met <= room
            };
            other.cells.retain(is_kept);
        }
        let kept = other.nowhere.min(room);
        self.nowhere += kept;
        self.more += other.more + other.nowhere - kept;
        // One request may hold nearly all that the input does: no second copy of the longer list.
        if other.cells.len() > self.cells.len() {
            std::mem::swap(&mut self.cells, &mut other.cells);
            self.cells.reserve_exact(other.cells.len());
            self.cells.splice(0..0, other.cells);
        } else {
            self.cells.append(&mut other.cells);
        }
    }
}

/// What the requests say of one side of the field, or of its mines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedField {
    least: i64,
    /// The first usable value, with its turn.
    pub used: Option<(u64, usize)>,
    /// What is unusable, and the first that is usable and another than `used`; each with its turn.
    pub conflicts: CappedVec<(usize, Integer)>,
    contradicted: bool,
}

impl ResolvedField {
    fn from(least: i64) -> ResolvedField {
        ResolvedField { least, used: None, conflicts: CappedVec::default(), contradicted: false }
    }

    fn take(&mut self, turn: usize, value: Integer) {
        match (self.usable(value), self.used) {
            _ if value == Integer::Absent => {}
            (Some(value), None) => self.used = Some((value, turn)),
            (Some(number), Some((used, _))) => {
                if number != used && !std::mem::replace(&mut self.contradicted, true) {
                    self.conflicts.push((turn, value));
                }
            }
            (None, _) => self.conflicts.push((turn, value)),
        }
    }

    /// The value as a number, where it is an integer that is large enough.
    pub fn usable(&self, value: Integer) -> Option<u64> {
        value.value().filter(|&value| value >= self.least).map(|value| value as u64)
    }
}

/// What is wrong with the `changed` of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It is no list.
    NoList,
    /// So many of its entries are no cells.
    Unreadable(u64),
}

/// All that is known from the requests of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// Number of turns.
    pub turns: usize,
    /// Rows of the field.
    pub height: ResolvedField,
    /// Columns of the field.
    pub width: ResolvedField,
    /// Mines of the field.
    pub minecount: ResolvedField,
    /// The turns of entries without any key of a request.
    pub unreadable: CappedVec<usize>,
    /// What is wrong with what requests report, with their turns.
    pub flaws: CappedVec<(usize, Flaw)>,
    reports: Reports,
    /// Turns with reports, in order, and how many reports there are up to each one's last.
    ends: Vec<(usize, usize)>,
}

impl Default for History {
    fn default() -> History {
        History {
            turns: 0,
            height: ResolvedField::from(1),
            width: ResolvedField::from(1),
            minecount: ResolvedField::from(0),
            unreadable: CappedVec::default(),
            flaws: CappedVec::default(),
            reports: Reports::default(),
            ends: Vec::new(),
        }
    }
}

impl History {
    /// Adds the next turn's request.
    pub fn push(&mut self, request: Request) {
        let turn = self.turns;
        self.turns += 1;
        if !request.any_key {
            self.unreadable.push(turn);
            return;
        }
        self.height.take(turn, request.height);
        self.width.take(turn, request.width);
        self.minecount.take(turn, request.minecount);
        let Changed { reports, unreadable, no_list } = request.changed;
        if no_list {
            self.flaws.push((turn, Flaw::NoList));
        }
        if unreadable > 0 {
            self.flaws.push((turn, Flaw::Unreadable(unreadable)));
        }
        let before = self.reports.cells.len();
        self.reports.append(reports);
        if self.reports.cells.len() > before {
            self.ends.push((turn, self.reports.cells.len()));
        }
    }

    /// The reported cells, each with its turn.
    pub fn reports(&self) -> impl Iterator<Item = ChangedCell> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(_, end)| end));
        starts.zip(&self.ends).flat_map(|(start, &(turn, end))| {
            self.reports.cells[start..end].iter().map(move |cell| ChangedCell {
                turn,
                row: cell.row.get(),
                column: cell.col.get(),
                value: cell.val.get(),
            })
        })
    }

    /// How much is wrong beyond what is kept.
    pub fn more_faults(&self) -> usize {
        let stated =
            [&self.height, &self.width, &self.minecount].map(|stated| stated.conflicts.more);
        let sizes: usize = stated.iter().sum();
        sizes + self.unreadable.more + self.flaws.more + self.reports.more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: i64, col: i64, val: i64) -> RawChangedCell {
        let small = |number| Small::from(Integer::Is(number));
        RawChangedCell { row: small(row), col: small(col), val: small(val) }
    }

    fn request(cells: impl IntoIterator<Item = RawChangedCell>) -> Request {
        let mut reports = Reports::default();
        cells.into_iter().for_each(|cell| reports.push(cell));
        let changed = Changed { reports, ..Changed::default() };
        Request { changed, any_key: true, ..Request::default() }
    }

    #[test]
    fn every_report_that_a_field_may_have_is_kept_with_its_turn() {
        let mut history = History::default();
        let turns = [vec![cell(0, 1, 2)], vec![], vec![cell(5, 0, 77), cell(-1, 0, 1)]];
        turns.into_iter().for_each(|cells| history.push(request(cells)));
        let found: Vec<_> = history.reports().map(|r| (r.turn, r.row, r.value)).collect();
        let expected = [(0, 0, 2), (2, 5, 77), (2, -1, 1)];
        assert_eq!(found, expected.map(|(turn, row, val)| (turn, Some(row), Some(val))));
    }

    #[test]
    fn cells_that_no_field_has_are_counted_after_the_first() {
        let largest = i64::from(i32::MAX);
        let (last, none) = ((1 << 18) - 1, Small::default());
        for (wire, may_be) in [
            (cell(0, last, 1), true),
            (cell(last, 0, 1), true),
            (cell(511, 511, 99), true),
            (cell(511, 512, 1), false),
            (cell(largest, largest, 1), false),
            (cell(-1, 3, 1), false),
            (RawChangedCell { row: none, ..cell(1, 1, 1) }, false),
            (RawChangedCell { val: none, ..cell(1, 1, 1) }, true),
        ] {
            assert_eq!(wire.may_be(), may_be, "{wire:?}");
        }
        let mut history = History::default();
        let many = MOST as i64;
        // Half of them in one request, all of them again in others, and one that is repeated.
        history.push(request((0..many / 2).map(|row| cell(-1, row, 1))));
        (0..many).for_each(|row| history.push(request([cell(-2, row, 1), cell(0, 0, 1)])));
        history.push(request([cell(-3, 0, 1); 1000]));
        assert_eq!(history.more_faults(), MOST / 2 + 1);
        assert_eq!(history.reports().filter(|r| r.row == Some(0)).count(), MOST);
        assert_eq!(history.reports().count(), 2 * MOST);
    }

    #[test]
    fn of_a_size_the_first_usable_value_counts_and_doubts_are_kept() {
        let mut stated = ResolvedField::from(1);
        let values = [Integer::Absent, Integer::Other("a list"), Integer::Is(0), Integer::Is(7)];
        let later = [Integer::Is(7), Integer::Is(8), Integer::Is(9), Integer::Is(-1)];
        for (turn, value) in values.into_iter().chain(later).enumerate() {
            stated.take(turn, value);
        }
        assert_eq!(stated.used, Some((7, 3)));
        let conflicts = [(1, values[1]), (2, values[2]), (5, Integer::Is(8)), (7, Integer::Is(-1))];
        assert_eq!(stated.conflicts.kept, conflicts);
    }
}
