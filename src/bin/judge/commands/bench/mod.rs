//! `judge bench`: the engine, in process, over a file of boards or the boards of seeds.
//!
//! Invariant: no game is kept. A game is counted, its line of the CSV is written, and it is gone;
//! so a run of a million games takes the memory of a short one, and the results are the same
//! whatever the number of threads.

mod rows;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail};
use cpu_time::ThreadTime;
use indicatif::{ProgressBar, ProgressStyle};
use sapper::bot::engine::Engine;
use sapper::referee::board_file::Layout;
use sapper::referee::simulate::play;

use crate::cli::Outcome;
use crate::cli::boards::{Boards, FirstCell, Part};
use crate::cli::level::{Level, RuleName};
use crate::cli::parse::parse_integer;
use crate::cli::seeds::{Seeds, parse_seeds};
use crate::cli::strength::Strength;
use crate::results::engine_games::EngineGames;
use crate::results::report::counts::Counts;
use crate::results::report::merged::Merged;
use crate::results::report::print;
use crate::results::report::setting::Setting;
use crate::results::report::shard::{Header, Writer};
use rows::{Row, Rows};

/// Play the engine over many boards and measure it.
///
/// The boards are one a line of a file, plain or gzipped: `W H M first_row first_col`, then the M
/// mines' indexes (row * W + col); or those of a level's seeds. Play is deterministic: node limits
/// decide, never the clock.
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

A long run over several machines: each plays a part, and `judge report` puts the parts together.
  judge bench --level expert --seeds 1..9999 --rule safe-first --shard 3/9 \\
      --out 3.jsonl --resume
  judge report *.jsonl

Of more parts than boards some are empty, and their results are as good as the others'.

--out writes a line at least every 1,000 games or 10 seconds; killed at any moment, the same
command with --resume goes on after the last line. `judge report --help` tells the form.

The board of a seed is the official judge's under botzone. Under safe-first and open-first all
layouts that keep the promise are equally likely: the cells that may be mined, in row-major
order, are shuffled (Fisher and Yates) by xoshiro256++ seeded by SplitMix64 from the seed, and
the first M are mined.

Of the report: `explored` counts the safe cells that were open when the game ended. The steps tell why a cell was opened: deduction and counting prove it safe; endgame and guess
take the least risk; rough is for numbers that contradict each other, and stays at 0 on boards
that can be.

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
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, allow_hyphen_values = true, requires = "level")]
    seeds: Option<Seeds>,
    /// The first cell of a level's boards, from 0 [default: 0,0]
    #[arg(long, value_name = "R,C", requires = "level")]
    first: Option<FirstCell>,
    /// Rules of play
    #[arg(long, value_enum)]
    rule: RuleName,
    #[command(flatten)]
    strength: Strength,
    /// First board of the file, counted from 0
    #[arg(long, default_value_t = 0, value_parser = parse_integer, conflicts_with = "level")]
    from: u64,
    /// Number of the file's boards; all that follow when not given
    #[arg(long, value_parser = parse_integer, conflicts_with = "level")]
    games: Option<u64>,
    /// Play only the K-th of N equal parts of the boards
    #[arg(long, value_name = "K/N")]
    shard: Option<Part>,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write `index,won,hits,turns,guesses,ms`, a line a board; the index is the line from 0, or
    /// the seed
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Write the results to a file as the games are played, for --resume and `judge report`
    #[arg(long, value_name = "SHARD")]
    out: Option<PathBuf>,
    /// Go on with what --out holds already (and --csv); begin where there is nothing
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { rule, ref strength, jobs, .. } = *arguments;
    let boards = boards(arguments)?;
    let setting = Setting::new(&boards, rule, strength);
    let whole = boards.range();
    let boards = match arguments.shard {
        Some(part) => boards.part(part),
        None => boards,
    };
    let (numbers, len) = (boards.range(), boards.len());
    let header = Header::new(setting.clone(), numbers, whole);
    let out = arguments.out.as_ref();
    let out = out.map(|path| Writer::start(path, &header, arguments.resume)).transpose()?;
    let (mut out, mut counts) = out.unzip();
    let mut counts = counts.take().unwrap_or_default();
    let done = counts.games;
    let csv = arguments.csv.as_ref();
    let mut csv = csv.map(|path| Rows::start(path, done)).transpose()?;
    let boards = boards.skip(done);

    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {elapsed}  eta {eta}")?;
    let bar = ProgressBar::new(len).with_style(style).with_position(done);
    bar.reset_eta();
    let one = |engine: &mut Engine, index: i64, layout: &Layout| {
        let started = ThreadTime::now();
        let trial = play(layout, rule.rule(), engine, |_, _, _| {});
        Row { index, trial, cpu: started.elapsed() }
    };
    EngineGames { jobs, strength, rule }.play(&boards, one, |row| {
        let mut game = Counts::default();
        game.add(row.index, &row.trial, row.cpu);
        counts.merge(&game);
        if let Some(csv) = &mut csv {
            csv.add(&row)?;
        }
        if let Some(out) = &mut out
            && out.add(&game)
        {
            // First the rows, so that what the shard counts has its rows on file.
            csv.as_mut().map_or(Ok(()), Rows::flush)?;
            out.write()?;
        }
        bar.inc(1);
        Ok(ControlFlow::Continue(()))
    })?;
    csv.as_mut().map_or(Ok(()), Rows::flush)?;
    out.as_mut().map_or(Ok(()), Writer::write)?;
    bar.finish_and_clear();
    Ok(print(&Merged::from_run(setting, counts, numbers), arguments.json))
}

fn boards(arguments: &Arguments) -> Result<Boards> {
    let Arguments { rule, first, from, games, .. } = *arguments;
    match (&arguments.boards, arguments.level, arguments.seeds) {
        (Some(path), ..) => Boards::from_file(path, rule, from, games),
        (None, Some(level), Some(seeds)) => Boards::from_seeds(level, rule, first, seeds),
        // The command line is not read without them.
        _ => bail!("give --boards FILE, or --level NAME with --seeds A..B"),
    }
}
