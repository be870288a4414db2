//! What it costs that a bot is started anew for each turn, and how it is started once a game.

use sapper::protocol::KEEP_RUNNING_MARKER;

use crate::runner::bots::{BotCommand, Starts};
use crate::runner::shell_words::quote;

/// What the starts of a bot cost, and how to save them; `None` for a bot that is started once a
/// game. No start is added to find out whether a bot can be kept running: only Sapper is known.
pub fn start_cost(bot: &BotCommand, starts: &Starts) -> Option<String> {
    let cost = starts.text()?;
    let advice = if bot.is_own() && !bot.is_told_to_keep_running() {
        let told = quote(&bot.clone().keep_running().to_string());
        format!("with --bot {told} it is started once a game")
    } else {
        format!(
            "a bot that prints the line {KEEP_RUNNING_MARKER} after its answers is started once a \
             game, as the bots of samples/bots do with --keep-running"
        )
    };
    Some(format!("{cost}; {advice}."))
}
