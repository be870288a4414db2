//! The options that name a game or a board, for a command line that repeats it.
//!
//! Invariant: boards and games of one seed are equal where these options are equal, so the options
//! also identify them in files of results.

use game::level::Level;
use game::rule::{Rule, Start};
use game::setup::Setup;

use crate::cli::limits::limit_options;
use crate::runner::limits::Limits;
use crate::runner::setups::{GameSetups, Origin};
use crate::runner::shell_words::quote;
use crate::runner::typed::typed_name;

/// The command that plays the game on the board with this number again. `bot` is the bot's command
/// line, if one was given.
pub fn play_again(bot: Option<&str>, games: &GameSetups, number: i32, limits: &Limits) -> String {
    let bot = bot.map(|bot| format!(" --bot {}", quote(bot))).unwrap_or_default();
    let (judge, limits) = (typed_name(), limit_options(limits));
    format!("{judge} play{bot} {}{limits}", one_game_options(games, number))
}

/// The options that play only the game on the board with this number.
pub fn one_game_options(games: &GameSetups, number: i32) -> String {
    let skip_first = skip_first_option(games.skips_first());
    match games.origin() {
        Origin::Seeds { level, start } => {
            format!("{}{skip_first} --seeds {number}", board_options(*level, *start))
        }
        Origin::File { path, rule } => {
            let rule = match rule {
                Rule::Botzone => String::new(),
                rule => format!(" --rule {rule}"),
            };
            let path = quote(&path.display().to_string());
            format!("--boards {path} --from {number} --games 1{rule}{skip_first}")
        }
    }
}

/// Everything but the seed and a given field that determines a game.
pub fn game_options(setup: &Setup) -> String {
    let level = Level { shape: setup.shape, mines: setup.mines };
    board_options(level, setup.start) + skip_first_option(setup.skip_first)
}

fn skip_first_option(skip_first: bool) -> &'static str {
    if skip_first { " --skipfirst" } else { "" }
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
