//! The options of games against bots: which boards, and how many games at the same time.

use anyhow::{Result, bail};
use game::board_gen::Start;
use game::field::too_many_mines;
use game::setup::Setup;

use crate::cli::{Jobs, Level, LevelOptions, RowColumn, RuleName, SeedOptions, Seeds};

/// Which games are played, and how many at the same time.
#[derive(clap::Args)]
pub struct GameOptions {
    #[command(flatten)]
    seeds: SeedOptions,
    #[command(flatten)]
    level: LevelOptions,
    /// Open a safe cell before the first turn, like `skipfirst` in the init data
    #[arg(long)]
    skipfirst: bool,
    /// Rules of play [default: botzone]
    #[arg(long, value_enum, conflicts_with = "skipfirst")]
    pub rule: Option<RuleName>,
    /// First cell under safe-first and open-first, counted from 0 [default: 0,0]
    #[arg(long, value_name = "R,C")]
    first: Option<RowColumn>,
    /// Keep a bot that keeps running for the next games: a history begins each. A bot with a fault
    /// is not kept. If it forgets the games before, the results are those of fresh bots; the
    /// command that repeats a fault has a fresh one
    #[arg(long)]
    pub reuse: bool,
    #[command(flatten)]
    pub jobs: Jobs,
}

/// The games that the options name.
pub struct Games {
    pub level: Level,
    pub seeds: Seeds,
    pub skip_first: bool,
    pub start: Start,
}

impl GameOptions {
    /// Checks the options in combination.
    ///
    /// # Errors
    /// Fails if the field is too small or too large, or if it has too many mines.
    pub fn games(&self) -> Result<Games> {
        let level = self.level.level()?;
        let Level { shape, mines } = level;
        let (cells, skip_first) = (shape.len(), self.skipfirst);
        if mines as usize > cells {
            let inconsistency = too_many_mines(mines.into(), cells as u64);
            let (columns, rows) = (shape.columns(), shape.rows());
            bail!("{inconsistency} of {columns}x{rows}; give fewer mines");
        }
        if skip_first && mines as usize == cells {
            bail!("--skipfirst needs a safe cell; give fewer mines");
        }
        let start = self.rule.unwrap_or(RuleName::Botzone).start(level, self.first)?;
        Ok(Games { level, seeds: self.seeds.seeds(), skip_first, start })
    }
}

impl Games {
    /// The game of this setup.
    pub fn of(setup: &Setup) -> Games {
        let Setup { shape, mines, seed, skip_first, start, .. } = *setup;
        let seeds = Seeds { first: seed, last: seed };
        Games { level: Level { shape, mines }, seeds, skip_first, start }
    }

    /// The setup of the game with this seed.
    pub fn setup(&self, seed: i32) -> Setup {
        let Level { shape, mines } = self.level;
        let Games { skip_first, start, .. } = *self;
        Setup { skip_first, start, ..Setup::new(shape, mines, seed) }
    }

    /// The mines that cost the whole score if they are opened.
    pub fn mines_at_stake(&self) -> u32 {
        if self.start.is_classic() { 1 } else { self.level.mines }
    }

    /// The options of the rule; none for Botzone's.
    pub fn rule(&self) -> String {
        rule_options(self.level, self.start)
    }

    /// The options of the games but for their seeds.
    pub fn options(&self) -> String {
        let skip_first = if self.skip_first { " --skipfirst" } else { "" };
        board_options(self.level, self.start) + skip_first
    }

    /// The options that play only the game with this seed.
    pub fn options_of(&self, seed: i32) -> String {
        format!("{} --seeds {seed}", self.options())
    }
}

/// The options of a board but for its seed: boards of one seed are equal where these are.
pub fn board_options(level: Level, start: Start) -> String {
    format!("--level {level}{}", rule_options(level, start))
}

fn rule_options(level: Level, start: Start) -> String {
    let first = start.first().map(|first| {
        let (shape, rule) = (level.shape, start.rule_name());
        format!(" --rule {rule} --first {},{}", shape.row(first), shape.column(first))
    });
    first.unwrap_or_default()
}
