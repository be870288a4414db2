//! The working set of group deduction: the groups derived so far, the verdicts, and the groups that
//! wait for a rule.
//!
//! A group is *live* until a rule replaces it by smaller ones; then it is *retired*. A group is
//! *trivial* if it decides its cells: none of them is a mine, or all are. New groups are queued,
//! trivial ones apart from the others.
//!
//! Invariants, between two applications of rules: the live groups and the verdicts together have
//! the layouts of the position, and no live group contains a decided cell. At the fixed point, live
//! groups are also pairwise different. A cell is in at most [`MAX_GROUPS_PER_CELL`] live groups:
//! the numbers around it and the total provide no more, and a rule adds a cell to no more groups
//! than it removes it from.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Contradiction, Group, GroupCells, Outside, Position};

/// Identifies a group within one run of the [`Deducer`](crate::deduction::deducer::Deducer). Ids
/// increase in the order of derivation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupId(u32);

impl GroupId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most live groups that contain one cell: eight numbers and the total.
const MAX_GROUPS_PER_CELL: usize = 9;

/// The live groups that contain each cell.
type GroupsOfCells = CellMap<ArrayVec<GroupId, MAX_GROUPS_PER_CELL>>;

/// Live groups, each with a number of shared cells.
pub(super) type Overlaps = SmallVec<[(GroupId, u32); 24]>;

/// Two live groups that share cells.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) a: GroupId,
    pub(super) b: GroupId,
    /// The number of cells that they share.
    pub(super) shared: usize,
}

/// What a rule did to the working set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// The rule applied.
    Changed,
    /// The rule did not apply.
    Unchanged,
}

/// The working set of one run after another; its memory is reused.
#[derive(Default)]
pub(super) struct GroupStore {
    /// Every group of the run, by id.
    groups: Vec<Group>,
    is_live: Vec<bool>,
    /// A counter for each group, zero between uses: the cells that it shares with a given set, or a
    /// mark set by a rule.
    counters: Vec<u32>,
    groups_of: GroupsOfCells,
    /// For each decided cell, whether it is a mine.
    pub(super) verdicts: CellMap<Option<bool>>,
    /// Trivial groups that wait for a rule. They may have been retired.
    pub(super) trivial: Vec<GroupId>,
    /// Other groups that wait for a rule. They may have been retired.
    pub(super) pending: Vec<GroupId>,
    /// The cells proven safe; sorted after [`GroupStore::sort_decided`].
    pub(super) safe: Vec<Cell>,
    /// The cells proven to be mines; sorted after [`GroupStore::sort_decided`].
    pub(super) mines: Vec<Cell>,
    /// The number of undecided cells.
    pub(super) undecided_len: usize,
    /// The mines among the undecided cells: exact if the position has a total, and an estimate
    /// otherwise.
    pub(super) mines_left: i64,
    /// Whether the total of mines is known.
    pub(super) has_total: bool,
}

impl GroupStore {
    /// Starts a run: the premises of `position` are the live groups.
    pub(super) fn reset(&mut self, position: &Position) {
        self.groups.clear();
        self.is_live.clear();
        self.counters.clear();
        self.trivial.clear();
        self.pending.clear();
        // A cell decided in the last run may be open now and has no verdict then.
        if self.verdicts.len() == position.universe {
            self.safe.iter().chain(&self.mines).for_each(|&cell| self.verdicts[cell] = None);
        }
        self.safe.clear();
        self.mines.clear();
        if self.groups_of.len() != position.universe {
            self.groups_of.reset(position.universe, ArrayVec::new());
            self.verdicts.reset(position.universe, None);
        }
        for &cell in &position.hidden {
            self.groups_of[cell].clear();
            self.verdicts[cell] = None;
        }
        self.undecided_len = position.hidden.len();
        self.mines_left = i64::from(position.mines);
        self.has_total = position.outside == Outside::Total;
        for premise in &position.premises {
            self.add(premise.group.clone());
        }
    }

    /// Adds a live group and queues it.
    pub(super) fn add(&mut self, group: Group) -> GroupId {
        let id = GroupId(self.groups.len() as u32);
        for &cell in group.cells() {
            self.groups_of[cell].push(id);
        }
        let is_trivial = group.is_safe() || group.is_full();
        if is_trivial { &mut self.trivial } else { &mut self.pending }.push(id);
        self.groups.push(group);
        self.is_live.push(true);
        self.counters.push(0);
        id
    }

