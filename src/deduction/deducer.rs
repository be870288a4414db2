//! Group deduction to a fixed point: what follows from the groups without counting layouts.
//!
//! Every number is a group (n mines among these hidden cells), and so is the total of mines. Four
//! rules, in order of cost, are applied until none applies:
//!
//! 1. *Decide.* A group with no mines is safe, a group as full as it is large is all mines. Decided
//!    cells leave every other group.
//! 2. *Equal, contained.* Of two equal groups one is dropped; a group that contains another becomes
//!    the difference.
//! 3. *Overlap.* Of two groups that share cells, let `more` hold more mines. The shared cells hold at
//!    least `more.mines - |more outside the shared cells|`: its OWN cells outside. Where that is all
//!    that `other` holds, the pair splits in three: the shared cells hold exactly these, the rest of
//!    `more` is all mines, the rest of `other` is safe.
//! 4. *Total.* Take disjoint groups out of the total; what is left is a group like any other, to which rules 1
//!    to 3 apply. Which groups is a choice: one packing is tried, the first fit. Not for a position whose total
//!    is unknown.
//!
//! Invariants: live groups are pairwise different and hold no decided cell; every rule keeps the
//! set of layouts, so that the live groups together with the verdicts say what the premises said;
//! each application of a rule decides a cell or lowers the sum of the live groups' sizes, so the end
//! comes. A cell is never in more live groups than there are numbers around it (rules 2 and 3 put a
//! shared cell into one group where it was in two), which is why nine places a cell are enough:
//! eight numbers and the total.
//!
//! The rules are not complete: what needs three groups at once is left to counting
//! ([`crate::probability::solver`]), and so is, seldom, what two numbers show together of which one was rewritten
//! before they met. They are here because they settle turns that [`crate::deduction::incremental`] leaves at a tenth of
//! counting's cost, because they leave smaller groups to count, and because they can be told to a person:
//! every derived group keeps its [`Origin`], and [`Deducer::proof`] walks it.
//!
//! One file, because the rules hand groups to each other and share one bookkeeping.
//!
//! The rules are those of every public solver since Simon Tatham's `mines.c`; the three-way split is
//! stated as Botzone's players know it.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::base::budget::Budget;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{
    Contradiction, Group, GroupCells, MAX_NEIGHBOURS, Outside, Position, Premise,
};

/// What trying a rule on a group costs, in nodes: about 0.1 us.
pub const NODES_PER_RULE: u64 = 100;

/// Names a derived group within one run of the [`Deducer`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(u32);

impl GroupId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a group comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The number that this open cell shows.
    Number(Cell),
    /// `from` without the cells that were decided before.
    Reduced {
        /// The group before.
        from: GroupId,
    },
    /// `whole` less `part`, which it contains.
    Difference {
        /// The containing group.
        whole: GroupId,
        /// The contained group.
        part: GroupId,
    },
    /// One of the three parts of two overlapping groups.
    Split {
        /// The group with more mines.
        more: GroupId,
        /// The group whose mines all lie in the shared cells.
        other: GroupId,
        /// Which of the three.
        part: SplitPart,
    },
    /// The total of mines less every cell decided before and less these disjoint groups.
    Total {
        /// Disjoint groups, all true beside each other.
        without: Vec<GroupId>,
    },
}

/// The parts of two overlapping groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitPart {
    /// The shared cells, which hold all mines of `other`.
    Shared,
    /// The rest of `more`: all mines.
    RestOfMore,
    /// The rest of `other`: safe.
    RestOfOther,
}

/// A group and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The group.
    pub group: Group,
    /// Where it comes from.
    pub origin: Origin,
}

/// What was decided about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// A mine, or else safe.
    pub is_mine: bool,
    /// The group with no mines, or full of them, that decided it.
    pub because: GroupId,
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Stop as soon as the cheapest rule that finds a safe cell has found all it can.
    FirstSafe,
    /// Apply every rule until none applies.
    FixedPoint,
}

/// The steps that prove a verdict, each after those it stands on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Groups in an order in which each comes after its origins; the last one decides.
    pub steps: Vec<(GroupId, Derived)>,
}

