//! The games of a part: played by the engine or a bot, and compared.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};
use sapper::Engine;
use sapper::kit::text::pluralize;
use sapper::settings::budget::WallClock;

use super::bot_games::{BotGames, Found};
use super::figure::Sums;
use super::game_sums::GameSums;
use super::games::{Games, Player};
use super::part::{Measured, PartResult};
use super::player::{PartPlayer, Signatures, signature_part};
use crate::cli::JobOptions;
use crate::runner::board_game::BoardToPlay;
use crate::runner::boards::BoardRange;
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::shell_words::quote;

/// What plays the parts of games.
pub struct GameParts {
    bot_games: BotGames,
    signatures: Signatures,
    jobs: JobOptions,
}

impl GameParts {
    /// As many games as `jobs` says are played at a time.
    pub fn new(bot_games: BotGames, jobs: JobOptions) -> GameParts {
        GameParts { bot_games, signatures: Signatures::new(), jobs }
    }

    /// Plays a part of the measurement with this name, unless it is `known` of the same play.
    ///
    /// # Errors
    /// Fails if the games of a bot cannot be read, played or written, or are of another board.
    pub fn measure(
        &mut self,
        name: &str,
        games: &Games,
        part: BoardRange,
        known: &[Vec<String>],
    ) -> Result<PartResult> {
        let names = [name].into_iter().chain(games.less.iter().map(|(name, _)| name.as_str()));
        let mut players = Vec::new();
        for (name, player) in names.zip(games.players()) {
            players.push(match player {
                Player::Engine(strength) => PartPlayer::Engine {
                    strength: strength.clone(),
                    signature: self.signatures.of(signature_part(strength, games.rule())),
                },
                // The measurements that are compared have the same boards.
                Player::Bot(bot) => match self.bot_games.of_part(name, games, bot, part)? {
                    Found::Games(games, checksum) => PartPlayer::Told { games, checksum },
                    Found::Interrupted => return Ok(PartResult::Interrupted),
                    Found::Missing => {
                        return Ok(PartResult::Needs(format!(
                            "the games of {bot}: give --bot \"{bot}=CMD\", or their folder by \
                             --games"
                        )));
                    }
                },
            });
        }
        let play: Vec<String> = players.iter().map(|player| player.play().to_owned()).collect();
        if known.contains(&play) {
            return Ok(PartResult::Known);
        }
        let Some(sums) = self.sums(name, games, part, &players)? else {
            return Ok(PartResult::Interrupted);
        };
        let command = self.command(name, games, part);
        Ok(PartResult::Measured(Measured { play, command, sums: Sums::Games(Box::new(sums)) }))
    }

    /// The sums of a part; `None` after an interrupt.
    fn sums(
        &self,
        name: &str,
        games: &Games,
        part: BoardRange,
        players: &[PartPlayer],
    ) -> Result<Option<GameSums>> {
        let (boards, rule) = (games.part_boards(part), games.rule());
        let clock = WallClock::start();
        let engines = || players.iter().map(|_| None).collect::<Vec<Option<Engine>>>();
        let play = |engines: &mut Vec<Option<Engine>>, position| {
            interrupt::unless_requested(|| {
                let (index, layout) = boards.board(position)?;
                let is_adjusted = games.is_adjusted;
                let board = BoardToPlay { index, layout: &layout, rule, is_adjusted };
                let both = players.iter().zip(engines);
                let game = |(player, engine): (&PartPlayer, &mut Option<Engine>)| {
                    player.game(position, board, engine, &clock)
                };
                both.map(game).collect::<Result<Vec<_>>>()
            })
        };
        let mut sums = GameSums { faults: players[0].faults(), ..GameSums::default() };
        let threads = self.jobs.count(None);
        let interrupted = play_games(threads, boards.len() as usize, engines, play, |games| {
            sums.add(&games, rule);
            Ok(ControlFlow::Continue(()))
        })?;
        let false_proofs = sums.counts.false_proofs();
        ensure!(
            false_proofs == 0,
            "{name}: {} proven safe held a mine: this is a bug",
            pluralize(false_proofs, "cell", "cells")
        );
        Ok((!interrupted).then_some(sums))
    }

    /// The command that plays the boards of a part again, in process or with the bot.
    fn command(&self, name: &str, games: &Games, part: BoardRange) -> String {
        let (first, last) = part;
        let boards = games.options();
        let adjusted = if games.is_adjusted { " --adjusted" } else { "" };
        match &games.player {
            Player::Engine(strength) => {
                let strength = strength.options();
                format!("judge bench {boards} --seeds {first}..{last}{strength}{adjusted}")
            }
            Player::Bot(bot) => {
                let line = self.bot_games.command(name, part);
                let line = quote(&line.unwrap_or(bot.clone()));
                format!("judge play --bot {line} {boards} --seeds {first}..{last}")
            }
        }
    }
}
