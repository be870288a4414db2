//! Compares the engine's play with optimal play on tiny fields, exactly.
//!
//! ```text
//! cargo run --release -p game --example optimum
//! cargo run --release -p game --example optimum -- 4x4/4 5x3/4 --play standard,full
//! cargo run --release -p game --example optimum -- 4x4/5 --rule botzone --objective clean-win
//! ```
//!
//! Every layout of a field is equally likely. [`exhaustive`] computes the optimum without code
//! of the engine; [`policy`] follows the engine's play over all layouts. Both costs are integers;
//! nothing is sampled.
//!
//! Invariant: without limits on its endgame search the engine plays optimally, so both costs are
//! equal; with limits, its cost is never below the optimum. The program fails where this does not
//! hold.

mod exhaustive;
mod policy;
#[cfg(test)]
mod tests;
mod tiny_field;

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};
use game::level::Level;
use game::rule::Rule;
use sapper::settings::params::{Effort, EndgameLimits, Objective, SearchLimits};

use exhaustive::ExhaustiveSearch;
use policy::Policy;
use tiny_field::TinyField;

/// Compare the engine's play with optimal play on tiny fields.
///
/// The figures are mines opened per game (fewest-hits) or the probability of a clean win
/// (clean-win). A gap is the difference to the optimum in percent of the optimum. `lifted` is the
/// engine without limits on its endgame search; its gap has to be exactly 0. Under safe-first and
/// open-first the first cell is the corner. A field of only mines is lost: Botzone's judge asks for
/// a first answer before it checks whether a safe cell is left. RAYON_NUM_THREADS limits the
/// threads.
#[derive(Parser)]
struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES; at most 32 cells [default: eleven fields with published
    /// optima, which take some minutes]
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Rules of play: botzone, safe-first or open-first
    #[arg(long, value_delimiter = ',', default_values = ["botzone", "safe-first"])]
    rule: Vec<Rule>,
    /// Objective: fewest-hits or clean-win [default: fewest-hits under botzone, clean-win under the
    /// other rules]
    #[arg(long)]
    objective: Option<Objective>,
    /// Efforts of the engine to compare
    #[arg(long, value_enum, value_delimiter = ',')]
    #[arg(default_values = ["fast", "standard", "full", "lifted"])]
    play: Vec<Play>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Play {
    /// The effort for millions of games
    Fast,
    /// The effort for thousands of games
    Standard,
    /// The effort of the bot
    Full,
    /// Standard effort without limits on the endgame search
    Lifted,
}

impl Play {
    fn limits(self) -> SearchLimits {
        match self {
            Play::Fast => Effort::Fast.limits(),
            Play::Standard => Effort::Standard.limits(),
            Play::Full => Effort::Full.limits(),
            Play::Lifted => {
                let endgame = EndgameLimits { layouts: usize::MAX, nodes: u64::MAX };
                SearchLimits {
                    endgame,
                    tiny_field: endgame,
                    opening_table: false,
                    turn_nodes: u64::MAX,
                    ..Effort::Standard.limits()
                }
            }
        }
    }
}

/// The default fields: those with a published optimum that take minutes at the most.
const LEVELS: [&str; 11] = [
    "4x4/2", "4x4/4", "4x4/5", "5x4/3", "5x4/4", "5x5/2", "5x5/3", "6x4/4", "8x3/4", "8x2/4",
    "12x1/4",
];

/// The costs on a field under a rule, summed over all layouts: mines opened, or layouts lost.
struct Costs {
    objective: Objective,
    layouts: u64,
    optimum: u64,
    played: Vec<(Play, u64)>,
}

fn main() -> Result<()> {
    let Arguments { mut levels, rule: rules, objective, play: plays } = Arguments::parse();
    if levels.is_empty() {
        let parsed: Result<_, String> = LEVELS.iter().map(|level| level.parse()).collect();
        levels = parsed.map_err(anyhow::Error::msg)?;
    }
    let fields = levels.iter().map(|&level| TinyField::new(level));
    let fields = fields.collect::<Result<Vec<TinyField>>>()?;
    // Before the first result, since a result may take minutes.
    for field in &fields {
        rules.iter().try_for_each(|&rule| field.check(rule))?;
    }
    let gaps = plays.iter().map(|play| format!(" {}, gap % |", name(play)));
    println!("| field | rule | objective | layouts | optimum |{}", gaps.collect::<String>());
    println!("|---|---|---|---|---|{}", "---|".repeat(plays.len()));
    let mut are_sound = true;
    for field in &fields {
        for &rule in &rules {
            let objective = objective.unwrap_or_else(|| rule.objective());
            let costs = compare(field, rule, objective, &plays);
            are_sound &= costs.are_sound();
            println!("{}", costs.line(field.level(), rule));
        }
    }
    ensure!(are_sound, "the lifted play is not optimal, or a play is better than the optimum");
    Ok(())
}

/// Computes the optimum of a field and the cost of every play.
fn compare(field: &TinyField, rule: Rule, objective: Objective, plays: &[Play]) -> Costs {
    let untouched = field.untouched(rule);
    let layouts = untouched.layouts.len() as u64;
    // The positions in which the bot's first turn may begin.
    let starts = if rule.is_classic() { field.open(&untouched, &[0]) } else { vec![untouched] };
    let optimum = if field.is_full() {
        // The first answer opens a mine, and then the game is over.
        layouts
    } else {
        let mut search = ExhaustiveSearch::new(field, objective);
        starts.iter().map(|start| search.cost(&start.layouts)).sum()
    };
    let played = plays.iter().map(|&play| {
        let policy = Policy { field, objective, limits: play.limits() };
        (play, starts.iter().map(|start| policy.cost(start)).sum())
    });
    Costs { objective, layouts, optimum, played: played.collect() }
}

impl Costs {
    /// Whether no play is better than the optimum, and the play without limits is as good.
    fn are_sound(&self) -> bool {
        self.played.iter().all(|&(play, cost)| {
            cost >= self.optimum && (play != Play::Lifted || cost == self.optimum)
        })
    }

    /// Mines opened, or games won, summed over all layouts.
    fn total(&self, cost: u64) -> u64 {
        match self.objective {
            Objective::FewestHits => cost,
            Objective::CleanWin => self.layouts - cost,
        }
    }

    /// The mean of mines opened, or of games won.
    fn mean(&self, cost: u64) -> f64 {
        self.total(cost) as f64 / self.layouts.max(1) as f64
    }

    /// The difference of `cost` to the optimum, in percent of the optimum's total.
    fn gap_percent(&self, cost: u64) -> f64 {
        let difference = cost.abs_diff(self.optimum) as f64;
        100.0 * (difference / self.total(self.optimum).max(1) as f64)
    }

    /// A line of the table.
    fn line(&self, level: Level, rule: Rule) -> String {
        let Costs { objective, layouts, .. } = self;
        let played = self
            .played
            .iter()
            .map(|&(_, cost)| format!(" {:.5} {:5.2} |", self.mean(cost), self.gap_percent(cost)));
        let optimum = self.mean(self.optimum);
        let start = format!("| {level} | {rule} | {objective} | {layouts} | {optimum:.5} |");
        start + &played.collect::<String>()
    }
}

/// The name of an option's value on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
