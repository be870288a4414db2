//! Proofs of deduction in words: numbered steps, each after the steps that it uses.
//!
//! A step states one group of the deducer and the rule that gave it; [`Chain`] collects the steps
//! that the verdicts on some cells need.
//!
//! Invariant: a step refers only to steps with smaller numbers.

use std::collections::BTreeMap;

use super::notation::{cell_text, cells_text};
use crate::base::text::{pluralize, with_article};
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Outside, Position, Premise};
use crate::board::{Board, CellState};
use crate::deduction::deducer::{Deducer, Reach};
use crate::deduction::proof::{Derived, GroupId, Origin, SplitPart};

/// The steps that prove what is asked for, in order; each carries its number.
pub struct Chain<'s> {
    board: &'s Board,
    deducer: &'s Deducer,
    steps: BTreeMap<GroupId, (usize, Derived)>,
}

/// One step of a proof.
pub struct ProofStep {
    /// Its number, from 1.
    pub number: usize,
    /// The rule: `number`, `reduced`, `difference`, `shared`, `full rest`, `empty rest` or `total`.
    pub rule: &'static str,
    /// The numbers of the steps that it uses.
    pub from: Vec<usize>,
    /// The cells of the group that it states.
    pub cells: Vec<Cell>,
    /// The mines among them.
    pub mines: u32,
    /// The step as a sentence, with its number and those of the steps that it uses.
    pub text: String,
}