impl Proof {
    /// The open cells whose numbers the proof uses, sorted.
    pub fn numbers(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self
            .steps
            .iter()
            .filter_map(|(_, derived)| match derived.origin {
                Origin::Number(cell) => Some(cell),
                _ => None,
            })
            .collect();
        cells.sort_unstable();
        cells
    }

    /// Whether the proof uses the total of mines.
    pub fn uses_total(&self) -> bool {
        self.steps.iter().any(|(_, derived)| matches!(derived.origin, Origin::Total { .. }))
    }
}

/// Runs the rules over one position after another, reusing its memory.
#[derive(Default)]
pub struct Deducer {
    derived: Vec<Derived>,
    live: Vec<bool>,
    /// How many cells a group shares with the one at hand; all zero between uses.
    shared: Vec<u32>,
    touching: CellMap<ArrayVec<GroupId, 9>>,
    verdicts: CellMap<Option<Verdict>>,
    to_decide: Vec<GroupId>,
    to_compare: Vec<GroupId>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
    undecided: usize,
    mines_left: i64,
    /// Whether `mines_left` is known; else it is only an estimate.
    total: bool,
}

impl Deducer {
    /// A deducer that has seen nothing yet.
    pub fn new() -> Deducer {
        Deducer::default()
    }

    /// Applies the rules to `position`; the accessors then tell what was found.
    ///
    /// Cost: near linear in the groups for boards as they are played; no allocation once its
    /// buffers have grown, except for groups derived from the total.
    ///
    /// # Errors
    /// [`Contradiction`] when some group cannot be. Then nothing that was found may be used.
    pub fn run(&mut self, position: &Position, reach: Reach) -> Result<(), Contradiction> {
        self.run_within(position, reach, &mut Budget::unlimited())
    }

    /// The same within a budget, [`NODES_PER_RULE`] for each group that a rule is tried on. Where it ends
    /// first, what was found until then is as true, and the groups left are as good for counting; they are
    /// only larger than they need to be.
    ///
    /// # Errors
    /// [`Contradiction`] when some group cannot be. Then nothing that was found may be used.
    pub fn run_within(
        &mut self,
        position: &Position,
        reach: Reach,
        budget: &mut Budget,
    ) -> Result<(), Contradiction> {
        self.reset(position);
        for premise in &position.premises {
            self.add(premise.group.clone(), Origin::Number(premise.source));
        }
        loop {
            while let Some(id) = self.to_decide.pop() {
                self.decide(id)?;
                if budget.spend(NODES_PER_RULE).is_err() {
                    break;
                }
            }
            if reach == Reach::FirstSafe && !self.safe.is_empty() {
                break;
            }
            if budget.spend(NODES_PER_RULE).is_err() {
                break;
            }
            if let Some(id) = self.to_compare.pop() {
                self.compare(id)?;
            } else if !self.total || !self.apply_total(position)? {
                break;
            }
        }
        self.safe.sort_unstable();
        self.mines.sort_unstable();
        Ok(())
    }

    /// The cells proven safe, sorted.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// The cells proven to be mines, sorted.
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// What was decided about a hidden cell, if anything.
    pub fn verdict(&self, cell: Cell) -> Option<Verdict> {
        self.verdicts[cell]
    }

