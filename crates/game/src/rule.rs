//! The rule of a game: who chooses the first cell, what is promised about it, and what a hit does.
//!
//! | rule | the first cell | a hit |
//! |---|---|---|
//! | `botzone` | the bot chooses it, and it may be a mine | costs points; the game goes on |
//! | `safe-first` | is opened for the bot and is safe (Windows XP) | ends the game |
//! | `open-first` | is opened for the bot and shows 0 (Windows 7) | ends the game |
//!
//! The last two are the *classic* rules. A [`Start`] is a rule together with the first cell that it
//! opens.
//!
//! Invariant: a rule has one name ([`Rule::name`]), which options, files, JSON and the page use.
//! [`Rule::from_str`] also reads the names that files of earlier versions have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::field::Field;
use sapper::Objective;
use sapper::board::geometry::{Cell, Shape};
use sapper::kit::text::position_of_name;

/// The rule by which a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// The bot chooses the first cell, which may be a mine; a hit does not end the game.
    #[default]
    Botzone,
    /// The first cell is opened for the bot and is safe (XP); a hit ends the game.
    SafeFirst,
    /// The first cell is opened for the bot and has no mine around it (Win7); a hit ends the game.
    OpenFirst,
}

/// The names that earlier versions wrote, with the rule that each means: the page's games had
/// `opens-first`.
const FORMER_NAMES: [(&str, Rule); 1] = [("opens-first", Rule::OpenFirst)];

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 3] = [Rule::Botzone, Rule::SafeFirst, Rule::OpenFirst];

    /// Its name in options, files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Botzone => "botzone",
            Rule::SafeFirst => "safe-first",
            Rule::OpenFirst => "open-first",
        }
    }

    /// Whether the first cell is opened for the bot, and a hit ends the game.
    pub fn is_classic(self) -> bool {
        self != Rule::Botzone
    }

    /// The objective that wins by this rule.
    pub fn objective(self) -> Objective {
        if self.is_classic() { Objective::CleanWin } else { Objective::FewestHits }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        if let Some((_, rule)) = FORMER_NAMES.into_iter().find(|(name, _)| *name == text) {
            return Ok(rule);
        }
        let names = Rule::ALL.map(Rule::name);
        position_of_name(&names, text).map(|position| Rule::ALL[position])
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

/// A rule, with the first cell if the rule opens one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    rule: Rule,
    /// Present exactly under the classic rules.
    first: Option<Cell>,
}

impl Start {
    /// Botzone's rule: the bot chooses its first cell.
    pub const CHOSEN: Start = Start { rule: Rule::Botzone, first: None };

    /// `rule` with `first` as the first cell, if the rule opens one.
    pub fn new(rule: Rule, first: Cell) -> Start {
        Start { rule, first: rule.is_classic().then_some(first) }
    }

    /// The rule.
    pub fn rule(self) -> Rule {
        self.rule
    }

    /// The cell that is opened before the first turn.
    pub fn first(self) -> Option<Cell> {
        self.first
    }

    /// Whether the rule promises that `cell` is safe.
    pub fn protects(self, cell: Cell, shape: Shape) -> bool {
        let is_near = |first| shape.neighbours(first).contains(&cell);
        self.first
            .is_some_and(|first| cell == first || (self.rule == Rule::OpenFirst && is_near(first)))
    }

    /// Whether `field` keeps the promise about the first cell.
    pub fn is_kept_by(self, field: &Field) -> bool {
        self.first.is_none_or(|first| match self.rule {
            Rule::OpenFirst => field.value(first) == 0,
            _ => !field.is_mine(first),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_as_it_is_written() {
        for rule in Rule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for other in ["", "Botzone", "open_first", "classic"] {
            assert_eq!(
                other.parse::<Rule>(),
                Err("give botzone, safe-first or open-first".to_owned())
            );
        }
    }

    #[test]
    fn the_names_of_earlier_versions_are_read_and_not_written() {
        assert_eq!("opens-first".parse(), Ok(Rule::OpenFirst));
        assert_eq!(Rule::OpenFirst.to_string(), "open-first");
    }

    #[test]
    fn only_the_classic_rules_have_a_first_cell() {
        let shape = Shape::new(3, 4).unwrap();
        let cell = shape.cell(0, 0).unwrap();
        for (rule, protected) in [(Rule::Botzone, 0), (Rule::SafeFirst, 1), (Rule::OpenFirst, 4)] {
            let start = Start::new(rule, cell);
            assert_eq!(start.first(), rule.is_classic().then_some(cell));
            assert_eq!(
                shape.cells().filter(|&cell| start.protects(cell, shape)).count(),
                protected
            );
        }
        assert_eq!(Start::new(Rule::Botzone, cell), Start::CHOSEN);
    }
}
