//! What was played, and how. Only results with the same setting may be merged.

use game::rule::Rule;
use serde::{Deserialize, Serialize};

use crate::runner::boards::BoardSource;

/// The setting of a run. It does not include which of the boards were played.
#[derive(Clone, Serialize, Deserialize)]
pub struct Setting {
    /// The package's version and commit: another version may play differently.
    pub version: String,
    pub boards: BoardSource,
    pub rule: Rule,
    pub objective: String,
    pub effort: String,
    /// Whether the results are adjusted too.
    #[serde(default)]
    pub adjusted: bool,
}
