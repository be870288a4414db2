//! The sums over the games of people, and the clicks that cost most.

use std::collections::{BTreeMap, BTreeSet};

use super::super::decisions::OfKind;
use super::judged::{GameReport, JudgedGame, Mistake};
use crate::report::guess_bins::GuessBins;

/// Sums over games. The list is complete after [`PeopleAccount::finish`].
#[derive(Default)]
pub struct PeopleAccount {
    pub games: Vec<GameReport>,
    /// All clicks that were proven neither safe nor mined, by their odds.
    pub bins: GuessBins,
    /// The clicks that cost most, the costliest first.
    pub costliest: Vec<Mistake>,
    /// The mistakes of each kind, and what they cost.
    kinds: BTreeMap<&'static str, OfKind>,
    max_listed: usize,
    max_of_kind: usize,
}

impl PeopleAccount {
    /// No games yet; lists at most so many clicks, and at most so many of one kind.
    pub fn new(max_listed: usize, max_of_kind: usize) -> PeopleAccount {
        PeopleAccount { max_listed, max_of_kind, ..PeopleAccount::default() }
    }

    /// Adds a game.
    pub fn add(&mut self, game: JudgedGame) {
        self.games.push(game.report);
        self.bins.merge(&game.bins);
        for mistake in &game.mistakes {
            let of_kind = self.kinds.entry(mistake.kind).or_default();
            of_kind.decisions += 1;
            of_kind.cost += mistake.cost;
        }
        self.costliest.extend(game.mistakes);
        // A stable sort: of equal costs the earlier stay first.
        self.costliest.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
        let max_of_kind = self.max_of_kind;
        self.costliest.retain(|mistake| {
            let of_kind = listed.entry(mistake.kind).or_default();
            *of_kind += 1;
            *of_kind <= max_of_kind
        });
        self.costliest.truncate(self.max_listed);
    }

    /// Completes the list, after the last game.
    pub fn finish(&mut self) {
        for mistake in &mut self.costliest {
            mistake.of_kind = self.kinds[mistake.kind];
        }
    }

    /// The games with a click that is listed.
    pub fn listed_games(&self) -> BTreeSet<&str> {
        self.costliest.iter().map(|mistake| mistake.game.as_str()).collect()
    }

    /// Links the listed clicks to the pages of their games.
    pub fn link(&mut self, pages: &BTreeMap<String, String>) {
        for mistake in &mut self.costliest {
            let page = pages.get(&mistake.game);
            mistake.page = page.map(|page| format!("{page}#{}", mistake.turn));
        }
    }

    /// The sums of all games, without names and sizes.
    pub fn total(&self) -> GameReport {
        let mut total = GameReport::default();
        for game in &self.games {
            total.seconds += game.seconds;
            total.bbbv += game.bbbv;
            total.solved_bbbv += game.solved_bbbv;
            total.clicks += game.clicks;
            total.left += game.left;
            total.right += game.right;
            total.chords += game.chords;
            total.wasted += game.wasted;
            total.flags += game.flags;
            total.safe += game.safe;
            total.guesses += game.guesses;
            total.risk += game.risk;
            total.best_risk += game.best_risk;
            total.needless_risks += game.needless_risks;
            total.needless_risk += game.needless_risk;
            total.proven_mines += game.proven_mines;
            total.unjudged += game.unjudged;
            total.cost += game.cost;
            total.luck += game.luck;
        }
        let solved = f64::from(total.solved_bbbv);
        total.bbbv_per_second = (total.seconds > 0.0).then(|| solved / total.seconds);
        total.efficiency = (total.clicks > 0).then(|| solved / f64::from(total.clicks));
        total
    }
}
