//! The rules of group deduction.
//!
//! | rule | tried on | conclusion |
//! |---|---|---|
//! | [`decide`] | a trivial group | its cells are safe, or mines; they leave all other groups |
//! | [`subset`] | two groups that share cells | the larger one becomes the difference |
//! | [`overlap`] | two groups that share cells | three parts, two of them trivial |
//! | [`total`] | the position | the mines left are a group like any other |
//!
//! The table is in order of cost, and so are the functions below: a rule is tried only where no rule
//! above it applies. Each rule is a file with a function `apply`, which changes the working set
//! ([`GroupStore`]) and returns whether it did.
//!
//! Every rule keeps the set of layouts: the groups it retires and those it derives, with the
//! verdicts, have the same layouts. Every application decides a cell or lowers the sum of the sizes
//! of the live groups, so that the fixed point is reached.
//!
//! To add a rule:
//!
//! 1. Write `rules/<name>.rs` with `apply(groups, subject) -> Result<Effect, Contradiction>`, whose
//!    subject is a trivial group, a [`Pair`] or the [`Position`].
//! 2. Declare the module here, and append it to the function for its subject and to the table.
//! 3. Derive groups with an existing [`Origin`](crate::deduction::proof::Origin); a new one also
//!    needs an arm in `proof.rs` (which groups it uses) and in `analysis/proof.rs` (its sentence).
//! 4. Try it on every group or pair in `applicable` of `tests/deduction.rs`, the slow twin.
//! 5. Run `cargo test --test deduction`: soundness, proofs and the fixed point against enumeration.

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
