//! Minimal sets of numbers that contradict each other.
//!
//! Numbers of different components, which no chain of shared cells links, cannot contradict each
//! other. So the numbers of each component are tried by themselves. If no layout fits them, numbers
//! are dropped as long as no layout fits the rest. The remaining numbers contradict each other, and
//! no part of them does. Then the number of mines left is tried with the numbers of all other
//! components in the same way.
//!
//! Invariant: no layout fits the numbers of a contradiction. If the budget ends, a contradiction
//! has more numbers than it needs.

use super::groups::{GroupIndex, Groups};
use super::irreducible::{Prover, irreducible};
use super::sentences::Wording;
use sapper::board::Board;
use sapper::board::contradiction::Contradiction;
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::board::group::Position;
use sapper::deduction::groups::deducer::Deducer;
use sapper::probability::component::Partition;
use sapper::probability::contradictions::contradictions;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;

/// The node limit for finding every contradiction, far above that of a turn: a person can wait
/// longer than the platform does.
const NODES: u64 = 100_000_000;

/// A contradiction as a minimal set of numbers, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedContradiction {
    /// The open cells whose numbers contradict each other, sorted.
    pub numbers: Vec<Cell>,
    /// Whether the contradiction needs the number of mines left.
    pub uses_total: bool,
    /// The reason in words.
    pub text: String,
}

/// The contradictions of a board of which no layout fits `position`. `first` is the contradiction
/// that deduction or counting found.
pub fn explain_contradictions(
    board: &Board,
    position: &Position,
    first: &Contradiction,
) -> Vec<ExplainedContradiction> {
    let groups = Groups::new(position);
    let mut prover = Prover::default();
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for numbers in components(&groups) {
        if prover.refutes(&groups, &numbers, &[]) {
            let set = irreducible(numbers, |set| prover.try_refute(&groups, set, &[]));
            found.push(explained(board, &groups, &set, None));
        } else {
            others.extend(numbers);
        }
    }
    if let Some(total) = groups.total() {
        let mut is_refuted = |set: &[GroupIndex]| {
            let set: Vec<GroupIndex> = set.iter().copied().chain([total]).collect();
            prover.try_refute(&groups, &set, &[])
        };
        if is_refuted(&others) == Some(true) {
            let set = irreducible(others, is_refuted);
            found.push(explained(board, &groups, &set, Some(total)));
        }
    }
    if found.is_empty() {
        // The budget ended before the contradiction was found again.
        let message = first.describe(board.shape());
        found.push(ExplainedContradiction {
            numbers: Vec::new(),
            uses_total: false,
            text: message,
        });
    }
    found
}

/// The numbers of each component, in order.
fn components(groups: &Groups) -> Vec<Vec<GroupIndex>> {
    let position = groups.position();
    let mut partition = Partition::default();
    partition.split(position.universe, position.premises.iter().map(|premise| &premise.group));
    let mut component_of = CellMap::new(position.universe, 0);
    for (index, component) in partition.components().iter().enumerate() {
        partition.cells(component).iter().for_each(|&cell| component_of[cell] = index);
    }
    let mut components = vec![Vec::new(); partition.components().len()];
    for id in groups.numbers() {
        components[component_of[groups.group(id).cells()[0]]].push(id);
    }
    components.sort_by_key(|numbers: &Vec<GroupIndex>| numbers.first().copied());
    components
}

fn explained(
    board: &Board,
    groups: &Groups,
    set: &[GroupIndex],
    total: Option<GroupIndex>,
) -> ExplainedContradiction {
    let wording = Wording::new(board, groups);
    let names = wording.names(set);
    let text = match (total, set.len()) {
        (Some(_), _) => total_text(groups, set, &names, board.shape()),
        (None, 1) => format!("{names} cannot be true"),
        (None, 2) => format!("{names} contradict each other"),
        (None, _) => format!("{names} cannot all be true"),
    };
    let numbers = set.iter().filter_map(|&id| groups.source(id).number()).collect();
    ExplainedContradiction { numbers, uses_total: total.is_some(), text }
}

/// Why the mines left do not fit the numbers of `set`.
fn total_text(groups: &Groups, set: &[GroupIndex], names: &str, shape: Shape) -> String {
    let all = groups.position();
    let premises = set.iter().map(|&id| all.premises[id as usize].clone()).collect();
    let position = Position { premises, ..all.clone() };
    let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
    let mut budget = Budget::of_nodes(NODES);
    let found = contradictions(&position, &mut deducer, &mut solver, &mut budget);
    let Some(Contradiction::Total { left, min, max }) = found.last() else {
        let otherwise = || format!("the mines left do not fit {names}");
        return found.first().map_or_else(otherwise, |one| one.describe(shape));
    };
    let mines = if *left == 1 { "mine is" } else { "mines are" };
    let need = if set.len() == 1 { "needs" } else { "need" };
    if (*left as usize) < *min {
        format!("{left} {mines} left, but {names} {need} at least {min}")
    } else if *left as usize > *max && set.is_empty() {
        format!("{left} {mines} left, but only {max} cells are hidden")
    } else if *left as usize > *max {
        format!("{left} {mines} left, but with {names} at most {max} fit")
    } else {
        format!("{left} {mines} left, and {names} do not allow exactly as many")
    }
}
