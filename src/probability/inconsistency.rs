//! Why no layout fits a position: every reason, not only the first that is met.
//!
//! Numbers that no chain of shared cells links cannot contradict each other. So each component of the numbers
//! is looked at by itself and without the mine total: it is possible or not whatever the others are. What the
//! possible ones hold at least and at most then says whether the total fits. Between the two it may still not
//! (a component can hold one mine or three, and not two); where nothing else was found, the whole is counted.
//!
//! Invariant: what is told holds. Where the budget does not suffice, a component counts as possible, with any
//! number of mines.
//!
//! Deduction and counting stop at the first contradiction, because to them it means that there is no answer.

use crate::base::budget::Budget;
use crate::base::text::pluralize;
use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::group::{Contradiction, Outside, Position};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::component::Partition;
use crate::probability::frontier_dp::{ComponentCounter, Refusal};
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::{ExtendedF64, Weight};

/// One reason why no layout fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inconsistency {
    /// Numbers that contradict each other, whatever the total is.
    Numbers(Contradiction),
    /// Another number of mines is left than the numbers, together with the cells beside none, can hold.
    Total {
        /// The mines left.
        left: u32,
        /// The fewest that the hidden cells can hold.
        fewest: usize,
        /// The most. The numbers in between are not all possible.
        most: usize,
    },
}

impl Inconsistency {
    /// The reason in words that say where on the field it is.
    pub fn told(&self, shape: Shape) -> String {
        let (left, fewest, most) = match self {
            Inconsistency::Numbers(contradiction) => return contradiction.describe(shape),
            Inconsistency::Total { left, fewest, most } => (*left, *fewest, *most),
        };
        let mines = pluralize(left, "mine is left", "mines are left");
        if (left as usize) < fewest {
            format!("{mines}, but the numbers need at least {fewest}")
        } else if left as usize > most {
            format!("{mines}, but at most {most} fit the numbers")
        } else {
            format!("{mines}, and the numbers do not allow exactly as many")
        }
    }
}

/// Every reason why no layout fits `position`, as far as the budget goes: one for each impossible component, in
/// the order of their cells, then the total.
pub fn inconsistencies(
    position: &Position,
    (deducer, solver): (&mut Deducer, &mut ProbabilitySolver),
    budget: &mut Budget,
) -> Vec<Inconsistency> {
    let mut found = Vec::new();
    let mut fewest = 0;
    let mut parts = components(position);
    let seen: usize = parts.iter().map(|part| part.hidden.len()).sum();
    let mut most = position.hidden.len() - seen;
    // The small ones first, so that one that is too large takes the budget of none but larger ones.
    parts.sort_by_key(|part| part.hidden.len());
    let mut bounds = Bounds {
        exact: true,
        partition: Partition::default(),
        counter: ComponentCounter::default(),
    };
    for part in &parts {
        match bounds.of(part, deducer, budget) {
            Ok((least, largest)) => {
                fewest += least;
                most += largest;
            }
            Err(contradiction) => {
                most += part.hidden.len();
                found.push(contradiction);
            }
        }
    }
    found.sort_by(|a, b| a.cells.first().cmp(&b.cells.first()));
    let mut found: Vec<Inconsistency> = found.into_iter().map(Inconsistency::Numbers).collect();
    if position.outside != Outside::Total {
        return found;
    }
    let fits = (fewest..=most).contains(&(position.mines as usize));
    let look_closer = found.is_empty() && bounds.exact;
    if !fits || look_closer && whole(position, (deducer, solver), budget).is_err() {
        found.push(Inconsistency::Total { left: position.mines, fewest, most });
    }
    found
}

/// The components of the premises, each a position of its own whose total is unknown.
fn components(position: &Position) -> Vec<Position> {
    let mut partition = Partition::default();
    partition.split(position.universe, position.premises.iter().map(|premise| &premise.group));
    let mut component_of = CellMap::new(position.universe, 0);
    let mut parts = Vec::new();
    for component in partition.components() {
        let mut hidden: Vec<Cell> = partition.cells(component).to_vec();
        hidden.sort_unstable();
        hidden.iter().for_each(|&cell| component_of[cell] = parts.len());
        let outside = Outside::Density(0.5);
        let (universe, premises, mines) = (position.universe, Vec::new(), 0);
        parts.push(Position { universe, hidden, premises, mines, outside });
    }
    for premise in &position.premises {
        parts[component_of[premise.group.cells()[0]]].premises.push(premise.clone());
    }
    parts
}

/// How many mines a component can hold; keeps its memory from one to the next.
struct Bounds {
    /// Whether none was too large for the budget so far.
    exact: bool,
    partition: Partition,
    /// Of the type that nothing leaves: a count that is zero is no layout, and no other is.
    counter: ComponentCounter<ExtendedF64>,
}

