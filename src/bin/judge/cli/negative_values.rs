//! Option values that start with a minus sign.
//!
//! Clap takes the `-1` of `--mines -1` for an option and reports an unexpected argument. Some
//! negative values are valid (seeds), and for the others the option's own parser has the better
//! message. A minus sign followed by a digit is therefore joined to the option before it, as in
//! `--mines=-1`. This is unambiguous: no option's name starts with a digit.
//!
//! Clap's `allow_hyphen_values` alone is not enough: with it, an option without a value would take
//! the next option as its value.

use std::ffi::OsString;

/// Returns the words of a command line with each such value joined to the long option before it.
pub fn join(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    // No word after `--` is an option.
    let mut options = true;
    for word in words {
        options &= word != "--";
        match joined.last_mut() {
            Some(option) if options && is_option(option) && is_negative(&word) => {
                option.push("=");
                option.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

fn is_option(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    word.starts_with("--") && !word.contains('=')
}

fn is_negative(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    let rest = word.strip_prefix('-').map(|rest| rest.trim_start_matches('.'));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minus_with_a_digit_is_the_value_of_the_option_before_it() {
        for (line, expected) in [
            ("play --seeds -5..3 --json", "play --seeds=-5..3 --json"),
            ("explain f --cell -1,2", "explain f --cell=-1,2"),
            ("odds - --density -.5", "odds - --density=-.5"),
            ("replay f -o -1 --svg=2 -3", "replay f -o -1 --svg=2 -3"),
            ("play --width --mines -x -1", "play --width --mines -x -1"),
            ("odds -- --cell -1", "odds -- --cell -1"),
        ] {
            let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
            assert_eq!(join(words(line)), words(expected));
        }
    }
}
