//! The results of a run, or of several shards of a run.
//!
//! Invariant: all boards were played with the same setting, each board once.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rangemap::{RangeInclusiveMap, RangeInclusiveSet};

use crate::report::difference;
use crate::report::run::{Counts, Setting, Shard};
use crate::runner::boards::BoardRange;

/// The results of a run, or of several shards.
pub struct Merged {
    pub setting: Setting,
    pub counts: Counts,
    /// The boards played.
    covered: RangeInclusiveSet<i64>,
    /// The boards of the runs that the shards are parts of.
    requested: RangeInclusiveSet<i64>,
}

impl Merged {
    /// Merges shards, which are given with their paths.
    ///
    /// # Errors
    /// Fails if two shards have different settings or a board in common. The message has both
    /// paths.
    pub fn from_shards(shards: &[(PathBuf, Shard)]) -> Result<Merged> {
        let (first_path, first) = shards.first().context("no shard is given")?;
        let mut paths: RangeInclusiveMap<i64, &PathBuf> = RangeInclusiveMap::new();
        for (path, shard) in shards {
            let (name, first_name) = (path.display(), first_path.display());
            if let Some(difference) = difference(&first.header.setting, &shard.header.setting) {
                bail!(
                    "{first_name} is not of the same run as {name}: {difference}; report them \
                     separately"
                );
            }
            let Some(boards) = nonempty(shard.covered()) else { continue };
            if let Some((other, other_path)) = paths.overlapping(&boards).next() {
                bail!(
                    "{} and {name} both have the boards {}..{}; give each board's result once",
                    other_path.display(),
                    boards.start().max(other.start()),
                    boards.end().min(other.end())
                );
            }
            paths.insert(boards, path);
        }
        let requested = shards.iter().filter_map(|(_, shard)| nonempty(shard.header.whole));
        Ok(Merged {
            setting: first.header.setting.clone(),
            counts: Counts::sum(shards.iter().map(|(_, shard)| &shard.counts)),
            covered: paths.iter().map(|(boards, _)| boards.clone()).collect(),
            requested: requested.collect(),
        })
    }

    /// The boards played: sorted ranges that do not touch.
    pub fn covered(&self) -> Vec<BoardRange> {
        self.covered.iter().map(|boards| (*boards.start(), *boards.end())).collect()
    }

    /// The boards of the runs that the shards are parts of and that no shard covers.
    pub fn missing(&self) -> Vec<BoardRange> {
        let gaps = self.requested.iter().flat_map(|boards| self.covered.gaps(boards));
        gaps.map(RangeInclusive::into_inner).collect()
    }
}

/// The numbers of the boards; `None` of an empty part of a run.
fn nonempty((first, last): BoardRange) -> Option<RangeInclusive<i64>> {
    (first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::boards::BoardSource;

    #[test]
    fn boards_that_no_range_covers_are_missing() {
        type Pair = BoardRange;
        let missing = |requested: &[Pair], covered: &[Pair]| -> Vec<Pair> {
            let setting = Setting {
                version: String::new(),
                boards: BoardSource::Seeds { level: String::new(), first: None },
                rule: game::rule::Rule::Botzone,
                objective: String::new(),
                effort: String::new(),
                adjusted: false,
            };
            let [requested, covered] = [requested, covered]
                .map(|pairs| pairs.iter().map(|&(first, last)| first..=last).collect());
            let merged = Merged { setting, counts: Counts::default(), covered, requested };
            merged.missing()
        };
        assert_eq!(missing(&[(1, 9)], &[(4, 6), (1, 3), (7, 9)]), []);
        assert_eq!(missing(&[(-5, 9)], &[(-2, 3), (6, 7)]), [(-5, -3), (4, 5), (8, 9)]);
        assert_eq!(missing(&[(1, 9), (1, 9), (20, 22)], &[(1, 9)]), [(20, 22)]);
        assert_eq!(missing(&[(1, 9), (10, 22)], &[(1, 20)]), [(21, 22)]);
        assert_eq!(missing(&[(1, 9)], &[]), [(1, 9)]);
    }
}
