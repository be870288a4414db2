//! What the browser page asks of the engine: a JSON request in, a JSON answer out.
//!
//! The page knows no rules and computes no odds. It sends text and shows what comes back, so that
//! what it shows is what the judge prints.
//!
//! - [`service`]: the requests, and which module answers each
//! - [`position`]: a position with what to play for; its analysis
//! - [`game`]: a game by the rules, from a seed or a layout and the clicks so far
//! - [`read`], [`write`]: files and texts of positions, boards and games, in and out
//!
//! Invariant: an answer depends on the request alone. The analyzers that are kept from request to
//! request are warm memory, and an answer equals that of a fresh one. Any text has an answer: what
//! cannot be read is answered with one line that says what to mend.
//!
//! The exports to the browser are a package of their own, in `wasm`; the page's files are in `web`,
//! and `scripts/page` makes one file of all. No module of the bot uses this folder. It is built
//! with the feature `page` and needs no more crates than `referee`.

pub mod game;
pub mod position;
pub mod read;
pub mod service;
pub mod write;
