//! The search of an endgame: depth first over cells and what they show.
//!
//! Invariant: what is known of a set holds whatever the pass: [`Known::min_mine_probability`] is below no play's cost, and some play
//! costs [`Known::most`]. On the way out of every function, the stacks of sets, open sets, cells and branches are as
//! they were on the way in, unless the budget ended.
//!
//! One file, because each function answers in the bounds that another gave, and leaves the stacks as it found them.

use std::ops::Range;

use super::{Endgame, Solution};
use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::objective::Objective;
use crate::base::rng::mix;
use crate::search::endgame::layouts::{Layouts, MINE};

/// What is known of a set's cost.
#[derive(Clone, Copy)]
pub struct Known {
    /// The cost is not below it.
    least: u32,
    /// Some way to play costs no more.
    most: u32,
    /// The last pass that searched the set, and what it found nothing below.
    pass: u32,
    none_below: u32,
}

impl Known {
    const NOTHING: Known = Known { least: 0, most: u32::MAX, pass: 0, none_below: 0 };

    /// Something that a search in `pass` does not come below.
    fn floor(&self, pass: u32) -> u32 {
        if self.pass == pass { self.least.max(self.none_below) } else { self.least }
    }
}

/// A cell that splits a set of layouts.
#[derive(Clone, Copy)]
pub struct Branch {
    cell: u32,
    mined: u32,
    /// What opening it costs at least.
    least: u32,
    /// The sum of the squares of the parts' sizes: the less, the more the cell tells.
    spread: u64,
    /// The same for cells that split the set in the same way.
    split: u64,
}

/// One of the sets that a cell splits a set into.
#[derive(Clone, Copy)]
pub struct Part {
    start: usize,
    end: usize,
    key: u128,
    /// Something that a search in this pass does not come below.
    floor: u32,
}

/// How far a split is followed.
#[derive(Clone, Copy)]
enum Depth {
    OneMove,
    ToTheEnd,
}

/// Below so many layouts a look one move ahead costs as much as it saves.
const WORTH_A_LOOK: usize = 8;

/// How a set is left in a pass.
struct Pass {
    /// How many of its branches are followed to the end.
    width: usize,
    /// Sets of more layouts are not looked ahead of: the fewest mines and the smallest parts decide.
    looked_at: usize,
}

/// The first is for many layouts, of which the second would take more nodes than there are.
const PASSES: [Pass; 4] = [
    Pass { width: 1, looked_at: 64 },
    Pass { width: 1, looked_at: usize::MAX },
    Pass { width: 3, looked_at: usize::MAX },
    Pass { width: usize::MAX, looked_at: usize::MAX },
];

/// Up to so many layouts the second pass is soon done, and the first is left out.
const FEW: usize = 5000;

/// One endgame being solved.
pub struct Search<'s, 'b, 'c> {
    memory: &'s mut Endgame,
    layouts: &'s Layouts,
    objective: Objective,
    budget: &'b mut Budget<'c>,
    pass: u32,
}

/// What a look at a set's cells found.
enum Look {
    /// A cell that is safe in all of the set, and tells something.
    Free(u32),
    /// Every cell that tells something may be a mine: they are the last in `parts`, the fewest mines first.
    Guess,
}

impl<'s, 'b, 'c> Search<'s, 'b, 'c> {
    /// Over the whole of `memory`, which holds all layouts and all cells.
    pub fn new(
        memory: &'s mut Endgame,
        layouts: &'s Layouts,
        objective: Objective,
        budget: &'b mut Budget<'c>,
    ) -> Search<'s, 'b, 'c> {
        Search { memory, layouts, objective, budget, pass: 0 }
    }
}

