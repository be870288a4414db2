//! Shares of the safe cells of a field, in percent, as `judge ceiling --open` takes them.

use std::fmt;
use std::str::FromStr;

/// Shares from the first percentage on and below the second, or up to 100.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenShares {
    from: u32,
    to: u32,
}

impl OpenShares {
    /// All shares.
    pub const ALL: OpenShares = OpenShares { from: 0, to: 100 };

    /// Whether a share, from 0 to 1, is one of these.
    pub fn contains(self, share: f64) -> bool {
        let percent = 100.0 * share;
        percent >= f64::from(self.from) && (percent < f64::from(self.to) || self.to == 100)
    }
}

impl fmt::Display for OpenShares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from, self.to)
    }
}

impl FromStr for OpenShares {
    type Err = String;

    fn from_str(text: &str) -> Result<OpenShares, String> {
        let number = |word: &str| word.trim().parse().ok();
        let ends = text.split_once("..").and_then(|(from, to)| Some((number(from)?, number(to)?)));
        match ends {
            Some((from, to)) if from < to && to <= 100 => Ok(OpenShares { from, to }),
            _ => Err("give two percentages, the smaller one first, such as 67..100".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_meet_have_each_share_once() {
        let shares = ["0..33", "33..67", "67..100"].map(|text| text.parse::<OpenShares>().unwrap());
        for thousandth in 0..=1000 {
            let share = f64::from(thousandth) / 1000.0;
            assert!(OpenShares::ALL.contains(share));
            assert_eq!(shares.iter().filter(|shares| shares.contains(share)).count(), 1, "{share}");
        }
        assert_eq!(shares[1].to_string(), "33..67");
        for text in ["", "5", "67..33", "5..5", "0..101", "-1..5", "a..b"] {
            assert!(text.parse::<OpenShares>().is_err(), "{text}");
        }
    }
}
