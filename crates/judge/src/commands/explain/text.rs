//! The explanation as text: the easiest proof, the move, the candidates, and what else is proven.

use std::collections::HashSet;
use std::fmt::Write as _;

use analysis::Analysis;
use analysis::explanation::{
    Explanation, candidate_figures, explain, explain_guess, has_opening_bonus,
};
use analysis::guesses::{FIFTY_FIFTY, FiftyFifty, fifty_fifties};
use analysis::notation::{cell_text, percent};
use analysis::rules::Fact;
use analysis::search::ProofStep;
use analysis::sentences::sentences;
use analysis::values::value_name;
use sapper::Decision;
use sapper::kit::text::pluralize;
use sapper::{Board, Cell, Shape};

use crate::report::table::{empty, right_align};

/// The number of candidates in the table.
const MAX_CANDIDATES: usize = 12;
/// The most steps that are told of what else is proven.
const MAX_STEPS: usize = 12;
/// The most 50/50s that are told besides that of the move.
const MAX_FIFTY_FIFTIES: usize = 20;

/// Explains the whole position: what is easiest to prove, the move, the `chance` to win, which is
/// worded already, and what else is proven; all of it with `tells_all`.
pub fn text(analysis: &Analysis, chance: &str, tells_all: bool) -> String {
    let board = analysis.board();
    let shape = board.shape();
    let Some(chosen) = analysis.chosen() else {
        return "Every cell is open: there is nothing to decide.\n".to_owned();
    };
    let Explanation { easiest, chosen: of_chosen, others } = explain(analysis);
    let at = cell_text(shape, chosen.cell());
    let even = fifty_fifties(analysis);
    let mut text = String::new();
    let is_chosen = easiest.as_ref().is_some_and(|easiest| easiest.fact.cell == chosen.cell());
    let easier = easiest.as_ref().filter(|easiest| !is_chosen && !easiest.fact.is_mine);
    if let Some(easiest) = easier {
        let _ = writeln!(text, "Easiest: {} is safe", cell_text(shape, easiest.fact.cell));
        text.push_str(&indented(&easiest.sentences(board)));
        text.push('\n');
    }
    let _ = writeln!(text, "Move: open {at}, by {}", chosen.by.name());
    text.push_str(&indented(&match (&easiest, &of_chosen) {
        (Some(easiest), _) if is_chosen => easiest.sentences(board),
        (_, Some(of_chosen)) if of_chosen.steps.is_empty() => {
            vec![format!("The proof above has it: {at} is safe.")]
        }
        (_, Some(of_chosen)) => of_chosen.sentences(board),
        _ => explain_guess(analysis, chosen, &even),
    }));
    if chosen.odds > 0.0 {
        text.push_str(&guess(analysis, chosen, &even));
    } else if !even.is_empty() {
        text.push_str(&guesses_to_come(shape, &even));
    }
    text.push_str(chance);
    let first = [&easiest, &of_chosen].into_iter().flatten().flat_map(|told| &told.steps);
    let known: HashSet<Fact> = first.flat_map(|step| step.tells.iter().copied()).collect();
    let mines_first = easiest.filter(|easiest| easiest.fact.is_mine && !is_chosen);
    let mut steps = worded(board, mines_first.map(|easiest| easiest.steps).unwrap_or_default());
    steps.extend(worded(board, others));
    text.push_str(&also_proven(&steps, known, tells_all));
    if analysis.odds().approximate() > 0 {
        let cells = pluralize(analysis.odds().approximate(), "cell has", "cells have");
        let _ =
            writeln!(text, "\n{cells} approximate odds only: the frontier is too wide to count.");
    }
    text
}

/// Joins lines, each indented by two spaces.
pub fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// A step of a proof and its sentence.
type WordedStep = (ProofStep, String);

/// Words the steps on `board` one after another.
fn worded(board: &Board, steps: Vec<ProofStep>) -> Vec<WordedStep> {
    let texts = sentences(board, &steps);
    steps.into_iter().zip(texts).collect()
}

/// The steps of what else is proven: all, or as many as a person reads. A short form has the proofs
/// of safe cells that stand on what is `known` or told in it.
fn also_proven(steps: &[WordedStep], mut known: HashSet<Fact>, tells_all: bool) -> String {
    let texts = |steps: &[WordedStep]| -> Vec<String> {
        steps.iter().map(|(_, text)| text.clone()).collect()
    };
    if tells_all || steps.len() <= MAX_STEPS {
        let heading = if steps.is_empty() { "" } else { "\nAlso proven\n" };
        return heading.to_owned() + &indented(&texts(steps));
    }
    // A step that uses only what the one before it tells begins with "So".
    let follows = |(before, _): &WordedStep, (step, _): &WordedStep| {
        !step.known.is_empty() && step.known.iter().all(|fact| before.tells.contains(fact))
    };
    let (mut told, mut untold) = (Vec::new(), Vec::new());
    for proof in steps.chunk_by(follows) {
        let facts = || proof.iter().flat_map(|(step, _)| step.tells.iter().copied());
        let is_complete = proof[0].0.known.iter().all(|fact| known.contains(fact));
        let has_room = told.len() + proof.len() <= MAX_STEPS;
        if is_complete && has_room && facts().any(|fact| !fact.is_mine) {
            known.extend(facts());
            told.extend(texts(proof));
        } else {
            untold.extend(facts());
        }
    }
    let mines = untold.iter().filter(|fact| fact.is_mine).count();
    let safe = untold.len() - mines;
    let rest = [
        (safe > 0).then(|| pluralize(safe, "more safe cell", "more safe cells")),
        (mines > 0).then(|| pluralize(mines, "more mine", "more mines")),
    ];
    let rest = rest.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    told.push(format!("And {rest}, as marked on the board; --all tells why."));
    format!("\nAlso proven\n{}", indented(&told))
}

