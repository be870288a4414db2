//! What was played, and how. Only results with the same setting may be merged.

use game::rule::Rule;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::report::{Comparable, Entries, entries};
use crate::runner::boards::BoardSource;

/// The setting of a run. It does not include which of the boards were played.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
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
read_from_object!(both Setting);

/// The name of a file of boards does not matter, but its checksum does.
impl Comparable for Setting {
    fn entries(&self) -> Entries {
        let boards = match &self.boards {
            BoardSource::File { crc32, .. } => entries("boards", [("crc32", crc32.clone())]),
            BoardSource::Seeds { level, first } => {
                let first = first.map(|(row, column)| format!("[{row},{column}]"));
                let first = first.unwrap_or_default();
                entries("boards", [("level", level.clone()), ("first", first)])
            }
        };
        let Setting { version, rule, objective, effort, adjusted, .. } = self;
        let texts = [
            ("version", version.clone()),
            ("rule", rule.to_string()),
            ("objective", objective.clone()),
            ("effort", effort.clone()),
            ("adjusted", adjusted.to_string()),
        ];
        let mut all = entries("setting", texts);
        all.extend(boards);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::difference;

    #[test]
    fn files_of_boards_are_compared_by_their_checksums() {
        let of = |file: &str, crc32: &str| Setting {
            version: "1".to_owned(),
            boards: BoardSource::File { file: file.to_owned(), crc32: crc32.to_owned() },
            rule: Rule::Botzone,
            objective: "fewest-hits".to_owned(),
            effort: "fast".to_owned(),
            adjusted: false,
        };
        assert_eq!(difference(&of("a.txt", "1"), &of("b.txt", "1")), None);
        let other = difference(&of("a", "1"), &of("a", "2")).unwrap();
        assert_eq!(other, "crc32 1 instead of 2");
    }
}
