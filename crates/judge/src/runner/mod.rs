//! The runner: bots as processes, games on several threads, and the order of their results.
//!
//! | file | holds |
//! |---|---|
//! | [`seeds`], [`setups`], [`boards`] | the games of a run: seeds, games against bots, boards |
//! | [`limits`], [`language`] | limits of a bot's turn, which depend on its language |
//! | [`bots`] | processes that speak the protocol, and games with them |
//! | [`games`] | games on several threads |
//! | [`board_game`] | one game in process, the engine's or one told by its clicks |
//! | [`judged_game`], [`open_shares`] | a game with one of its guesses judged, and which guesses |
//! | [`threads`], [`ordered`] | threads, and a pool of them whose results arrive in order |
//! | [`samples`] | sample inputs with the acceptable answers |
//! | [`interrupt`] | ends the bots when the judge is interrupted |
//! | [`system`] | the one face of the operating system: processes, programs, locks |
//! | [`messages`] | messages to standard error |
//! | [`files`], [`contents`] | files, and what they hold: positions, layouts, recorded games |
//! | [`shell_words`], [`units`] | command lines, bytes and times |
//! | [`typed`] | what the user types to start the judge |
//!
//! What is played, and within which limits, are plain values here; [`crate::cli`] makes them from
//! options. The runner writes games to no file and computes no statistic: it hands each result, in
//! order, to the function that a command gives it.
//!
//! Invariant: results and their order do not depend on the number of threads. Nothing here imports
//! another folder of the judge or names `clap`.

pub mod board_game;
pub mod boards;
pub mod bots;
pub mod contents;
pub mod files;
pub mod games;
pub mod interrupt;
pub mod judged_game;
pub mod language;
pub mod limits;
pub mod messages;
pub mod open_shares;
mod ordered;
pub mod samples;
pub mod seeds;
pub mod setups;
pub mod shell_words;
pub mod system;
pub mod threads;
pub mod typed;
pub mod units;
