//! A list that stores its first items and counts the rest.
//!
//! An input may hold millions of faults, but only the first few are printed. Storing no more than
//! [`MAX_STORED`] bounds the memory; the count of the others still says how many there were.

/// The number of items that are stored, which is more than are ever printed.
pub const MAX_STORED: usize = 4000;

/// The first [`MAX_STORED`] items pushed, and the number of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CappedVec<T> {
    /// The first items; at most [`MAX_STORED`] unless one was added here directly.
    pub items: Vec<T>,
    /// The number of items that were pushed but not stored.
    pub omitted: usize,
    /// The last item pushed to [`CappedVec::push_dedup`], where it was not stored.
    last_omitted: Option<T>,
}

impl<T> CappedVec<T> {
    /// Adds an item, unless it equals the last one.
    pub fn push_dedup(&mut self, item: T)
    where
        T: PartialEq,
    {
        if self.last_omitted.as_ref().or(self.items.last()) == Some(&item) {
            return;
        }
        if self.items.len() < MAX_STORED {
            self.items.push(item);
        } else {
            self.omitted += 1;
            self.last_omitted = Some(item);
        }
    }
}

impl<T> Default for CappedVec<T> {
    fn default() -> CappedVec<T> {
        CappedVec { items: Vec::new(), omitted: 0, last_omitted: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_items_are_stored_and_the_others_counted() {
        let mut words = CappedVec::default();
        ["a", "a", "b", "a"].into_iter().for_each(|word| words.push_dedup(word));
        assert_eq!(words.items, ["a", "b", "a"]);
        // Omitted items are compared, too.
        let mut many = CappedVec::default();
        let beyond = [MAX_STORED, MAX_STORED, MAX_STORED + 1, MAX_STORED, MAX_STORED];
        (0..MAX_STORED).chain(beyond).for_each(|item| many.push_dedup(item));
        assert_eq!((many.items.len(), many.omitted), (MAX_STORED, 3));
    }
}
