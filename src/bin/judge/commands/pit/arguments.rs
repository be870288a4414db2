//! The options of `judge pit`, with their help.

use std::path::PathBuf;

use super::sprt::{Hypotheses, Measure};
use crate::cli::games::Games;
use crate::cli::limits::Limits;

/// Play bots against each other on the same boards.
///
/// Any number of bots in any language: score, mines, clean games, faults, times and memory of each,
/// who is better by how much, and a ranking of more than two.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge pit --bot sapper --bot 'python3 samples/bots/simple.py --keep-running'
  judge pit --bot old=./old --bot new=./new --seeds 1..100000 --sprt \\
      --jobs 2 --resume run.jsonl
  judge pit --bot sapper --bot simple=target/simple --width 16 --height 16 \\
      --mines 40 --log games
  judge pit --bot a=./a --bot 'b=java -jar b.jar' --clock cpu --json
  judge pit --bot a=./a --bot b=./b --seeds 1..1000 --csv games.csv

A bot is started as in `judge play`, and so are its limits. Botzone's factors stretch the time of
a turn: C++ and Pascal 1, JavaScript 2, Java 3, Python and C# 6. Programs named python, pypy, node,
java, mono or dotnet show their language; tell others by --language. `sapper` is the one beside
the judge.

Two bots are compared measure by measure. More are ranked by score, with the paired difference of
each to the best and to the one above; --json has every two. Every interval is 95 % by itself, of
clean games by the signs of the boards, else by Student's t, and within what is possible. A bot is called better where its
interval of the difference of scores leaves 0 out, and while few boards differ an exact test does
so too; fewer than 6 boards that differ are called too few to tell.

A bot that cannot be started is refused, with exit code 2. A fault (timeout, crash, illegal,
not-json, output-limit, memory-limit, unasked, not-started, stalled) scores 0, and never ends the
run. Mines are averaged over games that came to their end. CPU time and memory are those of all
processes of a bot. Memory is looked at while a bot runs: of one whose every turn ends at once, as
a small program's may, it is not told (- in the table, null for programs). All processes are ended
with their turn's bot, daemons included.

--sprt tests, of two bots, whether the second is better by H1 points a board or by H0, in the order
of the seeds, and stops when one is accepted. It is the sequential probability ratio test by the
normal approximation, its variance taken from the paired differences; nothing is decided before 30
boards, of which 20 differ. A fault in one of hundreds of games weighs half a point a board, and the
test may end before it is met: look for rare faults with a fixed number of boards.

--resume FILE writes every game to FILE as it ends, and takes those that are there already: the same
command again goes on where it was interrupted; more seeds or more bots may be added.

Interrupted (Ctrl-C, kill), a run reports the boards that every bot has played until then; once more
ends it at once.

--csv FILE gets a row of every game that the report counts: seed, bot, outcome (done, or the
fault), score, mines, turns, cpu_ms, wall_ms, slowest_ms, memory_mb, left_behind, reason. It is
begun anew by every run, with the games that --resume knows.

Turns are counted from 0, as in requests[0], `judge explain --turn` and `judge replay`.

Exit code: 0 no fault, 1 a fault of a bot, 2 bad usage; 130 interrupted.")]
pub struct Arguments {
    /// A bot's command line, with a name before it if you like; once for each bot.
    #[arg(long = "bot", value_name = "[NAME=]CMD", required = true)]
    pub bots: Vec<String>,
    /// The language of a bot, for its time: cpp, pascal, javascript, java, python or csharp.
    #[arg(long = "language", value_name = "NAME=LANGUAGE")]
    pub languages: Vec<String>,
    #[command(flatten)]
    pub games: Games,
    #[command(flatten)]
    pub limits: Limits,
    /// Stop when the sequential test of two bots has decided [default of LOW,HIGH: 0,0.5].
    #[arg(long, value_name = "LOW,HIGH", num_args = 0..=1, require_equals = true, default_missing_value = "0,0.5")]
    pub sprt: Option<Hypotheses>,
    /// What --sprt tests.
    #[arg(long, value_enum, default_value_t = Measure::Score, requires = "sprt")]
    pub sprt_on: Measure,
    /// Chance of accepting LOW's opposite where LOW is true.
    #[arg(long, default_value = "0.05", value_parser = chance, requires = "sprt")]
    pub alpha: f64,
    /// Chance of accepting LOW where HIGH is true.
    #[arg(long, default_value = "0.05", value_parser = chance, requires = "sprt")]
    pub beta: f64,
    /// Write each game to DIR/NAME/WIDTHxHEIGHT-MINES-SEED.json, for `judge verify`.
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Write the games' results to FILE as they end, and go on from those that are there.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Write a row a game to FILE: seed, bot, outcome, score, mines, turns, times and memory.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

fn chance(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|chance| *chance > 0.0 && *chance < 0.5)
        .ok_or_else(|| "give a chance between 0 and 0.5, such as 0.05".to_owned())
}
