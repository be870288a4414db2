//! Bots as processes that speak Botzone's protocol: started, asked, measured and terminated.
//!
//! | file | holds |
//! |---|---|
//! | [`command`] | a bot's command line, and why it cannot be started |
//! | [`process`] | one running bot, asked within limits of time and memory |
//! | [`fault`] | what a bot may do instead of a legal answer |
//! | [`pipes`] | the threads that read and write its pipes |
//! | [`host`], [`game_result`] | a whole game with a bot, and its result on file |
//! | [`probe`] | a single question to a bot |
//! | [`process_tree`] | all processes of a bot, terminated together |
//! | [`registry`] | the running bots, and the orphans among their processes |
//! | [`guard`] | terminates the bots of a judge that was killed |
//! | [`os`] | children, resource usage and signals, as the system reports them |
//!
//! Invariant: every wait for a bot has a deadline, and no process of a bot outlives the judge.

mod command;
mod fault;
mod game_result;
pub mod guard;
pub mod host;
mod os;
mod pipes;
pub mod probe;
mod process;
mod process_tree;
pub mod registry;

pub use command::{BotCommand, LOCAL_AI_VAR, OWN_BOT, keep_running_bot};
pub use fault::{Fault, NOT_STARTED};
pub use game_result::{CsvRow, GameResult};
pub use process::{Bot, Usage};