impl Search<'_, '_, '_> {
    /// The best cell of the whole, by as many passes as the budget allows.
    pub fn best(&mut self) -> Result<Option<Solution>, BudgetExhausted> {
        let (set, all) = (0..self.layouts.len(), 0..self.layouts.cells().len());
        if set.len() < 2 {
            return Ok(None);
        }
        let live = match self.look(set.clone(), all.clone())? {
            Look::Free(cell) => {
                let free = Branch { cell, mined: 0, least: 0, spread: 0, split: 0 };
                self.memory.parts.push(free);
                all
            }
            Look::Guess => {
                let live = self.push_live(0);
                self.look_ahead(set.clone(), 0, &live, u32::MAX)?;
                live
            }
        };
        let mut best = None;
        let first = usize::from(set.len() <= FEW);
        for pass in first..PASSES.len() {
            self.pass = pass as u32;
            let found = self.try_all(&set, &live, &mut best);
            match (found, &mut best) {
                (Ok(()), Some(best)) => best.is_proven = self.is_last(),
                (Err(spent), None) => return Err(spent),
                _ => break,
            }
        }
        Ok(best)
    }

    /// Whether all cells are tried in this pass.
    fn is_last(&self) -> bool {
        self.pass as usize == PASSES.len() - 1
    }

    /// Tries all branches of the whole in this pass, the best so far first; that one is replaced by what costs less.
    fn try_all(
        &mut self,
        set: &Range<usize>,
        live: &Range<usize>,
        best: &mut Option<Solution>,
    ) -> Result<(), BudgetExhausted> {
        let cells = self.layouts.cells();
        let so_far = best.map(|best| best.cell);
        self.memory.parts.sort_by_key(|part| so_far != Some(cells[part.cell as usize]));
        for part in 0..self.memory.parts.len() {
            let bound = best.map_or(u32::MAX, |best| best.cost);
            let Branch { cell, mined, least, .. } = self.memory.parts[part];
            if least >= bound {
                continue;
            }
            let left = bound - mined;
            let cost = self.split(cell, set.clone(), live.clone(), (left, Depth::ToTheEnd))?;
            if cost < left {
                let (cell, cost) = (cells[cell as usize], mined + cost);
                let layouts = set.len() as u32;
                *best = Some(Solution { cell, mined, cost, layouts, is_proven: false });
            }
        }
        Ok(())
    }

    /// The cost of a set of three layouts or more, named by its `key`, where it is below `bound`, else something from
    /// `bound` up that the cost is not below; by what is tried in this pass.
    fn cost(
        &mut self,
        set: Range<usize>,
        key: u128,
        live: Range<usize>,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut known = self.memory.known.get(&key).copied().unwrap_or(Known::NOTHING);
        let floor = known.floor(self.pass);
        if floor >= known.most {
            return Ok(known.most);
        }
        if floor >= bound {
            return Ok(floor);
        }
        let limit = bound.min(known.most);
        let all_tried = self.is_last() || set.len() < WORTH_A_LOOK;
        let first_part = self.memory.parts.len();
        let cost = match self.look(set.clone(), live.clone())? {
            Look::Free(cell) => self.split(cell, set, live, (limit, Depth::ToTheEnd))?,
            Look::Guess => {
                let (cost, least) = self.guess(set, first_part, limit)?;
                known.least = known.least.max(least);
                cost
            }
        };
        known.pass = self.pass;
        known.none_below = cost.min(known.most);
        known.most = if cost < limit { cost } else { known.most };
        if all_tried {
            known.least = known.none_below;
        }
        self.memory.known.insert(key, known);
        Ok(known.none_below)
    }

    fn key_of(&mut self, set: Range<usize>) -> Result<u128, BudgetExhausted> {
        self.budget.spend((set.len() * self.memory.symmetries) as u64)?;
        Ok(self.memory.key_of(set))
    }

    /// The cost of two layouts: nothing where a safe cell tells them apart, else a mine in one of them.
    fn of_two(&mut self, set: Range<usize>, live: Range<usize>) -> u32 {
        let (a, b) =
            (self.memory.sets[set.start] as usize, self.memory.sets[set.start + 1] as usize);
        let told = |&cell: &u32| {
            let values = self.layouts.values(cell as usize);
            let (a, b) = (values[a], values[b]);
            a != b && a != MINE && b != MINE
        };
        u32::from(!self.memory.live[live].iter().any(told))
    }

    /// Looks at every cell of `live` in every layout of `set`.
    fn look(&mut self, set: Range<usize>, live: Range<usize>) -> Result<Look, BudgetExhausted> {
        self.budget.spend((set.len() * live.len()) as u64)?;
        let first_part = self.memory.parts.len();
        let Endgame { keys, sets, live: cells, parts, .. } = &mut *self.memory;
        let set = &sets[set];
        for &cell in &cells[live] {
            let values = self.layouts.values(cell as usize);
            let (mut counts, mut sums) = ([0_u32; 10], [0_u64; 10]);
            for &layout in set {
                let value = values[layout as usize] as usize;
                counts[value] += 1;
                sums[value] = sums[value].wrapping_add(keys[layout as usize] as u64);
            }
            if counts.contains(&(set.len() as u32)) {
                continue;
            }
            let mined = counts[MINE as usize];
            if mined == 0 {
                parts.truncate(first_part);
                return Ok(Look::Free(cell));
            }
            let spread = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
            // Which number stands for which part does not matter; which part is mines does.
            let numbers = sums[..MINE as usize].iter().map(|&sum| mix(sum));
            let split = numbers.fold(mix(!sums[MINE as usize]), u64::wrapping_add);
            if parts[first_part..].iter().all(|other| other.split != split) {
                parts.push(Branch { cell, mined, least: mined, spread, split });
            }
        }
        parts[first_part..].sort_unstable_by_key(|part| (part.mined, part.spread, part.cell));
        Ok(Look::Guess)
    }

    /// The cells of the branches from `first_part` on, as cells worth looking at further down.
    fn push_live(&mut self, first_part: usize) -> Range<usize> {
        let first_live = self.memory.live.len();
        for part in first_part..self.memory.parts.len() {
            self.memory.live.push(self.memory.parts[part].cell);
        }
        first_live..self.memory.live.len()
    }

    /// A look one move ahead: most branches are out by it, and the others come in a better order.
    fn look_ahead(
        &mut self,
        set: Range<usize>,
        first_part: usize,
        live: &Range<usize>,
        bound: u32,
    ) -> Result<(), BudgetExhausted> {
        for part in first_part..self.memory.parts.len() {
            let Branch { cell, mined, .. } = self.memory.parts[part];
            self.memory.parts[part].least = mined;
            if set.len() >= WORTH_A_LOOK && mined < bound {
                let (set, live) = (set.clone(), live.clone());
                let ahead = self.split(cell, set, live, (bound - mined, Depth::OneMove))?;
                self.memory.parts[part].least += ahead;
            }
        }
        self.memory.parts[first_part..]
            .sort_unstable_by_key(|part| (part.least, part.mined, part.spread, part.cell));
        Ok(())
    }

    /// The cost of the best of the branches from `first_part` on, which are taken away, or something from `bound`
    /// up where none is below; and what the cost is not below.
    fn guess(
        &mut self,
        set: Range<usize>,
        first_part: usize,
        bound: u32,
    ) -> Result<(u32, u32), BudgetExhausted> {
        let live = self.push_live(first_part);
        let Pass { width, looked_at } = PASSES[self.pass as usize];
        if set.len() <= looked_at {
            self.look_ahead(set.clone(), first_part, &live, bound)?;
        }
        let end = self.memory.parts.len();
        let least = self.memory.parts.get(first_part).map_or(0, |part| part.least);
        let mut best = bound;
        let width = if set.len() < WORTH_A_LOOK { usize::MAX } else { width };
        for part in (first_part..end).take(width) {
            let branch = self.memory.parts[part];
            if branch.least >= best {
                break;
            }
            let left = best - branch.mined;
            let limits = (left, Depth::ToTheEnd);
            let cost = self.split(branch.cell, set.clone(), live.clone(), limits)?;
            if cost < left {
                best = branch.mined + cost;
            }
        }
        self.memory.parts.truncate(first_part);
        self.memory.live.truncate(live.start);
        Ok((best, least))
    }

    /// Something that the cost of a set is not below, at the price of one look at it.
    fn min_mine_probability(
        &mut self,
        set: Range<usize>,
        live: Range<usize>,
    ) -> Result<u32, BudgetExhausted> {
        if set.len() == 2 {
            return Ok(self.of_two(set, live));
        }
        let key = self.key_of(set.clone())?;
        if let Some(known) = self.memory.known.get(&key) {
            return Ok(known.least);
        }
        let first_part = self.memory.parts.len();
        let least = match self.look(set, live)? {
            Look::Free(_) => 0,
            Look::Guess => self.memory.parts.get(first_part).map_or(0, |part| part.mined),
        };
        self.memory.parts.truncate(first_part);
        self.memory.known.insert(key, Known { least, ..Known::NOTHING });
        Ok(least)
    }

    /// What is to be paid after opening `cell`, where it is below `bound`, or something that it is not
    /// below.
    fn split(
        &mut self,
        cell: u32,
        set: Range<usize>,
        live: Range<usize>,
        (bound, depth): (u32, Depth),
    ) -> Result<u32, BudgetExhausted> {
        self.budget.spend(set.len() as u64)?;
        let (first_place, first) = (self.memory.sets.len(), self.memory.open.len());
        self.push_parts(cell, set);
        let cost = match depth {
            Depth::OneMove => self.sum_of_least(first, live, bound)?,
            Depth::ToTheEnd => self.sum_of_costs(first, live, bound)?,
        };
        self.memory.sets.truncate(first_place);
        self.memory.open.truncate(first);
        Ok(cost)
    }

    /// Puts what `cell` splits a set into on the stack of sets, and on that of open ones what still costs something: two
    /// layouts or more, unless the game is lost with them.
    fn push_parts(&mut self, cell: u32, set: Range<usize>) {
        let values = self.layouts.values(cell as usize);
        let mut ends = [0_usize; 10];
        for &layout in &self.memory.sets[set.clone()] {
            ends[values[layout as usize] as usize] += 1;
        }
        let first = self.memory.sets.len();
        let mut end = first;
        for slot in &mut ends {
            end += *slot;
            *slot = end - *slot;
        }
        self.memory.sets.resize(end, 0);
        for place in set {
            let layout = self.memory.sets[place];
            let slot = &mut ends[values[layout as usize] as usize];
            self.memory.sets[*slot] = layout;
            *slot += 1;
        }
        let len = if self.objective == Objective::CleanWin { MINE as usize } else { ends.len() };
        let mut start = first;
        for &end in &ends[..len] {
            if end - start > 1 {
                self.memory.open.push(Part { start, end, key: 0, floor: 0 });
            }
            start = end;
        }
    }

    /// What the open parts from `first` on cost at least, at the price of one look at each.
    fn sum_of_least(
        &mut self,
        first: usize,
        live: Range<usize>,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for part in first..self.memory.open.len() {
            let Part { start, end, .. } = self.memory.open[part];
            sum += self.min_mine_probability(start..end, live.clone())?;
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }

    /// What the open parts from `first` on cost, where it is below `bound`. What is known of the others already leaves
    /// less to each.
    fn sum_of_costs(
        &mut self,
        first: usize,
        live: Range<usize>,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for part in first..self.memory.open.len() {
            let Part { start, end, .. } = self.memory.open[part];
            let (key, floor) = if end - start == 2 {
                (0, self.of_two(start..end, live.clone()))
            } else {
                let key = self.key_of(start..end)?;
                (key, self.memory.known.get(&key).map_or(0, |known| known.floor(self.pass)))
            };
            self.memory.open[part] = Part { start, end, key, floor };
            sum += floor;
            if sum >= bound {
                return Ok(sum);
            }
        }
        for part in first..self.memory.open.len() {
            let Part { start, end, key, floor } = self.memory.open[part];
            if end - start > 2 {
                let others = sum - floor;
                sum = others + self.cost(start..end, key, live.clone(), bound - others)?;
            }
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }
}
