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
    match text.parse().map(|number: u64| (number >= MIN).then(|| T::try_from(number))) {
        Ok(Some(Ok(number))) => Ok(number),
        Ok(Some(Err(_))) => Err("the number is too large".to_owned()),
        Err(_) if is_digits => Err("the number is too large".to_owned()),
        _ => Err(format!("give a whole number from {MIN}")),
    }
}

/// Parses a time in seconds, above 0 and up to a day.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "give seconds above 0, such as 0.5 or 2".to_owned())
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
        for bad in ["0", "-1", "nan", "inf", "x", "1e300"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }
}
