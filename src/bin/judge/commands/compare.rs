//! `judge compare`: two bots on the same boards, compared board by board.
//!
//! The difference between two boards is usually much larger than the difference between two bots.
//! The difference of both results on one board does not contain the board's own difficulty, so the
//! mean of these paired differences has a far smaller standard error than the difference of two
//! independent means.
//!
//! Invariant: a board counts for a measure only where both files state that measure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use sapper::base::text::pluralize;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::cli::{Outcome, file_name, outln, read_bytes};
use crate::results::paired::table;
use crate::results::table::counts_text;
use crate::results::{Paired, csv_table, fewer_boards, fewer_boards_text};

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

The last lines say by each measure which bot is better, or about how many more boards show a
difference of the size found. Of a measure and the same adjusted, the adjusted one is more exact.

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
    a: PathBuf,
    /// Table of the second bot
    #[arg(value_name = "B.csv")]
    b: PathBuf,
    /// The bot of A.csv whose rows count, if there are several
    #[arg(long = "a", value_name = "BOT")]
    bot_a: Option<String>,
    /// The bot of B.csv whose rows count, if there are several
    #[arg(long = "b", value_name = "BOT")]
    bot_b: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a value of a column that the table has.
fn in_column<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<f64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// A bot's result on one board.
#[derive(Deserialize)]
struct BoardResult {
    index: i64,
    /// 0 or 1.
    won: u8,
    /// Mines opened, if stated.
    hits: Option<u32>,
    /// The probability to win, without the luck of the guesses.
    adjusted_won: Option<f64>,
    /// Mines opened, without the luck of the guesses.
    adjusted_hits: Option<f64>,
    /// What its decisions cost against a policy. `None` without the column, and a blank in it is
    /// `Some(None)`.
    #[serde(default, deserialize_with = "in_column")]
    cost: Option<Option<f64>>,
    /// `done`, `unfinished`, or the name of a fault.
    outcome: Option<String>,
    /// The options of the board: the same seed makes another board by others.
    options: Option<String>,
    /// The options of `judge coach` that the cost depends on: others make another scale.
    policy: Option<String>,
    /// The bot that played, in a table of several.
    bot: Option<String>,
}

impl BoardResult {
    /// The name of the fault that ended the game, if there was one.
    fn fault(&self) -> Option<&str> {
        self.outcome.as_deref().filter(|outcome| !["", "done", "unfinished"].contains(outcome))
    }

