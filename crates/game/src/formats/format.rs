//! What a format is, what it reads, and why it does not.

use std::fmt;

use sapper::board::geometry::Cell;

use crate::board_file::Layout;
use crate::recording::Recording;

/// What a file holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Contents {
    /// A position, drawn or encoded cell by cell.
    Position(DrawnPosition),
    /// A position, as the requests that a bot is sent: one JSON value, or several.
    Requests(String),
    /// Mine layouts, at least one.
    Layouts(Vec<Layout>),
    /// Recorded games, at least one: of Botzone, and in a file of several files also of people.
    Games(MatchPack),
    /// A recorded game of a person.
    Recording(Box<Recording>),
}

/// A position as this project's own text, with what that text does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnPosition {
    /// The position, as [`sapper::board::text_format`] describes it.
    pub text: String,
    /// The cells that the player has flagged, in row-major order. A flag is the player's mark: the
    /// cell is hidden, and the flag changes no odds.
    pub flags: Vec<Cell>,
    /// What was assumed of a symbol that may mean several things, one sentence each.
    pub assumed: Vec<String>,
}

/// The recorded games of a file, at least one.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchPack {
    /// The matches in the order of the file.
    pub matches: Vec<Match>,
    /// What was left out of a file of several files, and why: a line each.
    pub left_out: Vec<String>,
}

impl MatchPack {
    /// The only match.
    ///
    /// # Errors
    /// Says how many there are.
    pub fn only(&self) -> Result<&Match, String> {
        match &self.matches[..] {
            [only] => Ok(only),
            many => Err(format!("it has {} matches; give one of them", many.len())),
        }
    }
}

/// A recorded game of a file that may hold others.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The site's name of the match, if it is given; of a recording the name of its file.
    pub id: Option<String>,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// The game.
    pub game: MatchGame,
}

/// The game of a match.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchGame {
    /// The JSON of a bot's game; [`crate::record::Record::read`] reads it, or says what is wrong.
    Log(String),
    /// A person's game.
    Recording(Box<Recording>),
}

/// A file: its bytes, and its text where it is text.
pub(super) struct Input<'f> {
    pub(super) bytes: &'f [u8],
    pub(super) text: Option<&'f str>,
}

impl Input<'_> {
    /// The text without white space around it; empty where the input is no text.
    pub(super) fn trimmed(&self) -> &str {
        self.text.unwrap_or_default().trim()
    }
}

#[cfg(test)]
impl Contents {
    /// The only layout.
    pub(super) fn into_layout(self) -> Layout {
        match self {
            Contents::Layouts(mut layouts) if layouts.len() == 1 => layouts.remove(0),
            other => panic!("{other:?}"),
        }
    }

    /// The drawn position.
    pub(super) fn into_position(self) -> DrawnPosition {
        match self {
            Contents::Position(position) => position,
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(test)]
impl<'t> From<&'t str> for Input<'t> {
    fn from(text: &'t str) -> Input<'t> {
        Input { bytes: text.as_bytes(), text: Some(text) }
    }
}

/// A format: its name in messages, how it is recognised, and its reader, whose error is the fault
/// and its place.
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) recognises: fn(&Input) -> bool,
    pub(super) read: fn(&Input) -> Result<Contents, String>,
}

/// Why an input is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// It has no bytes, or only white space.
    Empty,
    /// No format recognises it.
    Unknown,
    /// It is a text with a fault in its encoding.
    NotUtf8 {
        /// The line of the first fault, from 1.
        line: usize,
        /// The byte of the line, from 1.
        byte: usize,
    },
    /// It was taken for this format, and has this fault.
    Fault {
        /// The name of the format.
        format: &'static str,
        /// The fault and its place.
        why: String,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Empty => f.write_str("it is empty"),
            FormatError::Unknown => f.write_str(
                "neither a position (a field as text, .mine, a link, requests of Botzone), nor \
                 layouts (a board file, MBF, a link, a game ID), nor a recorded game (a log or \
                 page of Botzone, AVF, EVF, MVF, RMV, RAWVF)",
            ),
            FormatError::NotUtf8 { line, byte } => write!(
                f,
                "a text that is not in UTF-8 at line {line}, byte {byte}; save it as UTF-8, if it \
                 is not damaged"
            ),
            FormatError::Fault { format, why } => write!(f, "{format}: {why}"),
        }
    }
}

impl std::error::Error for FormatError {}
