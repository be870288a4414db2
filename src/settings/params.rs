//! The objective, the efforts with their limits, and every tunable number of the engine.
//!
//! Each value says what it trades and in which direction. Node counts are deterministic: with the
//! same limits, every machine plays the same.
//!
//! The measured figures are in `samples/results/README.md`, the *results page*, with the numbers
//! that are named here.

use std::fmt;
use std::str::FromStr;

use crate::kit::text::position_of_name;

/// Nodes that exact counting may use in one turn; one component may use half of what is left.
///
/// More nodes give exact probabilities on wider frontiers; fewer nodes save time. The memory limit
/// of [`crate::probability::frontier_dp::ByteLimit`] is met at about the same
/// size (results page, R1).
pub const COUNT_NODES: u64 = 100_000_000;

/// Products that combining the components by their mine counts may take, besides [`COUNT_NODES`];
/// they are charged to the nodes of the turn. A product in a wide number type counts as two.
///
/// More products combine more and larger components exactly; fewer products save time (results
/// page, R3).
pub const COMBINE_PRODUCTS: u64 = 50_000_000;

/// The cells of all components from which counting begins in the wide number type.
///
/// A larger value counts some fields in both types, one after the other: so many cells nearly
/// always have more layouts than an `f64` can hold. A smaller value counts in the slower type where
/// the other would do (results page, R3).
pub const WIDE_CELLS: usize = 10_000;

/// Nodes that balancing may use in one turn; one component may use half of what is left.
///
/// More nodes let the approximate probabilities of the largest frontiers converge further (results
/// page, R4).
pub const BALANCE_NODES: u64 = 10_000_000;

/// The difference up to which two probabilities or costs are taken for equal.
///
/// A smaller value lets rounding errors order cells that are equal by symmetry; a larger value
/// merges cells whose probabilities differ (results page, R5).
pub const PROBABILITY_TOLERANCE: f64 = 1e-9;

/// The distance that approximate probabilities keep from 0 and 1, which only a proof may give.
pub const PROBABILITY_MARGIN: f64 = 1e-6;

/// The value of the probability that a cell shows 0, for clean wins while at most
/// [`OPENING_BONUS_MAX_OPEN`] cells are open.
///
/// A two-ply look-ahead values a number that proves one cell safe as highly as a 0, which is an
/// opening. Without the bonus some first guesses are worse; its exact value matters little. With
/// fewest hits as the objective, a bonus costs mines (results page, R10).
pub const OPENING_BONUS: f64 = 0.02;

/// The number of open cells up to which [`OPENING_BONUS`] applies: there was no opening yet.
pub const OPENING_BONUS_MAX_OPEN: usize = 20;

/// The weight of the second safest cell in the risk that follows a guess; the rest is that of the
/// safest cell.
///
/// With a larger weight a guess prefers numbers that leave more than one good cell; with none it
/// looks at the next move alone, and loses games (results page, R29).
pub const SECOND_CELL_WEIGHT: f64 = 0.5;

/// Numbers of a cell that have at most this probability together are not counted by the look-ahead,
/// which changes no result that can be measured (results page, R33).
pub const NEGLIGIBLE_PROBABILITY: f64 = 0.01;

/// Nodes that the search for contradictions may use after an answer was printed.
///
/// More nodes report contradictions of larger components; the next turn waits for them (results
/// page, R8).
pub const CONTRADICTION_NODES: u64 = 1_000_000;

/// Nodes of one turn; each step takes its nodes from what the steps before it left.
///
/// Large enough for the limits of full effort, and small enough to end well before the deadlines
/// (results page, R6).
const TURN_NODES: u64 = 120_000_000;

/// The number of nodes that one node of the endgame search is charged as, because it takes longer
/// (results page, R6).
pub const NODES_PER_ENDGAME_NODE: u64 = 3;

/// The share of the safe cells below which a game for fewest hits is early: most of the mines that
/// a playout will hit are still to come, so that its cost says little about one guess.
pub const EARLY_SHARE: f64 = 0.25;

