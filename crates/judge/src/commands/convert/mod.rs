//! `judge convert`: what a file holds, written in another format.
//!
//! `kind.rs` says what can be written of what, and `written.rs` writes it by the writers of
//! [`game::formats`].
//!
//! Invariant: what a format cannot hold is refused, or said in a note.

mod kind;
mod written;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use output::Output;
use serde::Serialize;

use self::kind::Kind;
use self::written::{Written, written};
use crate::cli::output::{print, write_text};
use crate::cli::{ForceOption, Outcome, PositionFile, option_name, outln, print_json};
use crate::runner::messages::{errln, escaped_json};

/// Write what a file holds in another format: a position, layouts, or a game.
///
/// The file may be of any format that the judge reads. A game or a person's recording is also
/// written as its layout, or as the position of a turn, by default the last.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge convert samples/formats/jsminesweeper.mine --to text
  judge convert samples/formats/flags.txt --to js-link
  judge convert samples/formats/small.mbf --to pttacg
  judge convert samples/formats/pack.zip --match 2 --to rawvf -o game.rawvf
  judge convert samples/games/default-30x20-80.json --turn 12 --to mine
  judge convert recording.avf --to board -o board.txt

Kinds, by what they hold:
  position  text (a field as `judge odds` reads it), mine (.mine), and links:
            link (of this project's page), js-link (of JSMinesweeper)
  layout    mbf (MBF), pttacg (a link), board (a board file, which holds many)
  game      log (of Botzone), rawvf (RAWVF, also of a person's recording)

Links begin with the # or the ? that follows the address of the page.

Exit code: 0, or 2 when the file cannot be read, or not be written in this format.")]
pub struct Arguments {
    #[command(flatten)]
    file: PositionFile,
    /// Format to write
    #[arg(long, value_name = "KIND", value_enum)]
    to: Kind,
    /// The file to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
    /// Print one JSON object: what was written, and what was left out
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Serialize)]
struct Report<'a> {
    /// What the file holds: `position`, `layouts`, `games` or `recording`.
    held: &'a str,
    to: &'a str,
    /// The file that was written; null without one.
    output: Option<String>,
    /// What was written; null in a file. Bytes are hex digits.
    text: Option<String>,
    notes: &'a [String],
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { file, to, over, .. } = arguments;
    let target = arguments.output.as_deref().filter(|output| output.as_os_str() != "-");
    let kind = option_name(to);
    let is_shown = target.is_none() && !arguments.json && io::stdout().is_terminal();
    refuse_shown(*to, is_shown)?;
    let output = |path| Output::new(path, to.file_kind(), [file.path()], over.force());
    let output = target.map(output).transpose()?;
    let Written { held, bytes, notes } = written(file, *to)?;
    notes.iter().for_each(|note| errln!("note: {note}"));
    if let Some(output) = &output {
        output.write(&bytes)?;
    }
    let output = output.map(|output| output.path().display().to_string());
    if arguments.json {
        let text = output.is_none().then(|| text(*to, &bytes));
        print_json(&Report { held: held.name(), to: &kind, output, text, notes: &notes });
    } else if let Some(output) = output {
        outln!("{output}: {kind}");
    } else if to.is_binary() {
        print(&bytes);
    } else if *to == Kind::Log {
        outln!("{}", escaped_json(&text(*to, &bytes)));
    } else {
        write_text(&text(*to, &bytes));
    }
    Ok(Outcome::Good)
}

/// Refuses to show bytes on a terminal.
fn refuse_shown(kind: Kind, is_shown: bool) -> Result<()> {
    ensure!(
        !(kind.is_binary() && is_shown),
        "{} is no text, and standard output is a terminal; give a file by -o FILE",
        option_name(&kind)
    );
    Ok(())
}

/// The text of a format, or the hex digits of its bytes.
fn text(kind: Kind, bytes: &[u8]) -> String {
    if kind.is_binary() {
        return bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    }
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_not_shown_on_a_terminal() {
        let error = refuse_shown(Kind::Mbf, true).unwrap_err().to_string();
        assert!(error.contains("mbf is no text") && error.contains("-o FILE"), "{error}");
        assert!(refuse_shown(Kind::Mbf, false).is_ok() && refuse_shown(Kind::Board, true).is_ok());
    }
}
