//! A list of layouts as bits: which of them show a value in a cell.
//!
//! A set of the layouts of a universe is a bit for each of them, in words of 64. What a cell splits
//! off a set is a bitwise *and*, and how many layouts it has is a count of ones: 64 layouts at a
//! time. A set that has few of the layouts gets a universe of its own, where its words are full
//! again.
//!
//! Invariant: a universe has the cells that show different values in its layouts; every layout
//! shows exactly one of the values of each of them.
//!
//! Cost: filling a universe takes a pass over the values of its cells in its layouts.

use crate::search::endgame::layouts::{Layouts, MINE};

/// The layouts in a word of a set.
const WORD: usize = u64::BITS as usize;

/// The values that a cell can show.
const VALUES: usize = MINE as usize + 1;

/// The words of a set in a universe of `len` layouts.
pub fn words_for(len: usize) -> usize {
    len.div_ceil(WORD)
}

/// Some layouts of a list, and what their cells show in them; its memory is reused.
#[derive(Default)]
pub struct Universe {
    /// The number of each layout in the list.
    layouts: Vec<u32>,
    /// The words of a set.
    words: usize,
    /// The numbers of the cells that show different values.
    cells: Vec<u32>,
    /// By cell, the first of its values; and the number of all values.
    first_values: Vec<u32>,
    /// The values that each cell shows, by increasing value.
    values: Vec<u8>,
    /// For each of the values, the set of the layouts that show it.
    masks: Vec<u64>,
}

impl Universe {
    /// Makes this the universe of the layouts with these numbers and of those of the cells with
    /// these numbers that show different values in them.
    pub fn fill(
        &mut self,
        list: &Layouts,
        layouts: impl Iterator<Item = u32>,
        cells: impl Iterator<Item = u32>,
    ) {
        self.layouts.clear();
        self.layouts.extend(layouts);
        self.words = words_for(self.layouts.len());
        self.cells.clear();
        self.first_values.clear();
        self.values.clear();
        self.masks.clear();
        for cell in cells {
            self.push_cell(cell, list.values(cell as usize));
        }
        self.first_values.push(self.values.len() as u32);
    }

    /// Adds a cell that shows these values, by layout, unless it shows the same in all of them.
    fn push_cell(&mut self, cell: u32, shown: &[u8]) {
        let Universe { layouts, words, cells, first_values, values, masks } = self;
        let (first_value, first_mask) = (values.len(), masks.len());
        // All values at first, in the order of the words.
        masks.resize(first_mask + *words * VALUES, 0);
        let mut is_shown = [false; VALUES];
        for (word, layouts) in layouts.chunks(WORD).enumerate() {
            // Neighbouring layouts often show the same: they must not wait for each other.
            let mut ones = [[0_u64; 16]; 4];
            for (bit, &layout) in layouts.iter().enumerate() {
                ones[bit % 4][usize::from(shown[layout as usize] & 15)] |= 1 << bit;
            }
            for value in 0..VALUES {
                let ones = ones[0][value] | ones[1][value] | ones[2][value] | ones[3][value];
                masks[first_mask + value * *words + word] = ones;
                is_shown[value] |= ones != 0;
            }
        }
        let mut end = first_mask;
        for value in (0..VALUES).filter(|&value| is_shown[value]) {
            let start = first_mask + value * *words;
            masks.copy_within(start..start + *words, end);
            values.push(value as u8);
            end += *words;
        }
        if values.len() - first_value < 2 {
            values.truncate(first_value);
            end = first_mask;
        } else {
            cells.push(cell);
            first_values.push(first_value as u32);
        }
        masks.truncate(end);
    }

    /// The words of a set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of a cell in the list.
    pub fn cell(&self, index: u32) -> u32 {
        self.cells[index as usize]
    }

    /// The values that a cell shows, each with the set of the layouts that show it.
    pub fn values(&self, index: u32) -> impl Iterator<Item = (u8, &[u64])> {
        let first = self.first_values[index as usize] as usize;
        let end = self.first_values[index as usize + 1] as usize;
        let masks = self.masks[first * self.words..end * self.words].chunks_exact(self.words);
        self.values[first..end].iter().copied().zip(masks)
    }

