//! Sapper, a Minesweeper bot for Botzone.

pub mod balance;
pub mod board;
pub mod budget;
pub mod combine;
pub mod component;
pub mod count;
pub mod deduce;
pub mod engine;
#[cfg(feature = "judge")]
pub mod game;
pub mod geometry;
pub mod group;
pub mod guess;
pub mod order;
pub mod params;
pub mod picture;
pub mod probability;
pub mod protocol;
pub mod session;
pub mod weight;
