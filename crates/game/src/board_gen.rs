//! Boards from seeds: the official board of a seed, or one whose first cell is safe.
//!
//! Where the bot chooses its first cell, the board of a seed is the official one
//! ([`Field::generate`]). The classic rules have no official seeds. For them, all layouts that
//! fulfil the promise about the first cell are equally likely:
//!
//! 1. The cells that may be mines are listed in row-major order: all but the first cell, and under
//!    [`Rule::OpenFirst`](super::rule::Rule::OpenFirst) all but its neighbours too.
//! 2. xoshiro256++ (Blackman and Vigna, 2021) is seeded by SplitMix64 from the sign-extended seed.
//! 3. For k = 0, 1, ..., M - 1, entry k of the list is swapped with entry k + r, where r is drawn
//!    below the number of entries from k on. The first M entries are the mines (Fisher and Yates).
//! 4. A number below n is the upper word of a 64-bit draw times n; a draw whose lower word is less
//!    than 2^64 mod n is rejected (Lemire, 2019), so that every cell is equally likely.
//!
//! The simpler ways fail: moving a mine out of the way favours some layouts, and generating the
//! whole board again may take for ever on a dense board.
//!
//! Invariant: the same arguments give the same layout, on every machine and in every version.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::board_file::Layout;
use super::field::{Field, FieldError};
use super::glibc::Rand;
use super::rule::Start;
use sapper::board::geometry::{Cell, Shape};

/// Generates the layout of a seed.
///
/// # Errors
/// [`FieldError::TooManyMines`] where fewer cells than `mines` may be mines.
pub fn generate(shape: Shape, mines: u32, start: Start, seed: i32) -> Result<Layout, FieldError> {
    let Some(first) = start.first() else {
        let mines = Field::generate(shape, mines, &mut Rand::new(seed))?;
        let mines = mines.mines().map(Cell::index).collect();
        return Ok(Layout::new(shape, mines));
    };
    let mut random = generator(seed);
    let mines = draw(shape, mines, start, &mut random)?;
    Ok(Layout { shape, first, mines })
}

/// The generator of a seed (step 2).
pub(crate) fn generator(seed: i32) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(i64::from(seed) as u64)
}

/// Draws the mines of a layout that keeps the promise of `start` (steps 1, 3 and 4).
///
/// # Errors
/// [`FieldError::TooManyMines`] where fewer cells than `mines` may be mines.
pub(crate) fn draw(
    shape: Shape,
    mines: u32,
    start: Start,
    random: &mut impl Rng,
) -> Result<Vec<usize>, FieldError> {
    let cells = shape.cells().filter(|&cell| !start.protects(cell, shape));
    let mut free: Vec<usize> = cells.map(Cell::index).collect();
    if mines as usize > free.len() {
        return Err(FieldError::TooManyMines { mines, cells: free.len() });
    }
    for k in 0..mines as usize {
        let drawn = below(random, (free.len() - k) as u64);
        free.swap(k, k + drawn as usize);
    }
    free.truncate(mines as usize);
    Ok(free)
}

/// Draws a number below `bound`, which must not be 0; every number is equally likely.
pub fn below(random: &mut impl Rng, bound: u64) -> u64 {
    let rejected = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        if product as u64 >= rejected {
            return (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rule::Rule;
    use sapper::kit::elementary::power;

    fn shape(columns: u64, rows: u64) -> Shape {
        Shape::new(rows, columns).unwrap()
    }

    /// The expected values come from a program in another language, written from the description
    /// above.
    #[test]
    fn layouts_of_a_seed_are_those_described() {
        let mines = |start, seed| generate(shape(30, 16), 99, start, seed).unwrap().mines;
        let corner = Cell::from_index(0);
        let inside = shape(30, 16).cell(3, 3).unwrap();
        assert_eq!(mines(Start::new(Rule::SafeFirst, corner), 1)[..5], [389, 359, 50, 2, 92]);
        assert_eq!(mines(Start::new(Rule::SafeFirst, corner), -7)[94..], [149, 110, 322, 38, 80]);
        assert_eq!(
            mines(Start::new(Rule::OpenFirst, inside), 2026)[94..],
            [375, 385, 266, 180, 174]
        );
    }

    #[test]
    fn all_allowed_layouts_are_equally_likely() {
        // 8 free cells of 9: 28 pairs, 1,000 draws each.
        let mut drawn: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        let first = Cell::from_index(4);
        for seed in 0..28_000 {
            let mut mines =
                generate(shape(3, 3), 2, Start::new(Rule::SafeFirst, first), seed - 14_000)
                    .unwrap()
                    .mines;
            mines.sort_unstable();
            *drawn.entry(mines).or_default() += 1;
        }
        assert_eq!(drawn.len(), 28);
        let chi_square: f64 =
            drawn.values().map(|&n| power(f64::from(n) - 1000.0, 2) / 1000.0).sum();
        // 27 degrees of freedom: a value outside this range has a probability of 0.002.
        assert!((9.8..55.5).contains(&chi_square), "{chi_square}");
        assert!(drawn.keys().all(|mines| !mines.contains(&4)));
    }

    #[test]
    fn an_open_start_has_no_neighbouring_mine() {
        for (row, column, free) in [(0, 0, 16), (0, 2, 14), (2, 2, 11), (3, 4, 16)] {
            let first = shape(5, 4).cell(row, column).unwrap();
            let layout =
                generate(shape(5, 4), free, Start::new(Rule::OpenFirst, first), 5).unwrap();
            assert_eq!(layout.field().value(first), 0);
            assert_eq!(layout.field().mines().count(), free as usize);
            let error =
                generate(shape(5, 4), free + 1, Start::new(Rule::OpenFirst, first), 5).unwrap_err();
            assert_eq!(error, FieldError::TooManyMines { mines: free + 1, cells: free as usize });
        }
    }

    #[test]
    fn a_chosen_start_has_the_official_board() {
        let layout = generate(shape(30, 20), 80, Start::CHOSEN, 12345).unwrap();
        let official = Field::generate(shape(30, 20), 80, &mut Rand::new(12345)).unwrap();
        assert_eq!(layout.field(), official);
        assert!(generate(shape(2, 1), 3, Start::CHOSEN, 1).is_err());
    }
}
