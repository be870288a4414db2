//! Parsers of single option values, and the name of a value.
//!
//! The error of each parser says what to give instead; clap prints it after the wrong value.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses an integer from 0.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_integer<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    parse_from::<0, T>(text)
}

/// Parses an integer from 1.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_count<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    parse_from::<1, T>(text)
}

/// Parses an integer from `MIN`.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_from<const MIN: u64, T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let too_large = || format!("give a whole number from {MIN} to {}", largest::<T>());
    match text.parse().map(|number: u64| (number >= MIN).then(|| T::try_from(number))) {
        Ok(Some(Ok(number))) => Ok(number),
        Ok(Some(Err(_))) => Err(too_large()),
        Err(_) if is_digits => Err(too_large()),
        _ => Err(format!("give a whole number from {MIN}")),
    }
}

/// The largest number of an integer type, which is a power of two less 1.
fn largest<T: TryFrom<u64>>() -> u64 {
    let mut numbers = (0..64).map(|bits| u64::MAX >> bits);
    numbers.find(|number| T::try_from(*number).is_ok()).unwrap_or_default()
}

/// The longest time that an option takes, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Parses a time in seconds, above 0 and up to [`MAX_SECONDS`].
///
/// # Errors
/// Returns what to give instead.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS)
        .map(Duration::from_secs_f64)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| {
            format!("give seconds above 0 and up to {MAX_SECONDS} (a day), such as 0.5 or 2")
        })
}

/// A parser of one of these values by its name. `--help` lists the names, each with its line of
/// help if it has one.
pub fn one_of<T, const N: usize>(
    values: [(T, Option<&'static str>); N],
) -> impl TypedValueParser<Value = T>
where
    T: Display + Copy + Send + Sync + 'static,
{
    let names = values.map(|(value, help)| PossibleValue::new(value.to_string()).help(help));
    PossibleValuesParser::new(names).map(move |name| {
        let mut values = values.iter().map(|(value, _)| *value);
        let value = values.find(|value| value.to_string() == name);
        value.expect("clap accepts the names of the values only")
    })
}

/// The row and the column of a cell, which may be outside the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowColumn {
    pub row: i64,
    pub column: i64,
}

impl FromStr for RowColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<RowColumn, String> {
        let number = |word: &str| word.trim().parse().ok();
        let numbers =
            text.split_once(',').and_then(|(row, column)| number(row).zip(number(column)));
        let (row, column) =
            numbers.ok_or_else(|| "give a row and a column from 0, such as 3,4".to_owned())?;
        Ok(RowColumn { row, column })
    }
}

/// The name of an option's value on the command line.
pub fn option_name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_a_positive_number_of_seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_seconds("8.64e4"), Ok(Duration::from_secs(86_400)));
        let advice = "give seconds above 0 and up to 86400 (a day), such as 0.5 or 2";
        for bad in ["0", "-1", "nan", "inf", "x", "86401", "1e9", "1e400", "1e-400", "1e-12", ""] {
            assert_eq!(parse_seconds(bad), Err(advice.to_owned()), "{bad}");
        }
    }

    #[test]
    fn an_integer_has_the_range_of_its_type() {
        assert_eq!(parse_count::<u16>("65535"), Ok(65_535));
        for (too_large, of_u16) in [("65536", 65_535), ("99999999999999999999", 65_535)] {
            let error = Err(format!("give a whole number from 1 to {of_u16}"));
            assert_eq!(parse_count::<u16>(too_large), error);
        }
        let largest = Err("give a whole number from 0 to 2147483647".to_owned());
        assert_eq!(parse_integer::<i32>("2147483648"), largest);
        for bad in ["0", "-1", "1.5", "1e3", "nan", ""] {
            assert_eq!(parse_count::<u16>(bad), Err("give a whole number from 1".to_owned()));
        }
    }
}
