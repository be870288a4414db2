//! The chance to win against the games: told at two positions of each game, which the policy whose
//! chance it is then plays on.
//!
//! The positions are the first one, and the first one without a proven cell, in which a share of
//! the safe cells is open that is drawn beforehand, so that they do not depend on how the game
//! ends. A game that was lost before has none.
//!
//! Invariant: the chance is told from what the board shows. The result of a game follows from its
//! board and the options.

use analysis::Analyzer;
use analysis::adjusted::luck::Luck;
use analysis::chance::Chances;
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

/// A position with its chance, and how its game ended.
struct ToldPosition {
    chance: f64,
    /// The variance of the told chance: it comes from playouts.
    variance: f64,
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
}

impl ChanceTeller {
    /// The engine of this objective and effort plays the games and the playouts.
    pub fn new(objective: Objective, effort: Effort, rule: Rule, playouts: usize) -> ChanceTeller {
        ChanceTeller {
            engine: Engine::new(objective, effort),
            analyzer: Analyzer::new(objective, effort),
            chances: Chances::new(objective, effort, interrupt::is_requested),
            rule,
            playouts,
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
        let first = self.tell(&first?, result.won, seed)?;
        let guess = guess.and_then(|board| self.tell(&board, result.won, !seed));
        Some(ToldGame { first, guess })
    }

    /// The chance of a position; `None` if its layouts cannot be counted exactly.
    fn tell(&mut self, board: &Board, won: bool, seed: u64) -> Option<ToldPosition> {
        let analysis = self.analyzer.analyze(board, None).ok()?;
        self.chances.begin(&analysis, 1, seed);
        while self.chances.playouts() < self.playouts && self.chances.playout() {}
        let chance = self.chances.cells().first()?.chance;
        let variance = chance.standard_error * chance.standard_error;
        Some(ToldPosition { chance: chance.mean, variance, won })
    }
}

/// The report; `--json` prints these fields.
#[derive(Serialize)]
pub struct Report {
    setting: Setting,
    games: u64,
    playouts: u32,
    groups: Vec<Group>,
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
    let ToldPosition { chance, variance, won } = *position;
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
    pub fn of(told: &[ToldGame], games: u64, playouts: u32, setting: Setting) -> Report {
        let first = told.iter().map(|game| &game.first);
        let guesses = told.iter().filter_map(|game| game.guess.as_ref());
        let groups = vec![Group::of("all positions", first), Group::of("guesses", guesses)];
        Report { setting, games, playouts, groups }
    }

    /// Whether the chances are refuted.
    pub fn fails(&self) -> bool {
        self.groups.iter().any(|group| group.off == Some(true))
    }

    pub fn text(&self) -> String {
        let Report { setting, games, playouts, groups } = self;
        let games = pluralize(*games, "game", "games");
        let head = format!(
            "{games}, {} by {} effort; chances by {playouts} playouts\n",
            setting.objective, setting.effort
        );
        groups.iter().fold(head, |text, group| text + "\n" + &group.text())
    }
}

impl Group {
    fn of<'g>(positions_are: &'static str, told: impl Iterator<Item = &'g ToldPosition>) -> Group {
        let mut sums = [Luck::default(); BINS];
        for position in told {
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
            check,
        }
    }

    fn text(&self) -> String {
        let Group { positions_are, positions, bins, all, check, .. } = self;
        let few = || "Too few positions to check.".to_owned();
        let verdict = check.as_ref().map_or_else(few, Check::to_string);
        format!(
            "{positions_are}: {positions}\n{}\n{verdict}\n",
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
