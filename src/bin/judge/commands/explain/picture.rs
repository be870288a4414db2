//! The position as a picture for a terminal: signs that say everything, colours on top.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, AnsiColor, RgbColor, Style};
use anstyle_lossy::rgb_to_xterm;
use colorous::Color;
use sapper::base::text::pluralize;
use sapper::board::CellState;
use sapper::board::geometry::Cell;

use super::explained::Explained;
use crate::results::palette::{heat, ink};

/// Columns of the terminal a cell takes.
const WIDTH: usize = 4;

/// The headline and the picture.
pub fn text(explained: &Explained) -> String {
    let Explained { input, analysis, density } = explained;
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
        let (sign, style) = look(explained, cell);
        let _ = write!(text, "{style}{sign}{style:#}");
        if shape.column(cell) + 1 == shape.columns() {
            text.push('\n');
        }
    }
    text.push('\n');
    text + &legend(explained) + "\n"
}

/// What the signs mean, as far as there are any.
fn legend(explained: &Explained) -> String {
    let (board, analysis) = (&explained.input.board, explained.analysis);
    let hit = format!("* {}", explained.input.known_mine_name());
    let any = |is: fn(CellState) -> bool| board.iter().any(|(_, shown)| is(shown));
    let hidden = |is: fn(f64) -> bool| board.hidden().any(|cell| is(analysis.odds().of(cell)));
    let of_hidden = [
        (hidden(|odds| 0.0 < odds && odds < 1.0), "7 a mine with 7 % (brighter is riskier)"),
        (hidden(|odds| odds == 0.0), "[0] proven safe"),
        (hidden(|odds| odds == 1.0), "[*] proven a mine"),
        (analysis.chosen().is_some(), ">7< the move"),
    ];
    let of_open = [
        (any(|shown| shown == CellState::Number(0)), ". no mine around it"),
        (any(|shown| matches!(shown, CellState::Number(1..))), "1-8 so many mines around it"),
        (any(|shown| shown == CellState::Hit), &hit),
        (any(|shown| shown == CellState::Illegible), "x its number cannot be read"),
    ];
    let mut text = String::new();
    for (what, signs) in [("Hidden", &of_hidden), ("Open", &of_open)] {
        let signs: Vec<&str> = signs.iter().filter(|(is, _)| *is).map(|(_, sign)| *sign).collect();
        if !signs.is_empty() {
            let _ = writeln!(text, "{what} cells: {}", signs.join("; "));
        }
    }
    text + "Rows and columns count from 0.\n"
}

/// What stands for a cell, `WIDTH` characters, and how it is coloured.
fn look(explained: &Explained, cell: Cell) -> (String, Style) {
    let analysis = explained.analysis;
    match explained.input.board.state(cell) {
        CellState::Number(0) => ("   .".to_owned(), Style::new().dimmed()),
        CellState::Number(number) => (format!("   {number}"), Style::new().bold()),
        CellState::Hit => {
            ("   *".to_owned(), Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into())))
        }
        CellState::Illegible => ("   x".to_owned(), Style::new()),
        CellState::Hidden => {
            let odds = analysis.odds().of(cell);
            let sign = if odds == 0.0 {
                "[0]".to_owned()
            } else if odds == 1.0 {
                "[*]".to_owned()
            } else {
                // Between 1 and 99, so that nothing looks proven that is not.
                format!("{:.0}", (100.0 * odds).clamp(1.0, 99.0))
            };
            let is_move = analysis.chosen().is_some_and(|chosen| chosen.cell == cell);
            let sign = if is_move { format!(">{}<", sign.trim_matches(['[', ']'])) } else { sign };
            let back = heat(odds);
            let style = Style::new().bg_color(Some(of_terminal(back).into()));
            let style = style.fg_color(Some(of_terminal(ink(back)).into()));
            (format!("{sign:>WIDTH$}"), if is_move { style.bold().underline() } else { style })
        }
    }
}

/// The nearest of the 256 colours that terminals have had for long.
fn of_terminal(color: Color) -> Ansi256Color {
    rgb_to_xterm(RgbColor(color.r, color.g, color.b))
}