    /// What is left to count: groups over undecided cells that say, with the verdicts, all that
    /// the position said.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        let live = self.derived.iter().zip(&self.live).filter(|(_, live)| **live);
        live.map(|(derived, _)| &derived.group)
    }

    /// Writes what is undecided as a position of its own: the cells without a verdict, and the groups left.
    /// Where no cell is safe, it says all that the position said.
    pub fn undecided_into(&self, position: &Position, undecided: &mut Position) {
        undecided.universe = position.universe;
        undecided.mines = self.mines_left();
        undecided.outside = position.outside;
        undecided.hidden.clear();
        let cells = position.hidden.iter().filter(|&&cell| self.verdict(cell).is_none());
        undecided.hidden.extend(cells);
        undecided.premises.clear();
        let premise = |group: &Group| Premise { source: group.cells()[0], group: group.clone() };
        undecided.premises.extend(self.groups().map(premise));
    }

    /// The mines among the undecided cells; an estimate where the position has no total.
    pub fn mines_left(&self) -> u32 {
        self.mines_left.max(0) as u32
    }

    /// The steps that prove the verdict on `cell`, or `None` where there is no verdict.
    pub fn proof(&self, cell: Cell) -> Option<Proof> {
        let mut needed = vec![false; self.derived.len()];
        needed[self.verdicts[cell]?.because.index()] = true;
        // Origins have smaller numbers, so one walk downwards meets every group after its users.
        for index in (0..self.derived.len()).rev() {
            if needed[index] {
                self.for_each_origin(GroupId(index as u32), |origin| needed[origin.index()] = true);
            }
        }
        let steps = needed
            .iter()
            .zip(&self.derived)
            .enumerate()
            .filter(|(_, (needed, _))| **needed)
            .map(|(index, (_, derived))| (GroupId(index as u32), derived.clone()))
            .collect();
        Some(Proof { steps })
    }

    fn for_each_origin(&self, id: GroupId, mut visit: impl FnMut(GroupId)) {
        let derived = &self.derived[id.index()];
        let earlier = |cell: Cell| {
            self.verdicts[cell].map(|verdict| verdict.because).filter(|because| *because < id)
        };
        match &derived.origin {
            Origin::Number(_) => {}
            Origin::Reduced { from } => {
                visit(*from);
                let before = self.derived[from.index()].group.cells().iter().copied();
                before
                    .filter(|cell| !derived.group.contains(*cell))
                    .filter_map(earlier)
                    .for_each(visit);
            }
            Origin::Difference { whole, part } => [*whole, *part].into_iter().for_each(visit),
            Origin::Split { more, other, .. } => [*more, *other].into_iter().for_each(visit),
            Origin::Total { without } => {
                without.iter().copied().for_each(&mut visit);
                let decided = self.safe.iter().chain(&self.mines).copied();
                decided.filter_map(earlier).for_each(visit);
            }
        }
    }

    fn reset(&mut self, position: &Position) {
        self.derived.clear();
        self.live.clear();
        self.shared.clear();
        self.to_decide.clear();
        self.to_compare.clear();
        // A cell decided last time may be open now: it has no verdict any more.
        if self.verdicts.len() == position.universe {
            self.safe.iter().chain(&self.mines).for_each(|&cell| self.verdicts[cell] = None);
        }
        self.safe.clear();
        self.mines.clear();
        if self.touching.len() != position.universe {
            self.touching.reset(position.universe, ArrayVec::new());
            self.verdicts.reset(position.universe, None);
        }
        for &cell in &position.hidden {
            self.touching[cell].clear();
            self.verdicts[cell] = None;
        }
        self.undecided = position.hidden.len();
        self.mines_left = i64::from(position.mines);
        self.total = position.outside == Outside::Total;
    }

    /// Adds a live group and queues it for the rule that may apply to it.
    fn add(&mut self, group: Group, origin: Origin) -> GroupId {
        let id = GroupId(self.derived.len() as u32);
        for &cell in group.cells() {
            self.touching[cell].push(id);
        }
        if group.is_safe() || group.is_full() {
            self.to_decide.push(id);
        } else {
            self.to_compare.push(id);
        }
        self.derived.push(Derived { group, origin });
        self.live.push(true);
        self.shared.push(0);
        id
    }

    fn add_unless_empty(
        &mut self,
        cells: GroupCells,
        mines: i64,
        origin: Origin,
    ) -> Result<(), Contradiction> {
        if let Some(group) = Group::new(cells, mines)? {
            self.add(group, origin);
        }
        Ok(())
    }

    fn kill(&mut self, id: GroupId) {
        self.live[id.index()] = false;
        for &cell in self.derived[id.index()].group.cells() {
            let touching = &mut self.touching[cell];
            if let Some(place) = touching.iter().position(|other| *other == id) {
                touching.remove(place);
            }
        }
    }

    /// Rule 1: the cells of a group with no mines, or full of them, are decided.
    fn decide(&mut self, id: GroupId) -> Result<(), Contradiction> {
        if !self.live[id.index()] {
            return Ok(());
        }
        self.kill(id);
        let group = &self.derived[id.index()].group;
        let is_mine = group.is_full();
        self.undecided -= group.cells().len();
        self.mines_left -= i64::from(group.mines());
        if self.total && self.mines_left < 0 {
            let cells = group.cells().to_vec();
            return Err(Contradiction { cells, mines: Some(self.mines_left) });
        }
        for &cell in group.cells() {
            self.verdicts[cell] = Some(Verdict { is_mine, because: id });
            if is_mine { &mut self.mines } else { &mut self.safe }.push(cell);
        }
        for other in count_shared(group.cells(), &self.touching, &mut self.shared) {
            let decided = std::mem::take(&mut self.shared[other.index()]);
            let before = &self.derived[other.index()].group;
            let verdicts = &self.verdicts;
            let cells = before.cells().iter().copied().filter(|cell| verdicts[*cell].is_none());
            let mines = i64::from(before.mines()) - if is_mine { i64::from(decided) } else { 0 };
            let cells: GroupCells = cells.collect();
            self.kill(other);
            self.add_unless_empty(cells, mines, Origin::Reduced { from: other })?;
        }
        Ok(())
    }

    /// Rules 2 and 3: a group against every group that shares a cell with it.
    fn compare(&mut self, id: GroupId) -> Result<(), Contradiction> {
        if !self.live[id.index()] {
            return Ok(());
        }
        let cells = self.derived[id.index()].group.cells();
        let sharing = count_shared(cells, &self.touching, &mut self.shared);
        let mut outcome = Ok(());
        for other in sharing {
            let shared = std::mem::take(&mut self.shared[other.index()]) as usize;
            if other != id && outcome.is_ok() && self.live[id.index()] {
                outcome = self.compare_pair(id, other, shared);
            }
        }
        outcome
    }

    fn compare_pair(
        &mut self,
        id: GroupId,
        other: GroupId,
        shared: usize,
    ) -> Result<(), Contradiction> {
        let (a, b) = (&self.derived[id.index()].group, &self.derived[other.index()].group);
        let (in_a, in_b) = (a.cells().len(), b.cells().len());
        if shared == in_a && shared == in_b {
            if a.mines() != b.mines() {
                return Err(Contradiction { cells: a.cells().to_vec(), mines: None });
            }
            self.kill(other);
            return Ok(());
        }
        if shared == in_b {
            return self.subtract(id, other);
        }
        if shared == in_a {
            return self.subtract(other, id);
        }
        let Some(own) = forces(a, b, shared) else { return Ok(()) };
        let (more, less) = if a.mines() >= b.mines() { (id, other) } else { (other, id) };
        let (most, least) = (&self.derived[more.index()].group, &self.derived[less.index()].group);
        let parts = [
            (SplitPart::Shared, most.intersection(least), i64::from(least.mines())),
            (SplitPart::RestOfMore, most.difference(least), own),
            (SplitPart::RestOfOther, least.difference(most), 0),
        ];
        self.kill(more);
        self.kill(less);
        for (part, cells, mines) in parts {
            self.add_unless_empty(cells, mines, Origin::Split { more, other: less, part })?;
        }
        Ok(())
    }

    fn subtract(&mut self, whole: GroupId, part: GroupId) -> Result<(), Contradiction> {
        let (a, b) = (&self.derived[whole.index()].group, &self.derived[part.index()].group);
        let cells = a.difference(b);
        let mines = i64::from(a.mines()) - i64::from(b.mines());
        self.kill(whole);
        self.add_unless_empty(cells, mines, Origin::Difference { whole, part })
    }

    /// Rule 4. Returns whether it applied.
    ///
    /// Which disjoint groups are taken out is a choice; the first fit is taken, since counting
    /// sees the total anyway and this rule only has to be right, not complete.
    fn apply_total(&mut self, position: &Position) -> Result<bool, Contradiction> {
        if self.undecided == 0 {
            return if self.mines_left == 0 {
                Ok(false)
            } else {
                Err(Contradiction { cells: Vec::new(), mines: Some(self.mines_left) })
            };
        }
        // First the total alone, then less a packing of groups.
        if self.mines_left == 0 || self.mines_left == self.undecided as i64 {
            return self.decide_rest(position, Vec::new(), self.mines_left);
        }
        let (mut packed, mut cells, mut mines) = (Vec::new(), 0, 0);
        for index in 0..self.derived.len() {
            let group = &self.derived[index].group;
            let free =
                |cell: &Cell| self.touching[*cell].iter().all(|id| self.shared[id.index()] == 0);
            if self.live[index] && group.cells().iter().all(free) {
                self.shared[index] = 1;
                packed.push(GroupId(index as u32));
                cells += group.cells().len();
                mines += i64::from(group.mines());
            }
        }
        for id in &packed {
            self.shared[id.index()] = 0;
        }
        let (left, room) = (self.mines_left - mines, (self.undecided - cells) as i64);
        if left < 0 || left > room {
            return Err(Contradiction { cells: Vec::new(), mines: Some(left) });
        }
        if room > 0 && (left == 0 || left == room) {
            return self.decide_rest(position, packed, left);
        }
        self.compare_rest(position, packed, (left, room))
    }

    /// Rules 2 and 3 between what is left of the total, `left` mines in `room` cells, and the groups that were
    /// not taken out of it. Returns whether one applied.
    fn compare_rest(
        &mut self,
        position: &Position,
        without: Vec<GroupId>,
        (left, room): (i64, i64),
    ) -> Result<bool, Contradiction> {
        // What is left holds no group, so it can only lie in one, or overlap it with all but a few of its
        // cells mines or safe.
        let most = MAX_NEIGHBOURS as i64;
        if room == 0 || left > most && room - left > most {
            return Ok(false);
        }
        let cells = self.rest_of(position, &without);
        let Some(group) = Group::new(cells, left)? else { return Ok(false) };
        let sharing = count_shared(group.cells(), &self.touching, &mut self.shared);
        let mut applies = None;
        for id in sharing {
            let shared = std::mem::take(&mut self.shared[id.index()]) as usize;
            let forced = forces(&group, &self.derived[id.index()].group, shared).is_some();
            if applies.is_none() && (shared == group.cells().len() || forced) {
                applies = Some((id, shared));
            }
        }
        let Some((id, shared)) = applies else { return Ok(false) };
        let rest = self.add(group, Origin::Total { without });
        self.compare_pair(rest, id, shared)?;
        // The groups that were taken out are still there, and say with the total what it said.
        if self.live[rest.index()] {
            self.kill(rest);
        }
        Ok(true)
    }

    /// The undecided cells outside `without`.
    fn rest_of(&mut self, position: &Position, without: &[GroupId]) -> GroupCells {
        for id in without {
            self.shared[id.index()] = 1;
        }
        let packed = |cell: Cell| self.touching[cell].iter().any(|id| self.shared[id.index()] == 1);
        let rest = position.hidden.iter().copied();
        let cells: GroupCells =
            rest.filter(|&cell| self.verdicts[cell].is_none() && !packed(cell)).collect();
        for id in without {
            self.shared[id.index()] = 0;
        }
        cells
    }

    fn decide_rest(
        &mut self,
        position: &Position,
        without: Vec<GroupId>,
        mines: i64,
    ) -> Result<bool, Contradiction> {
        let cells = self.rest_of(position, &without);
        let Some(group) = Group::new(cells, mines)? else { return Ok(false) };
        self.add(group, Origin::Total { without });
        Ok(true)
    }
}

/// The live groups that share a cell with `cells`, and in `shared`, which was zero, how many each shares.
fn count_shared(
    cells: &[Cell],
    touching: &CellMap<ArrayVec<GroupId, 9>>,
    shared: &mut [u32],
) -> SmallVec<[GroupId; 24]> {
    let mut sharing = SmallVec::new();
    for &id in cells.iter().flat_map(|&cell| &touching[cell]) {
        if shared[id.index()] == 0 {
            sharing.push(id);
        }
        shared[id.index()] += 1;
    }
    sharing
}

/// Where rule 3 applies to two groups that share as many cells: how many of its own the one with more mines has
/// outside, all of them mines then.
fn forces(a: &Group, b: &Group, shared: usize) -> Option<i64> {
    let (more, less) = if a.mines() >= b.mines() { (a, b) } else { (b, a) };
    let own = (more.cells().len() - shared) as i64;
    (i64::from(more.mines()) - own == i64::from(less.mines())).then_some(own)
}