impl Bounds {
    /// The fewest and the most mines in `part`.
    fn of(
        &mut self,
        part: &Position,
        deducer: &mut Deducer,
        budget: &mut Budget,
    ) -> Result<(usize, usize), Contradiction> {
        if budget.left() == 0 || budget.check_clock().is_err() {
            self.exact = false;
            return Ok((0, part.hidden.len()));
        }
        let looked = deducer.run_within(part, Reach::FixedPoint, budget);
        looked.map_err(|contradiction| match contradiction.mines {
            Some(1..) if !contradiction.cells.is_empty() => contradiction,
            // Derived, and nothing to look at on the field: the whole component is.
            _ => Contradiction { cells: part.hidden.clone(), mines: None },
        })?;
        let Bounds { exact, partition, counter } = self;
        partition.split(part.universe, deducer.groups());
        let mines = deducer.mines().len();
        let decided = mines + deducer.safe().len();
        let mut fewest = mines;
        let mut most = mines + part.hidden.len() - decided - partition.cells_len();
        for component in partition.components() {
            counter.clear();
            let (sizes, groups) = (partition.sizes(component), partition.constraints(component));
            let mut share = budget.sub_budget(budget.left().div_ceil(2));
            let outcome = counter.count(sizes, groups, &mut share);
            budget.charge(share.used());
            let cells = partition.cells(component);
            match outcome {
                Ok(outcome) => {
                    let (first, histogram) = counter.histogram(&outcome);
                    let possible = (first as usize..).zip(histogram);
                    let mut possible = possible.filter(|(_, count)| !count.is_zero());
                    let least = possible.next().map_or(0, |(mines, _)| mines);
                    fewest += least;
                    most += possible.last().map_or(least, |(mines, _)| mines);
                }
                Err(Refusal::TooLarge) => {
                    *exact = false;
                    most += cells.len();
                }
                Err(Refusal::NoLayout) => {
                    let mut cells = cells.to_vec();
                    cells.sort_unstable();
                    return Err(Contradiction { cells, mines: None });
                }
            }
        }
        Ok((fewest, most))
    }
}

