//! `judge replay`: a recorded game as a page to step through, or one turn of it as a picture.
//!
//! [`analyze_game`] analyzes the turns on all threads. The rest is output: [`json`],
//! [`mod@picture`] for a picture, with [`style`] for its cells, and [`viewer::page`] for the page.
//!
//! Invariant: the page's script only selects what was computed here.

mod json;
mod picture;
mod style;

use std::fs;
use std::path::{Path, PathBuf};

use self::json::ReplayReport;
use analysis::review::frames::END;
use anyhow::{Context, Result, ensure};
use sapper::kit::text::pluralize;
use viewer::page::{AnalyzedGame, page};

use crate::cli::{BotStrength, Outcome, outln, read_game, write};
use crate::report::analyze_game;
use crate::runner::files::{check_output, file_name};

/// Write a page that steps through a game, or a picture of one turn.
///
/// A game is a file written by `judge play --log`, a recorded game, or a Botzone log. The page is
/// one self-contained file, which needs no network: the board with the exact odds of every hidden
/// cell, the move and its reasons, mines and score.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play --seeds 7 --log games
  judge replay games/30x20-80-7.json -o game.html
  judge replay samples/games/default-30x20-80.json -o page.html
  judge replay botzone-log.json --svg 41 -o turn-41.svg
  judge replay botzone-log.json --svg last -o end.svg
  judge replay botzone-log.json --json

Exit code: 0 success, 2 the file is not a game, or the output cannot be written.")]
pub struct Arguments {
    /// The file of the game, or - for standard input
    game: PathBuf,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write a picture of this turn as SVG instead: a number from 0, or `last`
    #[arg(long, value_name = "TURN", value_parser = turn)]
    svg: Option<Turn>,
    /// Write the turns as one JSON object instead of a page
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    #[command(flatten)]
    strength: BotStrength,
}

#[derive(Clone, Copy)]
enum Turn {
    Number(usize),
    Last,
}

fn turn(text: &str) -> Result<Turn, String> {
    match (text, text.parse()) {
        ("last", _) => Ok(Turn::Last),
        (_, Ok(number)) => Ok(Turn::Number(number)),
        _ => Err("give a turn from 0, or `last`".to_owned()),
    }
}

/// Whether the last frame is the end of the game, which has no move.
fn has_ended(game: &AnalyzedGame) -> bool {
    game.frames.last().is_some_and(|frame| frame.kind == END)
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.output.as_os_str() != "-" {
        check_output(&arguments.output)?;
    }
    let name = file_name(&arguments.game);
    let record = read_game(&arguments.game)?;
    let (objective, effort) = arguments.strength.objective_and_effort(record.rule());
    let all_turns = pluralize(record.answers(), "turn", "turns");
    let game = analyze_game(record, objective, effort).with_context(|| name.clone())?;
    let last = game.frames.len() - 1;
    let title = arguments.game.file_name().unwrap_or_default().to_string_lossy();
    let (text, contents) = match arguments.svg {
        _ if arguments.json => {
            let report = serde_json::to_string(&ReplayReport::of(&game, &title))?;
            (format!("{report}\n"), all_turns)
        }
        Some(turn) => {
            let number = match turn {
                Turn::Number(number) => number,
                Turn::Last => last,
            };
            ensure!(number <= last, "{name}: there is no turn {number}: {}", turns_text(&game));
            let end = if has_ended(&game) && number == last { ", the end" } else { "" };
            let picture = picture::picture(&game.frames[number]);
            (format!("{picture}\n"), format!("turn {number}{end}"))
        }
        None => (page(&game, &title), all_turns),
    };
    write_output(&arguments.output, &text, &contents)?;
    Ok(Outcome::Good)
}

/// The turns that can be drawn, for an error message.
fn turns_text(game: &AnalyzedGame) -> String {
    let last = game.frames.len() - 1;
    match last.checked_sub(1).filter(|_| has_ended(game)) {
        Some(before) => format!("the turns are 0 to {before}, and {last} is the end"),
        None => format!("the turns are 0 to {last}"),
    }
}

/// Writes `text` to a file and reports its `contents`, or writes it to standard output.
fn write_output(output: &Path, text: &str, contents: &str) -> Result<()> {
    if output.as_os_str() == "-" {
        write(text);
        return Ok(());
    }
    fs::write(output, text).with_context(|| format!("cannot write {}", output.display()))?;
    outln!("{}: {contents}, {} kB", output.display(), text.len().div_ceil(1000));
    Ok(())
}
