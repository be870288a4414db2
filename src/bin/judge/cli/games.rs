//! The options of games against bots: size, mines, seeds and the number of threads.

use anyhow::{Context, Result, bail};
use sapper::base::text::too_many_mines;
use sapper::board::geometry::Shape;
use sapper::referee::setup::Setup;

use super::seeds::{Seeds, parse_seeds};

/// Which games are played, and how many at the same time.
#[derive(clap::Args, Clone)]
pub struct Games {
    /// A seed, or a range with both ends included.
    #[arg(
        long,
        value_name = "A..B",
        default_value = "1..10",
        value_parser = parse_seeds,
        allow_hyphen_values = true
    )]
    pub seeds: Seeds,
    /// Columns.
    #[arg(long, default_value_t = 30)]
    pub width: u32,
    /// Rows.
    #[arg(long, default_value_t = 20)]
    pub height: u32,
    /// Mines.
    #[arg(long, default_value_t = 80)]
    pub mines: u32,
    /// Open a safe cell before the first turn, like `skipfirst` in the init data.
    #[arg(long)]
    pub skipfirst: bool,
    /// Games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
}

impl Games {
    /// Checks the options in combination.
    ///
    /// # Errors
    /// Fails if the field is too small or too large, or if it has too many mines.
    pub fn check(&self) -> Result<()> {
        let Games { width, height, mines, .. } = *self;
        let cells = self.shape()?.len();
        if mines as usize > cells {
            let inconsistency = too_many_mines(mines.into(), cells as u64);
            bail!("{inconsistency} of {width}x{height}; give fewer with --mines");
        }
        if self.skipfirst && mines as usize == cells {
            bail!("--skipfirst needs a safe cell; give fewer mines with --mines");
        }
        Ok(())
    }

    fn shape(&self) -> Result<Shape> {
        Shape::new(self.height.into(), self.width.into()).context("--width, --height")
    }

    /// The setup of the game with this seed.
    ///
    /// # Errors
    /// Fails if the field is too small or too large.
    pub fn setup(&self, seed: i32) -> Result<Setup> {
        Ok(Setup { skip_first: self.skipfirst, ..Setup::new(self.shape()?, self.mines, seed) })
    }

    /// The options that play only the game with this seed.
    pub fn options(&self, seed: i32) -> String {
        let Games { width, height, mines, skipfirst, .. } = self;
        let mut options =
            format!(" --width {width} --height {height} --mines {mines} --seeds {seed}");
        if *skipfirst {
            options.push_str(" --skipfirst");
        }
        options
    }
}
