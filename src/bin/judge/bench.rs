//! `judge bench`: the engine, in process, over a file of boards or the boards of seeds.

use crate::output::say;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use cpu_time::ThreadTime;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sapper::engine::{Engine, Step};
use sapper::game::trial::{Trial, play};

use super::Outcome;
use super::boards::{Boards, Level, Place, RuleName};
use super::games::{Seeds, seeds};
use super::stats::{Mean, wilson};
use super::strength::Strength;

/// Play the engine over many boards and measure it.
///
/// The boards are one a line of a file, plain or gzipped: `W H M first_row first_col`, then the M mines' indexes
/// (row * W + col); or those of a level's seeds. Play is deterministic: node limits decide, never the clock.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt --rule safe-first
  judge bench --boards samples/boards/botzone-default.txt --rule botzone --from 100 --games 50 --csv out.csv
  judge bench --level expert --seeds 1..1000 --rule open-first --first 3,3
  judge bench --level 20x20/80 --seeds 1..1000 --rule botzone --effort full

The board of a seed is the official judge's under botzone. Under safe-first and open-first all
layouts that keep the promise are equally likely: the cells that may be mined, in row-major
order, are shuffled (Fisher and Yates) by xoshiro256++ seeded by SplitMix64 from the seed, and
the first M are mined.

The steps tell why a cell was opened: deduction and counting prove it safe; endgame and guess
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
    #[arg(long, value_name = "A..B", value_parser = seeds, allow_hyphen_values = true, requires = "level")]
    seeds: Option<Seeds>,
    /// The first cell of a level's boards, from 0 [default: 0,0]
    #[arg(long, value_name = "R,C", requires = "level")]
    first: Option<Place>,
    /// Rules of play
    #[arg(long, value_enum)]
    rule: RuleName,
    #[command(flatten)]
    strength: Strength,
    /// First board of the file, counted from 0
    #[arg(long, default_value_t = 0, conflicts_with = "level")]
    from: usize,
    /// Number of the file's boards; all that follow when not given
    #[arg(long, conflicts_with = "level")]
    games: Option<usize>,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write `index,won,hits,turns,guesses,ms`, a line a board; the index is the line from 0, or the seed
    #[arg(long)]
    csv: Option<PathBuf>,
}

struct Played {
    index: i64,
    trial: Trial,
    cpu: Duration,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let Arguments { rule, first, from, games, .. } = *arguments;
    let boards = match (&arguments.boards, arguments.level, arguments.seeds) {
        (Some(path), ..) => Boards::read(path, rule, from, games)?,
        (None, Some(level), Some(seeds)) => {
            Boards::lay(level, rule, first, (seeds.first, seeds.last))?
        }
        // The command line is not read without them.
        _ => bail!("give --boards FILE, or --level NAME with --seeds A..B"),
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {elapsed}  eta {eta}")?;
    let bar = ProgressBar::new(boards.len() as u64).with_style(style);
    let games: Vec<Played> = threads.build()?.install(|| {
        let played = (0..boards.len()).into_par_iter().progress_with(bar);
        let one = |engine: &mut Engine, place: usize| {
            let (index, layout) = boards.get(place);
            let started = ThreadTime::now();
            let trial = play(&layout, rule.rule(), engine, |_, _, _| {});
            Played { index, trial, cpu: started.elapsed() }
        };
        played.map_init(|| arguments.strength.engine(rule), one).collect()
    });
    if let Some(path) = &arguments.csv {
        write_csv(path, &games).with_context(|| format!("cannot write {}", path.display()))?;
    }
    say!("{}\n", summary(&games));
    say!("{}", steps(&games));
    let false_proofs: u32 = games
        .iter()
        .flat_map(|game| Step::ALL.map(|step| (step, game.trial.by_step[step as usize].1)))
        .filter(|(step, _)| step.is_proof())
        .map(|(_, hits)| hits)
        .sum();
    if false_proofs > 0 {
        eprintln!("judge: {false_proofs} cells that were proven safe held a mine: this is a bug");
    }
    Ok(Outcome::from(false_proofs == 0))
}

fn write_csv(path: &Path, games: &[Played]) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(file, "index,won,hits,turns,guesses,ms")?;
    for Played { index, trial, cpu } in games {
        let (won, ms) = (u8::from(trial.won), cpu.as_secs_f64() * 1e3);
        let Trial { hits, turns, guesses, .. } = trial;
        writeln!(file, "{index},{won},{hits},{turns},{guesses},{ms:.3}")?;
    }
    file.flush()
}

fn summary(games: &[Played]) -> Table {
    let count = games.len() as u64;
    let wins = games.iter().filter(|game| game.trial.won).count() as u64;
    let (low, high) = wilson(wins, count);
    let (mut hits, mut guesses, mut ms) = (Mean::default(), Mean::default(), Mean::default());
    let mut slowest = Duration::ZERO;
    for Played { trial, cpu, .. } in games {
        hits.add(trial.hits.into());
        guesses.add(trial.guesses.into());
        ms.add(cpu.as_secs_f64() * 1e3);
        slowest = slowest.max(trial.slowest);
    }
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["games", "won %", "95 %", "mines", "guesses", "CPU ms", "slowest turn ms"]);
    table.add_row([
        count.to_string(),
        format!("{:.2}", 100.0 * wins as f64 / count as f64),
        format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high),
        plus_minus(hits),
        format!("{:.3}", guesses.value()),
        format!("{:.3}", ms.value()),
        format!("{:.2}", slowest.as_secs_f64() * 1e3),
    ]);
    table
}

/// A mean with its interval, where there is one.
fn plus_minus(mean: Mean) -> String {
    match mean.half_width() {
        half if half.is_finite() => format!("{:.4} +-{half:.4}", mean.value()),
        _ => format!("{:.4}", mean.value()),
    }
}

fn steps(games: &[Played]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["step", "clicks a game", "mines a game"]);
    for step in Step::ALL {
        let (mut cells, mut mines) = (Mean::default(), Mean::default());
        for game in games {
            let (opened, hit) = game.trial.by_step[step as usize];
            cells.add(opened.into());
            mines.add(hit.into());
        }
        let columns = [format!("{:.2}", cells.value()), format!("{:.4}", mines.value())];
        table.add_row([step.name().to_owned()].into_iter().chain(columns));
    }
    table
}
