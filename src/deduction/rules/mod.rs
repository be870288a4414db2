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
//! Every rule keeps the set of layouts: the groups it retires and those it derives, with the
//! verdicts, have the same layouts. Every application decides a cell or lowers the sum of the sizes
//! of the live groups, so that the fixed point is reached.
//!
//! To add a rule:
//!
//! 1. Write `rules/<name>.rs` with `apply(groups, subject) -> Result<Effect, Contradiction>`. The
//!    subject is a trivial group, a [`Pair`] or the [`Position`].
//! 2. Declare the module below, and add it to the function for its subject and to the table above.
//! 3. Add the rule to `applicable` in `tests/deduction.rs`, the slow twin that tries every rule on
//!    every group.
//! 4. Run `cargo test --test deduction`, which compares verdicts and proofs with enumeration.
//! 5. Reuse an [`Origin`](crate::deduction::proof::Origin) for what the rule derives. If none fits,
//!    add one; the compiler then asks for the groups it depends on (`proof.rs`) and for its
//!    sentence (`analysis/proof.rs`).

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
