//! `judge openings`: computes the table of first cells of tiny fields.
//!
//! Each field is solved from its first cell on, with more nodes than a turn has. The output is the
//! body of the Rust table in `src/search/endgame/opening_table.rs`, one line per field.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sapper::base::budget::Turn;
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

/// Compute the best first cells of tiny fields, for src/search/endgame/opening_table.rs.
///
/// The first cell is that of optimal play for fewest hits, solved over all layouts of the field.
/// Nothing is printed for a field that standard effort solves within a turn.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge openings
  judge openings 5x4/5 8x2/4 --nodes 2000

Without a field, the fields of the table are solved: up to 64 cells, of which up to half are mines,
and up to 20,000 layouts. This takes about ten minutes of one core, and the largest fields take some
gigabytes of memory. The output is the table, one line per field: rows, columns, mines, the index of
the first cell in row-major order, and the mines that optimal play opens, summed over all layouts. A
field that is not solved within --nodes is left out, with a message on standard error.

--json prints {\"fields\":[{\"rows\",\"columns\",\"mines\",\"first\",\"cost\"}]}.

Exit code: 0, 1 when a field given as an argument is not solved, 2 for bad input.")]
pub struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Limit on the nodes of one field, in millions
    #[arg(long, default_value_t = 6_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Number of threads; all cores if omitted
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let levels =
        if arguments.levels.is_empty() { table_fields()? } else { arguments.levels.clone() };
    let solutions = solve_all(&levels, arguments)?;
    let mut all_named_solved = true;
    let mut fields = Vec::new();
    for (level, solution) in levels.iter().zip(solutions) {
        let Some(solution) = solution else { continue };
        if !solution.is_proven {
            all_named_solved &= arguments.levels.is_empty();
            errln!("{level}: its optimum is not found within --nodes; give more");
            continue;
        }
        let Level { shape, mines } = level;
        let (rows, columns) = (shape.rows(), shape.columns());
        let (first, cost) = (solution.cell.index(), solution.cost);
        if !arguments.json {
            outln!("    ({rows}, {columns}, {mines}, {first}, {cost}),");
        }
        fields.push(json!({
            "rows": rows, "columns": columns, "mines": mines, "first": first, "cost": cost,
        }));
    }
    if arguments.json {
        outln!("{}", json!({ "fields": fields }));
    }
    Ok(Outcome::from(all_named_solved))
}

/// The fields of the table, in its order.
fn table_fields() -> Result<Vec<Level>> {
    let max_layouts = Effort::Full.limits().tiny_field.layouts as u64;
    let max_cells = TINY_FIELD_CELLS as u64;
    let mut fields = Vec::new();
    for rows in (1..=max_cells).take_while(|rows| rows * rows <= max_cells) {
        for columns in rows..=max_cells / rows {
            let shape = Shape::new(rows, columns)?;
            let cells = shape.len() as u64;
            let mines = (1..=cells / 2).filter(|&mines| layouts(cells, mines) <= max_layouts);
            fields.extend(mines.map(|mines| Level { shape, mines: mines as u32 }));
        }
    }
    Ok(fields)
}

/// The solutions of [`solve`], in the order of `levels`.
fn solve_all(levels: &[Level], arguments: &Arguments) -> Result<Vec<Option<Solution>>> {
    let nodes = arguments.nodes.saturating_mul(1_000_000);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} fields  {elapsed}")?;
    let bar = ProgressBar::new(levels.len() as u64).with_style(style);
    let solutions = threads.build()?.install(|| {
        let solutions = levels.par_iter().map(|&level| {
            let solution = solve(level, nodes);
            bar.inc(1);
            solution
        });
        solutions.collect()
    });
    bar.finish_and_clear();
    Ok(solutions)
}

/// The best first cell found within `nodes`; `None` if standard effort proves it within a turn.
fn solve(level: Level, nodes: u64) -> Option<Solution> {
    let board = Board::new(level.shape, level.mines);
    let turn = Turn::UNTIMED;
    let solve_without_table = |limits: SearchLimits| {
        let limits = SearchLimits { opening_table: false, ..limits };
        Engine::within(Objective::FewestHits, limits).decide(&board, turn)?.solved
    };
    let standard = solve_without_table(Effort::Standard.limits());
    if standard.is_some_and(|solution| solution.is_proven) {
        return None;
    }
    let endgame = EndgameLimits { layouts: usize::MAX, nodes };
    solve_without_table(SearchLimits {
        endgame,
        tiny_field: endgame,
        ..SearchLimits::unlimited_endgame()
    })
}
