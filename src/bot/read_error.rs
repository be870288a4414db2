//! Why an input has no answer, in words that name the request and the key.

use std::fmt;

use crate::board::geometry::ShapeError;
use crate::protocol::Integer;

/// The request that a value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestSource {
    /// The request of this turn, in a history or one of several.
    Turn(usize),
    /// The only one, which came without a history.
    Bare,
}

impl fmt::Display for RequestSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestSource::Turn(turn) => write!(f, "requests[{turn}]"),
            RequestSource::Bare => write!(f, "the request"),
        }
    }
}

/// A required key for which no request has a usable value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadField {
    /// `height`, `width` or `minecount`.
    pub key: &'static str,
    /// What the value must be.
    pub expected: &'static str,
    /// The value in the first request that has the key; the last request where none has it.
    pub found: (Integer, RequestSource),
}

impl fmt::Display for BadField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadField { key, expected, found: (value, source) } = self;
        match (value, source) {
            (Integer::Absent, RequestSource::Turn(1..)) => {
                write!(f, "there is no \"{key}\" up to {source}; it must be {expected}")
            }
            (Integer::Absent, _) => {
                write!(f, "there is no \"{key}\" in {source}; it must be {expected}")
            }
            _ => {
                write!(
                    f,
                    "there is no usable \"{key}\": it must be {expected}, not {value} ({source})"
                )
            }
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum ReadError {
    /// The input is empty or white space.
    Empty,
    /// The input is not one whole JSON value, or cannot be read.
    Json(serde_json::Error),
    /// The value has neither `requests` nor the keys of a request, or its list is empty.
    NoRequest,
    /// No request has a usable value for these keys; at least one.
    Fields(Vec<BadField>),
    /// The size is not that of a field.
    Size {
        /// The number of rows and its source.
        height: (u64, RequestSource),
        /// The number of columns and its source.
        width: (u64, RequestSource),
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
            ReadError::Json(error) if error.is_eof() => {
                write!(f, "the input ends before its JSON value does: {error}")
            }
            ReadError::Json(error) if error.is_io() => {
                write!(f, "the input cannot be read: {error}")
            }
            ReadError::Json(error) => write!(f, "the input is not JSON: {error}"),
            ReadError::NoRequest => write!(
                f,
                "the input has no request; expected {{\"requests\":[{{\"height\":H,\"width\":W,\
                 \"minecount\":M,\"changed\":[...]}}]}} or one bare request"
            ),
            ReadError::Fields(fields) => {
                for (index, field) in fields.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    write!(f, "{separator}{field}")?;
                }
                Ok(())
            }
            ReadError::Size { height: (height, of_height), width: (width, of_width), error } => {
                let (height, width) = (Integer::from(*height), Integer::from(*width));
                write!(
                    f,
                    "\"height\" {height} ({of_height}), \"width\" {width} ({of_width}): {error}"
                )
            }
            ReadError::NoHiddenCell => write!(f, "no cell is hidden: there is nothing to open"),
        }
    }
}

impl std::error::Error for ReadError {}
