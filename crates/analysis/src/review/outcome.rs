//! How a recorded game ended, by its rule.
//!
//! A hit that ends the game may be survived: the judge draws another layout, and the log goes on to
//! the end of the game on that layout, with its score. The record names the turns of such hits
//! (`survived`); in the first of them the game was lost. A bare log names no such turn, but its
//! layout is then not that of its seed.
//!
//! Invariant: a game counts as won only if it ended without a fault and without an opened mine.

use super::log::{self, Positions};
use game::record::Record;
use game::rule::Rule;
use sapper::board::CellState;
use sapper::kit::text::pluralize;

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordEnd {
    /// Its rules.
    Done,
    /// A fault of the bot.
    Fault,
    /// Nothing: the log is cut off, or the match was aborted.
    Unfinished,
}

/// How a recorded game ended.
#[derive(Clone, Debug)]
pub struct GameOutcome {
    /// What ended it.
    pub end: RecordEnd,
    /// The platform's verdict on the last answer; empty where the log has none.
    pub verdict: String,
    /// The rule by which it was played, as far as the record tells.
    pub rule: Rule,
    /// The mines opened; 0 or 1 where a hit ends the game.
    pub hits: u32,
    /// The turn of the first hit, where a hit ends the game, if the log names it.
    pub lost_in: Option<usize>,
    /// The recorded score; where a hit ends the game, 100 if it was won and 0 if it was not.
    pub score: Option<f64>,
}

impl GameOutcome {
    /// The outcome of a game with these positions.
    pub(super) fn new(record: &Record, positions: &Positions) -> GameOutcome {
        let setup = record.setup().ok();
        let rule = setup.as_ref().map_or(Rule::Botzone, |setup| setup.start.rule());
        let is_classic = rule.is_classic();
        let is_redrawn = is_classic && setup.is_some_and(|setup| setup.field.is_some());
        let last = positions.turns() - 1;
        let (board, output) = (positions.at(last).board, log::final_output(record, last));
        // A first cell that leaves no safe one wins, and the log has no turn.
        let is_won_beforehand = is_classic
            && record.log.len() == 1
            && board.hits() == 0
            && board.hidden_len() == board.mines() as usize;
        let end = match output {
            Some(output) if output["display"]["msg"] == "INVALIDMOVE" => RecordEnd::Fault,
            Some(_) => RecordEnd::Done,
            None if is_won_beforehand => RecordEnd::Done,
            None => RecordEnd::Unfinished,
        };
        let is_hit = |turn: &usize| {
            positions.opened(*turn).iter().any(|(_, state)| *state == CellState::Hit)
        };
        let opened = (0..positions.turns()).find(is_hit);
        let hit_in = opened.map(|turn| turn.saturating_sub(1));
        let survived = record.survived.iter().flatten().copied();
        // On a layout that was drawn again, the first hit that is visible need not be the first.
        let is_unnamed = is_redrawn && record.survived.is_none();
        let lost_in = survived.chain(hit_in).min().filter(|_| is_classic && !is_unnamed);
        let is_hit = lost_in.is_some() || is_unnamed;
        let hits = if is_classic { u32::from(is_hit) } else { board.hits() };
        let score = match end {
            RecordEnd::Unfinished => None,
            _ if is_classic => Some(if end == RecordEnd::Done && hits == 0 { 100.0 } else { 0.0 }),
            _ => output.and_then(|output| output["content"]["0"].as_f64()),
        };
        let answer = record.log.iter().rev().find_map(|item| item["0"]["verdict"].as_str());
        let verdict = answer.unwrap_or_default().to_owned();
        GameOutcome { end, verdict, rule, hits, lost_in, score }
    }

    /// The outcome of a person's game, which was lost by a click, or won, or not finished.
    pub(super) fn of_person(lost_in: Option<usize>, won: bool) -> GameOutcome {
        let is_done = won || lost_in.is_some();
        GameOutcome {
            end: if is_done { RecordEnd::Done } else { RecordEnd::Unfinished },
            verdict: String::new(),
            rule: Rule::SafeFirst,
            hits: lost_in.is_some().into(),
            lost_in,
            score: is_done.then_some(if won { 100.0 } else { 0.0 }),
        }
    }

    /// Whether the game ended without a fault and without an opened mine.
    pub fn is_won(&self) -> bool {
        self.end == RecordEnd::Done && self.hits == 0
    }

    /// The mines opened in a game that ended by its rules.
    pub fn counted_hits(&self) -> Option<u32> {
        (self.end == RecordEnd::Done).then_some(self.hits)
    }

    fn is_lost_by_hit(&self) -> bool {
        self.rule.is_classic() && self.hits > 0
    }

    /// The hit that lost the game, where a hit ends it.
    pub fn lost_text(&self) -> Option<String> {
        let turn = match self.lost_in {
            Some(turn) => format!("turn {turn}"),
            None => "a turn that the log does not name".to_owned(),
        };
        self.is_lost_by_hit().then(|| format!("lost in {turn}"))
    }

    /// Whether the game was lost in a turn before this one.
    pub(super) fn is_lost_before(&self, turn: usize) -> bool {
        self.lost_in.is_some_and(|lost| lost < turn)
    }

    /// The outcome for a title or a line of a report, such as `lost in turn 3`; where no hit ends
    /// the game, its score.
    pub fn text(&self) -> String {
        let lost = self.lost_text();
        let end = match self.end {
            RecordEnd::Unfinished => Some("not finished".to_owned()),
            RecordEnd::Fault if self.rule.is_classic() && lost.is_none() => {
                Some("lost by a fault".to_owned())
            }
            RecordEnd::Done if self.rule.is_classic() && lost.is_none() => Some("won".to_owned()),
            _ => None,
        };
        let score = match self.score {
            _ if self.rule.is_classic() => None,
            Some(score) => Some(format!("score {score:.2}")),
            None => (self.end != RecordEnd::Unfinished).then(|| "no score".to_owned()),
        };
        [lost, end, score].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The caption of the end of the game, which comes after `turn` turns.
    pub(super) fn caption(&self, turn: usize) -> String {
        let cause = if self.end == RecordEnd::Fault { "an illegal answer" } else { "the end" };
        let turns = pluralize(turn, "turn", "turns");
        let score = match self.score {
            _ if self.rule.is_classic() => String::new(),
            Some(score) => format!("score {score:.2}, "),
            None => "score none, ".to_owned(),
        };
        let result = match self.lost_text() {
            Some(lost) => lost + ", ",
            None if self.rule.is_classic() && self.is_won() => "won, ".to_owned(),
            None => String::new(),
        };
        let hits = pluralize(self.hits, "mine", "mines");
        format!("After {turns}: {cause}, {result}{score}{hits} opened")
    }
}
