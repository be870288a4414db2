//! The reasons why a position has no layout: all of them, not only the first that is met.
//!
//! Numbers that no chain of shared cells links cannot contradict each other. So each component of
//! the numbers is checked by itself, without the mine total. The minimum and maximum of mines that
//! the possible components can hold then bound the total. A total within these bounds may still be
//! impossible: a component can hold one mine or three, but not two. If no other reason was found,
//! the whole position is counted.
//!
//! Invariant: every reported reason is true. If the budget is too small for a component, it is
//! taken to be possible with any number of mines.
//!
//! Deduction and counting stop at the first contradiction, so the search for all is separate.

use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{MineCount, Position};
use crate::deduction::groups::deducer::{Deducer, Reach};
use crate::probability::component::Partition;
use crate::probability::frontier_dp::{ComponentCounter, Refusal};
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::{ExtendedF64, Weight};
use crate::settings::budget::Budget;

/// Returns the reasons why `position` has no layout, as far as the budget suffices: one for each
/// impossible component, in the order of their cells, then the total.
pub fn contradictions(
    position: &Position,
    deducer: &mut Deducer,
    solver: &mut ProbabilitySolver,
    budget: &mut Budget,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let components = components(position);
    let constrained: usize = components.iter().map(|component| component.hidden.len()).sum();
    let (mut min, mut max) = (0, position.hidden.len() - constrained);
    // Small components first, so that one that is too large uses up the budget of larger ones only.
    let sizes = components.iter().map(|component| component.hidden.len());
    let mut by_size: Vec<(usize, usize)> = sizes.zip(0..).collect();
    by_size.sort_unstable();
    let mut checker = Checker::default();
    for component in by_size.into_iter().map(|(_, index)| &components[index]) {
        match checker.bounds(component, deducer, budget) {
            Ok(bounds) => {
                min += bounds.min;
                max += bounds.max;
            }
            Err(contradiction) => {
                max += component.hidden.len();
                found.push(contradiction);
            }
        }
    }
    // No two components share a cell.
    found.sort_unstable_by_key(|contradiction: &Contradiction| {
        contradiction.cells().first().copied()
    });
    if position.mine_count != MineCount::Exact {
        return found;
    }
    let is_within_bounds = (min..=max).contains(&(position.mines as usize));
    let must_count = found.is_empty() && !checker.is_incomplete;
    let mut has_no_layout = || {
        let deduced = deducer.run_within(position, Reach::FixedPoint, budget);
        deduced.and_then(|deduced| solver.layout_count(deduced, budget)).is_err()
    };
    if !is_within_bounds || must_count && has_no_layout() {
        found.push(Contradiction::Total { left: position.mines, min, max });
    }
    found
}

/// The components of the premises, each as a position whose total is unknown.
fn components(position: &Position) -> Vec<Position> {
    let mut partition = Partition::default();
    partition.split(position.universe, position.premises.iter().map(|premise| &premise.group));
    let mut component_of = CellMap::new(position.universe, 0);
    let mut components = Vec::new();
    for component in partition.components() {
        let mut hidden: Vec<Cell> = partition.cells(component).to_vec();
        hidden.sort_unstable();
        hidden.iter().for_each(|&cell| component_of[cell] = components.len());
        components.push(Position {
            universe: position.universe,
            hidden,
            mine_count: MineCount::Density(0.5),
            ..Position::default()
        });
    }
    for premise in &position.premises {
        components[component_of[premise.group.cells()[0]]].premises.push(premise.clone());
    }
    components
}

/// The minimum and maximum of mines in a component.
struct Bounds {
    min: usize,
    max: usize,
}

/// Checks one component after another, in reused memory.
#[derive(Default)]
struct Checker {
    /// Whether the budget was too small for a component.
    is_incomplete: bool,
    partition: Partition,
    /// In the type whose range is never left, so that zero means no layout.
    counter: ComponentCounter<ExtendedF64>,
}

