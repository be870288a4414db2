//! Group deduction: what follows from sets of cells with a number of mines in each.
//!
//! - [`deducer`]: applies the rules to a fixed point. [`deduced`]: its result.
//! - `store`: the groups and verdicts that the rules change (`GroupStore`).
//! - `rules`: the rules for one group and for two. `total`: the rule for the mine total.
//!
//! | rule | tried on | conclusion |
//! |---|---|---|
//! | `rules::decide` | a trivial group | its cells are safe or mines, and leave all other groups |
//! | `rules::subset` | two groups that share cells | the larger one becomes the difference |
//! | `rules::overlap` | two groups that share cells | three parts, two of them trivial |
//! | `total::apply` | the position | the mines left are a group like any other |
//!
//! The table is in order of cost: all trivial groups come before any pair, and all pairs before the
//! total. On one subject, a rule is tried only if no rule above it applies. Each rule is a function
//! that changes the `GroupStore` and, if another rule is tried next, returns whether it applied.
//!
//! A rule must keep four promises:
//!
//! - The groups that it retires and those that it derives, with the verdicts, have the same
//!   layouts.
//! - It decides a cell or lowers the sum of the sizes of the live groups, so the fixed point is
//!   reached.
//! - It adds a cell to no more groups than it removes it from (`GroupStore` has room for nine).
//! - It retires groups of its subject only, because the caller goes on with the others.
//!
//! # Adding a rule
//!
//! 1. Write a function of the groups and the subject in `rules.rs`, or in a file beside it if it
//!    needs more than a page. The subject is a trivial group, a `Pair` or the position; a rule for
//!    three groups takes a pair and looks for the third with `GroupStore::overlaps`.
//! 2. Add the rule to the table above, and call it: a rule for pairs in `rules::on_pair`, the
//!    others in the loop of `deducer.rs`; a rule that should also use the mine total in
//!    `Remainder::compare` of `total.rs`.
//! 3. Add the rule to `applicable` in `tests/deduction.rs`, the slow twin that tries every rule on
//!    every group, and run `cargo test --test deduction`: it compares all verdicts, and the groups
//!    that are left, with enumeration.
//! 4. A rule changes which turns deduction decides, and with them the signature of play: see
//!    `CONTRIBUTING.md`.

pub mod deduced;
pub mod deducer;
mod rules;
mod store;
mod total;
