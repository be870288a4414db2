//! The report of people's games: its fields are what `--json` prints.

use std::fmt::Write;

use analysis::mistakes::cost_text;
use comfy_table::Table;
use sapper::Effort;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::super::arguments::Arguments;
use super::super::source::UnsuitableFile;
use super::account::PeopleAccount;
use super::judged::{GameReport, Mistake, OBJECTIVE};
use crate::report::table::Format::{Decimals, Percent, SignedPercent};
use crate::report::table::{Column, table};
use crate::report::{BinReport, as_text, bin_reports, bins_table};

/// The report of the games that were judged.
#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(serialize_with = "as_text")]
    effort: Effort,
    #[serde(skip)]
    per_kind: usize,
    not_judged: &'a [UnsuitableFile],
    won: usize,
    lost: usize,
    unfinished: usize,
    games: &'a [GameReport],
    /// The sums of all games.
    total: GameReport,
    /// The guesses and the needless risks, by their odds.
    bins: Vec<BinReport>,
    #[serde(skip)]
    all_bins: BinReport,
    costliest: &'a [Mistake],
}

/// What the columns of the table mean.
const LEGEND: &str = "\
Guesses are clicks where no cell was proven safe: risk is the sum of their odds, and best that of
sapper's cells in their place. Needless are clicks that risked a mine while a cell was proven safe,
or opened a proven mine. Cost is what all mistakes cost, in points of the chance to win; luck is the
odds of all clicks less the hit, 100 %. A first cell that the rule keeps free is not judged.";

/// The columns of the table of games.
const COLUMNS: [Column<GameReport>; 14] = [
    ("game", |game| game.game.clone()),
    ("level", |game| match game.width {
        0 => "-".to_owned(),
        _ => format!("{}x{}/{}", game.width, game.height, game.mines),
    }),
    ("result", |game| if game.result.is_empty() { "-" } else { game.result }.to_owned()),
    ("time s", |game| Decimals(2).text(&game.seconds)),
    ("3BV", |game| match game.solved_bbbv == game.bbbv {
        true => game.bbbv.to_string(),
        false => format!("{} of {}", game.solved_bbbv, game.bbbv),
    }),
    ("3BV/s", |game| Decimals(2).text(&game.bbbv_per_second)),
    ("clicks", |game| Decimals(0).text(&game.clicks)),
    ("efficiency %", |game| Percent(0).text(&game.efficiency)),
    ("guesses", |game| Decimals(0).text(&game.guesses)),
    ("risk %", |game| Percent(1).text(&game.risk)),
    ("best %", |game| Percent(1).text(&game.best_risk)),
    ("needless", |game| Decimals(0).text(&(game.needless_risks + game.proven_mines))),
    ("cost %", |game| Percent(1).text(&game.cost)),
    ("luck %", |game| SignedPercent(1).text(&game.luck)),
];

impl<'a> Report<'a> {
    /// The report of these games.
    pub fn of(
        arguments: &Arguments,
        not_judged: &'a [UnsuitableFile],
        account: &'a PeopleAccount,
    ) -> Report<'a> {
        let count = |result| account.games.iter().filter(|game| game.result == result).count();
        Report {
            effort: arguments.effort,
            per_kind: arguments.per_kind,
            not_judged,
            won: count("won"),
            lost: count("lost"),
            unfinished: count("unfinished"),
            games: &account.games,
            total: GameReport { game: "all".to_owned(), ..account.total() },
            bins: bin_reports(&account.bins),
            all_bins: BinReport::of(0.0, 1.0, &account.bins.total()),
            costliest: &account.costliest,
        }
    }

    pub fn text(&self) -> String {
        let Report { won, lost, unfinished, games, total, bins, costliest, .. } = self;
        let judged = total.safe + total.guesses + total.needless_risks + total.proven_mines;
        let mut text = format!(
            "{} of people: {won} won, {lost} lost, {unfinished} unfinished; {} judged: {} proven \
             safe, {}, {}, {} opened",
            pluralize(games.len(), "game", "games"),
            pluralize(judged, "click", "clicks"),
            total.safe,
            pluralize(total.guesses, "guess", "guesses"),
            pluralize(total.needless_risks, "needless risk", "needless risks"),
            pluralize(total.proven_mines, "proven mine", "proven mines"),
        );
        if total.unjudged > 0 {
            let clicks = pluralize(total.unjudged, "click", "clicks");
            write!(text, "; {clicks} not judged, because the layouts cannot be counted").ok();
        }
        let table = self.games_table();
        writeln!(text, "\n\n{table}\n\n{LEGEND}").ok();
        for game in games.iter().filter(|game| game.caution.is_some()) {
            writeln!(text, "{}: {}", game.game, game.caution.as_deref().unwrap_or_default()).ok();
        }
        if !bins.is_empty() {
            let table = bins_table(bins, &self.all_bins);
            writeln!(text, "\nClicks by the probability of a mine, and the mines hit:\n\n{table}")
                .ok();
        }
        if !costliest.is_empty() {
            let most = match self.per_kind {
                1 => "one of each kind".to_owned(),
                most => format!("up to {most} of each kind"),
            };
            writeln!(
                text,
                "\nClicks that cost most, {most} (A opened, B the cell of sapper at {} effort):",
                self.effort
            )
            .ok();
        }
        for (number, mistake) in (1..).zip(*costliest) {
            write!(text, "\n{number}. {}", mistake_text(mistake)).ok();
        }
        if costliest.iter().any(|mistake| mistake.page.is_none()) {
            text.push_str(
                "\nThe links open sapper.html, which a release has and `cargo sapper page` makes; \
                 --pages DIR writes a page of each game.\n",
            );
        }
        text
    }

    fn games_table(&self) -> Table {
        let total = (self.games.len() > 1).then_some(&self.total);
        table(&COLUMNS, self.games.iter().chain(total))
    }
}

fn mistake_text(mistake: &Mistake) -> String {
    let Mistake { game, turn, seconds, kind, hit, of_kind, why, field, .. } = mistake;
    let cost = cost_text(mistake.cost, OBJECTIVE);
    let hit = if *hit { ", and hit a mine" } else { "" };
    let of_kind = match of_kind.decisions {
        0 | 1 => String::new(),
        count => {
            let cost = cost_text(of_kind.cost, OBJECTIVE);
            format!("; the {count} of this kind cost {cost} in all")
        }
    };
    let link = match &mistake.page {
        Some(page) => page.clone(),
        None => format!("sapper.html{}", mistake.address),
    };
    let why = why.join("\n  ");
    format!(
        "{game}, turn {turn} ({seconds:.3} s), {kind}: costs {cost}{hit}{of_kind}\n{why}\n{link}\n\
         {field}"
    )
}
