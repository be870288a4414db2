//! `judge plot`: pictures of results, from the files that the other commands print.
//!
//! What a file holds says what it is, and what is given says which picture is drawn, unless
//! `--kind` does.

mod bars;
mod diagonal;
mod input;
mod labels;
mod rates;
mod style;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use plotters::prelude::*;
use serde_json::json;

use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::cli::parse::option_name;
use input::{Content, Input, Series};
use style::SIZE;

/// Draw results as a picture (SVG).
///
/// Three kinds: the win rate against the time of a game, the calibration diagonal, and how far
/// boards were explored.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --seeds 1..20000 \\
      --effort fast --json > fast.json
  judge bench --level expert --rule safe-first --seeds 1..20000 \\
      --effort full --json > full.json
  judge plot fast.json full.json samples/plots/peers-expert-safe-first.csv \\
      -o rates.svg
  judge plot 'without endgame=old.json' 'with endgame=new.json' -o rates.svg
  judge plot full.json -o explored.svg
  judge plot fast.json full.json --kind explored -o explored.svg
  judge calibrate --json > odds.json && judge plot odds.json -o diagonal.svg

Files, by what they hold:
  a report        `judge bench --json`, `judge report --json`, or one shard
                  of `bench --out`
  a calibration   `judge calibrate --json`
  figures         a CSV with the columns name,games,percent,ms (and others
                  that do not count): games played, percent of them won,
                  milliseconds of a processor a game

Without --kind, calibrations make a diagonal, a report alone its exploration, and anything else
win rates. All intervals are 95 %. NAME=FILE names a file's results in the picture.

Exit code: 0, or 2 for bad input.")]
pub struct Arguments {
    /// Files of results
    #[arg(required = true, value_name = "[NAME=]FILE")]
    files: Vec<String>,
    /// The picture's file, .svg
    #[arg(short, long, value_name = "FILE.svg")]
    output: PathBuf,
    /// What is drawn [default: by what the files hold]
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// The picture's title [default: what the results have in common]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Say what was drawn as one JSON object: output, kind, files
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Games won against the time of a game
    WinRate,
    /// Predicted odds against what was seen
    Calibration,
    /// Games by how much of the safe cells was open at the end
    Explored,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let svg = arguments.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    ensure!(svg, "the picture is an SVG: end the name {} in .svg", arguments.output.display());
    let inputs: Vec<Input> =
        arguments.files.iter().map(|word| Input::read(word)).collect::<Result<_>>()?;
    let kind = arguments.kind.unwrap_or_else(|| kind_of(&inputs));
    let title = arguments.title.as_deref();
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        match kind {
            Kind::WinRate => rates::draw(&area, &rates::points(&inputs)?, title)?,
            Kind::Calibration => {
                let series = select(&inputs, kind, |content| match content {
                    Content::Calibration(calibration) => Some(calibration),
                    _ => None,
                })?;
                diagonal::draw(&area, &series, title)?;
            }
            Kind::Explored => {
                let series = select(&inputs, kind, |content| match content {
                    Content::Report(report) => Some(report),
                    _ => None,
                })?;
                bars::draw(&area, &series, title)?;
            }
        }
        area.present()?;
    }
    let path = arguments.output.display();
    std::fs::write(&arguments.output, picture).with_context(|| format!("cannot write {path}"))?;
    if arguments.json {
        let output = path.to_string();
        outln!(
            "{}",
            json!({"output": output, "kind": option_name(&kind), "files": arguments.files})
        );
    } else {
        outln!("{path}: {}", option_name(&kind));
    }
    Ok(Outcome::Good)
}

fn kind_of(inputs: &[Input]) -> Kind {
    match inputs.iter().map(|input| &input.content).collect::<Vec<_>>()[..] {
        [Content::Calibration(_), ..] => Kind::Calibration,
        [Content::Report(_)] => Kind::Explored,
        _ => Kind::WinRate,
    }
}

/// The inputs, which must all be of the kind that is drawn.
fn select<T>(
    inputs: &[Input],
    kind: Kind,
    of: fn(&Content) -> Option<&T>,
) -> Result<Series<'_, T>> {
    let mut series: Series<'_, T> = Vec::new();
    for input in inputs {
        match of(&input.content) {
            Some(content) => series.push((input.name.as_deref(), content)),
            None => bail!(
                "{} holds {}, which is not for a picture of kind {}; leave it out or give another --kind",
                input.path,
                input.content.what(),
                option_name(&kind)
            ),
        }
    }
    Ok(series)
}