/// The 50/50s of a position that has a safe cell, in one line.
fn guesses_to_come(shape: Shape, even: &[FiftyFifty]) -> String {
    /// The most that the line names.
    const MAX_NAMED: usize = 4;
    let mut names: Vec<String> =
        even.iter().take(MAX_NAMED).map(|one| one.sides_text(shape)).collect();
    if even.len() > MAX_NAMED {
        names.push(format!("{} more", even.len() - MAX_NAMED));
    }
    format!("\n{FIFTY_FIFTY}, whatever is opened before: {}.\n", names.join("; "))
}

/// The tables of a guess or an endgame, its equals, and the 50/50s.
fn guess(analysis: &Analysis, chosen: &Decision, even: &[FiftyFifty]) -> String {
    let shape = analysis.board().shape();
    let mut text = String::new();
    let note = |cell: Cell, is_dead: bool, alike: usize, is_put_off: bool| {
        let others = pluralize(alike, "other", "others");
        let twin = even.iter().find(|one| one.contains(cell));
        let notes = [
            twin.map(|one| one.name_for(shape, cell)),
            (is_dead && twin.is_none()).then(|| "dead: its number tells nothing".to_owned()),
            (alike > 0).then(|| format!("like {others}")),
            is_put_off.then(|| "can wait".to_owned()),
        ];
        notes.into_iter().flatten().collect::<Vec<_>>().join("; ")
    };
    let candidates = analysis.candidates();
    if !candidates.is_empty() {
        let zero = has_opening_bonus(candidates).then_some("bonus of a zero");
        let header = ["cell", "mine", "next move", "second-best"];
        let header = header.into_iter().chain(zero).chain(["cost", ""]);
        let rows = candidates.iter().zip(candidate_figures(candidates, analysis.objective())).map(
            |(one, row)| {
                let at = [cell_text(shape, one.cell)].into_iter();
                at.chain(row)
                    .chain([note(one.cell, one.is_dead, one.alike, one.is_put_off)])
                    .collect()
            },
        );
        text.push_str("\nCandidates, the lowest cost first\n");
        text.push_str(&table(header.collect(), rows.collect()));
    }
    if let (values, Some(solved)) = (analysis.values(), chosen.solved)
        && !values.is_empty()
    {
        let objective = analysis.objective();
        let rows = values.iter().map(|value| {
            let odds = f64::from(value.mined) / f64::from(solved.layouts);
            let (at, odds) = (cell_text(shape, value.cell), percent(odds));
            vec![
                at,
                odds,
                value.text(solved.layouts, objective),
                note(value.cell, value.is_dead, 0, false),
            ]
        });
        let layouts = pluralize(solved.layouts, "layout", "layouts");
        let _ = writeln!(text, "\nEvery cell with best play after it, over all {layouts}");
        text.push_str(&table(vec!["cell", "mine", value_name(objective), ""], rows.collect()));
    }
    let others: Vec<&FiftyFifty> = even.iter().filter(|one| !one.contains(chosen.cell())).collect();
    if !others.is_empty() {
        text.push_str("\nGuesses that remain\n");
        for one in others.iter().take(MAX_FIFTY_FIFTIES) {
            text.push_str(&indented(&one.sentences(shape, analysis.objective())));
        }
        let more = others.len().saturating_sub(MAX_FIFTY_FIFTIES);
        if more > 0 {
            let _ = writeln!(text, "  And {more} more.");
        }
    }
    text
}

/// A table of which the first rows are shown. A last column without entries is left out.
fn table(header: Vec<&str>, rows: Vec<Vec<String>>) -> String {
    let has_notes = rows.iter().any(|row| row.last().is_some_and(|note| !note.is_empty()));
    let columns = header.len() - usize::from(!has_notes);
    let mut table = empty(header.into_iter().take(columns));
    let rest = rows.len().saturating_sub(MAX_CANDIDATES);
    for row in rows.into_iter().take(MAX_CANDIDATES) {
        table.add_row(row.into_iter().take(columns));
    }
    right_align(&mut table, 1..columns - usize::from(has_notes));
    let rest = if rest > 0 { format!("and {rest} more\n") } else { String::new() };
    format!("{table}\n{rest}")
}