/// A playout that needs more than 1 / `MIN_PLAYOUTS` of the nodes of all playouts ends the
/// rollouts.
///
/// A larger value gives up sooner where playouts are long; a smaller value may spend all nodes on
/// too few playouts to tell candidates apart.
pub const MIN_PLAYOUTS: u64 = 16;

/// The number of cells up to which a field is tiny and uses [`SearchLimits::tiny_field`].
///
/// The whole game on a tiny field is nearly an endgame, so that a deeper search gains. On larger
/// fields it gains nothing and costs time (results page, R24).
pub const TINY_FIELD_CELLS: usize = 64;

/// The quantity that play optimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// Minimize the expected number of mines opened; play continues after a hit. Botzone's score.
    #[default]
    FewestHits,
    /// Maximize the probability of opening no mine at all. The classic rules.
    CleanWin,
}

/// How much work a turn may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// For millions of games.
    Fast,
    /// For thousands of games.
    #[default]
    Standard,
    /// For rated games: as much as the time limit of a turn allows.
    Full,
}

/// How a playout continues where no cell is proven safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutSettings {
    /// The number of layouts up to which a playout ends with the cost of optimal play. More layouts
    /// reduce bias and noise, and take longer.
    pub endgame_layouts: usize,
    /// The number of candidates of the two-ply look-ahead, in order of probability. More candidates
    /// play stronger and slower; with none, the minimum mine probability decides.
    pub candidates: usize,
    /// The number of visits by minimum mine probability to a position before the two-ply look-ahead
    /// runs there. More visits save look-aheads at positions that few playouts reach.
    pub visits_before_two_ply: u32,
    /// The number of positions that are remembered: a few megabytes.
    pub max_cached: usize,
}

impl PlayoutSettings {
    /// Opens the cell of minimum mine probability until the game ends.
    pub const BY_ODDS: PlayoutSettings = PlayoutSettings {
        endgame_layouts: 0,
        candidates: 0,
        visits_before_two_ply: 0,
        max_cached: 50_000,
    };
}

/// The limits of the rollouts at a guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RolloutLimits {
    /// The share of the safe cells from which rollouts for clean wins run. With less open, playouts
    /// are longer and tell candidates apart less (results page, R18 and R36).
    pub min_open_clean_win: f64,
    /// The number of candidates that are compared, in order of two-ply cost. More candidates leave
    /// fewer playouts to each.
    pub candidates: usize,
    /// How far the two-ply cost of a candidate may exceed the least. A larger margin admits
    /// candidates that the playouts are unlikely to prefer.
    pub margin: f64,
    /// The number of playouts of each candidate before the first halving. More playouts make an
    /// early elimination safer, and leave fewer for the later rounds.
    pub initial_playouts: u32,
    /// The standard deviation of the prior: the error of the difference of two candidates' two-ply
    /// costs. A smaller value trusts the look-ahead more, which suits few playouts (results page,
    /// R16).
    pub prior_std: f64,
    /// The same for fewest hits with less than [`EARLY_SHARE`] open; `None` for no rollouts there.
    /// A larger value follows the noise of long playouts (results page, R19).
    pub early_prior_std: Option<f64>,
    /// How the playouts play.
    pub playout: PlayoutSettings,
    /// Nodes of all playouts of a turn. More nodes give more playouts, and take longer (results
    /// page, R17).
    pub nodes: u64,
}

/// The limits of the exact endgame search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// The number of layouts up to which the search runs. More layouts start it earlier in a game,
    /// where it less often ends within its nodes.
    pub layouts: usize,
    /// Nodes of the search. When they are used up, the best solution so far is played.
    pub nodes: u64,
}

impl EndgameLimits {
    /// No position is searched.
    pub const NONE: EndgameLimits = EndgameLimits { layouts: 0, nodes: 0 };
}

