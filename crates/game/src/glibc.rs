//! The C library's `srand` and `rand`, number for number.
//!
//! The official judge draws its mines with them, so the same generator is needed to reproduce a
//! board. glibc's default is the additive generator of degree 31 ("TYPE_3"): a ring of 31 words, in
//! which each new word is the sum of the words 3 and 31 steps ago, modulo 2^32. `rand` returns the
//! word without its lowest bit, which is the weakest.
//!
//! Seeding fills the ring with the multiplicative generator 16807 x mod 2^31 - 1, computed without
//! overflow as 16807 (x mod q) - 2836 (x / q) with q = 127773, in *signed* arithmetic, which
//! determines the result for a negative seed. The first 310 numbers are discarded.
//!
//! Invariant: `ring` holds the last 31 words, and `oldest` is the index of the word 31 steps ago.

const DEGREE: usize = 31;
/// The distance from the word 31 steps ago to the word 3 steps ago.
const SEPARATION: usize = DEGREE - 3;
const DISCARDED: usize = 10 * DEGREE;

/// A seeded generator.
#[derive(Clone, Debug)]
pub struct Rand {
    ring: [u32; DEGREE],
    oldest: usize,
}

impl Rand {
    /// `srand(seed)`. Seed 0 is the same as seed 1.
    pub fn new(seed: i32) -> Rand {
        let mut word = if seed == 0 { 1 } else { seed };
        let mut ring = [0; DEGREE];
        for slot in &mut ring {
            *slot = word as u32;
            word = seeding_step(word);
        }
        // The C library replaces word 3 first, so word 3 is the oldest.
        ring.rotate_left(3);
        let mut rand = Rand { ring, oldest: 0 };
        for _ in 0..DISCARDED {
            rand.draw();
        }
        rand
    }

    /// `rand()`: a number from 0 to 2^31 - 1.
    pub fn draw(&mut self) -> u32 {
        let newer = self.ring[(self.oldest + SEPARATION) % DEGREE];
        let word = self.ring[self.oldest].wrapping_add(newer);
        self.ring[self.oldest] = word;
        self.oldest = (self.oldest + 1) % DEGREE;
        word >> 1
    }

    /// `rand() % bound`, with the same slight bias as the judge.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.draw() % bound
    }
}

fn seeding_step(word: i32) -> i32 {
    let word = i64::from(word);
    let next = 16807 * (word % 127_773) - 2836 * (word / 127_773);
    (if next < 0 { next + 2_147_483_647 } else { next }) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by a C program linked with glibc: the first six numbers, and number 1001.
    const DRAWN: [(i32, [u32; 6], u32); 8] = [
        (0, [1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335], 981914693),
        (1, [1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335], 981914693),
        (2, [1505335290, 1738766719, 190686788, 260874575, 747983061, 906156498], 1682007530),
        (-1, [254925627, 1205188300, 366127624, 1401405153, 76053476, 1604170158], 1216673817),
        (
            i32::MIN,
            [1336741213, 1210407648, 1447044896, 337392383, 82502902, 538660432],
            1917559864,
        ),
        (
            i32::MAX,
            [1065668062, 2142264300, 1066566375, 1064012770, 2141034222, 1065509725],
            1446597600,
        ),
        (
            1_600_000_000,
            [1032180870, 1231148982, 580286605, 1354121684, 1706617300, 663214963],
            947440886,
        ),
        (
            -123_456_789,
            [94112474, 412393332, 1341135822, 1189440131, 1962562623, 880410463],
            1826385074,
        ),
    ];

    #[test]
    fn the_numbers_are_those_of_the_c_library() {
        for (seed, first, later) in DRAWN {
            let mut rand = Rand::new(seed);
            assert_eq!(first, std::array::from_fn(|_| rand.draw()), "seed {seed}");
            assert_eq!(rand.clone().draw(), Rand::new(seed).nth(6));
            assert_eq!(Rand::new(seed).nth(1000), later, "seed {seed}");
        }
    }

    impl Rand {
        fn nth(mut self, skipped: usize) -> u32 {
            for _ in 0..skipped {
                self.draw();
            }
            self.draw()
        }
    }
}
