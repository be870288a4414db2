//! `judge openings`: the first cells of tiny fields, for the table of the engine.
//!
//! A field is solved from its first cell on, with more nodes than a turn has. What comes out is
//! Rust, a line a field.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sapper::base::budget::{Deadlines, NoClock, Turn};
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, EndgameLimits, SearchLimits, TINY_FIELD_CELLS};
use sapper::board::Board;
use sapper::board::geometry::Shape;
use sapper::bot::engine::Engine;
use sapper::search::endgame::Solution;
use sapper::search::endgame::opening_table::layouts;
use serde_json::json;

use crate::cli::Outcome;
use crate::cli::level::Level;
use crate::cli::output::{errln, outln};

/// Find the best first cells of tiny fields, for the table in src/search/endgame/opening_table.rs.
///
/// Optimal play for fewest mines, from the first cell on, over all layouts of a field. Of fields
/// that standard effort solves by itself nothing is printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge openings
  judge openings 5x4/5 8x2/4 --nodes 2000

Without a field, all are tried that the table is for: up to 64 cells, up to half of them mines, up
to 20,000 layouts; ten minutes of one core, and some gigabytes for the longest. What is printed is
the table, a line a field: rows, columns, mines, the first cell in row-major order, and the mines
that optimal play opens over all layouts. A field whose optimum is not found within --nodes is told
on standard error and left out.

--json prints {\"fields\":[{\"rows\",\"columns\",\"mines\",\"first\",\"cost\"}]}.

Exit code: 0, 1 where a field that was named is not solved, 2 for bad input.")]
pub struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Nodes that solving a field may take, in millions
    #[arg(long, default_value_t = 6_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let levels = if arguments.levels.is_empty() { all()? } else { arguments.levels.clone() };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} fields  {elapsed}")?;
    let bar = ProgressBar::new(levels.len() as u64).with_style(style);
    let found: Vec<Option<Solution>> = threads.build()?.install(|| {
        let solved = levels.par_iter().map(|&level| {
            let best = solve(level, arguments.nodes.saturating_mul(1_000_000));
            bar.inc(1);
            best
        });
        solved.collect()
    });
    bar.finish_and_clear();
    let mut good = true;
    let mut fields = Vec::new();
    for (level, best) in levels.iter().zip(found) {
        let Level { shape, mines } = level;
        match best {
            Some(best) if best.is_proven => {
                let (rows, columns) = (shape.rows(), shape.columns());
                let (first, cost) = (best.cell.index(), best.cost);
                if !arguments.json {
                    outln!("    ({rows}, {columns}, {mines}, {first}, {cost}),");
                }
                fields.push(json!({
                    "rows": rows, "columns": columns, "mines": mines, "first": first, "cost": cost,
                }));
            }
            Some(_) => {
                good &= arguments.levels.is_empty();
                errln!("{level}: the nodes end before its optimum is known; give more --nodes");
            }
            None => {}
        }
    }
    if arguments.json {
        outln!("{}", json!({ "fields": fields }));
    }
    Ok(Outcome::from(good))
}

/// The fields that the table is for, in its order.
fn all() -> Result<Vec<Level>> {
    let most = Effort::Full.limits().tiny_field.layouts as u64;
    let cells = TINY_FIELD_CELLS as u64;
    let mut found = Vec::new();
    for rows in (1..=cells).take_while(|rows| rows * rows <= cells) {
        for columns in rows..=cells / rows {
            let shape = Shape::new(rows, columns)?;
            let cells = shape.len() as u64;
            let few = (1..=cells / 2).filter(|&mines| layouts(cells, mines) <= most);
            found.extend(few.map(|mines| Level { shape, mines: mines as u32 }));
        }
    }
    Ok(found)
}

/// The best first cell, as far as the nodes go; `None` where standard effort proves it by itself.
fn solve(level: Level, nodes: u64) -> Option<Solution> {
    let board = Board::new(level.shape, level.mines);
    let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
    let without_table = |limits: SearchLimits| {
        let limits = SearchLimits { opening_table: false, ..limits };
        Engine::within(Objective::FewestHits, limits).decide(&board, turn)?.solved
    };
    let standard = without_table(Effort::Standard.limits());
    if standard.is_some_and(|best| best.is_proven) {
        return None;
    }
    let most = EndgameLimits { layouts: usize::MAX, nodes };
    without_table(SearchLimits {
        endgame: most,
        tiny_field: most,
        ..SearchLimits::unlimited_endgame()
    })
}
