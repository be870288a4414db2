//! Bots as processes that speak Botzone's protocol: started, asked, measured and ended.
//!
//! [`command`] starts a bot, [`process`] asks it within limits of time and memory, [`host`] plays a
//! whole game with it, and [`probe`] asks a single question. [`family`] ends every process that
//! comes from a bot, by what [`registry`] knows of the bots and [`os`] of the system; [`guard`]
//! does so for a judge that was killed, [`interrupt`] for one that was interrupted.
//!
//! Invariant: nothing here waits for a bot without a deadline, and no process of a bot outlives the
//! judge.

pub mod command;
pub mod family;
pub mod guard;
pub mod host;
pub mod interrupt;
mod os;
mod pipes;
pub mod probe;
pub mod process;
pub mod registry;
