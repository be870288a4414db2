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
//! Invariant: the boards are counted in their order, so a run resumes after the last line before
//! which, and in which, nothing was altered. The boards of later lines are not known.

use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::report::json_lines::{self, Comparable, Entries, Line, Place, entries};
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
    /// The sums of the lines after this one, up to the first that cannot be used: where that is,
    /// and why. A line cannot be used that counts games without boards, or more wins than games.
    pub fn sum(&self, lines: Vec<Line<Counts>>) -> (Counts, Option<(Place, String)>) {
        let (first, last) = self.part;
        let mut left = last.saturating_sub(first).saturating_add(1) as u64;
        let mut sum = Counts::default();
        for Line { place, value } in lines {
            let counts = match value {
                Ok(counts) => counts,
                Err(why) => return (sum, Some((place, why))),
            };
            if !(1..=left).contains(&counts.games) || counts.wins > counts.games {
                let why = format!("its games do not fit the boards {first} to {last}");
                return (sum, Some((place, why)));
            }
            left -= counts.games;
            sum.merge(&counts);
        }
        (sum, None)
    }
}

/// The results of a part of a run.
pub struct Shard {
    pub header: Header,
    pub counts: Counts,
}

impl Shard {
    /// Reads a shard, which may be truncated or still growing. If a line cannot be used, the shard
    /// ends before it, and the text says why.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not a shard.
    pub fn read(path: &Path) -> Result<(Shard, Option<String>)> {
        let (header, lines): (Header, _) = json_lines::read(path, "--resume of `judge bench`")?;
        let (counts, unusable) = header.sum(lines);
        let fault = unusable.map(|(place, why)| place.fault(path.display(), &why));
        Ok((Shard { header, counts }, fault))
    }

    /// The boards played, which may be none.
    pub fn covered(&self) -> BoardRange {
        let (first, _) = self.header.part;
        (first, first + self.counts.games as i64 - 1)
    }
}
