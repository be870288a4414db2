//! The bot: from an input to the line that answers it.
//!
//! - [`engine`]: the steps that decide which cell to open, and `choice`, those without a safe cell;
//!   [`decision`]: their result
//! - [`session`]: the requests of one match; builds the board, asks the engine, words the warnings
//! - [`read_error`]: why an input has no answer
//! - [`serve`]: the bot as a process, with its pipes and its panic hook
//! - [`command_line`]: the options of that process; [`input_file`]: the file that a person names
//!
//! A value that was read ([`crate::protocol::Input`]) extends the session's history. The history
//! becomes a [`crate::board::Board`], the engine decides, and the reply is written and flushed.
//! Whether the rest of the board is consistent is examined only then.
//!
//! Invariant: once the board is known, a legal answer goes out, whatever happens in the search. It
//! is promised before the search begins, and replaced by a better one.
//!
//! Cost: a turn is bounded by node limits, and by a deadline as the safety net
//! ([`crate::settings::budget`]).

mod choice;
pub mod command_line;
pub mod decision;
pub mod engine;
pub mod input_file;
pub mod read_error;
pub mod serve;
pub mod session;
