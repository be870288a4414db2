//! The runner: bots as processes, games on several threads, and the order of their results.
//!
//! | file | holds |
//! |---|---|
//! | [`bots`] | processes that speak the protocol, and games with them |
//! | [`games`] | games on several threads |
//! | [`ordered`] | a thread pool whose results arrive in order |
//! | [`samples`] | sample inputs with the acceptable answers |
//! | [`interrupt`] | terminates the bots when the judge is interrupted |
//! | [`files`], [`shell_words`], [`units`] | files, command lines, bytes and times |

pub mod boards;
pub mod bots;
pub mod files;
pub mod games;
pub mod interrupt;
pub mod jobs;
pub mod language;
pub mod limits;
pub mod messages;
mod ordered;
pub mod samples;
pub mod seeds;
pub mod setups;
pub mod shell_words;
pub mod system;
pub mod units;
