//! The judge's output functions, which this program shares.

#[path = "../judge/cli/output.rs"]
pub mod output;
