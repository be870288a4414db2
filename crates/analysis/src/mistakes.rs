//! The judgement of a click: what opening a cell risked, and what that cost above the best cell.
//!
//! The unit of a cost is what the objective counts: a mine for the fewest mines, a game for a clean
//! win. A cell that is proven safe costs nothing. Otherwise:
//!
//! | verdict | what it cost | |
//! |---|---|---|
//! | proven mine | 1 | estimate |
//! | needless risk: another cell was proven safe | its odds | estimate |
//! | guess, in an endgame | the difference of the values of the two cells | exact |
//! | chord, in an endgame, for a clean win | the difference of its value and the cell's | exact |
//! | guess, both cells candidates | the difference of their two-ply costs | estimate |
//! | any other guess or chord | the difference of the odds | estimate |
//!
//! A chord opens several cells. Its odds are those of a mine in any of them ([`crate::joint`]).
//!
//! The odds are exact (but for fields too wide to count). The estimates leave out what comes later:
//! a mine that was opened tells something too, and a 50/50 that was opened too early would have
//! cost as much in the end. A guess is compared with the engine's own cell, which the engine may
//! choose by playouts: a cell that is as good, or better by the look-ahead, costs nothing. A proven
//! mine and a needless risk cost less than this table says where the rest of the game is hardly
//! ever won; [`tell_chances`](crate::review::turn_chance::tell_chances) puts that right.
//!
//! Invariant: no cost is negative, and the engine's own move costs nothing.

use super::Analysis;
use super::candidates::EvaluatedCandidate;
use super::explanation::{easiest_safe, prove};
use super::joint::joint_odds;
use super::notation::{cell_text, list_cells, percent};
use super::search::Proof;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::Decision;
use sapper::settings::params::{Objective, PROBABILITY_TOLERANCE};

/// What a click risked, and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The cell that was opened; of a chord one of the cells: the proven mine, if there is one.
    pub cell: Cell,
    /// The other cells that a chord opened, in row-major order.
    pub beside: Vec<Cell>,
    /// The probability that it was a mine; of a chord, that at least one of the cells was.
    pub odds: f64,
    /// What opening it cost above the best cell: mines, or the chance of a clean win.
    pub cost: f64,
    /// What kind of click it was.
    pub verdict: Verdict,
}

/// What kind of click it was.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The cell was proven safe.
    Safe,
    /// The cell was proven to be a mine.
    ProvenMine {
        /// Why it was a mine.
        proof: Proof,
        /// The cell that the engine opens, and the probability that this cell was a mine.
        best: Option<(Cell, f64)>,
    },
    /// The cell was not proven, and another one was proven safe.
    NeedlessRisk {
        /// The safe cell that is easiest to prove, and why it was safe.
        safe: Proof,
    },
    /// No cell was proven safe.
    Guess {
        /// The cell that the engine opens.
        best: Cell,
        /// The probability that this cell was a mine.
        best_odds: f64,
        /// What the cost is computed from.
        basis: CostBasis,
    },
}

/// What the cost of a guess is computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostBasis {
    /// The values of all play over all layouts: exact.
    Endgame,
    /// The two-ply look-ahead: an estimate.
    LookAhead,
    /// The odds of the cell alone: an estimate.
    Odds,
}

/// Judges the opening of `cell`. `None` where the cell is open.
///
/// The cell becomes one of the candidates where the move is a guess.
pub fn judge_click(analysis: &mut Analysis, cell: Cell) -> Option<Judgement> {
    if !analysis.board().is_hidden(cell) {
        return None;
    }
    let odds = analysis.odds().of(cell);
    let certain = judge_certain(analysis, cell, Vec::new(), odds);
    if certain.is_some() {
        return certain;
    }
    analysis.add_candidate(cell);
    let chosen = analysis.chosen()?;
    let (difference, basis) = cost_above(analysis, cell, chosen.cell());
    Some(Judgement::guess(cell, Vec::new(), odds, difference, chosen, basis))
}

