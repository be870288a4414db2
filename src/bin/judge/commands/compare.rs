//! `judge compare`: two bots on the same boards, board by board.
//!
//! Boards differ far more than bots do. Taken board by board, what a board is worth falls out of
//! the difference, and what is left is the bots: the mean of the paired differences, with the
//! standard error of that mean. Two intervals side by side would have to be several times as narrow
//! to say as much.
//!
//! Invariant: a board counts for a measure only where both files state it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use crate::cli::Outcome;
use crate::cli::output::outln;
use crate::results::csv_table::{self, CsvFile};
use crate::results::paired::{Paired, table};

/// Compare two bots on the same boards, board by board.
///
/// Reads two tables as `judge bench --csv` writes them: a line with the columns' names, then a
/// board a line. Of the columns, `index`, `won` (0 or 1) and `hits` (mines opened; may be blank)
/// count, in any order.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt \\
      --rule safe-first --csv new.csv
  judge compare old.csv new.csv
  judge compare old.csv new.csv --json

Rows are paired by `index` alone: whether it names the same board in both files is for you to know.
Differences are B - A: points of wins, mines a board. The interval is the 95 % one of the mean of
paired differences: of mines by Student's t, of wins by the exact shares of boards better and worse,
which is wider than two standard errors while they are few. It leaves 0 out only where an exact test
does, for mines while few boards differ (signs of the differences tossed). A board that only one file
has is passed over, and for the mines one whose `hits` is blank in either file.

Exit code: 0, or 2 when a file cannot be read or no board is in both.")]
pub struct Arguments {
    /// Table of the first bot
    #[arg(value_name = "A.csv")]
    a: PathBuf,
    /// Table of the second bot
    #[arg(value_name = "B.csv")]
    b: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What one file says of one board.
#[derive(Clone, Copy)]
struct Row {
    won: bool,
    hits: Option<u32>,
    line: u64,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let mut comparison = Comparison::new();
    for (index, row) in &a {
        match b.get(index) {
            Some(other) => comparison.add(*row, *other),
            None => comparison.only_a += 1,
        }
    }
    comparison.only_b = b.len() as u64 - comparison.wins.difference.count();
    if comparison.wins.difference.count() == 0 {
        let (a, b) = (arguments.a.display(), arguments.b.display());
        bail!("no board is in both {a} and {b}: give results on the same boards");
    }
    if arguments.json {
        outln!("{}", comparison.json(arguments));
    } else {
        crate::cli::output::write(&comparison.text(arguments));
    }
    Ok(Outcome::Good)
}

/// The rows of a table by their index.
fn read(path: &Path) -> Result<BTreeMap<i64, Row>> {
    let name = path.display().to_string();
    let text = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let mut rows = BTreeMap::new();
    let file = CsvFile { name: &name, bytes: &text };
    csv_table::for_each_row(&file, ["index", "won", "hits"], |line, values| {
        let (index, row) = row(values, line)?;
        if let Some(Row { line: first, .. }) = rows.insert(index, row) {
            bail!("board {index} is on line {first} already");
        }
        Ok(())
    })?;
    Ok(rows)
}

fn row([index, won, hits]: [&str; 3], line: u64) -> Result<(i64, Row)> {
    let index = index.parse().map_err(|_| anyhow!("index `{index}` is no integer"))?;
    let won = match won {
        "0" => false,
        "1" => true,
        _ => bail!("won is `{won}`; expected 0 or 1"),
    };
    let hits = match hits {
        "" => None,
        hits => Some(hits.parse().map_err(|_| anyhow!("hits `{hits}` is no number of mines"))?),
    };
    Ok((index, Row { won, hits, line }))
}

/// All boards that both files have.
struct Comparison {
    only_a: u64,
    only_b: u64,
    /// In percent, so that differences are points.
    wins: Paired,
    mines: Paired,
    /// Boards won in A, in B.
    won: (u64, u64),
}

impl Comparison {
    fn new() -> Comparison {
        // How many mines the boards have is not on file.
        let (wins, mines) = (Paired::percent(), Paired::values(f64::INFINITY));
        Comparison { only_a: 0, only_b: 0, wins, mines, won: (0, 0) }
    }

    fn add(&mut self, a: Row, b: Row) {
        let percent = |row: Row| 100.0 * f64::from(u8::from(row.won));
        self.wins.add(percent(a), percent(b), percent(b) - percent(a));
        self.won.0 += u64::from(a.won);
        self.won.1 += u64::from(b.won);
        if let (Some(a), Some(b)) = (a.hits.map(f64::from), b.hits.map(f64::from)) {
            self.mines.add(a, b, a - b);
        }
    }

    fn json(&self, arguments: &Arguments) -> Value {
        let boards = self.wins.difference.count();
        let with_mines = self.mines.difference.count();
        json!({
            "a": arguments.a,
            "b": arguments.b,
            "boards": boards,
            "only_in_a": self.only_a,
            "only_in_b": self.only_b,
            "without_hits": boards - with_mines,
            "wins_a": self.won.0,
            "wins_b": self.won.1,
            "wins_percent": self.wins.json(),
            "mines": (with_mines > 0).then(|| self.mines.json()),
        })
    }

    fn text(&self, arguments: &Arguments) -> String {
        let boards = self.wins.difference.count();
        let without_hits = boards - self.mines.difference.count();
        let mut text = format!(
            "A: {}, {}\nB: {}, {}\n{} paired",
            arguments.a.display(),
            pluralize(self.won.0, "win", "wins"),
            arguments.b.display(),
            pluralize(self.won.1, "win", "wins"),
            pluralize(boards, "board", "boards")
        );
        let mut passed_over = |boards: u64, why: &str| {
            if boards > 0 {
                let _ = write!(text, "; {boards} {why}");
            }
        };
        passed_over(self.only_a, "only in A passed over");
        passed_over(self.only_b, "only in B passed over");
        passed_over(without_hits, "with blank hits passed over for the mines");
        let mut table = table();
        table.add_row(self.wins.columns("wins %", 2));
        if self.mines.difference.count() > 0 {
            table.add_row(self.mines.columns("mines", 4));
        }
        let _ = writeln!(text, "\n\n{table}");
        if let Some(too_few) = self.wins.too_few_text() {
            let _ = writeln!(text, "\n{too_few}; compare more boards.");
        }
        text
    }
}
