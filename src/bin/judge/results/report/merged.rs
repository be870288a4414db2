//! The results of a run, or of several shards of a run.
//!
//! Invariant: all boards were played with the same setting, each board once.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rangemap::{RangeInclusiveMap, RangeInclusiveSet};

use super::counts::Counts;
use super::setting::Setting;
use super::shard::Shard;
use crate::cli::boards::BoardRange;

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
    /// The results of a run that has played all of its boards.
    pub fn from_run(setting: Setting, counts: Counts, boards: BoardRange) -> Merged {
        let boards: RangeInclusiveSet<i64> = nonempty(boards).into_iter().collect();
        Merged { setting, counts, covered: boards.clone(), requested: boards }
    }

    /// Merges shards, which are given with their paths.
    ///
    /// # Errors
    /// Fails if two shards have different settings or a board in common. The message has both
    /// paths.
    pub fn from_shards(shards: &[(PathBuf, Shard)]) -> Result<Merged> {
        let (first_path, first) = shards.first().context("no shard is given")?;
        for (path, shard) in shards {
            if let Some(difference) = first.header.setting.difference(&shard.header.setting) {
                bail!(
                    "{} is not of the same run as {}: {difference}; report them separately",
                    first_path.display(),
                    path.display()
                );
            }
        }
        let mut paths: RangeInclusiveMap<i64, &PathBuf> = RangeInclusiveMap::new();
        for (path, shard) in shards {
            let Some(boards) = shard.covered().and_then(nonempty) else { continue };
            if let Some((other, other_path)) = paths.overlapping(&boards).next() {
                bail!(
                    "{} and {} both have the boards {}..{}; give each board's result once",
                    other_path.display(),
                    path.display(),
                    boards.start().max(other.start()),
                    boards.end().min(other.end())
                );
            }
            paths.insert(boards, path);
        }
        let covered = paths.iter().map(|(boards, _)| boards.clone()).collect();
        let requested = shards.iter().filter_map(|(_, shard)| nonempty(shard.header.whole));
        let mut counts = Counts::default();
        shards.iter().for_each(|(_, shard)| counts.merge(&shard.counts));
        let setting = first.header.setting.clone();
        Ok(Merged { setting, counts, covered, requested: requested.collect() })
    }

    /// The boards played: sorted ranges that do not touch.
    pub fn covered(&self) -> Vec<BoardRange> {
        self.covered.iter().cloned().map(BoardRange::from).collect()
    }

    /// The boards of the runs that the shards are parts of and that no shard covers.
    pub fn missing(&self) -> Vec<BoardRange> {
        let gaps = self.requested.iter().flat_map(|boards| self.covered.gaps(boards));
        gaps.map(BoardRange::from).collect()
    }
}

/// The numbers of the boards; `None` of an empty part of a run.
fn nonempty(boards: BoardRange) -> Option<RangeInclusive<i64>> {
    (boards.first <= boards.last).then_some(boards.first..=boards.last)
}

impl From<RangeInclusive<i64>> for BoardRange {
    fn from(boards: RangeInclusive<i64>) -> BoardRange {
        BoardRange { first: *boards.start(), last: *boards.end() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_no_range_covers_are_missing() {
        type Pair = (i64, i64);
        let missing = |requested: &[Pair], covered: &[Pair]| -> Vec<Pair> {
            let setting = Setting {
                version: String::new(),
                boards: serde_json::Value::Null,
                rule: String::new(),
                objective: String::new(),
                effort: String::new(),
            };
            let [requested, covered] = [requested, covered]
                .map(|pairs| pairs.iter().map(|&(first, last)| first..=last).collect());
            let merged = Merged { setting, counts: Counts::default(), covered, requested };
            merged.missing().into_iter().map(Pair::from).collect()
        };
        assert_eq!(missing(&[(1, 9)], &[(4, 6), (1, 3), (7, 9)]), []);
        assert_eq!(missing(&[(-5, 9)], &[(-2, 3), (6, 7)]), [(-5, -3), (4, 5), (8, 9)]);
        assert_eq!(missing(&[(1, 9), (1, 9), (20, 22)], &[(1, 9)]), [(20, 22)]);
        assert_eq!(missing(&[(1, 9), (10, 22)], &[(1, 20)]), [(21, 22)]);
        assert_eq!(missing(&[(1, 9)], &[]), [(1, 9)]);
    }
}
