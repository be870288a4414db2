//! The official judge's rules, boards and files: everything that the bot must not see.
//!
//! ```text
//! init data ──setup──► Setup ──field, glibc──► Field          the values of all cells
//!     ──referee──► Referee        the judge's rulings, on cells
//!     ──botzone──► BotzoneJudge   the same rulings, on the JSON messages
//!     ──record──► Record          the file of a whole game
//! ```
//!
//! `examples/game.rs` plays whole games in process with a bot of one's own:
//!
//! ```
//! use game::board_gen::generate;
//! use game::level::Level;
//! use game::referee::Referee;
//! use game::rule::Start;
//! use sapper::{Board, CellState};
//!
//! let level: Level = "beginner".parse()?;
//! let layout = generate(level.shape, level.mines, Start::CHOSEN, 7)?;
//! let mut referee = Referee::new(layout.field(), level.mines);
//! let mut board = Board::new(level.shape, level.mines);
//! while !referee.ended() {
//!     // A bot sees the board only. This one opens the hidden cells in order.
//!     let cell = board.hidden().next().expect("a game that goes on has hidden cells");
//!     for &(cell, value) in referee.open(cell)?.changed {
//!         board.open(cell, CellState::from_value(Some(value.into())));
//!     }
//! }
//! assert!(referee.hits() <= level.mines);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`rule`] says who chooses the first cell and what a hit does. [`board_file`] reads files of
//! mine layouts, and [`board_gen`] generates the layouts of a [`level`] from seeds; those of
//! [`no_guess`] are solved by the proofs of a [`prover`] alone. [`simulate`] plays a layout in
//! process, [`play_on`] a position, [`told`] a game again; [`bot_clicks`] has a bot's mouse clicks.
//!
//! Invariant: the same [`setup::Setup`] and the same answers give the same outputs on every
//! machine. Nothing here reads a file, an environment variable or a clock of its own.
//!
//! The bot cannot see this package.
//!
//! Source: the public judge (`Minesweeper.cpp` in ailab-pku/botzone-local, 2021) and whole games
//! recorded from it, in `samples/games`.

pub mod board_file;
pub mod board_gen;
pub mod bot_clicks;
pub mod botzone;
pub mod field;
pub mod figures;
pub mod formats;
pub mod glibc;
mod init_rule;
pub mod level;
pub mod no_guess;
pub mod play_on;
pub mod prover;
pub mod record;
pub mod recording;
pub mod referee;
pub mod rule;
pub mod setup;
pub mod simulate;
pub mod told;
