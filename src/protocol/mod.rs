//! The platform's protocol: JSON values in, one line for each answer out.
//!
//! An input is either a whole history (`{"requests":[...],"responses":[...],...}`) or, between the
//! turns of a bot that is kept running, the bare request of one turn. [`Input`] reads both;
//! [`reply_line`] writes the answer. This folder is the only user of serde in the bot.
//!
//! A legal answer is worth more than an error message, so that reading is permissive: unknown keys
//! are skipped at any depth, the last of duplicate keys counts, numbers may be strings or floats
//! without a fraction, and a value of the wrong type is read as absent. The meaning is checked
//! later, by [`crate::board::replay`] and [`crate::bot::session`].
//!
//! Invariant: memory grows with the reported cells that some field can have, and with nothing else.
//!
//! Data flow: text -> [`json_sanitizer`] -> serde_json -> [`lenient_serde`] -> [`input`] ->
//! [`history`].
//!
//! - [`json_sanitizer`]: replaces valid JSON that serde_json refuses.
//! - [`long_number`]: the value of a number of any length in constant memory.
//! - [`lenient_serde`]: deserializers that treat a value of the wrong type as absent.
//! - [`input`]: the keys of both forms of input.
//! - [`history`]: the requests of a match, merged as they are read.
//! - [`reply`]: the answer.
//!
//! Source: the pages *Bot* and *Minesweeper* on wiki.botzone.org.cn, as of 2026-11.

pub mod history;
pub mod input;
pub mod json_sanitizer;
pub mod lenient_serde;
pub mod long_number;
pub mod reply;

pub use crate::protocol::input::{Input, inputs};
pub use crate::protocol::lenient_serde::{Integer, Seconds};
pub use crate::protocol::reply::{KEEP_RUNNING_MARKER, ResponseCell, reply_line};
