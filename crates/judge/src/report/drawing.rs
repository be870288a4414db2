//! The position as text, with colours for a terminal. The text is complete without the colours.
//!
//! Open cells have the symbols of [`sapper::board::text_format`]: a digit alone is a number on the
//! board. A hidden cell has its odds with `%`, or a sign in brackets.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, AnsiColor, RgbColor, Style};
use anstyle_lossy::rgb_to_xterm;
use colorous::Color;
use sapper::board::geometry::CellMap;
use sapper::kit::text::pluralize;
use sapper::probability::odds::Odds;
use sapper::{Board, Cell, CellState};

use crate::report::palette::{heat, ink};

/// Columns of the terminal per cell.
const WIDTH: usize = 4;

/// What a mine that a position shows is called. A position that is a text does not tell whether
/// its mines were opened.
pub fn known_mine_name(is_text: bool) -> &'static str {
    if is_text { "a known mine" } else { "a mine that was opened" }
}

/// A position with its odds.
pub struct Drawing<'a> {
    pub board: &'a Board,
    /// Whether the position is a text, which does not tell whether its mines were opened.
    pub is_text: bool,
    pub odds: &'a Odds,
    /// The mine density, if the field states no mine count.
    pub density: Option<f64>,
    /// The number of layouts in words, where it is known.
    pub layouts: Option<String>,
    /// The cell to mark as the move.
    pub chosen: Option<Cell>,
}

impl Drawing<'_> {
    /// The headline, the board and its legend.
    pub fn text(&self, is_coloured: bool) -> String {
        let shape = self.board.shape();
        let mut text = self.headline() + "\n\n     ";
        for column in 0..shape.columns() {
            let _ = write!(text, "{column:>WIDTH$}");
        }
        text.push('\n');
        for cell in shape.cells() {
            if shape.column(cell) == 0 {
                let _ = write!(text, "{:>4} ", shape.row(cell));
            }
            let (symbol, style) = self.symbol_and_style(cell);
            let style = if is_coloured { style } else { Style::new() };
            let _ = write!(text, "{style}{symbol:>WIDTH$}{style:#}");
            if shape.column(cell) + 1 == shape.columns() {
                text.push('\n');
            }
        }
        text.push('\n');
        text + &self.legend(is_coloured) + "\n"
    }

    fn headline(&self) -> String {
        let board = &self.board;
        let mut text = format!("{}x{}", board.shape().columns(), board.shape().rows());
        let hidden = pluralize(board.hidden_len(), "hidden cell", "hidden cells");
        let mines = pluralize(board.mines(), "mine", "mines");
        let (hits, left) = (board.hits(), board.mines() - board.hits());
        let _ = match self.density {
            Some(density) => write!(text, ", mine count unknown (density {density}), {hidden}"),
            None if hits == 0 => write!(text, ", {mines} in {hidden}"),
            None => {
                let shown = if self.is_text { "known" } else { "opened" };
                write!(text, ", {mines}: {hits} {shown}, {left} in {hidden}")
            }
        };
        match &self.layouts {
            Some(layouts) => format!("{text}; {layouts}"),
            None => text,
        }
    }

    /// Explains the symbols that the drawing contains.
    fn legend(&self, is_coloured: bool) -> String {
        let board = &self.board;
        let hit = format!("* {}", known_mine_name(self.is_text));
        let any_open = |is: fn(CellState) -> bool| board.iter().any(|(_, state)| is(state));
        let any_hidden = |is: fn(f64) -> bool| board.hidden().any(|cell| is(self.odds.of(cell)));
        let risk = match is_coloured {
            true => "7% a mine with 7 % (brighter is riskier)",
            false => "7% a mine with 7 %",
        };
        let hidden = [
            (any_hidden(|odds| 0.0 < odds && odds < 1.0), risk),
            (any_hidden(|odds| odds == 0.0), "[0] proven safe"),
            (any_hidden(|odds| odds == 1.0), "[F] proven a mine (a flag)"),
            (self.chosen.is_some(), ">7< the move"),
        ];
        let open = [
            (any_open(|state| matches!(state, CellState::Number(_))), "0-8 mines around it"),
            (any_open(|state| state == CellState::Hit), &hit),
            (any_open(|state| state == CellState::Illegible), "x its number cannot be read"),
        ];
        let mut text = String::new();
        for (kind, entries) in [("Hidden", &hidden[..]), ("Open", &open)] {
            let entries = entries.iter().filter(|(is_present, _)| *is_present);
            let entries: Vec<&str> = entries.map(|(_, entry)| *entry).collect();
            if !entries.is_empty() {
                let _ = writeln!(text, "{kind} cells: {}", entries.join("; "));
            }
        }
        text + "Rows and columns count from 0.\n"
    }

    /// The symbol of a cell and its style.
    fn symbol_and_style(&self, cell: Cell) -> (String, Style) {
        let state = self.board.state(cell);
        let style = match state {
            CellState::Hidden => {
                let is_move = self.chosen == Some(cell);
                return hidden_symbol_and_style(self.odds.of(cell), is_move);
            }
            CellState::Number(0) => Style::new().dimmed(),
            CellState::Number(_) => Style::new().bold(),
            CellState::Hit => Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into())),
            CellState::Illegible => Style::new(),
        };
        (state.to_string(), style)
    }
}

