//! A bot for Botzone that chooses by itself: it opens the cell that is least likely to be a mine.
//!
//! ```text
//! cargo build --example bot
//! cargo sapper judge play --bot target/debug/examples/bot --seeds 1..3
//! ```

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;

use sapper::bot::session::Session;
use sapper::protocol::{KEEP_RUNNING_MARKER, inputs, reply_line};
use sapper::{Board, Place, evaluate};

/// The cell to open; the first hidden one if no layout fits the board.
fn choose(board: &Board) -> Option<Place> {
    match evaluate(board) {
        Ok(evaluation) => evaluation.odds().min_by(|a, b| a.1.total_cmp(&b.1)).map(|cell| cell.0),
        Err(_) => board.hidden().next().map(|cell| board.shape().at(cell)),
    }
}

/// Answers every request or history of `input`, and stays ready for the next one.
fn serve(input: impl BufRead, mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let mut session = Session::default();
    for request in inputs(input) {
        session.push(request?);
        let (board, warnings) = session.board()?;
        warnings.iter().for_each(|warning| eprintln!("{warning}"));
        let place = choose(&board).ok_or("no cell is hidden")?;
        writeln!(output, "{}\n{KEEP_RUNNING_MARKER}", reply_line(place, None))?;
        output.flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match serve(stdin().lock(), stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[test]
fn each_request_has_a_line_and_the_marker() {
    let requests = r#"{"height":2,"width":3,"minecount":1,"changed":[]}
        {"changed":[{"row":0,"col":0,"val":1},{"row":1,"col":0,"val":1}]}
        {"changed":[{"row":0,"col":2,"val":7}]}"#;
    let mut output = Vec::new();
    serve(requests.as_bytes(), &mut output).expect("requests of one match");
    let lines = String::from_utf8(output).expect("text");
    let places = [(0, 0), (0, 2), (0, 1)];
    let line = |(row, column)| reply_line(Place { row, column }, None);
    let expected = places.map(|place| format!("{}\n{KEEP_RUNNING_MARKER}\n", line(place)));
    assert_eq!(lines, expected.concat());
}
