//! Parsers of options whose value is a rule, an objective, an effort or a clock.
//!
//! The names are those of the types (`Display`); here they get the lines of the help.

use std::fmt::Display;

use clap::builder::TypedValueParser;
use game::rule::Rule;
use sapper::{Effort, Objective};

use crate::cli::parse::one_of;
use crate::runner::limits::Clock;

/// Parses a rule.
pub fn rule_parser() -> impl TypedValueParser<Value = Rule> {
    parser([
        (
            Rule::Botzone,
            "The bot chooses the first cell, which may be a mine; a hit does not end the game",
        ),
        (
            Rule::SafeFirst,
            "The first cell is opened for the bot and is safe (XP); a hit ends the game",
        ),
        (
            Rule::OpenFirst,
            "The first cell is opened for the bot and has no mine around it (Win7); a hit ends the \
             game",
        ),
    ])
}

/// Parses an objective.
pub fn objective_parser() -> impl TypedValueParser<Value = Objective> {
    parser([
        (Objective::FewestHits, "The fewest expected hits; play continues after a hit"),
        (Objective::CleanWin, "The greatest probability of opening no mine at all"),
    ])
}

/// Parses an effort.
pub fn effort_parser() -> impl TypedValueParser<Value = Effort> {
    parser([
        (Effort::Fast, "For millions of games"),
        (Effort::Standard, "For thousands of games"),
        (Effort::Full, "The bot's own: as much as the time limit of a turn allows"),
    ])
}

/// Parses a clock.
pub fn clock_parser() -> impl TypedValueParser<Value = Clock> {
    one_of(Clock::ALL.map(|clock| (clock, None)))
}

/// Parses the name of one of these values, each with its line of the help.
fn parser<T, const N: usize>(values: [(T, &'static str); N]) -> impl TypedValueParser<Value = T>
where
    T: Display + Copy + Send + Sync + 'static,
{
    one_of(values.map(|(value, help)| (value, Some(help))))
}
