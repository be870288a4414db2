//! The rules of a short proof: one group, or two that are compared.
//!
//! A group says how many mines are in its cells. Take one group from another: with `a` mines in the
//! cells A and `b` mines in B,
//!
//! ```text
//! safe cells of A outside B + mines of B outside A = |A outside B| - a + b
//! ```
//!
//! Both terms on the left count cells. Once as many of these cells are known as the right side
//! says, the others are decided: the other cells of A outside B are mines, those of B outside A are
//! safe. With B empty this is "a number that needs all its cells", with A empty "a number that has
//! all its mines", and otherwise it is all that two numbers prove. One argument has all of them.
//!
//! Since the truth about each proven cell is known beforehand, the facts that a rule needs are
//! known too: the rule can be applied in one way only. It exists if all cells in which the two
//! groups differ are proven.
//!
//! Invariant: what a rule gives follows from its groups and from the facts that it needs.
//!
//! Cost: the numbers times those that share a cell with each. A board has at most twenty-four of
//! these for each number.

use smallvec::SmallVec;

use crate::groups::{GroupIndex, Groups};
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

/// The groups of a rule, and how it uses them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The group has all its mines: its other cells are safe.
    Complete(GroupIndex),
    /// The group needs all its cells: they are mines.
    Full(GroupIndex),
    /// The mines of one group that do not fit into the other.
    Compare {
        /// The group whose own cells are mines.
        more: GroupIndex,
        /// The group whose own cells are safe.
        fewer: GroupIndex,
    },
    /// The facts hold in every layout that fits these groups, and no group can be left out.
    Together(Vec<GroupIndex>),
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
    pub fn groups(&self) -> Vec<GroupIndex> {
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
    /// Its groups, and how it uses them.
    pub reason: Reason,
    /// The cells that must be known to be safe or mines before, sorted.
    pub needs: CellList,
    /// The cells that it decides, sorted.
    pub gives: CellList,
    /// How hard it is to follow: a sentence costs at least [`SENTENCE`].
    pub cost: u32,
}

/// The cost of the simplest sentence.
pub const SENTENCE: u32 = 20;
/// The extra cost of comparing two groups.
const COMPARING: u32 = 5;
/// The extra cost if each of the two groups has cells of its own that it decides.
const OVERLAPPING: u32 = 12;
/// The extra cost if the comparison needs facts.
const WITH_KNOWN: u32 = 5;
/// The extra cost of using the number of mines left.
const WITH_TOTAL: u32 = 4;
/// The cost of each group of [`Reason::Together`].
pub const TOGETHER: u32 = 6;

/// All rules of one or two groups, in a fixed order.
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
        for id in comparable_with_total(groups, truth) {
            rules.extend(rule(groups, truth, Some(id), Some(total)));
            rules.extend(rule(groups, truth, Some(total), Some(id)));
        }
    }
    rules
}

/// The numbers that can be compared with the total: those beside every cell that is not proven. The
/// result has more; [`rule`] refuses them.
fn comparable_with_total(groups: &Groups, truth: &Truth) -> Vec<GroupIndex> {
    /// If all cells are proven, every number can be compared, which takes too long on a large
    /// field.
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

/// The rule that compares two groups, or one with nothing; `None` if a cell on which it depends is
/// not proven, or if it decides no cell.
fn rule(
    groups: &Groups,
    truth: &Truth,
    more: Option<GroupIndex>,
    fewer: Option<GroupIndex>,
) -> Option<ProofRule> {
    let [of_more, of_fewer] = [more, fewer].map(|id| id.map(|id| groups.group(id)));
    let compares = more.is_some() && fewer.is_some();
    let decides_alone =
        |group: &Group| group.mines() == 0 || group.mines() as usize == group.cells().len();
    if compares && [of_more, of_fewer].into_iter().flatten().any(decides_alone) {
        // One group decides all its cells by itself, and then so does the other: two rules of one
        // group are simpler.
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
