//! The platform's protocol: JSON values in, one line for each answer out.
//!
//! An input is either a whole history (`{"requests":[...],"responses":[...],...}`) or, between the
//! turns of a bot that is kept running, the bare request of one turn. [`Input`] reads both;
//! [`reply_line`] writes the answer.
//!
//! What the platform sends is read, in any order and with any other keys beside it; `changed` may
//! be null or `""`, and the time limit a string. A value of another JSON type is an error that
//! names its place. Whether the requests make sense is checked afterwards, by [`mod@replay`].
//!
//! Invariants: memory grows with the reported cells and with the longest string or key that is
//! read, and the depth of recursion is bounded.
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
