//! Optimal play over all layouts that are left.
//!
//! Where the layouts are few enough to be listed ([`crate::layouts`]), what is best is no guess: opening a
//! cell splits the layouts by what it shows, and the value of a set of layouts follows from the values of
//! its parts. What was opened before does not matter beyond the set that it left: whatever is constant in
//! it can be opened for nothing, or is a mine. With costs counted in layouts,
//!
//! ```text
//! cost(S) = 0                                              where S has one layout
//!         = sum over v of cost(S where c shows v)          where some cell c is safe in all of S, and tells
//!         = min over c of mines(c in S) + sum over v of cost(S where c shows v)
//! ```
//!
//! Under *fewest hits* v runs over the mine too, and the cost is the number of mines opened, summed over the
//! layouts. Under *clean win* a layout with a mine there is lost and no more is to be paid for it, so that
//! the cost is the number of layouts lost. Both are whole numbers: the choice compares no floats.
//!
//! Depth first, with memory of every set met (as a sum of random keys of its layouts, 128 bits), bounds
//! passed down, and cells that split a set in the same way looked at once.
//!
//! The slow twin is in `tests/endgame.rs`: the same recursion in its plainest form.
//!
//! Cost: one node is one value of one cell in one layout looked at. The depth of the recursion is at
//! most the number of cells, and every level needs two layouts or more: [`MOST_CELLS`] bounds it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::budget::{Budget, Spent};
use crate::geometry::Cell;
use crate::guess::Objective;
use crate::layouts::{Layouts, MINE};
use crate::random::mix;

/// The most cells that a set of layouts may be over.
pub const MOST_CELLS: usize = 256;

/// The best cell and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// The cell to open.
    pub cell: Cell,
    /// Layouts in which it is a mine.
    pub mined: u32,
    /// Mines opened from here on by optimal play, or layouts lost, summed over all layouts.
    pub cost: u32,
    /// All layouts.
    pub layouts: u32,
}

/// Solves one list of layouts after another, reusing its memory.
#[derive(Default)]
pub struct Endgame {
    keys: Vec<u128>,
    known: HashMap<u128, Known, BuildHasherDefault<KeyHasher>>,
    /// The sets of layouts on the way down, each the numbers of its layouts.
    sets: Vec<u32>,
    /// The cells worth looking at on the way down.
    live: Vec<u32>,
    parts: Vec<Candidate>,
}

/// What is known of a set's cost.
#[derive(Clone, Copy)]
enum Known {
    Exactly(u32),
    AtLeast(u32),
}

/// A cell that splits a set of layouts.
#[derive(Clone, Copy)]
struct Candidate {
    cell: u32,
    mined: u32,
    /// What opening it costs at least.
    least: u32,
    /// The sum of the squares of the parts' sizes: the less, the more the cell tells.
    spread: u64,
    /// The same for cells that split the set in the same way.
    split: u64,
}

impl Endgame {
    /// The best cell under `objective`, or `None` where one layout or none is left, so that nothing is to
    /// be decided.
    ///
    /// # Errors
    /// [`Spent`] where the budget ends first, or there are more than [`MOST_CELLS`] cells.
    pub fn solve(
        &mut self,
        layouts: &Layouts,
        objective: Objective,
        budget: &mut Budget,
    ) -> Result<Option<Best>, Spent> {
        if layouts.cells().len() > MOST_CELLS {
            return Err(Spent { nodes: budget.used() });
        }
        self.keys.clear();
        self.keys.extend((0..layouts.len() as u64).map(key));
        self.known.clear();
        self.sets.clear();
        self.sets.extend(0..layouts.len() as u32);
        self.live.clear();
        self.live.extend(0..layouts.cells().len() as u32);
        self.parts.clear();
        let mut search = Search { memory: self, layouts, objective, budget };
        let (set, live) = (0..layouts.len(), 0..layouts.cells().len());
        search.best(set, live)
    }
}

impl Endgame {
    fn key_of(&self, set: Range<usize>) -> u128 {
        let layouts = self.sets[set].iter();
        layouts.fold(0, |sum: u128, &layout| sum.wrapping_add(self.keys[layout as usize]))
    }
}

/// How far a split is followed.
#[derive(Clone, Copy)]
enum Depth {
    OneMove,
    ToTheEnd,
}

/// Below so many layouts a look one move ahead costs as much as it saves.
const WORTH_A_LOOK: usize = 8;

struct Search<'s, 'b, 'c> {
    memory: &'s mut Endgame,
    layouts: &'s Layouts,
    objective: Objective,
    budget: &'b mut Budget<'c>,
}

/// What a look at a set's cells found.
enum Look {
    /// A cell that is safe in all of the set, and tells something.
    Free(u32),
    /// Every cell that tells something may be a mine: they are the last in `parts`, the fewest mines first.
    Guess,
}

