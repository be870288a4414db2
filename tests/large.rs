//! Positions too large to enumerate: odds equal sums in closed form, and limits are kept.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{Group, Position, Premise};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::component::{Constraint, Partition, Structure};
use sapper::probability::frontier_dp::{ByteLimit, ComponentCounter, Histogram, Refusal};
use sapper::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// A position of groups alone, without a grid, which the solver does not need.
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
        Position { universe, hidden, premises, mines: mines as u32, ..Position::default() }
    }

    /// The sizes and constraints of its only component.
    fn component(&self) -> (Vec<u32>, Vec<Constraint>) {
        let mut partition = Partition::default();
        let groups = self.premises.iter().map(|premise| &premise.group);
        partition.split(self.cells as usize, groups);
        let [component] = partition.components() else { panic!("one component") };
        (partition.sizes(component).to_vec(), partition.constraints(component).to_vec())
    }

    /// A square of n x n cells, and one more cell for each row and each column, with one mine in
    /// each row and column: k rooks in the square that do not attack each other give 2n - k mines.
    ///
    /// In any order, about n groups are open at the widest place, with 2^n states.
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

    /// Two groups of eight cells with one mine each, which share three cells: one mine in 3 ways,
    /// or two in 25. Returns a shared cell and another.
    fn pair(&mut self) -> (Cell, Cell) {
        let (left, shared, right) = (self.cells(5), self.cells(3), self.cells(5));
        self.group(left.iter().chain(&shared).copied(), 1);
        self.group(shared.iter().chain(&right).copied(), 1);
        (shared[0], left[0])
    }
}

fn play_budget() -> Budget<'static> {
    Budget::of_nodes(COUNT_NODES)
}

fn odds_of(position: &Position, budget: &mut Budget) -> Odds {
    let mut deducer = Deducer::default();
    let deduced = deducer.run(position, Reach::FixedPoint).unwrap();
    ProbabilitySolver::default().run(deduced, budget).unwrap().odds().clone()
}

/// The logarithms of factorials.
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

    /// ln C(n, k).
    fn ln(&self, n: usize, k: usize) -> f64 {
        if k > n { f64::NEG_INFINITY } else { self.0[n] - self.0[k] - self.0[n - k] }
    }

    /// The logarithm of the number of ways in which j of `pairs` pairs hold two mines.
    fn ln_pairs(&self, pairs: usize, j: usize) -> f64 {
        self.ln(pairs, j) + (pairs - j) as f64 * 3_f64.ln() + j as f64 * 25_f64.ln()
    }
}

/// The mean of the values, each with the weight e^ln.
fn mean(values: &[(f64, f64)]) -> f64 {
    let max = values.iter().map(|(_, ln)| *ln).fold(f64::NEG_INFINITY, f64::max);
    let (sum, total) = values.iter().fold((0.0, 0.0), |(sum, total), (value, ln)| {
        let weight = (ln - max).exp();
        (sum + value * weight, total + weight)
    });
    sum / total
}

/// A component beyond the memory limit is refused, and those counted before are kept.
#[test]
fn counting_keeps_to_its_memory() {
    let max_bytes = ByteLimit::default().0;
    let mut wide = Groups::default();
    wide.rooks(13);
    let (sizes, constraints) = wide.component();
    let mut counter = ComponentCounter::<f64>::default();
    let refused = counter.count(Structure::new(&sizes, &constraints), &mut Budget::unlimited());
    assert_eq!(refused, Err(Refusal::TooLarge));
    assert_eq!(counter.bytes(), 0);

    // This component fits a few times.
    let n = 10;
    let mut narrower = Groups::default();
    narrower.rooks(n);
    let (sizes, constraints) = narrower.component();
    let mut counted = Vec::new();
    let refusal = loop {
        match counter.count(Structure::new(&sizes, &constraints), &mut Budget::unlimited()) {
            Ok(one) => counted.push(one),
            Err(refusal) => break refusal,
        }
        assert!(counter.bytes() <= max_bytes);
    };
    assert_eq!(refusal, Refusal::TooLarge);
    assert!(counted.len() > 1 && counter.bytes() > max_bytes / 2, "{}", counted.len());
    // C(n, k)^2 k! ways to place k rooks.
    let mut layouts = vec![1.0];
    for k in 0..n {
        let ways = layouts[k] * ((n - k) * (n - k)) as f64 / (k + 1) as f64;
        layouts.push(ways);
    }
    layouts.reverse();
    for one in &counted {
        assert_eq!(counter.histogram(one), Histogram { min_mines: n, counts: &layouts });
    }
    // A small component still fits.
    let mut small = Groups::default();
    small.pair();
    let (sizes, constraints) = small.component();
    let one =
        counter.count(Structure::new(&sizes, &constraints), &mut Budget::unlimited()).unwrap();
    assert_eq!(counter.histogram(&one), Histogram { min_mines: 1, counts: &[3.0, 25.0] });
}

