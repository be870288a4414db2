//! The lines that the bot prints: the answer to a turn, and the marker of a bot that is kept
//! running.

/// The line that follows every answer of a bot that is kept running.
pub const KEEP_RUNNING_MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The cell to open, as an answer names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResponseCell {
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub col: u32,
}

/// The line that answers a turn, without its line feed. The platform stores `debug` in the log of
/// the match.
pub fn reply_line(cell: ResponseCell, debug: Option<&str>) -> String {
    let ResponseCell { row, col } = cell;
    // A text can always be written as JSON.
    let debug = debug.and_then(|text| serde_json::to_string(text).ok());
    let debug = debug.map_or(String::new(), |text| format!(",\"debug\":{text}"));
    format!("{{\"response\":{{\"row\":{row},\"col\":{col}}}{debug}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_one_exact_line() {
        let cell = ResponseCell { row: 3, col: 4 };
        assert_eq!(reply_line(cell, None), r#"{"response":{"row":3,"col":4}}"#);
        assert_eq!(
            reply_line(cell, Some("a \"b\"")),
            r#"{"response":{"row":3,"col":4},"debug":"a \"b\""}"#
        );
    }
}
