//! `judge optimum`: how far the engine's play is from optimal play, exactly, on fields that are
//! tiny.
//!
//! The optimum is computed by [`plain`], which shares nothing with the engine, and the engine's
//! play is followed over all layouts ([`policy`]): both are whole numbers, and with the limits
//! lifted they must be the same.

mod plain;
mod policy;
mod tiny;

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
use plain::Plain;
use policy::Player;
use tiny::{Picture, Tiny};

/// Hold the engine's play against optimal play on tiny fields.
///
/// Every layout of a field is equally likely. The optimum is found by trying every cell in every
/// position; the engine's play is followed over all layouts. Nothing is sampled: the figures are
/// exact.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge optimum
  judge optimum 4x4/4 5x3/4 --play standard,full
  judge optimum 4x4/5 --rule botzone --objective clean-win --json

Without a field, those of the README are taken, some minutes. Under fewest-hits the figures are the
mines opened a game, under clean-win the chance to open none; a gap is in per cent of the
optimum. `lifted` is the engine with no limit on its endgame: it must come to the optimum to the last mine.
Under safe-first and open-first the corner is opened beforehand. A field of mines only is lost with the first answer,
since Botzone's judge looks only after an answer whether anything is left to open.

--json prints {\"rows\":[{\"level\",\"rule\",\"objective\",\"layouts\",\"optimum\",\"played\":[...]}]}: an optimum is
{\"total\":N,\"mean\":X}, where N is the mines opened, or the games won, over all layouts; what was
played has the same, and its \"play\" and \"gap_percent\".

Exit code: 0, 1 when the lifted play is not the optimum, or any play is better than it, 2 for bad input.")]
pub struct Arguments {
    /// Fields, as WIDTHxHEIGHT/MINES; at most 32 cells
    #[arg(value_name = "LEVEL")]
    levels: Vec<Level>,
    /// Rules of play
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["botzone", "safe-first"])]
    rule: Vec<RuleName>,
    /// What is played for [default: fewest-hits under botzone, clean-win under the other rules]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveName>,
    /// How the engine plays
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["fast", "standard", "full", "lifted"])]
    play: Vec<PlayName>,
    /// Threads; all cores when not given
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
    /// The bot's own effort
    Full,
    /// Standard effort, with no limit on the endgame
    Lifted,
}

impl PlayName {
    fn limits(self) -> SearchLimits {
        match self {
            PlayName::Fast => Effort::Fast.limits(),
            PlayName::Standard => Effort::Standard.limits(),
            PlayName::Full => Effort::Full.limits(),
            PlayName::Lifted => SearchLimits::lifted(),
        }
    }
}

/// Of the fields whose optimum is published, those that take no more than minutes.
const LEVELS: [&str; 11] = [
    "4x4/2", "4x4/4", "4x4/5", "5x4/3", "5x4/4", "5x5/2", "5x5/3", "6x4/4", "8x3/4", "8x2/4",
    "12x1/4",
];

