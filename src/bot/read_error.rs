//! Why an input has no answer.

use std::fmt;

use serde_json::error::Category;

use crate::board::geometry::ShapeError;

/// Why there is no answer.
#[derive(Debug)]
pub enum ReadError {
    /// The input is empty or white space.
    Empty,
    /// The input is not one whole JSON value of the platform's form, or cannot be read.
    Json(serde_json::Error),
    /// No request states these of `height`, `width` and `minecount`; at least one.
    NoField {
        /// The keys.
        missing: Vec<&'static str>,
    },
    /// The size is not that of a field.
    Size {
        /// The number of rows.
        height: u64,
        /// The number of columns.
        width: u64,
        /// What is wrong with them.
        error: ShapeError,
    },
    /// Every cell is open.
    NoHiddenCell,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => write!(f, "the input is empty; expected one JSON value"),
            ReadError::Json(error) => f.write_str(&json_fault(error)),
            ReadError::NoField { missing } => write!(
                f,
                "no request has \"{}\"; expected {{\"requests\":[{{\"height\":H,\"width\":W,\
                 \"minecount\":M,\"changed\":[...]}}]}} or one bare request",
                missing.join("\" or \"")
            ),
            ReadError::Size { height, width, error } => {
                write!(f, "\"height\" {height}, \"width\" {width}: {error}")
            }
            ReadError::NoHiddenCell => write!(f, "no cell is hidden: there is nothing to open"),
        }
    }
}

impl std::error::Error for ReadError {}

/// What is wrong with the JSON of an input, and where.
fn json_fault(error: &serde_json::Error) -> String {
    let fault = match error.classify() {
        Category::Io => "the input cannot be read",
        Category::Eof => "the input ends before its JSON value does",
        Category::Syntax => "the input is not JSON",
        Category::Data => "the input is no request or history",
    };
    let message = error.to_string();
    // The value that was found is left out: it may be as long as the input.
    let Some((_, expected)) = message.rsplit_once(", expected ") else {
        return format!("{fault}: {message}");
    };
    format!("{fault}: expected {expected}")
}