    /// Checks the values that are not whole numbers.
    fn check(&self) -> Result<()> {
        let BoardResult { adjusted_won, adjusted_hits, cost, .. } = *self;
        let cost = cost.flatten();
        if let Some(won) = adjusted_won {
            ensure!((0.0..=1.0).contains(&won), "adjusted_won is {won}; expected 0 to 1");
        }
        for (name, value) in [("adjusted_hits", adjusted_hits), ("cost", cost)] {
            if let Some(value) = value {
                ensure!(value.is_finite(), "{name} is {value}; expected a finite number");
            }
        }
        Ok(())
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { a, b, bot_a, bot_b, .. } = arguments;
    let [a, b] = [read(a, bot_a.as_deref())?, read(b, bot_b.as_deref())?];
    // Games won as 0 or 100, so that differences are percentage points. The files do not state the
    // number of mines of a board.
    let mut wins = Paired::percent("wins %");
    let mut adjusted_wins = Paired::values("wins %, adjusted", 2, 100.0);
    let mut mines = Paired::mines("mines", f64::INFINITY);
    let mut adjusted_mines = Paired::mines("mines, adjusted", f64::INFINITY);
    let mut costs = Paired::mines("cost", f64::INFINITY);
    let paired: Vec<[&BoardResult; 2]> =
        a.iter().filter_map(|(index, a)| Some([a, b.get(index)?])).collect();
    for pair in &paired {
        wins.add(pair.map(|result| Some(100.0 * f64::from(result.won))));
        adjusted_wins.add(pair.map(|result| result.adjusted_won.map(|won| 100.0 * won)));
        mines.add(pair.map(|result| result.hits.map(f64::from)));
        adjusted_mines.add(pair.map(|result| result.adjusted_hits));
        costs.add(pair.map(|result| result.cost.flatten()));
        check_options(pair)?;
    }
    let boards = paired.len();
    if boards == 0 {
        let (a, b) = (arguments.a.display(), arguments.b.display());
        bail!("no board is in both {a} and {b}: give results on the same boards");
    }
    let (only_a, only_b) = (a.len() - boards, b.len() - boards);
    let without_hits = boards - mines.difference.count() as usize;
    let have_costs = |pair: &&[&BoardResult; 2]| pair.iter().all(|one| one.cost.is_some());
    let have_costs = paired.iter().filter(have_costs).count();
    let without_cost = have_costs - costs.difference.count() as usize;
    let faults = [0, 1].map(|side: usize| {
        let mut faults = BTreeMap::<String, u64>::new();
        for outcome in paired.iter().filter_map(|pair| pair[side].fault()) {
            *faults.entry(outcome.to_owned()).or_default() += 1;
        }
        faults
    });
    let adjusted_json = |plain: &Paired, adjusted: &Paired| {
        let (plain, difference) = (&plain.difference, &adjusted.difference);
        let mut json = adjusted.json();
        json["fewer_boards"] = json!(fewer_boards(plain, difference));
        (difference.count() > 0).then_some(json)
    };
    let [wins_a, wins_b] =
        [0, 1].map(|side: usize| paired.iter().filter(|pair| pair[side].won == 1).count());
    if arguments.json {
        let report = json!({
            "a": file_name(&arguments.a),
            "b": file_name(&arguments.b),
            "bot_a": bot_a,
            "bot_b": bot_b,
            "boards": boards,
            "only_in_a": only_a,
            "only_in_b": only_b,
            "without_hits": without_hits,
            "without_cost": without_cost,
            "wins_a": wins_a,
            "wins_b": wins_b,
            "faults_a": faults[0],
            "faults_b": faults[1],
            "wins_percent": wins.json(),
            "adjusted_wins_percent": adjusted_json(&wins, &adjusted_wins),
            "mines": (without_hits < boards).then(|| mines.json()),
            "adjusted_mines": adjusted_json(&mines, &adjusted_mines),
            "cost": (costs.difference.count() > 0).then(|| costs.json()),
        });
        outln!("{report}");
        return Ok(Outcome::Good);
    }
    let bot = |file: &Path, bot: &Option<String>, wins: usize, faults: &BTreeMap<String, u64>| {
        let (file, wins) = (file.display(), pluralize(wins, "win", "wins"));
        let name = bot.as_ref().map_or(file.to_string(), |bot| format!("{bot} in {file}"));
        let count: u64 = faults.values().sum();
        let faults = match count {
            0 => String::new(),
            _ => format!(", {} ({})", pluralize(count, "fault", "faults"), counts_text(faults)),
        };
        format!("{name}, {wins}{faults}")
    };
    let a = bot(&arguments.a, bot_a, wins_a, &faults[0]);
    let b = bot(&arguments.b, bot_b, wins_b, &faults[1]);
    let boards = pluralize(boards, "board", "boards");
    let mut text = format!("A: {a}\nB: {b}\n{boards} paired");
    for (count, description) in [
        (only_a, "only in A skipped"),
        (only_b, "only in B skipped"),
        (without_hits, "with blank hits skipped for the mines"),
        (without_cost, "with a blank cost skipped for the cost"),
    ] {
        if count > 0 {
            let _ = write!(text, "; {count} {description}");
        }
    }
    let measures = [&wins, &adjusted_wins, &mines, &adjusted_mines, &costs];
    let table = table(measures.map(|measure| (measure.name, measure)));
    outln!("{text}\n\n{table}");
    for (name, plain, adjusted) in
        [("wins", &wins, &adjusted_wins), ("mines", &mines, &adjusted_mines)]
    {
        let factor = fewer_boards_text(name, &plain.difference, &adjusted.difference);
        factor.into_iter().for_each(|factor| outln!("\n{factor}"));
    }
    let measures = || measures.into_iter().filter(|measure| measure.difference.count() > 0);
    let is_whole = only_a + only_b + without_hits + without_cost == 0;
    if is_whole && measures().all(|measure| measure.differing() == 0) {
        outln!("\nA and B have the same results on every board.");
        return Ok(Outcome::Good);
    }
    outln!("");
    measures().for_each(|measure| outln!("{}: {}.", measure.name, measure.verdict_text()));
    Ok(Outcome::Good)
}

/// Checks that the results are of the same board, and that the costs are above the same policy.
fn check_options([a, b]: &[&BoardResult; 2]) -> Result<()> {
    for (of_a, of_b, what) in [
        (&a.options, &b.options, "boards of one seed differ by other options"),
        (&a.policy, &b.policy, "costs by other options have another scale"),
    ] {
        if let (Some(of_a), Some(of_b)) = (of_a, of_b) {
            ensure!(of_a == of_b, "board {}: A is by `{of_a}`, and B by `{of_b}`; {what}", a.index);
        }
    }
    Ok(())
}

/// Reads the results of a table, or of one bot in it, by their index.
fn read(path: &Path, bot: Option<&str>) -> Result<BTreeMap<i64, BoardResult>> {
    let name = path.display().to_string();
    let text = read_bytes(path)?;
    let (mut results, mut bots) = (BTreeMap::new(), BTreeSet::new());
    csv_table::for_each_row(&name, &text, "index,won,hits", |result: BoardResult| {
        let BoardResult { index, won, .. } = result;
        bots.extend(result.bot.clone());
        if bot.is_some() && bot != result.bot.as_deref() {
            return Ok(());
        }
        ensure!(won <= 1, "won is {won}; expected 0 or 1");
        result.check()?;
        let is_first = results.insert(index, result).is_none();
        ensure!(
            is_first,
            "board {index} is in another row already; give each board once, or name a bot of the \
             table with --a or --b"
        );
        Ok(())
    })?;
    if let Some(bot) = bot
        && !bots.contains(bot)
    {
        match Vec::from_iter(bots).join(", ").as_str() {
            "" => bail!("{name} names no bot in a column `bot`; omit --a or --b for it"),
            bots => bail!("{name} has no row of the bot {bot}; it has rows of: {bots}"),
        }
    }
    Ok(results)
}
