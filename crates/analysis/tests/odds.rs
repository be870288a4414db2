//! Exact odds, proven cells and numbers of layouts, compared with enumeration.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::layout_count::count_layouts;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{MineCount, Position};
use sapper::board::{Board, CellState};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::frontier_dp::Refusal;
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// The odds within the limits of play.
fn odds_of(position: &Position) -> Odds {
    let mut deducer = Deducer::default();
    let deduced =
        deducer.run(position, Reach::FixedPoint).expect("the position comes from a layout");
    let mut solver = ProbabilitySolver::default();
    let mut budget = Budget::of_nodes(COUNT_NODES);
    let odds = solver.run(deduced, &mut budget);
    let odds = odds.expect("the position comes from a layout").odds().clone();
    // The lowest odds are computed without those of the cells, and must be the same.
    let mut budget = Budget::of_nodes(COUNT_NODES);
    solver.set_base(deduced);
    let counted = solver.run_changed(deduced, &mut budget).expect("as before");
    let mut sorted: Vec<f64> = position.hidden.iter().map(|&cell| odds.of(cell)).collect();
    sorted.extend([1.0; 2]);
    sorted.sort_by(f64::total_cmp);
    assert_eq!(counted.layouts(), odds.layouts());
    let lowest = counted.lowest_odds(&budget);
    assert_eq!([lowest.first, lowest.second], sorted[..2]);
    odds
}

/// Compares with enumeration: proven cells exactly, other odds to 1e-12. Returns the number of safe
/// cells.
fn check(board: &Board) -> usize {
    let position = board.position();
    let truth = twin::enumerate(&position, None, true);
    let odds = odds_of(&position);
    assert_eq!(odds.approximate(), 0, "{board}");
    let (mut safe, mut mines) = (Vec::new(), Vec::new());
    for (&cell, &mined) in position.hidden.iter().zip(&truth.mined) {
        let exact = mined as f64 / truth.layouts as f64;
        let found = odds.of(cell);
        assert!((found - exact).abs() <= 1e-12, "{board}{cell:?}: {found}, expected {exact}");
        assert_eq!(found == 0.0, mined == 0, "{board}{cell:?}");
        assert_eq!(found == 1.0, mined == truth.layouts, "{board}{cell:?}");
        if mined == 0 {
            safe.push(cell);
        } else if mined == truth.layouts {
            mines.push(cell);
        }
    }
    assert_eq!(odds.safe(), safe, "{board}");
    assert_eq!(odds.mines(), mines, "{board}");
    let counted = count_layouts(&position, &mut Budget::unlimited());
    assert_eq!(counted, Ok(Some(u128::from(truth.layouts))), "{board}");
    safe.len()
}

#[test]
fn odds_equal_those_of_enumeration() {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut uncertain, mut with_hits, mut with_safe) = (0, 0, 0);
    for _ in 0..8000 {
        let board = twin::random_board(&mut random);
        let safe = check(&board);
        uncertain += usize::from(safe == 0);
        with_hits += usize::from(board.hits() > 0);
        with_safe += usize::from(safe > 0);
    }
    // The positions must be of all kinds.
    assert!(uncertain > 1000 && with_hits > 1000 && with_safe > 1000);
}

/// Counting gives the same result without deduction before it.
#[test]
fn counting_needs_no_deduction() {
    use sapper::probability::component::Partition;
    use sapper::probability::mine_probability::MineProbability;
    use sapper::probability::mine_total::{ComponentChain, Unconstrained};
    let mut random = fastrand::Rng::with_seed(2);
    let (mut chain, mut partition) = (ComponentChain::<f64>::default(), Partition::default());
    for _ in 0..2000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let truth = twin::enumerate(&position, None, true);
        partition.split(position.universe, position.premises.iter().map(|premise| &premise.group));
        let unconstrained = Unconstrained {
            cells: position.hidden.len() - partition.cells_len(),
            mines_remaining: position.mines as usize,
            mine_count: MineCount::Exact,
        };
        let mut found: Vec<(Cell, MineProbability)> = Vec::new();
        let mut visit = |cells: &[Cell], probability| {
            found.extend(cells.iter().map(|&cell| (cell, probability)));
        };
        let mut budget = Budget::unlimited();
        chain.combine(&partition, unconstrained, &mut budget).expect("a layout");
        let of_unconstrained = chain.distribute(&partition, unconstrained, &budget, &mut visit);
        for (&cell, &mined) in position.hidden.iter().zip(&truth.mined) {
            let of_cell = found.iter().find(|(other, _)| *other == cell);
            match of_cell.map_or(of_unconstrained, |(_, probability)| *probability) {
                MineProbability::Safe => assert_eq!(mined, 0, "{board}"),
                MineProbability::Mine => assert_eq!(mined, truth.layouts, "{board}"),
                MineProbability::Exact(odds) => {
                    assert!(mined > 0 && mined < truth.layouts, "{board}");
                    assert!((odds - mined as f64 / truth.layouts as f64).abs() <= 1e-12);
                }
                MineProbability::Approximate(_) => panic!("nothing was refused"),
            }
        }
    }
}

