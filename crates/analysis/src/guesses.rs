//! 50/50s: guesses between cells that no number to come can tell apart.
//!
//! Two sides A and B are a *50/50* if in each layout all cells of one side are mines and all of the
//! other are safe, and if every other cell that can still be opened touches as many cells of A as
//! of B. Exchanging the sides then maps each layout to another one in which all other cells show
//! the same. So the odds stay one half whatever is opened elsewhere, and in the end one side must
//! be opened.
//!
//! Invariant: the exchange maps the layouts to the layouts. Not every 50/50 is found: the sides are
//! looked for in the components that deduction leaves, and among single cells.

use super::Analysis;
use super::candidates::EvaluatedCandidate;
use super::cases::cases;
use super::groups::{GroupIndex, Groups};
use super::irreducible::Prover;
use super::notation::list_cells;
use super::rules::Fact;
use super::values::CellValue;
use sapper::Decision;
use sapper::board::CellState;
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::probability::component::Partition;
use sapper::settings::params::{Objective, PROBABILITY_TOLERANCE};

/// What such a guess is called, here and wherever else a person reads of it.
pub const FIFTY_FIFTY: &str = "50/50";
/// Where a cell of a side is.
pub const IN_FIFTY_FIFTY: &str = "in a 50/50";
/// Where a cell is that the numbers around the sides count, too.
pub const BESIDE_FIFTY_FIFTY: &str = "beside a 50/50";

/// Two sides, one of which has all the mines; no number to come can tell which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FiftyFifty {
    /// The cells of each side, sorted. The mines are all cells of one of the two.
    pub sides: [Vec<Cell>; 2],
    /// Other undecided cells beside it, sorted: the number of an opened cell counts them too.
    pub beside: Vec<Cell>,
}

impl FiftyFifty {
    /// Whether `cell` is on either side.
    pub fn contains(&self, cell: Cell) -> bool {
        self.sides.iter().any(|side| side.contains(&cell))
    }

    /// What it is for one of its cells, in a table: `50/50 with (0,1)`.
    pub fn name_for(&self, shape: Shape, cell: Cell) -> String {
        let own = usize::from(self.sides[1].contains(&cell));
        format!("{FIFTY_FIFTY} with {}", list_cells(shape, &self.sides[1 - own]))
    }

    /// Its sides: `(0,1) or (0,2)`.
    pub fn sides_text(&self, shape: Shape) -> String {
        self.sides.each_ref().map(|side| list_cells(shape, side)).join(" or ")
    }

    /// What it is, and whether waiting changes what it costs: a sentence each.
    pub fn sentences(&self, shape: Shape, objective: Objective) -> Vec<String> {
        let [a, b] = self.sides.each_ref().map(|side| list_cells(shape, side));
        let what = if self.sides[0].len() == 1 {
            format!(
                "{a} and {b} are a {FIFTY_FIFTY}: one of them is a mine, and no number to come \
                 can tell which, since every other cell that can be opened touches both or neither."
            )
        } else {
            format!(
                "Either {a} or {b} are mines, a {FIFTY_FIFTY}: no number to come can tell which, \
                 since every other cell that can be opened touches as many of these as of those."
            )
        };
        let cost = match objective {
            Objective::FewestHits => "half a mine on average",
            Objective::CleanWin => "half of the games",
        };
        let when = if self.beside.is_empty() {
            "its numbers say nothing about other cells, so it may as well come last".to_owned()
        } else {
            let beside = list_cells(shape, &self.beside);
            format!("but its numbers also count {beside}, so guessing early may help there")
        };
        vec![what, format!("Waiting does not change its cost, {cost}, now or later; {when}.")]
    }
}

/// The 50/50s of a position, by their first cell. None where the odds are approximate, or where a
/// number beside an illegible cell may tell the sides apart.
pub fn fifty_fifties(analysis: &Analysis) -> Vec<FiftyFifty> {
    let is_illegible = |(_, state)| state == CellState::Illegible;
    if analysis.odds().approximate() > 0 || analysis.board().iter().any(is_illegible) {
        return Vec::new();
    }
    let mut found: Vec<FiftyFifty> = Vec::new();
    let sides = in_components(analysis).into_iter();
    found.extend(sides.filter_map(|sides| fifty_fifty(analysis, sides)));
    let mut is_found = CellMap::new(analysis.board().shape().len(), false);
    for &cell in found.iter().flat_map(|one| one.sides.iter().flatten()) {
        is_found[cell] = true;
    }
    let groups = Groups::new(analysis.deduced().position());
    let mut prover = Prover::default();
    let all: Vec<GroupIndex> = groups.numbers().chain(groups.total()).collect();
    let pairs = pairs(analysis, &groups).into_iter();
    let new = pairs.filter(|pair| pair.iter().all(|&cell| !is_found[cell]));
    let alike = new.filter_map(|pair| fifty_fifty(analysis, pair.map(|cell| vec![cell])));
    for one in alike {
        if is_exactly_one(&groups, &all, &mut prover, [one.sides[0][0], one.sides[1][0]]) {
            found.push(one);
        }
    }
    found.sort_by_key(|one| one.sides[0][0]);
    found
}

