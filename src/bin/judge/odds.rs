//! `judge odds`: the mine odds of every hidden cell of a position.

use crate::output::say;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use sapper::board::{Board, Shown};
use sapper::budget::{Budget, Deadlines, NoClock};
use sapper::combine::layouts;
use sapper::deduce::{Deducer, Reach};
use sapper::game::log::Record;
use sapper::params::COUNT_NODES;
use sapper::probability::{Odds, Prober};
use sapper::session::Session;
use serde_json::{Value, json};

use super::Outcome;

/// Show the mine odds of every hidden cell of a position.
///
/// Reads a Botzone input (a whole history or a bare request), a recorded game, or a Botzone log, of which the
/// last request counts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge odds samples/requests/forced-guess.json
  judge odds samples/games/default-30x20-80.json --json
  echo '{\"height\":3,\"width\":3,\"minecount\":1,\"changed\":[{\"row\":0,\"col\":0,\"val\":1}]}' | judge odds -

--json prints {\"height\":H,\"width\":W,\"minecount\":M,\"odds\":[[...],...]}: H rows of W entries, a number for a
hidden cell (exactly 0 or 1 if and only if proven), null for an open one.

Exit code: 0, or 2 when the input cannot be read or the position is impossible (with the reasons).")]
pub struct Arguments {
    /// File to read, or - for standard input
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let text = read(&arguments.file)?;
    let name = arguments.file.display();
    let board = board_of(&text).with_context(|| format!("{name}"))?;
    let position = board.position();
    let mut deducer = Deducer::new();
    let mut prober = Prober::default();
    let mut budget = Budget::new(COUNT_NODES, Deadlines::DEFAULT, &NoClock);
    let odds = deducer
        .run(&position, Reach::FixedPoint)
        .and_then(|()| prober.run(&position, &deducer, &mut budget))
        .map_err(|contradiction| {
            anyhow!("{name}: impossible position: {}", contradiction.told(board.shape()))
        })?;
    if arguments.json {
        say!("{}", as_json(&board, odds));
    } else {
        crate::output::write(&as_text(&board, odds).to_string());
        let counted = layouts(&position, &mut budget.apart(budget.limit()));
        match (counted, odds.ln_layouts()) {
            (Ok(Some(1)), _) => say!("1 layout"),
            (Ok(Some(layouts)), _) => say!("{layouts} layouts"),
            (_, Some(ln)) => {
                let log = ln * std::f64::consts::LOG10_E;
                say!("about {:.2}e{:.0} layouts", 10_f64.powf(log.fract()), log.floor());
            }
            _ => {}
        }
    }
    if odds.approximate() > 0 {
        eprintln!(
            "judge: warning: {} cells have approximate odds: their frontier is too wide to count",
            odds.approximate()
        );
    }
    Ok(Outcome::Good)
}

fn read(file: &Path) -> anyhow::Result<String> {
    if file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The board of an input, or of the last request of a game. Every reason against it is an error.
///
/// Of several values, as a bot that is kept running reads them, each follows on the one before.
fn board_of(text: &str) -> anyhow::Result<Board> {
    let text = text.trim_start_matches('\u{feff}');
    let mut session = Session::default();
    let mut values = 0;
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.context("the input is not JSON")?;
        let is_log = value.is_array() || value.get("log").is_some();
        session.take(serde_json::from_value(if is_log { last_input(&value)? } else { value })?)?;
        values += 1;
    }
    ensure!(values > 0, "the input is empty");
    let (board, reasons) = session.board()?;
    if !reasons.is_empty() {
        bail!("impossible position:\n  {}", reasons.join("\n  "));
    }
    Ok(board)
}

/// The input of a game's last turn.
fn last_input(game: &Value) -> anyhow::Result<Value> {
    let record = Record::read(&game.to_string())?;
    let mut turns = (0..=record.answers()).rev();
    turns.find_map(|turn| record.input(turn)).context("the game has no request")
}

fn as_json(board: &Board, odds: &Odds) -> Value {
    let shape = board.shape();
    let row = |row: u32| -> Vec<Value> {
        let cells = shape.cells().filter(|&cell| shape.row(cell) == row);
        cells
            .map(|cell| if board.is_hidden(cell) { json!(odds.of(cell)) } else { Value::Null })
            .collect()
    };
    json!({
        "height": shape.rows(),
        "width": shape.columns(),
        "minecount": board.mines(),
        "odds": (0..shape.rows()).map(row).collect::<Vec<_>>(),
    })
}

fn as_text(board: &Board, odds: &Odds) -> String {
    let shape = board.shape();
    let mut text = format!(
        "{}x{}, {} mines; hidden cells in percent, [0] and [*] proven, open cells as (n);\n\
         rows and columns from 0\n\n",
        shape.columns(),
        shape.rows(),
        board.mines()
    );
    let numbers = (0..shape.columns()).map(|column| format!("{column:>5}"));
    let _ = writeln!(text, "{:>4} {}", "", numbers.collect::<String>());
    for cell in shape.cells() {
        if shape.column(cell) == 0 {
            let _ = write!(text, "{:>4} ", shape.row(cell));
        }
        let sign = match board.shown(cell) {
            Shown::Hidden if odds.of(cell) == 0.0 => "[0]".to_owned(),
            Shown::Hidden if odds.of(cell) == 1.0 => "[*]".to_owned(),
            Shown::Hidden => format!("{:.1}", 100.0 * odds.of(cell)),
            Shown::Number(0) => "( )".to_owned(),
            Shown::Number(number) => format!("({number})"),
            Shown::Hit => "(*)".to_owned(),
            Shown::Illegible => "(?)".to_owned(),
        };
        let _ = write!(text, "{sign:>5}");
        if shape.column(cell) + 1 == shape.columns() {
            text.push('\n');
        }
    }
    text.push('\n');
    text
}
