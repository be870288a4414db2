//! The account of a bot as text and as JSON.

use sapper::{Effort, Objective};
use std::fmt::Write;

use analysis::mistakes::cost_text;
use sapper::kit::text::pluralize;
use serde_json::{Value, json};

use super::Arguments;
use super::account::{Account, Group};
use super::decisions::{JudgedDecision, PHASES};
use super::fault::GameFault;
use super::source::Source;
use crate::report::Mean;
use crate::report::table::Format::{Decimals, Percent, Signed, SignedPercent};
use crate::report::table::{Column, counts_text, table};

/// The columns of the tables of decisions; costs are in mines, or in % of a clean win.
fn columns(objective: Objective) -> [Column; 7] {
    let cost = match objective {
        Objective::FewestHits => Signed(4),
        Objective::CleanWin => SignedPercent(2),
    };
    [
        ("decisions", "/name", Decimals(0)),
        ("a game", "/a_game", Decimals(3)),
        ("differ", "/decisions", Decimals(0)),
        ("cost a game", "/cost", cost),
        ("95 %", "/interval", cost),
        ("of all %", "/share", Percent(0)),
        ("cost a decision", "/cost_a_decision", cost),
    ]
}

/// Everything that the report shows.
pub struct View<'a> {
    pub arguments: &'a Arguments,
    pub source: &'a Source<'a>,
    pub objective: Objective,
    pub account: &'a Account,
}

impl View<'_> {
    pub fn json(&self) -> Value {
        let Account { games, unfinished, safe, same, differing, unjudged, cost, .. } = self.account;
        let Account { costliest, gains, faults, first_faults, .. } = self.account;
        let Account { other_faults, first_other_faults, .. } = self.account;
        let [kinds, phases, places] = self.account.groups.each_ref().map(|groups| {
            let row = |(name, group): (&&str, &Group)| {
                self.row(name, group.decisions, group.weight, &group.cost(*games))
            };
            let mut groups: Vec<_> = groups.iter().collect();
            // A stable sort: kinds and places stay in the order of their names.
            groups.sort_by_key(|(name, _)| PHASES.iter().position(|phase| phase == *name));
            groups.into_iter().map(row).collect::<Value>()
        });
        // Every decision is of one phase.
        let weights = self.account.groups[1].values().map(|group| group.weight);
        // From 0.0, because the sum of none would be -0.0.
        let weight = weights.fold(0.0, |sum, weight| sum + weight);
        json!({
            "bot": self.arguments.bot,
            "against": self.arguments.against,
            "rule": self.source.rule,
            "objective": self.objective.name(),
            "effort": self.arguments.effort.name(),
            "games": games,
            "unfinished": unfinished,
            "not_judged": self.source.unsuitable,
            "safe": safe,
            "same": same,
            "differing": differing,
            "unjudged": unjudged,
            "all": self.row("all", *differing, weight, cost),
            "kinds": kinds,
            "phases": phases,
            "places": places,
            "costliest": costliest,
            "gains": gains,
            "faults": faults,
            "first_faults": first_faults.iter().map(GameFault::json).collect::<Value>(),
            "other_faults": other_faults,
            "first_other_faults": first_other_faults,
        })
    }

    /// The decisions of a group: the number of those that differ, the weights of all summed, and
    /// what they cost a game.
    fn row(&self, name: &str, decisions: u64, weight: f64, cost: &Mean) -> Value {
        let all = &self.account.cost;
        let interval = |cost: &Mean| cost.interval(f64::NEG_INFINITY..=f64::INFINITY);
        // Shares of a sum that may be 0 say nothing.
        let has_shares = interval(all).is_some_and(|(low, high)| low > 0.0 || high < 0.0);
        let a_game = weight / self.account.games as f64;
        json!({
            "name": name,
            "a_game": a_game,
            "decisions": decisions,
            "cost": (cost.count() > 0).then(|| cost.value()),
            "interval": interval(cost),
            "share": has_shares.then(|| cost.value() / all.value()),
            "cost_a_decision": (weight > 0.0).then(|| cost.value() / a_game),
        })
    }

    pub fn text(&self) -> String {
        let Account { games, safe, same, differing, unjudged, .. } = self.account;
        let effort = self.arguments.effort;
        let (other, others) = match &self.arguments.against {
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
            self.write_costs(&other, effort, &mut text);
        }
        self.write_faults(&other, &mut text);
        text
    }

    /// The table and the lists of decisions.
    fn write_costs(&self, other: &str, effort: Effort, text: &mut String) {
        let Account { costliest, gains, unfinished, .. } = self.account;
        let report = self.json();
        let rows = ["kinds", "phases", "places"].map(|key| report[key].as_array());
        let rows = rows.into_iter().flatten().flatten().chain([&report["all"]]);
        let table = table(&columns(self.objective), rows);
        let unit = match self.objective {
            Objective::FewestHits => "mines",
            Objective::CleanWin => "% of a clean win",
        };
        writeln!(
            text,
            "\n{table}\n\nCosts are {unit}, above those of the cell of {other}, if sapper plays on \
             at {effort} effort."
        )
        .ok();
        if self.source.rule.is_classic() {
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
                write!(text, "\nDecisions that {title} most (A opened, B the cell of {other}):\n")
                    .ok();
            }
            for (number, decision) in decisions.iter().enumerate() {
                write!(text, "\n{}. {}", number + 1, self.decision(decision)).ok();
            }
        }
        let mut listed = costliest.iter().chain(gains);
        if listed.any(|decision| decision.page.is_none()) {
            text.push_str(
                "\nThe links are to the page that `scripts/page` writes; --pages DIR writes a page \
                 of each game.\n",
            );
        }
    }

    fn write_faults(&self, other: &str, text: &mut String) {
        let Account { games, faults, first_faults, .. } = self.account;
        let Account { other_faults, first_other_faults, .. } = self.account;
        for fault in first_faults {
            write!(text, "\n{}\n", fault.text()).ok();
        }
        if !faults.is_empty() {
            let counts = counts_text(faults);
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
        for fault in first_other_faults {
            write!(text, "\n{}\n", fault.text(other)).ok();
        }
        if !other_faults.is_empty() {
            let counts = counts_text(other_faults);
            write!(text, "\nFAULTS of {other}: {counts}; the games are not judged after them\n")
                .ok();
        }
    }

    fn decision(&self, decision: &JudgedDecision) -> String {
        let JudgedDecision { game, turn, games, weight, cost, kind, why, field, .. } = decision;
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
        let link = match &decision.page {
            Some(page) => page.clone(),
            None => format!("sapper.html{}", decision.address),
        };
        format!(
            "{game}, turn {turn}, {kind}: {verb} {all} ({error}){weighed}{games}\n{why}\n\
             {link}\n{field}"
        )
    }
}
