//! `judge optimum`: compares the engine's play with optimal play, exactly, on tiny fields.
//!
//! [`exhaustive`] computes the optimum and shares no code with the engine; [`policy`] follows the
//! engine's play over all layouts of the field. Both costs are integers.
//!
//! Invariant: without limits on its endgame search the engine plays optimally, so both costs are
//! equal; with limits, its cost is never below the optimum. The exit code says whether this holds.

mod exhaustive;
mod policy;
mod tiny_field;

use anyhow::Result;
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use indicatif::{ProgressBar, ProgressStyle};
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, SearchLimits};
use serde_json::{Value, json};

use crate::cli::Outcome;
use crate::cli::level::{Level, RuleName};
use crate::cli::output::outln;
use crate::cli::parse::option_name;
use crate::cli::strength::ObjectiveName;
use exhaustive::ExhaustiveSearch;
use policy::Policy;
use tiny_field::{TinyField, TinyPosition};

/// Compare the engine's play with optimal play on tiny fields.
///
/// Every layout of a field is equally likely. The optimum is computed by trying every cell in every
/// position, and the engine's play is followed over all layouts. All figures are exact; nothing is
/// sampled.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge optimum
  judge optimum 4x4/4 5x3/4 --play standard,full
  judge optimum 4x4/5 --rule botzone --objective clean-win --json

Without a field, eleven fields with published optima are computed, which takes some minutes. The
figures are mines opened per game (fewest-hits) or the probability of a clean win (clean-win). A gap
is the difference to the optimum in percent of the optimum. `lifted` is the engine without limits on
its endgame search; its gap has to be exactly 0. Under safe-first and open-first the first cell is
the corner. A field of only mines is lost: Botzone's judge asks for a first answer before it checks
whether a safe cell is left.

--json prints one object with rows, one per field and rule: {\"level\",\"rule\",\"objective\",
\"layouts\",\"optimum\",\"played\":[...]}. optimum is {\"total\":N,\"mean\":X}, where N is the sum
over all layouts of the mines opened (fewest-hits) or the games won (clean-win). Each element of
played has
these too, and \"play\" and \"gap_percent\".

Exit code: 0, 1 when the lifted play is not optimal or any play is better than the optimum, 2 for
bad input.")]
pub struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES; at most 32 cells
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Rules of play
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["botzone", "safe-first"])]
    rule: Vec<RuleName>,
    /// Objective [default: fewest-hits under botzone, clean-win under the other rules]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// Efforts of the engine to compare
    #[arg(long, value_enum, value_delimiter = ',')]
    #[arg(default_values = ["fast", "standard", "full", "lifted"])]
    play: Vec<PlayName>,
    /// Number of threads; all cores if omitted
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlayName {
    /// The effort for millions of games
    Fast,
    /// The effort for thousands of games
    Standard,
    /// The effort of the bot
    Full,
    /// Standard effort without limits on the endgame search
    Lifted,
}

impl PlayName {
    fn limits(self) -> SearchLimits {
        match self {
            PlayName::Fast => Effort::Fast.limits(),
            PlayName::Standard => Effort::Standard.limits(),
            PlayName::Full => Effort::Full.limits(),
            PlayName::Lifted => SearchLimits::unlimited_endgame(),
        }
    }
}

/// The default fields: those with a published optimum that take minutes at the most.
const LEVELS: [&str; 11] = [
    "4x4/2", "4x4/4", "4x4/5", "5x4/3", "5x4/4", "5x5/2", "5x5/3", "6x4/4", "8x3/4", "8x2/4",
    "12x1/4",
];

/// The result of a field under a rule.
struct FieldResult {
    level: Level,
    rule: RuleName,
    objective: ObjectiveName,
    layouts: u64,
    /// The cost of optimal play, summed over all layouts: mines opened, or layouts lost.
    optimum: u64,
    played: Vec<PlayResult>,
}

