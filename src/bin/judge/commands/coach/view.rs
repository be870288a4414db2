//! The account of a bot as text and as JSON.

use std::fmt::Write;

use sapper::analysis::mistakes::cost_text;
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use super::Arguments;
use super::account::{Account, Group};
use super::decisions::{Decision, PHASES};
use crate::cli::{ObjectiveName, RuleName, option_name};
use crate::results::Mean;
use crate::results::table::Format::{Decimals, Percent, Signed};
use crate::results::table::{Column, counts_text, table};

/// The columns of the tables of decisions.
const COLUMNS: [Column; 7] = [
    ("decisions", "/name", Decimals(0)),
    ("a game", "/a_game", Decimals(3)),
    ("differ", "/decisions", Decimals(0)),
    ("cost a game", "/cost", Signed(4)),
    ("95 %", "/interval", Signed(4)),
    ("of all %", "/share", Percent(0)),
    ("cost a decision", "/cost_a_decision", Signed(4)),
];

/// Everything that the report shows.
pub struct View<'a> {
    pub arguments: &'a Arguments,
    pub rule: RuleName,
    pub objective: ObjectiveName,
    pub account: &'a Account,
}

impl View<'_> {
    pub fn json(&self) -> Value {
        let Account { games, safe, same, differing, unjudged, cost, .. } = self.account;
        let Account { dearest, best, faults, first_faults, .. } = self.account;
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
        let first_faults = first_faults.iter().map(|(game, fault)| fault.json(game));
        let first_faults: Value = first_faults.collect();
        json!({
            "bot": self.arguments.bot,
            "against": self.arguments.against,
            "rule": option_name(&self.rule),
            "objective": option_name(&self.objective),
            "effort": option_name(&self.arguments.effort),
            "games": games,
            "safe": safe,
            "same": same,
            "differing": differing,
            "unjudged": unjudged,
            "all": self.row("all", *differing, weight, cost),
            "kinds": kinds,
            "phases": phases,
            "places": places,
            "dearest": dearest,
            "best": best,
            "faults": faults,
            "first_faults": first_faults,
            "other_faults": other_faults,
            "first_other_faults": first_other_faults,
        })
    }

    /// The decisions of a group: the number of those that differ, the weights of all summed, and
    /// what they cost a game.
    fn row(&self, name: &str, decisions: u64, weight: f64, cost: &Mean) -> Value {
        let all = self.account.cost.value();
        let a_game = weight / self.account.games as f64;
        json!({
            "name": name,
            "a_game": a_game,
            "decisions": decisions,
            "cost": cost.value(),
            "interval": cost.interval(f64::NEG_INFINITY..=f64::INFINITY),
            "share": (all != 0.0).then(|| cost.value() / all),
            "cost_a_decision": (weight > 0.0).then(|| cost.value() / a_game),
        })
    }

    pub fn text(&self) -> String {
        let Account { games, safe, same, differing, unjudged, .. } = self.account;
        let Account { dearest, best, faults, first_faults, .. } = self.account;
        let Account { other_faults, first_other_faults, .. } = self.account;
        let effort = option_name(&self.arguments.effort);
        let (other, others) = match &self.arguments.against {
            Some(line) => (format!("`{line}`"), format!("those of `{line}`")),
            None => ("sapper".to_owned(), format!("sapper's at {effort} effort")),
        };
        let unit = match self.objective {
            ObjectiveName::FewestHits => "mines",
            ObjectiveName::CleanWin => "clean games lost",
        };
        let mut text = format!(
            "{}: {safe} proven cells opened, {} as {others}, {differing} others",
            pluralize(*games, "game", "games"),
            pluralize(*same, "decision", "decisions"),
        );
        if *unjudged > 0 {
            let decisions = pluralize(*unjudged, "decision", "decisions");
            write!(text, "; {decisions} that cannot be judged").ok();
        }
        let report = self.json();
        let rows = ["kinds", "phases", "places"].map(|key| report[key].as_array());
        let rows = rows.into_iter().flatten().flatten().chain([&report["all"]]);
        let table = table(&COLUMNS, rows);
        let judged = format!("if sapper plays on at {effort} effort");
        write!(
            text,
            "\n\n{table}\n\nCosts are {unit} above those of the cell of {other}, {judged}.\n"
        )
        .ok();
        for (title, decisions) in [("The dearest", dearest), ("The greatest gains", best)] {
            if !decisions.is_empty() {
                write!(text, "\n{title} (A opened, B the cell of {other}):\n").ok();
            }
            for (number, decision) in decisions.iter().enumerate() {
                write!(text, "\n{}. {}", number + 1, self.decision(decision)).ok();
            }
        }
        for (game, fault) in first_faults {
            write!(text, "\nseed {}: {}{}\n", game.seed, game.outcome_text(), fault.text()).ok();
        }
        if !faults.is_empty() {
            write!(text, "\nFAULTS: {}; they cost nothing here\n", counts_text(faults)).ok();
        }
        for fault in first_other_faults {
            write!(text, "\n{}\n", fault.text(&other)).ok();
        }
        if !other_faults.is_empty() {
            let counts = counts_text(other_faults);
            write!(text, "\nFAULTS of {other}: {counts}; the games are not judged after them\n")
                .ok();
        }
        text
    }

    fn decision(&self, decision: &Decision) -> String {
        let Decision { game, turn, weight, cost, standard_error, kind, why, field, .. } = decision;
        let mut cost = cost_text(*cost, self.objective.objective());
        let error = match self.objective {
            ObjectiveName::FewestHits => format!("{standard_error:.3}"),
            ObjectiveName::CleanWin => format!("{:.2} %", 100.0 * standard_error),
        };
        if *weight < 1.0 {
            cost += &format!(", with the weight {weight:.3}");
        }
        let link = match &decision.page {
            Some(page) => page.clone(),
            None => format!("sapper.html{}", decision.address),
        };
        format!(
            "{game}, turn {turn}, {kind}: {cost} (s.e. {error})\n{why}\n{link}\n\
             {field}"
        )
    }
}