/// Judges the opening of all of `cells`, which are sorted, by a chord. `None` where one of them is
/// open, and where there is none.
///
/// Cost: one count of the layouts besides that of a click.
pub fn judge_chord(analysis: &mut Analysis, cells: &[Cell]) -> Option<Judgement> {
    let (&first, others) = cells.split_first()?;
    if others.is_empty() {
        return judge_click(analysis, first);
    }
    if !cells.iter().all(|&cell| analysis.board().is_hidden(cell)) {
        return None;
    }
    let proven_mine = cells.iter().copied().find(|&cell| analysis.odds().of(cell) == 1.0);
    let cell = proven_mine.unwrap_or(first);
    let beside: Vec<Cell> = cells.iter().copied().filter(|&other| other != cell).collect();
    let odds = joint_odds(analysis, cells);
    let certain = judge_certain(analysis, cell, beside.clone(), odds);
    if certain.is_some() {
        return certain;
    }
    let chosen = analysis.chosen()?;
    let (difference, basis) = match exact_chord_cost_above(analysis, cells, chosen.cell()) {
        Some(difference) => (difference, CostBasis::Endgame),
        None => (odds - chosen.odds, CostBasis::Odds),
    };
    Some(Judgement::guess(cell, beside, odds, difference, chosen, basis))
}

/// How much more a chord on these cells costs than a guess at `other`, if best play follows: exact.
/// `None` unless the endgame is solved, for a clean win.
fn exact_chord_cost_above(analysis: &Analysis, cells: &[Cell], other: Cell) -> Option<f64> {
    let layouts = analysis.chosen()?.solved?.layouts;
    let best = exact_cost(analysis, other)?;
    if analysis.objective() != Objective::CleanWin {
        return None;
    }
    Some(f64::from(analysis.chord_cost(cells)?) / f64::from(layouts) - best)
}

/// The judgement of a click unless it is a guess.
fn judge_certain(
    analysis: &Analysis,
    cell: Cell,
    beside: Vec<Cell>,
    odds: f64,
) -> Option<Judgement> {
    let judgement = |cost, verdict| Judgement { cell, beside, odds, cost, verdict };
    if odds == 0.0 {
        return Some(judgement(0.0, Verdict::Safe));
    }
    if analysis.odds().of(cell) == 1.0 {
        let best = analysis.chosen().map(|chosen| (chosen.cell(), chosen.odds));
        let proof = prove(analysis, cell)?;
        return Some(judgement(1.0, Verdict::ProvenMine { proof, best }));
    }
    easiest_safe(analysis).map(|safe| judgement(odds, Verdict::NeedlessRisk { safe }))
}

/// What a guess at `cell` costs with the rest of the game, if best play follows: exact. `None`
/// unless the endgame is solved, with the value of the cell.
pub fn exact_cost(analysis: &Analysis, cell: Cell) -> Option<f64> {
    let layouts = analysis.chosen()?.solved?.layouts;
    let value = analysis.values().iter().find(|value| value.cell == cell)?;
    Some(f64::from(value.cost?) / f64::from(layouts))
}

/// How much more a guess at `cell` costs than one at `best`.
fn cost_above(analysis: &Analysis, cell: Cell, best: Cell) -> (f64, CostBasis) {
    if let (Some(own), Some(least)) = (exact_cost(analysis, cell), exact_cost(analysis, best)) {
        return (own - least, CostBasis::Endgame);
    }
    let candidate = |cell: Cell| {
        let mut candidates = analysis.candidates().iter();
        candidates.find(|candidate| candidate.cell == cell).map(EvaluatedCandidate::cost)
    };
    if let (Some(own), Some(least)) = (candidate(cell), candidate(best)) {
        return (own - least, CostBasis::LookAhead);
    }
    (analysis.odds().of(cell) - analysis.odds().of(best), CostBasis::Odds)
}

impl Judgement {
    /// The judgement of a guess that costs so much more than the engine's cell, or less.
    fn guess(
        cell: Cell,
        beside: Vec<Cell>,
        odds: f64,
        difference: f64,
        chosen: &Decision,
        basis: CostBasis,
    ) -> Judgement {
        let cost = if difference > PROBABILITY_TOLERANCE { difference } else { 0.0 };
        let verdict = Verdict::Guess { best: chosen.cell(), best_odds: chosen.odds, basis };
        Judgement { cell, beside, odds, cost, verdict }
    }