/// Counts all components under the total.
fn whole(
    position: &Position,
    (deducer, solver): (&mut Deducer, &mut ProbabilitySolver),
    budget: &mut Budget,
) -> Result<(), Contradiction> {
    deducer.run_within(position, Reach::FixedPoint, budget)?;
    solver.layout_count(position, deducer, budget).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::{Deadlines, NoClock, Turn};
    use crate::board::group::{Group, Premise};
    use crate::board::text_format::Picture;
    use crate::bot::engine::Engine;

    fn told(picture: &str) -> Vec<String> {
        let board = match picture.parse::<Picture>().unwrap().board(0) {
            Ok(board) => board,
            Err(error) => error.board,
        };
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
        let found = Engine::default().contradictions(&board, turn);
        found.iter().map(|inconsistency| inconsistency.told(board.shape())).collect()
    }

    #[test]
    fn every_impossible_component_is_told_and_the_total_too() {
        let contradict = "the numbers around 1 cell contradict each other, near row 0";
        assert_eq!(
            told("8 1 0\n1.00.11."),
            [
                format!("{contradict}, col 1"),
                format!("{contradict}, col 4"),
                "0 mines are left, but the numbers need at least 1".to_owned()
            ]
        );
        assert_eq!(told("8 1 2\n1.00.11.").len(), 2);
        assert_eq!(told("5 1 1\n.1.1."), [""; 0]);
        assert_eq!(told("5 1 3\n.1.1."), ["3 mines are left, but at most 2 fit the numbers"]);
    }

    #[test]
    fn a_total_between_fewest_and_most_may_be_impossible_too() {
        // Each of three cells is a mine if and only if the cell in the middle is none.
        let middle = Cell::from_index(0);
        let premise = |other: u32| {
            let cells = [middle, Cell::from_index(other)].into_iter().collect();
            Premise { source: middle, group: Group::new(cells, 1).unwrap().unwrap() }
        };
        let mut position = Position {
            universe: 4,
            hidden: (0..4).map(Cell::from_index).collect(),
            premises: (1..4).map(premise).collect(),
            mines: 2,
            outside: Outside::Total,
        };
        let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
        let mut found = |position: &Position| {
            inconsistencies(position, (&mut deducer, &mut solver), &mut Budget::unlimited())
        };
        let total = Inconsistency::Total { left: 2, fewest: 1, most: 3 };
        let told = "2 mines are left, and the numbers do not allow exactly as many";
        assert_eq!(total.told(Shape::new(2, 2).unwrap()), told);
        assert_eq!(found(&position), [total]);
        position.mines = 3;
        assert_eq!(found(&position), []);
    }

    #[test]
    fn a_total_that_the_board_itself_refuses_is_not_told_again() {
        assert_eq!(told("3 1 3\n.1."), [""; 0]);
        assert_eq!(told("5 1 1\n**2.1"), [""; 0]);
    }

    const CELLS: u32 = 11;

    fn random_position(random: &mut fastrand::Rng) -> Position {
        let cell = |index: u32| Cell::from_index(index);
        let premises = (0..random.u32(0..=6)).map(|number| {
            let mask =
                (0..random.u32(1..=4)).fold(0_u32, |mask, _| mask | 1 << random.u32(0..CELLS));
            let cells = (0..CELLS).filter(|index| mask >> index & 1 == 1).map(cell);
            let mines = random.i64(0..=i64::from(mask.count_ones()));
            let group = Group::new(cells.collect(), mines).unwrap().unwrap();
            Premise { source: cell(CELLS + number), group }
        });
        let premises: Vec<Premise> = premises.collect();
        let all_seen = random.bool();
        let seen = |cell: &Cell| premises.iter().any(|premise| premise.group.contains(*cell));
        let hidden: Vec<Cell> =
            (0..CELLS).map(cell).filter(|cell| !all_seen || seen(cell)).collect();
        Position {
            mines: random.u32(0..=hidden.len() as u32),
            hidden,
            universe: CELLS as usize + 6,
            premises,
            outside: Outside::Total,
        }
    }

    /// The mines of every way to lay some among `cells` that fits these groups, with repetitions.
    fn ways(cells: u32, groups: &[(u32, u32)]) -> Vec<u32> {
        let fits = |layout: &u32| {
            groups.iter().all(|&(cells, mines)| (layout & cells).count_ones() == mines)
        };
        let layouts = (0..1 << CELLS).filter(|layout| layout & !cells == 0).filter(fits);
        layouts.map(u32::count_ones).collect()
    }

    #[test]
    fn what_is_told_is_what_enumeration_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
        let (mut gaps, mut several, mut both) = (0, 0, 0);
        for _ in 0..4000 {
            let position = random_position(&mut random);
            let groups: Vec<(u32, u32)> = position
                .premises
                .iter()
                .map(|Premise { group, .. }| {
                    (group.cells().iter().map(|cell| 1 << cell.index()).sum(), group.mines())
                })
                .collect();
            // Joined until nothing is left to join: the components.
            let mut components: Vec<u32> = Vec::new();
            for &(cells, _) in &groups {
                let (linked, apart): (Vec<u32>, Vec<u32>) =
                    components.iter().partition(|component| **component & cells != 0);
                components = apart;
                components.push(linked.iter().fold(cells, |all, component| all | component));
            }
            let seen: u32 = components.iter().sum();
            let (mut fewest, mut most) = (0, position.hidden.len() as u32 - seen.count_ones());
            let mut impossible = Vec::new();
            for component in components {
                let of: Vec<(u32, u32)> =
                    groups.iter().copied().filter(|group| group.0 & component != 0).collect();
                let ways = ways(component, &of);
                fewest += ways.iter().min().copied().unwrap_or(0);
                most += ways.iter().max().copied().unwrap_or(component.count_ones());
                if ways.is_empty() {
                    impossible.push(component);
                }
            }
            let left = position.mines;
            let gap = impossible.is_empty()
                && (fewest..=most).contains(&left)
                && !ways(position.hidden.iter().map(|cell| 1 << cell.index()).sum(), &groups)
                    .contains(&left);
            let (fewest, most) = (fewest as usize, most as usize);
            let inconsistency = gap || !(fewest..=most).contains(&(left as usize));

            let tools = (&mut deducer, &mut solver);
            let mut found = inconsistencies(&position, tools, &mut Budget::unlimited());
            let total = Inconsistency::Total { left, fewest, most };
            assert_eq!(inconsistency, found.last() == Some(&total), "{position:?}: {found:?}");
            found.truncate(found.len() - usize::from(inconsistency));
            assert_eq!(found.len(), impossible.len(), "{position:?}: {found:?}");
            for found in &found {
                let Inconsistency::Numbers(contradiction) = found else { panic!("{found:?}") };
                let at = 1 << contradiction.cells[0].index();
                impossible.retain(|component| component & at == 0);
            }
            assert!(impossible.is_empty(), "{position:?}: {found:?}");
            gaps += u32::from(gap);
            several += u32::from(found.len() > 1);
            both += u32::from(!found.is_empty() && inconsistency);
        }
        assert!(gaps > 0 && several > 20 && both > 20, "{gaps}, {several}, {both}");
    }

    #[test]
    fn without_a_budget_nothing_is_told() {
        let mut random = fastrand::Rng::with_seed(6);
        let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
        let mut told = 0;
        for _ in 0..300 {
            let position = random_position(&mut random);
            // Whatever the budget, what is told holds.
            let all =
                inconsistencies(&position, (&mut deducer, &mut solver), &mut Budget::unlimited());
            let mut budget = Budget::new(random.u64(0..3000), Deadlines::DEFAULT, &NoClock);
            let some = inconsistencies(&position, (&mut deducer, &mut solver), &mut budget);
            assert!(some.is_empty() || !all.is_empty(), "{position:?}");
            assert!(budget.used() <= budget.limit() + 500);
            told += some.len();
            let mut none = Budget::new(0, Deadlines::DEFAULT, &NoClock);
            let none = inconsistencies(&position, (&mut deducer, &mut solver), &mut none);
            assert!(none.iter().all(|inconsistency| all.contains(inconsistency)), "{none:?}");
        }
        assert!(told > 0);
    }
}
