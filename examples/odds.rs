//! The odds of a board, what is proven, and the move.
//!
//! ```text
//! cargo run --example odds samples/fields/forced-guess.txt
//! ```

use std::fmt::Write as _;
use std::process::ExitCode;

use sapper::{Board, Effort, Error, Objective, evaluate};

/// A table with the odds of every hidden cell and the state of every open one, the number of proven
/// cells, and the move.
fn describe(board: &Board) -> Result<String, Error> {
    let evaluation = evaluate(board)?;
    let shape = board.shape();
    let mut text = String::new();
    for cell in shape.cells() {
        let place = shape.at(cell);
        let _ = match evaluation.odds_at(place.row, place.column) {
            Some(odds) => write!(text, "{odds:6.3}"),
            None => write!(text, "{:>6}", board.state(cell).to_string()),
        };
        if place.column + 1 == shape.columns() {
            text.push('\n');
        }
    }
    let (safe, mines) = (evaluation.safe().len(), evaluation.mines().len());
    let _ = writeln!(text, "proven: {safe} safe, {mines} mined");
    if let Some(best) = evaluation.best_move(Objective::FewestHits, Effort::Full) {
        let _ = writeln!(text, "open {}, found by {}", best.place(), best.by.name());
    }
    Ok(text)
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("give the file of a board")?;
    let board: Board = std::fs::read_to_string(file)?.parse()?;
    print!("{}", describe(&board)?);
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[test]
fn a_board_is_described() {
    let board: Board = "3 2 1\n1..\n1..".parse().expect("a board");
    let expected = "     1 0.500 0.000\n     1 0.500 0.000\n\
                    proven: 2 safe, 0 mined\nopen (0,2), found by deduction\n";
    assert_eq!(describe(&board).as_deref(), Ok(expected));
}
