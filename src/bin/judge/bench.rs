//! `judge bench`: the engine, in process, over a file of boards.

use crate::output::say;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use cpu_time::ThreadTime;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sapper::engine::{Engine, Step};
use sapper::game::boards::Layout;
use sapper::game::trial::{Rule, Trial, play};
use sapper::guess::Objective;

use super::Outcome;
use super::stats::{Mean, wilson};

/// Play the engine over a file of boards and measure it.
///
/// The boards are one a line, plain or gzipped: `W H M first_row first_col`, then the M mines' indexes
/// (row * W + col). Play is deterministic: node limits decide, never the clock.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge bench --boards samples/boards/expert-safe-first.txt --rule safe-first
  judge bench --boards samples/boards/botzone-default.txt --rule botzone --from 100 --games 50 --csv out.csv

Exit code: 0, 1 when a cell that was proven safe held a mine, 2 for bad input.")]
pub struct Arguments {
    /// File of boards, plain or .gz
    #[arg(long)]
    boards: PathBuf,
    /// Rules of play
    #[arg(long, value_enum)]
    rule: RuleName,
    /// First board, counted from 0
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Number of boards; all that follow when not given
    #[arg(long)]
    games: Option<usize>,
    /// Threads; all cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write `index,won,hits,turns,guesses,ms`, a line a board
    #[arg(long)]
    csv: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleName {
    /// The bot opens the first cell, which may be a mine; a hit does not end the game
    Botzone,
    /// The file's first cell is opened for the bot and is safe (XP); a hit ends the game
    SafeFirst,
    /// The file's first cell is opened for the bot and has no mine around it (Win7); a hit ends the game
    OpenFirst,
}

struct Played {
    index: usize,
    trial: Trial,
    cpu: Duration,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let layouts = read_boards(&arguments.boards, arguments.from, arguments.games)?;
    check_first_cells(&layouts, arguments.rule)?;
    let rule = match arguments.rule {
        RuleName::Botzone => Rule::Botzone,
        RuleName::SafeFirst | RuleName::OpenFirst => Rule::Classic,
    };
    let objective = match rule {
        Rule::Botzone => Objective::FewestHits,
        Rule::Classic => Objective::CleanWin,
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {elapsed}  eta {eta}")?;
    let bar = ProgressBar::new(layouts.len() as u64).with_style(style);
    let games: Vec<Played> = threads.build()?.install(|| {
        let played = layouts.par_iter().progress_with(bar);
        let one = |engine: &mut Engine, (index, layout): &(usize, Layout)| {
            let started = ThreadTime::now();
            let trial = play(layout, rule, engine, |_, _, _| {});
            Played { index: *index, trial, cpu: started.elapsed() }
        };
        played.map_init(|| Engine::new(objective), one).collect()
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

/// The boards from line `from` on, with their line numbers counted from 0.
fn read_boards(
    path: &Path,
    from: usize,
    games: Option<usize>,
) -> anyhow::Result<Vec<(usize, Layout)>> {
    let name = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut file = BufReader::new(file);
    let start = file.fill_buf().with_context(|| format!("cannot read {name}"))?;
    let reader: Box<dyn BufRead> = if start.starts_with(b"\x1f\x8b") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    let mut layouts = Vec::new();
    for (index, line) in reader.lines().enumerate().skip(from).take(games.unwrap_or(usize::MAX)) {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let layout = line.parse().with_context(|| format!("{name}, line {}", index + 1))?;
        layouts.push((index, layout));
    }
    if layouts.is_empty() {
        bail!("{name} has no board from index {from} on (or --games is 0)");
    }
    Ok(layouts)
}

/// A rule is a promise about the first cell; a file that breaks it is not of that rule.
fn check_first_cells(layouts: &[(usize, Layout)], rule: RuleName) -> anyhow::Result<()> {
    for (index, layout) in layouts {
        let value = layout.field().value(layout.first);
        match rule {
            RuleName::SafeFirst if value == 9 => {
                bail!(
                    "line {}: the first cell is a mine; under safe-first it must not be",
                    index + 1
                )
            }
            RuleName::OpenFirst if value != 0 => {
                bail!("line {}: mines touch the first cell; under open-first none may", index + 1)
            }
            _ => {}
        }
    }
    Ok(())
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