/// A position of pairs, of plain groups of eight cells with one mine, and of unconstrained cells.
#[derive(Clone, Copy)]
struct Many {
    pairs: usize,
    plain: usize,
    unconstrained: usize,
    mines: usize,
}

impl Many {
    /// The position, with a cell of a plain group, two of a pair, and an unconstrained one.
    fn position(self) -> ([Cell; 4], Position) {
        let mut groups = Groups::default();
        let mut of_plain = Vec::new();
        for _ in 0..self.plain {
            let cells = groups.cells(8);
            of_plain.push(cells[0]);
            groups.group(cells, 1);
        }
        let of_pair: Vec<(Cell, Cell)> = (0..self.pairs).map(|_| groups.pair()).collect();
        let unconstrained = groups.cells(self.unconstrained)[0];
        let (shared, own) = of_pair[self.pairs / 2];
        let cells = [of_plain[self.plain / 2], shared, own, unconstrained];
        (cells, groups.position(self.mines))
    }

    /// The odds of these cells in closed form.
    fn exact_odds(self) -> [f64; 4] {
        let Many { pairs, plain, unconstrained, mines } = self;
        let binomials = Binomials::new();
        let remaining = |j: usize| mines - plain - pairs - j;
        let ln = |j| binomials.ln_pairs(pairs, j) + binomials.ln(unconstrained, remaining(j));
        let values: Vec<(f64, f64)> = (0..=pairs).map(|j| (j as f64, ln(j))).collect();
        let two = mean(&values) / pairs as f64;
        let left = remaining(0) as f64 - two * pairs as f64;
        [1.0 / 8.0, (1.0 - two) / 3.0, two / 5.0, left / unconstrained as f64]
    }

    /// Computes the odds within the limits of play, which must be near those in closed form.
    fn odds_within(self, tolerance: f64) -> (Position, Odds) {
        let (cells, position) = self.position();
        let odds = odds_of(&position, &mut play_budget());
        for (cell, exact) in cells.into_iter().zip(self.exact_odds()) {
            assert!((odds.of(cell) - exact).abs() < tolerance, "{} {exact}", odds.of(cell));
        }
        (position, odds)
    }
}

#[test]
fn thousands_of_components_that_vary_are_exact_within_the_limits_of_play() {
    let many = Many { pairs: 2000, plain: 1500, unconstrained: 20_000, mines: 9000 };
    let (_, odds) = many.odds_within(1e-10);
    assert_eq!(odds.approximate(), 0);
    assert!(odds.layouts().is_some() && odds.safe().is_empty() && odds.mines().is_empty());
}

/// Combining these would exceed the memory by half, so a density replaces the total.
#[test]
fn too_many_components_for_the_memory_are_combined_by_density() {
    let many = Many { pairs: 3000, plain: 10, unconstrained: 20_000, mines: 8000 };
    let (position, odds) = many.odds_within(1e-3);
    assert_eq!(odds.approximate(), position.hidden.len());
    assert_eq!(odds.layouts(), None);
}

