//! The requests of a match, merged as they are read.
//!
//! No request is stored: only the size of the field, the first contradictions to it, and the
//! reported cells. [`crate::protocol::replay`] checks the cells.
//!
//! Invariant: memory grows with the reported cells, 16 bytes for each, and with nothing else.

use std::fmt;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};

use crate::kit::object::read_from_object;
use crate::protocol::number;

/// The keys of the field, in the order of [`History::field`].
const FIELD_KEYS: [&str; 3] = ["height", "width", "minecount"];

/// One entry of the `changed` of a request, still unchecked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(remote = "Self", expecting = "a cell")]
pub struct ChangedCell {
    /// The turn of the request, from 0; the entry does not state it.
    #[serde(skip)]
    pub turn: u32,
    /// The row, from 0.
    #[serde(deserialize_with = "number::row")]
    pub row: i32,
    /// The column, from 0.
    #[serde(rename = "col", deserialize_with = "number::column")]
    pub column: i32,
    /// 0-8 for a number, 9 for a mine.
    #[serde(rename = "val", deserialize_with = "number::value")]
    pub value: i32,
}
read_from_object!(ChangedCell);

/// The request of one turn.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(remote = "Self", default, expecting = "a request")]
pub struct Request {
    /// The number of rows.
    #[serde(deserialize_with = "number::height")]
    pub height: Option<u64>,
    /// The number of columns.
    #[serde(deserialize_with = "number::width")]
    pub width: Option<u64>,
    /// The number of mines.
    #[serde(deserialize_with = "number::minecount")]
    pub minecount: Option<u64>,
    /// The cells that the last answer opened.
    #[serde(deserialize_with = "changed_cells")]
    pub changed: Vec<ChangedCell>,
}
read_from_object!(Request);

/// The requests of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct History {
    /// The number of turns.
    pub turns: u32,
    /// The height, the width and the mine count, each as the first request that has it states it.
    pub field: [Option<u64>; 3],
    /// The first turn that states another value, and that value.
    conflicts: [Option<(u32, u64)>; 3],
    /// The first turn whose request is empty.
    empty: Option<u32>,
    /// The reported cells, each with its turn.
    pub changed: Vec<ChangedCell>,
}

impl History {
    /// Adds the request of the next turn.
    pub fn push(&mut self, request: Request) {
        let turn = self.turns;
        self.turns = turn.saturating_add(1);
        if request == Request::default() {
            self.empty.get_or_insert(turn);
        }
        let Request { height, width, minecount, changed } = request;
        for (key, value) in [height, width, minecount].into_iter().enumerate() {
            let Some(value) = value else { continue };
            if *self.field[key].get_or_insert(value) != value {
                self.conflicts[key].get_or_insert((turn, value));
            }
        }
        self.changed.extend(changed.into_iter().map(|cell| ChangedCell { turn, ..cell }));
    }

    /// What is wrong with the first `turns` requests apart from the reported cells, a line each.
    pub fn warnings(&self, turns: u32) -> Vec<String> {
        let mut warnings = Vec::new();
        for ((key, first), conflict) in FIELD_KEYS.iter().zip(self.field).zip(self.conflicts) {
            let conflict = conflict.filter(|(turn, _)| *turn < turns);
            if let (Some(first), Some((turn, value))) = (first, conflict) {
                warnings.push(format!(
                    "requests[{turn}]: \"{key}\" {value} contradicts {first} before; {first} is \
                     used"
                ));
            }
        }
        let empty = self.empty.filter(|turn| *turn < turns);
        warnings.extend(empty.map(|turn| format!("requests[{turn}] is empty")));
        warnings
    }

    /// The cells that the first `turns` requests report.
    pub fn reported(&self, turns: u32) -> &[ChangedCell] {
        &self.changed[..self.changed.partition_point(|cell| cell.turn < turns)]
    }

    /// The keys of the field that no request has.
    pub fn missing_keys(&self) -> Vec<&'static str> {
        let keys = FIELD_KEYS.into_iter().zip(self.field);
        keys.filter(|(_, value)| value.is_none()).map(|(key, _)| key).collect()
    }
}

/// Reads a list of requests one by one.
impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<History, D::Error> {
        struct HistoryVisitor;
        impl<'de> Visitor<'de> for HistoryVisitor {
            type Value = History;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of requests")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut requests: A) -> Result<History, A::Error> {
                let mut history = History::default();
                while let Some(request) = requests.next_element()? {
                    history.push(request);
                }
                Ok(history)
            }
        }
        deserializer.deserialize_seq(HistoryVisitor)
    }
}

/// Reads a list of cells; null and `""` are the empty list. All cells have turn 0.
///
/// # Errors
/// The value is neither, or an entry is no cell.
pub fn changed_cells<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ChangedCell>, D::Error> {
    struct CellsVisitor;
    impl<'de> Visitor<'de> for CellsVisitor {
        type Value = Vec<ChangedCell>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of cells")
        }
        fn visit_unit<E>(self) -> Result<Vec<ChangedCell>, E> {
            Ok(Vec::new())
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<ChangedCell>, E> {
            match text {
                "" => Ok(Vec::new()),
                _ => Err(E::invalid_type(Unexpected::Str(text), &self)),
            }
        }
        fn visit_seq<A: SeqAccess<'de>>(self, cells: A) -> Result<Vec<ChangedCell>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(cells))
        }
    }
    deserializer.deserialize_any(CellsVisitor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(requests: &str) -> History {
        serde_json::from_str(requests).unwrap()
    }

    #[test]
    fn every_cell_is_stored_with_its_turn() {
        let history = history(
            r#"[{"changed":[{"row":0,"col":1,"val":2}]},{"changed":null},
                {"changed":[{"row":5,"col":0,"val":77},{"row":-1,"col":0,"val":1}]}]"#,
        );
        let cells = history.changed.iter().map(|c| (c.turn, c.row, c.column, c.value));
        assert_eq!(cells.collect::<Vec<_>>(), [(0, 0, 1, 2), (2, 5, 0, 77), (2, -1, 0, 1)]);
        assert_eq!(history.turns, 3);
    }

    #[test]
    fn the_first_value_of_each_key_is_used_and_the_first_conflict_is_a_warning() {
        let history = history(
            r#"[{"height":2},{"height":2,"width":7},{"width":8},{"width":9},{"minecount":0}]"#,
        );
        assert_eq!(history.field, [Some(2), Some(7), Some(0)]);
        assert_eq!(history.missing_keys(), [""; 0]);
        assert_eq!(
            history.warnings(u32::MAX),
            ["requests[2]: \"width\" 8 contradicts 7 before; 7 is used"]
        );
    }

    #[test]
    fn an_empty_request_is_a_turn_and_a_warning() {
        let history = history(r#"[{"width":3},{},{"x":1}]"#);
        assert_eq!((history.turns, history.missing_keys()), (3, vec!["height", "minecount"]));
        assert_eq!(history.warnings(u32::MAX), ["requests[1] is empty"]);
    }
}
