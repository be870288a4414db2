//! A shard: the results of a run or of a part of a run, as a file that grows during the run.
//!
//! The first line of JSON states what is played; every other line has the [`Counts`] of the next
//! boards of the part:
//!
//! ```text
//! {"version":...,"boards":{...},"rule":...,"objective":...,"effort":...,
//!  "judge":...,"part":[1,500],"whole":[1,1000]}
//! {"games":300,"wins":120, ...}
//! {"games":200,"wins":81, ...}
//! ```
//!
//! (The first line is broken here only.)
//!
//! Invariant: the boards are counted in their order, so a run resumes after the last complete line.

use std::path::{Display, Path};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::report::json_lines::{self, Comparable, Entries, entries};
use crate::report::run::{Counts, Setting};
use crate::runner::boards::BoardRange;

/// The first line.
#[derive(Clone, Serialize, Deserialize)]
pub struct Header {
    #[serde(flatten)]
    pub setting: Setting,
    /// The checksum of the judge that plays. Shards of several builds may be merged.
    #[serde(default)]
    pub judge: String,
    /// The boards of this shard.
    pub part: BoardRange,
    /// The boards of the whole run.
    pub whole: BoardRange,
}

impl Comparable for Header {
    fn entries(&self) -> Entries {
        let range = |(first, last): BoardRange| format!("[{first},{last}]");
        let texts = [
            ("judge", self.judge.clone()),
            ("part", range(self.part)),
            ("whole", range(self.whole)),
        ];
        let mut all = self.setting.entries();
        all.extend(entries("run", texts));
        all
    }
}

impl Header {
    /// The sums of the lines after this one, in the file of this name.
    ///
    /// # Errors
    /// Fails if a line counts games without boards, or more wins than games.
    pub fn sum(&self, name: &Display<'_>, lines: &[Counts]) -> Result<Counts> {
        let (first, last) = self.part;
        let mut left = last.saturating_sub(first).saturating_add(1) as u64;
        for (counts, number) in lines.iter().zip(2..) {
            let is_possible = (1..=left).contains(&counts.games) && counts.wins <= counts.games;
            ensure!(
                is_possible,
                "{name}, line {number} is damaged: its games do not fit the boards {first} to \
                 {last}; name another file"
            );
            left -= counts.games;
        }
        Ok(Counts::sum(lines))
    }
}

/// The results of a part of a run.
pub struct Shard {
    pub header: Header,
    pub counts: Counts,
}

impl Shard {
    /// Reads a shard, which may be truncated or still growing.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a shard, or has a complete line that is damaged.
    pub fn read(path: &Path) -> Result<Shard> {
        let (header, lines): (Header, Vec<Counts>) = json_lines::read(path)?;
        let counts = header.sum(&path.display(), &lines)?;
        Ok(Shard { header, counts })
    }

    /// The boards played, which may be none.
    pub fn covered(&self) -> BoardRange {
        let (first, _) = self.header.part;
        (first, first + self.counts.games as i64 - 1)
    }
}
