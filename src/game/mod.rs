//! The game as the official judge plays it: everything that the bot must not see.
//!
//! A game goes through these modules from top to bottom:
//!
//! ```text
//! init data --initdata--> Setup --field (mines drawn by glibc)--> Field
//!     --referee--> the rules, on cells --judge--> the same rules, as the JSON that is sent and logged
//!     --log--> the file that holds a whole game
//! ```
//!
//! Invariant: the same [`initdata::Setup`] and the same answers give the same outputs, on every
//! machine. Nothing here reads a clock, a file or an environment.
//!
//! Source: the rules as the public judge states them (`Minesweeper.cpp` in ailab-pku/botzone-local,
//! 2021) and as whole games recorded from it show them; those games are in `samples/games`.

pub mod boards;
pub mod field;
pub mod glibc;
pub mod initdata;
pub mod judge;
pub mod lay;
pub mod log;
pub mod pattern;
pub mod referee;
pub mod signature;
pub mod trial;
