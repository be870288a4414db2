//! The input of all parts of an explanation.

use sapper::analysis::Analysis;

use crate::cli::position::Input;

/// A position with its analysis.
pub struct AnalyzedPosition<'a> {
    pub input: &'a Input,
    pub analysis: &'a Analysis<'a>,
    /// The mine density, if the field states no mine count.
    pub density: Option<f64>,
}
