//! How a fault of a bot is reported: the turn, the command that plays the game again, the bot's
//! messages.

use std::fmt::Write as _;

use crate::cli::games::Games;
use crate::cli::output::escaped;
use crate::cli::shell_words::{called, quoted};

/// The turn of a fault: the last of `turns` that were played, counted from 0 as `requests[0]`,
/// `judge explain --turn` and `judge replay` count.
pub fn last_turn(turns: usize) -> Option<usize> {
    turns.checked_sub(1)
}

/// The turn of a fault in words.
pub fn last_turn_text(turns: usize) -> String {
    last_turn(turns).map_or("before turn 0".to_owned(), |turn| format!("in turn {turn}"))
}

/// The command that plays a game again.
pub fn again(bot: Option<&str>, games: &Games, seed: i32, limits: &str) -> String {
    let mut command = format!("{} play", called());
    if let Some(bot) = bot {
        write!(command, " --bot {}", quoted(bot)).ok();
    }
    command + &games.options(seed) + limits
}

/// The last lines of what a bot wrote to standard error, as many as help and fit a screen.
pub fn last_lines(text: &str) -> impl Iterator<Item = String> {
    const MOST: usize = 10;
    let lines: Vec<&str> = text.lines().collect();
    let left = lines.len().saturating_sub(MOST);
    let kept: Vec<String> = lines[left..].iter().map(|line| escaped(line)).collect();
    let before = (left > 0).then(|| format!("... {left} lines before"));
    before.into_iter().chain(kept)
}
