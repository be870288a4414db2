//! The options that say how the engine plays, for every command that plays it in process.

use clap::ValueEnum;
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, EndgameLimits};
use sapper::bot::engine::Engine;
use sapper::referee::simulate::Rule;

use crate::cli::level::RuleName;
use crate::cli::parse::option_name;

/// What the engine plays for, and how hard.
#[derive(clap::Args, Clone)]
pub struct Strength {
    /// What is played for [default: fewest-hits under botzone, clean-win under the other rules]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// How much a turn may think
    #[arg(long, value_enum, default_value_t = EffortName::Standard)]
    effort: EffortName,
    /// Leave parts of the engine out, to see what each is worth
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART,...")]
    without: Vec<Left>,
}

/// A part of the engine that may be left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Left {
    /// Guess by odds alone, not two moves ahead; nothing is played on then
    TwoMoves,
    /// Guess to the end, however few layouts are left
    Endgame,
    /// Play no guess on to the end, which fast effort never does
    PlayingOn,
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
    pub fn objective(&self, rule: RuleName) -> ObjectiveName {
        ObjectiveName::or_of(self.objective, rule)
    }

    /// The effort's name, and what is left out of it.
    pub fn effort(&self) -> String {
        let mut left: Vec<Left> = self.without.clone();
        left.sort_unstable();
        left.dedup();
        let left: Vec<String> = left.iter().map(option_name).collect();
        let effort = option_name(&self.effort);
        if left.is_empty() { effort } else { format!("{effort} without {}", left.join(",")) }
    }

    /// An engine that plays so under `rule`.
    pub fn engine(&self, rule: RuleName) -> Engine {
        let mut limits = self.effort.effort().limits();
        for left in &self.without {
            // What is left out is left out of games in thought too.
            let play = limits.rollouts.as_mut().map(|rollouts| &mut rollouts.playout);
            match left {
                Left::TwoMoves => {
                    limits.candidates = 0;
                    play.into_iter().for_each(|play| play.candidates = 0);
                }
                Left::Endgame => {
                    (limits.endgame, limits.tiny_field) =
                        (EndgameLimits::NONE, EndgameLimits::NONE);
                    limits.opening_table = false;
                    play.into_iter().for_each(|play| play.endgame_layouts = 0);
                }
                Left::PlayingOn => limits.rollouts = None,
            }
        }
        Engine::within(self.objective(rule).objective(), limits)
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
