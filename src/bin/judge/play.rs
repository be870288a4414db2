//! `judge play`: whole games against any program that speaks the protocol.
//!
//! Games are independent, so with `--jobs` several run at once; they are reported in the order of their
//! seeds all the same. Times are wall times: with more jobs than cores they measure the machine.

use crate::output::say;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::game::initdata::Setup;
use sapper::geometry::Shape;
use sapper::words::counted;
use serde_json::{Value, json};

use crate::bot::BotCommand;
use crate::host::{self, Played};
use crate::{Outcome, words};

/// Play whole games against a bot and name every fault.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play                                    ten default games of the sapper beside the judge
  judge play --seeds 1..1000 --jobs 2
  judge play --bot 'python3 mybot.py' --seeds 7 --time-limit 6
  judge play --bot 'target/release/sapper --keep-running' --seeds 1..20 --log games
  judge play --width 9 --height 9 --mines 10 --json

The bot is started each turn and reads the history in one line. It stays if it prints the line
  >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
after its answer, and then reads the bare request of each turn. Its input stays open: it must answer
when it has read a line. It is started directly; name sh -c '...' for pipes and variables.

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage.")]
pub(crate) struct Arguments {
    /// The bot's command line [default: the sapper beside the judge].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// A seed, or a range with both ends included.
    #[arg(long, value_name = "A..B", default_value = "1..10", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Seeds,
    /// Columns.
    #[arg(long, default_value_t = 30)]
    width: u32,
    /// Rows.
    #[arg(long, default_value_t = 20)]
    height: u32,
    /// Mines.
    #[arg(long, default_value_t = 80)]
    mines: u32,
    /// Open a safe cell before the first turn, as the init data's `skipfirst` does.
    #[arg(long)]
    skipfirst: bool,
    /// Write each game to DIR/WIDTHxHEIGHT-MINES-SEED.json, for `judge verify`.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Games at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,
    /// The time of a turn; the first turn of a game gets twice as much.
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = seconds)]
    time_limit: Duration,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Seeds {
    pub(crate) first: i32,
    pub(crate) last: i32,
}

