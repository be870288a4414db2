//! `judge bench`: plays the engine in process, on the boards of a file or of a range of seeds.
//!
//! Each finished game is added to the counts and to the files, and then dropped. Memory holds the
//! lines of a boards file, and otherwise does not grow with the number of games.
//!
//! Invariant: games are counted and written in the order of the boards, so the results do not
//! depend on the number of threads. A line of the shard is written only after the CSV lines of its
//! games, so that a run resumed from the shard finds these lines.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use game::board_file::Layout;
use game::level::Level;
use game::rule::{Rule, Start};
use game::simulate::PlayResult;
use sapper::Engine;
use sapper::kit::text::pluralize;
use sapper::settings::budget::WallClock;
use serde::Serialize;

use crate::cli::print_run;
use crate::cli::repeat::board_options;
use crate::cli::{BoardOptions, ForceOption, Outcome, ResumeOptions};
use crate::report::progress;
use crate::report::run::{Counts, Header, Merged, Shard, adjusted_result};
use crate::report::{CsvWriter, JsonLines, Over};
use crate::runner::board_game::{BoardGame, BoardToPlay};
use crate::runner::boards::RunPart;
use crate::runner::files::checksum;
use crate::runner::games::play_boards;
use crate::runner::system;

/// Play the engine on many boards in process and measure it.
///
/// The boards are those of a file, one per line, plain or gzip: `W H M first_row first_col`, then
/// the M indexes of the mines (row * W + col); or those of a level's seeds.
/// Play is deterministic: turns are limited by nodes, never by the clock.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt --rule safe-first
  judge bench --level botzone --seeds 1..50 --rule botzone --csv out.csv
  judge bench --level expert --seeds 1..1000 --rule open-first --first 3,3
  judge bench --level 20x20/80 --seeds 1..1000 --rule botzone --effort full
  judge bench --level 20x20/80 --rule botzone --without endgame --csv b.csv
  judge bench --level expert --seeds 1..1000 --rule safe-first --adjusted
  judge bench --level expert --rule safe-first --resume run.jsonl

