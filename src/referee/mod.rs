//! The official judge's rules, boards and files: everything that the bot must not see.
//!
//! A game passes through these modules in this order:
//!
//! ```text
//! init data ──setup──► Setup ──field, glibc──► Field
//!     ──rules──► Referee: the rules on cells
//!     ──botzone──► Judge: the same rules as the JSON that is sent and logged
//!     ──record──► Record: the file of a whole game
//! ```
//!
//! [`board_file`] reads files of mine layouts and [`board_gen`] makes layouts from seeds;
//! [`simulate`] plays a layout in process, and [`pattern`] makes positions that are hard to count.
//!
//! Invariant: the same [`setup::Setup`] and the same answers give the same outputs on every
//! machine. Nothing here reads a file or an environment variable; the only clock measures
//! decisions, in [`simulate`].
//!
//! No module of the bot uses this one. It is built with the feature `referee`.
//!
//! Source: the rules as the public judge states them (`Minesweeper.cpp` in ailab-pku/botzone-local,
//! 2021) and as whole games recorded from it show them; those games are in `samples/games`.

pub mod board_file;
pub mod board_gen;
pub mod botzone;
pub mod field;
pub mod glibc;
pub mod pattern;
pub mod record;
pub mod rules;
pub mod setup;
pub mod signature;
pub mod simulate;
