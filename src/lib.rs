//! Sapper, a Minesweeper bot for Botzone.

pub mod board;
#[cfg(feature = "judge")]
pub mod game;
pub mod geometry;
pub mod group;
pub mod picture;
pub mod protocol;
