//! The options of `judge pit` and its help text.

use std::path::PathBuf;

use super::sprt::Hypotheses;
use crate::cli::{ForceOption, GameOptions, LimitOptions, ResumeOptions, SkipFirst};

/// Compare bots on the same boards.
///
/// Reports score, mines, clean games, faults, times and memory of any number of bots in any
/// language, the paired difference of two bots, and a ranking of more than two.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge pit --bot sapper --bot \"python3 samples/bots/simple.py --keep-running\"
  judge pit --bot old=./old --bot new=./new --sprt --resume run.jsonl
  judge pit --bot sapper --bot simple=target/simple --level beginner --log games
  judge pit --bot old=./old --bot new=./new --seeds 1..2000 --sprt --adjusted
  judge pit --bot a=./a --bot \"b=java -jar b.jar\" --boards boards.mbf --json
  judge pit --bot a=./a --bot b=./b --seeds 1..1000 --csv games.csv
  judge compare games.csv games.csv --a a --b b

Exit code: 0 no fault, 1 a fault of a bot, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// Command line of a bot; give --bot once for each bot
    #[arg(long = "bot", value_name = "[NAME=]CMD", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub games: GameOptions,
    #[command(flatten)]
    pub skip_first: SkipFirst,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Stop when the sequential test of two bots has decided whether the second is better by LOW or
    /// by HIGH points a board [default: 0,0.5]
    #[arg(
        long,
        value_name = "LOW,HIGH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0,0.5"
    )]
    pub sprt: Option<Hypotheses>,
    /// Decide verdict, ranking and --sprt by the scores without the luck of the guesses
    #[arg(long, conflicts_with = "skipfirst")]
    pub adjusted: bool,
    /// Probability that --sprt accepts H1 if H0 is true
    #[arg(long, value_name = "P", default_value = "0.05", requires = "sprt")]
    #[arg(value_parser = error_probability)]
    pub alpha: f64,
    /// Probability that --sprt accepts H0 if H1 is true
    #[arg(long, value_name = "P", default_value = "0.05", requires = "sprt")]
    #[arg(value_parser = error_probability)]
    pub beta: f64,
    /// Write each game to DIR/NAME, as `judge verify` reads it
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub run_file: ResumeOptions,
    /// Write a row for each game to FILE
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub over: ForceOption,
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
