//! How a player of the list plays the boards of a part: the engine, or a bot's games as clicks.
//!
//! Invariant: what a player is called ([`PartPlayer::play`]) tells its play from every other: an
//! engine by the signature of its effort and objective, a bot by the checksum of its games.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use fixtures::signature::{SignaturePart, Suite};
use game::rule::Rule;
use sapper::Engine;
use sapper::settings::budget::WallClock;

use super::bot_game::BotGame;
use crate::cli::Strength;
use crate::runner::board_game::{BoardGame, BoardToPlay};

/// The signatures of the engine, each computed once.
pub struct Signatures {
    suite: Suite,
    known: BTreeMap<&'static str, String>,
}

impl Signatures {
    pub fn new() -> Signatures {
        Signatures { suite: Suite::from_samples(), known: BTreeMap::new() }
    }

    /// The signature of the engine with this effort and objective. The first one of a part takes
    /// up to three seconds.
    pub fn of(&mut self, part: SignaturePart) -> String {
        let suite = &self.suite;
        let hash = self.known.entry(part.name());
        hash.or_insert_with(|| suite.part(part).hash.to_string()).clone()
    }
}

/// The part of the signature that tells the play of the engine with this strength.
pub fn signature_part(strength: &Strength, rule: Rule) -> SignaturePart {
    let (effort, objective) = strength.effort_and_objective(rule);
    SignaturePart { effort, objective }
}

/// A player of a part.
pub enum PartPlayer {
    Engine {
        strength: Strength,
        signature: String,
    },
    /// The games in the order of the boards, and their checksum.
    Told {
        games: Vec<BotGame>,
        checksum: String,
    },
}

impl PartPlayer {
    /// What tells this play from every other.
    pub fn play(&self) -> &str {
        match self {
            PartPlayer::Engine { signature, .. } => signature,
            PartPlayer::Told { checksum, .. } => checksum,
        }
    }

    /// The game on the board at a position of the part. `engine` is the thread's for this player,
    /// which its first game makes.
    ///
    /// # Errors
    /// Fails if the bot's clicks are those on another board.
    pub fn game(
        &self,
        position: usize,
        board: BoardToPlay<'_>,
        engine: &mut Option<Engine>,
        clock: &WallClock,
    ) -> Result<BoardGame> {
        match self {
            PartPlayer::Engine { strength, .. } => {
                let engine = engine.get_or_insert_with(|| strength.engine(board.rule));
                Ok(board.play(engine, clock))
            }
            PartPlayer::Told { games, .. } => {
                let BotGame { told, turns, cpu, .. } = &games[position];
                board.replay(told, *turns, *cpu).with_context(|| {
                    format!("seed {}: the clicks are those of another board", board.index)
                })
            }
        }
    }

    /// The games of the part that ended with a fault.
    pub fn faults(&self) -> u64 {
        match self {
            PartPlayer::Engine { .. } => 0,
            PartPlayer::Told { games, .. } => {
                games.iter().filter(|game| game.fault.is_some()).count() as u64
            }
        }
    }
}
