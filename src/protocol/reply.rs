//! The lines that the bot prints: the answer to a turn, and the marker of a bot that is kept
//! running.

use crate::board::geometry::Place;

/// The line that follows every answer of a bot that is kept running.
pub const KEEP_RUNNING_MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The line that answers a turn with the cell to open, without its line feed. The platform stores
/// `debug` in the log of the match.
///
/// ```
/// use sapper::{Place, protocol::reply_line};
///
/// let line = reply_line(Place { row: 3, column: 4 }, None);
/// assert_eq!(line, r#"{"response":{"row":3,"col":4}}"#);
/// ```
pub fn reply_line(place: Place, debug: Option<&str>) -> String {
    let Place { row, column } = place;
    // A text can always be written as JSON.
    let debug = debug.and_then(|text| serde_json::to_string(text).ok());
    let debug = debug.map_or(String::new(), |text| format!(",\"debug\":{text}"));
    format!("{{\"response\":{{\"row\":{row},\"col\":{column}}}{debug}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_one_exact_line() {
        let cell = Place { row: 3, column: 4 };
        assert_eq!(reply_line(cell, None), r#"{"response":{"row":3,"col":4}}"#);
        assert_eq!(
            reply_line(cell, Some("a \"b\"")),
            r#"{"response":{"row":3,"col":4},"debug":"a \"b\""}"#
        );
    }
}
