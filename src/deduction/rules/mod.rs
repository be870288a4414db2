//! The rules of group deduction.
//!
//! | rule | tried on | conclusion |
//! |---|---|---|
//! | [`decide`] | a trivial group | its cells are safe, or mines; they leave all other groups |
//! | [`subset`] | two groups that share cells | the larger one becomes the difference |
//! | [`overlap`] | two groups that share cells | three parts, two of them trivial |
//! | [`total`] | the position | the mines left are a group like any other |
//!
//! The table is in order of cost: all trivial groups come before any pair, and all pairs before the
//! total. On one subject, a rule is tried only if no rule above it applies. Each rule is a file
//! with a function `apply`, which changes the working set ([`GroupStore`]) and, where another rule
//! is tried next, returns whether it did.
//!
//! A rule must keep four promises:
//!
//! - The groups that it retires and those that it derives, with the verdicts, have the same
//!   layouts.
//! - It decides a cell or lowers the sum of the sizes of the live groups, so the fixed point is
//!   reached.
//! - It adds a cell to no more groups than it removes it from ([`GroupStore`] has room for nine).
//! - It retires groups of its subject only, because the caller goes on with the others.
//!
//! # Adding a rule
//!
//! 1. Write `rules/<name>.rs` with `apply(groups, subject)`. The subject is a trivial group, a
//!    [`Pair`] or the position; a rule for three groups takes a pair and looks for the third with
//!    [`GroupStore::overlaps`].
//! 2. Declare the module below, and add it to the table above. A rule for pairs is called by
//!    [`on_pair`], the others by the loop in `deducer.rs`; a rule that should also use the mine
//!    total, by `Remainder::compare` in `total.rs`.
//! 3. Add the rule to `applicable` in `tests/deduction.rs`, the slow twin that tries every rule on
//!    every group, and run `cargo test --test deduction`: it compares all verdicts, and the groups
//!    that are left, with enumeration.
//! 4. A rule changes which turns deduction decides, and with them the signature: see "Changing
//!    play" in `lib.rs`.

pub(super) mod decide;
mod overlap;
mod subset;
pub(super) mod total;

use crate::board::group::Contradiction;
use crate::deduction::group_store::{Effect, GroupStore, Pair};

/// Tries the rules for two live groups that share cells.
pub(super) fn on_pair(groups: &mut GroupStore, pair: Pair) -> Result<(), Contradiction> {
    if subset::apply(groups, pair)? == Effect::Unchanged {
        overlap::apply(groups, pair)?;
    }
    Ok(())
}
