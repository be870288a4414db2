//! A counting sort of small numbers.

/// The key of a number that is in no bucket.
pub(super) const NO_KEY: u32 = u32::MAX;

/// Numbers sorted by a key, those with the same key in increasing order.
#[derive(Default)]
pub(super) struct Buckets {
    /// For each key, the end of its numbers in `numbers`; the start is the end of the key before.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Buckets {
    /// Sorts the indices of `key_of` by their keys, which are below `keys`. Those with [`NO_KEY`]
    /// are left out. A counting sort.
    pub(super) fn fill(&mut self, keys: usize, key_of: &[u32]) {
        self.ends.clear();
        self.ends.resize(keys, 0);
        for &key in key_of.iter().filter(|&&key| key != NO_KEY) {
            self.ends[key as usize] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.numbers.clear();
        self.numbers.resize(start as usize, 0);
        // Each slot is the start of the remaining numbers of its key, and in the end their end.
        for (number, &key) in (0..).zip(key_of) {
            if key != NO_KEY {
                let slot = &mut self.ends[key as usize];
                self.numbers[*slot as usize] = number;
                *slot += 1;
            }
        }
    }

    /// The numbers with this key.
    pub(super) fn get(&self, key: u32) -> &[u32] {
        let start = if key == 0 { 0 } else { self.ends[key as usize - 1] };
        &self.numbers[start as usize..self.ends[key as usize] as usize]
    }
}
