//! What was played, and how. Only results with the same setting may be merged.

use game::rule::Rule;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The setting of a run. It does not include which of the boards were played.
#[derive(Clone, Serialize, Deserialize)]
pub struct Setting {
    /// The package's version and commit: another version may play differently.
    pub version: String,
    /// The level and the first cell, or the file of boards.
    pub boards: Value,
    pub rule: Rule,
    pub objective: String,
    pub effort: String,
    /// Whether the results are adjusted too.
    #[serde(default)]
    pub adjusted: bool,
}

impl Setting {
    /// The boards as text, such as `30x16/99, first click 0,0`.
    pub fn title(&self) -> String {
        let text = |key: &str| self.boards[key].as_str();
        match (text("level"), text("file"), self.boards["first"].as_array()) {
            (Some(level), _, Some(first)) => {
                let first: Vec<String> = first.iter().map(Value::to_string).collect();
                format!("{level}, first click {}", first.join(","))
            }
            (Some(level), ..) => level.to_owned(),
            (_, Some(file), _) => file.to_owned(),
            _ => self.boards.to_string(),
        }
    }
}
