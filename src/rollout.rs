//! Games played to their end in thought: what a guess is worth when play goes on after it.
//!
//! Two moves say what is lost soon, not what a guess saves later: a cell that has to be guessed some time, and
//! that opens a way, is worth more than its odds. So the candidates that two moves leave not too far apart are
//! played on by least odds, over layouts drawn from all that fit ([`crate::draw`]), the same for each. That policy ranks
//! candidates as the fast one does (on expert boards their costs correlate by 0.99), in half of the time.
//!
//! **Odds are added up, not luck.** A game counts not the mines that it happens to hit but the odds that it
//! took. The mean is the same, and the variance a fifth:
//!
//! - *fewest hits*: the sum of the odds at its guesses. Play goes on after a hit.
//! - *clean win*: one less the product of the chances to survive its guesses. Where a guess would hit a mine,
//!   the layout is drawn again from those in which the cell is safe, so that every game goes on.
//!
//! **Halving** (Karnin, Koren and Somekh, 2013). All candidates get as many games; the worse half is dropped,
//! the others get twice as many more, and so on. What two moves say is not forgotten: it is the prior, by
//! [`Rollouts::prior`] off, and a difference of games moves it as far as their number allows.
//!
//! Two fifths of the file are tests, which need to play single layouts.
//!
//! Invariant: the choice is one of the candidates, and the same for the same board: the random numbers are
//! seeded by what the board shows, and nodes end the work.

use crate::board::{Board, Shown};
use crate::budget::{Budget, Spent};
use crate::deduce::Deducer;
use crate::draw::Urn;
use crate::engine::{Engine, Step, Turn};
use crate::geometry::{Cell, CellMap};
use crate::group::Position;
use crate::guess::{Objective, Weighed};
use crate::params::{Effort, FEWEST_GAMES, Limits, Rollouts, Solve};
use crate::probability::Prober;
use crate::random::Random;

/// How often a layout is drawn in which a cell is safe, before it is given up.
const MOST_DRAWS: usize = 1000;

/// The variance of the difference of two candidates in one game, as it usually is, and how many games it weighs as many as.
const USUAL: f64 = 0.04;
const SUPPOSED: f64 = 16.0;

/// Plays candidates on, reusing its memory.
pub struct Rollout {
    objective: Objective,
    engine: Engine,
    /// Layouts of the position at hand.
    now: Source,
    /// Layouts of the positions in a game.
    later: Source,
    table: Table,
    tried: Vec<Tried>,
    safe: Vec<Cell>,
}

/// Where layouts come from, and the last one drawn.
#[derive(Default)]
struct Source {
    urn: Urn,
    mines: Vec<Cell>,
}

impl Source {
    fn draw(&mut self, prober: &Prober, random: &mut Random) -> Result<(), Stopped> {
        self.mines.clear();
        let found = prober.draw(&mut self.urn, random, &mut self.mines);
        if found { Ok(()) } else { Err(Stopped) }
    }

    /// Draws until `cell` is safe.
    fn draw_safe(
        &mut self,
        prober: &Prober,
        cell: Cell,
        random: &mut Random,
    ) -> Result<(), Stopped> {
        for _ in 0..MOST_DRAWS {
            self.draw(prober, random)?;
            if !self.mines.contains(&cell) {
                return Ok(());
            }
        }
        Err(Stopped)
    }
}

/// Who plays on: by what is certain, and by odds alone.
fn policy(objective: Objective) -> Engine {
    let (endgame, tiny) = (Solve::NOTHING, Solve::NOTHING);
    Engine::within(objective, Limits { candidates: 0, endgame, tiny, ..Effort::Fast.limits() })
}

/// A game could not be played to its end: no time, no nodes, or no exact odds.
struct Stopped;

impl From<Spent> for Stopped {
    fn from(_: Spent) -> Stopped {
        Stopped
    }
}

/// A layout laid out, from which cells are opened as the game opens them.
#[derive(Default)]
struct Table {
    is_mine: CellMap<bool>,
    flood: Vec<Cell>,
}

impl Table {
    fn lay(&mut self, board: &Board, mines: &[Cell]) {
        self.is_mine.reset(board.shape().len(), false);
        let hits = board.iter().filter(|(_, shown)| *shown == Shown::Hit);
        for cell in hits.map(|(cell, _)| cell).chain(mines.iter().copied()) {
            self.is_mine[cell] = true;
        }
    }

