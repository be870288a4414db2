//! `judge replay`: a recorded game as a page to step through, or one turn of it as a picture.
//!
//! [`analyze_game`] analyzes the turns on all threads. The rest is output: [`json`],
//! [`mod@picture`] for a picture, with [`style`] for its cells, and [`viewer::page`] for the page.
//!
//! Invariant: the page's script only selects what was computed here.

mod json;
mod picture;
mod style;

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use self::json::ReportWriter;
use analysis::Analyzer;
use analysis::review::outcome::RecordEnd;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Context, Result, ensure};
use output::{Kind, Output};
use sapper::kit::text::pluralize;
use viewer::page::PageWriter;

use crate::cli::output::print;
use crate::cli::{BotStrength, ForceOption, MatchOption, Outcome, outln, parse_integer};
use crate::report::{REPLAY_PAGE, analyze_game};
use crate::runner::interrupt;

/// Attributes are sorted by their names.
const PICTURE: Kind<'static> = Kind {
    name: "picture of `judge replay`",
    beginnings: &[r#"<svg aria-labelledby="picture-title" "#],
};
/// The first key is that of [`json`].
const JSON: Kind<'static> =
    Kind { name: "report of `judge replay --json`", beginnings: &["{\"adjusted_won\":"] };

/// Write a page that steps through a game, or a picture of one turn.
///
/// A game is a file written by `judge play --log`, a Botzone log, or the recording of a person
/// (AVF, MVF, RMV, EVF, RAWVF). The page is one self-contained file, which needs no network: the
/// board with the exact odds of every hidden cell, the move and its reasons, the chance to win, and
/// what each click made of it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play --seeds 7 --log games
  judge replay games/30x20-80-7.json -o game.html
  judge replay samples/games/default-30x20-80.json -o page.html
  judge replay botzone-log.json --svg 41 -o turn-41.svg
  judge replay botzone-log.json --svg last -o end.svg
  judge replay botzone-log.json --json

Exit code: 0 success, 2 the file is not a game, or the output cannot be written, 130 interrupted.")]
pub struct Arguments {
    /// The file of the game, or - for standard input
    game: PathBuf,
    /// The file to write, or - for standard output [default: standard output; where that is a
    /// terminal, a page is written to NAME.html in the current folder, after the name of the game]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
    #[command(flatten)]
    chosen: MatchOption,
    /// Write a picture of this turn as SVG instead: a number from 0, or `last`
    #[arg(long, value_name = "TURN", value_parser = turn)]
    svg: Option<Turn>,
    /// Write the turns as one JSON object instead of a page
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    #[command(flatten)]
    strength: BotStrength,
    /// Playouts that tell the chance to win where no proven cell was opened, at least 20; 0 for
    /// none [default: up to 200, fewer where it is known within one point, or mines within a
    /// twentieth]
    #[arg(long, value_name = "N", conflicts_with = "svg")]
    #[arg(value_parser = parse_integer::<u32>)]
    playouts: Option<u32>,
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

impl Arguments {
    /// The file to write; `None` is standard output, which may be a terminal.
    fn target(&self, is_terminal: bool) -> Option<PathBuf> {
        match &self.output {
            Some(output) => Some(output.clone()).filter(|output| output.as_os_str() != "-"),
            None if is_terminal && !self.json && self.svg.is_none() => {
                let name = Some(self.game.as_path()).filter(|game| game.as_os_str() != "-");
                let stem = name.and_then(Path::file_stem).unwrap_or("game".as_ref());
                // Not `with_extension`, because the stem may contain a dot.
                let mut page = stem.to_owned();
                page.push(".html");
                Some(page.into())
            }
            None => None,
        }
    }

