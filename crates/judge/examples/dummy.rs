//! A bot in which what can go wrong goes wrong, on every system alike: `dummy WHAT`. And a program
//! that prints odds, or what are none, as `judge results run` calls it: `dummy WHAT FILE --passes
//! N`.
//!
//! The judge's tests run it where a shell script would run on Unix alone. It reads a line, except
//! if it beats, and then does what its argument says.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use sapper::bot::session::Session;
use sapper::protocol::{inputs, reply_line};

/// Longer than any test waits.
const LONG: Duration = Duration::from_secs(600);

/// What the bot does after it has read a line, by its argument.
const WHAT: &str = "first, hang, spin, exit, abort, flood, silence, leave FILE or beat FILE; or, \
                    with FILE --passes N, odds, wrong-odds, no-odds, fewer-odds or other-text";

/// Opens the first hidden cell, in the order of rows.
fn answer_first(line: &str) -> Result<(), Box<dyn Error>> {
    let mut session = Session::default();
    for input in inputs(line.as_bytes()) {
        session.push(input?);
    }
    let (board, _) = session.board()?;
    let cell = board.hidden().next().ok_or("no cell is hidden")?;
    writeln!(stdout(), "{}", reply_line(board.shape().at(cell), None))?;
    Ok(())
}

/// Adds a byte to the file again and again, by which a test sees that the process runs.
fn beat(file: &str) -> Result<(), Box<dyn Error>> {
    let mut file = File::create(file)?;
    loop {
        file.write_all(b".")?;
        sleep(Duration::from_millis(20));
    }
}

/// Prints the odds of the positions in a file, or what the word says.
fn print_odds(what: &str, file: &str, passes: usize) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let positions: Vec<&str> = text.split("\n\n").collect();
    let passes = if what == "fewer-odds" { passes - 1 } else { passes };
    for (index, position) in (0..passes).flat_map(|_| positions.iter().enumerate()) {
        let is_wrong = what == "wrong-odds" && index == 0;
        let mut line = match what {
            "no-odds" => format!("{index} -"),
            "other-text" => format!("position {index}:"),
            _ => format!("{index} {}.5", 10 + index),
        };
        if matches!(what, "odds" | "wrong-odds" | "fewer-odds") {
            for (_, odds) in sapper::evaluate(&position.parse()?)?.odds() {
                line += &format!(" {}", if is_wrong { 1.0 - odds } else { odds });
            }
        }
        writeln!(stdout(), "{line}")?;
    }
    Ok(())
}

fn run(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    if let [what, file, _, passes] = arguments {
        print_odds(what, file, passes.parse()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (what, file) = match arguments {
        [what] => (what.as_str(), None),
        [what, file] => (what.as_str(), Some(file)),
        _ => return Err(WHAT.into()),
    };
    if let ("beat", Some(file)) = (what, file) {
        beat(file)?;
    }
    let mut line = String::new();
    stdin().lock().read_line(&mut line)?;
    match (what, file) {
        ("first", None) => answer_first(&line)?,
        ("hang", None) => sleep(LONG),
        ("spin", None) => loop {
            std::hint::spin_loop();
        },
        ("exit", None) => return Ok(ExitCode::from(7)),
        ("abort", None) => std::process::abort(),
        // In large pieces: a limit of time must not come before that of the output.
        ("flood", None) => loop {
            stdout().write_all(&[b'.'; 1 << 16])?;
        },
        ("silence", None) => {}
        // The child outlives its parent, and holds none of its streams.
        ("leave", Some(file)) => {
            let mut child = Command::new(std::env::current_exe()?);
            child.args(["beat", file]).stdin(Stdio::null());
            child.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            // A bot that hangs, with a child that runs.
            sleep(LONG);
        }
        _ => return Err(WHAT.into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("dummy: {error}");
        ExitCode::from(2)
    })
}