impl Checker {
    /// The bounds of the mines in one component of the numbers.
    ///
    /// # Errors
    /// [`Contradiction`] if the component has no layout.
    fn bounds(
        &mut self,
        component: &Position,
        deducer: &mut Deducer,
        budget: &mut Budget,
    ) -> Result<Bounds, Contradiction> {
        if budget.left() == 0 || budget.check_clock().is_err() {
            self.is_incomplete = true;
            return Ok(Bounds { min: 0, max: component.hidden.len() });
        }
        let deduced = deducer.run_within(component, Reach::FixedPoint, budget);
        let deduced = deduced.map_err(|contradiction| match contradiction {
            Contradiction::Group { ref cells, mines: 1.. } if !cells.is_empty() => contradiction,
            // A derived group means nothing on the field, so the whole component is reported.
            _ => Contradiction::Numbers { cells: component.hidden.clone() },
        })?;
        let Checker { is_incomplete, partition, counter } = self;
        partition.split(component.universe, deduced.groups());
        let mines = deduced.mines().len();
        let decided = mines + deduced.safe().len();
        let mut min = mines;
        let mut max = mines + component.hidden.len() - decided - partition.cells_len();
        for part in partition.components() {
            counter.begin();
            let structure = partition.structure(part);
            let counted =
                budget.lend(budget.left().div_ceil(2), |share| counter.count(structure, share));
            let cells = partition.cells(part);
            match counted {
                Ok(counted) => {
                    let histogram = counter.histogram(&counted);
                    let by_mines = (histogram.min_mines..).zip(histogram.counts);
                    let mut possible = by_mines.filter(|(_, count)| !count.is_zero());
                    let least = possible.next().map_or(0, |(mines, _)| mines);
                    min += least;
                    max += possible.last().map_or(least, |(mines, _)| mines);
                }
                Err(Refusal::TooLarge) => {
                    *is_incomplete = true;
                    max += cells.len();
                }
                Err(Refusal::NoLayout) => {
                    let mut cells = cells.to_vec();
                    cells.sort_unstable();
                    return Err(Contradiction::Numbers { cells });
                }
            }
        }
        Ok(Bounds { min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Shape;
    use crate::board::group::{Group, Premise};
    use crate::board::text_format::BoardText;
    use crate::bot::engine::Engine;
    use crate::settings::budget::Turn;

    /// Checks one position after another, in reused memory.
    #[derive(Default)]
    struct Solvers(Deducer, ProbabilitySolver);

    impl Solvers {
        fn check(&mut self, position: &Position, budget: &mut Budget) -> Vec<Contradiction> {
            contradictions(position, &mut self.0, &mut self.1, budget)
        }
    }

    fn messages(picture: &str) -> Vec<String> {
        let board = match picture.parse::<BoardText>().unwrap().board(0) {
            Ok(board) => board,
            Err(error) => error.board,
        };
        let turn = Turn::UNTIMED;
        let found = Engine::default().contradictions(&board, turn);
        found.iter().map(|one| one.describe(board.shape())).collect()
    }

    #[test]
    fn every_impossible_component_is_reported_and_the_total_too() {
        let contradict = "the numbers around 1 cell contradict each other, near";
        assert_eq!(
            messages("8 1 0\n1.00.11."),
            [
                format!("{contradict} (0,1)"),
                format!("{contradict} (0,4)"),
                "0 mines are left, but the numbers need at least 1".to_owned()
            ]
        );
        assert_eq!(messages("8 1 2\n1.00.11.").len(), 2);
        assert_eq!(messages("5 1 1\n.1.1."), [""; 0]);
        assert_eq!(messages("5 1 3\n.1.1."), ["3 mines are left, but at most 2 fit the numbers"]);
    }

    #[test]
    fn a_total_within_the_bounds_may_be_impossible_too() {
        // Each of three cells is a mine if and only if the cell in the middle is safe.
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
            ..Position::default()
        };
        let mut solvers = Solvers::default();
        let total = Contradiction::Total { left: 2, min: 1, max: 3 };
        let message = "2 mines are left, and the numbers do not allow exactly as many";
        assert_eq!(total.describe(Shape::new(2, 2).unwrap()), message);
        assert_eq!(solvers.check(&position, &mut Budget::unlimited()), [total]);
        position.mines = 3;
        assert_eq!(solvers.check(&position, &mut Budget::unlimited()), []);
    }

    #[test]
    fn a_thousand_components_are_checked_within_the_nodes_of_a_turn() {
        let len = 1000;
        let impossible = format!("{} 1 {len}\n{}", 7 * len, "0.1.2.0".repeat(len));
        assert_eq!(messages(&impossible).len(), len);
        // Each component holds one mine or two, beside an opened mine.
        let crowded = format!("{} 1 {}\n{}", 6 * len, 3 * len + 1, ".1.1.*".repeat(len));
        let total = "2001 mines are left, but at most 2000 fit the numbers";
        assert_eq!(messages(&crowded), [total]);
    }

    #[test]
    fn a_total_that_the_board_itself_refuses_is_not_reported_again() {
        assert_eq!(messages("3 1 3\n.1."), [""; 0]);
        assert_eq!(messages("5 1 1\n**2.1"), [""; 0]);
    }

    const CELLS: u32 = 11;

    fn random_position(random: &mut fastrand::Rng) -> Position {
        let cell = |index: u32| Cell::from_index(index);
        let premises = (0..random.u32(0..=6)).map(|index| {
            let mask =
                (0..random.u32(1..=4)).fold(0_u32, |mask, _| mask | 1 << random.u32(0..CELLS));
            let cells = (0..CELLS).filter(|index| mask >> index & 1 == 1).map(cell);
            let mines = random.i64(0..=i64::from(mask.count_ones()));
            let group = Group::new(cells.collect(), mines).unwrap().unwrap();
            Premise { source: cell(CELLS + index), group }
        });
        let premises: Vec<Premise> = premises.collect();
        let all_constrained = random.bool();
        let is_constrained =
            |cell: &Cell| premises.iter().any(|premise| premise.group.contains(*cell));
        let hidden: Vec<Cell> =
            (0..CELLS).map(cell).filter(|cell| !all_constrained || is_constrained(cell)).collect();
        Position {
            mines: random.u32(0..=hidden.len() as u32),
            hidden,
            universe: CELLS as usize + 6,
            premises,
            ..Position::default()
        }
    }

    /// The numbers of mines of all layouts among `cells` that satisfy these groups.
    fn mines_of_layouts(cells: u32, groups: &[(u32, u32)]) -> Vec<u32> {
        let fits = |layout: &u32| {
            groups.iter().all(|&(cells, mines)| (layout & cells).count_ones() == mines)
        };
        let layouts = (0..1 << CELLS).filter(|layout| layout & !cells == 0).filter(fits);
        layouts.map(u32::count_ones).collect()
    }

    #[test]
    fn reasons_are_those_of_enumeration() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut solvers = Solvers::default();
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
            // The components: groups are joined until none share a cell.
            let mut components: Vec<u32> = Vec::new();
            for &(cells, _) in &groups {
                let (linked, others): (Vec<u32>, Vec<u32>) =
                    components.iter().partition(|component| **component & cells != 0);
                components = others;
                components.push(linked.iter().fold(cells, |all, component| all | component));
            }
            let constrained: u32 = components.iter().sum();
            let (mut min, mut max) = (0, position.hidden.len() as u32 - constrained.count_ones());
            let mut impossible = Vec::new();
            for component in components {
                let of = groups.iter().copied().filter(|group| group.0 & component != 0);
                let mines = mines_of_layouts(component, &of.collect::<Vec<_>>());
                min += mines.iter().min().copied().unwrap_or(0);
                max += mines.iter().max().copied().unwrap_or(component.count_ones());
                if mines.is_empty() {
                    impossible.push(component);
                }
            }
            let left = position.mines;
            let hidden = position.hidden.iter().map(|cell| 1 << cell.index()).sum();
            let gap = impossible.is_empty()
                && (min..=max).contains(&left)
                && !mines_of_layouts(hidden, &groups).contains(&left);
            let (min, max) = (min as usize, max as usize);
            let is_total_wrong = gap || !(min..=max).contains(&(left as usize));

            let mut found = solvers.check(&position, &mut Budget::unlimited());
            let total = Contradiction::Total { left, min, max };
            assert_eq!(is_total_wrong, found.last() == Some(&total), "{position:?}: {found:?}");
            found.truncate(found.len() - usize::from(is_total_wrong));
            assert_eq!(found.len(), impossible.len(), "{position:?}: {found:?}");
            for found in &found {
                let at = 1 << found.cells()[0].index();
                impossible.retain(|component| component & at == 0);
            }
            assert!(impossible.is_empty(), "{position:?}: {found:?}");
            gaps += u32::from(gap);
            several += u32::from(found.len() > 1);
            both += u32::from(!found.is_empty() && is_total_wrong);
        }
        assert!(gaps > 0 && several > 20 && both > 20, "{gaps}, {several}, {both}");
    }

    #[test]
    fn a_small_budget_gives_no_wrong_reason() {
        let mut random = fastrand::Rng::with_seed(6);
        let (mut solvers, mut reported) = (Solvers::default(), 0);
        for _ in 0..300 {
            let position = random_position(&mut random);
            let all = solvers.check(&position, &mut Budget::unlimited());
            let mut budget = Budget::of_nodes(random.u64(0..3000));
            let some = solvers.check(&position, &mut budget);
            assert!(some.is_empty() || !all.is_empty(), "{position:?}");
            // The groups of one more position are charged, however few nodes are left.
            assert!(budget.used() <= budget.limit() + 500 + 500 * position.premises.len() as u64);
            reported += some.len();
            let mut no_budget = Budget::of_nodes(0);
            let none = solvers.check(&position, &mut no_budget);
            assert!(none.iter().all(|contradiction| all.contains(contradiction)), "{none:?}");
        }
        assert!(reported > 0);
    }
}
