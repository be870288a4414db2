//! `judge bench`: plays the engine in process, on the boards of a file or of a range of seeds.
//!
//! Each finished game is added to the counts and to the files, and then dropped. Memory therefore
//! does not grow with the number of games.
//!
//! Invariant: games are counted and written in the order of the boards, so the results do not
//! depend on the number of threads. A line of the shard is written only after the CSV lines of its
//! games, so that a run resumed from the shard finds these lines.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use cpu_time::ThreadTime;
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::budget::WallClock;
use sapper::bot::engine::Engine;
use sapper::referee::board_file::Layout;
use sapper::referee::simulate::{GameResult, play_timed};

use crate::cli::Outcome;
use crate::cli::boards::{Boards, Part};
use crate::cli::level::{Level, RuleName};
use crate::cli::parse::{RowColumn, parse_integer};
use crate::cli::seeds::{Seeds, parse_seeds};
use crate::cli::strength::Strength;
use crate::results::csv_writer::CsvWriter;
use crate::results::engine_games::EngineGames;
use crate::results::report::counts::Counts;
use crate::results::report::merged::Merged;
use crate::results::report::print;
use crate::results::report::setting::Setting;
use crate::results::report::shard::{Header, Writer};

/// Play the engine on many boards in process and measure it.
///
/// The boards are those of a file, one per line, plain or gzip: `W H M first_row first_col`, then
/// the M indexes of the mines (row * W + col); or those of a level's seeds. Play is deterministic:
/// turns are limited by nodes, never by the clock.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt --rule safe-first
  judge bench --boards samples/boards/botzone-default.txt --rule botzone \\
      --games 50 --csv out.csv
  judge bench --level expert --seeds 1..1000 --rule open-first --first 3,3
  judge bench --level 20x20/80 --seeds 1..1000 --rule botzone --effort full
  judge bench --level 20x20/80 --seeds 1..1000 --rule botzone \\
      --without endgame --csv without.csv
  judge bench --level expert --seeds 1..1000000 --rule safe-first \\
      --out run.jsonl --resume

A long run can be split over several machines. Each plays one part of the boards, and
`judge report` merges the parts:
  judge bench --level expert --seeds 1..9999 --rule safe-first --shard 3/9 \\
      --out 3.jsonl --resume
  judge report *.jsonl

With more parts than boards, some parts are empty; they are valid input of `judge report`.

--out writes a line at least every 1,000 games or 10 seconds. After an interruption, the same
command with --resume continues after the last complete line. `judge report --help` describes the
format of the file.

Under botzone, the board of a seed is the official judge's. Under safe-first and open-first, all
layouts that fulfil the rule are equally likely: the cells that may be mines, in row-major order,
are shuffled (Fisher-Yates) by xoshiro256++, seeded by SplitMix64 from the seed, and the first M
are the mines.

In the report, `explored` groups the games by the share of safe cells that were open at the end. The
steps say how a cell was chosen: deduction and counting prove it safe, endgame and guess take the
least risk, and rough is used where the numbers contradict each other, which no valid board does.

