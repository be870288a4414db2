//! The results of a run, or of several shards of a run.
//!
//! Invariant: all boards were played with the same setting, each board once.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::counts::Counts;
use super::setting::Setting;
use super::shard::Shard;
use crate::cli::boards::BoardRange;

/// The results of a run, or of several shards.
pub struct Merged {
    pub setting: Setting,
    pub counts: Counts,
    /// The boards played: sorted ranges that do not touch.
    pub covered: Vec<BoardRange>,
    /// The boards of the runs that the shards are parts of: sorted ranges that do not touch.
    requested: Vec<BoardRange>,
}

impl Merged {
    /// The results of a run that has played all of its boards.
    pub fn from_run(setting: Setting, counts: Counts, boards: BoardRange) -> Merged {
        // An empty part of a run has no range.
        let boards: Vec<BoardRange> =
            Some(boards).filter(|boards| boards.first <= boards.last).into_iter().collect();
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
        let mut ranges: Vec<(BoardRange, &PathBuf)> = shards
            .iter()
            .filter_map(|(path, shard)| shard.covered().map(|range| (range, path)))
            .collect();
        ranges.sort();
        for pair in ranges.windows(2) {
            let [(lower, lower_path), (upper, upper_path)] = pair else { continue };
            if upper.first <= lower.last {
                bail!(
                    "{} and {} both have the boards {}..{}; give each board's result once",
                    lower_path.display(),
                    upper_path.display(),
                    upper.first,
                    upper.last.min(lower.last)
                );
            }
        }
        let covered = union(ranges.into_iter().map(|(range, _)| range).collect());
        let requested = union(shards.iter().map(|(_, shard)| shard.header.whole).collect());
        let mut counts = Counts::default();
        shards.iter().for_each(|(_, shard)| counts.merge(&shard.counts));
        Ok(Merged { setting: first.header.setting.clone(), counts, covered, requested })
    }

    /// The boards of the runs that the shards are parts of and that no shard covers.
    pub fn missing(&self) -> Vec<BoardRange> {
        let mut missing = Vec::new();
        for &BoardRange { first, last } in &self.requested {
            let mut next = first;
            let overlaps = |range: &&BoardRange| range.last >= first && range.first <= last;
            for covered in self.covered.iter().filter(overlaps) {
                if covered.first > next {
                    missing.push(BoardRange { first: next, last: covered.first - 1 });
                }
                next = next.max(covered.last + 1);
            }
            if next <= last {
                missing.push(BoardRange { first: next, last });
            }
        }
        missing
    }
}

/// The same numbers as sorted ranges that do not touch.
fn union(mut ranges: Vec<BoardRange>) -> Vec<BoardRange> {
    ranges.sort_unstable();
    let mut union: Vec<BoardRange> = Vec::new();
    for range in ranges {
        match union.last_mut() {
            Some(previous) if range.first <= previous.last.saturating_add(1) => {
                previous.last = previous.last.max(range.last);
            }
            _ => union.push(range),
        }
    }
    union
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
                .map(|pairs| union(pairs.iter().copied().map(BoardRange::from).collect()));
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
