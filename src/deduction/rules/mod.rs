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
//! with a function `apply`, which changes the working set ([`GroupStore`]) and returns whether it
//! did.
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
//! 1. Write `rules/<name>.rs` with `apply(groups, subject) -> Result<Effect, Contradiction>`. The
//!    subject is a trivial group, a [`Pair`] or the [`Position`]; a rule for three groups takes a
//!    pair and looks for the third with [`GroupStore::overlaps`].
//! 2. Declare the module below. Add it to the function for its subject and to the table above; a
//!    rule that should also use the mine total, to `Remainder::compare` in `total.rs`.
//! 3. Derive its groups with a fitting [`Origin`](crate::deduction::proof::Origin), or add one to
//!    `deduction/proof.rs`. `analysis/proof.rs` words it by its name until it has a sentence.
//! 4. Add the rule to `applicable` in `tests/deduction.rs`, the slow twin that tries every rule on
//!    every group, and run `cargo test --test deduction`: it compares all verdicts, and the proofs
//!    of each origin, with enumeration.
//! 5. A rule changes which turns deduction decides, and with them the signature: see "Changing
//!    play" in `lib.rs`.

mod decide;
mod overlap;
mod subset;
mod total;

use crate::board::group::{Contradiction, Position};
use crate::deduction::group_store::{Effect, GroupStore, Pair};
use crate::deduction::proof::GroupId;

/// Tries rules in the given order until one applies.
macro_rules! first_applicable {
    ($groups:expr, $subject:expr, [$($rule:ident),+]) => {{
        $(
            if $rule::apply($groups, $subject)? == Effect::Changed {
                return Ok(Effect::Changed);
            }
        )+
        Ok(Effect::Unchanged)
    }};
}

/// Tries the rules for a live trivial group.
pub(super) fn on_trivial_group(
    groups: &mut GroupStore,
    id: GroupId,
) -> Result<Effect, Contradiction> {
    first_applicable!(groups, id, [decide])
}

/// Tries the rules for two live groups that share cells.
pub(super) fn on_pair(groups: &mut GroupStore, pair: Pair) -> Result<Effect, Contradiction> {
    first_applicable!(groups, pair, [subset, overlap])
}

/// Tries the rules for the position, to which no rule for groups applies.
pub(super) fn on_position(
    groups: &mut GroupStore,
    position: &Position,
) -> Result<Effect, Contradiction> {
    first_applicable!(groups, position, [total])
}
