//! The options of games against bots: which boards, and how many games at the same time.

use anyhow::{Result, bail};
use game::field::too_many_mines;
use game::level::Level;
use game::rule::Rule;

use crate::cli::{
    BoardFileOptions, JobOptions, LevelOptions, RowColumn, SeedOptions, checked_start, parse_count,
    rule_parser,
};
use crate::runner::seeds::Seeds;
use crate::runner::setups::GameSetups;

/// Which games are played, and how many at the same time.
#[derive(clap::Args)]
pub struct GameOptions {
    /// Number of games, of the seeds 1 to N or of --boards
    #[arg(long = "games", id = "games", value_name = "N", value_parser = parse_count::<i32>)]
    #[arg(conflicts_with = "seeds")]
    number_of_games: Option<i32>,
    #[command(flatten)]
    file: BoardFileOptions,
    #[command(flatten)]
    seeds: SeedOptions,
    #[command(flatten)]
    level: LevelOptions,
    /// Rule of the games [default: botzone]
    #[arg(long, value_parser = rule_parser())]
    pub rule: Option<Rule>,
    /// First cell under safe-first and open-first [default: 0,0]
    #[arg(long, value_name = "R,C")]
    first: Option<RowColumn>,
    /// Keep the process of a bot that keeps running for its next games
    #[arg(long)]
    pub reuse: bool,
    #[command(flatten)]
    pub jobs: JobOptions,
}

/// The option `--skipfirst`, for games whose decisions are not judged.
#[derive(clap::Args, Clone, Copy)]
pub struct SkipFirst {
    /// Open a safe cell before the first turn, as `skipfirst` in the init data does
    #[arg(long, conflicts_with = "rule")]
    pub skipfirst: bool,
}

impl GameOptions {
    /// The games that the options name, in which a cell is opened before the first turn if
    /// `skip_first`.
    ///
    /// # Errors
    /// Fails if the field has too many mines, or if the file of boards cannot be played.
    pub fn games(&self, skip_first: bool) -> Result<GameSetups> {
        let rule = self.rule.unwrap_or_default();
        let most = self.number_of_games.map(|games| games as u64);
        if let Some((boards, path)) = self.file.boards(self.rule, most)? {
            return Ok(GameSetups::of_file(boards, rule, skip_first, path));
        }
        if self.file.from() > 0 {
            bail!("--from chooses boards of a file: add --boards FILE, or give --seeds instead");
        }
        let level = self.level.level();
        let Level { shape, mines } = level;
        let cells = shape.len();
        if mines as usize > cells {
            let too_many = too_many_mines(mines.into(), cells as u64);
            let (columns, rows) = (shape.columns(), shape.rows());
            bail!("{too_many} of {columns}x{rows}; give fewer mines");
        }
        if skip_first && mines as usize == cells {
            bail!("--skipfirst needs a safe cell; give fewer mines");
        }
        let start = checked_start(rule, level, self.first)?;
        let seeds = match self.number_of_games {
            Some(last) => Seeds { first: 1, last },
            None => self.seeds.seeds(|number| format!("--games {number} or --seeds 1..{number}")),
        };
        Ok(GameSetups::of_seeds(level, start, seeds, skip_first))
    }
}
