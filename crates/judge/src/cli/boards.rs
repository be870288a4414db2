//! The options of the boards of games in process, and of how the engine plays them.

use anyhow::{Result, bail};
use game::rule::Rule;
use sapper::Engine;

use crate::cli::strength::Strength;
use crate::cli::{
    BoardFileOptions, JobOptions, LevelOptions, RowColumn, SeedOptions, checked_start,
    parse_integer, rule_parser,
};
use crate::report::run::Setting;
use crate::runner::boards::Boards;
use crate::runner::seeds::Seeds;

/// What the engine plays, and how.
#[derive(clap::Args)]
pub struct BoardOptions {
    #[command(flatten)]
    level: LevelOptions,
    #[command(flatten)]
    pub seeds: SeedOptions,
    /// First cell under safe-first and open-first, counted from 0 [default: 0,0]
    #[arg(long, value_name = "R,C")]
    first: Option<RowColumn>,
    #[command(flatten)]
    pub file: BoardFileOptions,
    /// Number of boards of the file that are played [default: all that follow]
    #[arg(long, value_name = "N", value_parser = parse_integer::<u64>, conflicts_with = "seeds")]
    games: Option<u64>,
    /// Rule of the games [default: botzone]
    #[arg(long, value_parser = rule_parser())]
    rule: Option<Rule>,
    #[command(flatten)]
    pub strength: Strength,
    #[command(flatten)]
    pub jobs: JobOptions,
}

impl BoardOptions {
    /// The rule of play.
    pub fn rule(&self) -> Rule {
        self.rule.unwrap_or_default()
    }

    /// The boards that the options name: of a level those of `seeds`.
    ///
    /// # Errors
    /// Fails if a board breaks the rule, if there is none, or if the file cannot be read.
    pub fn boards(&self, seeds: Seeds) -> Result<Boards> {
        if let Some((boards, _)) = self.file.boards(self.rule, self.games)? {
            return Ok(boards);
        }
        match self.file.from() {
            first if first > 0 || self.games.is_some() => {
                let from = first.saturating_add(1);
                let last = first.saturating_add(self.games.unwrap_or(100).max(1));
                bail!(
                    "--from and --games choose boards of a file: add --boards FILE, or give seeds \
                     instead, such as --seeds {from}..{last}"
                )
            }
            _ => {
                let level = self.level.level();
                let start = checked_start(self.rule(), level, self.first)?;
                Ok(Boards::of_seeds(level, start, seeds))
            }
        }
    }

    /// An engine that plays as the options say.
    pub fn engine(&self) -> Engine {
        self.strength.engine(self.rule())
    }

    /// The setting of a run on these boards.
    pub fn setting(&self, boards: &Boards, is_adjusted: bool) -> Setting {
        Setting {
            version: sapper::bot::serve::version(),
            boards: boards.source(),
            rule: self.rule(),
            objective: self.strength.objective(self.rule()).to_string(),
            effort: self.strength.effort(),
            adjusted: is_adjusted,
        }
    }
}