    fn open(&mut self, board: &mut Board, cell: Cell) {
        self.flood.clear();
        self.flood.push(cell);
        while let Some(cell) = self.flood.pop() {
            if !board.is_hidden(cell) {
                continue;
            }
            if self.is_mine[cell] {
                board.open(cell, Shown::Hit);
                continue;
            }
            let around = board.shape().neighbours(cell);
            let mines = around.iter().filter(|&&other| self.is_mine[other]).count();
            board.open(cell, Shown::Number(mines as u8));
            if mines == 0 {
                self.flood.extend(around);
            }
        }
    }
}

/// A candidate and its games.
struct Tried {
    weighed: Weighed,
    /// What each game cost; the layouts are the same for all candidates, in the same order.
    costs: Vec<f64>,
    /// How much more than the reference it costs, by two moves and its games together.
    behind: f64,
}

/// What games say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The best candidate.
    pub cell: Cell,
    /// Games played, of all candidates together.
    pub games: usize,
}

impl Rollout {
    /// Plays for `objective`.
    pub fn new(objective: Objective) -> Rollout {
        Rollout {
            objective,
            engine: policy(objective),
            now: Source::default(),
            later: Source::default(),
            table: Table::default(),
            tried: Vec::new(),
            safe: Vec::new(),
        }
    }

    /// The best of `candidates` (the least cost first) on `board`, whose layouts `prober` has just counted exactly.
    ///
    /// Where nodes or time end first, the best by what was played until then; `None` where that is nothing.
    pub fn choose(
        &mut self,
        board: &Board,
        (position, deducer, prober): (&Position, &Deducer, &Prober),
        candidates: &[Weighed],
        limits: Rollouts,
        (turn, budget): (Turn, &mut Budget),
    ) -> Option<Played> {
        prober.fill(position, deducer, &mut self.now.urn);
        let mut random = Random::new(fingerprint(board));
        let tried = |&weighed| Tried { weighed, costs: Vec::new(), behind: 0.0 };
        self.tried.clear();
        self.tried.extend(candidates.iter().map(tried));
        let (mut active, mut games) = (self.tried.len(), limits.games);
        let mut in_time = true;
        while active > 1 && in_time {
            for _ in 0..games {
                in_time = self.play_all(board, prober, active, &mut random, (turn, budget)).is_ok();
                if !in_time {
                    break;
                }
            }
            self.sort(active, limits.prior);
            active /= 2;
            games *= 2;
        }
        let games = self.tried.iter().map(|tried| tried.costs.len()).sum();
        let best = self.tried.first().filter(|_| games > 0)?;
        Some(Played { cell: best.weighed.cell, games })
    }

    /// One game of each of the first `active` candidates over one layout.
    fn play_all(
        &mut self,
        board: &Board,
        prober: &Prober,
        active: usize,
        random: &mut Random,
        (turn, budget): (Turn, &mut Budget),
    ) -> Result<(), Stopped> {
        self.now.draw(prober, random)?;
        let mines = std::mem::take(&mut self.now.mines);
        let mut outcome = Ok(());
        for index in 0..active {
            let Weighed { cell, odds, .. } = self.tried[index].weighed;
            let mut random = Random::new(random.number());
            if self.objective == Objective::CleanWin && mines.contains(&cell) {
                outcome = self.now.draw_safe(prober, cell, &mut random);
                self.table.lay(board, &self.now.mines);
            } else {
                self.table.lay(board, &mines);
            }
            if outcome.is_err() {
                break;
            }
            match self.play(board, cell, &mut random, (turn, budget)) {
                Ok(rest) => {
                    let cost = match self.objective {
                        Objective::FewestHits => odds + rest,
                        Objective::CleanWin => 1.0 - (1.0 - odds) * (1.0 - rest),
                    };
                    self.tried[index].costs.push(cost);
                }
                Err(stopped) => {
                    outcome = Err(stopped);
                    break;
                }
            }
        }
        self.now.mines = mines;
        outcome
    }

