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
  judge bench --boards samples/boards/expert-safe-first.txt \\
      --rule safe-first --csv new.csv
  judge compare old.csv new.csv
  judge compare old.csv new.csv --json
  judge pit --bot old=./old --bot new=./new --csv games.csv
  judge compare games.csv games.csv --a old --b new

Rows are paired by `index`. It has to name the same board in both files. Where both have the column
`options` (level, rule and first cell), or `policy` (of `judge coach`), it has to be the same;
otherwise this is not checked. A fault is an `outcome` other than `done` and `unfinished`.

Differences are B - A: percentage points of games won, and mines per board. Intervals are 95 %
intervals of the mean difference. The interval of wins combines the exact intervals of the shares of
boards on which B is better and worse: it excludes 0 if and only if the exact sign test does, and is
wider than two standard errors while these boards are few. The interval of mines is Student's t;
while few boards differ, it excludes 0 only if the exact sign-flip test does too. A board that is in
only one file is skipped; for the mines or the cost, so is a board whose `hits` or `cost` is blank
in either file.

Rows named adjusted are without the luck of the guesses, from `judge bench --adjusted`, `play` and
`pit`. Their mean difference is the same and scatters less. They assume that all layouts are equally
likely and that the bots know the numbers only, which those commands check. The row named cost is
from `judge coach`: what the decisions cost above those of the same policy, in mines or as a share
of clean games.

The last lines say by each measure which bot is better: the interval excludes 0, or there is none
because six boards or more differ, all by the same amount. Otherwise they say about how many more
boards show a difference of the size found. Of a measure and the same adjusted, the adjusted one is
more exact.

--json prints one object: a, b, bot_a, bot_b; the numbers boards, only_in_a, only_in_b,
without_hits, without_cost, wins_a and wins_b; faults_a and faults_b (the number of each kind); and
the measures wins_percent, adjusted_wins_percent, mines, adjusted_mines and cost, null where no
board has them. A measure has boards, a, b, difference (B - A), standard_error, interval, better (a,
b or null), too_few_boards, more_boards, b_better, equal and b_worse; an adjusted one fewer_boards,
the factor by which it needs fewer.

Exit code: 0, or 2 when a file cannot be read or no board is in both files.")]
pub struct Arguments {
    /// Table of the first bot
    #[arg(value_name = "A.csv")]
    pub a: PathBuf,
    /// Table of the second bot
    #[arg(value_name = "B.csv")]
    pub b: PathBuf,
    /// The bot of A.csv whose rows count, if there are several
    #[arg(long = "a", value_name = "BOT")]
    pub bot_a: Option<String>,
    /// The bot of B.csv whose rows count, if there are several
    #[arg(long = "b", value_name = "BOT")]
    pub bot_b: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
