//! Positions too large to enumerate: odds against sums in closed form, limits kept, proofs not made up.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod twin;

use sapper::base::budget::{Budget, Deadlines, NoClock};
use sapper::base::params::COUNT_NODES;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{Group, Outside, Position, Premise};
use sapper::board::{Board, CellState};
use sapper::deduction::deducer::{Deducer, Reach};
use sapper::probability::component::{Constraint, Partition};
use sapper::probability::frontier_dp::{ComponentCounter, Refusal};
use sapper::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use sapper::probability::solver::{Odds, ProbabilitySolver};

/// A position of bare groups: the solver knows no grid, so neither need these.
#[derive(Default)]
struct Groups {
    cells: u32,
    premises: Vec<Premise>,
}

impl Groups {
    fn cells(&mut self, count: usize) -> Vec<Cell> {
        let first = self.cells;
        self.cells += count as u32;
        (first..self.cells).map(Cell::from_index).collect()
    }

    fn group(&mut self, cells: impl IntoIterator<Item = Cell>, mines: i64) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.sort_unstable();
        let group = Group::new(cells.into(), mines).unwrap().unwrap();
        self.premises.push(Premise { source: group.cells()[0], group });
    }

    fn position(self, mines: usize) -> Position {
        let hidden = (0..self.cells).map(Cell::from_index).collect();
        let (universe, premises) = (self.cells as usize, self.premises);
        Position { universe, hidden, premises, mines: mines as u32, outside: Outside::Total }
    }

    /// What counting sees of it, if it is one component.
    fn component(&self) -> (Vec<u32>, Vec<Constraint>) {
        let mut partition = Partition::default();
        let groups = self.premises.iter().map(|premise| &premise.group);
        partition.split(self.cells as usize, groups);
        let [component] = partition.components() else { panic!("one component") };
        (partition.sizes(component).to_vec(), partition.constraints(component).to_vec())
    }

    /// A square of n x n cells with one mine in each row and in each column, for which one more cell a
    /// row and a column may stand in: k rooks that do not attack each other, with 2n - k mines.
    ///
    /// Whatever the order, about n groups are open at the widest place, in 2^n ways.
    fn rooks(&mut self, n: usize) {
        let square = self.cells(n * n);
        for line in 0..n {
            let (of_row, of_column) = (self.cells(1)[0], self.cells(1)[0]);
            let row = square[line * n..(line + 1) * n].iter().copied();
            self.group(row.chain([of_row]), 1);
            let column = square.iter().copied().skip(line).step_by(n);
            self.group(column.chain([of_column]), 1);
        }
    }

    /// Two groups of eight cells with one mine each, which share three: one mine in 3 ways, or two
    /// in 25. Returns a shared cell and one that is not.
    fn pair(&mut self) -> (Cell, Cell) {
        let (left, shared, right) = (self.cells(5), self.cells(3), self.cells(5));
        self.group(left.iter().chain(&shared).copied(), 1);
        self.group(shared.iter().chain(&right).copied(), 1);
        (shared[0], left[0])
    }
}

fn bots_budget() -> Budget<'static> {
    Budget::new(COUNT_NODES, Deadlines::DEFAULT, &NoClock)
}

fn odds_of(position: &Position, budget: &mut Budget) -> Odds {
    let mut deducer = Deducer::new();
    deducer.run(position, Reach::FixedPoint).unwrap();
    ProbabilitySolver::default().run(position, &deducer, budget).unwrap().clone()
}

/// ln C(n, k) for all that these positions need.
struct Binomials(Vec<f64>);

impl Binomials {
    fn new() -> Binomials {
        let mut ln_factorials = vec![0.0];
        ln_factorials.extend((1..30_000).scan(0.0, |sum, n| {
            *sum += f64::from(n).ln();
            Some(*sum)
        }));
        Binomials(ln_factorials)
    }

    fn ln(&self, n: usize, k: usize) -> f64 {
        if k > n { f64::NEG_INFINITY } else { self.0[n] - self.0[k] - self.0[n - k] }
    }

    /// ln of the ways in which j of `pairs` pairs hold two mines.
    fn ln_pairs(&self, pairs: usize, j: usize) -> f64 {
        self.ln(pairs, j) + (pairs - j) as f64 * 3_f64.ln() + j as f64 * 25_f64.ln()
    }
}