struct PlayResult {
    play: PlayName,
    /// The cost of this play, in the unit of the optimum.
    cost: u64,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut levels = arguments.levels.clone();
    if levels.is_empty() {
        let parsed: Result<_, String> = LEVELS.iter().map(|level| level.parse()).collect();
        levels = parsed.map_err(anyhow::Error::msg)?;
    }
    let fields = levels.iter().map(|&level| Ok((level, TinyField::new(level)?)));
    let fields = fields.collect::<Result<Vec<(Level, TinyField)>>>()?;
    // Before the first result, since a result may take minutes.
    for (_, field) in &fields {
        arguments.rule.iter().try_for_each(|&rule| field.check(rule))?;
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let threads = threads.build()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {msg}  {elapsed}")?;
    let bar = ProgressBar::new(0).with_style(style);
    let mut results = Vec::new();
    for (level, field) in &fields {
        for &rule in &arguments.rule {
            results.push(threads.install(|| compare(arguments, *level, field, rule, &bar)));
        }
    }
    bar.finish_and_clear();
    if arguments.json {
        let rows: Vec<Value> = results.iter().map(FieldResult::to_json).collect();
        outln!("{}", json!({ "rows": rows }));
    } else {
        outln!("{}", table(&results, &arguments.play));
    }
    Ok(Outcome::from(results.iter().all(FieldResult::is_sound)))
}

/// Computes the optimum of a field and the cost of every play.
fn compare(
    arguments: &Arguments,
    level: Level,
    field: &TinyField,
    rule: RuleName,
    bar: &ProgressBar,
) -> FieldResult {
    let objective = ObjectiveName::or_default(arguments.objective, rule);
    let untouched = field.untouched(rule);
    let layouts = untouched.layouts.len() as u64;
    // The positions in which the bot's first turn may begin.
    let starts: Vec<TinyPosition> = match rule {
        RuleName::Botzone => vec![untouched],
        RuleName::SafeFirst | RuleName::OpenFirst => field.open(&untouched, &[0]),
    };
    let rule_name = option_name(&rule);
    bar.set_message(format!("{level} {rule_name}: the optimum"));
    let optimum = if field.is_full() {
        // The first answer opens a mine, and then the game is over.
        layouts
    } else {
        let mut search = ExhaustiveSearch::new(field, objective.objective());
        starts.iter().map(|start| search.cost(&start.layouts)).sum()
    };
    let played = arguments.play.iter().map(|&play| {
        bar.set_message(format!("{level} {rule_name}: {}", option_name(&play)));
        bar.set_length(layouts);
        bar.set_position(0);
        let policy = Policy { objective: objective.objective(), limits: play.limits() };
        let on_finished = |games| bar.inc(games);
        let cost = starts.iter().map(|start| policy.cost(field, start, &on_finished)).sum();
        PlayResult { play, cost }
    });
    let played = played.collect();
    FieldResult { level, rule, objective, layouts, optimum, played }
}

impl FieldResult {
    /// Whether no play is better than the optimum, and the play without limits is as good.
    fn is_sound(&self) -> bool {
        self.played.iter().all(|&PlayResult { play, cost }| {
            cost >= self.optimum && (play != PlayName::Lifted || cost == self.optimum)
        })
    }

    /// Mines opened, or games won, summed over all layouts.
    fn total(&self, cost: u64) -> u64 {
        match self.objective.objective() {
            Objective::FewestHits => cost,
            Objective::CleanWin => self.layouts - cost,
        }
    }

    fn mean(&self, cost: u64) -> f64 {
        self.total(cost) as f64 / self.layouts.max(1) as f64
    }

    /// The difference of `cost` to the optimum, in percent of the optimum's total.
    fn gap_percent(&self, cost: u64) -> f64 {
        let difference = cost.abs_diff(self.optimum) as f64;
        100.0 * (difference / self.total(self.optimum).max(1) as f64)
    }

    fn to_json(&self) -> Value {
        let figures = |cost: u64| json!({"total": self.total(cost), "mean": self.mean(cost)});
        let played = self.played.iter().map(|&PlayResult { play, cost }| {
            let mut value = figures(cost);
            value["play"] = json!(option_name(&play));
            value["gap_percent"] = json!(self.gap_percent(cost));
            value
        });
        json!({
            "level": self.level.to_string(),
            "rule": option_name(&self.rule),
            "objective": option_name(&self.objective),
            "layouts": self.layouts,
            "optimum": figures(self.optimum),
            "played": played.collect::<Vec<_>>(),
        })
    }
}

fn table(results: &[FieldResult], plays: &[PlayName]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let plays = plays.iter().map(|play| format!("{}, gap %", option_name(play)));
    let header = ["field", "rule", "objective", "layouts", "optimum"].map(str::to_owned);
    table.set_header(header.into_iter().chain(plays));
    for result in results {
        let played = result.played.iter().map(|&PlayResult { cost, .. }| {
            format!("{:.5} {:5.2}", result.mean(cost), result.gap_percent(cost))
        });
        let columns = [
            result.level.to_string(),
            option_name(&result.rule),
            option_name(&result.objective),
            result.layouts.to_string(),
            format!("{:.5}", result.mean(result.optimum)),
        ];
        table.add_row(columns.into_iter().chain(played));
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
