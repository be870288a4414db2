//! Components under one mine total: the weight of each component's mines, given all others.
//!
//! All layouts that satisfy the numbers and the total are equally likely. If a component has k
//! mines, the other components and the R unconstrained cells have the rest; r mines fit into the
//! unconstrained cells in C(R, r) ways. So its layouts with k mines are weighted by the number of
//! ways to distribute the rest. The components form a chain; the *prefix* at a boundary counts the
//! ways of the components before it, by their mines, and the *suffix* the ways of everything after
//! it, given the mines before it:
//!
//! ```text
//!   component 1    component 2    component 3    unconstrained cells
//!   prefix ───────►   [k]   ◄─────────────────────────────── suffix
//!        outside(k) = sum over m of prefix(m) x suffix(m + k)
//! ```
//!
//! `ComponentCounter::distribute` then passes `outside` on to the cells of the component.
//!
//! - `chain`: counts the components, combines them, visits every block, and draws random layouts
//! - `products`: prefix and suffix, and the cells outside all components
//! - `estimates`: what replaces a component that is too large to count, or the total if combining
//!   exceeds its limit; neither proves anything

mod chain;
mod estimates;
mod products;

pub use crate::probability::mine_total::chain::{CombineError, ComponentChain};
pub use crate::probability::mine_total::products::Unconstrained;
