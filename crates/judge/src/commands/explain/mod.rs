//! `judge explain`: one position with its odds, the bot's move and the reasons for it.
//!
//! [`analysis`] computes everything; this folder writes it. `text.rs` explains the move,
//! and `cell.rs` the cell of `--cell`. The output for programs is [`analysis::json`].

mod cell;
mod chance;
mod text;

use std::fmt::Display;

use analysis::Analyzer;
use analysis::chance::{Chances, MOST_CELLS, POLICY, SEED};
use analysis::contradictions::ExplainedContradiction;
use analysis::json::cell::CellReport;
use analysis::json::chance::ChanceReport;
use analysis::json::position::PositionReport;
use anyhow::{Result, anyhow};
use sapper::Cell;
use sapper::kit::text::pluralize;

use crate::cli::{
    BotStrength, Color, Density, Outcome, PositionFile, PositionInput, RowColumn, parse_integer,
    print_json, write,
};
use crate::report::drawing::{Drawing, framed, known_mine_name};
use crate::runner::interrupt;
use crate::runner::messages::errln;

/// Explain a position: the odds, what is easiest to prove, and why the bot opens its cell.
///
/// Reads the same input as `judge odds`: a Botzone input (a whole history or a single request), a
/// recorded game or a Botzone log, or a field drawn as text. Of several requests the last one is
/// explained, unless --turn selects another.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge explain samples/requests/safe-by-overlap.json
  judge explain samples/games/default-30x20-80.json --turn 12
  judge explain samples/fields/forced-guess.txt --objective clean-win
  judge explain field.txt --cell 3,4
  judge explain field.txt --density 0.15 --json

Exit code: 0, or 2 when the input cannot be read or the position is impossible (with all
reasons).")]
pub struct Arguments {
    #[command(flatten)]
    file: PositionFile,
    /// Explain this cell instead of the move, and list what opening it may show
    #[arg(long, value_name = "ROW,COL", allow_hyphen_values = true)]
    cell: Option<RowColumn>,
    #[command(flatten)]
    density: Density,
    #[command(flatten)]
    strength: BotStrength,
    /// Playouts of each cell that tell the chance to win, at least 20; 0 for none [default: up to
    /// 200, fewer where it is known within one point, or mines within a twentieth]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = parse_integer::<u32>)]
    playouts: Option<u32>,
    #[command(flatten)]
    color: Color,
    /// Print all that is proven, however long that is
    #[arg(long)]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let name = arguments.file.name();
    let input = arguments.file.read()?;
    let density = arguments.density.of(&input, &arguments.file)?;
    let asked_cell = arguments.cell.map(|cell| find_cell(&input, cell, &name)).transpose()?;
    let (objective, effort) = arguments.strength.objective_and_effort(input.rule);
    let mut analyzer = Analyzer::new(objective, effort);
    let impossible = |conflicts: &[ExplainedContradiction]| {
        let numbers = conflicts.iter().flat_map(|conflict| conflict.numbers.iter().copied());
        let drawing = framed(&input.board, &numbers.collect::<Vec<Cell>>());
        input.impossible(&name, conflicts, &drawing, arguments.json)
    };
    let analysis = analyzer.analyze(&input.board, density);
    let mut analysis = analysis.map_err(|conflicts| impossible(&conflicts))?;
    if !input.reasons.is_empty() {
        return Err(impossible(&[]));
    }
    if let Some(cell) = asked_cell {
        analysis.add_candidate(cell);
    }
    let notes = input.notes(analysis.odds().safe());
    notes.iter().for_each(|note| errln!("note: {note}"));
    let mut chances = Chances::new(objective, POLICY, interrupt::is_requested);
    if density.is_none() && asked_cell.is_none() && arguments.playouts != Some(0) {
        chances.begin(&analysis, MOST_CELLS, SEED);
        chances.run(arguments.playouts);
    }
    if arguments.json {
        let known_mine = known_mine_name(input.is_text);
        let mut report = PositionReport::new(&analysis, density);
        report.notes = notes;
        report.chance = ChanceReport::new(&chances.cells(), input.board.shape(), objective, POLICY);
        report.asked = asked_cell.map(|cell| CellReport::new(&analysis, cell, known_mine));
        print_json(&report);
        return Ok(Outcome::Good);
    }
    let drawing = Drawing {
        board: &input.board,
        is_text: input.is_text,
        odds: analysis.odds(),
        density,
        layouts: analysis.layouts().filter(|_| density.is_none()),
        chosen: analysis.chosen().map(sapper::Decision::cell),
    };
    write(&drawing.text(arguments.color.is_used()));
    write(&match asked_cell {
        Some(cell) => cell::text(&input, &analysis, cell),
        None => {
            let chance = chance::text(&chances.cells(), input.board.shape(), objective);
            text::text(&analysis, &chance, arguments.all)
        }
    });
    Ok(Outcome::Good)
}

/// The cell of `--cell`.
fn find_cell(
    input: &PositionInput,
    RowColumn { row, column }: RowColumn,
    name: &dyn Display,
) -> Result<Cell> {
    let shape = input.board.shape();
    shape.cell(row, column).ok_or_else(|| {
        let rows = pluralize(shape.rows(), "row", "rows");
        let columns = pluralize(shape.columns(), "column", "columns");
        anyhow!("--cell {row},{column}: {name} has {rows} and {columns}, counted from 0")
    })
}