    /// All cells that were opened, sorted.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = self.beside.clone();
        cells.push(self.cell);
        cells.sort_unstable();
        cells
    }

    /// Whether another cell was better.
    pub fn is_mistake(&self) -> bool {
        self.cost > 0.0
    }

    /// Whether it was proven what the click opens: safe cells, or a mine.
    pub fn is_proven(&self) -> bool {
        matches!(self.verdict, Verdict::Safe | Verdict::ProvenMine { .. })
    }

    /// Whether the click opened a proven mine, or risked a mine beside a proven cell.
    pub fn is_needless(&self) -> bool {
        matches!(self.verdict, Verdict::ProvenMine { .. } | Verdict::NeedlessRisk { .. })
    }

    /// What kind of click it was, in words.
    pub fn name(&self) -> &'static str {
        match self.verdict {
            Verdict::Safe => "proven safe",
            Verdict::ProvenMine { .. } => "proven mine opened",
            Verdict::NeedlessRisk { .. } => "needless risk",
            Verdict::Guess { .. } if self.is_mistake() => "worse guess",
            Verdict::Guess { .. } => "guess",
        }
    }

    /// What kind of click it was, as a name for programs.
    pub fn kind(&self) -> &'static str {
        match self.verdict {
            Verdict::Safe => "safe",
            Verdict::ProvenMine { .. } => "proven-mine",
            Verdict::NeedlessRisk { .. } => "needless-risk",
            Verdict::Guess { .. } => "guess",
        }
    }

    /// The cell that should have been opened instead, where there is a better one.
    pub fn better(&self) -> Option<Cell> {
        match &self.verdict {
            Verdict::ProvenMine { best, .. } => best.map(|(cell, _)| cell),
            Verdict::NeedlessRisk { safe } => Some(safe.fact.cell),
            Verdict::Guess { best, .. } if self.is_mistake() => Some(*best),
            _ => None,
        }
    }

    /// The proof that another cell was safe, or that this one was a mine.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.verdict {
            Verdict::ProvenMine { proof, .. } | Verdict::NeedlessRisk { safe: proof } => {
                Some(proof)
            }
            Verdict::Safe | Verdict::Guess { .. } => None,
        }
    }

    /// The judgement in one sentence.
    pub fn sentence(&self, shape: Shape, objective: Objective) -> String {
        let at = match self.verdict {
            Verdict::ProvenMine { .. } => cell_text(shape, self.cell),
            _ if self.beside.is_empty() => cell_text(shape, self.cell),
            Verdict::Safe => list_cells(shape, &self.cells()),
            _ => format!("one of {}", list_cells(shape, &self.cells())),
        };
        let risk = format!("a probability of {}", percent(self.odds));
        match &self.verdict {
            Verdict::Safe if self.beside.is_empty() => format!("{at} was proven safe."),
            Verdict::Safe => format!("{at} were proven safe."),
            Verdict::ProvenMine { best, .. } => {
                let better = best.map(|(cell, odds)| {
                    let alone = if self.beside.contains(&cell) { " alone" } else { "" };
                    let risk = match odds {
                        0.0 => "which was safe".to_owned(),
                        _ => format!("risk {}", percent(odds)),
                    };
                    format!(" Better: {}{alone}, {risk}.", cell_text(shape, cell))
                });
                format!("{at} was proven to be a mine.{}", better.unwrap_or_default())
            }
            Verdict::NeedlessRisk { safe } => {
                let cell = safe.fact.cell;
                let alone = if self.beside.contains(&cell) { " alone" } else { "" };
                let safe = cell_text(shape, cell);
                format!(
                    "A needless risk: {at} was a mine with {risk}, while {safe}{alone} was safe."
                )
            }
            Verdict::Guess { best, .. } if *best == self.cell && self.beside.is_empty() => {
                format!("A guess, and the best: {at} was a mine with {risk}.")
            }
            // No search compares the first cells of a field.
            Verdict::Guess { best, basis: CostBasis::Odds, .. } if !self.is_mistake() => {
                let best = cell_text(shape, *best);
                format!("A guess with the odds of the best, {best}: {at} was a mine with {risk}.")
            }
            Verdict::Guess { .. } if !self.is_mistake() => {
                format!("A guess as good as any: {at} was a mine with {risk}.")
            }
            Verdict::Guess { best, best_odds, basis } => {
                let best = format!("{}, risk {}", cell_text(shape, *best), percent(*best_odds));
                let by = match basis {
                    CostBasis::Endgame => "exactly",
                    CostBasis::LookAhead => "as estimated two moves ahead",
                    CostBasis::Odds => "as estimated by the odds",
                };
                let cost = cost_text(self.cost, objective);
                format!(
                    "A guess worse than the best: {at}, risk {}. Better: {best}. Your click cost \
                     {cost}, {by}.",
                    percent(self.odds)
                )
            }
        }
    }
}