/// The mean of the first of each pair, weighed by e to the second.
fn mean(weighed: &[(f64, f64)]) -> f64 {
    let top = weighed.iter().map(|(_, ln)| *ln).fold(f64::NEG_INFINITY, f64::max);
    let (sum, all) = weighed.iter().fold((0.0, 0.0), |(sum, all), (value, ln)| {
        let weight = (ln - top).exp();
        (sum + value * weight, all + weight)
    });
    sum / all
}

/// What cannot be paid for is refused by memory alone, and what was counted before stays as it is.
#[test]
fn counting_keeps_to_its_memory() {
    let most = ComponentCounter::<f64>::MAX_BYTES;
    let mut wide = Groups::default();
    wide.rooks(13);
    let (sizes, constraints) = wide.component();
    let mut counter = ComponentCounter::<f64>::default();
    let refused = counter.count(&sizes, &constraints, &mut Budget::unlimited());
    assert_eq!(refused, Err(Refusal::TooLarge));
    assert_eq!(counter.bytes(), 0);

    // One of these fits a few times, and then not any more.
    let n = 10;
    let mut narrower = Groups::default();
    narrower.rooks(n);
    let (sizes, constraints) = narrower.component();
    let mut counted = Vec::new();
    let refusal = loop {
        match counter.count(&sizes, &constraints, &mut Budget::unlimited()) {
            Ok(one) => counted.push(one),
            Err(refusal) => break refusal,
        }
        assert!(counter.bytes() <= most);
    };
    assert_eq!(refusal, Refusal::TooLarge);
    assert!(counted.len() > 1 && counter.bytes() > most / 2, "{}", counted.len());
    // C(n, k)^2 k! ways to place k rooks.
    let mut layouts = vec![1.0];
    for k in 0..n {
        let ways = layouts[k] * ((n - k) * (n - k)) as f64 / (k + 1) as f64;
        layouts.push(ways);
    }
    layouts.reverse();
    for one in &counted {
        assert_eq!(counter.histogram(one), (n as u32, &layouts[..]));
    }
    // What is small still finds room.
    let mut small = Groups::default();
    small.pair();
    let (sizes, constraints) = small.component();
    let one = counter.count(&sizes, &constraints, &mut Budget::unlimited()).unwrap();
    assert_eq!(counter.histogram(&one), (1, &[3.0, 25.0][..]));
}

/// So many pairs, groups without a choice, unseen cells and mines: cells of each kind, and the position.
fn many(pairs: usize, plain: usize, unseen: usize, mines: usize) -> ([Cell; 4], Position) {
    let mut groups = Groups::default();
    let (mut of_pair, mut of_plain) = (Vec::new(), Vec::new());
    for _ in 0..plain {
        let cells = groups.cells(8);
        of_plain.push(cells[0]);
        groups.group(cells, 1);
    }
    of_pair.extend((0..pairs).map(|_| groups.pair()));
    let unseen = groups.cells(unseen)[0];
    let (shared, own) = of_pair[pairs / 2];
    ([of_plain[plain / 2], shared, own, unseen], groups.position(mines))
}

/// The odds of these cells in closed form.
fn many_in_closed_form(pairs: usize, plain: usize, unseen: usize, mines: usize) -> [f64; 4] {
    let binomials = Binomials::new();
    let of_unseen = |j: usize| mines - plain - pairs - j;
    let ln = |j| binomials.ln_pairs(pairs, j) + binomials.ln(unseen, of_unseen(j));
    let weighed: Vec<(f64, f64)> = (0..=pairs).map(|j| (j as f64, ln(j))).collect();
    let two = mean(&weighed) / pairs as f64;
    let left = of_unseen(0) as f64 - two * pairs as f64;
    [1.0 / 8.0, (1.0 - two) / 3.0, two / 5.0, left / unseen as f64]
}

#[test]
fn thousands_of_components_that_vary_are_exact_within_the_bots_limits() {
    let (pairs, plain, unseen, mines) = (2000, 1500, 20_000, 9000);
    let (cells, position) = many(pairs, plain, unseen, mines);
    let odds = odds_of(&position, &mut bots_budget());
    assert_eq!(odds.approximate(), 0);
    assert!(odds.layouts().is_some() && odds.safe().is_empty() && odds.mines().is_empty());
    for (cell, exact) in cells.into_iter().zip(many_in_closed_form(pairs, plain, unseen, mines)) {
        assert!((odds.of(cell) - exact).abs() < 1e-10, "{} {exact}", odds.of(cell));
    }
}

