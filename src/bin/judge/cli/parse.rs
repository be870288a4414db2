//! Parsers of single option values, and the name of a value.
//!
//! The error of each parser says what to give instead; clap prints it after the wrong value.

use std::time::Duration;

use clap::ValueEnum;

/// Parses an integer from 0.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_integer(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number from 0".to_owned())
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

/// The default density of a field without a mine count, close to the expert's 99 mines in 480
/// cells.
pub const DENSITY: f64 = 0.2;

/// Parses a density of mines, above 0 and below 1.
///
/// # Errors
/// Returns what to give instead.
pub fn parse_density(text: &str) -> Result<f64, String> {
    let density = text.parse::<f64>().ok().filter(|density| *density > 0.0 && *density < 1.0);
    density.ok_or_else(|| "give a number above 0 and below 1, such as 0.2".to_owned())
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
