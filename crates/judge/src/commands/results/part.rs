//! What becomes of a part that is asked for.

use super::figure::Sums;

/// What became of a part.
pub enum PartResult {
    Measured(Measured),
    /// It is on file.
    Known,
    /// It cannot be measured without this, in words, which say how to give it.
    Needs(String),
    /// The judge was interrupted.
    Interrupted,
}

/// A part that was measured.
pub struct Measured {
    /// What tells what was measured from every other ([`super::figure::Figure::play`]).
    pub play: Vec<String>,
    /// The command that measures the part again.
    pub command: String,
    pub sums: Sums,
}
