//! How wide a frontier can be counted exactly, and the error of the approximation beyond it.
//!
//! Run with `cargo bench -p game --bench frontier`.
//!
//! The first table counts wide fields within the limits of play: groups open at the widest place,
//! nodes, time, memory, and whether the component was refused. The second compares balanced with
//! exact odds at every guess of 300 expert games.

use std::time::Instant;

use game::board_file::Layout;
use game::field::Field;
use game::glibc::Rand;
use game::rule::Rule;
use game::simulate::play;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Engine, Step};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::component::Partition;
use sapper::probability::elimination_order::EliminationOrder;
use sapper::probability::frontier_dp::ComponentCounter;
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// A field of a random layout; the safe cells for which `is_open` holds are open.
fn field(rows: u64, density: f64, is_open: impl Fn(u32, u32) -> bool) -> Board {
    let mut random = fastrand::Rng::with_seed(7);
    let shape = Shape::new(rows, 60).expect("a small field");
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
    let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
    for cell in shape.cells() {
        if !mined[cell.index()] && is_open(shape.row(cell), shape.column(cell)) {
            let mine = |other: &&Cell| mined[other.index()];
            let number = shape.neighbours(cell).iter().filter(mine).count();
            board.open(cell, CellState::Number(number as u8));
        }
    }
    board
}

fn main() {
    print_widths();
    print_errors();
}

fn print_widths() {
    println!("| field | rows | open groups | nodes | ms | MB | |");
    println!("|---|---|---|---|---|---|---|");
    type Open = fn(u32, u32) -> bool;
    let kinds: [(&str, Open); 3] = [
        ("every other row open", |row, _| row % 2 == 1),
        ("checkerboard open", |row, column| (row + column) % 2 == 1),
        ("a third open", |row, column| (row * 7 + column * 11) % 3 == 0),
    ];
    for (name, is_open) in kinds {
        for rows in [5, 9, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] {
            let position = field(rows, 0.25, is_open).position();
            let mut partition = Partition::default();
            let groups = position.premises.iter().map(|premise| &premise.group);
            partition.split(position.universe, groups);
            let largest = partition
                .components()
                .iter()
                .max_by_key(|component| partition.sizes(component).len())
                .expect("a component");
            let (sizes, constraints) = (partition.sizes(largest), partition.constraints(largest));
            let mut order = EliminationOrder::default();
            // An infeasible order is refused by the counter as well.
            let _ = order.compute(sizes, constraints, &mut Budget::unlimited());
            let mut counter = ComponentCounter::<f64>::default();
            let mut budget = Budget::of_nodes(COUNT_NODES / 2);
            let started = Instant::now();
            let counted = counter.count(partition.structure(largest), &mut budget);
            if let Ok(counted) = &counted {
                let outside = vec![1.0; counter.histogram(counted).counts.len()];
                counter.distribute(counted, &outside, &budget, |_, by_mines| {
                    std::hint::black_box(by_mines);
                });
            }
            let ms = started.elapsed().as_secs_f64() * 1e3;
            let megabytes = counter.bytes() as f64 / f64::from(1 << 20);
            let outcome = counted.map_or_else(|refusal| format!("{refusal:?}"), |_| "exact".into());
            let (slots, nodes) = (order.slots, budget.used());
            println!(
                "| {name} | {rows} | {slots} | {nodes} | {ms:.1} | {megabytes:.1} | {outcome} |"
            );
        }
    }
}

fn print_errors() {
    let (mut errors, mut right, mut guesses) = (Vec::new(), 0, 0);
    let shape = Shape::new(16, 30).expect("a small field");
    let (mut engine, mut solver, mut deducer) =
        (Engine::default(), ProbabilitySolver::default(), Deducer::default());
    for seed in 0..300 {
        let field = Field::generate(shape, 99, &mut Rand::new(seed)).expect("99 mines fit");
        let mines = field.mines().map(Cell::index).collect();
        let layout = Layout { shape, first: shape.cells().next().expect("a cell"), mines };
        play(&layout, Rule::Botzone, &mut engine, |board, decision, _| {
            if decision.by != Step::Guess {
                return;
            }
            let position = board.position();
            let mut odds = |nodes| {
                let mut budget = Budget::of_nodes(nodes);
                let deduced = deducer.run(&position, Reach::FixedPoint).expect("a layout");
                let counted = solver.run(deduced, &mut budget);
                counted.expect("a layout").odds().clone()
            };
            let (exact, approximate) = (odds(COUNT_NODES), odds(0));
            let best = |odds: &Odds| {
                board.hidden().min_by(|&a, &b| odds.of(a).total_cmp(&odds.of(b))).expect("hidden")
            };
            guesses += 1;
            right += usize::from(exact.of(best(&approximate)) <= exact.of(best(&exact)) + 0.01);
            let is_uncertain = |cell: &Cell| (f64::MIN_POSITIVE..1.0).contains(&exact.of(*cell));
            let cells = board.hidden().filter(is_uncertain);
            errors.extend(cells.map(|cell| (exact.of(cell) - approximate.of(cell)).abs()));
        });
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let at = |share: f64| errors[(errors.len() as f64 * share) as usize];
    println!("\n| guesses | cells | mean error | median | 95 % | 99 % | minimum within 0.01 |");
    println!("|---|---|---|---|---|---|---|");
    println!(
        "| {guesses} | {} | {mean:.4} | {:.4} | {:.4} | {:.4} | {:.1} % |",
        errors.len(),
        at(0.5),
        at(0.95),
        at(0.99),
        100.0 * right as f64 / guesses as f64
    );
}
