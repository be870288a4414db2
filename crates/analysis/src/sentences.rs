//! Steps of proofs as sentences, in the numbers on the board.
//!
//! A sentence names its groups, the facts told before that it uses, and what it tells. If it uses
//! only what the sentence before it told, "So" replaces these facts.
//!
//! Words are made on demand: a proof holds none. Its board determines its groups, so that the board
//! and the steps are enough ([`sentences`]).
//!
//! Invariant: a sentence says what its [`ProofStep`] has, and nothing more. Each form is a reading
//! of the equation in [`crate::rules`].

use crate::cases::{Case, cases};
use crate::groups::{GroupIndex, GroupSource, Groups};
use crate::notation::{capitalized, cells_text, in_words, list, list_cells};
use crate::refutation::{Refutation, refutation};
use crate::rules::{Fact, Reason};
use crate::search::{Proof, ProofStep};
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

/// Above this many facts, a sentence gives their number instead of listing them.
const MAX_NAMED: usize = 5;

/// Above this many groups, a sentence gives their number and does not say how they fit together.
const MAX_CLUES: usize = 12;

/// The sentences of some steps about `board`, one string for each step. A sentence may begin with
/// "So" where the step before it in `steps` tells what it uses.
pub fn sentences(board: &Board, steps: &[ProofStep]) -> Vec<String> {
    let position = board.position();
    Wording::new(board, &Groups::new(&position)).sentences(steps)
}

impl Proof {
    /// The proof in sentences, one string for each step, on the board that it is about.
    pub fn sentences(&self, board: &Board) -> Vec<String> {
        sentences(board, &self.steps)
    }
}

/// Words the steps on one board.
pub(crate) struct Wording<'a> {
    board: &'a Board,
    groups: &'a Groups<'a>,
}