/// Without a total, each layout has a weight by its mines and the density.
#[test]
fn odds_under_a_density_equal_those_of_weighted_enumeration() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..1000 {
        let board = twin::random_board(&mut random);
        let mut position = board.position();
        let mut deducer = Deducer::default();
        let density = 0.05 + 0.9 * random.f64();
        let (mut all, mut mined) = (0.0, vec![0.0; position.hidden.len()]);
        for mines in 0..=position.hidden.len() as u32 {
            position.mines = mines;
            let truth = twin::enumerate(&position, None, true);
            let weight = (density / (1.0 - density)).powi(mines as i32);
            all += weight * truth.layouts as f64;
            for (sum, count) in mined.iter_mut().zip(&truth.mined) {
                *sum += weight * *count as f64;
            }
        }
        // A wrong total, which must not be used.
        position.mines = random.u32(0..=position.hidden.len() as u32);
        position.mine_count = MineCount::Density(density);
        let deduced = deducer.run(&position, Reach::FixedPoint).expect("a layout");
        let mut solver = ProbabilitySolver::default();
        let odds = solver.run(deduced, &mut Budget::unlimited()).expect("a layout").odds();
        for (&cell, &sum) in position.hidden.iter().zip(&mined) {
            assert!((odds.of(cell) - sum / all).abs() < 1e-11, "{board}");
        }
    }
}

#[test]
fn impossible_totals_are_contradictions() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut position = twin::random_board(&mut random).position();
        position.mines = random.u32(0..=position.hidden.len() as u32);
        let truth = twin::enumerate(&position, None, true);
        let mut deducer = Deducer::default();
        let result = deducer.run(&position, Reach::FixedPoint).and_then(|deduced| {
            let mut budget = Budget::unlimited();
            ProbabilitySolver::default().run(deduced, &mut budget).map(drop)
        });
        assert_eq!(result.is_ok(), truth.layouts > 0);
        let counted = count_layouts(&position, &mut Budget::unlimited());
        if truth.layouts == 0 {
            assert_eq!(counted, Err(Refusal::NoLayout));
            refused += 1;
        }
    }
    assert!(refused > 500);
}

/// A component too large for the budget gets approximate odds, which prove nothing.
#[test]
fn a_refused_component_proves_nothing_and_is_near_the_truth() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut distance, mut cells) = (0.0, 0);
    for _ in 0..2000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let truth = twin::enumerate(&position, None, true);
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).expect("a layout");
        if deduced.groups().next().is_none() {
            continue;
        }
        let mut solver = ProbabilitySolver::default();
        let mut no_budget = Budget::of_nodes(0);
        let odds = solver.run(deduced, &mut no_budget).expect("a layout").odds();
        let decided = deduced.safe().len() + deduced.mines().len();
        assert_eq!(odds.approximate(), position.hidden.len() - decided, "{board}");
        for (&cell, &mined) in position.hidden.iter().zip(&truth.mined) {
            let found = odds.of(cell);
            assert!((0.0..=1.0).contains(&found));
            // Odds of 0 and 1 are proven.
            assert!(found > 0.0 || mined == 0, "{board}");
            assert!(found < 1.0 || mined == truth.layouts, "{board}");
            if deduced.verdict(cell).is_none() {
                assert!(found > 0.0 && found < 1.0);
                distance += (found - mined as f64 / truth.layouts as f64).abs();
                cells += 1;
            }
        }
    }
    let mean = distance / f64::from(cells);
    println!("balanced odds are {mean:.4} from the truth on average, over {cells} cells");
    assert!(mean < 0.12, "{mean}");
}

