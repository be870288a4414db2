//! Merges shards: the counts of boards that were all played in the same way, each once.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::counts::Counts;
use super::setting::Setting;
use super::shard::Shard;

/// Numbers of boards, both ends included.
pub type Range = (i64, i64);

/// The results of a run, or of several shards.
pub struct Merged {
    pub setting: Setting,
    pub counts: Counts,
    /// The boards played, in order, each once.
    pub covered: Vec<Range>,
    /// The boards of the runs that the shards are parts of, in order.
    whole: Vec<Range>,
}

impl Merged {
    /// The results of all these boards.
    pub fn one(setting: Setting, counts: Counts, boards: Range) -> Merged {
        // An empty part of a run has none.
        let boards: Vec<Range> =
            Some(boards).filter(|(first, last)| first <= last).into_iter().collect();
        Merged { setting, counts, covered: boards.clone(), whole: boards }
    }

    /// Puts shards together.
    ///
    /// # Errors
    /// Shards of different settings or with a board in common; both files are named.
    pub fn of(shards: &[(PathBuf, Shard)]) -> Result<Merged> {
        let (one, first) = shards.first().context("no shard is given")?;
        for (other, shard) in shards {
            if let Some(difference) = first.header.setting.difference(&shard.header.setting) {
                let (one, other) = (one.display(), other.display());
                bail!("{one} is not of one run with {other}: {difference}; report them apart");
            }
        }
        let mut ranges: Vec<(Range, &PathBuf)> = shards
            .iter()
            .filter_map(|(path, shard)| shard.covered().map(|range| (range, path)))
            .collect();
        ranges.sort();
        for pair in ranges.windows(2) {
            let [((_, last), one), ((first, end), other)] = pair else { continue };
            if first <= last {
                let (one, other, end) = (one.display(), other.display(), end.min(last));
                bail!(
                    "{one} and {other} both have the boards {first}..{end}; \
                     give each board's result once"
                );
            }
        }
        let covered = union(ranges.into_iter().map(|(range, _)| range).collect());
        let whole = union(shards.iter().map(|(_, shard)| shard.header.whole).collect());
        let mut counts = Counts::default();
        shards.iter().for_each(|(_, shard)| counts.merge(&shard.counts));
        Ok(Merged { setting: first.header.setting.clone(), counts, covered, whole })
    }

    /// The boards that no shard has, of the runs that the shards are parts of.
    pub fn missing(&self) -> Vec<Range> {
        let mut missing = Vec::new();
        for &(first, last) in &self.whole {
            let mut next = first;
            let inside = |range: &&Range| range.1 >= first && range.0 <= last;
            for &(from, to) in self.covered.iter().filter(inside) {
                if from > next {
                    missing.push((next, from - 1));
                }
                next = next.max(to + 1);
            }
            if next <= last {
                missing.push((next, last));
            }
        }
        missing
    }
}

/// The same numbers in ranges that are sorted and do not touch.
fn union(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut union: Vec<Range> = Vec::new();
    for (first, last) in ranges {
        match union.last_mut() {
            Some(open) if first <= open.1.saturating_add(1) => open.1 = open.1.max(last),
            _ => union.push((first, last)),
        }
    }
    union
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_what_no_range_covers() {
        let missing = |whole: &[Range], covered: &[Range]| {
            let setting = Setting {
                version: String::new(),
                boards: serde_json::Value::Null,
                rule: String::new(),
                objective: String::new(),
                effort: String::new(),
            };
            let (whole, covered) = (union(whole.to_vec()), union(covered.to_vec()));
            Merged { setting, counts: Counts::default(), covered, whole }.missing()
        };
        assert_eq!(missing(&[(1, 9)], &[(4, 6), (1, 3), (7, 9)]), []);
        assert_eq!(missing(&[(-5, 9)], &[(-2, 3), (6, 7)]), [(-5, -3), (4, 5), (8, 9)]);
        assert_eq!(missing(&[(1, 9), (1, 9), (20, 22)], &[(1, 9)]), [(20, 22)]);
        assert_eq!(missing(&[(1, 9), (10, 22)], &[(1, 20)]), [(21, 22)]);
        assert_eq!(missing(&[(1, 9)], &[]), [(1, 9)]);
    }
}
