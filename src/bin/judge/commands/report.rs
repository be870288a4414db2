//! `judge report`: merges the results of shards and reports them as one run.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::Outcome;
use crate::results::report::merged::Merged;
use crate::results::report::print;
use crate::results::report::shard::Shard;

/// Put the results of shards together and report them as one run.
///
/// Reads files that `judge bench --out` wrote, finished or not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --seeds 1..1000000 \\
      --shard 1/2 --out 1.jsonl
  judge bench --level expert --rule safe-first --seeds 1..1000000 \\
      --shard 2/2 --out 2.jsonl
  judge report 1.jsonl 2.jsonl
  judge report *.jsonl --json > report.json

Shards are put together only if they share version, level or file of boards, rule, objective and
effort, and no board. Boards of their runs that no shard has are named: a report of some shards is
good by itself. So is that of an empty part, of a run with more parts than boards.

A shard is a text: a line of JSON says what is played, every further line counts the games on
the boards `first` to `last`. All counts are sums: games, wins, mines, mines_squared (by game),
turns, guesses, cpu_ns, explored (games by tenths of the safe cells that were open at the end),
steps (cells opened and mines among them by deduction, counting, endgame, guess, rough); but
for slowest_turn_ns, a maximum, with the index of its board. A line without its line feed was
cut off and does not count.

Exit code: 0, 1 when a cell that was proven safe held a mine, 2 for bad input.")]
pub struct Arguments {
    /// Files that `judge bench --out` wrote
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let read = |path: &PathBuf| Ok((path.clone(), Shard::read(path)?));
    let merged =
        Merged::from_shards(&arguments.shards.iter().map(read).collect::<Result<Vec<_>>>()?)?;
    Ok(print(&merged, arguments.json))
}