/// Reads a range of seeds; bench takes one too.
pub(crate) fn seeds(text: &str) -> Result<Seeds, String> {
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

/// Reads a time limit; samples take one too.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "give seconds above 0, such as 0.5 or 2".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    let setups = setups(arguments)?;
    if let Some(directory) = &arguments.log {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make the directory {}", directory.display()))?;
    }
    let bar = ProgressBar::new(setups.len() as u64).with_style(
        ProgressStyle::with_template("{pos}/{len} games {wide_bar} {elapsed} (eta {eta})")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut summary = Summary::default();
    play_all(arguments, &bot, &setups, |setup, played| {
        if let Some(directory) = &arguments.log {
            write_log(directory, setup, &played)?;
        }
        let report = Report { setup, played: &played, arguments };
        if arguments.json {
            summary.games.push(report.json());
        } else {
            bar.suspend(|| say!("{}", report.text()));
        }
        summary.add(setup, &played);
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    if arguments.json {
        say!("{}", summary.json(arguments, &bot));
    } else {
        say!("{}", summary.text(arguments));
    }
    Ok(Outcome::from(summary.faults.is_empty()))
}

fn setups(arguments: &Arguments) -> Result<Vec<Setup>> {
    let Arguments { width, height, mines, seeds, .. } = *arguments;
    let shape = Shape::new(height.into(), width.into()).context("--width, --height")?;
    if mines as usize > shape.len() {
        let mines = counted(mines, "mine does", "mines do");
        bail!("{mines} not fit into {width}x{height} cells; give fewer with --mines");
    }
    if arguments.skipfirst && mines as usize == shape.len() {
        bail!("--skipfirst needs a safe cell; give fewer mines with --mines");
    }
    let setup = |seed| Setup { skip_first: arguments.skipfirst, ..Setup::new(shape, mines, seed) };
    Ok((seeds.first..=seeds.last).map(setup).collect())
}

/// Plays all games and hands each over in the order of `setups`.
fn play_all(
    arguments: &Arguments,
    bot: &BotCommand,
    setups: &[Setup],
    mut done: impl FnMut(&Setup, Played) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(setup) = setups.get(index)
                {
                    let played = host::play(setup, bot, arguments.time_limit);
                    if sender.send((index, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut waited_for = 0;
        let result = receiver.iter().try_for_each(|(index, played)| {
            early.insert(index, played);
            while let Some(played) = early.remove(&waited_for) {
                done(&setups[waited_for], played?)?;
                waited_for += 1;
            }
            Ok(())
        });
        // After an error the other games are of no use.
        next.store(setups.len(), Ordering::Relaxed);
        result
    })
}

fn write_log(directory: &Path, setup: &Setup, played: &Played) -> Result<()> {
    let (shape, skipped) = (setup.shape, if setup.skip_first { "-skipfirst" } else { "" });
    let (columns, rows, mines, seed) = (shape.columns(), shape.rows(), setup.mines, setup.seed);
    let path = directory.join(format!("{columns}x{rows}-{mines}-{seed}{skipped}.json"));
    let text = serde_json::to_string(&played.record)?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// One game, told.
struct Report<'a> {
    setup: &'a Setup,
    played: &'a Played,
    arguments: &'a Arguments,
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 10.0
}

impl Report<'_> {
    fn text(&self) -> String {
        let Played { outcome, score, hits, turns, slowest, .. } = self.played;
        let (seed, slowest) = (self.setup.seed, milliseconds(*slowest));
        let mut text = format!(
            "seed {seed:>6}  score {score:>6.2}  mines {hits:>3}  turns {turns:>4}  slowest {slowest:>7.1} ms  {outcome}"
        );
        if self.is_fault() {
            // A fault ends the game, so that it is in the last of the turns counted above.
            let place = match turns {
                0 => "before the first turn".to_owned(),
                turns => format!("in turn {turns}"),
            };
            write!(text, "\n  FAULT {place}; again: {}", self.command()).ok();
            for line in self.played.stderr.lines() {
                write!(text, "\n  stderr: {}", words::escaped(line)).ok();
            }
        }
        text
    }

    fn json(&self) -> Value {
        let Played { outcome, score, hits, turns, slowest, stderr, .. } = self.played;
        let mut game = json!({
            "seed": self.setup.seed,
            "score": score,
            "mines": hits,
            "turns": turns,
            "slowest_ms": milliseconds(*slowest),
            "outcome": outcome.kind(),
        });
        if self.is_fault() {
            game["reason"] = json!(outcome.reason());
            game["stderr"] = json!(stderr);
            game["again"] = json!(self.command());
        }
        game
    }

    fn is_fault(&self) -> bool {
        self.played.outcome != host::Outcome::Done
    }

    /// The command that plays this game again.
    fn command(&self) -> String {
        let Arguments { bot, width, height, mines, skipfirst, time_limit, .. } = self.arguments;
        let seed = self.setup.seed;
        let mut command = "judge play".to_owned();
        if let Some(bot) = bot {
            write!(command, " --bot {}", words::quoted(bot)).ok();
        }
        write!(command, " --width {width} --height {height} --mines {mines} --seeds {seed}").ok();
        if *skipfirst {
            command.push_str(" --skipfirst");
        }
        if *time_limit != Duration::from_secs(1) {
            write!(command, " --time-limit {}", time_limit.as_secs_f64()).ok();
        }
        command
    }
}

/// All games, told.
#[derive(Default)]
struct Summary {
    games: Vec<Value>,
    played: usize,
    finished: usize,
    hits: u64,
    score: f64,
    turns: usize,
    slowest: Option<(Duration, i32)>,
    faults: BTreeMap<&'static str, usize>,
}

impl Summary {
    fn add(&mut self, setup: &Setup, played: &Played) {
        self.played += 1;
        self.score += played.score;
        self.turns += played.turns;
        self.slowest = self.slowest.max(Some((played.slowest, setup.seed)));
        if played.outcome == host::Outcome::Done {
            self.finished += 1;
            self.hits += u64::from(played.hits);
        } else {
            *self.faults.entry(played.outcome.kind()).or_default() += 1;
        }
    }

    /// Mean mines opened in the games that came to their end.
    fn mean_hits(&self) -> Option<f64> {
        (self.finished > 0).then(|| self.hits as f64 / self.finished as f64)
    }

    fn mean_score(&self) -> f64 {
        self.score / self.played.max(1) as f64
    }

    fn text(&self, arguments: &Arguments) -> String {
        let Arguments { width, height, mines, .. } = arguments;
        let Summary { played, finished, turns, .. } = self;
        let (games, turns) = (counted(*played, "game", "games"), counted(*turns, "turn", "turns"));
        let mut text = format!("\n{games} {width}x{height}-{mines}, {turns}: ");
        match self.mean_hits() {
            Some(mean) => write!(text, "mean mines opened {mean:.4} (of {finished} finished)"),
            None => write!(text, "none finished"),
        }
        .ok();
        write!(text, ", mean score {:.2}", self.mean_score()).ok();
        if let Some((slowest, seed)) = self.slowest {
            let slowest = milliseconds(slowest);
            write!(text, ", slowest turn {slowest:.1} ms (seed {seed})").ok();
        }
        let faults: Vec<String> =
            self.faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if faults.is_empty() {
            text.push_str("\nno fault");
        } else {
            write!(text, "\nFAULTS: {}", faults.join(", ")).ok();
        }
        text
    }

    fn json(&self, arguments: &Arguments, bot: &BotCommand) -> Value {
        json!({
            "bot": bot.to_string(),
            "width": arguments.width,
            "height": arguments.height,
            "minecount": arguments.mines,
            "games": self.games,
            "summary": {
                "games": self.played,
                "finished": self.finished,
                "mean_mines": self.mean_hits(),
                "mean_score": self.mean_score(),
                "turns": self.turns,
                "slowest_ms": self.slowest.map(|(slowest, _)| milliseconds(slowest)),
                "slowest_seed": self.slowest.map(|(_, seed)| seed),
                "faults": self.faults,
            },
        })
    }
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
    }

    #[test]
    fn a_time_limit_is_a_positive_number_of_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "nan", "inf", "x", "1e300"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
