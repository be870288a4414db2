//! What the decisions of a bot cost in all games, and by kind.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use analysis::review::coach::FIRST_CELL;
use game::record::Record;

use super::decisions::{GameDecisions, JudgedDecision, Kinds, OfKind};
use super::fault::GameFault;
use super::other::OtherFault;
use crate::report::Mean;

/// The most faults that are listed.
const MAX_FAULTS: usize = 3;

/// Sums over games. The lists are complete after [`Account::finish`].
#[derive(Default)]
pub struct Account {
    pub games: u64,
    /// The cost of a game.
    pub cost: Mean,
    pub safe: u64,
    pub same: u64,
    pub differing: u64,
    pub unjudged: u64,
    /// By kind, phase and place.
    pub groups: [BTreeMap<&'static str, Group>; 3],
    /// The games without an end.
    pub unfinished: u64,
    /// The decisions that add most to the cost of their games, the costliest first. Only costs that
    /// are clear are listed, and a first cell once for all its games.
    pub costliest: Vec<JudgedDecision>,
    /// The decisions by which the bot gains most, likewise.
    pub gains: Vec<JudgedDecision>,
    /// Of each kind the clear decisions that cost, and those that gain.
    pub clear: [BTreeMap<&'static str, OfKind>; 2],
    max_listed: usize,
    max_of_kind: usize,
    /// The decisions on a covered field, which many games have: each once, by its cells and field.
    first_cells: BTreeMap<([(u32, u32); 2], String), JudgedDecision>,
    /// The records of the games whose decisions are listed, where they are kept.
    pub records: BTreeMap<String, Record>,
    /// The number of faults of each kind.
    pub faults: BTreeMap<String, u64>,
    pub first_faults: Vec<GameFault>,
    /// The faults of the other bot, likewise.
    pub other_faults: BTreeMap<&'static str, u64>,
    pub first_other_faults: Vec<OtherFault>,
}

/// The decisions of a group.
#[derive(Default)]
pub struct Group {
    /// Those that differ.
    pub decisions: u64,
    /// The weights of all, summed.
    pub weight: f64,
    /// The sum and the sum of squares of the costs of games.
    sum: f64,
    squares: f64,
}

impl Group {
    /// The cost of a game.
    pub fn cost(&self, games: u64) -> Mean {
        Mean::of(games, self.sum, self.squares)
    }
}

impl Account {
    /// No games yet; lists at most so many decisions that cost, and as many that gain, and at most
    /// so many of one kind.
    pub fn new(max_listed: usize, max_of_kind: usize) -> Account {
        Account { max_listed, max_of_kind, ..Account::default() }
    }

    /// Adds a game.
    pub fn add(&mut self, game: GameDecisions) {
        self.games += 1;
        self.safe += game.safe;
        self.same += game.same.len() as u64;
        self.differing += game.differing.len() as u64;
        self.unjudged += game.unjudged;
        self.cost.add(game.cost());
        self.unfinished += u64::from(game.is_unfinished);
        if let Some(fault) = game.fault {
            *self.faults.entry(fault.outcome().to_owned()).or_default() += 1;
            if self.first_faults.len() < MAX_FAULTS {
                self.first_faults.push(fault);
            }
        }
        if let Some(fault) = game.other_fault {
            *self.other_faults.entry(fault.outcome).or_default() += 1;
            if self.first_other_faults.len() < MAX_FAULTS {
                self.first_other_faults.push(fault);
            }
        }
        let names: [fn(Kinds) -> &'static str; 3] =
            [|kinds| kinds.kind, |kinds| kinds.phase, |kinds| kinds.place];
        for (groups, name) in self.groups.iter_mut().zip(names) {
            for &(kinds, weight) in &game.same {
                groups.entry(name(kinds)).or_default().weight += weight;
            }
            let mut costs: BTreeMap<&str, f64> = BTreeMap::new();
            for decision in &game.differing {
                let group = groups.entry(name(decision.kinds())).or_default();
                group.decisions += 1;
                group.weight += decision.weight;
                *costs.entry(name(decision.kinds())).or_default() += decision.weighted_cost();
            }
            for (name, cost) in costs {
                if let Some(group) = groups.get_mut(name) {
                    group.sum += cost;
                    group.squares += cost * cost;
                }
            }
        }
        let (first, others): (Vec<_>, Vec<_>) =
            game.differing.into_iter().partition(|decision| decision.kind == FIRST_CELL);
        for decision in first {
            let key = ([decision.cell, decision.instead], decision.address.clone());
            match self.first_cells.entry(key) {
                Entry::Occupied(mut known) => known.get_mut().merge(&decision),
                Entry::Vacant(place) => {
                    place.insert(decision);
                }
            }
        }
        self.list(&others);
    }

    /// Completes the lists, after the last game.
    pub fn finish(&mut self) {
        let first_cells: Vec<JudgedDecision> =
            mem::take(&mut self.first_cells).into_values().collect();
        self.list(&first_cells);
        for (list, clear) in [&mut self.costliest, &mut self.gains].into_iter().zip(&self.clear) {
            list.iter_mut().for_each(|decision| decision.of_kind = clear[decision.kind]);
        }
        self.drop_records();
    }

    /// Counts and lists those of the decisions that are clear, and keeps the lists as short as they
    /// are to be. What is dropped costs less than as many of its kind, or of all, that stay.
    fn list(&mut self, decisions: &[JudgedDecision]) {
        let lists = [(&mut self.costliest, 1.0), (&mut self.gains, -1.0)];
        for ((list, sign), clear) in lists.into_iter().zip(&mut self.clear) {
            let cost = |decision: &JudgedDecision| sign * decision.total_cost();
            let is_listed = |one: &&JudgedDecision| cost(one) > 0.0 && one.is_clear();
            for decision in decisions.iter().filter(is_listed) {
                let of_kind = clear.entry(decision.kind).or_default();
                of_kind.decisions += decision.games;
                of_kind.cost += decision.total_cost();
                list.push(decision.clone());
            }
            // A stable sort: of equal costs the earlier stay first.
            list.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
            let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
            list.retain(|decision| {
                let of_kind = listed.entry(decision.kind).or_default();
                *of_kind += 1;
                *of_kind <= self.max_of_kind
            });
            list.truncate(self.max_listed);
        }
    }

    /// Keeps the record of a game, and of the games before those whose decisions may be listed.
    pub fn keep_record(&mut self, name: &str, record: Record) {
        self.records.insert(name.to_owned(), record);
        self.drop_records();
    }

    /// Drops the records of the games whose decisions are not listed.
    fn drop_records(&mut self) {
        let decisions = self.costliest.iter().chain(&self.gains).chain(self.first_cells.values());
        let listed: BTreeSet<&String> = decisions.map(|decision| &decision.game).collect();
        self.records.retain(|name, _| listed.contains(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(turn: usize, weight: f64, cost: f64, standard_error: f64) -> JudgedDecision {
        let games = 1;
        JudgedDecision {
            turn,
            games,
            weight,
            cost,
            standard_error,
            kind: "guess",
            ..JudgedDecision::default()
        }
    }

    /// What is listed does not change what is summed.
    #[test]
    fn all_costs_count_by_their_weights_and_the_clear_ones_are_listed() {
        let game = |differing: Vec<JudgedDecision>, same: usize| {
            let kinds = Kinds { kind: "guess", phase: "", place: "" };
            GameDecisions { differing, same: vec![(kinds, 0.5); same], ..Default::default() }
        };
        let (clear, unclear) = (decision(1, 1.0, 0.5, 0.1), decision(2, 0.5, 0.375, 0.1875));
        let gain = decision(3, 0.25, -2.0, 0.1);
        let mut account = Account::new(1, 9);
        account.add(game(vec![clear, unclear, gain], 2));
        // It costs less, because it is seldom met.
        account.add(game(vec![decision(4, 0.25, 0.75, 0.1)], 0));
        let first = 0.5 + 0.5 * 0.375 - 0.25 * 2.0;
        assert_eq!(account.cost.value(), (first + 0.25 * 0.75) / 2.0);
        let guesses = &account.groups[0]["guess"];
        assert_eq!((guesses.decisions, guesses.weight), (4, 1.0 + 0.5 + 0.25 + 0.25 + 2.0 * 0.5));
        assert_eq!(guesses.cost(account.games).value(), account.cost.value());
        let turns = |list: &[JudgedDecision]| list.iter().map(|one| one.turn).collect::<Vec<_>>();
        assert_eq!((turns(&account.costliest), turns(&account.gains)), (vec![1], vec![3]));
        let mut all = Account::new(9, 9);
        all.add(game(vec![decision(1, 0.5, 0.5, 0.1), decision(2, 0.9, 0.4, 0.1)], 0));
        all.add(game(vec![decision(3, 1.0, 0.3, 0.15), decision(4, 0.5, 0.5, 0.1)], 0));
        assert_eq!(turns(&all.costliest), [2, 1, 4]);
    }

    /// The costliest of each kind is listed, with what all clear ones of the kind cost.
    #[test]
    fn one_decision_of_a_kind_is_listed_with_count_and_sum() {
        let of =
            |kind, turn, weight, cost| JudgedDecision { kind, ..decision(turn, weight, cost, 0.1) };
        let mut account = Account::new(9, 1);
        let first =
            vec![of("mine", 1, 1.0, 0.9), of("guess", 2, 0.5, 0.5), of("guess", 3, 1.0, 0.1)];
        let second =
            vec![of("mine", 4, 1.0, 1.0), of("guess", 5, 1.0, -0.5), of("mine", 6, 1.0, 0.8)];
        for differing in [first, second] {
            account.add(GameDecisions { differing, ..Default::default() });
        }
        account.finish();
        let listed = |list: &[JudgedDecision]| {
            let one = |one: &JudgedDecision| {
                (one.turn, one.of_kind.decisions, (100.0 * one.of_kind.cost).round() as i32)
            };
            list.iter().map(one).collect::<Vec<_>>()
        };
        assert_eq!(listed(&account.costliest), [(4, 3, 270), (2, 1, 25)]);
        assert_eq!(listed(&account.gains), [(5, 1, -50)]);
        let mut account = Account::new(3, 2);
        let mines = (1..5).map(|turn| of("mine", turn, 1.0, turn as f64)).collect();
        account.add(GameDecisions { differing: mines, ..Default::default() });
        account.finish();
        assert_eq!(listed(&account.costliest), [(4, 4, 1000), (3, 4, 1000)]);
    }

    /// The mean of three costs is clear, where each is not.
    #[test]
    fn a_first_cell_is_listed_once() {
        let decision = |cell, cost| {
            let kind = FIRST_CELL;
            JudgedDecision { kind, cell, playouts: 10, ..decision(0, 1.0, cost, 0.1) }
        };
        let game = |one| GameDecisions { differing: vec![one], ..Default::default() };
        let mut account = Account::new(9, 9);
        for (cell, cost) in [((0, 1), 0.1), ((0, 0), -0.5), ((0, 1), 0.2), ((0, 1), 0.15)] {
            account.add(game(decision(cell, cost)));
        }
        assert!(account.costliest.is_empty());
        account.finish();
        let ([once], [gain]) = (&account.costliest[..], &account.gains[..]) else {
            panic!("a decision each");
        };
        assert_eq!((once.games, once.cell, gain.games, gain.cost), (3, (0, 1), 1, -0.5));
        assert!((once.cost - 0.15).abs() < 1e-12);
        assert!((once.standard_error - 0.1 / 3.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!((once.playouts, gain.playouts), (30, 10));
        assert!((account.cost.value() - (0.1 - 0.5 + 0.2 + 0.15) / 4.0).abs() < 1e-12);
        // Another cell instead, or another field, is another decision; four games count four times.
        let mut account = Account::new(9, 9);
        let costly = decision((0, 1), 0.5);
        let (instead, address) = ((1, 1), "#field=2".to_owned());
        account.add(game(JudgedDecision { instead, cost: 1.5, ..costly.clone() }));
        account.add(game(JudgedDecision { address, cost: 1.75, ..costly.clone() }));
        (0..4).for_each(|_| account.add(game(costly.clone())));
        account.finish();
        let listed = account.costliest.iter().map(|one| (one.games, one.cost));
        assert_eq!(listed.collect::<Vec<_>>(), [(4, 0.5), (1, 1.75), (1, 1.5)]);
    }
}
