//! The options of `judge coach` and its help text.

use std::path::PathBuf;

use sapper::{Effort, Objective};

use crate::cli::{
    ForceOption, GameOptions, LimitOptions, MatchOption, effort_parser, objective_parser,
    parse_count, parse_from, parse_integer,
};

/// Find out which decisions of a bot, or of a person, cost how much.
///
/// Where the bot opens another cell than sapper (or than the bot of --against), both cells are
/// compared: by playouts from this position, or exactly in an endgame that sapper solves. Clicks
/// and chords of people (AVF, MVF, RMV, EVF, RAWVF) are judged by their exact odds.
#[derive(clap::Args)]
#[command(override_usage = "\
    judge coach [OPTIONS] --bot <CMD>\n       judge coach [OPTIONS] <GAME>...")]
#[command(after_help = "\
Examples:
  judge coach --bot \"python3 mybot.py\" --level 16x16/40 --games 20 --log games
  judge coach --bot ./mybot --boards boards.mbf
  judge coach samples/games/default-30x20-80.json --json
  judge coach recordings --pages pages --csv games.csv
  judge coach --bot ./mybot --against ./mybot-before --games 500

Exit code: 0 no fault, 1 a fault of a bot, 2 bad usage or a bad file, 130 interrupted.")]
pub struct Arguments {
    /// Recorded games of one rule, or recordings of people: files, folders, patterns, or -
    #[arg(value_name = "GAME")]
    #[arg(conflicts_with_all = ["bot", "log", "games", "seeds", "level", "first"])]
    #[arg(conflicts_with_all = ["boards", "from"])]
    pub recorded: Vec<PathBuf>,
    #[command(flatten)]
    pub game: MatchOption,
    /// The bot's command line
    #[arg(long, value_name = "CMD", required_unless_present = "recorded")]
    pub bot: Option<String>,
    /// Compare with the cells of this bot instead of sapper's
    #[arg(long, value_name = "CMD")]
    pub against: Option<String>,
    #[command(flatten)]
    pub options: GameOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// What sapper plays for [default: the objective of the rule]
    #[arg(long, value_parser = objective_parser())]
    pub objective: Option<Objective>,
    /// Effort of sapper, and of the playouts of games of bots
    #[arg(long, value_parser = effort_parser(), default_value_t = Effort::Fast)]
    pub effort: Effort,
    /// Fewest playouts of each of the two cells [default: 500]
    #[arg(long, value_name = "N", value_parser = parse_from::<2, u32>)]
    pub playouts: Option<u32>,
    /// Most decisions in each of the two lists
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_integer::<usize>)]
    pub list: usize,
    /// Most decisions of one kind in each of the two lists
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count::<usize>)]
    pub per_kind: usize,
    /// Write a row for each game to FILE
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub over: ForceOption,
    /// Write each game to DIR, as `judge replay` reads it
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Write a replay page of each game with a listed decision to DIR
    #[arg(long, value_name = "DIR")]
    pub pages: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