    /// The layouts in which a cell is a mine; `None` if it is safe in all of them.
    pub fn mined(&self, index: u32) -> Option<&[u64]> {
        let last = self.first_values[index as usize + 1] as usize - 1;
        (self.values[last] == MINE).then(|| &self.masks[last * self.words..(last + 1) * self.words])
    }

    /// Pushes the set of all layouts to a stack of words.
    pub fn push_all(&self, stack: &mut Vec<u64>) {
        let len = self.layouts.len();
        stack.extend(std::iter::repeat_n(u64::MAX, len / WORD));
        if !len.is_multiple_of(WORD) {
            stack.push((1 << (len % WORD)) - 1);
        }
    }

    /// The numbers of the layouts of a set.
    pub fn layouts_of(&self, set: &[u64]) -> impl Iterator<Item = u32> + Clone {
        set.iter().zip(self.layouts.chunks(WORD)).flat_map(|(&word, layouts)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    layouts[bit]
                })
            })
        })
    }
}

/// The layouts that two sets of a universe share.
pub fn common_len(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::deduction::groups::deducer::{Deducer, Reach};
    use crate::kit::rng::Random;
    use crate::settings::budget::Budget;

    /// The layouts of an untouched 4x4 field with 4 mines: 1,820, in 29 words.
    fn layouts() -> Layouts {
        let board: Board = "4 4 4\n....\n....\n....\n....\n".parse().unwrap();
        let position = board.position();
        let mut deducer = Deducer::default();
        let undecided = deducer.run(&position, Reach::FixedPoint).unwrap().undecided();
        Layouts::list(&board, &undecided, usize::MAX, &mut Budget::unlimited()).unwrap()
    }

    #[test]
    fn bits_say_what_the_list_says() {
        let list = layouts();
        assert_eq!(list.len(), 1_820);
        let mut random = Random::new(1);
        let mut universe = Universe::default();
        let (mut missing_cells, mut full_words) = (0, 0);
        for case in 0..2_000 {
            // Every eighth list fills its words.
            let len = if case % 8 == 0 { WORD * (1 + case % 5) } else { 1 + random.below(300) };
            let first = random.below(list.len());
            // 11 has no divisor in common with 1,820, so that no layout comes twice.
            let number = |index| ((first + 11 * index) % list.len()) as u32;
            let mut numbers: Vec<u32> = (0..len).map(number).collect();
            numbers.sort_unstable();
            let cells: Vec<u32> = (0..16).filter(|_| random.below(4) > 0).collect();
            universe.fill(&list, numbers.iter().copied(), cells.iter().copied());

            assert_eq!(universe.words(), numbers.len().div_ceil(64));
            full_words += usize::from(numbers.len().is_multiple_of(64));
            let mut all = vec![7];
            universe.push_all(&mut all);
            assert_eq!(all.len(), 1 + universe.words());
            let all = &all[1..];
            assert_eq!(universe.layouts_of(all).collect::<Vec<_>>(), numbers);

            let shown = |cell: u32, value| {
                let values = list.values(cell as usize);
                let shows = |number: &u32| values[*number as usize] == value;
                numbers.iter().copied().filter(shows).collect::<Vec<u32>>()
            };
            let values_of = |cell| (0..=MINE).filter(move |&value| !shown(cell, value).is_empty());
            let differing = cells.iter().filter(|&&cell| values_of(cell).count() > 1);
            let kept: Vec<u32> = (0..universe.len() as u32).map(|i| universe.cell(i)).collect();
            assert_eq!(kept, differing.copied().collect::<Vec<_>>());
            missing_cells += cells.len() - kept.len();
            for (index, &cell) in kept.iter().enumerate() {
                let index = index as u32;
                let found: Vec<(u8, Vec<u32>)> = universe
                    .values(index)
                    .map(|(value, set)| (value, universe.layouts_of(set).collect()))
                    .collect();
                let expected: Vec<_> =
                    values_of(cell).map(|value| (value, shown(cell, value))).collect();
                assert_eq!(found, expected);
                for (value, set) in universe.values(index) {
                    assert_eq!(common_len(all, set) as usize, shown(cell, value).len());
                }
                let mined = universe
                    .mined(index)
                    .map_or(vec![], |set| universe.layouts_of(set).collect::<Vec<_>>());
                assert_eq!(mined, shown(cell, MINE));
            }
        }
        assert!(missing_cells > 100, "{missing_cells}");
        assert!(full_words > 50, "{full_words}");
    }
}
