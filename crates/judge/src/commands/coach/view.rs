//! The report of a bot's decisions: its fields are what `--json` prints, and the table shows the
//! rows of its groups.

use std::collections::BTreeMap;
use std::fmt::Write;

use analysis::chance_text;
use analysis::mistakes::cost_text;
use comfy_table::Table;
use game::rule::Rule;
use sapper::kit::text::pluralize;
use sapper::{Effort, Objective};
use serde::Serialize;

use super::account::{Account, Group};
use super::arguments::Arguments;
use super::decisions::{JudgedDecision, PHASES};
use super::fault::GameFault;
use super::other::OtherFault;
use super::source::{Source, UnsuitableFile};
use crate::report::table::Format::{Decimals, Percent, Signed, SignedPercent};
use crate::report::table::{counts_text, empty};
use crate::report::{Mean, as_text};

/// The report of the games that were judged.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The command lines; `None` for recorded games, and beside the policy.
    bot: Option<&'a str>,
    against: Option<&'a str>,
    rule: Rule,
    #[serde(serialize_with = "as_text")]
    objective: Objective,
    #[serde(serialize_with = "as_text")]
    effort: Effort,
    #[serde(skip)]
    per_kind: usize,
    games: u64,
    /// The games without an end.
    unfinished: u64,
    not_judged: &'a [UnsuitableFile],
    /// The decisions: cells opened that were proven safe, other cells that are the same as the
    /// policy's, that differ from it, and that cannot be judged.
    safe: u64,
    same: u64,
    differing: u64,
    unjudged: u64,
    all: GroupReport<'a>,
    kinds: Vec<GroupReport<'a>>,
    phases: Vec<GroupReport<'a>>,
    places: Vec<GroupReport<'a>>,
    costliest: &'a [JudgedDecision],
    gains: &'a [JudgedDecision],
    /// The number of faults of each kind.
    faults: &'a BTreeMap<String, u64>,
    first_faults: &'a [GameFault],
    other_faults: &'a BTreeMap<&'static str, u64>,
    first_other_faults: &'a [OtherFault],
}

/// The decisions of a group.
#[derive(Serialize)]
struct GroupReport<'a> {
    name: &'a str,
    /// Those of a game, each with its weight.
    a_game: f64,
    /// Those that differ.
    decisions: u64,
    /// What they cost a game, with its 95 % interval.
    cost: Option<f64>,
    interval: Option<(f64, f64)>,
    /// The share of the cost of all, if that is shown not to be 0.
    share: Option<f64>,
    cost_a_decision: Option<f64>,
}

impl<'a> GroupReport<'a> {
    /// The decisions of a group: the number of those that differ, the weights of all summed, and
    /// what they cost a game.
    fn of(account: &Account, name: &'a str, decisions: u64, weight: f64, cost: &Mean) -> Self {
        let all = &account.cost;
        let interval = |cost: &Mean| cost.interval(f64::NEG_INFINITY..=f64::INFINITY);
        // Shares of a sum that may be 0 say nothing.
        let has_shares = interval(all).is_some_and(|(low, high)| low > 0.0 || high < 0.0);
        let a_game = weight / account.games as f64;
        GroupReport {
            name,
            a_game,
            decisions,
            cost: (cost.count() > 0).then(|| cost.value()),
            interval: interval(cost),
            share: has_shares.then(|| cost.value() / all.value()),
            cost_a_decision: (weight > 0.0).then(|| cost.value() / a_game),
        }
    }
}

