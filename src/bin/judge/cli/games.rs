//! Games to be played against bots: which they are, several at once, and where they are written down.
//!
//! Invariant: whatever order the games end in, they are handed over in the order of their numbers, so that
//! a report is the same for any `--jobs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::geometry::Shape;
use sapper::referee::record::Record;
use sapper::referee::setup::Setup;
use sapper::words::too_many_mines;

use crate::cli::shell_words::{called, quoted};

/// Which games, and how many at once.
#[derive(clap::Args, Clone)]
pub struct Games {
    /// A seed, or a range with both ends included.
    #[arg(long, value_name = "A..B", default_value = "1..10", value_parser = seeds, allow_hyphen_values = true)]
    pub seeds: Seeds,
    /// Columns.
    #[arg(long, default_value_t = 30)]
    pub width: u32,
    /// Rows.
    #[arg(long, default_value_t = 20)]
    pub height: u32,
    /// Mines.
    #[arg(long, default_value_t = 80)]
    pub mines: u32,
    /// Open a safe cell before the first turn, as the init data's `skipfirst` does.
    #[arg(long)]
    pub skipfirst: bool,
    /// Games at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
}

#[derive(Clone, Copy)]
pub struct Seeds {
    pub first: i32,
    pub last: i32,
}

impl Seeds {
    /// How many.
    pub fn len(self) -> usize {
        (i64::from(self.last) - i64::from(self.first) + 1) as usize
    }

    /// The seed of this place among them.
    pub fn get(self, place: usize) -> i32 {
        (i64::from(self.first) + place as i64) as i32
    }
}

/// Reads a range of seeds; bench takes one too.
pub fn seeds(text: &str) -> Result<Seeds, String> {
    let number = |word: &str| {
        word.trim().parse::<i32>().map_err(|_| format!("`{word}` is no 32-bit integer"))
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if first <= last {
        Ok(Seeds { first, last })
    } else {
        Err(format!("the range is empty; did you mean {last}..{first}?"))
    }
}

impl Games {
    /// Checks that there are such games.
    pub fn check(&self) -> Result<()> {
        let Games { width, height, mines, .. } = *self;
        let cells = self.shape()?.len();
        if mines as usize > cells {
            let misfit = too_many_mines(mines.into(), cells as u64);
            bail!("{misfit} of {width}x{height}; give fewer with --mines");
        }
        if self.skipfirst && mines as usize == cells {
            bail!("--skipfirst needs a safe cell; give fewer mines with --mines");
        }
        Ok(())
    }

    fn shape(&self) -> Result<Shape> {
        Shape::new(self.height.into(), self.width.into()).context("--width, --height")
    }

    /// The game of a seed.
    pub fn setup(&self, seed: i32) -> Result<Setup> {
        Ok(Setup { skip_first: self.skipfirst, ..Setup::new(self.shape()?, self.mines, seed) })
    }

    /// The options that play the game of one seed again.
    pub fn options(&self, seed: i32) -> String {
        let Games { width, height, mines, skipfirst, .. } = self;
        let mut options =
            format!(" --width {width} --height {height} --mines {mines} --seeds {seed}");
        if *skipfirst {
            options.push_str(" --skipfirst");
        }
        options
    }

    /// A progress bar for this many games.
    pub fn bar(games: usize) -> ProgressBar {
        let style =
            ProgressStyle::with_template("{pos}/{len} games {wide_bar} {elapsed} (eta {eta})");
        let bar = ProgressBar::new(games as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Makes the directory that games are written to.
pub fn make_directory(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot make the directory {}", directory.display()))
}

/// The file of a game in a directory of recorded games.
pub fn log_path(directory: &Path, setup: &Setup) -> PathBuf {
    let (shape, skipped) = (setup.shape, if setup.skip_first { "-skipfirst" } else { "" });
    let (columns, rows, mines, seed) = (shape.columns(), shape.rows(), setup.mines, setup.seed);
    directory.join(format!("{columns}x{rows}-{mines}-{seed}{skipped}.json"))
}

/// Writes down a game that `bot` played: the whole file, or none.
pub fn write_log(directory: &Path, setup: &Setup, record: &Record, bot: &str) -> Result<()> {
    let record = Record { bot: Some(bot.to_owned()), ..record.clone() };
    let path = log_path(directory, setup);
    let mut part = path.clone().into_os_string();
    part.push(".part");
    let text = serde_json::to_string(&record)?;
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        fs::remove_file(&part).ok();
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Does `work` for the numbers below `count`, `jobs` at once, and hands each result over in the order of
/// the numbers, until `done` has enough.
///
/// # Errors
/// The first of `done`, or that no thread could be started.
pub fn in_order<T: Send>(
    jobs: u32,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let run = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            if let Err(error) = thread {
                next.store(count, Ordering::Relaxed);
                return Err(error).context("cannot start so many --jobs; give fewer");
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut waited_for = 0;
        let mut hand_over = || {
            for (index, result) in &receiver {
                early.insert(index, result);
                while let Some(result) = early.remove(&waited_for) {
                    if done(waited_for, result)?.is_break() {
                        return Ok(());
                    }
                    waited_for += 1;
                }
            }
            Ok(())
        };
        let result = hand_over();
        // After an error, or enough, the other games are of no use.
        next.store(count, Ordering::Relaxed);
        result
    })
}

/// The turn that a fault ended, counted from 0 as `requests[0]`, `judge explain --turn` and `judge replay` count: the
/// last of so many that were played.
pub fn last_turn(turns: usize) -> Option<usize> {
    turns.checked_sub(1)
}

/// The same in words.
pub fn last_turn_text(turns: usize) -> String {
    last_turn(turns).map_or("before turn 0".to_owned(), |turn| format!("in turn {turn}"))
}

/// The command that plays a game again.
pub fn again(bot: Option<&str>, games: &Games, seed: i32, limits: &str) -> String {
    let mut command = format!("{} play", called());
    if let Some(bot) = bot {
        write!(command, " --bot {}", quoted(bot)).ok();
    }
    command + &games.options(seed) + limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_one_or_a_range_with_both_ends() {
        let read = |text| seeds(text).map(|seeds| (seeds.first, seeds.last));
        assert_eq!(read("7"), Ok((7, 7)));
        assert_eq!(read("1..20"), Ok((1, 20)));
        assert_eq!(read("1..=20"), Ok((1, 20)));
        assert_eq!(read("-3..-1"), Ok((-3, -1)));
        assert_eq!(read("5..5"), Ok((5, 5)));
        for bad in ["", "..", "1..", "20..1", "x", "1..2..3", "2147483648", "1.5"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let all = Seeds { first: i32::MIN, last: i32::MAX };
        assert_eq!((all.len(), all.get(0), all.get(1 << 31)), (1 << 32, i32::MIN, 0));
    }

    #[test]
    fn results_come_in_order_until_there_are_enough() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let work = |index: usize| {
                thread::sleep(Duration::from_micros(100 * (7 - index as u64 % 7)));
                index * index
            };
            in_order(jobs, 100, work, |index, square| {
                seen.push((index, square));
                Ok(if index == 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
            .unwrap();
            assert_eq!(seen, (0..=40).map(|index| (index, index * index)).collect::<Vec<_>>());
            let failed = in_order(jobs, 9, work, |_, _| bail!("enough"));
            assert_eq!(failed.unwrap_err().to_string(), "enough");
        }
    }
}
