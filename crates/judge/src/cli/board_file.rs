//! The boards of a file, as options.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use game::rule::Rule;

use crate::cli::parse_integer;
use crate::runner::boards::Boards;
use crate::runner::messages::errln;

/// The boards of a file, and the first of them.
#[derive(clap::Args)]
pub struct BoardFileOptions {
    /// Play the boards of a file, one a line, or its layouts; under safe-first and open-first the
    /// first cells in it count
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["level", "seeds", "first"])]
    boards: Option<PathBuf>,
    /// First board of the file, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "seeds")]
    #[arg(value_parser = parse_integer::<u64>)]
    from: u64,
}

impl BoardFileOptions {
    /// The file, if one is named.
    pub fn path(&self) -> Option<&Path> {
        self.boards.as_deref()
    }

    /// The first board of the file that is played.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The boards of the file for games by `rule`, at most `games`, and its path; `None` if no file
    /// is named.
    ///
    /// # Errors
    /// Fails if a board breaks the rule, if there is none, or if the file cannot be read.
    pub fn boards(
        &self,
        rule: Option<Rule>,
        games: Option<u64>,
    ) -> Result<Option<(Boards, &Path)>> {
        let Some(path) = &self.boards else { return Ok(None) };
        if games == Some(0) {
            bail!("--games 0 plays no board; give at least 1");
        }
        let (boards, may_be_classic) =
            Boards::from_file(path, rule.unwrap_or_default(), self.from, games)?;
        if rule.is_none() && may_be_classic {
            errln!(
                "note: without --rule the bot chooses its first cell (botzone); the first cells in \
                 the file count under --rule safe-first and open-first"
            );
        }
        Ok(Some((boards, path)))
    }
}