/// A field under a rule.
struct Row {
    level: Level,
    rule: RuleName,
    objective: ObjectiveName,
    layouts: u64,
    /// Mines opened, or layouts lost, over all layouts.
    optimum: u64,
    played: Vec<(PlayName, u64)>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut levels = arguments.levels.clone();
    if levels.is_empty() {
        let parsed: Result<_, String> = LEVELS.iter().map(|level| level.parse()).collect();
        levels = parsed.map_err(anyhow::Error::msg)?;
    }
    let fields = levels.iter().map(|&level| Ok((level, Tiny::new(level)?)));
    let fields = fields.collect::<Result<Vec<(Level, Tiny)>>>()?;
    for (tiny, &rule) in
        fields.iter().flat_map(|(_, tiny)| arguments.rule.iter().map(move |rule| (tiny, rule)))
    {
        tiny.check(rule)?;
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let threads = threads.build()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games  {msg}  {elapsed}")?;
    let bar = ProgressBar::new(0).with_style(style);
    let mut rows = Vec::new();
    for (level, tiny) in &fields {
        for &rule in &arguments.rule {
            rows.push(threads.install(|| row(arguments, *level, tiny, rule, &bar)));
        }
    }
    bar.finish_and_clear();
    if arguments.json {
        outln!("{}", json!({"rows": rows.iter().map(Row::to_json).collect::<Vec<_>>()}));
    } else {
        outln!("{}", table(&rows, &arguments.play));
    }
    Ok(Outcome::from(rows.iter().all(Row::is_sound)))
}

fn row(arguments: &Arguments, level: Level, tiny: &Tiny, rule: RuleName, bar: &ProgressBar) -> Row {
    let objective = ObjectiveName::or_default(arguments.objective, rule);
    let layouts = tiny.layouts(rule);
    // What is opened beforehand tells something.
    let begun = match rule {
        RuleName::Botzone => [(Picture::UNTOUCHED, layouts.clone())].into(),
        RuleName::SafeFirst | RuleName::OpenFirst => tiny.open(Picture::UNTOUCHED, &[0], &layouts),
    };
    bar.set_message(format!("{level} {}: the optimum", option_name(&rule)));
    let mut plain = Plain::new(tiny, objective.objective());
    let optimum = if tiny.is_full() {
        // The first answer opens a mine, and then the game is over.
        layouts.len() as u64
    } else {
        begun.values().map(|layouts| plain.cost(layouts)).sum()
    };
    let played = arguments.play.iter().map(|&play| {
        bar.set_message(format!("{level} {}: {}", option_name(&rule), option_name(&play)));
        bar.set_length(layouts.len() as u64);
        bar.set_position(0);
        let player = Player { objective: objective.objective(), limits: play.limits() };
        let done = |games| bar.inc(games);
        let cost =
            |(picture, layouts): (&Picture, &Vec<_>)| player.cost(tiny, (*picture, layouts), &done);
        (play, begun.iter().map(cost).sum())
    });
    let played = played.collect();
    Row { level, rule, objective, layouts: layouts.len() as u64, optimum, played }
}

impl Row {
    fn is_sound(&self) -> bool {
        let sound = |&(play, cost)| {
            cost >= self.optimum && (play != PlayName::Lifted || cost == self.optimum)
        };
        self.played.iter().all(sound)
    }

    /// Mines opened, or games won, over all layouts.
    fn total(&self, cost: u64) -> u64 {
        match self.objective.objective() {
            Objective::FewestHits => cost,
            Objective::CleanWin => self.layouts - cost,
        }
    }

    fn mean(&self, cost: u64) -> f64 {
        self.total(cost) as f64 / self.layouts.max(1) as f64
    }

    /// How much worse than the optimum, in per cent of it; nothing where nothing can be lost or
    /// won.
    fn gap(&self, cost: u64) -> f64 {
        let off = cost.abs_diff(self.optimum) as f64 / self.total(self.optimum).max(1) as f64;
        100.0 * off
    }

    fn to_json(&self) -> Value {
        let of = |cost: u64| json!({"total": self.total(cost), "mean": self.mean(cost)});
        let played = self.played.iter().map(|&(play, cost)| {
            let mut value = of(cost);
            value["play"] = json!(option_name(&play));
            value["gap_percent"] = json!(self.gap(cost));
            value
        });
        json!({
            "level": self.level.to_string(),
            "rule": option_name(&self.rule),
            "objective": option_name(&self.objective),
            "layouts": self.layouts,
            "optimum": of(self.optimum),
            "played": played.collect::<Vec<_>>(),
        })
    }
}

fn table(rows: &[Row], plays: &[PlayName]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let plays = plays.iter().map(|play| format!("{}, gap %", option_name(play)));
    let header = ["field", "rule", "played for", "layouts", "optimum"].map(str::to_owned);
    table.set_header(header.into_iter().chain(plays));
    for row in rows {
        let played = row
            .played
            .iter()
            .map(|&(_, cost)| format!("{:.5} {:5.2}", row.mean(cost), row.gap(cost)));
        let first = [
            row.level.to_string(),
            option_name(&row.rule),
            option_name(&row.objective),
            row.layouts.to_string(),
            format!("{:.5}", row.mean(row.optimum)),
        ];
        table.add_row(first.into_iter().chain(played));
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
