//! The report of a bot's fault: the turn, the command that repeats the game, the bot's messages.

use std::fmt::Write as _;

use crate::cli::games::Games;
use crate::cli::output::escaped;
use crate::cli::shell_words::{own_path, quote};

/// The turn of a fault, which is the last of `turns` turns. It is counted from 0, as in
/// `requests[0]`, `judge explain --turn` and `judge replay`.
pub fn last_turn(turns: usize) -> Option<usize> {
    turns.checked_sub(1)
}

/// The turn of a fault as text.
pub fn last_turn_text(turns: usize) -> String {
    last_turn(turns).map_or("before turn 0".to_owned(), |turn| format!("in turn {turn}"))
}

/// The command that repeats a game.
pub fn repeat_command(bot: Option<&str>, games: &Games, seed: i32, limits: &str) -> String {
    let mut command = format!("{} play", own_path());
    if let Some(bot) = bot {
        write!(command, " --bot {}", quote(bot)).ok();
    }
    command + &games.options(seed) + limits
}

/// The last lines of what a bot wrote to standard error, after a line with the number of the
/// others.
pub fn last_lines(text: &str) -> impl Iterator<Item = String> {
    const MAX_LINES: usize = 10;
    let lines: Vec<&str> = text.lines().collect();
    let omitted = lines.len().saturating_sub(MAX_LINES);
    let last: Vec<String> = lines[omitted..].iter().map(|line| escaped(line)).collect();
    let omitted = (omitted > 0).then(|| format!("... {omitted} lines before"));
    omitted.into_iter().chain(last)
}