impl<'a> Wording<'a> {
    /// The words for steps about these groups of `board`.
    pub(crate) fn new(board: &'a Board, groups: &'a Groups<'a>) -> Wording<'a> {
        Wording { board, groups }
    }

    /// The steps as sentences, one string for each step.
    fn sentences(&self, steps: &[ProofStep]) -> Vec<String> {
        let before = [None].into_iter().chain(steps.iter().map(Some));
        steps.iter().zip(before).map(|(step, before)| self.sentence(step, before)).collect()
    }

    /// A step as a sentence, or two if it has cases; `before` is the step that was told last.
    fn sentence(&self, step: &ProofStep, before: Option<&ProofStep>) -> String {
        let just_told =
            |fact: &Fact| before.is_some_and(|before| before.tells.binary_search(fact).is_ok());
        let follows = !step.known.is_empty() && step.known.iter().all(just_told);
        let text = match &step.reason {
            Reason::Complete(id) => self.complete(*id, step, follows),
            Reason::Full(id) => self.full(*id, step, follows),
            Reason::Compare { more, fewer } => self.compare(*more, *fewer, step, follows),
            Reason::Together(groups) => self.together(groups, step, follows),
        };
        capitalized(&text) + "."
    }

    /// The name of a group of which `known` mines are known. It states the number of the other
    /// mines, if that is not the number on the board.
    fn name(&self, id: GroupIndex, known: usize) -> String {
        let mines = self.groups.group(id).mines() - known as u32;
        match self.groups.source(id) {
            GroupSource::Total if mines == 1 => "the last mine".to_owned(),
            GroupSource::Total => format!("the {mines} mines left"),
            GroupSource::Number(cell) if mines == self.shown(cell) => self.place(id),
            GroupSource::Number(_) => format!("{} (needs {mines} more)", self.place(id)),
        }
    }

    /// The names of the groups of a set; of a large set, their number.
    pub(crate) fn names(&self, set: &[GroupIndex]) -> String {
        if set.len() <= MAX_CLUES {
            return list(&set.iter().map(|&id| self.name(id, 0)).collect::<Vec<_>>());
        }
        let total = set.iter().find(|&&id| self.groups.source(id) == GroupSource::Total);
        let numbers = format!("{} numbers", set.len() - usize::from(total.is_some()));
        let total = total.map(|&id| self.name(id, 0));
        list(&[numbers].into_iter().chain(total).collect::<Vec<_>>())
    }

    fn shown(&self, cell: Cell) -> u32 {
        match self.board.state(cell) {
            CellState::Number(number) => number.into(),
            _ => 0,
        }
    }

    fn list(&self, cells: &[Cell]) -> String {
        list_cells(self.board.shape(), cells)
    }

    fn compact(&self, cells: &[Cell]) -> String {
        cells_text(self.board.shape(), cells)
    }

    /// What a step tells: `(0,1) and (0,2) are safe`.
    fn told(&self, step: &ProofStep) -> String {
        let parts = [(true, "a mine", "mines"), (false, "safe", "safe")];
        let parts = parts.map(|(is_mine, one, many)| {
            let cells = cells(&step.tells, is_mine);
            let verb = if cells.len() == 1 { format!("is {one}") } else { format!("are {many}") };
            (!cells.is_empty()).then(|| format!("{} {verb}", self.list(&cells)))
        });
        list(&parts.into_iter().flatten().collect::<Vec<_>>())
    }

    /// What is said of the mines that a sentence lists: `a mine`, or which of them are new.
    fn found_mines(&self, step: &ProofStep) -> String {
        match (step.again.len(), step.tells.len()) {
            (0, 1) => "a mine".to_owned(),
            (0, 2) => "both mines".to_owned(),
            (0, _) => "all mines".to_owned(),
            (_, _) => format!("{} too", self.told(step)),
        }
    }

    /// The facts with which a sentence begins: `With (0,1) a mine, `.
    fn given(&self, known: &[Fact], follows: bool) -> String {
        if follows {
            return "so ".to_owned();
        }
        let parts = [(true, "a mine", "mines"), (false, "safe", "safe")];
        let parts = parts.map(|(is_mine, one, many)| {
            let cells = cells(known, is_mine);
            let what = if cells.len() == 1 { one } else { many };
            (!cells.is_empty()).then(|| format!("{} {what}", self.list(&cells)))
        });
        match known.len() {
            0 => String::new(),
            1..=MAX_NAMED => {
                format!("with {}, ", list(&parts.into_iter().flatten().collect::<Vec<_>>()))
            }
            many => format!("with the {many} cells around that are known, "),
        }
    }

    fn complete(&self, id: GroupIndex, step: &ProofStep, follows: bool) -> String {
        let told = self.told(step);
        let (mines, place) = (self.groups.group(id).mines(), self.place(id));
        let GroupSource::Number(cell) = self.groups.source(id) else {
            let all = if mines == 0 { "no mine is left" } else { "all mines are known" };
            return format!("{all}: {told}");
        };
        match (self.shown(cell), mines) {
            (0, _) => format!("{place} has no mine around it: {told}"),
            (1, 0) => format!("{place} has its mine already: {told}"),
            (shown, 0) => format!("{place} has its {shown} mines already: {told}"),
            _ if follows => format!("so {place} is complete: {told}"),
            _ => {
                let known = self.list(&cells(&step.known, true));
                format!("{} is complete with {known}: {told}", self.name(id, 0))
            }
        }
    }

    fn full(&self, id: GroupIndex, step: &ProofStep, follows: bool) -> String {
        let listed = all_given(step);
        let (found, cells) = (self.found_mines(step), self.list(&listed));
        let (given, name) = (self.given(&step.known, follows), self.name(id, 0));
        let GroupSource::Number(_) = self.groups.source(id) else {
            let have = if listed.len() == 1 { "has only one cell" } else { "have as many cells" };
            return format!("{given}{name} {have}, {cells}: {found}");
        };
        if step.known.is_empty() {
            let count = in_words(listed.len());
            let neighbours = if listed.len() == 1 { "neighbour" } else { "neighbours" };
            format!("{name} has {count} hidden {neighbours}, {cells}: {found}")
        } else {
            format!("{given}{name} has only {cells} left: {found}")
        }
    }

    fn compare(
        &self,
        more: GroupIndex,
        fewer: GroupIndex,
        step: &ProofStep,
        follows: bool,
    ) -> String {
        let known_mines = cells(&step.known, true).len();
        let has_known_safe = step.known.len() > known_mines;
        let (told, given) = (self.told(step), self.given(&step.known, follows));
        let own = all_given(step);
        let [in_more, in_fewer]: [Vec<Cell>; 2] = [more, fewer].map(|id| {
            own.iter().copied().filter(|&cell| self.groups.group(id).contains(cell)).collect()
        });
        let fewer_mines = self.groups.group(fewer).mines() as usize - known_mines;
        let (more_name, fewer_name) = (self.name(more, 0), self.name(fewer, known_mines));
        let is_total = |id| self.groups.source(id) == GroupSource::Total;
        if is_total(fewer) {
            return format!(
                "{given}{} beside {more_name}: {told}",
                are_all(&fewer_name, fewer_mines)
            );
        }
        if is_total(more) {
            let most = in_words(fewer_mines);
            return format!("{given}only {most} of {more_name} can be beside {fewer_name}: {told}");
        }
        if in_fewer.is_empty() {
            let other = if known_mines > 0 { "other " } else { "" };
            let (count, cells) = (in_words(in_more.len()), self.list(&in_more));
            let found = self.found_mines(step);
            return format!(
                "{given}{more_name} sees all {other}hidden neighbours of {fewer_name} and only \
                 {count} more, {cells}: {found}"
            );
        }
        if in_more.is_empty() {
            let other = if has_known_safe { "other " } else { "" };
            let same = match fewer_mines {
                1 => "mine".to_owned(),
                mines => format!("{} mines", in_words(mines)),
            };
            return format!(
                "{given}{fewer_name} sees all {other}hidden neighbours of {more_name}, so both \
                 need the same {same}: {told}"
            );
        }
        let (most, all) = (in_words(fewer_mines), self.mines_of(more, 0));
        format!("{given}at most {most} of {all} can be beside {fewer_name}: {told}")
    }

    fn together(&self, set: &[GroupIndex], step: &ProofStep, follows: bool) -> String {
        let told = self.told(step);
        if set.is_empty() {
            let what = if step.tells.len() == 1 { "it" } else { "the rest" };
            return format!("counting all layouts that fit the numbers proves {what}: {told}");
        }
        let given = self.given(&step.known, follows);
        let names = self.names(set);
        if set.len() > MAX_CLUES {
            return format!("{given}{names} together leave no other layout: {told}");
        }
        if let Some(sum) = self.sum(set, step) {
            return format!("{given}{sum}: {told}");
        }
        let cases = cases(self.groups, set, &step.known);
        let text = |case: &Case| Some(self.case(case, step)).filter(|text| !text.is_empty());
        let texts = cases.and_then(|cases| cases.iter().map(text).collect::<Option<Vec<_>>>());
        match texts {
            Some(texts) if texts.len() == 1 => {
                format!("{given}{names} fit together in one way only, {}: {told}", texts[0])
            }
            Some(texts) => {
                let cases = &texts;
                let (count, texts) = (in_words(cases.len()), texts.join("; or "));
                let any = if cases.len() == 2 { "In both" } else { "In each" };
                format!("{given}{names} fit together in {count} ways: {texts}. {any} {told}")
            }
            None => {
                let first = step.tells[0];
                let supposed = Fact { is_mine: !first.is_mine, ..first };
                let refutation = refutation(self.groups, set, &step.known, supposed);
                let why = refutation.map(|refutation| self.refutation(&refutation));
                let why = why.map_or_else(String::new, |why| format!(". {why}"));
                format!("{given}{names} together leave no other layout: {told}{why}")
            }
        }
    }

    /// A sentence about one group and the sum of the others. `None` unless the others share no
    /// unknown cell, and together have all mines of the one group, or leave it as many mines as it
    /// has cells outside them.
    fn sum(&self, set: &[GroupIndex], step: &ProofStep) -> Option<String> {
        let unknown = |id: GroupIndex| -> Vec<Cell> {
            let is_known =
                |cell: &Cell| step.known.binary_search_by_key(cell, |fact| fact.cell).is_ok();
            let cells = self.groups.group(id).cells().iter().copied();
            cells.filter(|cell| !is_known(cell)).collect()
        };
        let known = |id: GroupIndex| {
            let mines = step.known.iter().filter(|fact| fact.is_mine);
            mines.filter(|fact| self.groups.group(id).contains(fact.cell)).count()
        };
        let left = |id: GroupIndex| self.groups.group(id).mines() as usize - known(id);
        set.iter().find_map(|&whole| {
            let all = unknown(whole);
            let others: Vec<GroupIndex> = set.iter().copied().filter(|&id| id != whole).collect();
            let mut cells: Vec<Cell> = others.iter().flat_map(|&id| unknown(id)).collect();
            let len = cells.len();
            cells.sort_unstable();
            cells.dedup();
            let outside = all.iter().filter(|cell| cells.binary_search(cell).is_err()).count();
            let is_outside =
                |fact: &Fact| all.contains(&fact.cell) && cells.binary_search(&fact.cell).is_err();
            if cells.len() < len || !step.tells.iter().all(is_outside) {
                return None;
            }
            let taken: usize = others.iter().map(|&id| left(id)).sum();
            let names: Vec<String> = others.iter().map(|&id| self.name(id, known(id))).collect();
            let (whole_name, names) = (self.mines_of(whole, known(whole)), list(&names));
            if taken == left(whole) && cells.len() + outside == all.len() {
                Some(format!("{} beside {names}", are_all(&whole_name, left(whole))))
            } else if taken + outside == left(whole) {
                let most = in_words(taken);
                Some(format!("at most {most} of {whole_name} can be beside {names}"))
            } else {
                None
            }
        })
    }

    /// The mines of a group besides `known` of them: `the 2 mines left`, `the 2 mines of the 2 at`.
    fn mines_of(&self, id: GroupIndex, known: usize) -> String {
        let GroupSource::Number(cell) = self.groups.source(id) else { return self.name(id, known) };
        let (mines, place) = (self.groups.group(id).mines() - known as u32, self.place(id));
        let noun = if mines == 1 { "the mine".to_owned() } else { format!("the {mines} mines") };
        if mines == self.shown(cell) {
            format!("{noun} of {place}")
        } else {
            format!("{noun} that {place} still needs")
        }
    }

    /// The way from a supposition to a contradiction.
    fn refutation(&self, refutation: &Refutation) -> String {
        let Refutation { supposed, steps, end, has_too_many } = refutation;
        let what = if supposed.is_mine { "a mine" } else { "safe" };
        let mut text = format!("Suppose {} is {what}", self.list(&[supposed.cell]));
        for (id, facts) in steps {
            let name = self.place(*id);
            let cells = self.list(&facts.iter().map(|fact| fact.cell).collect::<Vec<_>>());
            text.push_str(&match (facts[0].is_mine, facts.len()) {
                (true, 1) => format!(". Then {name} needs {cells} for a mine"),
                (true, _) => format!(". Then {name} needs {cells} for mines"),
                (false, 1) => format!(". Then {name} is complete, {cells} safe"),
                (false, _) => format!(". Then {name} is complete, {cells} all safe"),
            });
        }
        let lacks = if *has_too_many { "too many mines" } else { "too few cells left" };
        format!("{text}. But then {} has {lacks}", self.place(*end))
    }

    /// A group as the subject of a clause.
    fn place(&self, id: GroupIndex) -> String {
        match self.groups.source(id) {
            GroupSource::Total => "the number of mines left".to_owned(),
            GroupSource::Number(cell) => {
                format!("the {} at {}", self.shown(cell), self.list(&[cell]))
            }
        }
    }

    /// A case, without what is the same in every case.
    fn case(&self, case: &Case, step: &ProofStep) -> String {
        let is_told = |cells: &[Cell]| step.tells.iter().any(|fact| cells.contains(&fact.cell));
        let parts = case.iter().filter(|(cells, _)| !is_told(cells));
        let (mut mined, mut some, mut safe) = (Vec::new(), Vec::new(), Vec::new());
        for (cells, mines) in parts {
            if *mines == 0 {
                safe.extend_from_slice(cells);
            } else if *mines as usize == cells.len() {
                mined.extend_from_slice(cells);
            } else {
                let noun = if *mines == 1 { "mine" } else { "mines" };
                let (mines, cells) = (in_words(*mines as usize), self.compact(cells));
                some.push(format!("{mines} {noun} among {cells}"));
            }
        }
        mined.sort_unstable();
        safe.sort_unstable();
        let mut parts = Vec::new();
        if !mined.is_empty() {
            let what = if mined.len() == 1 { "a mine" } else { "mines" };
            parts.push(format!("{} {what}", self.list(&mined)));
        }
        parts.extend(some);
        if !safe.is_empty() {
            parts.push(format!("{} safe", self.list(&safe)));
        }
        parts.join(", ")
    }
}

/// The cells of facts of one kind.
fn cells(facts: &[Fact], is_mine: bool) -> Vec<Cell> {
    facts.iter().filter(|fact| fact.is_mine == is_mine).map(|fact| fact.cell).collect()
}

/// All cells that a step decides, also those told before.
fn all_given(step: &ProofStep) -> Vec<Cell> {
    let mut cells: Vec<Cell> = step.tells.iter().chain(&step.again).map(|fact| fact.cell).collect();
    cells.sort_unstable();
    cells
}

fn are_all(name: &str, count: usize) -> String {
    format!("{name} {}", if count == 1 { "is" } else { "are all" })
}
