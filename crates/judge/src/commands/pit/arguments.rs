//! The options of `judge pit` and its help text.

use std::path::PathBuf;

use super::sprt::{Hypotheses, Measure};
use crate::cli::{GameOptions, LimitOptions, ResumeOptions};

/// Compare bots on the same boards.
///
/// Reports score, mines, clean games, faults, times and memory of any number of bots in any
/// language, the paired difference of two bots, and a ranking of more than two.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge pit --bot sapper --bot 'python3 samples/bots/simple.py --keep-running'
  judge pit --bot old=./old --bot new=./new --seeds 1..100000 --sprt \\
      --jobs 2 --resume run.jsonl
  judge pit --bot sapper --bot simple=target/simple --level intermediate \\
      --log games
  judge pit --bot old=./old --bot new=./new --seeds 1..2000 --sprt --adjusted
  judge pit --bot a=./a --bot 'b=java -jar b.jar' --clock cpu --json
  judge pit --bot a=./a --bot b=./b --level expert --rule safe-first
  judge pit --bot a=./a --bot b=./b --seeds 1..1000 --csv games.csv
  judge compare games.csv games.csv --a a --b b

Bots are started, and limited in time and memory, as by `judge play`. The language is known from the
program's name if that is python, pypy, node, bun, deno, java, mono or dotnet; give --language
otherwise. `sapper` is the judge's own program, started again as the bot.

Two bots are compared measure by measure. More than two are ranked by score, with the paired
difference of each to the best bot; --json has all pairs. Intervals
have 95 % confidence each, without a correction for several comparisons: the signs of the boards for
clean games, Student's t for other measures, clipped to the possible values. A bot is called better
if the interval of the score difference excludes 0; while few boards differ, an exact test must
agree. With fewer than 6 boards that differ, no verdict is given.

A bot that cannot be started is an error (exit code 2). A fault (timeout, crash, illegal, not-json,
output-limit, memory-limit, unasked, not-started, stalled) scores 0 and does not end the run. Mines
are averaged over the games without a fault. CPU time and memory are those of all processes of a
bot. Memory is sampled while the bot runs, so that it is unknown if every turn ends between two
samples (- in the table, null in JSON). At the end of a bot all its processes are killed, daemons
included.

--sprt is a sequential probability ratio test of two bots: it takes the boards in the order of their
seeds and stops as soon as it accepts H0 (the second bot is better by LOW points per board) or H1
(by HIGH). It uses the normal approximation with the variance of the paired differences, and decides
nothing before 30 boards, of which 20 differ. A fault in one of 200 games costs half a point per
board on average, and the test may end before the first: use a fixed number of boards to look for
rare faults.

Adjusted results are without the luck of the guesses: the mines that a click hits are replaced by
its exact odds, given all that the bot was shown. Their mean is the same and they scatter less, so
that fewer boards tell two bots apart; the report says how many times fewer. With --adjusted, SPRT,
verdict and ranking go by them. They assume that all layouts are equally likely, as those of seeds
are, and that the bot knows the numbers only: if a bot hits less or more than its odds allow, the
report says that hits and odds do not fit together. Turns whose odds are not exact count as they
fell. After a fault the score is 0, less the luck until then. Clean games are not adjusted, nor are
games with --skipfirst, whose first zero says more than its number.

Under safe-first and open-first a hit ends the game, and the score is 100 or 0. For the adjusted
score a guess that would hit is survived, as in `judge play`: the score is the probability to win.

--resume FILE appends every game to FILE when it ends, and does not play again the games that FILE
already holds: the same command continues an interrupted run, and seeds or bots may be added. With
--log, a game whose record is not in DIR, or is that of another game, is played again. FILE also
holds checksums of each bot's program and of the files that its command line names. A bot that has
changed since is refused, as are other boards, limits or another version of the judge: give the bot
another name, another FILE, or --restart. Files that a bot reads by itself, such as imported
modules, are not seen; name them in the command line, or give --restart after you have changed one.

After an interrupt (Ctrl-C, kill) the report covers the boards that every bot has played. A second
interrupt ends the judge at once.

--csv FILE has a row for every game of the report: index (the seed), bot, won (1 without a mine
opened), hits (mines opened; blank after a fault), outcome (done, or the fault), score, turns,
cpu_ms, wall_ms, slowest_ms, memory_mb, left_behind, reason, adjusted_hits (blank after a fault),
adjusted_won (0 after a fault, blank under botzone) and options (level, rule and first cell). Every
run overwrites it, and includes the games that come from --resume.

Turns are counted from 0, as in requests[0], `judge explain --turn` and `judge replay`.

Exit code: 0 no fault, 1 a fault of a bot, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// A bot's command line, optionally with a name; give it once for each bot.
    #[arg(long = "bot", value_name = "[NAME=]CMD", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub games: GameOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Stop when the sequential test of two bots has decided [default of LOW,HIGH: 0,0.5].
    #[arg(
        long,
        value_name = "LOW,HIGH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0,0.5"
    )]
    pub sprt: Option<Hypotheses>,
    /// The measure that --sprt tests.
    #[arg(long, value_enum, default_value_t = Measure::Score, requires = "sprt")]
    pub sprt_on: Measure,
    /// Go by the scores without the luck of the guesses, in --sprt, verdict and ranking.
    #[arg(long, conflicts_with = "skipfirst")]
    pub adjusted: bool,
    /// The probability that --sprt accepts H1 if H0 is true.
    #[arg(long, default_value = "0.05", value_parser = error_probability, requires = "sprt")]
    pub alpha: f64,
    /// The probability that --sprt accepts H0 if H1 is true.
    #[arg(long, default_value = "0.05", value_parser = error_probability, requires = "sprt")]
    pub beta: f64,
    /// Write each game to DIR/NAME/WIDTHxHEIGHT-MINES-SEED[-RULE].json, as `judge verify` reads it.
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub run_file: ResumeOptions,
    /// Write a row for each game to FILE, with its seed as `index`
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

fn error_probability(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|probability| *probability > 0.0 && *probability < 0.5)
        .ok_or_else(|| "give a probability between 0 and 0.5, such as 0.05".to_owned())
}