/// A cost in the unit of the objective: `0.250 mines`, or `25.0 points of the chance to win`.
///
/// A point is a hundredth. From ten points on, the second decimal says nothing to a person.
pub fn cost_text(cost: f64, objective: Objective) -> String {
    let points = 100.0 * cost;
    match objective {
        Objective::FewestHits => format!("{cost:.3} mines"),
        Objective::CleanWin if points < 9.995 => format!("{points:.2} points of the chance to win"),
        Objective::CleanWin => format!("{points:.1} points of the chance to win"),
    }
}

/// The sums over the clicks of a game. Clicks that cannot be judged are left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClickAccount {
    /// The risk taken: the sum of the odds of the cells that were opened.
    pub risk: f64,
    /// The sum of what the mistakes cost.
    pub cost: f64,
    /// The mines opened.
    pub hits: u32,
    /// The mistakes as turns and costs, the costliest first; of equal ones the earlier.
    pub costliest: Vec<(usize, f64)>,
}

impl ClickAccount {
    /// Adds the click of a turn; `is_hit` says whether it opened a mine.
    pub fn add(&mut self, turn: usize, click: &Judgement, is_hit: bool) {
        self.risk += click.odds;
        self.cost += click.cost;
        self.hits += u32::from(is_hit);
        if click.is_mistake() {
            self.costliest.push((turn, click.cost));
            self.costliest.sort_by(|(a, cost), (b, other)| other.total_cmp(cost).then(a.cmp(b)));
        }
    }

