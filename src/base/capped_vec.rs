//! Faults of which there may be a million: the first are kept, the others counted.
//!
//! Whoever reads is told 48 KiB of them at most; what memory the rest would take is better used.

/// The most that are kept: more than are ever told.
pub const MOST: usize = 4000;

/// The first of many, and the number of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CappedVec<T> {
    /// The first [`MOST`].
    pub kept: Vec<T>,
    /// How many more there were.
    pub more: usize,
    /// The last one, where it was not kept.
    last: Option<T>,
}

impl<T> CappedVec<T> {
    /// Adds the next one, made only where it is kept.
    pub fn push_with(&mut self, item: impl FnOnce() -> T) {
        if self.takes_another() {
            self.kept.push(item());
        }
    }

    /// Adds the next one.
    pub fn push(&mut self, item: T) {
        self.push_with(|| item);
    }

    /// Adds the next one, unless it is the last one again.
    pub fn push_other(&mut self, item: T)
    where
        T: PartialEq,
    {
        if self.last.as_ref().or(self.kept.last()) == Some(&item) {
            return;
        }
        if self.takes_another() {
            self.kept.push(item);
        } else {
            self.last = Some(item);
        }
    }

    /// Whether the next one is to be kept; it is counted where it is not.
    fn takes_another(&mut self) -> bool {
        let room = self.kept.len() < MOST;
        self.more += usize::from(!room);
        room
    }
}

impl<T> Default for CappedVec<T> {
    fn default() -> CappedVec<T> {
        CappedVec { kept: Vec::new(), more: 0, last: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_kept_and_the_others_counted() {
        let mut first = CappedVec::default();
        (0..MOST + 3).for_each(|item| first.push(item));
        assert_eq!((first.kept.len(), first.kept[MOST - 1], first.more), (MOST, MOST - 1, 3));
        let mut words = CappedVec::default();
        ["a", "a", "b", "a"].into_iter().for_each(|word| words.push_other(word));
        assert_eq!(words.kept, ["a", "b", "a"]);
        // Beyond what is kept, too.
        let mut many = CappedVec::default();
        (0..MOST).chain([MOST, MOST, MOST + 1, MOST, MOST]).for_each(|item| many.push_other(item));
        assert_eq!((many.kept.len(), many.more), (MOST, 3));
    }
}