Exit code: 0, 1 when a cell that was proven safe held a mine, 2 for bad input, 130 interrupted.")]
pub struct Arguments {
    #[command(flatten)]
    boards: BoardOptions,
    /// Play only the K-th of N equal parts of the boards
    #[arg(long, value_name = "K/N")]
    shard: Option<RunPart>,
    /// Also report results without the luck of the guesses, which takes longer
    #[arg(long)]
    adjusted: bool,
    /// Write a row for each board to FILE
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
    #[command(flatten)]
    run_file: ResumeOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A line is written at the latest after this number of games.
const GAMES_PER_LINE: u64 = 1000;
/// A line is written at the latest after this time.
const TIME_PER_LINE: Duration = Duration::from_secs(10);

/// A row of `--csv`.
#[derive(Default, Serialize)]
struct CsvRow {
    index: i64,
    /// 0 or 1.
    won: u8,
    /// Mines opened.
    hits: u32,
    turns: u32,
    guesses: u32,
    /// The CPU time.
    ms: f64,
    /// With `--adjusted`, one of these two.
    #[serde(skip_serializing_if = "Option::is_none")]
    adjusted_hits: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjusted_won: Option<f64>,
    /// Level, rule, first cell, and the checksum of a file of boards.
    options: String,
}

impl CsvRow {
    /// This row with the adjusted result of a game by `rule`.
    fn adjusted(self, rule: Rule, result: Option<f64>) -> CsvRow {
        match rule {
            Rule::Botzone => CsvRow { adjusted_hits: result, ..self },
            Rule::SafeFirst | Rule::OpenFirst => CsvRow { adjusted_won: result, ..self },
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let options = &arguments.boards;
    let mut boards = options.boards(options.seeds.seeds(|last| format!("--seeds 1..{last}")))?;
    let (setting, whole) = (options.setting(&boards, arguments.adjusted), boards.range());
    if let Some(part) = arguments.shard {
        boards = boards.part(part);
    }
    let (part, len) = (boards.range(), boards.len());
    // The bot is the judge itself: another build may play differently.
    let itself = arguments.run_file.resume.as_ref().map(|_| checksum(system::this_file()));
    let judge = itself.transpose()?.unwrap_or_default();
    let header = Header { setting, judge, part, whole };
    let mut results = Results::start(arguments, &header)?;
    let done = results.counts.games;
    let file_mark = boards.file_mark();
    let boards = boards.slice(done, len);

    let bar = progress::bar(len, "games").with_position(done);
    bar.reset_eta();
    let clock = WallClock::start();
    let play_board = |engine: &mut Engine, index: i64, layout: &Layout| {
        let (rule, is_adjusted) = (options.rule(), arguments.adjusted);
        let game = BoardToPlay { index, layout, rule, is_adjusted }.play(engine, &clock);
        let level = Level { shape: layout.shape, mines: layout.mines.len() as u32 };
        let options = board_options(level, Start::new(rule, layout.first)) + &file_mark;
        (game, options)
    };
    let (threads, engine) = (options.jobs.count(None), || options.engine());
    let interrupted = play_boards(threads, &boards, engine, play_board, |game| {
        let (game, options) = game;
        results.add(&game, options)?;
        bar.inc(1);
        Ok(ControlFlow::Continue(()))
    })?;
    results.write()?;
    bar.finish_and_clear();
    let header = Header { whole: part, ..header };
    let games = pluralize(results.counts.games, "game", "games");
    let shard = Shard { header, counts: results.counts };
    let outcome = print_run(&Merged::from_shards(&[(PathBuf::new(), shard)])?, arguments.json);
    let after = format!(" after {games}; {}", arguments.run_file.hint());
    Ok(outcome.unless_interrupted(interrupted, &after))
}

/// The counts of the games so far, and the files that are written during the run.
struct Results {
    rule: Rule,
    counts: Counts,
    csv: CsvWriter,
    shard: Option<JsonLines>,
    /// The counts of the games since the last line of the shard.
    unwritten: Counts,
    /// When the last line was written.
    last_write: Instant,
}

impl Results {
    /// Opens the files. A resumed run starts with the counts of its shard.
    fn start(arguments: &Arguments, header: &Header) -> Result<Results> {
        let (mut shard, lines) = arguments.run_file.open(header)?.unzip();
        let (counts, unusable) = header.sum(lines.unwrap_or_default());
        let rule = arguments.boards.rule();
        let row = CsvRow::default().adjusted(rule, arguments.adjusted.then_some(0.0));
        let inputs = [arguments.boards.file.path(), arguments.run_file.resume.as_deref()];
        let inputs: Vec<&Path> = inputs.into_iter().flatten().collect();
        let over = Over { inputs: &inputs, force: arguments.over.force() };
        let csv = CsvWriter::resume(arguments.csv.as_deref(), over, &row, counts.games)?;
        if let (Some(shard), Some((place, why))) = (&mut shard, unusable) {
            shard.cut(place, &why)?;
        }
        let (unwritten, last_write) = (Counts::default(), Instant::now());
        Ok(Results { rule, counts, csv, shard, unwritten, last_write })
    }

    /// Adds a game. `options` are those of its board.
    fn add(&mut self, game: &BoardGame, options: String) -> Result<()> {
        let counts = Counts::of_game(game, self.rule);
        self.counts.merge(&counts);
        self.unwritten.merge(&counts);
        let BoardGame { index, cpu, .. } = *game;
        let PlayResult { won, hits, turns, guesses, .. } = game.result;
        let (won, ms) = (u8::from(won), cpu.as_micros() as f64 / 1e3);
        let row = CsvRow { index, won, hits, turns, guesses, ms, options, ..CsvRow::default() };
        self.csv.add(row.adjusted(self.rule, adjusted_result(game, self.rule)))?;
        let is_due = self.unwritten.games >= GAMES_PER_LINE;
        if is_due || self.last_write.elapsed() >= TIME_PER_LINE { self.write() } else { Ok(()) }
    }

    /// Writes what is still in memory: a line of the shard, after the rows of its games.
    fn write(&mut self) -> Result<()> {
        let counts = std::mem::take(&mut self.unwritten);
        if let Some(shard) = &mut self.shard
            && counts.games > 0
        {
            shard.add(&counts)?;
        }
        self.last_write = Instant::now();
        Ok(())
    }
}