    /// What is still to be paid after `cell` is opened: mines, or the chance to lose.
    fn play(
        &mut self,
        board: &Board,
        cell: Cell,
        random: &mut Random,
        (turn, budget): (Turn, &mut Budget),
    ) -> Result<f64, Stopped> {
        let mut board = board.clone();
        self.table.open(&mut board, cell);
        let (mut mines, mut survived) = (0.0, 1.0);
        let mut game = budget.apart(budget.limit() / FEWEST_GAMES);
        while board.has_safe_left() {
            if !turn.may_start() {
                return Err(Stopped);
            }
            let decision = self.engine.decide(&board, turn).ok_or(Stopped)?;
            budget.spend(self.engine.nodes())?;
            game.spend(self.engine.nodes())?;
            match decision.by {
                Step::Deduction | Step::Counting => {
                    self.safe.clear();
                    self.safe.extend_from_slice(self.engine.safe());
                    for &cell in &self.safe {
                        self.table.open(&mut board, cell);
                    }
                }
                // Nothing is solved by this policy.
                Step::Endgame | Step::Guess => {
                    let (cell, odds) = (decision.cell(), decision.odds);
                    mines += odds;
                    survived *= 1.0 - odds;
                    if self.objective == Objective::CleanWin && self.table.is_mine[cell] {
                        if odds >= 1.0 {
                            break;
                        }
                        self.engine.fill(&mut self.later.urn);
                        self.later.draw_safe(self.engine.prober(), cell, random)?;
                        self.table.lay(&board, &self.later.mines);
                    }
                    self.table.open(&mut board, cell);
                }
                Step::Rough => return Err(Stopped),
            }
        }
        Ok(match self.objective {
            Objective::FewestHits => mines,
            Objective::CleanWin => 1.0 - survived,
        })
    }

    /// Sorts the first `active` by what two moves and the games say, the best first.
    fn sort(&mut self, active: usize, prior: f64) {
        let tried = &mut self.tried[..active];
        // The games are compared with those of one candidate: paired, since the layouts are the same.
        let Some(first) = tried.first() else { return };
        let reference = first.costs.clone();
        let (weighed, games) = (first.weighed, reference.len());
        if games == 0 {
            return;
        }
        // Of what two moves lose, only games that would be won count.
        let scale = match self.objective {
            Objective::FewestHits => 1.0,
            Objective::CleanWin => 1.0 - reference.iter().sum::<f64>() / games as f64,
        };
        for tried in tried.iter_mut().filter(|tried| tried.weighed.cell != weighed.cell) {
            let expected = scale * (tried.weighed.cost - weighed.cost);
            let (seen, variance) = difference(&tried.costs, &reference);
            let trust = prior * prior / (prior * prior + variance);
            tried.behind =
                if trust > 0.0 { expected + trust * (seen - expected) } else { expected };
        }
        tried[0].behind = 0.0;
        tried.sort_by(|a, b| a.behind.total_cmp(&b.behind));
    }
}

/// The mean of the differences of two lists, and its variance; no knowledge where there are none.
///
/// Of a few games that happen to go alike the variance is not believed: it counts as if [`SUPPOSED`] games more had
/// been seen, of the usual one.
fn difference(a: &[f64], b: &[f64]) -> (f64, f64) {
    let differences = || a.iter().zip(b).map(|(a, b)| a - b);
    let count = differences().count() as f64;
    if count < 1.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = differences().sum::<f64>() / count;
    let squares = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>();
    (mean, (squares + SUPPOSED * USUAL) / (count - 1.0 + SUPPOSED) / count)
}

