//! The options that name a game or a board, for a command line that repeats it.
//!
//! Invariant: boards and games of one seed are equal where these options are equal, so the options
//! also identify them in files of results.

use game::level::Level;
use game::rule::Start;

use crate::cli::limits::limit_options;
use crate::runner::limits::Limits;
use crate::runner::setups::GameSetups;
use crate::runner::shell_words::quote;
use crate::runner::typed::typed_name;

/// The command that plays the game with this seed again. `bot` is the bot's command line, if one
/// was given.
pub fn play_again(bot: Option<&str>, games: &GameSetups, seed: i32, limits: &Limits) -> String {
    let bot = bot.map(|bot| format!(" --bot {}", quote(bot))).unwrap_or_default();
    let (judge, limits) = (typed_name(), limit_options(limits));
    format!("{judge} play{bot} {}{limits}", one_game_options(games, seed))
}

/// The options that play only the game with this seed.
pub fn one_game_options(games: &GameSetups, seed: i32) -> String {
    format!("{} --seeds {seed}", game_options(games))
}

/// Everything but the seed that determines a game.
pub fn game_options(games: &GameSetups) -> String {
    let skip_first = if games.skip_first { " --skipfirst" } else { "" };
    board_options(games.level, games.start) + skip_first
}

/// Everything but the seed that determines a board.
pub fn board_options(level: Level, start: Start) -> String {
    format!("--level {level}{}", rule_options(level, start))
}

/// The options of the rule; none for Botzone's.
pub fn rule_options(level: Level, start: Start) -> String {
    let first = start.first().map(|first| {
        let (shape, rule) = (level.shape, start.rule());
        format!(" --rule {rule} --first {},{}", shape.row(first), shape.column(first))
    });
    first.unwrap_or_default()
}
