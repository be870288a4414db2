//! A layout drawn at random: each that fits is as likely as any other.
//!
//! Counting leaves, for every component and every number of mines in it, how many ways lead to each state of
//! its frontier. Walked backward, these are the chances of what comes before: how many mines each component
//! holds is drawn by the weight of what is still to come, then the mines of block after block from its
//! last state to its first, then the cells within a block, and the mines left among the cells nobody sees.
//!
//! Invariant: nothing is drawn but layouts that fit, each as likely as its weight says.
//!
//! Cost: one walk over the edges of every component, and over the hidden cells.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::rng::Random;
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::{ComponentCounter, CountedComponent};
use crate::probability::mine_total::ComponentChain;
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::{Weight, small_binomial};

/// How often a layout is drawn in which a cell is safe, before it is given up.
const MOST_DRAWS: usize = 1000;

/// What is drawn from: the cells that no component holds.
#[derive(Default)]
pub struct FreeCells {
    /// Mines in every layout.
    pub known: Vec<Cell>,
    /// Cells nobody sees, in any order.
    pub unseen: Vec<Cell>,
}

/// A game could not be played to its end: no time, no nodes, or no exact odds.
#[derive(Debug)]
pub struct PlayoutAborted;

impl From<BudgetExhausted> for PlayoutAborted {
    fn from(_: BudgetExhausted) -> PlayoutAborted {
        PlayoutAborted
    }
}

/// Where layouts come from, and the last one drawn.
#[derive(Default)]
pub struct LayoutSampler {
    /// What is drawn from.
    pub free_cells: FreeCells,
    /// The mines of the last layout.
    pub mines: Vec<Cell>,
}

impl LayoutSampler {
    /// Draws a layout of the last run of `solver`.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where that was not exact, or `budget` has no node left for every mine.
    pub fn draw(
        &mut self,
        solver: &ProbabilitySolver,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        let found = solver.draw(&mut self.free_cells, random, &mut self.mines);
        budget.spend(self.mines.len() as u64)?;
        if found { Ok(()) } else { Err(PlayoutAborted) }
    }

    /// Draws until `cell` is safe.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where that was not exact, `cell` is hardly ever safe, or `budget` has no node left for every mine.
    pub fn draw_safe(
        &mut self,
        solver: &ProbabilitySolver,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        for _ in 0..MOST_DRAWS {
            self.draw(solver, random, budget)?;
            if !self.mines.contains(&cell) {
                return Ok(());
            }
        }
        Err(PlayoutAborted)
    }
}

impl ProbabilitySolver {
    /// What [`ProbabilitySolver::draw`] draws from, for the position of the last run.
    pub fn fill(&self, position: &Position, deducer: &Deducer, free_cells: &mut FreeCells) {
        let in_components = self.partition.components().iter();
        let mut seen: Vec<Cell> =
            in_components.flat_map(|component| self.partition.cells(component)).copied().collect();
        seen.sort_unstable();
        let is_unseen =
            |cell: &Cell| deducer.verdict(*cell).is_none() && seen.binary_search(cell).is_err();
        free_cells.known.clear();
        free_cells.known.extend_from_slice(deducer.mines());
        free_cells.unseen.clear();
        free_cells.unseen.extend(position.hidden.iter().copied().filter(is_unseen));
    }

    /// Draws one of the layouts of the last run, which was exact; each is as likely. Its mines go to `mines`.
    ///
    /// Returns false where there is none to draw.
    pub fn draw(
        &self,
        free_cells: &mut FreeCells,
        random: &mut Random,
        mines: &mut Vec<Cell>,
    ) -> bool {
        mines.clear();
        if self.odds().layouts().is_none() {
            return false;
        }
        if self.rows.is_wide {
            self.rows.wide.draw(&self.partition, free_cells, random, mines)
        } else {
            self.rows.plain.draw(&self.partition, free_cells, random, mines)
        }
    }
}