impl Search<'_, '_, '_> {
    /// The best cell of the whole.
    fn best(&mut self, set: Range<usize>, live: Range<usize>) -> Result<Option<Best>, Spent> {
        let layouts = set.len() as u32;
        if layouts < 2 {
            return Ok(None);
        }
        let cells = self.layouts.cells();
        match self.look(set.clone(), live.clone())? {
            Look::Free(cell) => {
                let cost = self.split(cell, set, live, (u32::MAX, Depth::ToTheEnd))?;
                Ok(Some(Best { cell: cells[cell as usize], mined: 0, cost, layouts }))
            }
            Look::Guess => {
                let (number, cost) = self.guess(set, 0, u32::MAX)?;
                let Some(candidate) = number else { return Ok(None) };
                let cell = cells[candidate.cell as usize];
                Ok(Some(Best { cell, mined: candidate.mined, cost, layouts }))
            }
        }
    }

    /// The cost of a set where it is below `bound`, else something from `bound` up that the cost is not
    /// below.
    fn cost(&mut self, set: Range<usize>, live: Range<usize>, bound: u32) -> Result<u32, Spent> {
        if set.len() < 2 {
            return Ok(0);
        }
        let key = self.memory.key_of(set.clone());
        match self.memory.known.get(&key) {
            Some(&Known::Exactly(cost)) => return Ok(cost),
            Some(&Known::AtLeast(cost)) if cost >= bound => return Ok(cost),
            _ => {}
        }
        let first_part = self.memory.parts.len();
        let cost = match self.look(set.clone(), live.clone())? {
            Look::Free(cell) => self.split(cell, set, live, (bound, Depth::ToTheEnd))?,
            Look::Guess => self.guess(set, first_part, bound)?.1,
        };
        let known = if cost < bound { Known::Exactly(cost) } else { Known::AtLeast(cost) };
        self.memory.known.insert(key, known);
        Ok(cost)
    }

    /// Looks at every cell of `live` in every layout of `set`.
    fn look(&mut self, set: Range<usize>, live: Range<usize>) -> Result<Look, Spent> {
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
                parts.push(Candidate { cell, mined, least: mined, spread, split });
            }
        }
        parts[first_part..].sort_unstable_by_key(|part| (part.mined, part.spread, part.cell));
        Ok(Look::Guess)
    }

    /// The best of the candidates from `first_part` on, which are taken away, and its cost; none where none is
    /// below `bound`, with a cost from `bound` up.
    fn guess(
        &mut self,
        set: Range<usize>,
        first_part: usize,
        bound: u32,
    ) -> Result<(Option<Candidate>, u32), Spent> {
        let end = self.memory.parts.len();
        let first_live = self.memory.live.len();
        for part in first_part..end {
            self.memory.live.push(self.memory.parts[part].cell);
        }
        let live = first_live..self.memory.live.len();
        // A look one move ahead: most candidates are out by it, and the others come in a better order.
        for part in first_part..end {
            let Candidate { cell, mined, .. } = self.memory.parts[part];
            self.memory.parts[part].least = mined;
            if set.len() >= WORTH_A_LOOK && mined < bound {
                let (set, live) = (set.clone(), live.clone());
                let ahead = self.split(cell, set, live, (bound - mined, Depth::OneMove))?;
                self.memory.parts[part].least += ahead;
            }
        }
        self.memory.parts[first_part..end]
            .sort_unstable_by_key(|part| (part.least, part.mined, part.spread, part.cell));
        let mut best = (None, bound);
        for part in first_part..end {
            let candidate = self.memory.parts[part];
            if candidate.least >= best.1 {
                break;
            }
            let left = best.1 - candidate.mined;
            let limits = (left, Depth::ToTheEnd);
            let cost = self.split(candidate.cell, set.clone(), live.clone(), limits)?;
            if cost < left {
                best = (Some(candidate), candidate.mined + cost);
            }
        }
        self.memory.parts.truncate(first_part);
        self.memory.live.truncate(first_live);
        Ok(best)
    }

    /// Something that the cost of a set is not below, at the price of one look at it.
    fn least(&mut self, set: Range<usize>, live: Range<usize>) -> Result<u32, Spent> {
        let key = self.memory.key_of(set.clone());
        if let Some(&(Known::Exactly(cost) | Known::AtLeast(cost))) = self.memory.known.get(&key) {
            return Ok(cost);
        }
        let first_part = self.memory.parts.len();
        let least = match self.look(set, live)? {
            Look::Free(_) => 0,
            Look::Guess => self.memory.parts.get(first_part).map_or(0, |part| part.mined),
        };
        self.memory.parts.truncate(first_part);
        self.memory.known.insert(key, Known::AtLeast(least));
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
    ) -> Result<u32, Spent> {
        self.budget.spend(set.len() as u64)?;
        let values = self.layouts.values(cell as usize);
        let mut ends = [0_usize; 10];
        for &layout in &self.memory.sets[set.clone()] {
            ends[values[layout as usize] as usize] += 1;
        }
        let mut end = self.memory.sets.len();
        let first = end;
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
        let mut cost = 0;
        let mut start = first;
        for (value, &end) in ends.iter().enumerate() {
            let part = start..end;
            start = end;
            let is_lost = value == MINE as usize && self.objective == Objective::CleanWin;
            if part.len() < 2 || is_lost {
                continue;
            }
            cost += match depth {
                Depth::OneMove => self.least(part, live.clone())?,
                Depth::ToTheEnd => self.cost(part, live.clone(), bound - cost)?,
            };
            if cost >= bound {
                break;
            }
        }
        self.memory.sets.truncate(first);
        Ok(cost)
    }
}

/// The key of a layout by its number.
fn key(number: u64) -> u128 {
    u128::from(mix(2 * number + 1)) << 64 | u128::from(mix(2 * number + 2))
}

/// Keys are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
