//! What was played, and how. Only results with the same setting may be merged.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::boards::Boards;
use crate::cli::level::RuleName;
use crate::cli::parse::option_name;
use crate::cli::strength::Strength;

/// The setting of a run. It does not include which of the boards were played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The package's version and commit: another version may play differently.
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

    /// The names and values of the parts.
    fn parts(&self) -> [(&'static str, String); 5] {
        let Setting { version, rule, objective, effort, boards } = self;
        // The name of a file of boards does not matter.
        let crc32 = boards["crc32"].as_str().map(|crc32| format!("a file of CRC-32 {crc32}"));
        [
            ("version", version.clone()),
            ("source of boards", crc32.unwrap_or_else(|| self.title())),
            ("rule", rule.clone()),
            ("objective", objective.clone()),
            ("effort", effort.clone()),
        ]
    }

    /// The parts in which `self` differs from `other`, as text; `None` if the two are equal.
    pub fn difference(&self, other: &Setting) -> Option<String> {
        let parts = self.parts().into_iter().zip(other.parts());
        let unequal = parts.filter(|(a, b)| a != b);
        let differences: Vec<String> =
            unequal.map(|((name, a), (_, b))| format!("its {name} is {a}, not {b}")).collect();
        (!differences.is_empty()).then(|| differences.join(", "))
    }

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
