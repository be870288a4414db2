//! What the parts of an explanation are written from.

use sapper::analysis::Analysis;

use crate::cli::position::Input;

/// A position that is being explained.
pub struct Explained<'a> {
    pub input: &'a Input,
    pub analysis: &'a Analysis,
    pub density: Option<f64>,
}
