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
//!
//! A run continues from a *base*: nothing, or the groups that another run has left. What it changes
//! is recorded cell by cell, and undone before the next run.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Group, GroupCells, MineCount, Position, Shown};

/// Identifies a group within one run of the
/// [`Deducer`](crate::deduction::groups::deducer::Deducer). Ids increase in the order of
/// derivation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupId(u32);

impl GroupId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most live groups that contain one cell: eight numbers and the total.
const MAX_GROUPS_PER_CELL: usize = 9;

/// The live groups that contain a cell.
type GroupsOfCell = ArrayVec<GroupId, MAX_GROUPS_PER_CELL>;
type GroupsOfCells = CellMap<GroupsOfCell>;

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

/// What the runs continue from, without the groups themselves.
#[derive(Default)]
struct Base {
    groups: usize,
    /// The cells of these groups.
    cells: Vec<Cell>,
    trivial: Vec<GroupId>,
    pending: Vec<GroupId>,
    /// The groups that a run has made smaller in place, as they were.
    reduced: Vec<(GroupId, Group)>,
    undecided_len: usize,
    mines_left: i64,
}

/// The working set of one run after another; its memory is reused.
#[derive(Default)]
pub(super) struct GroupStore {
    /// Every group of the run, by id.
    groups: Vec<Group>,
    is_live: Vec<bool>,
    /// A counter for each group, zero between uses: the cells that it shares with a given set.
    counters: Vec<u32>,
    pub(super) groups_of: GroupsOfCells,
    /// By id, whether the rule of the total has taken a group out of it.
    pub(super) is_taken_out: Vec<bool>,
    /// The cells that the run has changed, and their groups in the base; none without a base.
    pub(super) changed: Vec<Cell>,
    before: Vec<GroupsOfCell>,
    is_changed: CellMap<bool>,
    base: Base,
    /// For each decided cell, whether it is a mine.
    pub(super) verdicts: CellMap<Option<bool>>,
    /// Trivial groups that wait for a rule. They may have been retired.
    pub(super) trivial: Vec<GroupId>,
    /// Other groups that wait for a rule. They may have been retired.
    pub(super) pending: Vec<GroupId>,
    /// The cells proven safe.
    pub(super) safe: Vec<Cell>,
    /// The cells proven to be mines.
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
        self.undo();
        if self.groups_of.len() == position.universe {
            self.base.cells.iter().for_each(|&cell| self.groups_of[cell].clear());
        } else {
            self.groups_of.reset(position.universe, ArrayVec::new());
            self.verdicts.reset(position.universe, None);
            self.is_changed.reset(position.universe, false);
        }
        self.groups.clear();
        self.is_live.clear();
        self.counters.clear();
        self.trivial.clear();
        self.pending.clear();
        self.base = Base::default();
        self.undecided_len = position.hidden.len();
        self.mines_left = i64::from(position.mines);
        self.has_total = position.mine_count == MineCount::Exact;
        for &cell in &position.known_mines {
            self.change(cell);
            self.verdicts[cell] = Some(true);
        }
        self.mines.extend_from_slice(&position.known_mines);
        self.undecided_len -= position.known_mines.len();
        self.mines_left -= position.known_mines.len() as i64;
        for premise in &position.premises {
            self.add(premise.group.clone());
        }
    }

    /// Makes the groups of a run that has just been started the base of the next runs.
    pub(super) fn set_base(&mut self) {
        self.base.groups = self.groups.len();
        self.base.cells.append(&mut self.changed);
        self.base.cells.iter().for_each(|&cell| self.is_changed[cell] = false);
        self.base.trivial.clone_from(&self.trivial);
        self.base.pending.clone_from(&self.pending);
        (self.base.undecided_len, self.base.mines_left) = (self.undecided_len, self.mines_left);
    }

    /// Starts a run: the base with what a cell shows.
    ///
    /// # Errors
    /// [`Contradiction`] if a group is left with an impossible count.
    pub(super) fn restart(&mut self, shown: Shown) -> Result<(), Contradiction> {
        self.undo();
        let Shown { cell, is_mine, group } = shown;
        self.trivial.clone_from(&self.base.trivial);
        self.pending.clone_from(&self.base.pending);
        self.undecided_len = self.base.undecided_len - 1;
        // Without a total the count is an estimate, which may be too low.
        self.mines_left = (self.base.mines_left - i64::from(is_mine)).max(0);
        for id in self.groups_of[cell].clone() {
            self.reduce(id, cell, is_mine)?;
        }
        self.change(cell);
        self.groups_of[cell].clear();
        self.verdicts[cell] = Some(is_mine);
        if let Some(group) = group {
            self.add(group);
        }
        Ok(())
    }

    /// Takes a cell out of a group of the base.
    fn reduce(&mut self, id: GroupId, cell: Cell, is_mine: bool) -> Result<(), Contradiction> {
        let group = &self.groups[id.index()];
        let mut others = GroupCells::from_slice(group.cells());
        others.retain(|other| *other != cell);
        let reduced = Group::new(others, i64::from(group.mines()) - i64::from(is_mine))?;
        let Some(reduced) = reduced else {
            self.retire(id);
            return Ok(());
        };
        if reduced.is_trivial() {
            self.pending.retain(|other| *other != id);
            self.trivial.push(id);
        }
        for &other in reduced.cells() {
            self.change(other);
        }
        let group = std::mem::replace(&mut self.groups[id.index()], reduced);
        self.base.reduced.push((id, group));
        Ok(())
    }

    /// Returns to the base.
    fn undo(&mut self) {
        for &cell in &self.changed {
            self.groups_of[cell].clear();
            self.verdicts[cell] = None;
            self.is_changed[cell] = false;
        }
        for (&cell, groups) in self.changed.iter().zip(self.before.drain(..)) {
            self.groups_of[cell] = groups;
        }
        self.changed.clear();
        self.groups.truncate(self.base.groups);
        self.is_live.truncate(self.base.groups);
        self.is_live.fill(true);
        self.counters.truncate(self.base.groups);
        for (id, group) in self.base.reduced.drain(..) {
            self.groups[id.index()] = group;
        }
        self.safe.clear();
        self.mines.clear();
    }

    /// Records the groups of a cell before they change.
    fn change(&mut self, cell: Cell) {
        if !std::mem::replace(&mut self.is_changed[cell], true) {
            self.changed.push(cell);
            if self.base.groups > 0 {
                self.before.push(self.groups_of[cell].iter().copied().collect());
            }
        }
    }

    /// Whether a group and all groups that share cells with it are those of the base.
    pub(super) fn is_unchanged(&self, id: GroupId) -> bool {
        let cells = self.groups[id.index()].cells();
        id.index() < self.base.groups && !cells.iter().any(|&cell| self.is_changed[cell])
    }

    /// Adds a live group and queues it.
    pub(super) fn add(&mut self, group: Group) -> GroupId {
        let id = GroupId(self.groups.len() as u32);
        for &cell in group.cells() {
            self.change(cell);
            self.groups_of[cell].push(id);
        }
        let queue = if group.is_trivial() { &mut self.trivial } else { &mut self.pending };
        queue.push(id);
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
        for index in 0..self.groups[id.index()].cells().len() {
            let cell = self.groups[id.index()].cells()[index];
            self.change(cell);
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
            return Err(Contradiction::Group { cells, mines: self.mines_left });
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

    /// The number of groups, live and retired.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether a group is live.
    pub(super) fn is_live(&self, id: GroupId) -> bool {
        self.is_live[id.index()]
    }

    /// Returns a group.
    pub(super) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.index()]
    }

    /// Returns the live groups with the numbers of their ids.
    pub(super) fn live_groups(&self) -> impl Iterator<Item = (u32, &Group)> {
        let live = (0..).zip(&self.groups).zip(&self.is_live);
        live.filter(|(_, is_live)| **is_live).map(|(group, _)| group)
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
