//! The options of the engine's objective and effort, for commands that run it in process.

use anyhow::{Result, ensure};
use clap::ValueEnum;
use game::rule::Rule;
use sapper::settings::params::EndgameLimits;
use sapper::{Effort, Engine, Objective};

use crate::cli::{effort_parser, objective_parser, option_name};

/// How the engine plays.
#[derive(clap::Args, Clone)]
pub struct Strength {
    /// What the engine plays for [default: fewest-hits under botzone, else clean-win]
    #[arg(long, value_parser = objective_parser())]
    objective: Option<Objective>,
    /// Amount of computation per turn
    #[arg(long, value_parser = effort_parser(), default_value_t = Effort::Standard)]
    effort: Effort,
    /// Disable these parts of the engine, to measure what each contributes
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART,...")]
    without: Vec<EnginePart>,
}

/// A part of the engine that can be disabled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum EnginePart {
    /// The two-ply look-ahead and the rollouts: guess by minimum mine probability alone
    LookAhead,
    /// The exact endgame search, however few layouts are left
    Endgame,
    /// The rollouts, which fast effort never uses
    Rollouts,
}

/// How the bot plays, for commands that explain its moves. The default is the bot's own effort.
#[derive(clap::Args, Clone, Copy)]
pub struct BotStrength {
    /// What the bot plays for [default: fewest-hits; clean-win in a game by safe-first or
    /// open-first]
    #[arg(long, value_parser = objective_parser())]
    objective: Option<Objective>,
    /// Amount of computation per turn
    #[arg(long, value_parser = effort_parser(), default_value_t = Effort::Full)]
    effort: Effort,
}

impl BotStrength {
    /// The objective and the effort in a game by `rule`, as the engine takes them.
    pub fn objective_and_effort(self, rule: Rule) -> (Objective, Effort) {
        (self.objective.unwrap_or_else(|| rule.objective()), self.effort)
    }
}

impl Strength {
    /// The objective; by default the one of `rule`.
    pub fn objective(&self, rule: Rule) -> Objective {
        self.objective.unwrap_or_else(|| rule.objective())
    }

    /// The effort and the objective in a game by `rule`, whatever is disabled.
    pub fn effort_and_objective(&self, rule: Rule) -> (Effort, Objective) {
        (self.effort, self.objective(rule))
    }

    /// The objective and the effort of the whole engine in a game by `rule`.
    ///
    /// # Errors
    /// Fails if a part is disabled.
    pub fn whole(&self, rule: Rule) -> Result<(Objective, Effort)> {
        ensure!(
            self.without.is_empty(),
            "--without disables parts of the engine, but not of what judges it: choose --effort \
             instead"
        );
        Ok((self.objective(rule), self.effort))
    }

    /// The options that give this strength.
    pub fn options(&self) -> String {
        let objective = self.objective.map(|objective| format!(" --objective {objective}"));
        let without = self.parts().map(|parts| format!(" --without {parts}"));
        let (objective, without) = (objective.unwrap_or_default(), without.unwrap_or_default());
        format!(" --effort {}{objective}{without}", self.effort)
    }

    /// The disabled parts, such as `endgame,rollouts`.
    fn parts(&self) -> Option<String> {
        let mut parts: Vec<EnginePart> = self.without.clone();
        parts.sort_unstable();
        parts.dedup();
        let parts: Vec<String> = parts.iter().map(option_name).collect();
        (!parts.is_empty()).then(|| parts.join(","))
    }

    /// The effort's name, with the disabled parts, such as `standard without endgame`.
    pub fn effort(&self) -> String {
        match self.parts() {
            Some(parts) => format!("{} without {parts}", self.effort),
            None => self.effort.to_string(),
        }
    }

    /// An engine with these settings.
    pub fn engine(&self, rule: Rule) -> Engine {
        let mut limits = self.effort.limits();
        for part in &self.without {
            // The playouts of the rollouts do without the part too.
            let play = limits.rollouts.as_mut().map(|rollouts| &mut rollouts.playout);
            match part {
                EnginePart::LookAhead => {
                    limits.candidates = 0;
                    play.into_iter().for_each(|play| play.candidates = 0);
                }
                EnginePart::Endgame => {
                    (limits.endgame, limits.tiny_field) =
                        (EndgameLimits::NONE, EndgameLimits::NONE);
                    limits.opening_table = false;
                    play.into_iter().for_each(|play| play.endgame_layouts = 0);
                }
                EnginePart::Rollouts => limits.rollouts = None,
            }
        }
        Engine::within(self.objective(rule), limits)
    }
}