Exit code: 0, 1 when a cell that was proven safe held a mine, 2 for bad input.")]
pub struct Arguments {
    /// File of boards, plain or .gz
    #[arg(long, value_name = "FILE", required_unless_present = "level", conflicts_with = "level")]
    boards: Option<PathBuf>,
    /// beginner (9x9/10), intermediate (16x16/40), expert (30x16/99), botzone (30x20/80), or
    /// WIDTHxHEIGHT/MINES
    #[arg(long, requires = "seeds")]
    level: Option<Level>,
    /// Seeds of a level's boards, both ends included
    #[arg(long, value_name = "A..B", requires = "level")]
    #[arg(value_parser = parse_seeds, allow_hyphen_values = true)]
    seeds: Option<Seeds>,
    /// First cell of a level's boards, counted from 0 [default: 0,0]
    #[arg(long, value_name = "R,C", requires = "level")]
    first: Option<RowColumn>,
    /// Rules of play
    #[arg(long, value_enum)]
    rule: RuleName,
    #[command(flatten)]
    strength: Strength,
    /// First board of the file, counted from 0
    #[arg(long, default_value_t = 0, value_parser = parse_integer, conflicts_with = "level")]
    from: u64,
    /// Number of boards of the file; all the remaining ones if omitted
    #[arg(long, value_parser = parse_integer, conflicts_with = "level")]
    games: Option<u64>,
    /// Play only the K-th of N equal parts of the boards
    #[arg(long, value_name = "K/N")]
    shard: Option<Part>,
    /// Number of threads; all cores if omitted
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write `index,won,hits,turns,guesses,ms`, one line per board; the index is the seed, or the
    /// line of the file counted from 0
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Write the results to a file during the run, for --resume and `judge report`
    #[arg(long, value_name = "SHARD")]
    out: Option<PathBuf>,
    /// Continue the run that --out (and --csv) holds, or start it if there is none
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The columns of `--csv`.
const COLUMNS: [&str; 6] = ["index", "won", "hits", "turns", "guesses", "ms"];

/// A finished game.
struct PlayedGame {
    /// The board: its seed, or its line of the file from 0.
    index: i64,
    trial: GameResult,
    /// CPU time of the game.
    cpu: Duration,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { rule, ref strength, jobs, .. } = *arguments;
    let all_boards = boards(arguments)?;
    let setting = Setting::new(&all_boards, rule, strength);
    let all_numbers = all_boards.range();
    let boards = match arguments.shard {
        Some(part) => all_boards.part(part),
        None => all_boards,
    };
    let (numbers, len) = (boards.range(), boards.len());
    let header = Header::new(setting.clone(), numbers, all_numbers);
    let mut results = Results::start(arguments, &header)?;
    let done = results.counts.games;
    let boards = boards.skip(done);

    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {elapsed}  eta {eta}")?;
    let bar = ProgressBar::new(len).with_style(style).with_position(done);
    bar.reset_eta();
    let clock = WallClock::start();
    let play_board = |engine: &mut Engine, index: i64, layout: &Layout| {
        let started = ThreadTime::now();
        let trial = play_timed(layout, rule.rule(), engine, &clock, |_, _, _| {});
        PlayedGame { index, trial, cpu: started.elapsed() }
    };
    EngineGames { jobs, strength, rule }.play(&boards, play_board, |game| {
        results.add(&game)?;
        bar.inc(1);
        Ok(ControlFlow::Continue(()))
    })?;
    results.write()?;
    bar.finish_and_clear();
    Ok(print(&Merged::from_run(setting, results.counts, numbers), arguments.json))
}

fn boards(arguments: &Arguments) -> Result<Boards> {
    let Arguments { rule, first, from, games, .. } = *arguments;
    match (&arguments.boards, arguments.level, arguments.seeds) {
        (Some(path), ..) => Boards::from_file(path, rule, from, games),
        (None, Some(level), Some(seeds)) => Boards::from_seeds(level, rule, first, seeds),
        // The parser requires one of the two.
        _ => bail!("give --boards FILE, or --level NAME with --seeds A..B"),
    }
}

/// The counts of the games so far, and the files that are written during the run.
struct Results {
    counts: Counts,
    csv: Option<CsvWriter>,
    shard: Option<Writer>,
}

impl Results {
    /// Opens the files. A resumed run starts with the counts of its shard.
    fn start(arguments: &Arguments, header: &Header) -> Result<Results> {
        let (shard, counts) = match &arguments.out {
            Some(path) => {
                let (shard, counts) = Writer::start(path, header, arguments.resume)?;
                (Some(shard), counts)
            }
            None => (None, Counts::default()),
        };
        let csv = arguments.csv.as_ref();
        let csv = csv.map(|path| CsvWriter::resume(path, &COLUMNS, counts.games)).transpose()?;
        Ok(Results { counts, csv, shard })
    }

    fn add(&mut self, game: &PlayedGame) -> Result<()> {
        let PlayedGame { index, trial, cpu } = game;
        let mut counts = Counts::default();
        counts.add(*index, trial, *cpu);
        self.counts.merge(&counts);
        if let Some(csv) = &mut self.csv {
            let GameResult { won, hits, turns, guesses, .. } = *trial;
            csv.add((index, u8::from(won), hits, turns, guesses, cpu.as_micros() as f64 / 1e3))?;
        }
        let is_due = self.shard.as_mut().is_some_and(|shard| shard.add(&counts));
        if is_due { self.write() } else { Ok(()) }
    }

    /// Writes what is still in memory: the CSV lines before the line of the shard.
    fn write(&mut self) -> Result<()> {
        if let Some(csv) = &mut self.csv {
            csv.flush()?;
        }
        if let Some(shard) = &mut self.shard {
            shard.write()?;
        }
        Ok(())
    }
}