/// A seed made of what the board shows.
fn fingerprint(board: &Board) -> u64 {
    let values = board.iter().map(|(_, shown)| shown.value().map_or(10, u64::from));
    values.fold(0, |sum: u64, value| sum.wrapping_mul(0x100_0000_01b3).wrapping_add(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Deadlines, NoClock};
    use crate::deduce::Reach;
    use crate::layouts::{Layouts, MINE};
    use crate::picture::Picture;

    const TURN: Turn<'static> = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };

    /// A board with everything that is known of it, and all its layouts.
    struct Known {
        board: Board,
        position: Position,
        deducer: Deducer,
        prober: Prober,
        layouts: Vec<Vec<Cell>>,
    }

    fn known(picture: &str) -> Known {
        let picture: Picture = picture.parse().expect("a picture");
        let board = picture.board(picture.known_mines()).expect("a board");
        let position = board.position();
        let (mut deducer, mut prober) = (Deducer::new(), Prober::default());
        deducer.run(&position, Reach::FixedPoint).expect("a layout");
        let mut budget = Budget::unlimited();
        prober.run(&position, &deducer, &mut budget).expect("a layout");
        assert!(prober.odds().safe().is_empty(), "a guess");
        let mut undecided = Position::default();
        deducer.undecided_into(&position, &mut undecided);
        let mut listed = Layouts::default();
        listed.list(&board, &undecided, 10_000, &mut budget).expect("few layouts");
        let mines = |layout: usize| {
            let mined = |cell: &usize| listed.values(*cell)[layout] == MINE;
            let cells = (0..listed.cells().len()).filter(mined).map(|cell| listed.cells()[cell]);
            cells.chain(deducer.mines().iter().copied()).collect()
        };
        let layouts = (0..listed.len()).map(mines).collect();
        Known { board, position, deducer, prober, layouts }
    }

    const GUESSES: [&str; 4] = [
        "4 4 4\n2???\n????\n????\n????\n",
        "5 4 5\n?????\n?2???\n????1\n?????\n",
        "6 3 5\n??1???\n?3??2?\n??????\n",
        "5 4 6\n?!???\n?3???\n????2\n?????\n",
    ];

    /// Plays the policy under one layout after `cell`: the mines that it hits.
    fn hits(known: &Known, objective: Objective, cell: Cell, mines: &[Cell]) -> u32 {
        let mut engine = policy(objective);
        let mut table = Table::default();
        table.lay(&known.board, mines);
        let mut board = known.board.clone();
        table.open(&mut board, cell);
        while board.has_safe_left() {
            let decision = engine.decide(&board, TURN).expect("a hidden cell");
            table.open(&mut board, decision.cell());
        }
        board.hits() - known.board.hits()
    }

    #[test]
    fn odds_taken_are_the_mines_hit_on_average() {
        for picture in GUESSES {
            let known = known(picture);
            let mut rollout = Rollout::new(Objective::FewestHits);
            for cell in known.board.hidden().step_by(3) {
                let odds = known.prober.odds().of(cell);
                let (mut expected, mut hit) = (0.0, 0);
                for mines in &known.layouts {
                    rollout.table.lay(&known.board, mines);
                    let mut budget = Budget::unlimited();
                    let work = (TURN, &mut budget);
                    let rest = rollout.play(&known.board, cell, &mut Random::new(0), work);
                    expected += odds + rest.unwrap_or(f64::NAN);
                    hit += hits(&known, Objective::FewestHits, cell, mines);
                }
                let layouts = known.layouts.len() as f64;
                let (expected, hit) = (expected / layouts, f64::from(hit) / layouts);
                assert!((expected - hit).abs() < 1e-9, "{picture}{cell:?}: {expected} {hit}");
            }
        }
    }

    #[test]
    fn survival_of_all_guesses_is_the_chance_to_win() {
        for picture in GUESSES {
            let known = known(picture);
            let mut rollout = Rollout::new(Objective::CleanWin);
            let cell = known.board.hidden().nth(4).expect("a cell");
            let odds = known.prober.odds().of(cell);
            let lost = |mines: &&Vec<Cell>| hits(&known, Objective::CleanWin, cell, mines) > 0;
            let lost = known.layouts.iter().filter(lost).count() as f64;
            let exact = lost / known.layouts.len() as f64;
            known.prober.fill(&known.position, &known.deducer, &mut rollout.now.urn);
            let mut random = Random::new(5);
            let mut costs = Vec::new();
            for _ in 0..3000 {
                let drawn = rollout.now.draw_safe(&known.prober, cell, &mut random);
                assert!(drawn.is_ok());
                rollout.table.lay(&known.board, &rollout.now.mines);
                let mut budget = Budget::unlimited();
                let work = (TURN, &mut budget);
                let rest = rollout.play(&known.board, cell, &mut random, work).unwrap_or(f64::NAN);
                costs.push(1.0 - (1.0 - odds) * (1.0 - rest));
            }
            let (mean, variance) = difference(&costs, &vec![0.0; costs.len()]);
            let off = (mean - exact).abs();
            assert!(off < 4.0 * variance.sqrt() + 1e-9, "{picture}{cell:?}: {mean} {exact}");
        }
    }

    #[test]
    fn few_games_are_not_believed_to_be_alike() {
        assert_eq!(difference(&[], &[]), (0.0, f64::INFINITY));
        let (mean, variance) = difference(&[0.3], &[0.1]);
        assert!((mean - 0.2).abs() < 1e-12 && (variance - 0.04).abs() < 1e-12);
        // Four that are alike beside sixteen of the usual variance; then four that are not.
        let (mean, variance) = difference(&[0.5; 4], &[0.25; 4]);
        assert!((mean - 0.25).abs() < 1e-12 && (variance - 0.64 / 19.0 / 4.0).abs() < 1e-12);
        let (mean, variance) = difference(&[0.0, 0.0, 1.0, 1.0], &[0.0; 4]);
        assert!((mean - 0.5).abs() < 1e-12 && (variance - 1.64 / 19.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn games_move_what_two_moves_say_as_far_as_their_number_allows() {
        // The second costs 0.05 more by two moves, and 0.4 less in every game.
        let best_of = |objective, games: usize, (first, second): (f64, f64)| {
            let mut rollout = Rollout::new(objective);
            let tried = |index, cost, each| Tried {
                weighed: Weighed { cell: Cell::from_index(index), odds: 0.1, cost },
                costs: vec![each; games],
                behind: 0.0,
            };
            rollout.tried = vec![tried(0, 0.2, first), tried(1, 0.25, second)];
            rollout.sort(2, 0.03);
            rollout.tried[0].weighed.cell.index()
        };
        use Objective::{CleanWin, FewestHits};
        for (objective, games, best) in [
            (FewestHits, 1, 0),
            (FewestHits, 1000, 1),
            (CleanWin, 1, 0),
            (CleanWin, 1000, 1),
            // Half of the games are lost anyway, so that two moves differ by half as much.
            (FewestHits, 3, 0),
            (CleanWin, 3, 1),
        ] {
            assert_eq!(best_of(objective, games, (0.5, 0.1)), best, "{objective:?} {games}");
            // Games that say the same as two moves change nothing.
            assert_eq!(best_of(objective, games, (0.1, 0.5)), 0, "{objective:?} {games}");
        }
    }

    #[test]
    fn every_layout_is_drawn_as_often() {
        for picture in GUESSES {
            let known = known(picture);
            let mut source = Source::default();
            known.prober.fill(&known.position, &known.deducer, &mut source.urn);
            let mut random = Random::new(1);
            let mut layouts = known.layouts.clone();
            layouts.iter_mut().for_each(|mines| mines.sort_unstable());
            layouts.sort();
            let mut counts = vec![0_u32; layouts.len()];
            let each = 100;
            for _ in 0..each * layouts.len() {
                assert!(source.draw(&known.prober, &mut random).is_ok());
                source.mines.sort_unstable();
                let place = layouts.binary_search(&source.mines);
                counts[place.expect("only layouts that fit are drawn")] += 1;
            }
            let off = |count: &u32| (f64::from(*count) - each as f64).powi(2) / each as f64;
            let (chi, freedom) = (counts.iter().map(off).sum::<f64>(), (counts.len() - 1) as f64);
            // Normal for so many degrees of freedom.
            let z = (chi - freedom) / (2.0 * freedom).sqrt();
            assert!(z.abs() < 4.0, "{picture}: {} layouts, {z}", counts.len());
        }
    }

    #[test]
    fn without_nodes_nothing_is_chosen() {
        let known = known(GUESSES[0]);
        let mut cells = known.board.hidden();
        let mut next = || Weighed { cell: cells.next().expect("a cell"), odds: 0.2, cost: 0.3 };
        let candidates = [next(), next()];
        let limits = Effort::Full.limits().rollouts.expect("full effort plays on");
        for (nodes, expected) in [(0, false), (u64::MAX, true)] {
            let mut rollout = Rollout::new(Objective::FewestHits);
            let mut choose = || {
                let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
                let seen = (&known.position, &known.deducer, &known.prober);
                rollout.choose(&known.board, seen, &candidates, limits, (TURN, &mut budget))
            };
            let played = choose();
            assert_eq!(played.is_some(), expected);
            assert_eq!(choose(), played, "the same again");
        }
    }
}