/// Combining these would take half as much memory again as there is: a density stands in, and is near.
#[test]
fn too_many_components_for_the_memory_are_combined_by_density() {
    let (pairs, plain, unseen, mines) = (3000, 10, 20_000, 8000);
    let (cells, position) = many(pairs, plain, unseen, mines);
    let odds = odds_of(&position, &mut bots_budget());
    assert_eq!(odds.approximate(), position.hidden.len());
    assert_eq!(odds.layouts(), None);
    for (cell, exact) in cells.into_iter().zip(many_in_closed_form(pairs, plain, unseen, mines)) {
        assert!((odds.of(cell) - exact).abs() < 1e-3, "{} {exact}", odds.of(cell));
    }
}

/// One component is refused, by its memory or as hopeless, and a guess at its mines stands in the row: the
/// others' odds are near the exact ones, and nothing passes for exact.
#[test]
fn beside_a_refused_component_the_others_are_near_and_not_called_exact() {
    let binomials = Binomials::new();
    for (n, mut budget) in [(13, Budget::unlimited()), (150, bots_budget())] {
        let (pairs, unseen) = (20, 300);
        let mut groups = Groups::default();
        groups.rooks(n);
        let (shared, own) = (0..pairs).map(|_| groups.pair()).last().unwrap();
        let unseen_cell = groups.cells(unseen)[0];
        for density in [0.1, 0.25, 0.5] {
            let groups = Groups { cells: groups.cells, premises: groups.premises.clone() };
            let mines = n + 2 * pairs + (density * unseen as f64) as usize;
            let position = groups.position(mines);

            let mut deducer = Deducer::new();
            deducer.run(&position, Reach::FixedPoint).unwrap();
            let mut solver = ProbabilitySolver::default();
            let odds = solver.run(&position, &deducer, &mut budget).unwrap().clone();
            assert_eq!(odds.approximate(), position.hidden.len());
            assert_eq!(odds.layouts(), None);
            assert!(odds.safe().is_empty() && odds.mines().is_empty());
            assert_eq!(solver.layout_count(&position, &deducer, &mut budget), Ok(None));

            // j pairs with two mines, k rooks; the unseen cells take the rest.
            let (mut two, mut left) = (Vec::new(), Vec::new());
            for j in 0..=pairs {
                for k in 0..=n {
                    let Some(rest) = mines.checked_sub(pairs + j + 2 * n - k) else { continue };
                    let rooks = 2.0 * binomials.ln(n, k) + binomials.0[k];
                    let ln = binomials.ln_pairs(pairs, j) + rooks + binomials.ln(unseen, rest);
                    two.push((j as f64, ln));
                    left.push((rest as f64, ln));
                }
            }
            let (two, left) = (mean(&two) / pairs as f64, mean(&left));
            let exact = [
                (shared, (1.0 - two) / 3.0),
                (own, two / 5.0),
                (unseen_cell, left / unseen as f64),
            ];
            for (cell, exact) in exact {
                let found = odds.of(cell);
                assert!((found - exact).abs() < 0.04, "{n} {density}: {found} {exact}");
            }
            let sum: f64 = position.hidden.iter().map(|&cell| odds.of(cell)).sum();
            let left = f64::from(position.mines);
            assert!((sum - left).abs() < 0.06 * left, "{n} {density}: {sum} {left}");
        }
    }
}

/// Odds nearer to 0 or 1 than an `f64` can tell stay off them: they are not proven.
#[test]
fn odds_that_round_to_a_proof_are_none() {
    let links = 100;
    // With the second number of unseen cells the weights leave an f64 and are wide ones.
    for unseen in [10_000, 40_000] {
        // All first cells of the links are mines (one way, one mine a link), or none is (8 ways, two).
        let mut groups = Groups::default();
        let (first, second) = (groups.cells(links), groups.cells(links));
        for link in 0..links {
            groups.group([first[link], second[link]], 1);
            let eight = groups.cells(8);
            groups.group(eight.into_iter().chain([first[link]]), 1);
            if link > 0 {
                groups.group([second[link - 1], first[link]], 1);
            }
        }
        groups.cells(unseen);
        // In the first case all unseen cells are mines; in the second all but `links`.
        let position = groups.position(unseen + links);
        let odds = odds_of(&position, &mut bots_budget());
        assert_eq!((odds.approximate(), odds.safe(), odds.mines()), (0, &[][..], &[][..]));
        for &cell in &position.hidden {
            assert!(odds.of(cell) > 0.0 && odds.of(cell) < 1.0, "{cell:?}: {}", odds.of(cell));
        }
        assert!(first.iter().all(|&cell| odds.of(cell) < 1e-280));
        assert!(second.iter().all(|&cell| odds.of(cell) > 1.0 - 1e-15));
    }
}

