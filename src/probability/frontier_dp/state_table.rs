//! The states of one layer, found by their keys: a hash table with open addressing.
//!
//! The key of a state packs the required mines of all open constraints into words, one slot for
//! each. Keys are needed for two adjacent layers only.
//!
//! Invariant: the table is at most half full.

/// How keys store the slots of an elimination order.
#[derive(Clone, Copy)]
pub(super) struct KeyLayout {
    bits_per_slot: u32,
    slots_per_word: u32,
}

impl KeyLayout {
    /// The layout for slots that hold up to `max_mines`.
    pub(super) fn new(max_mines: u32) -> KeyLayout {
        let bits_per_slot = (u32::BITS - max_mines.leading_zeros()).max(4);
        KeyLayout { bits_per_slot, slots_per_word: u64::BITS / bits_per_slot }
    }

    /// The number of words for so many slots.
    pub(super) fn words(self, slots: u32) -> u32 {
        slots.div_ceil(self.slots_per_word)
    }

    /// The word of a slot, and its lowest bit.
    pub(super) fn position(self, slot: u32) -> (usize, u32) {
        let word = slot / self.slots_per_word;
        (word as usize, (slot % self.slots_per_word) * self.bits_per_slot)
    }

    /// The value of the slot whose lowest bit is `shift`.
    pub(super) fn value(self, word: u64, shift: u32) -> u32 {
        (word >> shift & ((1 << self.bits_per_slot) - 1)) as u32
    }
}

/// The states of one layer after another, by keys; its memory is reused.
///
/// The caller owns the keys, in the order of the states.
#[derive(Default)]
pub(super) struct StateTable {
    /// By bucket, the index of a state in its layer, plus one; zero for a free bucket.
    buckets: Vec<u32>,
}

impl StateTable {
    /// Begins a layer without states, with room for `capacity` buckets.
    pub(super) fn reset(&mut self, capacity: usize) {
        self.buckets.clear();
        self.buckets.resize(capacity.next_power_of_two().max(16), 0);
    }

    /// The index in the layer of the state with this key, among the states with these `keys`. For a
    /// new key it is the next index; the caller must then append the key.
    pub(super) fn find_or_reserve<const N: usize>(
        &mut self,
        key: [u64; N],
        keys: &[[u64; N]],
    ) -> usize {
        if 2 * (keys.len() + 1) > self.buckets.len() {
            self.grow(keys);
        }
        let mut bucket = self.bucket(&key);
        loop {
            match self.buckets[bucket] {
                0 => {
                    self.buckets[bucket] = keys.len() as u32 + 1;
                    return keys.len();
                }
                entry if keys[entry as usize - 1] == key => return entry as usize - 1,
                _ => bucket = (bucket + 1) & (self.buckets.len() - 1),
            }
        }
    }

    fn grow<const N: usize>(&mut self, keys: &[[u64; N]]) {
        self.reset(4 * (keys.len() + 1));
        for (index, key) in keys.iter().enumerate() {
            let mut bucket = self.bucket(key);
            while self.buckets[bucket] != 0 {
                bucket = (bucket + 1) & (self.buckets.len() - 1);
            }
            self.buckets[bucket] = index as u32 + 1;
        }
    }

    /// The bucket at which the search for a key starts.
    fn bucket<const N: usize>(&self, key: &[u64; N]) -> usize {
        // Fibonacci hashing of each word; the high bits are mixed best.
        let mix = |hash: u64, word: &u64| {
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        (key.iter().fold(0, mix) >> 32) as usize & (self.buckets.len() - 1)
    }
}
