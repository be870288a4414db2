//! Proofs of deduction in words: numbered steps, each after the steps that it uses.
//!
//! A step states one group and the rule that derived it. A [`Derivation`] collects
//! the steps that prove the verdicts on some cells.
//!
//! Invariant: a step refers only to steps with smaller numbers.

use std::collections::BTreeMap;

use super::notation::{cell_text, cells_text};
use super::proof_steps::{proof_steps, rule_name};
use crate::base::text::{pluralize, with_article};
use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::group::{Group, Outside, Position, Premise};
use crate::board::{Board, CellState};
use crate::deduction::deduced::Deduced;
use crate::deduction::deducer::{Deducer, Reach};
use crate::deduction::origin::{Derived, GroupId, Origin, SplitPart};

/// The steps that prove the verdicts on some cells.
pub struct Derivation {
    /// The steps in the order of their numbers.
    pub steps: Vec<ProofStep>,
    /// The open cells whose numbers the steps use, sorted.
    pub numbers: Vec<Cell>,
}

impl Derivation {
    /// The steps that prove the verdicts on `cells`; cells without a verdict are ignored.
    pub fn of(
        board: &Board,
        deduced: Deduced,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Derivation {
        let steps = NumberedSteps::of(board, deduced, cells);
        Derivation { steps: steps.worded(), numbers: steps.numbers() }
    }

    /// The steps that prove the verdict on `cell` from the nearest numbers that decide it: first
    /// the numbers beside it, then also those that share cells with them, and so on. Those of
    /// `deduced` where they need the mine count.
    ///
    /// Deduction over the whole board may prove a cell in more steps than necessary.
    ///
    /// Cost: one deduction for each distance.
    pub fn nearest(board: &Board, deduced: Deduced, cell: Cell) -> Derivation {
        let position = deduced.position();
        let mut deducer = Deducer::default();
        let mut is_near = CellMap::new(position.universe, false);
        is_near[cell] = true;
        let mut premises_before = 0;
        loop {
            let touches =
                |premise: &&Premise| premise.group.cells().iter().any(|&cell| is_near[cell]);
            let premises: Vec<Premise> =
                position.premises.iter().filter(touches).cloned().collect();
            if premises.len() == premises_before {
                break;
            }
            premises_before = premises.len();
            let cells = premises.iter().flat_map(|premise| premise.group.cells());
            cells.for_each(|&cell| is_near[cell] = true);
            let hidden = position.hidden.iter().copied().filter(|&cell| is_near[cell]).collect();
            let (universe, mines, outside) = (position.universe, 0, Outside::Density(0.5));
            let part = Position { universe, hidden, premises, mines, outside };
            let Ok(nearby) = deducer.run(&part, Reach::FixedPoint) else { break };
            if nearby.verdict(cell).is_some() {
                return Derivation::of(board, nearby, [cell]);
            }
        }
        Derivation::of(board, deduced, [cell])
    }
}

/// The groups of some proofs, numbered.
struct NumberedSteps<'s> {
    board: &'s Board,
    deduced: Deduced<'s>,
    steps: BTreeMap<GroupId, NumberedGroup>,
}

/// A group of the deducer and the number of its step, from 1.
struct NumberedGroup {
    number: usize,
    derived: Derived,
}

/// The sentence of a step, without its number, and the steps that it names.
struct Wording {
    from: Vec<usize>,
    text: String,
}

/// One step of a proof.
pub struct ProofStep {
    /// Its number, from 1.
    pub number: usize,
    /// The name of the rule, by [`rule_name`].
    pub rule: &'static str,
    /// The numbers of the steps that it uses.
    pub from: Vec<usize>,
    /// The cells of the group.
    pub cells: Vec<Cell>,
    /// The mines in these cells.
    pub mines: u32,
    /// The step as a sentence, with its number and those of the steps that it uses.
    pub text: String,
}

