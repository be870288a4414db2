//! Every tunable in one place: what it trades, and how its value was found.

/// Nodes that counting may use in one turn; one component may use half of what is left.
///
/// Trades exact odds on the widest frontiers against time. At about 1 ns a node forward and as much
/// backward this is 0.2 s, so a machine that is twice slower still ends before the clock does.
/// Whole games on the boards of the platform use under a hundredth of it; the memory limit of
/// [`crate::probability::frontier_dp::ComponentCounter::MAX_BYTES`] is met at about the same size.
pub const COUNT_NODES: u64 = 100_000_000;

/// Products that putting counted components together may take, once, besides the limit of counting: 0.02 s, and 0.13 s in
/// wide numbers. The nodes of the turn pay for it.
pub const COMBINE_PRODUCTS: u64 = 50_000_000;

/// Nodes that balancing may use in one turn, one component half of what is left: 0.02 s, some hundreds
/// of rounds over the largest frontier of a 200x200 field.
pub const BALANCE_NODES: u64 = 10_000_000;

/// How near to the least odds a cell's must be to count as equally good.
///
/// Odds carry a rounding error of about 1e-14, so that cells which are equal by symmetry differ in
/// the last digits; different odds that come this near have not been seen to matter.
pub const SAME_ODDS: f64 = 1e-9;

/// The nearest that approximate odds come to 0 or 1.
pub const MARGIN: f64 = 1e-6;

/// What the chance of a zero is worth before a first region is open, in games, where no mine may be opened.
///
/// Two moves take a number that proves one cell safe for as good as a zero, which leads on further. On 16x16 fields with
/// 40 mines, after a 1 in the corner, they prefer the cell beside it to the next corner by 0.002, and lose 1.7 +-0.7
/// points of the games. Any worth from 0.01 to 0.2 wins 0.6 to 0.7 points on these fields (100,000 games, +-0.2), and
/// changes nothing that could be measured on others; for fewest mines it loses 0.0011 +-0.0008 on Botzone's default field.
pub const OPENING_BONUS: f64 = 0.02;

/// Cells that are open before a first region is: up to so many.
pub const FEW_OPEN: usize = 20;

/// Nodes that looking for a contradiction may use after an answer is out: a few milliseconds.
pub const CHECK_NODES: u64 = 1_000_000;

/// Nodes of one turn: what a step uses, those after it lack.
///
/// A node takes about 1 ns, where wide frontiers are counted and where games are played on; one of an endgame counts as
/// [`ENDGAME_NODE`]. So a turn ends after 0.3 s of a busy core, well before the clock.
pub const TURN_NODES: u64 = 200_000_000;

/// What a node of an endgame takes of those of a turn: it is 2 to 5 ns.
pub const ENDGAME_NODE: u64 = 3;

/// A game that takes more than one part in so many of the nodes of all games ends them: too few could be played
/// to say anything.
pub const FEWEST_GAMES: u64 = 16;

/// How much a turn may think. Each is deterministic: only nodes decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// For millions of games.
    Fast,
    /// For thousands of games.
    #[default]
    Standard,
    /// For the games that count: what the time of a turn allows.
    Full,
}

/// A share of the safe cells for each objective.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PerObjective {
    /// For the fewest mines.
    pub hits: f64,
    /// For clean wins.
    pub wins: f64,
}

/// How a game in thought goes on where nothing is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutSettings {
    /// Layouts up to which it ends, with what optimal play costs.
    pub solved: usize,
    /// Cells that are looked at two moves ahead, the least odds first; where it is none, the least odds decide.
    pub candidates: usize,
    /// Games that come by a position before two moves are looked ahead of it.
    pub after: u32,
}

impl PlayoutSettings {
    /// By the least odds to the end.
    pub const BY_ODDS: PlayoutSettings = PlayoutSettings { solved: 0, candidates: 0, after: 0 };
}

/// How games are played on to their end at a guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RolloutLimits {
    /// Games are played on once so much is open: as many cells as this share of the safe ones.
    pub from: PerObjective,
    /// Candidates that are played on, the least cost in two moves first.
    pub candidates: usize,
    /// How much more than the least a candidate may cost in two moves.
    pub margin: f64,
    /// Games of each candidate before the worse half is dropped for the first time.
    pub games: u32,
    /// How far off two moves are, as a standard deviation of the difference of two candidates: 0.02 to 0.03, measured
    /// by 500 games each of 55 guesses on expert boards, and 100 on 11x11 boards with 30 mines. Few games gain most
    /// with 0.02 (0.0033 of a win a guess, 0.0014 with 0.05), many the same with anything from 0.025 to 0.05.
    pub prior: f64,
    /// How the games are played.
    pub play: PlayoutSettings,
    /// Nodes of all games of a turn. For full effort 0.16 s of a free core at the most, half of it on average at guesses
    /// of expert games.
    pub nodes: u64,
}

