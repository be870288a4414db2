//! The chance to win against the games: told at two positions of each game, which the policy whose
//! chance it is then plays on.
//!
//! The positions are the first one, and the first one without a proven cell, in which a share of
//! the safe cells is open that is drawn beforehand, so that they do not depend on how the game
//! ends. A game that was lost before has none.
//!
//! Two more figures come from the same playouts: what a chance within two points takes, by playouts
//! that add up odds and by plain wins and losses; and how often another candidate's chance exceeds
//! that of the cell which is opened, by more than chance explains.
//!
//! Invariant: the chance is told from what the board shows. The result of a game follows from its
//! board and the options.

use analysis::Analyzer;
use analysis::adjusted::luck::Luck;
use analysis::chance::{Chances, Z};
use game::board_file::Layout;
use game::rule::Rule;
use game::simulate::play;
use sapper::kit::rng::Random;
use sapper::kit::text::pluralize;
use sapper::{Board, Effort, Engine, Objective};
use serde::Serialize;

use crate::report::guess_bins::Check;
use crate::report::run::Setting;
use crate::report::table::Format::{Decimals, Signed};
use crate::report::table::{Column, table};
use crate::report::wilson;
use crate::runner::board_game::open_share;
use crate::runner::interrupt;

/// The bins of equal width over 0..1.
const BINS: usize = 10;
/// Bins are merged until their variance is at least this, for the normal approximation.
const MIN_VARIANCE: f64 = 10.0;
/// The number of shares of open cells that may be drawn.
const SHARES: usize = 10_000;
/// The half-width of a 95 % interval for which the playouts are told.
const HALF_WIDTH: f64 = 0.02;

/// A position with its chance, and how its game ended.
struct ToldPosition {
    chance: f64,
    /// The variance of the told chance: it comes from playouts.
    variance: f64,
    /// 0 where the chance is exact.
    playouts: usize,
    /// What the best of the other cells that are ahead of the move gains.
    gain: Option<f64>,
    won: bool,
}

/// The positions of a game.
pub struct ToldGame {
    first: ToldPosition,
    /// The first one at which the policy guesses.
    guess: Option<ToldPosition>,
}

/// Tells the chances of one game after another.
pub struct ChanceTeller {
    engine: Engine,
    analyzer: Analyzer,
    chances: Chances,
    rule: Rule,
    playouts: usize,
    /// The cells of a guess whose chances are told.
    cells: usize,
}

impl ChanceTeller {
    /// The engine of this objective and effort plays the games and the playouts. At a guess the
    /// chances of so many cells are told, the move among them.
    pub fn new(
        objective: Objective,
        effort: Effort,
        rule: Rule,
        playouts: usize,
        cells: usize,
    ) -> ChanceTeller {
        ChanceTeller {
            engine: Engine::new(objective, effort),
            analyzer: Analyzer::new(objective, effort),
            chances: Chances::new(objective, effort, interrupt::is_requested),
            rule,
            playouts,
            cells,
        }
    }

    /// Plays a game and tells the chances of its positions, if it has any.
    pub fn play(&mut self, index: i64, layout: &Layout) -> Option<ToldGame> {
        let mut random = Random::new(index as u64);
        let least = random.below(SHARES) as f64 / SHARES as f64;
        let (mut first, mut guess): (Option<Board>, Option<Board>) = (None, None);
        let result = play(layout, self.rule, &mut self.engine, |board, decision, _| {
            if guess.is_none() && open_share(board) >= least {
                first.get_or_insert_with(|| board.clone());
                guess = (!decision.by.is_proof()).then(|| board.clone());
            }
        });
        let seed = random.next_u64();
        let first = self.tell(&first?, result.won, seed, 1)?;
        let guess = guess.and_then(|board| self.tell(&board, result.won, !seed, self.cells));
        Some(ToldGame { first, guess })
    }

    /// The chance of a position; `None` if its layouts cannot be counted exactly.
    fn tell(&mut self, board: &Board, won: bool, seed: u64, most: usize) -> Option<ToldPosition> {
        let analysis = self.analyzer.analyze(board, None).ok()?;
        self.chances.begin(&analysis, most, seed);
        while self.chances.playouts() < self.playouts && self.chances.playout() {}
        let cells = self.chances.cells();
        let chance = cells.first()?.chance;
        let better = cells[1..].iter().filter(|cell| cell.is_better(self.chances.objective()));
        let gain = better.map(|cell| cell.above_move.mean).max_by(f64::total_cmp);
        let variance = chance.standard_error * chance.standard_error;
        let playouts = chance.playouts;
        Some(ToldPosition { chance: chance.mean, variance, playouts, gain, won })
    }
}

