//! The stack of the sets of layouts on the way down the search, and of the parts into which cells
//! split them.
//!
//! Invariant: the layouts of a part are a set on the stack, and the stack is cut to a height that
//! it had before ([`Height`]), so a part never outlives its layouts.

use std::ops::Range;

/// A slice of a stack.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn len(self) -> usize {
        self.end - self.start
    }

    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// One of the sets that a cell splits a set into.
#[derive(Clone, Copy)]
pub struct Part {
    pub set: Span,
    pub key: u128,
    /// A lower bound on what this pass finds.
    pub lower: u32,
}

/// A height of the stack.
#[derive(Clone, Copy)]
pub struct Height {
    layouts: usize,
    parts: usize,
}

/// Sets of layouts, by their numbers, and the parts that may cost something.
pub struct SetStack {
    layouts: Vec<u32>,
    parts: Vec<Part>,
}

impl SetStack {
    /// A stack with the set of all of `layouts` layouts.
    pub fn with_all(layouts: usize) -> SetStack {
        SetStack { layouts: (0..layouts as u32).collect(), parts: Vec::new() }
    }

    /// The layouts of a set.
    pub fn set(&self, set: Span) -> &[u32] {
        &self.layouts[set.range()]
    }

    /// The present height.
    pub fn height(&self) -> Height {
        Height { layouts: self.layouts.len(), parts: self.parts.len() }
    }

    /// Pops what was pushed since the stack had this height.
    pub fn pop_to(&mut self, height: Height) {
        self.layouts.truncate(height.layouts);
        self.parts.truncate(height.parts);
    }

    /// The indices of the parts that were pushed since the stack had this height.
    pub fn parts_since(&self, height: Height) -> Range<usize> {
        height.parts..self.parts.len()
    }

    /// A part.
    pub fn part(&self, index: usize) -> Part {
        self.parts[index]
    }

    /// Replaces a part by the same with other bounds.
    pub fn set_part(&mut self, index: usize, part: Part) {
        self.parts[index] = part;
    }

    /// Pushes the sets into which `set` is split by a cell that shows these `values`, by layout.
    /// The sets of the first `kinds` values that have two layouts or more become parts.
    pub fn split(&mut self, set: Span, values: &[u8], kinds: usize) {
        let SetStack { layouts: sets, parts } = self;
        // A counting sort by value: `ends` are counts, then the starts of the sets, then their
        // ends.
        let mut ends = [0_usize; 10];
        for &layout in &sets[set.range()] {
            ends[values[layout as usize] as usize] += 1;
        }
        let first = sets.len();
        let mut end = first;
        for slot in &mut ends {
            end += *slot;
            *slot = end - *slot;
        }
        sets.resize(end, 0);
        for index in set.range() {
            let layout = sets[index];
            let slot = &mut ends[values[layout as usize] as usize];
            sets[*slot] = layout;
            *slot += 1;
        }
        let mut start = first;
        for &end in &ends[..kinds] {
            if end - start > 1 {
                parts.push(Part { set: Span { start, end }, key: 0, lower: 0 });
            }
            start = end;
        }
    }
}
