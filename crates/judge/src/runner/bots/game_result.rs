//! The result of one game of one bot, which is also a line of a journal.

use std::time::Duration;

use analysis::adjusted::luck::Luck;
use analysis::json::exact_number::exact_number;
use game::rule::Rule;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

/// The result of one game of one bot, without its moves.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct GameResult {
    /// The bot's name.
    pub bot: String,
    pub seed: i32,
    /// `done`, or the kind of the fault.
    pub outcome: String,
    /// The details of the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The end of the bot's standard error, after a fault.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// 0 after a fault, and where a hit ends the game or was survived.
    #[serde(deserialize_with = "exact_number")]
    pub score: f64,
    /// The mines opened: 0 or 1 where a hit ends the game.
    pub mines: u32,
    /// The rule of the game; Botzone's is not written.
    #[serde(default, skip_serializing_if = "is_botzone")]
    pub rule: Rule,
    /// The wall time of each turn, in microseconds.
    #[serde(rename = "wall")]
    pub wall_micros: Vec<u64>,
    /// The CPU time of each turn, in microseconds.
    #[serde(rename = "cpu")]
    pub cpu_micros: Vec<u64>,
    /// The largest memory sampled, in bytes; 0 if none was sampled.
    #[serde(rename = "memory")]
    pub peak_bytes: u64,
    /// The processes that the bot left running at the end of its turns.
    #[serde(rename = "left")]
    pub left_behind: u32,
    /// The exact odds of the clicks, where all layouts are equally likely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// The starts of the bot in this game; none if the result came from the journal.
    #[serde(skip)]
    pub starts: Starts,
    /// Whether the result came from the journal.
    #[serde(skip)]
    pub is_resumed: bool,
}
read_from_object!(both GameResult);

/// The starts of a bot, and what they cost.
///
/// A start cannot be measured alone: a bot that is started for a turn computes as soon as it can.
/// The quickest of these turns is the one that has least besides.
#[derive(Clone, Copy, Default, Debug)]
pub struct Starts {
    /// The turns that began with a start and were answered.
    turns: u64,
    /// Those of them that were not the first of a game.
    again: u64,
    /// Their wall time.
    wall: Duration,
    /// That of the quickest of them.
    quickest: Option<Duration>,
}

impl Starts {
    /// Adds a turn that began with a start, the one of this number in its game, counted from 0.
    pub fn add(&mut self, wall: Duration, turn: usize) {
        let again = u64::from(turn > 0);
        self.merge(&Starts { turns: 1, again, wall, quickest: Some(wall) });
    }

    /// Adds the starts in other games.
    pub fn merge(&mut self, other: &Starts) {
        self.turns += other.turns;
        self.again += other.again;
        self.wall += other.wall;
        let both = [self.quickest, other.quickest];
        self.quickest = both.into_iter().flatten().min();
    }

    /// What the starts cost, in a sentence; `None` for a bot that is started once a game.
    pub fn text(&self) -> Option<String> {
        let quickest = self.quickest.filter(|_| self.again > 0)?;
        let milliseconds = 1e3 * quickest.as_secs_f64();
        let share = 100.0 * quickest.as_secs_f64() * self.turns as f64 / self.wall.as_secs_f64();
        Some(format!(
            "started anew for {} turns; a start takes about {milliseconds:.1} ms, as the quickest \
             of them: {share:.0} % of their time",
            self.turns
        ))
    }
}

fn is_botzone(rule: &Rule) -> bool {
    *rule == Rule::Botzone
}

impl GameResult {
    /// The mines opened in a finished game. A game that goes on after a survived hit has none after
    /// a fault either, so that the boards with hits are those with adjusted hits.
    pub fn counted_hits(&self) -> Option<u32> {
        self.is_done().then_some(self.mines)
    }

    /// The hits of a finished game without the luck of the guesses.
    pub fn adjusted_hits(&self) -> Option<f64> {
        self.hits_without_luck().filter(|_| self.is_done())
    }

    /// The hits without the luck of the guesses, up to rounding: equal odds that were summed in
    /// another order are equal.
    fn hits_without_luck(&self) -> Option<f64> {
        let luck = self.luck?;
        let hits = if self.rule.is_classic() {
            1.0 - luck.survival
        } else {
            f64::from(self.mines) - luck.excess()
        };
        // Rounding may leave -0.0.
        Some((hits * 1e9).round() / 1e9 + 0.0)
    }

    /// The probability to win without the luck of the guesses, where a hit ends the game; 0 after
    /// a fault.
    pub fn adjusted_won(&self) -> Option<f64> {
        self.adjusted_score(1).filter(|_| self.rule.is_classic()).map(|score| score / 100.0)
    }

    /// The score without the luck of the guesses, where `mines` hits cost all of it.
    ///
    /// After a fault, too, the luck until then is taken out, so that the mean is that of the scores
    /// whatever a fault depends on. Where a hit ends the game, a fault loses it in any case.
    pub fn adjusted_score(&self, mines: u32) -> Option<f64> {
        let hits = self.hits_without_luck()?;
        if self.rule.is_classic() {
            return Some(if self.is_done() { 100.0 * (1.0 - hits) } else { 0.0 });
        }
        let luck = f64::from(self.mines) - hits;
        Some(self.score + 100.0 * luck / f64::from(mines.max(1)))
    }

    /// Whether the game ended without a fault.
    pub fn is_done(&self) -> bool {
        self.outcome == "done"
    }

    /// The outcome, with the details of a fault.
    pub fn outcome_text(&self) -> String {
        match &self.reason {
            Some(reason) => format!("{} ({reason})", self.outcome),
            None => self.outcome.clone(),
        }
    }

    /// The time of the slowest turn in milliseconds.
    pub fn slowest_ms(&self) -> f64 {
        self.wall_micros.iter().copied().max().unwrap_or(0) as f64 / 1e3
    }

    /// Whether the game ended without a fault and without an opened mine.
    pub fn is_clean(&self) -> bool {
        self.is_done() && self.mines == 0
    }

    /// 100 for a clean game, else 0: differences of means are percentage points.
    pub fn clean_percent(&self) -> f64 {
        if self.is_clean() { 100.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_costs_about_as_much_as_the_quickest_turn_that_began_with_one() {
        let of_game = |turns: &[u64]| {
            let mut starts = Starts::default();
            let add = |(turn, &ms)| starts.add(Duration::from_millis(ms), turn);
            turns.iter().enumerate().for_each(add);
            starts
        };
        let mut starts = of_game(&[30]);
        assert_eq!(starts.text(), None);
        starts.merge(&of_game(&[50, 20, 60]));
        let text = "started anew for 4 turns; a start takes about 20.0 ms, as the quickest of \
                    them: 50 % of their time";
        assert_eq!(starts.text().as_deref(), Some(text));
    }
}