/// If one component is refused, the others and the unconstrained cells still share the mine total.
#[test]
fn a_refused_component_leaves_the_others_their_mines() {
    let mut random = fastrand::Rng::with_seed(7);
    let shape = Shape::new(40, 80).unwrap();
    let mut mined = vec![false; shape.len()];
    mined[..960].fill(true);
    random.shuffle(&mut mined);
    let mut board = Board::new(shape, 960);
    for cell in shape.cells() {
        let (row, column) = (shape.row(cell), shape.column(cell));
        if row < 30 && (row + column) % 2 == 1 && !mined[cell.index()] {
            twin::open(&mut board, &mined, cell);
        }
    }
    let position = board.position();
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
    let mut solver = ProbabilitySolver::default();
    let mut budget = Budget::of_nodes(COUNT_NODES);
    let odds = solver.run(deduced, &mut budget).unwrap().odds();
    assert!(odds.approximate() > 0 && odds.approximate() <= position.hidden.len());
    let sum: f64 = position.hidden.iter().map(|&cell| odds.of(cell)).sum();
    let left = f64::from(position.mines);
    assert!((sum - left).abs() < 0.05 * left, "{sum} {left}");
    let corner = shape.cell(39, 79).unwrap();
    let unconstrained = position.hidden.iter().filter(|&&cell| shape.row(cell) > 30);
    let (mines, cells) = unconstrained.fold((0.0, 0.0), |(mines, cells), cell| {
        (mines + f64::from(u8::from(mined[cell.index()])), cells + 1.0)
    });
    assert!(
        (odds.of(corner) - mines / cells).abs() < 0.06,
        "{} {}",
        odds.of(corner),
        mines / cells
    );
}

/// Combining many small components is expensive only if their mines vary.
#[test]
fn thousands_of_components_are_combined_exactly() {
    let shape = Shape::new(400, 400).unwrap();
    let mut mined = vec![false; shape.len()];
    for row in (1..399).step_by(4) {
        for column in (1..399).step_by(4) {
            let cell = shape.cell(row + 1, column).unwrap();
            mined[cell.index()] = true;
        }
    }
    let mines = mined.iter().filter(|mine| **mine).count();
    // As many mines again in unconstrained cells.
    let mut board = Board::new(shape, 2 * mines as u32);
    for row in (1..399).step_by(4) {
        for column in (1..399).step_by(4) {
            twin::open(&mut board, &mined, shape.cell(row, column).unwrap());
        }
    }
    let position = board.position();
    let odds = odds_of(&position);
    assert_eq!(odds.approximate(), 0);
    let unconstrained = shape.cell(399, 399).unwrap();
    let cells = position.hidden.len() - 8 * mines;
    assert!((odds.of(unconstrained) - mines as f64 / cells as f64).abs() < 1e-12);
}

#[test]
fn combining_components_is_charged() {
    // Isolated pairs of 1s: the products of their histograms grow with the square of the number.
    let nodes = |pairs: u64| {
        let mut board = Board::new(Shape::new(4, 4 * pairs).unwrap(), 3 * pairs as u32);
        for column in (0..4 * pairs as i64).filter(|column| column % 4 % 3 > 0) {
            let cell = board.shape().cell(1, column).unwrap();
            board.open(cell, CellState::Number(1));
        }
        let position = board.position();
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut budget = Budget::unlimited();
        ProbabilitySolver::default().run(deduced, &mut budget).unwrap();
        budget.used()
    };
    let (few, many) = (nodes(400), nodes(800));
    assert!(3 * few < many && many < 5 * few, "{few} {many}");
}

/// The odds sum to the mines, also where the binomial coefficients leave the range of an `f64`.
#[test]
fn a_large_dense_field_is_counted_exactly() {
    let mut random = fastrand::Rng::with_seed(6);
    for (rows, columns, mines) in [(40, 80, 640), (40, 80, 100), (200, 200, 8000), (200, 200, 40)] {
        let shape = Shape::new(rows, columns).unwrap();
        let mut mined = vec![false; shape.len()];
        mined[..mines].fill(true);
        random.shuffle(&mut mined);
        let mut board = Board::new(shape, mines as u32);
        for cell in shape.cells() {
            // Bands of two columns are open.
            if shape.column(cell) % 23 < 2 && !mined[cell.index()] {
                twin::open(&mut board, &mined, cell);
            }
        }
        let position = board.position();
        let odds = odds_of(&position);
        let sum: f64 = position.hidden.iter().map(|&cell| odds.of(cell)).sum();
        let relative = (sum - f64::from(position.mines)).abs() / f64::from(position.mines);
        assert!(relative < 1e-12, "{rows}x{columns}/{mines}: {sum}");
        assert!(odds.safe().iter().all(|cell| !mined[cell.index()]));
        assert!(odds.mines().iter().all(|cell| mined[cell.index()]));
    }
}
