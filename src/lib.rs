//! Sapper, a Minesweeper bot for Botzone.

pub mod board;
pub mod geometry;
pub mod group;
pub mod picture;
pub mod protocol;
