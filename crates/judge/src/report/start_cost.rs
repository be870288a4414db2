//! What it costs that a bot is started anew for each turn, and how it is started once a game.

use sapper::protocol::KEEP_RUNNING_MARKER;

use crate::runner::bots::{BotCommand, Starts, probe};
use crate::runner::limits::Limits;
use crate::runner::shell_words::quote;

/// What the starts of a bot cost, and how to save them; `None` for a bot that is started once a
/// game. The bot is asked once more, whether it can be kept running, unless its command line says
/// that it should be.
pub fn start_cost(bot: &BotCommand, starts: &Starts, limits: &Limits) -> Option<String> {
    let cost = starts.text()?;
    let advice = if bot.is_told_to_keep_running() || !probe::can_keep_running(bot, limits) {
        format!(
            "a bot that prints the line {KEEP_RUNNING_MARKER} after its answers is started once a \
             game"
        )
    } else {
        format!(
            "with --bot {} it is started once a game",
            quote(&bot.clone().keep_running().to_string())
        )
    };
    Some(format!("{cost}; {advice}."))
}
