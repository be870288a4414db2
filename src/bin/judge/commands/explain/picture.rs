//! The position as text, with colours for a terminal. The text is complete without the colours.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, AnsiColor, RgbColor, Style};
use anstyle_lossy::rgb_to_xterm;
use colorous::Color;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

use super::AnalyzedPosition;
use crate::results::palette::{heat, ink};

/// Columns of the terminal per cell.
const WIDTH: usize = 4;

/// The headline and the picture.
pub fn text(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, density } = position;
    let (board, shape) = (&input.board, input.board.shape());
    let mut text = format!("{}x{}", shape.columns(), shape.rows());
    let hidden = pluralize(board.hidden_len(), "hidden cell", "hidden cells");
    let _ = match density {
        Some(density) => write!(text, ", mine count unknown (density {density}), {hidden}"),
        None => {
            let left = board.mines() - board.hits();
            let mines = pluralize(board.mines(), "mine", "mines");
            let hit = if input.is_picture { "known" } else { "opened" };
            write!(text, ", {mines}: {} {hit}, {left} left in {hidden}", board.hits())
        }
    };
    if let Some(layouts) = analysis.layouts().filter(|_| density.is_none()) {
        let _ = write!(text, "; {layouts}");
    }
    text.push_str("\n\n     ");
    for column in 0..shape.columns() {
        let _ = write!(text, "{column:>WIDTH$}");
    }
    text.push('\n');
    for cell in shape.cells() {
        if shape.column(cell) == 0 {
            let _ = write!(text, "{:>4} ", shape.row(cell));
        }
        let (symbol, style) = symbol_and_style(position, cell);
        let _ = write!(text, "{style}{symbol}{style:#}");
        if shape.column(cell) + 1 == shape.columns() {
            text.push('\n');
        }
    }
    text.push('\n');
    text + &legend(position) + "\n"
}

/// The part of a board around some numbers, which are framed: `[3]`. Empty without numbers.
pub fn framed(board: &Board, numbers: &[Cell]) -> String {
    /// Rows and columns shown around the numbers.
    const MARGIN: u32 = 2;
    let shape = board.shape();
    let range = |of: &dyn Fn(Cell) -> u32, len: u32| {
        let least = numbers.iter().map(|&cell| of(cell)).min()?.saturating_sub(MARGIN);
        let most = numbers.iter().map(|&cell| of(cell)).max()? + MARGIN;
        Some(least..=most.min(len - 1))
    };
    let rows = range(&|cell| shape.row(cell), shape.rows());
    let columns = range(&|cell| shape.column(cell), shape.columns());
    let (Some(rows), Some(columns)) = (rows, columns) else { return String::new() };
    let mut text = "\n\n       ".to_owned();
    for column in columns.clone() {
        let _ = write!(text, "{column:>3} ");
    }
    for cell in shape.cells().filter(|&cell| rows.contains(&shape.row(cell))) {
        if shape.column(cell) == 0 {
            let _ = write!(text, "\n  {:>4} ", shape.row(cell));
        }
        if columns.contains(&shape.column(cell)) {
            let symbol = match board.state(cell) {
                CellState::Hidden => ".".to_owned(),
                CellState::Number(number) => number.to_string(),
                CellState::Hit => "*".to_owned(),
                CellState::Illegible => "x".to_owned(),
            };
            let symbol =
                if numbers.contains(&cell) { format!("[{symbol}]") } else { format!("{symbol} ") };
            let _ = write!(text, "{symbol:>WIDTH$}");
        }
    }
    text
}

/// Explains the symbols that the picture contains.
fn legend(position: &AnalyzedPosition) -> String {
    let (board, analysis) = (&position.input.board, position.analysis);
    let hit = format!("* {}", position.input.known_mine_name());
    let any_open = |is: fn(CellState) -> bool| board.iter().any(|(_, state)| is(state));
    let any_hidden = |is: fn(f64) -> bool| board.hidden().any(|cell| is(analysis.odds().of(cell)));
    let hidden = [
        (any_hidden(|odds| 0.0 < odds && odds < 1.0), "7 a mine with 7 % (brighter is riskier)"),
        (any_hidden(|odds| odds == 0.0), "[0] proven safe"),
        (any_hidden(|odds| odds == 1.0), "[*] proven a mine"),
        (analysis.chosen().is_some(), ">7< the move"),
    ];
    let open = [
        (any_open(|state| state == CellState::Number(0)), ". no mine around it"),
        (any_open(|state| matches!(state, CellState::Number(1..))), "1-8 mines around it"),
        (any_open(|state| state == CellState::Hit), &hit),
        (any_open(|state| state == CellState::Illegible), "x its number cannot be read"),
    ];
    let mut text = String::new();
    for (kind, entries) in [("Hidden", &hidden), ("Open", &open)] {
        let entries = entries.iter().filter(|(is_present, _)| *is_present);
        let entries: Vec<&str> = entries.map(|(_, entry)| *entry).collect();
        if !entries.is_empty() {
            let _ = writeln!(text, "{kind} cells: {}", entries.join("; "));
        }
    }
    text + "Rows and columns count from 0.\n"
}

/// The symbol of a cell, `WIDTH` characters, and its style.
fn symbol_and_style(position: &AnalyzedPosition, cell: Cell) -> (String, Style) {
    match position.input.board.state(cell) {
        CellState::Number(0) => ("   .".to_owned(), Style::new().dimmed()),
        CellState::Number(number) => (format!("   {number}"), Style::new().bold()),
        CellState::Hit => {
            ("   *".to_owned(), Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into())))
        }
        CellState::Illegible => ("   x".to_owned(), Style::new()),
        CellState::Hidden => {
            let analysis = position.analysis;
            let odds = analysis.odds().of(cell);
            let is_move = analysis.chosen().is_some_and(|chosen| chosen.cell == cell);
            hidden_symbol_and_style(odds, is_move)
        }
    }
}

fn hidden_symbol_and_style(odds: f64, is_move: bool) -> (String, Style) {
    let background = heat(odds);
    let style = Style::new().bg_color(Some(terminal_color(background).into()));
    let style = style.fg_color(Some(terminal_color(ink(background)).into()));
    let (symbol, is_proven) = if odds == 0.0 {
        ("0".to_owned(), true)
    } else if odds == 1.0 {
        ("*".to_owned(), true)
    } else {
        // From 1 to 99, since 0 and 100 would look like proofs.
        (format!("{:.0}", (100.0 * odds).clamp(1.0, 99.0)), false)
    };
    let symbol = match (is_move, is_proven) {
        (true, _) => format!(">{symbol}<"),
        (false, true) => format!("[{symbol}]"),
        (false, false) => symbol,
    };
    (format!("{symbol:>WIDTH$}"), if is_move { style.bold().underline() } else { style })
}

/// The nearest of the 256 colours that nearly every terminal has.
fn terminal_color(color: Color) -> Ansi256Color {
    rgb_to_xterm(RgbColor(color.r, color.g, color.b))
}
