//! `judge odds`: the mine probability of every hidden cell of a position.
//!
//! A field may omit its mine count. Every hidden cell then holds a mine with the same prior
//! probability, the density, independently of the others: a layout of the frontier weighs
//! density^mines (1 - density)^(cells - mines), and an unconstrained cell keeps the density.

mod list;

use std::path::PathBuf;

use analysis::contradictions::explain_contradictions;
use analysis::json::odds::OddsReport;
use analysis::layout_count::count_layouts;
use analysis::notation::layouts_text;
use anyhow::Result;
use sapper::board::group::MineCount;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::kit::text::pluralize;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

use self::list::{lines, list, print_differences, read_list};
use crate::cli::{Color, Density, Outcome, PositionFile, PositionInput, print_json, write};
use crate::report::drawing::Drawing;
use crate::runner::messages::errln;

/// Show the mine odds of every hidden cell of a position.
///
/// Reads a Botzone input (a whole history or a single request), a recorded game or a Botzone log,
/// or a field drawn as text. Of several requests the last one is used, unless --turn selects
/// another.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge odds samples/requests/forced-guess.json
  judge odds samples/games/default-30x20-80.json --turn 12 --draw
  judge odds samples/fields/comb.txt --json
  judge odds field.txt --density 0.15
  judge odds field.txt --expect odds.txt

Exit code: 0, 1 when --expect finds a difference, or 2 when the input cannot be read or the
position is impossible (with the reasons).")]
pub struct Arguments {
    #[command(flatten)]
    file: PositionFile,
    /// Draw the board with the odds, instead of a list of cells
    #[arg(long, conflicts_with_all = ["json", "expect"])]
    draw: bool,
    #[command(flatten)]
    color: Color,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    density: Density,
    /// Compare with a file of lines `row col odds`, to two decimals
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let name = arguments.file.name();
    let expected = arguments.expect.as_deref().map(read_list).transpose()?;
    let input = arguments.file.read()?;
    let density = arguments.density.of(&input, &arguments.file)?;
    let PositionInput { board, reasons, .. } = &input;
    if !reasons.is_empty() {
        return Err(input.impossible(&name, &[], "", arguments.json));
    }
    let mut position = board.position();
    if let Some(density) = density {
        position.mine_count = MineCount::Density(density);
    }
    let mut deducer = Deducer::default();
    let mut solver = ProbabilitySolver::default();
    let mut budget = Budget::of_nodes(COUNT_NODES);
    let counted = deducer
        .run(&position, Reach::FixedPoint)
        .and_then(|deduced| solver.run(deduced, &mut budget));
    let odds = match counted {
        Ok(counted) => counted.odds(),
        Err(first) => {
            let conflicts = explain_contradictions(board, &position, &first);
            return Err(input.impossible(&name, &conflicts, "", arguments.json));
        }
    };
    if odds.approximate() > 0 {
        errln!(
            "warning: {} approximate odds: the frontier is too wide to count",
            pluralize(odds.approximate() as u64, "cell has", "cells have")
        );
    }
    let notes = input.notes(odds.safe());
    notes.iter().for_each(|note| errln!("note: {note}"));
    if let Some(expected) = expected {
        return Ok(print_differences(&expected, &list(board, odds), arguments.json));
    }
    if arguments.json {
        let mut report = OddsReport::new(board, odds, density);
        report.notes = notes;
        print_json(&report);
    } else if arguments.draw {
        let exact =
            count_layouts(&position, &mut budget.sub_budget(budget.limit())).unwrap_or(None);
        let layouts = layouts_text(exact, odds.layouts()).filter(|_| density.is_none());
        let drawing = Drawing {
            board: &input.board,
            is_text: input.is_text,
            odds,
            density,
            layouts,
            chosen: None,
        };
        write(&drawing.text(arguments.color.is_used()));
    } else {
        write(&lines(&list(board, odds)));
    }
    Ok(Outcome::Good)
}
