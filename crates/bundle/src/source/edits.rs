//! A text with some byte ranges replaced.

use std::ops::Range;

/// Replacements in a text. Their ranges do not overlap.
pub struct Edits<'t> {
    /// The text without the replacements.
    pub text: &'t str,
    replacements: Vec<Replacement>,
}

struct Replacement {
    range: Range<usize>,
    with: String,
}

impl<'t> Edits<'t> {
    /// No replacements in this text.
    pub fn new(text: &'t str) -> Edits<'t> {
        Edits { text, replacements: Vec::new() }
    }

    /// Replaces the range, in bytes of the original text.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.replacements.push(Replacement { range, with: with.into() });
    }

    /// Removes the range, with the rest of its last line where only a comment follows there.
    pub fn remove(&mut self, range: Range<usize>) {
        let rest = &self.text[range.end..];
        let line = rest.split_inclusive('\n').next().unwrap_or("");
        let trimmed = line.trim();
        let tail = if trimmed.is_empty() || trimmed.starts_with("//") { line.len() } else { 0 };
        self.replace(range.start..range.end + tail, "");
    }

    /// Whether the byte at `offset` is in a replaced range.
    pub fn is_replaced(&self, offset: usize) -> bool {
        self.replacements.iter().any(|replacement| replacement.range.contains(&offset))
    }

    /// Returns the text with all replacements made.
    pub fn apply(mut self) -> String {
        self.replacements.sort_by_key(|replacement| replacement.range.start);
        let mut edited = String::with_capacity(self.text.len());
        let mut copied = 0;
        for Replacement { range, with } in self.replacements {
            edited.push_str(&self.text[copied..range.start]);
            edited.push_str(&with);
            copied = range.end;
        }
        edited.push_str(&self.text[copied..]);
        edited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_apply_in_text_order() {
        let mut edits = Edits::new("one two\nthree // x\nfour");
        edits.remove(8..13);
        edits.replace(0..3, "ONE");
        assert_eq!(edits.apply(), "ONE two\nfour");
    }

    #[test]
    fn removal_keeps_code_that_follows_on_the_line() {
        let mut edits = Edits::new("a; b;\n");
        edits.remove(0..2);
        assert_eq!(edits.apply(), " b;\n");
    }
}
