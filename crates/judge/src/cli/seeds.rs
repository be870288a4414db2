//! The option `--seeds`.

use crate::runner::messages::errln;
use crate::runner::seeds::Seeds;

/// The text of `--seeds` for a command that plays until it has enough.
pub const SEEDS_UNTIL_ENOUGH: &str =
    "Seed of a board, or a range with both ends [default: from 1, as many as needed]";

/// The option `--seeds`.
#[derive(clap::Args)]
pub struct SeedOptions {
    /// Seed of a board, or a range with both ends [default: 1..100]
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, allow_hyphen_values = true)]
    pub seeds: Option<Seeds>,
}

impl SeedOptions {
    /// The seeds of a command that plays a fixed number of boards. A single seed may have been
    /// meant as a number of boards: a note says what it is, and by `many` how that many are named.
    pub fn seeds(&self, many: impl FnOnce(i32) -> String) -> Seeds {
        if let Some(Seeds { first: seed @ 2.., last }) = self.seeds
            && last == seed
        {
            errln!("note: --seeds {seed} is one board; {} are {seed} boards", many(seed));
        }
        self.seeds.unwrap_or(Seeds { first: 1, last: 100 })
    }

    /// The seeds of a command that plays until it has enough.
    pub fn until_enough(&self) -> Seeds {
        self.seeds.unwrap_or(Seeds { first: 1, last: i32::MAX })
    }
}

/// Parses a seed, or a range of seeds `A..B` or `A..=B` with both ends included.
///
/// # Errors
/// Returns what is wrong, or what to give instead.
pub fn parse_seeds(text: &str) -> Result<Seeds, String> {
    let number = |word: &str| {
        word.trim().parse::<i32>().map_err(|_| match other_range(text) {
            Some((first, last)) => format!("did you mean {first}..{last}?"),
            None if text.contains(',') => {
                "seeds are no list: give one, such as 7, or a range, such as 1..20".to_owned()
            }
            None => format!("`{word}` is not a 32-bit integer; give seeds such as 7 or 1..20"),
        })
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if first <= last {
        Ok(Seeds { first, last })
    } else {
        Err(format!("the range is empty; did you mean {last}..{first}?"))
    }
}

/// The ends of a range that is written another way, such as `1-5`.
fn other_range(text: &str) -> Option<(i32, i32)> {
    let number = |word: &str| word.trim().parse::<i32>().ok();
    let splits = ["...", "-", ":", "/", "to", " "].iter().flat_map(|separator| {
        let starts = text.match_indices(separator);
        starts.map(|(start, _)| (&text[..start], &text[start + separator.len()..]))
    });
    let (first, last) = splits.filter_map(|(a, b)| number(a).zip(number(b))).next()?;
    Some((first.min(last), first.max(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_one_or_a_range_with_both_ends() {
        let read = |text| parse_seeds(text).map(|seeds| (seeds.first, seeds.last));
        assert_eq!(read("7"), Ok((7, 7)));
        assert_eq!(read("1..20"), Ok((1, 20)));
        assert_eq!(read("1..=20"), Ok((1, 20)));
        assert_eq!(read("-3..-1"), Ok((-3, -1)));
        assert_eq!(read("5..5"), Ok((5, 5)));
        for bad in ["", "..", "1..", "20..1", "x", "1..2..3", "2147483648", "1.5"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        for range in ["1-5", "1:5", "1 5", "1 - 5", "1 to 5", "1...5", "5-1"] {
            assert_eq!(read(range), Err("did you mean 1..5?".to_owned()), "{range}");
        }
        assert_eq!(read("-5--3"), Err("did you mean -5..-3?".to_owned()));
        assert!(read("3,5").is_err_and(|error| error.starts_with("seeds are no list: ")));
    }
}
