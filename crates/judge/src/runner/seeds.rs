//! A range of seeds. Each seed determines a board.

/// Seeds from `first` to `last`, both included.
#[derive(Clone, Copy)]
pub struct Seeds {
    pub first: i32,
    pub last: i32,
}

impl Seeds {
    /// The number of seeds.
    pub fn len(self) -> usize {
        (i64::from(self.last) - i64::from(self.first) + 1) as usize
    }

    /// The seed at `index`, counted from 0.
    pub fn get(self, index: usize) -> i32 {
        (i64::from(self.first) + index as i64) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_may_hold_every_seed() {
        let all = Seeds { first: i32::MIN, last: i32::MAX };
        assert_eq!((all.len(), all.get(0), all.get(1 << 31)), (1 << 32, i32::MIN, 0));
    }
}
