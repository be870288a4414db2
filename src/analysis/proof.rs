//! Proofs of deduction in words: numbered steps, each after the steps that it uses.
//!
//! A step states one group of the deducer and the rule that derived it. A [`Derivation`] collects
//! the steps that prove the verdicts on some cells.
//!
//! Invariant: a step refers only to steps with smaller numbers.

use std::collections::BTreeMap;

use super::notation::{cell_text, cells_text};
use crate::base::text::{pluralize, with_article};
use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::group::{Group, Outside, Position, Premise};
use crate::board::{Board, CellState};
use crate::deduction::deducer::{Deducer, Reach};
use crate::deduction::proof::{Derived, GroupId, Origin, SplitPart};

/// The steps that prove the verdicts on some cells.
pub struct Derivation<'s> {
    board: &'s Board,
    deducer: &'s Deducer,
    steps: BTreeMap<GroupId, NumberedGroup>,
}

/// A group of the deducer and the number of its step, from 1.
struct NumberedGroup {
    number: usize,
    derived: Derived,
}

/// The rule of a step and its sentence, without the number of the step.
struct Wording {
    rule: &'static str,
    from: Vec<usize>,
    text: String,
}

/// One step of a proof.
pub struct ProofStep {
    /// Its number, from 1.
    pub number: usize,
    /// The name of the rule: `number`, `reduced`, `difference`, `shared`, `full rest`, `empty rest`
    /// or `total`.
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

impl<'s> Derivation<'s> {
    /// The steps that prove the verdicts on `cells`; cells without a verdict are ignored.
    pub fn of(
        board: &'s Board,
        deducer: &'s Deducer,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Derivation<'s> {
        let mut steps = BTreeMap::new();
        let mut proven: Vec<GroupId> = Vec::new();
        for cell in cells {
            // Cells decided by the same group have the same proof.
            let because = deducer.verdict(cell).map(|verdict| verdict.decided_by);
            if because.is_none_or(|because| proven.contains(&because)) {
                continue;
            }
            proven.extend(because);
            let proof = deducer.proof(cell).into_iter();
            let groups = proof.flat_map(|proof| proof.steps);
            // The numbers are assigned when the order of the steps is known.
            steps.extend(groups.map(|(id, derived)| (id, NumberedGroup { number: 0, derived })));
        }
        steps.values_mut().zip(1..).for_each(|(step, number)| step.number = number);
        Derivation { board, deducer, steps }
    }

    /// The steps in the order of their numbers.
    pub fn steps(&self) -> Vec<ProofStep> {
        self.steps.iter().map(|(&id, step)| self.step(id, step)).collect()
    }

    /// The open cells whose numbers the steps use, sorted.
    pub fn numbers(&self) -> Vec<Cell> {
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
        let Wording { rule, from, text } = match origin {
            Origin::Number(cell) => Wording {
                rule: "number",
                from: Vec::new(),
                text: self.number_sentence(*cell, &claim),
            },
            Origin::Reduced { from } => self.reduced(id, *from, &claim),
            Origin::Difference { superset, subset } => self.difference(*superset, *subset, &claim),
            Origin::Split { more, fewer, part } => self.split(*more, *fewer, *part, &claim),
            Origin::Total { without } => self.total(id, without, &claim),
        };
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
            let because = self.deducer.verdict(cell).map(|verdict| verdict.decided_by);
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
        Wording { rule: "reduced", from, text }
    }

    fn difference(&self, whole: GroupId, part: GroupId, claim: &str) -> Wording {
        let (whole, part) = (self.number(whole), self.number(part));
        let text = format!("[{whole}] contains all cells of [{part}]; in the other cells: {claim}");
        Wording { rule: "difference", from: vec![whole, part], text }
    }

    fn split(&self, more: GroupId, other: GroupId, part: SplitPart, claim: &str) -> Wording {
        let (more, other) = (self.number(more), self.number(other));
        let (rule, text) = match part {
            SplitPart::Shared => (
                "shared",
                format!(
                    "the cells of [{more}] outside [{other}] are too few for the mines of \
                     [{more}]; the other mines are in the cells that both share, and [{other}] has \
                     no more mines than these: {claim}"
                ),
            ),
            SplitPart::RestOfMore => (
                "full rest",
                format!(
                    "the cells that [{more}] and [{other}] share have no more mines than [{other}] \
                     allows: {claim}"
                ),
            ),
            SplitPart::RestOfFewer => (
                "empty rest",
                format!(
                    "all mines of [{other}] are in the cells that [{more}] and [{other}] share: \
                     {claim}"
                ),
            ),
        };
        Wording { rule, from: vec![more, other], text }
    }

    fn total(&self, id: GroupId, without: &[GroupId], claim: &str) -> Wording {
        let decided = self.deducer.safe().iter().chain(self.deducer.mines()).copied();
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
        Wording { rule: "total", from, text: format!("{text}: {claim}") }
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

/// Deduction from the nearest numbers that decide `cell`: first the numbers beside it, then also
/// those that share cells with them, and so on. `None` where deduction does not decide the cell, or
/// needs the mine count.
///
/// Deduction over the whole board may prove a cell in more steps than necessary.
///
/// Cost: one deduction for each distance.
pub fn nearby_deduction(position: &Position, cell: Cell) -> Option<Deducer> {
    let mut deducer = Deducer::new();
    let mut is_near = CellMap::new(position.universe, false);
    is_near[cell] = true;
    let mut premises_before = 0;
    loop {
        let touches = |premise: &&Premise| premise.group.cells().iter().any(|&cell| is_near[cell]);
        let premises: Vec<Premise> = position.premises.iter().filter(touches).cloned().collect();
        if premises.len() == premises_before {
            return None;
        }
        premises_before = premises.len();
        let cells = premises.iter().flat_map(|premise| premise.group.cells());
        cells.for_each(|&cell| is_near[cell] = true);
        let hidden = position.hidden.iter().copied().filter(|&cell| is_near[cell]).collect();
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

    fn steps(picture: &str) -> Vec<(&'static str, String)> {
        let board = picture.parse::<Picture>().unwrap().board(0).unwrap();
        let mut deducer = Deducer::new();
        deducer.run(&board.position(), Reach::FixedPoint).unwrap();
        let decided = deducer.safe().iter().chain(deducer.mines()).copied();
        let steps = Derivation::of(&board, &deducer, decided).steps();
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
        for rule in ["full rest", "empty rest"] {
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
            let mut deducer = Deducer::new();
            deducer.run(&position, Reach::FixedPoint).unwrap();
            for &cell in &position.hidden {
                let Some(near) = nearby_deduction(&position, cell) else { continue };
                let is_mine =
                    |deducer: &Deducer| deducer.verdict(cell).map(|verdict| verdict.is_mine);
                assert_eq!(is_mine(&near), is_mine(&deducer), "{name}, {cell:?}");
                let steps = |deducer| Derivation::of(&board, deducer, [cell]).steps().len();
                shorter += usize::from(steps(&near) < steps(&deducer));
            }
        }
        assert!(shorter > 0);
    }
}
