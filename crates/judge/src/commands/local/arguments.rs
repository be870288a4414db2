//! The options of `judge local` and its help text.

use std::path::PathBuf;
use std::time::Duration;

use clap::Arg;
use game::level::Level;
use serde_json::{Value, json};

use super::fake;
use crate::cli::{JobOptions, LimitOptions, parse_integer, parse_seconds};

/// Play on Botzone from this machine, by its Local AI.
#[derive(clap::Args)]
#[command(
    mut_args(tie_to_mode),
    after_help = "\
Examples:
  judge local
  judge local --url-file address.txt --log games
  judge local --bot \"python3 mybot.py\" --matches 20 --json
  judge local --run-match 30x20/80 --count 5
  judge local --fake 8080
  judge local --fake 8080 --faults all --level intermediate --open 200
  judge local --matches 200 --poll-timeout 5 --retry-wait 0.2

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage, or the server refuses the address, 130
interrupted."
)]
pub struct Arguments {
    /// Read the address from FILE, even if BOTZONE_LOCALAI_URL is set
    #[arg(long, value_name = "FILE")]
    pub url_file: Option<PathBuf>,
    /// The bot's command line [default: Sapper, in this process]
    #[arg(long, value_name = "CMD")]
    pub bot: Option<String>,
    #[command(flatten)]
    pub limits: LimitOptions,
    #[command(flatten)]
    pub jobs: JobOptions,
    /// Open a match on a board of this size, or with this init data: 30x20/80, or a JSON object
    #[arg(long, value_name = "LEVEL|JSON", value_parser = parse_initdata)]
    pub run_match: Option<Value>,
    /// Number of matches that --run-match opens, one after the other, before the end
    #[arg(long, value_name = "N", requires = "run_match", default_value_t = 1)]
    #[arg(value_parser = parse_integer::<usize>)]
    pub count: usize,
    /// Number of matches after which this run ends [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_integer::<usize>)]
    pub matches: Option<usize>,
    /// Play matches whose first request already shows open cells
    #[arg(long)]
    pub skipfirst: bool,
    /// The folder with the histories of open matches [default: sapper/matches in
    /// $XDG_STATE_HOME, else in ~/.local/state, on Windows in %LOCALAPPDATA%]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// Write each match to DIR/ID.json when it is over
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Longest wait for the server in one poll
    #[arg(long, value_name = "SECONDS", default_value = "90", value_parser = parse_seconds)]
    pub poll_timeout: Duration,
    /// Wait after a failed poll; it doubles after each further failure
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = parse_seconds)]
    pub retry_wait: Duration,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fake: fake::Options,
}

/// Lets the fake server's options stand only with `--fake`, and the client's only without it.
fn tie_to_mode(argument: Arg) -> Arg {
    const FAKE: &str = "port";
    match argument.get_id().as_str() {
        FAKE | "log" | "json" => argument,
        _ if argument.get_help_heading() == Some(fake::HEADING) => argument.requires(FAKE),
        _ => argument.conflicts_with(FAKE),
    }
}

/// The init data of a match: a JSON object, or a level in place of it, because not every shell lets
/// quotes through to a program.
fn parse_initdata(text: &str) -> Result<Value, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"));
    }
    let level: Level = text.parse().map_err(|_| {
        "give the size and the mines of a board, such as 30x20/80, or a JSON object, such as {}"
            .to_owned()
    })?;
    let (width, height) = (level.shape.columns(), level.shape.rows());
    Ok(json!({"width": width, "height": height, "minecount": level.mines}))
}