/// 200x200 with the cells opened that `is_open` picks, unless they are mines.
fn field(mines: usize, seed: u64, is_open: fn(u32, u32) -> bool) -> (Board, Vec<bool>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let shape = Shape::new(200, 200).unwrap();
    let mut mined = vec![false; shape.len()];
    mined[..mines].fill(true);
    random.shuffle(&mut mined);
    let mut board = Board::new(shape, mines as u32);
    for cell in shape.cells() {
        if is_open(shape.row(cell), shape.column(cell)) && !mined[cell.index()] {
            twin::open(&mut board, &mined, cell);
        }
    }
    (board, mined)
}

/// What is listed as proven is what has odds of 0 or 1, each cell once, whatever was tried before.
fn check_lists(position: &Position, odds: &Odds) {
    let with = |value: f64| -> Vec<Cell> {
        position.hidden.iter().copied().filter(|&cell| odds.of(cell) == value).collect()
    };
    assert_eq!(odds.safe(), with(0.0));
    assert_eq!(odds.mines(), with(1.0));
}

#[test]
fn wide_numbers_start_from_nothing() {
    for (mines, seed) in [(20_000, 41), (8000, 42)] {
        let (board, mined) = field(mines, seed, |row, column| row % 2 == 0 && column % 4 == 0);
        let position = board.position();
        let mut deducer = Deducer::new();
        deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut partition = Partition::default();
        partition.split(position.universe, deducer.groups());
        let rest = Unconstrained::of(&position, &deducer, &partition);
        let narrow =
            ComponentChain::<f64>::default().layout_count(&partition, rest, &mut bots_budget());
        assert_eq!(narrow, Err(CombineError::TooNarrow));

        let mut solver = ProbabilitySolver::default();
        let odds = solver.run(&position, &deducer, &mut bots_budget()).unwrap();
        assert_eq!(odds.approximate(), 0);
        assert!(odds.safe().len() >= deducer.safe().len() && !deducer.safe().is_empty());
        assert!(odds.mines().len() >= deducer.mines().len() && !deducer.mines().is_empty());
        assert!(odds.safe().iter().all(|cell| !mined[cell.index()]));
        assert!(odds.mines().iter().all(|cell| mined[cell.index()]));
        check_lists(&position, odds);
    }
}

/// The same where nothing is counted, and where an `f64` is found too narrow only on the way.
#[test]
fn rough_odds_are_counted_once() {
    for (mines, seed) in [(400, 43), (20_000, 44)] {
        let (board, _) = field(mines, seed, |_, column| column % 23 < 2);
        let position = board.position();
        let mut deducer = Deducer::new();
        deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut solver = ProbabilitySolver::default();
        // Twice, to see that nothing is left over from the run before.
        for _ in 0..2 {
            let mut nothing = Budget::new(0, Deadlines::DEFAULT, &NoClock);
            let odds = solver.run(&position, &deducer, &mut nothing).unwrap();
            let decided = deducer.safe().len() + deducer.mines().len();
            assert_eq!(odds.approximate(), position.hidden.len() - decided);
            assert_eq!(odds.safe(), deducer.safe());
            assert_eq!(odds.mines(), deducer.mines());
            check_lists(&position, odds);
        }
    }
}

#[test]
fn putting_components_together_is_paid() {
    // Isolated pairs of 1s: the products of their histograms grow with the square of their number.
    let nodes = |pairs: u64| {
        let mut board = Board::new(Shape::new(4, 4 * pairs).unwrap(), 3 * pairs as u32);
        for column in (0..4 * pairs as i64).filter(|column| column % 4 % 3 > 0) {
            let cell = board.shape().cell(1, column).unwrap();
            board.open(cell, CellState::Number(1));
        }
        let position = board.position();
        let mut deducer = Deducer::new();
        deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut budget = Budget::unlimited();
        ProbabilitySolver::default().run(&position, &deducer, &mut budget).unwrap();
        budget.used()
    };
    let (few, many) = (nodes(400), nodes(1600));
    assert!(12 * few < many && many < 20 * few, "{few} {many}");
}