/// The limits of every step of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchLimits {
    /// The number of candidates of the two-ply look-ahead, in order of probability.
    pub candidates: usize,
    /// Nodes of the two-ply look-ahead. Candidates beyond them are not considered.
    pub lookahead_nodes: u64,
    /// The limits of the endgame search.
    pub endgame: EndgameLimits,
    /// The limits of the endgame search on a field of at most [`TINY_FIELD_CELLS`] cells.
    pub tiny_field: EndgameLimits,
    /// Whether first cells of tiny fields come from [`crate::search::endgame::opening_table`].
    pub opening_table: bool,
    /// The limits of the rollouts at a guess; `None` for no rollouts.
    pub rollouts: Option<RolloutLimits>,
    /// Nodes of the whole turn.
    pub turn_nodes: u64,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Objective; 2] = [Objective::FewestHits, Objective::CleanWin];

    /// Its name in options, files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Objective::FewestHits => "fewest-hits",
            Objective::CleanWin => "clean-win",
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Objective {
    type Err = String;

    fn from_str(text: &str) -> Result<Objective, String> {
        let names = Objective::ALL.map(Objective::name);
        position_of_name(&names, text).map(|position| Objective::ALL[position])
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Effort, String> {
        let names = Effort::ALL.map(Effort::name);
        position_of_name(&names, text).map(|position| Effort::ALL[position])
    }
}

impl Effort {
    /// All efforts, the cheapest first.
    pub const ALL: [Effort; 3] = [Effort::Fast, Effort::Standard, Effort::Full];

    /// Its name in options, files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Fast => "fast",
            Effort::Standard => "standard",
            Effort::Full => "full",
        }
    }

    /// The limits of this effort.
    pub fn limits(self) -> SearchLimits {
        // Fewer candidates and layouts save time, and lose strength (results page, R13 and R37).
        let fast = SearchLimits {
            candidates: usize::MAX,
            lookahead_nodes: 40_000_000,
            endgame: EndgameLimits { layouts: 30_000, nodes: 1_000_000 },
            tiny_field: EndgameLimits { layouts: 500, nodes: 1_000_000 },
            opening_table: true,
            rollouts: None,
            turn_nodes: TURN_NODES,
        };
        match self {
            Effort::Fast => fast,
            Effort::Standard => SearchLimits {
                // So far optimal play gains over playouts, for 2 % more time (results page, R30).
                endgame: EndgameLimits { layouts: 3_000, nodes: 5_000_000 },
                tiny_field: EndgameLimits { layouts: 5_000, nodes: 20_000_000 },
                rollouts: Some(RolloutLimits {
                    min_open_clean_win: 0.25,
                    candidates: 8,
                    // A larger one gains little for its time (results page, R31).
                    margin: 0.06,
                    initial_playouts: 14,
                    prior_std: 0.02,
                    early_prior_std: None,
                    // To solve an endgame takes no longer than to play it by odds; a two-ply
                    // look-ahead gains too little for its time (results page, R20).
                    playout: PlayoutSettings { endgame_layouts: 20, ..PlayoutSettings::BY_ODDS },
                    nodes: 45_000_000,
                }),
                ..fast
            },
            Effort::Full => SearchLimits {
                endgame: EndgameLimits { layouts: 3_000, nodes: 20_000_000 },
                tiny_field: EndgameLimits { layouts: 20_000, nodes: 35_000_000 },
                rollouts: Some(RolloutLimits {
                    min_open_clean_win: 0.05,
                    candidates: 32,
                    margin: 0.35,
                    initial_playouts: 80,
                    prior_std: 0.03,
                    early_prior_std: Some(0.01),
                    playout: PlayoutSettings {
                        endgame_layouts: 50,
                        candidates: 6,
                        visits_before_two_ply: 1,
                        ..PlayoutSettings::BY_ODDS
                    },
                    nodes: 90_000_000,
                }),
                ..fast
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_and_an_effort_are_read_as_they_are_written() {
        for objective in Objective::ALL {
            assert_eq!(objective.to_string().parse(), Ok(objective));
        }
        for effort in Effort::ALL {
            assert_eq!(effort.to_string().parse(), Ok(effort));
        }
        for other in ["", "Fast", "fewest_hits", "win"] {
            assert!(other.parse::<Effort>().unwrap_err().contains(Effort::Full.name()));
            assert!(other.parse::<Objective>().unwrap_err().contains("clean-win"));
        }
    }
}
