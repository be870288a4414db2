//! The official judge's rules, boards and files: everything that the bot must not see.
//!
//! ```text
//! init data ──setup──► Setup ──field, glibc──► Field          the values of all cells
//!     ──rules──► Referee          the rules, on cells
//!     ──botzone──► BotzoneJudge   the same rules, on the JSON messages
//!     ──record──► Record          the file of a whole game
//! ```
//!
//! [`board_file`] reads files of mine layouts, and [`board_gen`] generates the layouts of a
//! [`level`] from seeds. [`simulate`] plays a layout in process, and [`adjusted`] takes the luck
//! out of the results. [`signature`] hashes the engine's decisions over fixed positions and boards.
//! [`pattern`] generates positions that are expensive to count.
//!
//! Invariant: the same [`setup::Setup`] and the same answers give the same outputs on every
//! machine. Nothing here reads a file, an environment variable or a clock of its own.
//!
//! No module of the bot uses this one. It is built with the feature `referee`.
//!
//! Source: the public judge (`Minesweeper.cpp` in ailab-pku/botzone-local, 2021) and whole games
//! recorded from it, in `samples/games`.

pub mod board_file;
pub mod board_gen;
pub mod botzone;
pub mod field;
pub mod glibc;
mod init_rule;
pub mod level;
pub mod record;
pub mod rules;
pub mod setup;
pub mod simulate;