    /// The risk taken less the mines opened; negative for bad luck.
    pub fn luck(&self) -> f64 {
        self.risk - f64::from(self.hits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyzer;
    use sapper::board::Board;
    use sapper::board::text_format::BoardText;
    use sapper::settings::params::Effort;

    fn board(field: &str) -> Board {
        let text = field.parse::<BoardText>().unwrap();
        text.board(text.mines.unwrap()).unwrap()
    }

    /// The judgement of opening a cell of a field, and its sentence.
    fn judged(field: &str, objective: Objective, (row, column): (i64, i64)) -> (Judgement, String) {
        let board = board(field);
        let mut analyzer = Analyzer::new(objective, Effort::Fast);
        let mut analysis = analyzer.analyze(&board, None).unwrap();
        let cell = board.shape().cell(row, column).unwrap();
        let judgement = judge_click(&mut analysis, cell).unwrap();
        let sentence = judgement.sentence(board.shape(), objective);
        (judgement, sentence)
    }

    /// One mine, beside both numbers: the last column is safe.
    const SAFE_CELL: &str = "3 2 1\n1..\n1..";
    /// Each number has one mine, at its left or at its right.
    const TWO_PAIRS: &str = "6 1 2\n.1..1.";

    #[test]
    fn a_safe_cell_costs_nothing_and_a_risk_beside_it_costs_its_odds() {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let (safe, sentence) = judged(SAFE_CELL, objective, (1, 2));
            assert_eq!((safe.odds, safe.cost, safe.name()), (0.0, 0.0, "proven safe"));
            assert_eq!(
                (safe.verdict, sentence.as_str()),
                (Verdict::Safe, "(1,2) was proven safe.")
            );
            let (risk, sentence) = judged(SAFE_CELL, objective, (0, 1));
            assert_eq!((risk.odds, risk.cost, risk.name()), (0.5, 0.5, "needless risk"));
            assert_eq!(
                sentence,
                "A needless risk: (0,1) was a mine with a probability of 50.00 %, while (0,2) was \
                 safe."
            );
            let Verdict::NeedlessRisk { safe } = &risk.verdict else { panic!("{risk:?}") };
            assert!(!safe.fact.is_mine && !safe.steps.is_empty());
            assert_eq!(risk.proof(), Some(safe));
            assert_eq!(risk.better(), Some(safe.fact.cell));
        }
    }

    #[test]
    fn a_proven_mine_costs_one() {
        // The two hidden cells beside the 2 are its mines.
        let field = "5 1 3\n.2...";
        let (mine, sentence) = judged(field, Objective::FewestHits, (0, 0));
        assert_eq!((mine.odds, mine.cost, mine.name()), (1.0, 1.0, "proven mine opened"));
        assert_eq!(sentence, "(0,0) was proven to be a mine. Better: (0,3), risk 50.00 %.");
        assert_eq!(mine.better(), Some(Cell::from_index(3)));
        let Verdict::ProvenMine { proof, .. } = &mine.verdict else { panic!("{mine:?}") };
        assert!(proof.fact.is_mine && proof.sentences(&board(field))[0].contains("The 2 at (0,1)"));
    }

    #[test]
    fn the_guesses_of_an_endgame_cost_the_difference_of_their_values() {
        // A cell of the middle tells about both pairs. For a clean win it costs 1/2 and nothing
        // after it. The left cell tells nothing new: 1/2, and half of the rest for the other pair.
        let (worse, sentence) = judged(TWO_PAIRS, Objective::CleanWin, (0, 0));
        assert_eq!((worse.odds, worse.cost, worse.name()), (0.5, 0.25, "worse guess"));
        assert!(
            sentence.ends_with("Your click cost 25.0 points of the chance to win, exactly."),
            "{sentence}"
        );
        let (best, _) = judged(TWO_PAIRS, Objective::CleanWin, (0, 2));
        assert_eq!((best.odds, best.cost, best.name()), (0.5, 0.0, "guess"));
        // For the fewest mines the left cell is as good: if it is a mine, the middle one is safe
        // and tells about the other pair. 1/2 + 1/2 x 1/2 either way.
        for column in [0, 2, 3, 5] {
            let (guess, sentence) = judged(TWO_PAIRS, Objective::FewestHits, (0, column));
            assert_eq!((guess.cost, guess.better()), (0.0, None), "{column}");
            let Verdict::Guess { basis, .. } = guess.verdict else { panic!("{guess:?}") };
            assert_eq!(basis, CostBasis::Endgame);
            assert!(sentence.starts_with("A guess"), "{sentence}");
        }
    }

    /// The judgement of a chord on these cells of a row, and its sentence.
    fn judged_chord(field: &str, columns: &[i64]) -> (Judgement, String) {
        let board = board(field);
        let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
        let mut analysis = analyzer.analyze(&board, None).unwrap();
        let cells: Vec<Cell> =
            columns.iter().map(|&column| board.shape().cell(0, column).unwrap()).collect();
        let judgement = judge_chord(&mut analysis, &cells).unwrap();
        let sentence = judgement.sentence(board.shape(), Objective::CleanWin);
        (judgement, sentence)
    }

    #[test]
    fn a_chord_is_judged_by_all_the_cells_that_it_opens() {
        // A mine in one of each pair: both left cells are safe with 1/2 x 1/2. Of the other layouts
        // best play loses none, and of all it loses half.
        let (guess, sentence) = judged_chord(TWO_PAIRS, &[0, 3]);
        assert_eq!((guess.odds, guess.cost, guess.name()), (0.75, 0.25, "worse guess"));
        assert_eq!(
            sentence,
            "A guess worse than the best: one of (0,0) and (0,3), risk 75.00 %. Better: (0,2), \
             risk 50.00 %. Your click cost 25.0 points of the chance to win, exactly."
        );
        // One mine in three cells whose numbers tell nothing: two at once win as often as one and
        // then another.
        let (two, sentence) = judged_chord("2 2 1\n..\n.1", &[0, 1]);
        assert_eq!((two.odds, two.cost, two.better()), (1.0 - 1.0 / 3.0, 0.0, None));
        assert!(sentence.starts_with("A guess as good as any: one of (0,0) and (0,1)"));
        // A pair has its mine for certain, though neither cell is proven.
        let (certain, _) = judged_chord(TWO_PAIRS, &[0, 2]);
        assert_eq!((certain.odds, certain.kind()), (1.0, "guess"));
        // The 2 has both its neighbours; the others share one mine.
        let field = "5 1 3\n.2...";
        let (mine, sentence) = judged_chord(field, &[2, 3, 4]);
        assert_eq!((mine.odds, mine.cost, mine.cell.index()), (1.0, 1.0, 2));
        assert_eq!(
            (mine.kind(), sentence.as_str()),
            ("proven-mine", "(0,2) was proven to be a mine. Better: (0,3) alone, risk 50.00 %.")
        );
        // The 1 and the first cell: the others are safe.
        let (safe, sentence) = judged_chord("5 1 1\n.1.0.", &[2, 4]);
        assert_eq!((safe.odds, safe.verdict), (0.0, Verdict::Safe));
        assert_eq!(sentence, "(0,2) and (0,4) were proven safe.");
        let (needless, sentence) = judged_chord("7 1 1\n.1.....", &[0, 2]);
        assert_eq!((needless.odds, needless.cost), (1.0, 1.0));
        assert_eq!(
            sentence,
            "A needless risk: one of (0,0) and (0,2) was a mine with a probability of 100 %, \
             while (0,3) was safe."
        );
        // One cell is a click.
        let (one, sentence) = judged_chord(TWO_PAIRS, &[2]);
        assert_eq!((one.clone(), sentence), judged(TWO_PAIRS, Objective::CleanWin, (0, 2)));
    }

    #[test]
    fn a_guess_with_many_layouts_costs_the_difference_of_the_look_ahead() {
        let field = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
        let board = board(field);
        let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
        let mut analysis = analyzer.analyze(&board, None).unwrap();
        let best = analysis.chosen().unwrap().cell();
        let worse = board.shape().cell(1, 4).unwrap();
        let of_best = judge_click(&mut analysis, best).unwrap();
        assert_eq!((of_best.cost, of_best.is_mistake()), (0.0, false));
        let judgement = judge_click(&mut analysis, worse).unwrap();
        let Verdict::Guess { best_odds, .. } = judgement.verdict else { panic!("{judgement:?}") };
        assert_eq!(best_odds, of_best.odds);
        assert_ne!(best_odds, judgement.odds);
        let cost = |cell| {
            let candidates = analysis.candidates().iter();
            candidates.filter(|one| one.cell == cell).map(EvaluatedCandidate::cost).sum::<f64>()
        };
        assert!(judgement.cost > 0.1 && judgement.better() == Some(best));
        assert_eq!(judgement.cost, cost(worse) - cost(best));
        // The open cell cannot be judged.
        assert_eq!(judge_click(&mut analysis, Cell::from_index(0)), None);
    }

    #[test]
    fn the_first_cell_of_a_field_costs_nothing_anywhere() {
        let untouched = "9 9 10\n".to_owned() + &".........\n".repeat(9);
        for at in [(0, 0), (4, 4)] {
            let (first, sentence) = judged(&untouched, Objective::FewestHits, at);
            assert_eq!(first.cost, 0.0);
            assert!(sentence.ends_with("was a mine with a probability of 12.35 %."), "{sentence}");
            let is_of_the_best = sentence.starts_with("A guess with the odds of the best, (");
            assert_eq!(is_of_the_best, first.better().is_none() && !sentence.contains("and the"));
            assert!((first.odds - 10.0 / 81.0).abs() < 1e-12);
        }
    }

    #[test]
    fn an_account_sums_the_clicks() {
        let mut account = ClickAccount::default();
        let risk = judged(SAFE_CELL, Objective::CleanWin, (0, 1)).0;
        let safe = judged(SAFE_CELL, Objective::CleanWin, (0, 2)).0;
        let mine = judged("5 1 3\n.2...", Objective::CleanWin, (0, 0)).0;
        let guess = judged(TWO_PAIRS, Objective::CleanWin, (0, 0)).0;
        for (turn, click, is_hit) in [
            (0, &safe, false),
            (1, &guess, true),
            (2, &risk, false),
            (3, &mine, true),
            (4, &risk, false),
        ] {
            account.add(turn, click, is_hit);
        }
        // 0 + 1/2 + 1/2 + 1 + 1/2, and 0 + 1/4 + 1/2 + 1 + 1/2.
        assert_eq!((account.risk, account.cost, account.hits), (2.5, 2.25, 2));
        assert_eq!(account.luck(), 0.5);
        assert_eq!(account.costliest, [(3, 1.0), (2, 0.5), (4, 0.5), (1, 0.25)]);
    }
}
