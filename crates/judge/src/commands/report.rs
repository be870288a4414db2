//! `judge report`: merges the result files of shards and reports them as one run.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use sapper::kit::text::pluralize;

use crate::cli::{Outcome, named_files, print_run};
use crate::report::run::{Merged, Shard};
use crate::runner::messages::errln;

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

Exit code: 0 success, 1 a cell that was proven safe held a mine, 2 bad input (the other shards are
reported, if any).")]
pub struct Arguments {
    /// Files written by `judge bench --resume`, folders of such .jsonl files, or patterns
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let files = named_files(&arguments.shards, &["jsonl"])?;
    let is_only = files.len() == 1;
    let (mut shards, mut faulty) = (Vec::new(), 0);
    for path in files {
        let fault = match Shard::read(&path) {
            Ok((shard, fault)) => {
                shards.push((path, shard));
                fault.map(|fault| format!("{fault}; this line and those after it do not count"))
            }
            Err(error) if is_only => return Err(error),
            Err(error) => Some(format!("{error:#}")),
        };
        faulty += usize::from(fault.is_some());
        fault.iter().for_each(|fault| errln!("{fault}"));
    }
    ensure!(!shards.is_empty(), "no file can be reported; see above");
    let outcome = print_run(&Merged::from_shards(&shards)?, arguments.json);
    if faulty > 0 {
        let files = pluralize(faulty, "file is", "files are");
        bail!("{files} not reported, or not as a whole; see above");
    }
    Ok(outcome)
}
