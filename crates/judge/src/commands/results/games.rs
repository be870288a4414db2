//! A measurement of games: the boards, what plays them, and what it is compared with.
//!
//! Invariant: the measurements that it is compared with have the same boards.

use std::fmt;

use game::level::Level;
use game::rule::{Rule, Start};
use sapper::settings::params::Effort;

use crate::cli::Strength;
use crate::cli::repeat::board_options;
use crate::runner::boards::{BoardRange, Boards};
use crate::runner::seeds::Seeds;

/// What is measured of games.
#[derive(Clone)]
pub struct Games {
    pub level: Level,
    pub start: Start,
    pub player: Player,
    /// Whether the results are adjusted too.
    pub is_adjusted: bool,
    /// What it is compared with: the names of measurements, and how they play.
    pub less: Vec<(String, Player)>,
    /// The first seed.
    pub first: i32,
}

/// What plays a measurement.
#[derive(Clone)]
pub enum Player {
    Engine(Strength),
    /// A bot with this name, whose games are kept.
    Bot(String),
}

impl Player {
    /// The name of the bot, if a bot plays.
    pub fn bot(&self) -> Option<&str> {
        match self {
            Player::Engine(_) => None,
            Player::Bot(name) => Some(name),
        }
    }

    /// The effort of the whole engine; `None` of a bot, and where a part is disabled.
    pub fn effort(&self) -> Option<Effort> {
        match self {
            Player::Engine(strength) => strength.effort().parse().ok(),
            Player::Bot(_) => None,
        }
    }

    /// The player as text, such as `clean-win standard`.
    fn text(&self, rule: Rule) -> String {
        match self {
            Player::Engine(strength) => {
                format!("{} {}", strength.objective(rule), strength.effort())
            }
            Player::Bot(name) => format!("bot {name}"),
        }
    }
}

impl Games {
    /// The options of the boards: size, mines, rule and first cell.
    pub fn options(&self) -> String {
        let rule = self.rule();
        let named = if rule.is_classic() { "" } else { " --rule botzone" };
        board_options(self.level, self.start) + named
    }

    /// The boards: their options and the first seed.
    pub fn boards_text(&self) -> String {
        format!("{}, seeds from {}", self.options(), self.first)
    }

    /// The objective, of an engine, and the boards.
    pub fn objective_and_boards(&self) -> String {
        let objective = match &self.player {
            Player::Engine(strength) => strength.objective(self.rule()).to_string(),
            Player::Bot(_) => String::new(),
        };
        format!("{objective} {}", self.boards_text())
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.start.rule()
    }

    /// The boards of a part.
    pub fn part_boards(&self, (first, last): BoardRange) -> Boards {
        let seeds = Seeds { first: first as i32, last: last as i32 };
        Boards::of_seeds(self.level, self.start, seeds)
    }

    /// The player, and then those that it is compared with.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        std::iter::once(&self.player).chain(self.less.iter().map(|(_, player)| player))
    }
}

/// What is measured: two measurements with the same text have the same results.
impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.rule();
        write!(f, "{}, {}", self.player.text(rule), self.boards_text())?;
        if !self.is_adjusted {
            write!(f, ", plain")?;
        }
        for (name, player) in &self.less {
            write!(f, ", less {name} ({})", player.text(rule))?;
        }
        Ok(())
    }
}
