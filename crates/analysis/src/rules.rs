//! The rules of a short proof: one group, or two that are compared.
//!
//! A group says how many mines are in its cells. Take one group from another: with `a` mines in the
//! cells A and `b` mines in B,
//!
//! ```text
//! safe cells of A outside B + mines of B outside A = |A outside B| - a + b
//! ```
//!
//! Both counts on the left are of cells, so once as many of these as the right side says are known,
//! the rest is decided: the other cells of A outside B are mines, those of B outside A are safe.
//! With B empty this is "a number that needs all its cells", with A empty "a number that has all
//! its mines", and otherwise it is all that two numbers prove. One argument has all of them.
//!
//! Since the truth about each proven cell is known beforehand, the facts that a rule needs are
//! known too: the rule can be applied in one way only. It exists where all cells in which the two
//! groups differ are proven.
//!
//! Invariant: whoever believes the groups and the needed facts must believe what the rule gives.
//!
//! Cost: the numbers times those that share a cell with each. A board has at most twenty-four of
//! these for each number.

use smallvec::SmallVec;

use crate::groups::{GroupId, Groups};
use sapper::board::geometry::{Cell, CellMap};
use sapper::board::group::Group;

/// Something proven about a hidden cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The cell.
    pub cell: Cell,
    /// Whether it is a mine; it is safe otherwise.
    pub is_mine: bool,
}

/// What is proven about each cell: `Some(true)` for a mine.
pub type Truth = CellMap<Option<bool>>;

/// What a rule looks at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The group has all its mines: its other cells are safe.
    Complete(GroupId),
    /// The group needs all its cells: they are mines.
    Full(GroupId),
    /// The mines of one group that do not fit into the other.
    Compare {
        /// The group whose own cells are mines.
        more: GroupId,
        /// The group whose own cells are safe.
        fewer: GroupId,
    },
    /// No layout of these groups has it otherwise, and that needs all of them.
    Together(Vec<GroupId>),
}

impl Reason {
    /// The name of the rule in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Complete(_) => "complete",
            Reason::Full(_) => "full",
            Reason::Compare { .. } => "compare",
            Reason::Together(_) => "together",
        }
    }

    /// The groups, sorted.
    pub fn groups(&self) -> Vec<GroupId> {
        match self {
            Reason::Complete(id) | Reason::Full(id) => vec![*id],
            Reason::Compare { more, fewer } => vec![*more.min(fewer), *more.max(fewer)],
            Reason::Together(groups) => groups.clone(),
        }
    }
}

/// The cells of a rule: rarely more than a number has neighbours.
pub type CellList = SmallVec<[Cell; 8]>;

/// A rule at one place of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofRule {
    /// What it looks at.
    pub reason: Reason,
    /// The cells about which it must be known what they are, sorted.
    pub needs: CellList,
    /// The cells that it decides, sorted.
    pub gives: CellList,
    /// How hard it is to follow: a sentence costs at least [`SENTENCE`].
    pub cost: u32,
}

/// The cost of the simplest sentence.
pub const SENTENCE: u32 = 20;
/// What it costs more to compare two groups,
const COMPARING: u32 = 5;
/// where each has cells of its own,
const OVERLAPPING: u32 = 12;
/// and where some of their cells are known.
const WITH_KNOWN: u32 = 5;
const WITH_TOTAL: u32 = 4;
/// The cost of each group of [`Reason::Together`].
pub const TOGETHER: u32 = 6;

/// All rules that one or two groups have, in a fixed order.
pub fn simple_rules(groups: &Groups, truth: &Truth) -> Vec<ProofRule> {
    let mut rules = Vec::new();
    for id in groups.numbers().chain(groups.total()) {
        rules.extend(rule(groups, truth, None, Some(id)));
        rules.extend(rule(groups, truth, Some(id), None));
    }
    for id in groups.numbers() {
        for other in groups.neighbours(id) {
            rules.extend(rule(groups, truth, Some(id), Some(other)));
        }
    }
    if let Some(total) = groups.total() {
        for id in beside_the_open_question(groups, truth) {
            rules.extend(rule(groups, truth, Some(id), Some(total)));
            rules.extend(rule(groups, truth, Some(total), Some(id)));
        }
    }
    rules
}

/// The numbers that may be compared with the total: they see every cell that is not proven.
fn beside_the_open_question(groups: &Groups, truth: &Truth) -> Vec<GroupId> {
    /// With all cells proven every number could be compared, which is too much on a large field.
    const MAX_STEPS: usize = 1 << 17;
    let position = groups.position();
    match position.hidden.iter().find(|&&cell| truth[cell].is_none()) {
        Some(&open) => groups.beside(open).to_vec(),
        None if position.hidden.len() * position.premises.len() <= MAX_STEPS => {
            groups.numbers().collect()
        }
        None => Vec::new(),
    }
}

/// The rule that compares two groups, or one with nothing; `None` where a cell that it depends on
/// is not proven, or where it decides none.
fn rule(
    groups: &Groups,
    truth: &Truth,
    more: Option<GroupId>,
    fewer: Option<GroupId>,
) -> Option<ProofRule> {
    let [of_more, of_fewer] = [more, fewer].map(|id| id.map(|id| groups.group(id)));
    let compares = more.is_some() && fewer.is_some();
    let decides_alone =
        |group: &Group| group.mines() == 0 || group.mines() as usize == group.cells().len();
    if compares && [of_more, of_fewer].into_iter().flatten().any(decides_alone) {
        // One group is complete or full by itself, and then so is the other: that is plainer.
        return None;
    }
    let (mut needs, mut gives) = (CellList::new(), CellList::new());
    for (this, other, given) in [(of_more, of_fewer, true), (of_fewer, of_more, false)] {
        for cell in only_in(this, other) {
            let list = if truth[cell]? == given { &mut gives } else { &mut needs };
            list.push(cell);
        }
    }
    if gives.is_empty() {
        return None;
    }
    needs.sort_unstable();
    gives.sort_unstable();
    let reason = match (more, fewer) {
        (Some(more), Some(fewer)) => Reason::Compare { more, fewer },
        (Some(id), None) => Reason::Full(id),
        (None, id) => Reason::Complete(id?),
    };
    let overlaps = [true, false].iter().all(|mine| gives.iter().any(|&c| truth[c] == Some(*mine)));
    let uses_total = groups.total().is_some_and(|total| [more, fewer].contains(&Some(total)));
    let extra = [
        (compares, COMPARING),
        (overlaps, OVERLAPPING),
        (compares && !needs.is_empty(), WITH_KNOWN),
        (uses_total, WITH_TOTAL),
    ];
    let extra: u32 = extra.iter().filter(|(applies, _)| *applies).map(|(_, cost)| cost).sum();
    Some(ProofRule { reason, needs, gives, cost: SENTENCE + extra })
}

/// The cells of one group that are not in the other.
fn only_in<'g>(group: Option<&'g Group>, other: Option<&'g Group>) -> impl Iterator<Item = Cell> {
    let cells = group.map(Group::cells).unwrap_or_default().iter().copied();
    cells.filter(move |cell| other.is_none_or(|other| other.cells().binary_search(cell).is_err()))
}
