//! The platform's protocol: JSON values in, one line for each answer out.
//!
//! An input is either a whole history (`{"requests":[...],"responses":[...],...}`) or, between the
//! turns of a bot that is kept running, the bare request of one turn. [`Input`] reads both;
//! [`reply_line`] writes the answer.
//!
//! | what arrives | its turn | what is answered |
//! |---|---|---|
//! | a history | that of its last request, in another match | a hidden cell |
//! | a bare request, as the first value | 0 | a hidden cell |
//! | a bare request, as a later value | the next one of the same match | a hidden cell |
//! | one of these, but the requests make no sense | the same | a hidden cell; then warnings |
//! | one of these, without a usable size and mine count | none | nothing: the bot ends |
//! | one of these, with every cell open | none | nothing: the bot ends |
//! | another value, or what is not JSON | none | nothing: the bot ends |
//!
//! Keys stand in any order, others are skipped, and null counts as an absent key:
//!
//! - `requests`: a list of requests; an absent one makes the value a bare request.
//! - `height`, `width`, `minecount`: whole numbers from 0; an absent one is as another request of
//!   the match states it.
//! - `changed`: a list of cells; an absent one, and `""`, is the empty list.
//! - `row`, `col`, `val` of a cell: integers; none may be absent.
//! - `time_limit` of a history or a bare request: a number above 0, or a string of one. Whatever
//!   else it is, it counts as absent; the limit stated before holds.
//!
//! A value of another JSON type is an error that names its place; so is an array in place of an
//! object. Whether the requests make sense is checked afterwards, by [`mod@replay`].
//!
//! Invariants: memory grows with the reported cells and with the longest string, key or
//! time limit that is read, and the depth of recursion is bounded.
//!
//! Data flow: text -> serde_json -> [`input`] -> [`history`] -> [`mod@replay`] -> a board.
//!
//! - [`input`]: the keys of both forms of input.
//! - [`history`]: the requests of a match, merged as they are read.
//! - `number`: the numbers of a request, whose errors name their keys.
//! - [`mod@replay`]: the board after the reported cells, and every fault of the history.
//! - [`reply`]: the answer.
//!
//! Source: the pages *Bot* and *Minesweeper* on wiki.botzone.org.cn, as of 2026-11.

pub mod history;
pub mod input;
mod number;
pub mod replay;
pub mod reply;

pub use crate::protocol::input::{Input, inputs};
pub use crate::protocol::reply::{KEEP_RUNNING_MARKER, reply_line};