impl<'s> Chain<'s> {
    /// The steps that prove the verdicts on `cells`; a cell without a verdict adds nothing.
    pub fn of(
        board: &'s Board,
        deducer: &'s Deducer,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Chain<'s> {
        let mut steps = BTreeMap::new();
        let mut proven: Vec<GroupId> = Vec::new();
        for cell in cells {
            // Cells decided by one group have one proof.
            let because = deducer.verdict(cell).map(|verdict| verdict.decided_by);
            if because.is_none_or(|because| proven.contains(&because)) {
                continue;
            }
            proven.extend(because);
            let proof = deducer.proof(cell).into_iter();
            steps.extend(proof.flat_map(|proof| proof.steps).map(|(id, group)| (id, (0, group))));
        }
        steps.values_mut().zip(1..).for_each(|(step, number)| step.0 = number);
        Chain { board, deducer, steps }
    }

    /// The steps in the order of their numbers.
    pub fn steps(&self) -> Vec<ProofStep> {
        self.steps.iter().map(|(&id, step)| self.step(id, step)).collect()
    }

    /// The open cells whose numbers the steps use, sorted.
    pub fn numbers(&self) -> Vec<Cell> {
        let number = |(_, derived): &(usize, Derived)| match derived.origin {
            Origin::Number(cell) => Some(cell),
            _ => None,
        };
        let mut cells: Vec<Cell> = self.steps.values().filter_map(number).collect();
        cells.sort_unstable();
        cells
    }

    fn number(&self, id: GroupId) -> usize {
        self.steps.get(&id).map_or(0, |step| step.0)
    }

    fn step(
        &self,
        id: GroupId,
        (number, Derived { group, origin }): &(usize, Derived),
    ) -> ProofStep {
        let shape = self.board.shape();
        let says = {
            let mines = if group.is_safe() {
                "no mine".to_owned()
            } else {
                pluralize(group.mines(), "mine", "mines")
            };
            let cells = cells_text(shape, group.cells());
            let so = match (group.is_safe(), group.is_full(), group.cells().len()) {
                (true, _, 1) => ": it is safe",
                (true, ..) => ": they are safe",
                (_, true, 1) => ": it is a mine",
                (_, true, _) => ": they are mines",
                _ => "",
            };
            format!("{mines} in {cells}{so}")
        };
        let (rule, from, text) = match origin {
            Origin::Number(cell) => ("number", Vec::new(), self.of_number(*cell, &says)),
            Origin::Reduced { from } => self.reduced(id, *from, &says),
            Origin::Difference { superset, subset } => {
                let (a, b) = (self.number(*superset), self.number(*subset));
                ("difference", vec![a, b], format!("[{a}] holds all of [{b}]; the rest: {says}"))
            }
            Origin::Split { more, fewer, part } => {
                let (a, b) = (self.number(*more), self.number(*fewer));
                let (rule, text) = match part {
                    SplitPart::Shared => (
                        "shared",
                        format!(
                            "outside the cells that [{a}] shares with [{b}] there is no room for all mines \
                             of [{a}]; those that do not fit are all that [{b}] has, and lie in the shared \
                             cells: {says}"
                        ),
                    ),
                    SplitPart::RestOfMore => (
                        "full rest",
                        format!("[{b}] allows [{a}] no more in the shared cells: {says}"),
                    ),
                    SplitPart::RestOfFewer => (
                        "empty rest",
                        format!("[{a}] needs all mines of [{b}] in the shared cells: {says}"),
                    ),
                };
                (rule, vec![a, b], text)
            }
            Origin::Total { without } => self.of_total(id, without, &says),
        };
        let text = format!("[{number}] {text}");
        let cells = group.cells().to_vec();
        ProofStep { number: *number, rule, from, cells, mines: group.mines(), text }
    }

    fn of_number(&self, cell: Cell, says: &str) -> String {
        let at = cell_text(self.board.shape(), cell);
        let CellState::Number(number) = self.board.state(cell) else {
            return format!("{at}: {says}");
        };
        let around = self.board.shape().neighbours(cell);
        let is_hit = |neighbour: &&Cell| self.board.state(**neighbour) == CellState::Hit;
        let number = with_article(number);
        match around.iter().filter(is_hit).count() {
            0 => format!("{number} at {at}: {says}"),
            hits => {
                // Opened in a game, and only known in a drawing.
                let hits = pluralize(hits, "known mine", "known mines");
                format!("{number} at {at}, beside {hits}: {says}")
            }
        }
    }

    /// The decided cells that `gone` names, with the steps that decided them.
    fn decided(
        &self,
        before: GroupId,
        gone: impl Iterator<Item = Cell>,
    ) -> BTreeMap<usize, Vec<Cell>> {
        let mut by: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for cell in gone {
            let because = self.deducer.verdict(cell).map(|verdict| verdict.decided_by);
            if let Some(because) = because.filter(|because| *because < before) {
                by.entry(self.number(because)).or_default().push(cell);
            }
        }
        by
    }

    fn reduced(
        &self,
        id: GroupId,
        from: GroupId,
        says: &str,
    ) -> (&'static str, Vec<usize>, String) {
        let whole = self.number(from);
        let kept = self.steps.get(&id).map(|step| &step.1.group);
        let before = self.steps.get(&from).map(|step| step.1.group.cells()).unwrap_or_default();
        let gone =
            before.iter().copied().filter(|&cell| kept.is_none_or(|kept| !kept.contains(cell)));
        let decided = self.decided(id, gone);
        let names: Vec<String> = decided
            .iter()
            .map(|(by, cells)| format!("{} by [{by}]", cells_text(self.board.shape(), cells)))
            .collect();
        let from: Vec<usize> = [whole].into_iter().chain(decided.into_keys()).collect();
        (
            "reduced",
            from,
            format!("[{whole}] without what is decided ({}): {says}", names.join(", ")),
        )
    }

    fn of_total(
        &self,
        id: GroupId,
        without: &[GroupId],
        says: &str,
    ) -> (&'static str, Vec<usize>, String) {
        let safe = self.deducer.safe().iter().chain(self.deducer.mines()).copied();
        let mut from: Vec<usize> = self.decided(id, safe).into_keys().collect();
        let less_decided = if from.is_empty() { "" } else { " less those that are decided" };
        let left = self.board.mines().saturating_sub(self.board.hits());
        let mut text = format!("of {} left{less_decided}", pluralize(left, "mine", "mines"));
        if !without.is_empty() {
            let groups: Vec<String> =
                without.iter().map(|&group| format!("[{}]", self.number(group))).collect();
            text.push_str(&format!(" and less {}", groups.join(" ")));
            from.extend(without.iter().map(|&group| self.number(group)));
        }
        from.sort_unstable();
        from.dedup();
        ("total", from, format!("{text}: {says}"))
    }
}

/// Deduction from the numbers nearest to `cell` that decide it: first those beside it, then those
/// that share cells with them, and so on. `None` where the mine total is needed or nothing decides
/// the cell.
///
/// Deduction over the whole board takes its steps in an order of its own and may prove a cell by
/// more steps than necessary.
pub fn nearby_deduction(position: &Position, cell: Cell) -> Option<Deducer> {
    let mut deducer = Deducer::new();
    let mut reached = CellMap::new(position.universe, false);
    reached[cell] = true;
    let mut before = 0;
    loop {
        let is_near = |premise: &&Premise| premise.group.cells().iter().any(|&cell| reached[cell]);
        let premises: Vec<Premise> = position.premises.iter().filter(is_near).cloned().collect();
        if premises.len() == before {
            return None;
        }
        before = premises.len();
        let cells = premises.iter().flat_map(|premise| premise.group.cells());
        cells.for_each(|&cell| reached[cell] = true);
        let hidden = position.hidden.iter().copied().filter(|&cell| reached[cell]).collect();
        let (universe, mines, outside) = (position.universe, 0, Outside::Density(0.5));
        let part = Position { universe, hidden, premises, mines, outside };
        deducer.run(&part, Reach::FixedPoint).ok()?;
        if deducer.verdict(cell).is_some() {
            return Some(deducer);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::text_format::Picture;

    use super::*;

    fn chain(picture: &str) -> Vec<(&'static str, String)> {
        let board = picture.parse::<Picture>().unwrap().board(0).unwrap();
        let mut deducer = Deducer::new();
        deducer.run(&board.position(), Reach::FixedPoint).unwrap();
        let decided = deducer.safe().iter().chain(deducer.mines()).copied();
        let steps = Chain::of(&board, &deducer, decided).steps();
        for step in &steps {
            assert!(step.from.iter().all(|&from| 0 < from && from < step.number), "{}", step.text);
        }
        steps.into_iter().map(|step| (step.rule, step.text)).collect()
    }

    #[test]
    fn a_number_speaks_of_what_is_left_beside_it() {
        let expected =
            "[1] a 1 at (0,0), beside 1 known mine: no mine in (1,0) (1,1): they are safe";
        assert_eq!(chain("2 2 1\n1*\n.."), [("number", expected.to_owned())]);
    }

    #[test]
    fn every_rule_has_its_words() {
        // A field of the samples for each: what is contained, what overlaps, what the total leaves.
        let rules = |picture: &str| -> Vec<&str> {
            chain(picture).into_iter().map(|(rule, _)| rule).collect()
        };
        assert!(rules("4 2 1\n11..\n....").contains(&"difference"));
        let overlap = rules("5 2 3\n.13..\n.....");
        for rule in ["full rest", "empty rest"] {
            assert!(overlap.contains(&rule), "{overlap:?}");
        }
        let total = chain("3 1 1\n1..");
        assert_eq!(total[0].1, "[1] a 1 at (0,0): 1 mine in (0,1): it is a mine");
        assert_eq!(
            total[1],
            (
                "total",
                "[2] of 1 mine left less those that are decided: no mine in (0,2): it is safe"
                    .to_owned()
            )
        );
        let reduced = chain("5 1 2\n.2.1.");
        let expected =
            "[3] [2] without what is decided ((0,2) by [1]): no mine in (0,4): it is safe";
        assert_eq!(reduced[2], ("reduced", expected.to_owned()));
    }

    #[test]
    fn a_proof_nearby_agrees_and_is_no_longer() {
        let mut shorter = 0;
        for name in ["wall-of-ones", "safe-by-overlap", "comb", "safe-by-subset", "safe-by-total"] {
            let file = format!("{}/samples/fields/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(file).unwrap();
            let board = text.parse::<Picture>().unwrap().board(0).unwrap();
            let position = board.position();
            let mut deducer = Deducer::new();
            deducer.run(&position, Reach::FixedPoint).unwrap();
            for &cell in &position.hidden {
                let Some(near) = nearby_deduction(&position, cell) else { continue };
                let is_mine =
                    |deducer: &Deducer| deducer.verdict(cell).map(|verdict| verdict.is_mine);
                assert_eq!(is_mine(&near), is_mine(&deducer), "{name}, {cell:?}");
                let steps = |deducer| Chain::of(&board, deducer, [cell]).steps().len();
                shorter += usize::from(steps(&near) < steps(&deducer));
            }
        }
        assert!(shorter > 0);
    }
}
