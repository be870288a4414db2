//! What the browser page asks of the engine: a JSON request in, a JSON answer out.
//!
//! The page and the viewer of `judge replay` know no rules and compute no odds. They show what
//! comes from here, so that what they show is what the judge prints.
//!
//! - [`log`]: what the log of a recorded game says, turn by turn
//! - [`frames`]: the turns analyzed, each by one call; `captions`: a turn in one line
//! - [`viewer_data`]: frames, judgements and accounts as JSON for the viewer
//!
//! Invariant: an answer depends on the request alone.
//!
//! The page's files are in `web`. No module of the bot uses this folder. It is built with the
//! feature `page` and needs no more crates than `referee`.

mod captions;
pub mod frames;
pub mod log;
pub mod viewer_data;
