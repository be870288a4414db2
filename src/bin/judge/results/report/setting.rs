//! What was played, and how: results may be merged only where all of it is the same.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::boards::Boards;
use crate::cli::level::RuleName;
use crate::cli::parse::option_name;
use crate::cli::strength::Strength;

/// The setting of a run; which of the boards were played is no part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The package's version and commit: another one may play otherwise.
    pub version: String,
    /// The level and the first cell, or the file of boards.
    pub boards: Value,
    pub rule: String,
    pub objective: String,
    pub effort: String,
}

impl Setting {
    pub fn new(boards: &Boards, rule: RuleName, strength: &Strength) -> Setting {
        Setting {
            version: sapper::bot::serve::version(),
            boards: boards.source(),
            rule: option_name(&rule),
            objective: option_name(&strength.objective(rule)),
            effort: strength.effort(),
        }
    }

    fn parts(&self) -> [(&'static str, String); 5] {
        let Setting { version, rule, objective, effort, boards } = self;
        // A file of boards is the same under any name.
        let sum = boards["crc32"].as_str().map(|sum| format!("a file of CRC-32 {sum}"));
        [
            ("version", version.clone()),
            ("source of boards", sum.unwrap_or_else(|| self.title())),
            ("rule", rule.clone()),
            ("objective", objective.clone()),
            ("effort", effort.clone()),
        ]
    }

    /// What `self` does not share with `other`, in words.
    pub fn difference(&self, other: &Setting) -> Option<String> {
        let parts = self.parts().into_iter().zip(other.parts());
        let unequal = parts.filter(|(a, b)| a != b);
        let words: Vec<String> =
            unequal.map(|((what, a), (_, b))| format!("its {what} is {a}, not {b}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The boards in words: `30x16/99, first click 0,0`.
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
