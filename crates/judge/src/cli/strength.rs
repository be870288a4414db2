//! The options of the engine's objective and effort, for commands that run it in process.

use clap::ValueEnum;
use game::simulate::Rule;
use sapper::base::params::EndgameLimits;
use sapper::{Effort, Engine, Objective};

use crate::cli::{RuleName, option_name};

/// How the engine plays.
#[derive(clap::Args, Clone)]
pub struct Strength {
    /// The objective [default: fewest-hits under botzone, clean-win under the other rules]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// The amount of computation per turn
    #[arg(long, value_enum, default_value_t = EffortName::Standard)]
    effort: EffortName,
    /// Disable parts of the engine, to measure what each contributes
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART,...")]
    without: Vec<EnginePart>,
}

/// A part of the engine that can be disabled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum EnginePart {
    /// The two-ply look-ahead and the rollouts: guess by minimum mine probability alone
    #[value(name = "two-moves")]
    TwoPly,
    /// The exact endgame search, however few layouts are left
    Endgame,
    /// The rollouts, which fast effort never uses
    #[value(name = "playing-on")]
    Rollouts,
}

/// How the bot plays, for commands that explain its moves. The default is the bot's own effort.
#[derive(clap::Args, Clone, Copy)]
pub struct BotStrength {
    /// The objective [default: fewest-hits; clean-win in a game by safe-first or open-first]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// The amount of computation per turn
    #[arg(long, value_enum, default_value_t = EffortName::Full)]
    effort: EffortName,
}

impl BotStrength {
    /// The objective and the effort in a game by `rule`, as the engine takes them.
    pub fn objective_and_effort(self, rule: RuleName) -> (Objective, Effort) {
        let objective = ObjectiveName::or_default(self.objective, rule);
        (objective.objective(), self.effort.effort())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// The fewest expected hits; play continues after a hit
    FewestHits,
    /// The greatest probability of opening no mine at all
    CleanWin,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum EffortName {
    /// For millions of games
    Fast,
    /// For thousands of games
    Standard,
    /// The bot's own: as much as the time limit of a turn allows
    Full,
}

impl Strength {
    /// The objective; by default the one of `rule`.
    pub fn objective(&self, rule: RuleName) -> ObjectiveName {
        ObjectiveName::or_default(self.objective, rule)
    }

    /// The effort's name, with the disabled parts, such as `standard without endgame`.
    pub fn effort(&self) -> String {
        let mut parts: Vec<EnginePart> = self.without.clone();
        parts.sort_unstable();
        parts.dedup();
        let parts: Vec<String> = parts.iter().map(option_name).collect();
        let effort = option_name(&self.effort);
        if parts.is_empty() { effort } else { format!("{effort} without {}", parts.join(",")) }
    }

    /// An engine with these settings.
    pub fn engine(&self, rule: RuleName) -> Engine {
        let mut limits = self.effort.effort().limits();
        for part in &self.without {
            // The playouts of the rollouts do without the part too.
            let play = limits.rollouts.as_mut().map(|rollouts| &mut rollouts.playout);
            match part {
                EnginePart::TwoPly => {
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
        Engine::within(self.objective(rule).objective(), limits)
    }
}

impl ObjectiveName {
    /// The objective, or the default one of `rule`.
    pub fn or_default(objective: Option<ObjectiveName>, rule: RuleName) -> ObjectiveName {
        objective.unwrap_or(match rule.rule() {
            Rule::Botzone => ObjectiveName::FewestHits,
            Rule::Classic => ObjectiveName::CleanWin,
        })
    }

    /// The engine's objective of this name.
    pub fn objective(self) -> Objective {
        match self {
            ObjectiveName::FewestHits => Objective::FewestHits,
            ObjectiveName::CleanWin => Objective::CleanWin,
        }
    }
}

impl EffortName {
    /// The engine's effort of this name.
    pub fn effort(self) -> Effort {
        match self {
            EffortName::Fast => Effort::Fast,
            EffortName::Standard => Effort::Standard,
            EffortName::Full => Effort::Full,
        }
    }
}