impl<'s> NumberedSteps<'s> {
    fn of(
        board: &'s Board,
        deduced: Deduced<'s>,
        cells: impl IntoIterator<Item = Cell>,
    ) -> NumberedSteps<'s> {
        let steps = (1..).zip(proof_steps(deduced, cells));
        let steps = steps.map(|(number, (id, derived))| (id, NumberedGroup { number, derived }));
        NumberedSteps { board, deduced, steps: steps.collect() }
    }

    fn worded(&self) -> Vec<ProofStep> {
        self.steps.iter().map(|(&id, step)| self.step(id, step)).collect()
    }

    fn numbers(&self) -> Vec<Cell> {
        let number = |step: &NumberedGroup| match step.derived.origin {
            Origin::Number(cell) => Some(cell),
            _ => None,
        };
        let mut cells: Vec<Cell> = self.steps.values().filter_map(number).collect();
        cells.sort_unstable();
        cells
    }

    fn number(&self, id: GroupId) -> usize {
        self.steps.get(&id).map_or(0, |step| step.number)
    }

    fn step(&self, id: GroupId, step: &NumberedGroup) -> ProofStep {
        let NumberedGroup { number, derived: Derived { group, origin } } = step;
        let claim = claim(self.board.shape(), group);
        let Wording { from, text } = match origin {
            Origin::Number(cell) => {
                Wording { from: Vec::new(), text: self.number_sentence(*cell, &claim) }
            }
            Origin::Reduced { from } => self.reduced(id, *from, &claim),
            Origin::Difference { superset, subset } => self.difference(*superset, *subset, &claim),
            Origin::Split { more, fewer, part: SplitPart::RestOfMore } => {
                self.full_rest(*more, *fewer, &claim)
            }
            Origin::Split { more, fewer, part: SplitPart::RestOfFewer } => {
                self.empty_rest(*more, *fewer, &claim)
            }
            Origin::Total { without } => self.total(id, without, &claim),
            // Any other conclusion is worded by the groups that it follows from.
            _ => self.together(&origin.groups(), &claim),
        };
        let rule = rule_name(origin);
        let text = format!("[{number}] {text}");
        let cells = group.cells().to_vec();
        ProofStep { number: *number, rule, from, cells, mines: group.mines(), text }
    }

    fn number_sentence(&self, cell: Cell, claim: &str) -> String {
        let at = cell_text(self.board.shape(), cell);
        let CellState::Number(number) = self.board.state(cell) else {
            return format!("{at}: {claim}");
        };
        let around = self.board.shape().neighbours(cell);
        let is_hit = |neighbour: &&Cell| self.board.state(**neighbour) == CellState::Hit;
        let number = with_article(number);
        match around.iter().filter(is_hit).count() {
            0 => format!("{number} at {at}: {claim}"),
            hits => {
                // A mine is opened in a game, but only known in a drawn field.
                let hits = pluralize(hits, "known mine", "known mines");
                format!("{number} at {at}, beside {hits}: {claim}")
            }
        }
    }

    /// The step at which each of the `cells` was decided, for the cells decided before `id`.
    fn decided_before(
        &self,
        id: GroupId,
        cells: impl Iterator<Item = Cell>,
    ) -> BTreeMap<usize, Vec<Cell>> {
        let mut by_step: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for cell in cells {
            let because = self.deduced.verdict(cell).map(|verdict| verdict.decided_by);
            if let Some(because) = because.filter(|because| *because < id) {
                by_step.entry(self.number(because)).or_default().push(cell);
            }
        }
        by_step
    }

    fn reduced(&self, id: GroupId, from: GroupId, claim: &str) -> Wording {
        let group = |id| self.steps.get(id).map(|step| &step.derived.group);
        let remaining = group(&id);
        let original = group(&from).map(Group::cells).unwrap_or_default().iter().copied();
        let removed = original.filter(|&cell| remaining.is_none_or(|group| !group.contains(cell)));
        let decided = self.decided_before(id, removed);
        let removed: Vec<String> = decided
            .iter()
            .map(|(step, cells)| format!("{} by [{step}]", cells_text(self.board.shape(), cells)))
            .collect();
        let from = self.number(from);
        let text = format!("[{from}] without the decided cells ({}): {claim}", removed.join(", "));
        let from = [from].into_iter().chain(decided.into_keys()).collect();
        Wording { from, text }
    }

    fn difference(&self, whole: GroupId, part: GroupId, claim: &str) -> Wording {
        let (whole, part) = (self.number(whole), self.number(part));
        let text = format!("[{whole}] contains all cells of [{part}]; in the other cells: {claim}");
        Wording { from: vec![whole, part], text }
    }

    fn full_rest(&self, more: GroupId, fewer: GroupId, claim: &str) -> Wording {
        let (more, fewer) = (self.number(more), self.number(fewer));
        let text = format!(
            "the cells that [{more}] and [{fewer}] share have no more mines than [{fewer}] allows: \
             {claim}"
        );
        Wording { from: vec![more, fewer], text }
    }

    fn empty_rest(&self, more: GroupId, fewer: GroupId, claim: &str) -> Wording {
        let (more, fewer) = (self.number(more), self.number(fewer));
        let text = format!(
            "all mines of [{fewer}] are in the cells that [{more}] and [{fewer}] share: {claim}"
        );
        Wording { from: vec![more, fewer], text }
    }

    fn together(&self, groups: &[GroupId], claim: &str) -> Wording {
        let from: Vec<usize> = groups.iter().map(|&group| self.number(group)).collect();
        let names: Vec<String> = from.iter().map(|number| format!("[{number}]")).collect();
        let text = format!("from {} together: {claim}", names.join(" and "));
        Wording { from, text }
    }

    fn total(&self, id: GroupId, without: &[GroupId], claim: &str) -> Wording {
        let decided = self.deduced.safe().iter().chain(self.deduced.mines()).copied();
        let mut from: Vec<usize> = self.decided_before(id, decided).into_keys().collect();
        let mut excluded = Vec::new();
        if !from.is_empty() {
            excluded.push("decided mines".to_owned());
        }
        if !without.is_empty() {
            let groups: Vec<String> =
                without.iter().map(|&group| format!("[{}]", self.number(group))).collect();
            excluded.push(format!("those in {}", groups.join(" ")));
            from.extend(without.iter().map(|&group| self.number(group)));
        }
        let left = self.board.mines().saturating_sub(self.board.hits());
        let mut text = format!("of {} left", pluralize(left, "mine", "mines"));
        if !excluded.is_empty() {
            text.push_str(&format!(", not counting {}", excluded.join(" and ")));
        }
        from.sort_unstable();
        from.dedup();
        Wording { from, text: format!("{text}: {claim}") }
    }
}

