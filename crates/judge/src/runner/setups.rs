//! The games of a run: boards of one level and one rule, each with a seed of its own.

use game::level::Level;
use game::rule::Start;
use game::setup::Setup;

use super::seeds::Seeds;

/// The games of a run.
pub struct GameSetups {
    pub level: Level,
    pub seeds: Seeds,
    pub skip_first: bool,
    pub start: Start,
}

impl GameSetups {
    /// The game of this setup.
    pub fn of(setup: &Setup) -> GameSetups {
        let Setup { shape, mines, seed, skip_first, start, .. } = *setup;
        let seeds = Seeds { first: seed, last: seed };
        GameSetups { level: Level { shape, mines }, seeds, skip_first, start }
    }

    /// The setup of the game with this seed.
    pub fn setup(&self, seed: i32) -> Setup {
        let Level { shape, mines } = self.level;
        let GameSetups { skip_first, start, .. } = *self;
        Setup { skip_first, start, ..Setup::new(shape, mines, seed) }
    }

    /// The mines that cost the whole score if they are opened.
    pub fn mines_at_stake(&self) -> u32 {
        if self.start.rule().is_classic() { 1 } else { self.level.mines }
    }
}