/// The report; `--json` prints these fields.
#[derive(Serialize)]
pub struct Report {
    setting: Setting,
    games: u64,
    playouts: u32,
    groups: Vec<Group>,
    /// `None` if the chance of the move alone is told.
    ahead: Option<Ahead>,
}

/// The guesses at which another cell is ahead of the move by more than chance explains.
#[derive(Serialize)]
struct Ahead {
    /// The cells of a guess whose chances are told, the move among them.
    cells: u32,
    guesses: u64,
    /// Those with a cell ahead of the move.
    ahead: u64,
    /// What the best of these cells gains, as a chance to win; the mean over `ahead` guesses.
    gain: Option<f64>,
}

/// The playouts that a chance within two points takes, in the mean over the positions.
#[derive(Serialize)]
struct Precision {
    /// The positions whose chance is not exact.
    positions: u64,
    /// By playouts that add up the odds of their guesses, as the chances are told.
    by_odds: u64,
    /// By plain wins and losses.
    by_wins: u64,
}

/// The positions of a kind in bins by their chance.
#[derive(Serialize)]
struct Group {
    /// `all positions`: the first of each game; or `guesses`: the first without a proven cell.
    positions_are: &'static str,
    positions: u64,
    bins: Vec<Bin>,
    /// All positions in one bin; `None` without positions.
    all: Option<Bin>,
    /// The result of the chi-square test; `None` with too few positions.
    chi_square: Option<f64>,
    degrees_of_freedom: usize,
    p_value: Option<f64>,
    off: Option<bool>,
    /// `None` if all chances are exact.
    precision: Option<Precision>,
    #[serde(skip)]
    check: Option<Check>,
}

/// The positions with a chance in this range.
#[derive(Serialize)]
struct Bin {
    from: f64,
    to: f64,
    positions: u64,
    won: u64,
    /// The mean of the chances.
    predicted: f64,
    /// The share of games won, with its 95 % interval.
    observed: f64,
    interval: (f64, f64),
    /// The games won less those predicted, in standard deviations.
    z: f64,
    /// Whether the mean of the chances is within the interval.
    within: bool,
}

/// Adds a position to the sums of a bin: its chance to win in place of the odds of a guess, and a
/// game won in place of a mine.
fn add(sums: &mut Luck, position: &ToldPosition) {
    let ToldPosition { chance, variance, won, .. } = *position;
    sums.guesses += 1;
    sums.hits += u64::from(won);
    sums.expected += chance;
    sums.variance += chance * (1.0 - chance) + variance;
}

const COLUMNS: [Column<Bin>; 8] = [
    ("from", |bin| Decimals(1).text(&bin.from)),
    ("to", |bin| Decimals(1).text(&bin.to)),
    ("positions", |bin| Decimals(0).text(&bin.positions)),
    ("won", |bin| Decimals(0).text(&bin.won)),
    ("predicted", |bin| Decimals(4).text(&bin.predicted)),
    ("observed", |bin| Decimals(4).text(&bin.observed)),
    ("95 %", |bin| Decimals(4).text(&bin.interval)),
    ("z", |bin| Signed(2).text(&bin.z)),
];

impl Report {
    /// The report of these positions.
    pub fn of(
        told: &[ToldGame],
        games: u64,
        playouts: u32,
        cells: u32,
        setting: Setting,
    ) -> Report {
        let first = told.iter().map(|game| &game.first);
        let guesses = told.iter().filter_map(|game| game.guess.as_ref());
        let ahead = (cells > 1).then(|| Ahead::of(guesses.clone(), cells));
        let groups = vec![Group::of("all positions", first), Group::of("guesses", guesses)];
        Report { setting, games, playouts, groups, ahead }
    }

    /// Whether the chances are refuted.
    pub fn fails(&self) -> bool {
        self.groups.iter().any(|group| group.off == Some(true))
    }

    pub fn text(&self) -> String {
        let Report { setting, games, playouts, groups, ahead } = self;
        let games = pluralize(*games, "game", "games");
        let head = format!(
            "{games}, {} by {} effort; chances by {playouts} playouts\n",
            setting.objective, setting.effort
        );
        let text = groups.iter().fold(head, |text, group| text + "\n" + &group.text());
        text + &ahead.as_ref().map_or_else(String::new, |ahead| format!("\n{}\n", ahead.text()))
    }
}

