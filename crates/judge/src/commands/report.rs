//! `judge report`: merges the result files of shards and reports them as one run.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::{Outcome, named_files, print_run};
use crate::report::run::{Merged, Shard};

/// Merge the results of shards and report them as one run.
///
/// Reads files written by `judge bench --resume`, complete or interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --shard 1/2 --resume 1.jsonl
  judge bench --level expert --rule safe-first --shard 2/2 --resume 2.jsonl
  judge report 1.jsonl 2.jsonl
  judge report shards --json

Exit code: 0 success, 1 a cell that was proven safe held a mine, 2 bad input.")]
pub struct Arguments {
    /// Files written by `judge bench --resume`, folders of such .jsonl files, or patterns
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let files = named_files(&arguments.shards, "jsonl")?;
    let read = |path: PathBuf| Shard::read(&path).map(|shard| (path, shard));
    let merged = Merged::from_shards(&files.into_iter().map(read).collect::<Result<Vec<_>>>()?)?;
    Ok(print_run(&merged, arguments.json))
}
