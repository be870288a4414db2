//! The request of a turn, each of its values read on its own.
//!
//! What the server sends for one match may be anything, and must not end the others. A size or a
//! number of mines that is no whole number counts as absent, since the other turns state it too.
//! Cells that `changed` reports in a way that cannot be read are open, and nobody knows which.
//!
//! Invariant: a request that was read tells every cell that it opens.

use sapper::protocol::Input;
use sapper::protocol::history::changed_cells;
use serde_json::Value;

/// The keys of the field, of which every request has all.
pub const FIELD_KEYS: [&str; 3] = ["height", "width", "minecount"];

/// Reads a request.
///
/// # Errors
/// Why the cells that it opens are not known.
pub fn read(request: &Value) -> Result<Input, String> {
    let changed = changed_cells(&request["changed"]).map_err(|error| {
        let text = error.to_string();
        // The value that was found is left out: it may be as long as the request.
        let why = text.rsplit_once(", expected ").map(|(_, what)| format!("expected {what}"));
        format!("\"changed\" of its request cannot be read: {}", why.unwrap_or(text))
    })?;
    let count = |key: &str| request[key].as_u64();
    let [height, width, minecount] = FIELD_KEYS.map(count);
    Ok(Input { height, width, minecount, changed, ..Input::default() })
}

/// Whether a request is one of Minesweeper, with values of whatever kind.
pub fn is_minesweeper(request: &Value) -> bool {
    FIELD_KEYS.iter().all(|key| request.get(key).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_that_cannot_be_read_are_absent_except_for_cells() {
        for (size, expected) in
            [(json!(5), Some(5)), (json!("5"), None), (json!(1.5), None), (json!({}), None)]
        {
            let read =
                read(&json!({"height": size, "width": 3, "minecount": 2, "requests": [null],
                "time_limit": []}));
            let expected =
                Input { height: expected, width: Some(3), minecount: Some(2), ..Input::default() };
            assert_eq!(read, Ok(expected));
        }
        let bad = [
            (json!({}), "expected a list of cells"),
            (json!("x"), "expected a list of cells"),
            (json!([{"row": 0, "col": 0, "val": 1}, 5]), "expected a cell"),
            (json!([{"row": "x", "col": 0, "val": 1}]), "expected an integer as \"row\""),
            (json!([{"row": 0, "col": 0}]), "missing field `val`"),
            (json!([{"row": 0, "col": 0, "val": 1.5}]), "expected an integer as \"val\""),
        ];
        for (changed, why) in bad {
            let error = read(&json!({"height": 5, "changed": changed})).unwrap_err();
            assert_eq!(error, format!("\"changed\" of its request cannot be read: {why}"));
        }
    }
}
