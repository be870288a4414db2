//! The options that say how the engine plays, the same for every command that plays it in process.

use clap::ValueEnum;
use sapper::engine::Engine;
use sapper::game::trial::Rule;
use sapper::guess::Objective;
use sapper::params::Effort;

use super::boards::RuleName;

/// What the engine plays for, and how hard.
#[derive(clap::Args, Clone, Copy)]
pub struct Strength {
    /// What is played for [default: fewest-hits under botzone, clean-win under the other rules]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// How much a turn may think
    #[arg(long, value_enum, default_value_t = EffortName::Standard)]
    pub effort: EffortName,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ObjectiveName {
    /// The least expected number of mines opened; play goes on after a hit
    FewestHits,
    /// The best chance to open no mine at all
    CleanWin,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum EffortName {
    /// For millions of games
    Fast,
    /// For thousands of games
    Standard,
    /// The bot's own: what the time of a turn allows
    Full,
}

impl Strength {
    /// The name of what is played for under `rule`.
    pub fn objective(self, rule: RuleName) -> ObjectiveName {
        self.objective.unwrap_or(match rule.rule() {
            Rule::Botzone => ObjectiveName::FewestHits,
            Rule::Classic => ObjectiveName::CleanWin,
        })
    }

    /// An engine that plays so under `rule`.
    pub fn engine(self, rule: RuleName) -> Engine {
        let objective = match self.objective(rule) {
            ObjectiveName::FewestHits => Objective::FewestHits,
            ObjectiveName::CleanWin => Objective::CleanWin,
        };
        let effort = match self.effort {
            EffortName::Fast => Effort::Fast,
            EffortName::Standard => Effort::Standard,
            EffortName::Full => Effort::Full,
        };
        Engine::new(objective, effort)
    }
}
