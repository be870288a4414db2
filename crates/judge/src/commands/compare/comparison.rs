//! The boards of two tables, paired, and what they add up to.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use super::board_results::{BoardResult, BoardResults};
use crate::report::Paired;

/// What the boards that both bots played add up to; of two values the first is A's.
pub struct Comparison {
    pub boards: usize,
    /// The boards of one bot alone.
    pub only: [usize; 2],
    /// The boards of which a result has no hits.
    pub without_hits: usize,
    /// The boards of which a result has no cost, where both tables have the column.
    pub without_cost: usize,
    pub won: [usize; 2],
    /// The number of faults of each kind.
    pub faults: [BTreeMap<String, u64>; 2],
    pub wins: Paired,
    pub adjusted_wins: Paired,
    pub mines: Paired,
    pub adjusted_mines: Paired,
    pub costs: Paired,
}

impl Comparison {
    /// Pairs the results of A and B.
    ///
    /// # Errors
    /// Fails if a board was played, or its cost judged, by other options.
    pub fn of(results: &[BoardResults; 2]) -> Result<Comparison> {
        let [a, b] = results;
        let paired: Vec<[&BoardResult; 2]> =
            a.iter().filter_map(|(index, a)| Some([a, b.get(index)?])).collect();
        paired.iter().try_for_each(check_options)?;
        // Games won as 0 or 100, so that differences are percentage points. The files do not state
        // the number of mines of a board.
        let mut wins = Paired::percent("wins %");
        let mut adjusted_wins = Paired::values("wins %, adjusted", 2, 100.0);
        let mut mines = Paired::mines("mines", f64::INFINITY);
        let mut adjusted_mines = Paired::mines("mines, adjusted", f64::INFINITY);
        let mut costs = Paired::mines("cost", f64::INFINITY);
        let (mut won, mut faults) = ([0; 2], [BTreeMap::new(), BTreeMap::new()]);
        for pair in &paired {
            wins.add(pair.map(|result| Some(100.0 * f64::from(result.won))));
            adjusted_wins.add(pair.map(|result| result.adjusted_won.map(|won| 100.0 * won)));
            mines.add(pair.map(|result| result.hits.map(f64::from)));
            adjusted_mines.add(pair.map(|result| result.adjusted_hits));
            costs.add(pair.map(|result| result.cost.flatten()));
            for side in 0..2 {
                won[side] += usize::from(pair[side].won == 1);
                if let Some(fault) = pair[side].fault() {
                    *faults[side].entry(fault.to_owned()).or_default() += 1;
                }
            }
        }
        let boards = paired.len();
        let have_costs = |pair: &&[&BoardResult; 2]| pair.iter().all(|one| one.cost.is_some());
        let have_costs = paired.iter().filter(have_costs).count();
        Ok(Comparison {
            boards,
            only: results.each_ref().map(|results| results.len() - boards),
            without_hits: boards - mines.difference.count() as usize,
            without_cost: have_costs - costs.difference.count() as usize,
            won,
            faults,
            wins,
            adjusted_wins,
            mines,
            adjusted_mines,
            costs,
        })
    }

    /// The measures that a board has.
    pub fn measures(&self) -> impl Iterator<Item = &Paired> {
        let Comparison { wins, adjusted_wins, mines, adjusted_mines, costs, .. } = self;
        let measures = [wins, adjusted_wins, mines, adjusted_mines, costs];
        measures.into_iter().filter(|measure| measure.difference.count() > 0)
    }

    /// Whether each board of the two tables has the same value in both, by every measure.
    pub fn is_same(&self) -> bool {
        let skipped = self.only[0] + self.only[1] + self.without_hits + self.without_cost;
        skipped == 0 && self.measures().all(|measure| measure.differing() == 0)
    }
}

/// Checks that the results are of the same board, and that the costs are above the same policy.
fn check_options([a, b]: &[&BoardResult; 2]) -> Result<()> {
    for (of_a, of_b, what) in [
        (&a.options, &b.options, "boards of one seed differ by other options"),
        (&a.policy, &b.policy, "costs by other options have another scale"),
    ] {
        if let (Some(of_a), Some(of_b)) = (of_a, of_b) {
            ensure!(of_a == of_b, "board {}: A is by `{of_a}`, and B by `{of_b}`; {what}", a.index);
        }
    }
    Ok(())
}