/// The statement of a group, such as `no mine in (0,1): it is safe`.
fn claim(shape: Shape, group: &Group) -> String {
    let mines = if group.is_safe() {
        "no mine".to_owned()
    } else {
        pluralize(group.mines(), "mine", "mines")
    };
    let cells = cells_text(shape, group.cells());
    let conclusion = match (group.is_safe(), group.is_full(), group.cells().len()) {
        (true, _, 1) => ": it is safe",
        (true, ..) => ": they are safe",
        (_, true, 1) => ": it is a mine",
        (_, true, _) => ": they are mines",
        _ => "",
    };
    format!("{mines} in {cells}{conclusion}")
}

#[cfg(test)]
mod tests {
    use crate::board::text_format::Picture;

    use super::*;

    fn steps(picture: &str) -> Vec<(&'static str, String)> {
        let board = picture.parse::<Picture>().unwrap().board(0).unwrap();
        let (position, mut deducer) = (board.position(), Deducer::default());
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let decided = deduced.safe().iter().chain(deduced.mines()).copied();
        let Derivation { steps, .. } = Derivation::of(&board, deduced, decided);
        for step in &steps {
            assert!(step.from.iter().all(|&from| 0 < from && from < step.number), "{}", step.text);
        }
        steps.into_iter().map(|step| (step.rule, step.text)).collect()
    }

    #[test]
    fn a_number_names_the_known_mines_beside_it() {
        let expected =
            "[1] a 1 at (0,0), beside 1 known mine: no mine in (1,0) (1,1): they are safe";
        assert_eq!(steps("2 2 1\n1*\n.."), [("number", expected.to_owned())]);
    }

    #[test]
    fn every_rule_has_its_sentence() {
        let rules = |picture: &str| -> Vec<&str> {
            steps(picture).into_iter().map(|(rule, _)| rule).collect()
        };
        assert!(rules("4 2 1\n11..\n....").contains(&"difference"));
        let overlap = rules("5 2 3\n.13..\n.....");
        for rule in ["shared", "full rest", "empty rest"] {
            assert!(overlap.contains(&rule), "{overlap:?}");
        }
        let total = steps("3 1 1\n1..");
        assert_eq!(total[0].1, "[1] a 1 at (0,0): 1 mine in (0,1): it is a mine");
        assert_eq!(
            total[1],
            (
                "total",
                "[2] of 1 mine left, not counting decided mines: no mine in (0,2): it is safe"
                    .to_owned()
            )
        );
        let reduced = steps("5 1 2\n.2.1.");
        let expected =
            "[3] [2] without the decided cells ((0,2) by [1]): no mine in (0,4): it is safe";
        assert_eq!(reduced[2], ("reduced", expected.to_owned()));
    }

    #[test]
    fn a_proof_from_nearby_numbers_agrees_and_may_be_shorter() {
        let mut shorter = 0;
        for name in ["wall-of-ones", "safe-by-overlap", "comb", "safe-by-subset", "safe-by-total"] {
            let file = format!("{}/samples/fields/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(file).unwrap();
            let board = text.parse::<Picture>().unwrap().board(0).unwrap();
            let position = board.position();
            let mut deducer = Deducer::default();
            let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
            for cell in deduced.safe().iter().chain(deduced.mines()).copied() {
                let conclusion = |derivation: &Derivation| {
                    let last = derivation.steps.last().unwrap();
                    assert!(last.cells.contains(&cell), "{name}, {cell:?}: {}", last.text);
                    last.mines == 0
                };
                let near = Derivation::nearest(&board, deduced, cell);
                let whole = Derivation::of(&board, deduced, [cell]);
                assert_eq!(conclusion(&near), conclusion(&whole), "{name}, {cell:?}");
                shorter += usize::from(near.steps.len() < whole.steps.len());
            }
        }
        assert!(shorter > 0);
    }
}
