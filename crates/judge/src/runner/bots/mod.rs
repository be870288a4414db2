//! Bots as processes that speak Botzone's protocol: started, asked, measured and terminated.
//!
//! | file | holds |
//! |---|---|
//! | [`command`], [`obstacle`] | a bot's command line, and why it cannot be started |
//! | [`source_code`] | how source code that was given as a bot is compiled |
//! | [`process`] | one running bot, asked within limits of time and memory |
//! | [`fault`] | what a bot may do instead of a legal answer |
//! | [`pipes`] | the threads that read and write its pipes |
//! | [`host`], [`game_result`] | a whole game with a bot, and its result on file |
//! | [`probe`] | a single question to a bot |
//! | [`output`] | the whole output of a program that is no bot |
//!
//! Invariant: every wait for a bot has a deadline, and no process of a bot outlives the judge.

mod command;
mod fault;
mod game_result;
pub mod host;
mod obstacle;
mod output;
mod pipes;
pub mod probe;
mod process;
mod source_code;

pub use command::{BotCommand, LOCAL_AI_VAR, OWN_BOT, keep_running_bot};
pub use fault::{ANSWER_FORM, Fault, NOT_STARTED, Stuck, TIMEOUT};
pub use game_result::{GameResult, Starts};
pub use output::{OutputEnd, output_of};
pub use process::{Answer, Bot, Usage};
