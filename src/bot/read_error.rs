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

/// The longest message of serde_json that is printed, in characters: it may quote the input.
const MAX_MESSAGE_CHARS: usize = 200;

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => write!(f, "the input is empty; expected one JSON value"),
            ReadError::Json(error) => {
                let fault = match error.classify() {
                    Category::Io => "the input cannot be read",
                    Category::Eof => "the input ends before its JSON value does",
                    Category::Syntax => "the input is not JSON",
                    Category::Data => "the input is no request or history",
                };
                let message: String = error.to_string().chars().take(MAX_MESSAGE_CHARS).collect();
                write!(f, "{fault}: {message}")
            }
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