/// The pairs of cells with even odds that no number tells apart, by their first cell.
///
/// Cells that are beside the same numbers are twins: exchanging two of them maps the layouts to the
/// layouts. If in every layout exactly one of two twins is a mine, the same is true of any two of
/// their twins. It cannot be true of three cells at once: so only a cell with exactly one twin is
/// in a pair.
fn pairs(analysis: &Analysis, groups: &Groups) -> Vec<[Cell; 2]> {
    let is_even = |cell: &Cell| (analysis.odds().of(*cell) - 0.5).abs() < PROBABILITY_TOLERANCE;
    let mut even: Vec<Cell> = analysis.board().hidden().filter(is_even).collect();
    even.sort_by_key(|&cell| (groups.beside(cell), cell));
    let twins = even.chunk_by(|&a, &b| groups.beside(a) == groups.beside(b));
    let mut pairs: Vec<[Cell; 2]> = twins.filter_map(|twins| twins.try_into().ok()).collect();
    pairs.sort_unstable();
    pairs
}

/// The cells that are as good as a guess or an endgame's move, by odds and cost.
pub fn equals(analysis: &Analysis, chosen: &Decision) -> Vec<Cell> {
    let mut equals: Vec<Cell> = Vec::new();
    let own = analysis.candidates().iter().find(|candidate| candidate.cell == chosen.cell());
    if let Some(own) = own {
        let is_equal = |other: &&EvaluatedCandidate| {
            !other.is_put_off
                && (other.cost() - own.cost()).abs() < PROBABILITY_TOLERANCE
                && (other.odds - own.odds).abs() < PROBABILITY_TOLERANCE
        };
        equals.extend(analysis.candidates().iter().filter(is_equal).map(|other| other.cell));
    }
    let values = analysis.values();
    if let Some(own) = values.iter().find(|value| value.cell == chosen.cell()) {
        let is_equal = |other: &&CellValue| other.cost.is_some() && other.cost == own.cost;
        equals.extend(values.iter().filter(is_equal).map(|other| other.cell));
    }
    equals.retain(|&cell| cell != chosen.cell());
    equals.sort_unstable();
    equals
}

/// Whether one of two twins is a mine in every layout, and the other is not.
fn is_exactly_one(
    groups: &Groups,
    all: &[GroupIndex],
    prover: &mut Prover,
    [a, b]: [Cell; 2],
) -> bool {
    [true, false].into_iter().all(|is_mine| {
        let facts = [a, b].map(|cell| Fact { cell, is_mine });
        // Their own numbers are often enough, and quick to try.
        prover.refutes(groups, groups.beside(a), &facts) || prover.refutes(groups, all, &facts)
    })
}

/// The sides of the components that have two layouts, each the other's opposite.
fn in_components(analysis: &Analysis) -> Vec<[Vec<Cell>; 2]> {
    let deduced = analysis.deduced();
    let undecided = deduced.undecided();
    let groups = Groups::new(&undecided);
    let mut partition = Partition::default();
    partition.split(undecided.universe, deduced.groups());
    let sides = partition.components().iter().filter_map(|component| {
        let cells = partition.cells(component);
        let mut set: Vec<GroupIndex> =
            cells.iter().flat_map(|&cell| groups.beside(cell)).copied().collect();
        set.sort_unstable();
        set.dedup();
        let [one, other] = <[_; 2]>::try_from(cases(&groups, &set, &[])?).ok()?;
        let is_opposite = one
            .iter()
            .zip(&other)
            .all(|((cells, mines), (_, others))| cells.len() == 1 && mines + others == 1);
        let [mut a, mut b] = [one, other].map(|case| -> Vec<Cell> {
            case.iter().filter(|(_, mines)| *mines == 1).map(|(cells, _)| cells[0]).collect()
        });
        a.sort_unstable();
        b.sort_unstable();
        let sides = if a < b { [a, b] } else { [b, a] };
        (is_opposite && sides[0].len() == sides[1].len()).then_some(sides)
    });
    sides.collect()
}

/// The 50/50 of two sides, if every other cell that can be opened sees as many cells of both.
fn fifty_fifty(analysis: &Analysis, sides: [Vec<Cell>; 2]) -> Option<FiftyFifty> {
    let (board, odds) = (analysis.board(), analysis.odds());
    let shape = board.shape();
    let is_side = |cell: &Cell| sides.iter().any(|side| side.contains(cell));
    let around = sides.iter().flatten().flat_map(|&cell| shape.neighbours(cell));
    let is_other = |cell: &Cell| board.is_hidden(*cell) && !is_side(cell) && odds.of(*cell) < 1.0;
    let mut beside: Vec<Cell> = around.filter(is_other).collect();
    beside.sort_unstable();
    beside.dedup();
    let seen = |cell: Cell, side: &[Cell]| {
        shape.neighbours(cell).iter().filter(|other| side.contains(other)).count()
    };
    if beside.iter().any(|&cell| seen(cell, &sides[0]) != seen(cell, &sides[1])) {
        return None;
    }
    beside.retain(|&cell| odds.of(cell) > 0.0);
    Some(FiftyFifty { sides, beside })
}
