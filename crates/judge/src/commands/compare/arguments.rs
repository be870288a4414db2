//! The options of `judge compare` and its help text.

use std::path::PathBuf;

/// Compare two bots on the same boards, board by board.
///
/// Reads two tables as written by --csv of `judge bench`, `play`, `pit` and `coach`: a line with
/// the names of the columns, then one line per board. The columns `index`, `won` (0 or 1) and
/// `hits` (mines opened; may be blank) are used, in any order; `adjusted_won`, `adjusted_hits`,
/// `outcome`, `cost`, `options` and `policy` where there are such; and `bot` with --a and --b.
/// Others are ignored.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --level expert --rule safe-first --csv new.csv
  judge compare old.csv new.csv
  judge compare old.csv new.csv --json
  judge pit --bot old=./old --bot new=./new --csv games.csv
  judge compare games.csv games.csv --a old --b new

Exit code: 0, or 2 when a file cannot be read or no board is in both files.")]
pub struct Arguments {
    /// Table of the first bot
    #[arg(value_name = "A.csv")]
    pub a: PathBuf,
    /// Table of the second bot
    #[arg(value_name = "B.csv")]
    pub b: PathBuf,
    /// The bot of A.csv to compare, if the table has several bots
    #[arg(long = "a", value_name = "BOT")]
    pub bot_a: Option<String>,
    /// The bot of B.csv to compare, if the table has several bots
    #[arg(long = "b", value_name = "BOT")]
    pub bot_b: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