impl Ahead {
    fn of<'g>(told: impl Iterator<Item = &'g ToldPosition> + Clone, cells: u32) -> Ahead {
        let gains = told.clone().filter_map(|position| position.gain);
        let ahead = gains.clone().count();
        let gain = (ahead > 0).then(|| gains.sum::<f64>() / ahead as f64);
        Ahead { cells, guesses: told.count() as u64, ahead: ahead as u64, gain }
    }

    fn text(&self) -> String {
        let Ahead { cells, guesses, ahead, gain } = self;
        let by = |gain: &f64| format!(", by {:.1} points in the mean", 100.0 * gain);
        format!(
            "Another of {cells} cells is ahead of the move at {ahead} of {}{}.",
            pluralize(*guesses, "guess", "guesses"),
            gain.as_ref().map_or_else(String::new, by)
        )
    }
}

impl Precision {
    /// A playout's variance is that of a chance times its playouts, or that of a win.
    fn of<'g>(told: impl Iterator<Item = &'g ToldPosition>) -> Option<Precision> {
        let (mut positions, mut by_odds, mut by_wins) = (0, 0.0, 0.0);
        for &ToldPosition { chance, variance, playouts, .. } in told.filter(|one| one.playouts > 0)
        {
            positions += 1;
            by_odds += variance * playouts as f64;
            by_wins += chance * (1.0 - chance);
        }
        let playouts =
            |sum: f64| (Z.powi(2) * sum / positions as f64 / HALF_WIDTH.powi(2)).ceil() as u64;
        (positions > 0).then(|| Precision {
            positions,
            by_odds: playouts(by_odds),
            by_wins: playouts(by_wins),
        })
    }

    fn text(&self) -> String {
        let Precision { by_odds, by_wins, .. } = self;
        format!(
            "A chance within {:.0} points takes {by_odds} playouts, by plain wins {by_wins}.\n",
            100.0 * HALF_WIDTH
        )
    }
}

impl Group {
    fn of<'g>(
        positions_are: &'static str,
        told: impl Iterator<Item = &'g ToldPosition> + Clone,
    ) -> Group {
        let mut sums = [Luck::default(); BINS];
        for position in told.clone() {
            add(&mut sums[((position.chance * BINS as f64) as usize).min(BINS - 1)], position);
        }
        let check = Check::of(&sums, MIN_VARIANCE);
        let mut total = Luck::default();
        sums.iter().for_each(|bin| total.merge(bin));
        let edge = |index: usize| index as f64 / BINS as f64;
        let bins = sums.iter().enumerate().filter(|(_, sums)| sums.guesses > 0);
        let bins: Vec<Bin> =
            bins.map(|(index, sums)| Bin::of(edge(index), edge(index + 1), sums)).collect();
        Group {
            positions_are,
            positions: bins.iter().map(|bin| bin.positions).sum(),
            bins,
            all: (total.guesses > 0).then(|| Bin::of(0.0, 1.0, &total)),
            chi_square: check.as_ref().map(|check| check.chi_square),
            degrees_of_freedom: check.as_ref().map_or(0, |check| check.degrees),
            p_value: check.as_ref().map(|check| check.p_value),
            off: check.as_ref().map(Check::fails),
            precision: Precision::of(told),
            check,
        }
    }

    fn text(&self) -> String {
        let Group { positions_are, positions, bins, all, check, precision, .. } = self;
        let few = || "Too few positions to check.".to_owned();
        let verdict = check.as_ref().map_or_else(few, Check::to_string);
        let precision = precision.as_ref().map_or_else(String::new, Precision::text);
        format!(
            "{positions_are}: {positions}\n{}\n{verdict}\n{precision}",
            table(&COLUMNS, bins.iter().chain(all))
        )
    }
}

impl Bin {
    fn of(from: f64, to: f64, sums: &Luck) -> Bin {
        let Luck { guesses: positions, hits: won, expected, .. } = *sums;
        let predicted = expected / positions as f64;
        let interval = wilson(won, positions);
        Bin {
            from,
            to,
            positions,
            won,
            predicted,
            observed: won as f64 / positions as f64,
            interval,
            z: sums.deviation(),
            within: interval.0 <= predicted && predicted <= interval.1,
        }
    }
}
