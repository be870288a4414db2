//! The options of `judge check soak` and its help text.

use sapper::Effort;

use crate::cli::{
    JobOptions, SEEDS_UNTIL_ENOUGH, SeedOptions, TurnLimits, effort_parser, limit_options,
    parse_count, parse_integer,
};
use crate::runner::limits::Limits;
use crate::runner::shell_words::quote;

/// Play a large number of turns of random games, and report faults.
///
/// The size, the density, the pattern of open cells, falsified reports and the effort of a game are
/// drawn from its seed.
#[derive(clap::Args)]
#[command(mut_arg("seeds", |option| option.help(SEEDS_UNTIL_ENOUGH)))]
#[command(after_help = "\
Examples:
  judge check soak
  judge check soak --turns 10000 --processes 50
  judge check soak --seeds 4711
  judge check soak --seeds 1..500 --json
  judge check soak --seeds 1..500 --effort full

Exit code: 0 no fault, 1 a fault, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// Number of turns; the last game is played to its end
    #[arg(long, value_name = "N", default_value_t = 1_000_000, conflicts_with = "seeds")]
    #[arg(value_parser = parse_count::<u64>)]
    pub turns: u64,
    #[command(flatten)]
    pub seeds: SeedOptions,
    /// Effort of every game [default: drawn from its seed]
    #[arg(long, value_parser = effort_parser())]
    pub effort: Option<Effort>,
    /// Compare with the answer of the built bot, at full effort, in one of N turns; 0 for never
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = parse_integer::<u32>)]
    pub processes: u32,
    /// The bot's command line [default: sapper --keep-running]
    #[arg(long, value_name = "CMD")]
    pub bot: Option<String>,
    #[command(flatten)]
    pub limits: TurnLimits,
    #[command(flatten)]
    pub jobs: JobOptions,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// The options that a fault may depend on. `--processes` is one, because it takes draws from
    /// the generator of the game.
    pub fn options(&self, limits: &Limits) -> String {
        let Arguments { effort, processes, bot, .. } = self;
        let effort = effort.map(|effort| format!(" --effort {effort}"));
        let bot = bot.as_ref().map(|bot| format!(" --bot {}", quote(bot)));
        let (effort, bot) = (effort.unwrap_or_default(), bot.unwrap_or_default());
        format!("{effort} --processes {processes}{bot}{}", limit_options(limits))
    }
}
