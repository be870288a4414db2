//! `judge replay`: a game on file as a page to step through, or one turn of it as a picture.

mod drawing;
mod frames;
mod json;
mod look;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::text::pluralize;
use sapper::referee::record::Record;

use crate::cli::Outcome;
use crate::cli::output::{outln, write};
use crate::cli::position::read_text;
use crate::cli::strength::BotStrength;

/// Make a page that steps through a game, or a picture of one turn.
///
/// A game is a file of `judge play --log`, a recorded game, or a Botzone log. The page is one file
/// that needs nothing else, no network either: the board with the exact odds of every hidden cell,
/// the move and why, mines and score.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play --seeds 7 --log games && judge replay games/30x20-80-7.json \\
      -o game.html
  judge replay samples/games/default-30x20-80.json -o page.html
  judge replay botzone-log.json --svg 41 -o turn-41.svg
  judge replay botzone-log.json --svg last > end.svg
  judge replay botzone-log.json --json | jq '.turns[] | select(.hit)'

Turns count from 0, as in the log; the frame after the last answer is the end. On the page: left
and right arrows step, Home and End jump, PageUp and PageDown go ten turns, g and Shift+g to the
next and last guess, m and Shift+m to the next and last mine, s saves the turn as SVG, the
space bar plays. page.html#41 opens at turn 41.

Each turn is told as the bot thinks: why it opens the cell, or what it would have opened instead
of another bot's choice. --effort fast makes the page of a hard game sooner.

The title tells size, mines, seed, bot and score, as far as the log does: `judge play` and `judge pit`
write down who played, Botzone's logs do not say.

--json gives the same for programs: name of the file, title, and turns of {turn, opened, move, kind, odds, hit, instead, caption,
why, candidates, score, hits, hidden, note}. opened lists [[row, column], value] of the cells that the
turn's request shows open (9 a mine), move and odds are of the answer, instead is the bot's own move
where that is another, kind the step that decides (or mine for a proven one, illegal, none, end), laid the mines where the
log tells them.

Exit code: 0, or 2 when the file is no game or cannot be written.")]
pub struct Arguments {
    /// The game, or - for standard input
    game: PathBuf,
    /// File to write, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Draw this turn as SVG instead: a number from 0, or `last`
    #[arg(long, value_name = "TURN", value_parser = turn)]
    svg: Option<Turn>,
    /// Give the turns as one JSON object instead of a page
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

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let name = arguments.game.display();
    let record = Record::read(&read_text(&arguments.game)?).with_context(|| format!("{name}"))?;
    let template = "{pos}/{len} turns {wide_bar} {elapsed} (eta {eta})";
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let game = frames::frames(&record, arguments.strength.objective_and_effort(), &bar)
        .with_context(|| format!("{name}"))?;
    bar.finish_and_clear();
    let last = game.frames.len() - 1;
    let title = arguments.game.file_name().unwrap_or_default().to_string_lossy();
    let (text, what) = match arguments.svg {
        _ if arguments.json => (format!("{}\n", json::game(&game, &title)), all(&record)),
        Some(turn) => {
            let number = match turn {
                Turn::Number(number) => number,
                Turn::Last => last,
            };
            ensure!(number <= last, "{name}: there is no turn {number}: {}", there_are(&game));
            let end = if game.has_ended() && number == last { ", the end" } else { "" };
            let picture = drawing::picture(&game.frames[number], &look::looks());
            (format!("{picture}\n"), format!("turn {number}{end}"))
        }
        None => (page::page(&record, &game, &title), all(&record)),
    };
    give(&arguments.output, &text, &what)?;
    Ok(Outcome::Good)
}

fn all(record: &Record) -> String {
    pluralize(record.answers(), "turn", "turns")
}

/// The turns that can be drawn.
fn there_are(game: &frames::Game) -> String {
    let last = game.frames.len() - 1;
    match last.checked_sub(1).filter(|_| game.has_ended()) {
        Some(before) => format!("the turns are 0 to {before}, and {last} is the end"),
        None => format!("the turns are 0 to {last}"),
    }
}

fn give(output: &Path, text: &str, what: &str) -> Result<()> {
    if output.as_os_str() == "-" {
        write(text);
        return Ok(());
    }
    fs::write(output, text).with_context(|| format!("cannot write {}", output.display()))?;
    outln!("{}: {what}, {} kB", output.display(), text.len().div_ceil(1000));
    Ok(())
}
