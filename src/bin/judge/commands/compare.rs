//! `judge compare`: two bots on the same boards, compared board by board.
//!
//! The difference between two boards is usually much larger than the difference between two bots.
//! The difference of both results on one board does not contain the board's own difficulty, so the
//! mean of these paired differences has a far smaller standard error than the difference of two
//! independent means.
//!
//! Invariant: a board counts for a measure only where both files state that measure.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sapper::base::text::pluralize;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::Outcome;
use crate::cli::output::{outln, write};
use crate::results::csv_table;
use crate::results::paired::{Paired, table};

/// Compare two bots on the same boards, board by board.
///
/// Reads two tables as written by `judge bench --csv`: a line with the names of the columns, then
/// one line per board. The columns `index`, `won` (0 or 1) and `hits` (mines opened; may be blank)
/// are used, in any order; other columns are ignored.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt \\
      --rule safe-first --csv new.csv
  judge compare old.csv new.csv
  judge compare old.csv new.csv --json

Rows are paired by `index`. It has to name the same board in both files; this is not checked.

Differences are B - A: percentage points of games won, and mines per board. Intervals are 95 %
intervals of the mean difference. The interval of wins combines the exact intervals of the shares of
boards on which B is better and worse: it excludes 0 if and only if the exact sign test does, and is
wider than two standard errors while these boards are few. The interval of mines is Student's t;
while few boards differ, it excludes 0 only if the exact sign-flip test does too. A board that is in
only one file is skipped; for the mines, so is a board whose `hits` is blank in either file.

Exit code: 0, or 2 when a file cannot be read or no board is in both files.")]
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

/// A bot's result on one board.
#[derive(Clone, Copy, Deserialize)]
struct BoardResult {
    index: i64,
    /// 0 or 1.
    won: u8,
    /// Mines opened, if stated.
    hits: Option<u32>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let mut comparison = Comparison::new();
    for (index, result) in &a {
        match b.get(index) {
            Some(other) => comparison.add(*result, *other),
            None => comparison.only_a += 1,
        }
    }
    let paired = comparison.boards();
    comparison.only_b = b.len() as u64 - paired;
    if paired == 0 {
        let (a, b) = (arguments.a.display(), arguments.b.display());
        bail!("no board is in both {a} and {b}: give results on the same boards");
    }
    if arguments.json {
        outln!("{}", comparison.json(arguments));
    } else {
        write(&comparison.text(arguments));
    }
    Ok(Outcome::Good)
}

/// Reads the results of a table by their index.
fn read(path: &Path) -> Result<BTreeMap<i64, BoardResult>> {
    let name = path.display().to_string();
    let text = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let mut results = BTreeMap::new();
    csv_table::for_each_row(&name, &text, "index,won,hits", |result: BoardResult| {
        let BoardResult { index, won, .. } = result;
        ensure!(won <= 1, "won is {won}; expected 0 or 1");
        let is_first = results.insert(index, result).is_none();
        ensure!(is_first, "board {index} is in another row already; give each board once");
        Ok(())
    })?;
    Ok(results)
}

/// The paired results.
struct Comparison {
    /// Boards that only one of the files has.
    only_a: u64,
    only_b: u64,
    wins_a: u64,
    wins_b: u64,
    /// Games won, as 0 or 100, so that differences are percentage points.
    win_percent: Paired,
    /// Mines opened.
    mines: Paired,
}

impl Comparison {
    fn new() -> Comparison {
        // The files do not state the number of mines of a board.
        let (win_percent, mines) = (Paired::percent(), Paired::values(f64::INFINITY));
        Comparison { only_a: 0, only_b: 0, wins_a: 0, wins_b: 0, win_percent, mines }
    }

    fn add(&mut self, a: BoardResult, b: BoardResult) {
        self.wins_a += u64::from(a.won);
        self.wins_b += u64::from(b.won);
        let [percent_a, percent_b] = [a, b].map(|result| 100.0 * f64::from(result.won));
        self.win_percent.add(percent_a, percent_b, percent_b - percent_a);
        if let (Some(a), Some(b)) = (a.hits.map(f64::from), b.hits.map(f64::from)) {
            self.mines.add(a, b, a - b);
        }
    }

    /// The number of boards that are in both files.
    fn boards(&self) -> u64 {
        self.win_percent.difference.count()
    }

    /// The number of paired boards for which both files state the mines opened.
    fn boards_with_hits(&self) -> u64 {
        self.mines.difference.count()
    }

    fn json(&self, arguments: &Arguments) -> Value {
        let (boards, with_hits) = (self.boards(), self.boards_with_hits());
        json!({
            "a": arguments.a,
            "b": arguments.b,
            "boards": boards,
            "only_in_a": self.only_a,
            "only_in_b": self.only_b,
            "without_hits": boards - with_hits,
            "wins_a": self.wins_a,
            "wins_b": self.wins_b,
            "wins_percent": self.win_percent.json(),
            "mines": (with_hits > 0).then(|| self.mines.json()),
        })
    }

    fn text(&self, arguments: &Arguments) -> String {
        let (boards, with_hits) = (self.boards(), self.boards_with_hits());
        let mut text = format!(
            "A: {}, {}\nB: {}, {}\n{} paired",
            arguments.a.display(),
            pluralize(self.wins_a, "win", "wins"),
            arguments.b.display(),
            pluralize(self.wins_b, "win", "wins"),
            pluralize(boards, "board", "boards")
        );
        for (count, description) in [
            (self.only_a, "only in A skipped"),
            (self.only_b, "only in B skipped"),
            (boards - with_hits, "with blank hits skipped for the mines"),
        ] {
            if count > 0 {
                let _ = write!(text, "; {count} {description}");
            }
        }
        let mut table = table();
        table.add_row(self.win_percent.columns("wins %", 2));
        if with_hits > 0 {
            table.add_row(self.mines.columns("mines", 4));
        }
        let _ = writeln!(text, "\n\n{table}");
        if let Some(too_few) = self.win_percent.too_few_text() {
            let _ = writeln!(text, "\n{too_few}; compare more boards.");
        }
        text
    }
}
