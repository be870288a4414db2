//! A stored figure: the sums of a part of a measurement, and how they were made.
//!
//! Invariant: the parts of a measurement add up to the same sums in any order, on any machine. Only
//! times differ.

use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use super::game_sums::GameSums;
use super::machine::Machine;
use super::odds_sums::OddsSums;
use crate::report::ceiling::CeilingSums;
use crate::runner::boards::BoardRange;

/// The results of a part of a measurement.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Figure {
    /// The name of the measurement.
    pub name: String,
    /// What was measured, as the list says it.
    pub what: String,
    /// The first and the last seed, or position.
    pub part: BoardRange,
    /// The signature of play of every engine that played, and the checksum of every bot's games:
    /// the measurement's first, and then those that it is compared with. Of odds, the checksum of
    /// the program's, and then that of the engine's for all positions of the set. Of a ceiling, the
    /// signatures of the engine and of the playouts.
    pub play: Vec<String>,
    /// The version of the judge, with its commit.
    pub version: String,
    pub machine: Machine,
    /// The command that plays these boards again.
    pub command: String,
    pub sums: Sums,
}
read_from_object!(both Figure);

/// What was measured of a part.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, remote = "Self")]
pub enum Sums {
    Games(Box<GameSums>),
    Odds(OddsSums),
    Ceiling(Box<CeilingSums>),
}
read_from_object!(both Sums);

impl Sums {
    /// The sums without times, which differ from run to run.
    pub fn untimed(&self) -> Sums {
        match self {
            Sums::Games(sums) => Sums::Games(Box::new(sums.untimed())),
            Sums::Odds(sums) => Sums::Odds(sums.untimed()),
            Sums::Ceiling(sums) => Sums::Ceiling(Box::new(sums.untimed())),
        }
    }
}

/// The sums of one kind of measurements.
pub trait PartSums: Default {
    /// The sums, if they are of this kind.
    fn of(sums: &Sums) -> Option<&Self>;

    /// Adds another part.
    fn merge(&mut self, other: &Self);
}

impl PartSums for GameSums {
    fn of(sums: &Sums) -> Option<&GameSums> {
        match sums {
            Sums::Games(sums) => Some(sums),
            Sums::Odds(_) | Sums::Ceiling(_) => None,
        }
    }

    fn merge(&mut self, other: &GameSums) {
        self.merge(other);
    }
}

impl PartSums for OddsSums {
    fn of(sums: &Sums) -> Option<&OddsSums> {
        match sums {
            Sums::Odds(sums) => Some(sums),
            Sums::Games(_) | Sums::Ceiling(_) => None,
        }
    }

    fn merge(&mut self, other: &OddsSums) {
        self.merge(other);
    }
}

impl PartSums for CeilingSums {
    fn of(sums: &Sums) -> Option<&CeilingSums> {
        match sums {
            Sums::Ceiling(sums) => Some(sums),
            Sums::Games(_) | Sums::Odds(_) => None,
        }
    }

    fn merge(&mut self, other: &CeilingSums) {
        self.merge(other);
    }
}

impl Figure {
    /// What tells this part from every other: where two figures have the same, the sums are equal.
    pub fn key(&self) -> FigureKey {
        (self.name.clone(), self.what.clone(), self.part, self.play.clone())
    }
}

/// How the last of some figures was made, as a report tells it; null without a figure.
#[derive(Serialize)]
pub struct Made {
    version: Option<String>,
    command: Option<String>,
    machine: Option<Machine>,
}

impl Made {
    pub fn of(last: Option<&Figure>) -> Made {
        Made {
            version: last.map(|figure| figure.version.clone()),
            command: last.map(|figure| figure.command.clone()),
            machine: last.map(|figure| figure.machine.clone()),
        }
    }
}

/// Name, measurement, part and play of a figure.
pub type FigureKey = (String, String, BoardRange, Vec<String>);
