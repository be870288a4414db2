//! `judge results join`: adds the figures of other files to the file of the list.
//!
//! Invariant: a part that two files have has the same sums in both, or nothing is written.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use sapper::kit::text::pluralize;

use super::folder::FolderOptions;
use super::measurement::Size;
use super::show::print_progress;
use super::store::{Figures, Store};
use crate::cli::{Outcome, named_files, outln};

/// Add the figures of shares, or of another clone, to figures.jsonl.
///
/// Parts that are there already are compared: their sums have to be equal, and only times differ.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results join share-1-of-2.jsonl share-2-of-2.jsonl
  judge results join shares --size record
  judge results join other-clone/samples/results/figures.jsonl

Exit code: 0 all parts of the size are there, 1 some are missing, 2 bad input.")]
pub struct Arguments {
    /// Files that `judge results run` wrote, folders of such .jsonl files, or patterns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    folder: FolderOptions,
    /// Size whose parts should be complete
    #[arg(long, value_enum, default_value_t = Size::Day)]
    size: Size,
    /// Print one JSON object, with all figures
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let list = arguments.folder.measurements(&[])?;
    let files = named_files(&arguments.files, &["jsonl"])?;
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let target = arguments.folder.figures()?;
    for path in &paths {
        ensure!(path.is_file(), "{} does not exist", path.display());
    }
    let found = Figures::read(&paths)?;
    for figure in found.iter() {
        let line = list.iter().find(|measurement| measurement.name == figure.name);
        let text = line.map(ToString::to_string);
        ensure!(
            text.as_ref() == Some(&figure.what),
            "{} is of another list: there it is `{}`, here {}",
            figure.name,
            figure.what,
            text.map_or("no measurement has this name".to_owned(), |text| format!("`{text}`"))
        );
    }
    // All are compared before the first is written.
    Figures::read(&[&[target.as_path()], &paths[..]].concat())?;
    let mut store = Store::open(&target, &[])?;
    let (mut added, mut equal) = (0u64, 0u64);
    for figure in found.iter() {
        match store.add(figure)? {
            true => added += 1,
            false => equal += 1,
        }
    }
    let (added, equal) =
        (pluralize(added, "part", "parts"), pluralize(equal, "part was", "parts were"));
    if !arguments.json {
        outln!("{added} added to {}; {equal} there already, with the same sums", target.display());
    }
    Ok(Outcome::from(print_progress(&list, arguments.size, &store.figures, arguments.json)))
}
