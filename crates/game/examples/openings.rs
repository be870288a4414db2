//! Computes the best first cells of tiny fields: the table in
//! `src/search/endgame/opening_table.txt`, one line per field.
//!
//! ```text
//! cargo run --release -p game --example openings
//! cargo run --release -p game --example openings -- 5x4/5 8x2/4 --nodes 2000
//! ```
//!
//! The first cell is that of optimal play for fewest hits. Each field is solved over all layouts
//! from the first cell on, with more nodes than a turn has. A field that standard effort solves
//! within a turn is left out; so is one that is not solved within `--nodes`, with a message.
//!
//! A line is `rows columns mines first cost`: the index of the first cell in row-major order,
//! and the mines that optimal play opens, summed over all layouts.

use anyhow::{Result, ensure};
use clap::Parser;
use game::level::Level;
use rayon::prelude::*;
use sapper::board::Board;
use sapper::board::geometry::Shape;
use sapper::bot::engine::Engine;
use sapper::probability::weight::binomial::binomial;
use sapper::search::endgame::Solution;
use sapper::settings::budget::Turn;
use sapper::settings::params::{Effort, EndgameLimits, Objective, SearchLimits, TINY_FIELD_CELLS};

/// Compute the best first cells of tiny fields.
///
/// All fields of the table take about ten minutes of one core, and the largest fields some
/// gigabytes of memory. RAYON_NUM_THREADS limits the threads.
#[derive(Parser)]
struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES [default: up to 64 cells, up to half of them mines, and up
    /// to 20,000 layouts]
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Limit on the nodes of one field, in millions
    #[arg(long, default_value_t = 6_000)]
    nodes: u64,
}

fn main() -> Result<()> {
    let Arguments { mut levels, nodes } = Arguments::parse();
    let are_named = !levels.is_empty();
    if !are_named {
        levels = table_fields()?;
    }
    let solutions: Vec<_> = levels.par_iter().map(|&level| solve(level, nodes)).collect();
    let mut unsolved = 0;
    for (level, solution) in levels.iter().zip(solutions) {
        let Some(Solution { cell, cost, is_proven, .. }) = solution else { continue };
        if is_proven {
            let Level { shape, mines } = level;
            let (rows, columns, first) = (shape.rows(), shape.columns(), cell.index());
            println!("{rows} {columns} {mines} {first} {cost}");
        } else {
            unsolved += 1;
            eprintln!("{level}: its optimum is not found within --nodes; give more");
        }
    }
    ensure!(!are_named || unsolved == 0, "{unsolved} of the given fields not solved");
    Ok(())
}

/// The fields of the table, in its order.
fn table_fields() -> Result<Vec<Level>> {
    let max_layouts = Effort::Full.limits().tiny_field.layouts as u64;
    let max_cells = TINY_FIELD_CELLS as u64;
    let mut fields = Vec::new();
    for rows in (1..=max_cells).take_while(|rows| rows * rows <= max_cells) {
        for columns in rows..=max_cells / rows {
            let shape = Shape::new(rows, columns)?;
            let cells = shape.len() as u32;
            // Up to half of the cells, more mines have more layouts.
            let mines = (1..=cells / 2).take_while(|&mines| binomial(cells, mines) <= max_layouts);
            fields.extend(mines.map(|mines| Level { shape, mines }));
        }
    }
    Ok(fields)
}

/// The best first cell found within `nodes` millions; `None` if standard effort proves it within a
/// turn.
fn solve(level: Level, nodes: u64) -> Option<Solution> {
    let standard = solve_without_table(level, Effort::Standard.limits());
    if standard.is_some_and(|solution| solution.is_proven) {
        return None;
    }
    let endgame = EndgameLimits { layouts: usize::MAX, nodes: nodes.saturating_mul(1_000_000) };
    let limits = Effort::Standard.limits();
    let limits = SearchLimits { endgame, tiny_field: endgame, turn_nodes: u64::MAX, ..limits };
    solve_without_table(level, limits)
}

/// The best first cell found within these limits.
fn solve_without_table(level: Level, limits: SearchLimits) -> Option<Solution> {
    let board = Board::new(level.shape, level.mines);
    let limits = SearchLimits { opening_table: false, ..limits };
    Engine::within(Objective::FewestHits, limits).decide(&board, Turn::UNTIMED)?.solved
}

#[cfg(test)]
mod tests {
    use sapper::search::endgame::opening_table::best;

    use super::*;

    fn solved(level: &str, nodes: u64) -> Option<Solution> {
        solve(level.parse().unwrap(), nodes)
    }

    #[test]
    fn the_table_is_what_is_computed() {
        let compare = |field: &str, solution: Solution| {
            let Level { shape, mines } = field.parse().unwrap();
            let best = best(shape, mines).unwrap();
            assert!(solution.is_proven, "{field}");
            assert_eq!((best.cell, best.cost), (solution.cell, solution.cost), "{field}");
        };
        for field in ["8x2/4", "5x4/4", "5x4/5", "6x3/4", "12x1/6", "6x6/3", "7x6/3"] {
            compare(field, solved(field, 1500).unwrap());
        }
        // Standard effort proves these within a turn, since it searches sets of bits.
        for field in ["9x2/3", "34x1/2"] {
            let standard = Effort::Standard.limits();
            compare(field, solve_without_table(field.parse().unwrap(), standard).unwrap());
        }
    }

    #[test]
    fn fields_solved_by_standard_effort_and_unsolved_fields_are_left_out() {
        assert!(solved("4x4/4", 6000).is_none());
        assert!(!solved("5x4/5", 100).unwrap().is_proven);
    }

    #[test]
    fn the_fields_of_the_table_are_small() {
        let fields = table_fields().unwrap();
        assert!(fields.len() > 168, "{} fields", fields.len());
        for level in fields {
            let cells = level.shape.len();
            assert!(cells <= TINY_FIELD_CELLS && 2 * level.mines as usize <= cells, "{level}");
        }
    }
}
