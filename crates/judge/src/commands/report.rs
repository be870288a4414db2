//! `judge report`: merges the result files of shards and reports them as one run.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::Outcome;
use crate::cli::print_run;
use crate::report::run::{Merged, Shard};

/// Merge the results of shards and report them as one run.
///
/// Reads files written by `judge bench --resume`, complete or interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --seeds 1..1000000 \\
      --shard 1/2 --resume 1.jsonl
  judge bench --level expert --rule safe-first --seeds 1..1000000 \\
      --shard 2/2 --resume 2.jsonl
  judge report 1.jsonl 2.jsonl
  judge report *.jsonl --json > report.json

Shards can be merged if they have the same version, level or board file, rule, objective and effort,
and no board in common. The report lists the boards of the run that no shard contains; it is valid
for the shards that are given. A shard without boards (of a run with more shards than boards) is
valid too.

A shard is a text file. Its first line is a JSON object that describes the run; every further line
holds the counts of the games on the next boards. All counts are sums: games, wins,
mines, mines_squared (sum over games), turns, guesses, cpu_ns, explored (games by tenths of the safe
cells that were open at the end), steps (cells opened, and mines among them, by deduction, counting,
endgame, guess and rough), and `adjusted`, the sums of `judge bench --adjusted` in hundred
thousandths, guesses, hits and inexact in ones. The exception is slowest_turn_ns, a maximum, with
the index of its board. A last line without a line feed was cut off and is ignored.

Exit code: 0 success, 1 a cell that was proven safe held a mine, 2 bad input.")]
pub struct Arguments {
    /// Files written by `judge bench --resume`
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let read = |path: &PathBuf| Ok((path.clone(), Shard::read(path)?));
    let merged =
        Merged::from_shards(&arguments.shards.iter().map(read).collect::<Result<Vec<_>>>()?)?;
    Ok(print_run(&merged, arguments.json))
}
