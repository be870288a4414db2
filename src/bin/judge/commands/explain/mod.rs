//! `judge explain`: a position as a person reads it: the picture, the move and why, what else was
//! weighed.

mod cell;
mod explained;
mod json;
mod picture;
mod text;

use std::path::PathBuf;

use anstream::ColorChoice;
use anyhow::{Result, anyhow, bail};
use clap::ColorChoice as When;
use sapper::analysis::Analysis;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;

use crate::cli::Outcome;
use crate::cli::output::{outln, write};
use crate::cli::parse::{DENSITY, parse_density, parse_integer};
use crate::cli::position::read_turn;
use crate::cli::strength::BotStrength;
use explained::Explained;

/// Explain a position: odds, deductions in words, and why the bot opens what it opens.
///
/// Reads what `judge odds` reads: a Botzone input (a whole history or a bare request), a recorded
/// game or a Botzone log, of which the last request counts unless --turn names another, or a field
/// drawn as text.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge explain samples/requests/safe-by-overlap.json
  judge explain samples/games/default-30x20-80.json --turn 12
  judge explain samples/fields/forced-guess.txt --objective clean-win
  judge explain field.txt --cell 3,4
  printf '3 2\\n1?.\\n1??\\n' | judge explain - --density 0.15 --json

The picture shows each hidden cell's odds in percent, [0] and [*] where they are proven, numbers
as they are, an opened or known mine as *, and the move between > and <. Brighter is riskier. Colours are
for terminals; NO_COLOR, CLICOLOR_FORCE and --color say otherwise.

A proof is a chain of numbered steps; each names the steps that it stands on. Cells are written
(row,column), from 0. Of a guess, every candidate has its own risk, what the next move risks
after it, and their sum, which decides; playing to win, a zero counts a little more while no region
is open. --cell tells of any cell, and of a hidden one every number
that it may show, how likely, and what the next move risks at its best then.

--json prints one object. height, width, minecount and odds are those of `judge odds --json`; hits
counts opened or known mines, layouts_ln is the natural logarithm of the number of layouts, approximate
counts cells without exact odds. Cells are [row,column]: safe and mines list what is proven,
deductions the steps ({step, rule, from, cells, mines, text}), groups what is left to count,
candidates {cell, odds, next, zero, cost}. move is {cell, step, odds, why, endgame}, where endgame is
null or {layouts, mined, cost, proven}: the layouts that mine the cell, and the mines opened
(clean-win: the layouts lost) by best play, summed over all of them; by the best play found where that
is not proven to be the best. --cell adds asked: {cell, about, odds,
outcomes}, the last two for a hidden cell; outcomes are {shows, chance, next, safe}, where shows is a
number or \"mine\", next what the next move risks (null where none is left), and safe counts the cells
proven safe then; null where layouts cannot be counted exactly.

Exit code: 0, or 2 when the input cannot be read or the position is impossible (with all its
reasons).")]
pub struct Arguments {
    /// File to read, or - for standard input
    file: PathBuf,
    /// The turn of a game, from 0 [default: the last]
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    turn: Option<u64>,
    /// Explain this cell instead of all that is proven, and what opening it may show
    #[arg(long, value_name = "ROW,COL", value_parser = place)]
    cell: Option<(i64, i64)>,
    /// The chance of a mine where a field states no mine count, above 0 and below 1 [default: 0.2]
    #[arg(long, value_name = "D", value_parser = parse_density)]
    density: Option<f64>,
    #[command(flatten)]
    strength: BotStrength,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn place(text: &str) -> Result<(i64, i64), String> {
    let number = |word: &str| word.trim().parse().ok();
    let place = text.split_once(',').and_then(|(row, column)| number(row).zip(number(column)));
    place.ok_or_else(|| "give a row and a column from 0, such as 3,4".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let name = arguments.file.display();
    let turn = arguments.turn.map(usize::try_from).transpose()?;
    let Some(input) = read_turn(&arguments.file, turn)? else { return Ok(Outcome::Good) };
    let density = match (input.has_mine_count, arguments.density) {
        (false, density) => Some(density.unwrap_or(DENSITY)),
        (true, Some(_)) => {
            bail!("{name}: --density is for a field without a mine count; this position has one")
        }
        (true, None) => None,
    };
    let shape = input.board.shape();
    let asked: Option<Cell> = match arguments.cell {
        None => None,
        Some((row, column)) => Some(shape.cell(row, column).ok_or_else(|| {
            let rows = pluralize(shape.rows(), "row", "rows");
            let columns = pluralize(shape.columns(), "column", "columns");
            anyhow!("--cell {row},{column}: {name} has {rows} and {columns}, from 0")
        })?),
    };
    let mut analysis = Analysis::new(arguments.strength.objective_and_effort());
    let mut reasons = input.reasons.clone();
    reasons.extend(analysis.analyze(&input.board, density).err().unwrap_or_default());
    if !reasons.is_empty() {
        bail!("{name}: impossible position:\n  {}", reasons.join("\n  "));
    }
    if let Some(cell) = asked {
        analysis.add_candidate(&input.board, cell);
    }
    let explained = Explained { input: &input, analysis: &analysis, density };
    if arguments.json {
        let mut value = json::value(&explained);
        if let Some(cell) = asked {
            value["asked"] = cell::json(&explained, cell);
        }
        outln!("{value}");
        return Ok(Outcome::Good);
    }
    let mut text = picture::text(&explained);
    text.push_str(&match asked {
        Some(cell) => cell::text(&explained, cell),
        None => text::text(&explained),
    });
    let coloured = match arguments.color {
        When::Always => true,
        When::Never => false,
        When::Auto => anstream::AutoStream::choice(&std::io::stdout()) != ColorChoice::Never,
    };
    if coloured {
        write(&text);
    } else {
        write(&anstream::adapter::strip_str(&text).to_string());
    }
    Ok(Outcome::Good)
}
