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

/// The same, for looking at what the bot does: with the bot's own effort.
#[derive(clap::Args, Clone, Copy)]
pub struct BotStrength {
    /// What is played for
    #[arg(long, value_enum, default_value_t = ObjectiveName::FewestHits)]
    objective: ObjectiveName,
    /// How much a turn may think
    #[arg(long, value_enum, default_value_t = EffortName::Full)]
    effort: EffortName,
}

impl BotStrength {
    /// What is played for, and the effort.
    pub fn play(self) -> (Objective, Effort) {
        (self.objective.objective(), self.effort.effort())
    }
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
        ObjectiveName::or_of(self.objective, rule)
    }

    /// An engine that plays so under `rule`.
    pub fn engine(self, rule: RuleName) -> Engine {
        Engine::new(self.objective(rule).objective(), self.effort.effort())
    }
}

impl ObjectiveName {
    /// The objective asked for, or else the one of the rule.
    pub fn or_of(asked: Option<ObjectiveName>, rule: RuleName) -> ObjectiveName {
        asked.unwrap_or(match rule.rule() {
            Rule::Botzone => ObjectiveName::FewestHits,
            Rule::Classic => ObjectiveName::CleanWin,
        })
    }

    /// As the engine takes it.
    pub fn objective(self) -> Objective {
        match self {
            ObjectiveName::FewestHits => Objective::FewestHits,
            ObjectiveName::CleanWin => Objective::CleanWin,
        }
    }
}

impl EffortName {
    /// The effort of this name.
    pub fn effort(self) -> Effort {
        match self {
            EffortName::Fast => Effort::Fast,
            EffortName::Standard => Effort::Standard,
            EffortName::Full => Effort::Full,
        }
    }
}
