//! What the decisions of a bot cost in all games, and by kind.

use std::collections::BTreeMap;

use super::decisions::{Decision, GameDecisions};
use crate::results::statistics::Mean;

/// Sums over games.
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
    /// The dearest decisions, the dearest first; of equal ones the earlier.
    pub dearest: Vec<Decision>,
    max_dearest: usize,
    /// The number of faults of each kind.
    pub faults: BTreeMap<&'static str, u64>,
}

/// The decisions of a group.
#[derive(Default)]
pub struct Group {
    pub decisions: u64,
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
    /// No games yet; lists at most so many decisions.
    pub fn new(max_dearest: usize) -> Account {
        Account {
            games: 0,
            cost: Mean::default(),
            safe: 0,
            same: 0,
            differing: 0,
            unjudged: 0,
            groups: Default::default(),
            dearest: Vec::new(),
            max_dearest,
            faults: BTreeMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: GameDecisions) {
        self.games += 1;
        self.safe += game.safe;
        self.same += game.same;
        self.differing += game.differing.len() as u64;
        self.unjudged += game.unjudged;
        self.cost.add(game.differing.iter().map(|decision| decision.cost).sum());
        if let Some(fault) = game.fault {
            *self.faults.entry(fault).or_default() += 1;
        }
        let names: [fn(&Decision) -> &'static str; 3] =
            [|decision| decision.kind, |decision| decision.phase, |decision| decision.place];
        for (groups, name) in self.groups.iter_mut().zip(names) {
            let mut costs: BTreeMap<&str, f64> = BTreeMap::new();
            for decision in &game.differing {
                groups.entry(name(decision)).or_default().decisions += 1;
                *costs.entry(name(decision)).or_default() += decision.cost;
            }
            for (name, cost) in costs {
                if let Some(group) = groups.get_mut(name) {
                    group.sum += cost;
                    group.squares += cost * cost;
                }
            }
        }
        self.dearest.extend(game.differing.into_iter().filter(|decision| decision.cost > 0.0));
        // A stable sort: of equal costs the earlier stay first.
        self.dearest.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        self.dearest.truncate(self.max_dearest);
    }
}