impl<'a> Report<'a> {
    /// The report of these games.
    pub fn of(
        arguments: &'a Arguments,
        source: &'a Source<'a>,
        objective: Objective,
        account: &'a Account,
    ) -> Report<'a> {
        let [kinds, phases, places] = account.groups.each_ref().map(|groups| {
            let row = |(name, group): (&&'static str, &Group)| {
                let cost = group.cost(account.games);
                GroupReport::of(account, name, group.decisions, group.weight, &cost)
            };
            let mut groups: Vec<_> = groups.iter().collect();
            // A stable sort: kinds and places stay in the order of their names.
            groups.sort_by_key(|(name, _)| PHASES.iter().position(|phase| phase == *name));
            groups.into_iter().map(row).collect()
        });
        // Every decision is of one phase.
        let weights = account.groups[1].values().map(|group| group.weight);
        // From 0.0, because the sum of none would be -0.0.
        let weight = weights.fold(0.0, |sum, weight| sum + weight);
        Report {
            bot: arguments.bot.as_deref(),
            against: arguments.against.as_deref(),
            rule: source.rule,
            objective,
            effort: arguments.effort,
            per_kind: arguments.per_kind,
            games: account.games,
            unfinished: account.unfinished,
            not_judged: &source.unsuitable,
            safe: account.safe,
            same: account.same,
            differing: account.differing,
            unjudged: account.unjudged,
            all: GroupReport::of(account, "all", account.differing, weight, &account.cost),
            kinds,
            phases,
            places,
            costliest: &account.costliest,
            gains: &account.gains,
            faults: &account.faults,
            first_faults: &account.first_faults,
            other_faults: &account.other_faults,
            first_other_faults: &account.first_other_faults,
        }
    }

    pub fn text(&self) -> String {
        let Report { games, safe, same, differing, unjudged, effort, .. } = self;
        let (other, others) = match self.against {
            Some(line) => (format!("`{line}`"), format!("`{line}`")),
            None => ("sapper".to_owned(), format!("sapper at {effort} effort")),
        };
        let mut text = format!(
            "{}: {} opened; {}, {differing} of them unlike {others}",
            pluralize(*games, "game", "games"),
            pluralize(*safe, "proven cell", "proven cells"),
            pluralize(same + differing, "other decision", "other decisions"),
        );
        if *unjudged > 0 {
            let decisions = pluralize(*unjudged, "decision", "decisions");
            write!(
                text,
                "; {decisions} that cannot be judged, without a safe cell or with too many layouts"
            )
            .ok();
        }
        text.push('\n');
        if same + differing > 0 {
            self.write_costs(&other, &mut text);
        }
        self.write_faults(&other, &mut text);
        text
    }

    /// The table of the groups. Costs are in mines, or in points of the chance to win.
    fn table(&self) -> Table {
        let cost = match self.objective {
            Objective::FewestHits => Signed(4),
            Objective::CleanWin => SignedPercent(2),
        };
        let mut table = empty([
            "decisions",
            "a game",
            "differ",
            "cost a game",
            "95 %",
            "of all %",
            "cost a decision",
        ]);
        let groups = self.kinds.iter().chain(&self.phases).chain(&self.places);
        for group in groups.chain([&self.all]) {
            table.add_row([
                group.name.to_owned(),
                Decimals(3).text(&group.a_game),
                Decimals(0).text(&group.decisions),
                cost.text(&group.cost),
                cost.text(&group.interval),
                Percent(0).text(&group.share),
                cost.text(&group.cost_a_decision),
            ]);
        }
        table
    }

    /// The table and the lists of decisions.
    fn write_costs(&self, other: &str, text: &mut String) {
        let Report { costliest, gains, unfinished, effort, .. } = self;
        let table = self.table();
        let unit = match self.objective {
            Objective::FewestHits => "mines",
            Objective::CleanWin => "points of the chance to win",
        };
        writeln!(
            text,
            "\n{table}\n\nCosts are {unit}, above those of the cell of {other}, if sapper plays on \
             at {effort} effort."
        )
        .ok();
        if self.rule.is_classic() {
            text.push_str(
                "A guess that would hit is survived: a decision counts with its weight, the \
                 probability of the game to come to it.\n",
            );
        }
        if *unfinished > 0 {
            let games = pluralize(*unfinished, "game has", "games have");
            writeln!(
                text,
                "{games} no end: the decisions count in the table, and the CSV file has no cost."
            )
            .ok();
        }
        for (title, decisions) in [("cost", costliest), ("gain", gains)] {
            if !decisions.is_empty() {
                let most = match self.per_kind {
                    1 => "one of each kind".to_owned(),
                    most => format!("up to {most} of each kind"),
                };
                writeln!(
                    text,
                    "\nDecisions that {title} most, {most} (A opened, B the cell of {other}):"
                )
                .ok();
            }
            for (number, decision) in decisions.iter().enumerate() {
                write!(text, "\n{}. {}", number + 1, self.decision(decision)).ok();
            }
        }
        let mut listed = costliest.iter().chain(*gains);
        if listed.any(|decision| decision.page.is_none()) {
            text.push_str(
                "\nThe links open sapper.html, which a release has and `cargo sapper page` makes; \
                 --pages DIR writes a page of each game.\n",
            );
        }
    }

    fn write_faults(&self, other: &str, text: &mut String) {
        let Report { games, faults, first_faults, .. } = self;
        let Report { other_faults, first_other_faults, .. } = self;
        for fault in *first_faults {
            write!(text, "\n{}\n", fault.text()).ok();
        }
        if !faults.is_empty() {
            let counts = counts_text(*faults);
            let is_every_game = faults.values().sum::<u64>() == *games;
            let advice = match is_every_game {
                true => "no game without a fault: mend that first",
                false => {
                    "a fault has no cost in this account; its game counts in the table as far as \
                     it went, and the CSV file has no cost"
                }
            };
            write!(text, "\nFAULTS: {counts}; {advice}\n").ok();
        }
        for fault in *first_other_faults {
            write!(text, "\n{}\n", fault.text(other)).ok();
        }
        if !other_faults.is_empty() {
            let counts = counts_text(*other_faults);
            write!(text, "\nFAULTS of {other}: {counts}; the games are not judged after them\n")
                .ok();
        }
    }

    fn decision(&self, decision: &JudgedDecision) -> String {
        let JudgedDecision { game, turn, games, weight, cost, kind, of_kind, why, field, .. } =
            decision;
        let amount = |cost: f64| match self.objective {
            Objective::FewestHits => format!("{:.3}", cost.abs()),
            Objective::CleanWin => format!("{:.2}", 100.0 * cost.abs()),
        };
        let verb = if *cost > 0.0 { "costs" } else { "gains" };
        let all = cost_text(decision.weighted_cost().abs(), self.objective);
        let error = match decision.playouts {
            0 => "exact".to_owned(),
            _ => format!("s.e. {}", amount(weight * decision.standard_error)),
        };
        let games = match games {
            1 => String::new(),
            _ => format!(", in each of {games} games"),
        };
        let weighed = match *weight < 1.0 {
            true => format!(", {} with the weight {weight:.3}", amount(*cost)),
            false => String::new(),
        };
        // A first cell has its games already.
        let of_kind = match of_kind.decisions > decision.games {
            true => {
                let verb = if *cost > 0.0 { "cost" } else { "gain" };
                let all = amount(of_kind.cost);
                format!("; the {} of this kind {verb} {all} in all", of_kind.decisions)
            }
            false => String::new(),
        };
        let chance = |chance: f64| chance_text::rounded(chance, self.objective);
        let chances = format!(
            "{}: {} by A, {} by B.",
            chance_text::name(self.objective),
            chance(decision.chance),
            chance(decision.chance_instead)
        );
        let link = match &decision.page {
            Some(page) => page.clone(),
            None => format!("sapper.html{}", decision.address),
        };
        format!(
            "{game}, turn {turn}, {kind}: {verb} {all} ({error}){weighed}{games}{of_kind}\n{why}\n\
             {chances}\n{link}\n{field}"
        )
    }
}