fn hidden_symbol_and_style(odds: f64, is_move: bool) -> (String, Style) {
    let background = heat(odds);
    let style = Style::new().bg_color(Some(terminal_color(background).into()));
    let style = style.fg_color(Some(terminal_color(ink(background)).into()));
    // From 1 to 99, since 0 and 100 would look like proofs.
    let percent = format!("{:.0}", (100.0 * odds).clamp(1.0, 99.0));
    let symbol = match odds {
        0.0 if is_move => ">0<".to_owned(),
        0.0 => "[0]".to_owned(),
        1.0 => "[F]".to_owned(),
        _ if is_move => format!(">{percent}<"),
        _ => format!("{percent}%"),
    };
    (symbol, if is_move { style.bold().underline() } else { style })
}

/// The nearest of the 256 colours that nearly every terminal has.
fn terminal_color(color: Color) -> Ansi256Color {
    rgb_to_xterm(RgbColor(color.r, color.g, color.b))
}

/// The part of a board around some numbers, which are framed: `[3]`. Empty without numbers, and
/// where the part is too large to find them in it.
pub fn framed(board: &Board, numbers: &[Cell]) -> String {
    /// Rows and columns shown around the numbers.
    const MARGIN: u32 = 2;
    /// The most rows or columns.
    const MAX_SIDE: usize = 64;
    let shape = board.shape();
    let range = |of: &dyn Fn(Cell) -> u32, len: u32| {
        let least = numbers.iter().map(|&cell| of(cell)).min()?.saturating_sub(MARGIN);
        let most = numbers.iter().map(|&cell| of(cell)).max()? + MARGIN;
        Some(least..=most.min(len - 1)).filter(|range| range.clone().count() <= MAX_SIDE)
    };
    let rows = range(&|cell| shape.row(cell), shape.rows());
    let columns = range(&|cell| shape.column(cell), shape.columns());
    let (Some(rows), Some(columns)) = (rows, columns) else { return String::new() };
    let mut is_framed = CellMap::new(shape.len(), false);
    numbers.iter().for_each(|&cell| is_framed[cell] = true);
    let mut text = "\n\n       ".to_owned();
    for column in columns.clone() {
        let _ = write!(text, "{column:>3} ");
    }
    for cell in shape.cells().filter(|&cell| rows.contains(&shape.row(cell))) {
        if shape.column(cell) == 0 {
            let _ = write!(text, "\n  {:>4} ", shape.row(cell));
        }
        if columns.contains(&shape.column(cell)) {
            let symbol = board.state(cell);
            let symbol = if is_framed[cell] { format!("[{symbol}]") } else { format!("{symbol} ") };
            let _ = write!(text, "{symbol:>WIDTH$}");
        }
    }
    text
}
