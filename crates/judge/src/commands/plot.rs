//! `judge plot`: draws results as a picture, from the files that other commands write.
//!
//! Invariant: the same input gives the same picture, byte for byte.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use output::{Kind as FileKind, Output};
use serde::Serialize;

use crate::cli::{ForceOption, Outcome, named_files, print_report};
use crate::report::plots::{Kind, ResultFile, default_kind, draw, name_and_path};

/// Draw results as a picture (SVG).
///
/// There are three kinds of pictures: win rates against the time of a game, the calibration
/// diagonal, and how far boards were explored.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --effort fast --json > fast.json
  judge bench --level expert --rule safe-first --effort full --json > full.json
  judge plot fast.json full.json peers.csv -o rates.svg
  judge plot \"without endgame=old.json\" \"with endgame=new.json\" -o rates.svg
  judge plot full.json -o explored.svg
  judge results show safe-fast safe-full --json > measured.json
  judge plot measured.json -o measured.svg
  judge plot fast.json full.json --kind explored -o explored.svg
  judge calibrate --json > odds.json
  judge plot odds.json -o diagonal.svg

Exit code: 0, or 2 for bad input.")]
pub struct Arguments {
    /// Results: files, folders of .json files, or patterns
    #[arg(required = true, value_name = "[NAME=]FILE")]
    files: Vec<String>,
    /// File of the picture, .svg
    #[arg(short, long, value_name = "FILE.svg")]
    output: PathBuf,
    #[command(flatten)]
    over: ForceOption,
    /// Kind of the picture [default: by the content of the files]
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Title of the picture [default: the common setting of the results]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Print one JSON object: output, kind, files
    #[arg(long)]
    json: bool,
}

impl ValueEnum for Kind {
    fn value_variants<'k>() -> &'k [Kind] {
        &Kind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.help()))
    }
}

/// A picture begins with its size.
const PICTURE: FileKind = FileKind {
    name: "picture of `judge plot`",
    beginnings: &[r#"<svg width="860" height="540" viewBox="0 0 860 540""#],
};

/// What was drawn.
#[derive(Serialize)]
struct Report<'a> {
    /// The picture.
    output: &'a str,
    kind: &'a str,
    /// The files, each as it was given.
    files: &'a [String],
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let path = &arguments.output;
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    ensure!(is_svg, "the picture is an SVG: end the name {} in .svg", path.display());
    let files = arguments.files.iter().map(|word| named_results(word));
    let files = files.collect::<Result<Vec<_>>>()?.concat();
    let inputs = files.iter().map(|word| Path::new(name_and_path(word).1));
    let picture_file = Output::new(path, PICTURE, inputs, arguments.over.force())?;
    let inputs = files.iter().map(|word| ResultFile::read(word));
    let inputs: Vec<ResultFile> =
        inputs.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let kind = arguments.kind.unwrap_or_else(|| default_kind(&inputs));
    let picture = draw(&inputs, kind, arguments.title.as_deref())?;
    let output = path.display().to_string();
    picture_file.write(picture.as_bytes())?;
    let kind = kind.name();
    let report = Report { output: &output, kind, files: &files };
    print_report(arguments.json, || report, || format!("{output}: {kind}"));
    Ok(Outcome::Good)
}

/// The files that an argument names: one with a name, or all of a folder or a pattern.
fn named_results(argument: &str) -> Result<Vec<String>> {
    if argument.contains('=') {
        return Ok(vec![argument.to_owned()]);
    }
    let files = named_files(&[argument.into()], &["json"])?;
    Ok(files.into_iter().map(|file| file.display().to_string()).collect())
}