impl<W: Weight> ComponentChain<W> {
    /// Adds the mines of one layout to `mines`, after a run that was exact.
    ///
    /// Returns false, with `mines` to be thrown away, where there is none to draw.
    pub fn draw(
        &self,
        partition: &Partition,
        free_cells: &mut FreeCells,
        random: &mut Random,
        mines: &mut Vec<Cell>,
    ) -> bool {
        mines.extend_from_slice(&free_cells.known);
        // The place in `after` between the components drawn and those to come, as an offset in its stage.
        let mut offset = 0;
        for place in 0..self.parts.len() {
            let part = &self.parts[place];
            let Ok(counted) = &part.counted else { return false };
            let component = &partition.components()[part.component];
            let histogram = &self.histograms[part.histogram.clone()];
            let after = &self.after[self.stages[place + 1].values.clone()];
            let weights = histogram.iter().zip(&after[offset..]).map(|(a, b)| a.times(*b));
            let whole = self.after[self.stages[place].values.clone()][offset];
            let Some(drawn) = pick(weights, whole, random) else { return false };
            offset += drawn;
            let in_component = (part.fewest + drawn) as u32;
            let found = self.counter.draw(counted, in_component, random, |block, many, random| {
                draw_cells(partition.block(component, block), many, random, mines);
            });
            if !found {
                return false;
            }
        }
        let left = self.mines - self.stages[self.parts.len()].fewest - offset;
        if left > free_cells.unseen.len() {
            return false;
        }
        for place in 0..left {
            let other = place + random.below(free_cells.unseen.len() - place);
            free_cells.unseen.swap(place, other);
        }
        mines.extend_from_slice(&free_cells.unseen[..left]);
        true
    }
}

impl<W: Weight> ComponentCounter<W> {
    /// Draws a layout of a component that holds `mines` mines; `visit` gets each block with its mines.
    ///
    /// Returns false where there is none.
    fn draw(
        &self,
        counted: &CountedComponent,
        mut mines: u32,
        random: &mut Random,
        mut visit: impl FnMut(usize, u32, &mut Random),
    ) -> bool {
        let mut state = counted.last;
        for layer in self.layers[counted.layers.clone()].iter().rev() {
            let here = self.states[state];
            let Some(whole) = mines.checked_sub(here.first).filter(|&entry| entry < here.len)
            else {
                return false;
            };
            let whole = self.forward[here.values + whole as usize];
            let edges = &self.edges[layer.edges.clone()];
            let weights = edges.iter().map(|edge| {
                let from = self.states[edge.from as usize];
                let entry = mines.checked_sub(edge.mines + from.first);
                match entry.filter(|&entry| edge.to as usize == state && entry < from.len) {
                    Some(entry) => {
                        let ways = W::whole(small_binomial(layer.size, edge.mines));
                        self.forward[from.values + entry as usize].times(ways)
                    }
                    None => W::ZERO,
                }
            });
            let Some(drawn) = pick(weights, whole, random) else { return false };
            let edge = edges[drawn];
            visit(layer.block as usize, edge.mines, random);
            mines -= edge.mines;
            state = edge.from as usize;
        }
        true
    }
}

/// The number of one of `weights`, drawn as each weighs; `whole` is their sum up to rounding.
fn pick<W: Weight>(
    weights: impl Iterator<Item = W>,
    whole: W,
    random: &mut Random,
) -> Option<usize> {
    if whole.is_zero() {
        return None;
    }
    let mut left = random.next_f64();
    let mut last = None;
    for (number, weight) in weights.enumerate().filter(|(_, weight)| !weight.is_zero()) {
        last = Some(number);
        left -= weight.share_of(whole);
        if left < 0.0 {
            break;
        }
    }
    // Where rounding leaves a little over, it is the last one's.
    last
}

/// Adds `many` of `cells`, any as likely as others.
fn draw_cells(cells: &[Cell], many: u32, random: &mut Random, drawn: &mut Vec<Cell>) {
    let mut many = many as usize;
    for (place, &cell) in cells.iter().enumerate() {
        if random.below(cells.len() - place) < many {
            many -= 1;
            drawn.push(cell);
        }
    }
}