    /// Adds the group of `mines` mines among `cells`, unless there are no cells and no mines.
    ///
    /// # Errors
    /// [`Contradiction`] unless 0 <= `mines` <= number of cells.
    pub(super) fn derive(&mut self, cells: GroupCells, mines: i64) -> Result<(), Contradiction> {
        if let Some(group) = Group::new(cells, mines)? {
            self.add(group);
        }
        Ok(())
    }

    /// Retires a live group.
    pub(super) fn retire(&mut self, id: GroupId) {
        self.is_live[id.index()] = false;
        for &cell in self.groups[id.index()].cells() {
            let groups = &mut self.groups_of[cell];
            if let Some(at) = groups.iter().position(|other| *other == id) {
                groups.remove(at);
            }
        }
    }

    /// Decides the cells of a trivial group, and retires it.
    ///
    /// # Errors
    /// [`Contradiction`] if there are more mines than the total.
    pub(super) fn decide(&mut self, id: GroupId) -> Result<(), Contradiction> {
        self.retire(id);
        let group = &self.groups[id.index()];
        let is_mine = group.is_full();
        self.undecided_len -= group.cells().len();
        self.mines_left -= i64::from(group.mines());
        if self.has_total && self.mines_left < 0 {
            let cells = group.cells().to_vec();
            return Err(Contradiction { cells, mines: Some(self.mines_left) });
        }
        for &cell in group.cells() {
            self.verdicts[cell] = Some(is_mine);
            if is_mine { &mut self.mines } else { &mut self.safe }.push(cell);
        }
        Ok(())
    }

    /// Returns the live groups that share cells with a group, the group itself included if it is
    /// live.
    pub(super) fn overlaps(&mut self, id: GroupId) -> Overlaps {
        let cells = self.groups[id.index()].cells();
        count_overlaps(cells, &self.groups_of, &mut self.counters)
    }

    /// Returns the live groups that share cells with `cells`.
    pub(super) fn overlaps_of_cells(&mut self, cells: &[Cell]) -> Overlaps {
        count_overlaps(cells, &self.groups_of, &mut self.counters)
    }

    /// Sets or clears the mark of a group. All marks are cleared before [`GroupStore::overlaps`] is
    /// called.
    pub(super) fn set_mark(&mut self, id: GroupId, is_marked: bool) {
        self.counters[id.index()] = u32::from(is_marked);
    }

    /// Whether a cell is in a marked live group.
    pub(super) fn is_in_marked(&self, cell: Cell) -> bool {
        self.groups_of[cell].iter().any(|id| self.counters[id.index()] != 0)
    }

    /// Returns the ids of all groups, live and retired, in increasing order.
    pub(super) fn ids(&self) -> impl Iterator<Item = GroupId> + use<> {
        (0..self.groups.len() as u32).map(GroupId)
    }

    /// Whether a group is live.
    pub(super) fn is_live(&self, id: GroupId) -> bool {
        self.is_live[id.index()]
    }

    /// Returns a group.
    pub(super) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.index()]
    }

    /// Returns the live groups.
    pub(super) fn live_groups(&self) -> impl Iterator<Item = &Group> {
        let live = self.groups.iter().zip(&self.is_live).filter(|(_, is_live)| **is_live);
        live.map(|(group, _)| group)
    }

    /// Whether a cell has a verdict.
    pub(super) fn is_decided(&self, cell: Cell) -> bool {
        self.verdicts[cell].is_some()
    }

    /// Sorts the cells proven safe and those proven to be mines.
    pub(super) fn sort_decided(&mut self) {
        self.safe.sort_unstable();
        self.mines.sort_unstable();
    }
}

/// Returns the live groups that share cells with `cells`, in the order of their first shared cell.
/// `counters` are zero before and after.
#[inline]
fn count_overlaps(cells: &[Cell], groups_of: &GroupsOfCells, counters: &mut [u32]) -> Overlaps {
    let mut overlaps = Overlaps::new();
    for &id in cells.iter().flat_map(|&cell| &groups_of[cell]) {
        if counters[id.index()] == 0 {
            overlaps.push((id, 0));
        }
        counters[id.index()] += 1;
    }
    for (id, shared) in &mut overlaps {
        *shared = std::mem::take(&mut counters[id.index()]);
    }
    overlaps
}