    /// What is written.
    fn kind(&self) -> Kind<'static> {
        match self {
            Arguments { json: true, .. } => JSON,
            Arguments { svg: Some(_), .. } => PICTURE,
            _ => REPLAY_PAGE,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let target = arguments.target(io::stdout().is_terminal());
    let (kind, force) = (arguments.kind(), arguments.over.force());
    let output = |path| Output::new(path, kind, [arguments.game.as_path()], force);
    let output = target.as_deref().map(output).transpose()?;
    let playouts = arguments.playouts;
    let (name, game) = arguments.chosen.reviewed_game(&arguments.game)?;
    let game = game.as_ref();
    let (objective, effort) = arguments.strength.objective_and_effort(game.outcome().rule);
    // A page that is not whole is removed.
    interrupt::defer_exit(1);
    let mut part = output.as_ref().map(Output::create).transpose()?;
    let out: &mut dyn Write = match &mut part {
        Some(part) => part,
        None => &mut Printed,
    };
    let mut out = Counted { out, bytes: 0 };
    let title = arguments.game.file_name().unwrap_or_default().to_string_lossy();
    let cannot = || format!("cannot write {}", target.as_deref().unwrap_or("-".as_ref()).display());
    let mut contents = pluralize(game.moves(), "turn", "turns");
    let mut interrupted = false;
    match arguments.svg {
        _ if arguments.json => {
            let mut report = ReportWriter::begin(&mut out, game, objective, &title)?;
            interrupted = analyze_game(game, objective, effort, playouts, |frame| {
                report.add(frame).with_context(cannot)
            })?;
            if !interrupted {
                report.end().with_context(cannot)?;
            }
        }
        Some(turn) => {
            let last = game.frames() - 1;
            let number = match turn {
                Turn::Number(number) => number,
                Turn::Last => last,
            };
            ensure!(number <= last, "{name}: there is no turn {number}: {}", turns_text(game));
            let end = if has_ended(game) && number == last { ", the end" } else { "" };
            let frame = game.frame(number, &mut Analyzer::new(objective, effort));
            writeln!(out, "{}", picture::picture(&frame)).with_context(cannot)?;
            contents = format!("turn {number}{end}");
        }
        None => {
            let page = PageWriter::begin(&mut out, game, objective, &title);
            let mut page = page.with_context(cannot)?;
            interrupted = analyze_game(game, objective, effort, playouts, |frame| {
                page.add(frame).with_context(cannot)
            })?;
            if !interrupted {
                page.end().with_context(cannot)?;
            }
        }
    }
    let size = out.bytes.div_ceil(1000);
    if interrupted {
        return Ok(Outcome::Good.unless_interrupted(true, "; nothing was written"));
    }
    if let Some(part) = part {
        part.finish()?;
        outln!("{}: {contents}, {size} kB", target.unwrap_or_default().display());
    }
    Ok(Outcome::Good)
}

/// Whether the last frame is the end of the game, which has no move.
fn has_ended(game: &dyn ReviewedGame) -> bool {
    game.outcome().end != RecordEnd::Unfinished
}

/// The turns that can be drawn, for an error message.
fn turns_text(game: &dyn ReviewedGame) -> String {
    let last = game.frames() - 1;
    match last.checked_sub(1).filter(|_| has_ended(game)) {
        Some(before) => format!("the turns are 0 to {before}, and {last} is the end"),
        None => format!("the turns are 0 to {last}"),
    }
}

/// Standard output, which may be closed.
struct Printed;

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        print(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts what is written.
struct Counted<'o> {
    out: &'o mut dyn Write,
    bytes: usize,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_terminal_gets_the_path_of_a_page_in_the_current_folder() {
        let target = |line: &str, is_terminal| {
            let words = std::iter::once("replay").chain(line.split(' '));
            Line::try_parse_from(words).unwrap().arguments.target(is_terminal)
        };
        for (line, page) in [
            ("in/game.json", "game.html"),
            ("in/a.b.json", "a.b.html"),
            ("-", "game.html"),
            ("game", "game.html"),
        ] {
            assert_eq!(target(line, true), Some(page.into()), "{line}");
            assert_eq!(target(line, false), None, "{line}");
        }
        for is_terminal in [true, false] {
            assert_eq!(target("in/game.json -o -", is_terminal), None);
            assert_eq!(target("game.json --json", is_terminal), None);
            assert_eq!(target("game.json --svg 3", is_terminal), None);
            assert_eq!(target("game.json -o x/y", is_terminal), Some("x/y".into()));
        }
    }
}
