//! The move of a turn in words: the step by which it is found, and the reasons.

use crate::Analysis;
use crate::explanation::{explain_guess, explain_risk, prove};
use crate::guesses::fifty_fifties;
use crate::mistakes::{Judgement, Verdict};
use crate::notation::{cell_text, percent};
use crate::search::Proof;
use sapper::Decision;
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::bot::engine::Step;

/// The kind of a move that opens a proven mine.
const MINE: &str = "mine";

/// An answer explained.
pub(super) struct ToldAnswer {
    pub(super) kind: &'static str,
    pub(super) why: Vec<String>,
    pub(super) uses: Vec<Cell>,
    pub(super) instead: Option<Cell>,
}

impl ToldAnswer {
    pub(super) fn of_kind(kind: &'static str) -> ToldAnswer {
        ToldAnswer { kind, why: Vec::new(), uses: Vec::new(), instead: None }
    }
}

/// Tells the step by which a legal answer can be found, and the reasons.
pub(super) fn tell_answer(
    analysis: &Analysis,
    cell: Cell,
    judgement: Option<&Judgement>,
) -> ToldAnswer {
    let Some(chosen) = analysis.chosen() else { return ToldAnswer::of_kind(Step::Rough.name()) };
    let is_chosen = chosen.cell() == cell;
    let kind = match analysis.odds().of(cell) {
        // No step of the engine opens a proven mine.
        1.0 => MINE,
        _ if is_chosen => chosen.by.name(),
        0.0 if analysis.deduced().verdict(cell).is_some() => Step::Deduction.name(),
        0.0 => Step::Counting.name(),
        _ => Step::Guess.name(),
    };
    let other = other_choice(analysis, cell);
    let board = analysis.board();
    let other_text = other.map(|other| other_choice_text(board, other));
    let shape = board.shape();
    let sentence = judgement.map(|click| click.sentence(shape, analysis.objective()));
    let proof_of_other =
        |proof: &Proof| [sentence.iter().cloned().collect(), proof.sentences(board)].concat();
    let (why, uses) = match judgement.map(|click| &click.verdict) {
        Some(Verdict::NeedlessRisk { safe }) => (proof_of_other(safe), safe.numbers()),
        Some(Verdict::ProvenMine { proof, .. }) => {
            let why = proof.sentences(board).into_iter().chain(other_text);
            (why.collect(), proof.numbers())
        }
        Some(Verdict::Safe) => {
            let proof = prove(analysis, cell);
            proof.map(|proof| (proof.sentences(board), proof.numbers())).unwrap_or_default()
        }
        _ if is_chosen => (explain_guess(analysis, chosen, &fifty_fifties(analysis)), Vec::new()),
        Some(_) if judgement.is_some_and(Judgement::is_mistake) => {
            (sentence.into_iter().collect(), Vec::new())
        }
        _ => {
            let why = [explain_risk(analysis, cell)].into_iter().chain(other_text);
            (why.collect(), Vec::new())
        }
    };
    ToldAnswer { kind, why, uses, instead: other.map(Decision::cell) }
}

/// Tells the step by which the cells of a chord, which are several, can be found, and the reasons.
pub(super) fn tell_chord(analysis: &Analysis, chord: &Judgement) -> ToldAnswer {
    let board = analysis.board();
    let cells = chord.cells();
    let is_deduced = |cell: &Cell| analysis.deduced().verdict(*cell).is_some();
    let (kind, why, uses) = match &chord.verdict {
        Verdict::Safe => {
            let proofs: Vec<Proof> =
                cells.iter().filter_map(|&cell| prove(analysis, cell)).collect();
            let mut uses: Vec<Cell> = proofs.iter().flat_map(Proof::numbers).collect();
            uses.sort_unstable();
            uses.dedup();
            let mut why: Vec<String> = Vec::new();
            for sentence in proofs.iter().flat_map(|proof| proof.sentences(board)) {
                if !why.contains(&sentence) {
                    why.push(sentence);
                }
            }
            let step = if cells.iter().all(is_deduced) { Step::Deduction } else { Step::Counting };
            (step.name(), why, uses)
        }
        Verdict::ProvenMine { proof, .. } => (MINE, proof.sentences(board), proof.numbers()),
        Verdict::NeedlessRisk { safe } => {
            let sentence = chord.sentence(board.shape(), analysis.objective());
            let why = [vec![sentence], safe.sentences(board)].concat();
            (Step::Guess.name(), why, safe.numbers())
        }
        Verdict::Guess { .. } => {
            let sentence = chord.sentence(board.shape(), analysis.objective());
            (Step::Guess.name(), vec![sentence], Vec::new())
        }
    };
    let is_safe = chord.verdict == Verdict::Safe;
    let chosen = analysis.chosen().map(Decision::cell).filter(|_| !is_safe);
    ToldAnswer { kind, why, uses, instead: chosen.filter(|cell| !cells.contains(cell)) }
}

/// The engine's move if it opens another cell and not both cells are safe.
fn other_choice<'a>(analysis: &'a Analysis, cell: Cell) -> Option<&'a Decision> {
    let chosen = analysis.chosen().filter(|chosen| chosen.cell() != cell)?;
    let both_safe = chosen.by.is_proof() && analysis.odds().of(cell) == 0.0;
    (!both_safe).then_some(chosen)
}

fn other_choice_text(board: &Board, chosen: &Decision) -> String {
    let at = cell_text(board.shape(), chosen.cell());
    let odds = match chosen.odds {
        0.0 => "it is safe".to_owned(),
        odds => format!("a mine with {}", percent(odds)),
    };
    format!("Sapper opens {at} here, by {}: {odds}.", chosen.by.name())
}
