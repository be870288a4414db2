//! The bot: from an input to the line that answers it.

pub mod engine;
pub mod serve;
pub mod session;
