//! What the browser page asks of the engine: a JSON request in, a JSON answer out.
//!
//! The page and the viewer of `judge replay` know no rules and compute no odds. They show what
//! comes from here, so that what they show is what the judge prints.
//!
//! - [`request`]: what a request states; [`answer`]: what an answer states; [`service`]: which
//!   module answers a request
//! - [`position`]: a position with what to play for; its analysis
//! - [`chance`]: its chance to win, by playouts that are asked for in parts
//! - [`play`]: a game by the rules, from a seed or a layout and the clicks so far; [`game_on`]: the
//!   game that was asked for last goes on
//! - [`read`], [`mod@write`]: files and texts of positions, boards and games, in and out
//! - [`replay`]: a recorded game, frame by frame, and its account; [`link`]: its shortest text;
//!   [`presses`]: a game of the page as a recording
//!
//! Invariant: an answer depends on the request alone. The analyzers that are kept from request to
//! request are warm memory, and an answer equals that of a fresh one. Any text has an answer: what
//! cannot be read is answered with one line that says what to mend.
//!
//! `export` has the functions that JavaScript calls; the page's files are in `web` and in the `web`
//! of the package `viewer`. The program of this package, which `cargo sapper page` runs, makes one
//! file of all.

// Exported symbols need unsafe attributes.
pub mod answer;
pub mod chance;
#[allow(unsafe_code)]
mod export;
pub mod game_on;
pub mod link;
pub mod play;
pub mod position;
pub mod presses;
pub mod read;
pub mod replay;
pub mod request;
pub mod service;
pub mod write;