/// One component is refused, for its memory or as infeasible, and has a stand-in: the odds of the
/// others are near the exact ones, and all are marked approximate.
#[test]
fn beside_a_refused_component_the_others_are_near_and_not_called_exact() {
    let binomials = Binomials::new();
    for (n, mut budget) in [(13, Budget::unlimited()), (150, play_budget())] {
        let (pairs, unconstrained) = (20, 300);
        let mut groups = Groups::default();
        groups.rooks(n);
        let (shared, own) = (0..pairs).map(|_| groups.pair()).last().unwrap();
        let unconstrained_cell = groups.cells(unconstrained)[0];
        for density in [0.1, 0.25, 0.5] {
            let groups = Groups { cells: groups.cells, premises: groups.premises.clone() };
            let mines = n + 2 * pairs + (density * unconstrained as f64) as usize;
            let position = groups.position(mines);

            let mut deducer = Deducer::default();
            let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
            let mut solver = ProbabilitySolver::default();
            let odds = solver.run(deduced, &mut budget).unwrap().odds().clone();
            assert_eq!(odds.approximate(), position.hidden.len());
            assert_eq!(odds.layouts(), None);
            assert!(odds.safe().is_empty() && odds.mines().is_empty());
            assert_eq!(solver.layout_count(deduced, &mut budget), Ok(None));

            // j pairs have two mines, and there are k rooks; the unconstrained cells hold the rest.
            let (mut two, mut left) = (Vec::new(), Vec::new());
            for j in 0..=pairs {
                for k in 0..=n {
                    let Some(rest) = mines.checked_sub(pairs + j + 2 * n - k) else { continue };
                    let rooks = 2.0 * binomials.ln(n, k) + binomials.0[k];
                    let unconstrained = binomials.ln(unconstrained, rest);
                    let ln = binomials.ln_pairs(pairs, j) + rooks + unconstrained;
                    two.push((j as f64, ln));
                    left.push((rest as f64, ln));
                }
            }
            let (two, left) = (mean(&two) / pairs as f64, mean(&left));
            let exact = [
                (shared, (1.0 - two) / 3.0),
                (own, two / 5.0),
                (unconstrained_cell, left / unconstrained as f64),
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

/// Odds that round to 0 or 1 without a proof differ from these.
#[test]
fn odds_that_round_to_a_proof_are_not_proven() {
    let links = 100;
    // With the second number of unconstrained cells the weights leave the range of an `f64`.
    for unconstrained in [10_000, 40_000] {
        // Either all first cells of the links are mines (one way and one mine for each link), or
        // none is (8 ways and two mines).
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
        groups.cells(unconstrained);
        // In the first case all unconstrained cells are mines; in the second all but `links`.
        let position = groups.position(unconstrained + links);
        let odds = odds_of(&position, &mut play_budget());
        assert_eq!((odds.approximate(), odds.safe(), odds.mines()), (0, &[][..], &[][..]));
        for &cell in &position.hidden {
            assert!(odds.of(cell) > 0.0 && odds.of(cell) < 1.0, "{cell:?}: {}", odds.of(cell));
        }
        assert!(first.iter().all(|&cell| odds.of(cell) < 1e-280));
        assert!(second.iter().all(|&cell| odds.of(cell) > 1.0 - 1e-15));
    }
}

/// A field of 200x200 cells; the safe cells for which `is_open` holds are open.
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

/// The lists of proven cells are those with odds of 0 or 1, each cell once.
fn check_lists(position: &Position, odds: &Odds) {
    let with = |value: f64| -> Vec<Cell> {
        position.hidden.iter().copied().filter(|&cell| odds.of(cell) == value).collect()
    };
    assert_eq!(odds.safe(), with(0.0));
    assert_eq!(odds.mines(), with(1.0));
}

#[test]
fn a_run_in_extended_floats_starts_afresh() {
    for (mines, seed) in [(20_000, 41), (8000, 42)] {
        let (board, mined) = field(mines, seed, |row, column| row % 2 == 0 && column % 4 == 0);
        let position = board.position();
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut partition = Partition::default();
        partition.split(position.universe, deduced.groups());
        let unconstrained = Unconstrained::new(deduced, &partition);
        let mut chain = ComponentChain::<f64>::default();
        let count = chain.combine(&partition, unconstrained, &mut play_budget());
        assert_eq!(count, Err(CombineError::OutOfRange));

        let mut solver = ProbabilitySolver::default();
        let odds = solver.run(deduced, &mut play_budget()).unwrap().odds();
        assert_eq!(odds.approximate(), 0);
        assert!(odds.safe().len() >= deduced.safe().len() && !deduced.safe().is_empty());
        assert!(odds.mines().len() >= deduced.mines().len() && !deduced.mines().is_empty());
        assert!(odds.safe().iter().all(|cell| !mined[cell.index()]));
        assert!(odds.mines().iter().all(|cell| mined[cell.index()]));
        check_lists(&position, odds);
    }
}

/// Nothing is counted, and the second field leaves the range of an `f64` only on the way.
#[test]
fn approximate_odds_are_counted_once() {
    for (mines, seed) in [(400, 43), (20_000, 44)] {
        let (board, _) = field(mines, seed, |_, column| column % 23 < 2);
        let position = board.position();
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut solver = ProbabilitySolver::default();
        // The second run must not see data of the first.
        for _ in 0..2 {
            let mut no_budget = Budget::of_nodes(0);
            let odds = solver.run(deduced, &mut no_budget).unwrap().odds();
            let decided = deduced.safe().len() + deduced.mines().len();
            assert_eq!(odds.approximate(), position.hidden.len() - decided);
            assert_eq!(odds.safe(), deduced.safe());
            assert_eq!(odds.mines(), deduced.mines());
            check_lists(&position, odds);
        }
    }
}