/// How far a position is solved over all its layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Layouts up to which it is tried.
    pub layouts: usize,
    /// Nodes of it. Where they end, the best that was found until then is taken.
    pub nodes: u64,
}

impl EndgameLimits {
    /// No position is solved.
    pub const NOTHING: EndgameLimits = EndgameLimits { layouts: 0, nodes: 0 };
}

/// Cells up to which a field is tiny: its whole game is nearly an endgame, and worth the nodes of one.
///
/// `judge optimum` tells what it gains up to 32 cells. Of 8x8 fields with 10 mines 0.07 +-0.05 points more are won so
/// where the first click opens (40,000 games), 0.08 +-0.07 where it is only safe (20,000); of 9x9 fields with 10 mines
/// 0.00 +-0.03 (10,000). On expert fields 3,000 layouts gained nothing over 300.
pub const TINY_FIELD: usize = 64;

/// What an effort may use in one turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchLimits {
    /// Cells that are looked at two moves ahead, the least odds first.
    pub candidates: usize,
    /// Nodes of looking ahead. What is not looked at is judged by its odds.
    pub lookahead_nodes: u64,
    /// The end of a game.
    pub endgame: EndgameLimits,
    /// The same on a tiny field ([`TINY_FIELD`]), from its first cell on.
    pub tiny: EndgameLimits,
    /// Whether first cells of tiny fields are looked up ([`crate::search::endgame::opening_table`]).
    pub openings: bool,
    /// Games played to the end at a guess.
    pub rollouts: Option<RolloutLimits>,
    /// Nodes of the whole turn.
    pub turn_nodes: u64,
}

impl SearchLimits {
    /// The endgame without limits and without the table of first cells: a field whose layouts fit the memory is solved
    /// from the first cell on, however long it takes.
    pub fn lifted() -> SearchLimits {
        let endless = EndgameLimits { layouts: usize::MAX, nodes: u64::MAX };
        let standard = Effort::Standard.limits();
        let lifted =
            SearchLimits { endgame: endless, tiny: endless, turn_nodes: u64::MAX, ..standard };
        SearchLimits { openings: false, ..lifted }
    }
}

impl Effort {
    /// The limits of this effort.
    pub fn limits(self) -> SearchLimits {
        match self {
            Effort::Fast => SearchLimits {
                candidates: usize::MAX,
                lookahead_nodes: 40_000_000,
                // Six candidates and 100 layouts take two thirds of the time, open 0.024 +-0.012 mines more on 11x11
                // with 30, and win 0.55 +-0.38 points less on expert boards that open (10,000 boards each, paired).
                endgame: EndgameLimits { layouts: 500, nodes: 2_000_000 },
                tiny: EndgameLimits { layouts: 500, nodes: 2_000_000 },
                openings: true,
                rollouts: None,
                turn_nodes: TURN_NODES,
            },
            Effort::Standard => SearchLimits {
                candidates: usize::MAX,
                lookahead_nodes: 40_000_000,
                endgame: EndgameLimits { layouts: 500, nodes: 2_000_000 },
                tiny: EndgameLimits { layouts: 5_000, nodes: 20_000_000 },
                openings: true,
                rollouts: Some(RolloutLimits {
                    // Before, few games gain nothing: -0.001 +-0.001 of a win a guess, +0.001 +-0.001 mines.
                    from: PerObjective { hits: 0.25, wins: 0.25 },
                    candidates: 8,
                    margin: 0.1,
                    games: 14,
                    prior: 0.02,
                    // At a late guess of an expert game 0.0008 +-0.0008 of a win more than by odds to the end, in the
                    // same time (516 guesses, paired); two moves besides gain 0.0003 more in half as much time again.
                    play: PlayoutSettings { solved: 20, ..PlayoutSettings::BY_ODDS },
                    nodes: 20_000_000,
                }),
                turn_nodes: TURN_NODES,
            },
            Effort::Full => SearchLimits {
                candidates: usize::MAX,
                lookahead_nodes: 40_000_000,
                endgame: EndgameLimits { layouts: 3_000, nodes: 20_000_000 },
                tiny: EndgameLimits { layouts: 20_000, nodes: 60_000_000 },
                openings: true,
                rollouts: Some(RolloutLimits {
                    // By mines many games gain from the first number on: 0.004 +-0.002 a guess at 11x11/30 and 0.003
                    // +-0.002 at 30x16/99 while less than one cell in 20 is open. By wins 0.001 +-0.001 until a
                    // quarter is open, and before one in 20 is nothing, even where fast effort plays some 7,000 games
                    // a guess (0.0002 +-0.0008 of a win, 217 guesses).
                    from: PerObjective { hits: 0.0, wins: 0.05 },
                    candidates: 32,
                    margin: 0.35,
                    games: 80,
                    prior: 0.03,
                    play: PlayoutSettings { solved: 50, candidates: 6, after: 1 },
                    nodes: 150_000_000,
                }),
                turn_nodes: TURN_NODES,
            },
        }
    }
}
