//! Games in thought against the engine itself, which starts anew at every step, and against all layouts.
//!
//! One file over 400 lines, because all its tests stand on the same guesses, what is known of them, and one slow game.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod twin;

use sapper::base::budget::{Budget, Deadlines, NoClock, Turn};
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, EndgameLimits, PlayoutSettings, RolloutLimits, SearchLimits};
use sapper::base::rng::Random;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::Position;
use sapper::board::text_format::Picture;
use sapper::bot::engine::Engine;
use sapper::deduction::deducer::{Deducer, Reach};
use sapper::probability::sampler::LayoutSampler;
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::endgame::layouts::{Layouts, MINE};
use sapper::search::guess::Candidate;
use sapper::search::rollout::SequentialHalving;
use sapper::search::rollout::game::SimulatedGame;
use sapper::search::rollout::playout::PlayoutRunner;
use sapper::search::rollout::policy::SOLVE_NODES;

const TURN: Turn<'static> = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };

/// A game of the engine, whatever it hits, up to where it is solved.
#[derive(Default)]
struct Slow {
    /// The odds of its guesses.
    odds: f64,
    /// The chance to survive them all.
    survived: f64,
    hits: u32,
    /// The nodes of its endgame ended before the optimum was known.
    is_unproven: bool,
}

fn by_odds() -> Engine {
    let (endgame, tiny_field) = (EndgameLimits::NONE, EndgameLimits::NONE);
    let limits = SearchLimits {
        candidates: 0,
        endgame,
        tiny_field,
        opening_table: false,
        ..Effort::Fast.limits()
    };
    Engine::within(Objective::FewestHits, limits)
}

fn slow(engine: &mut Engine, board: &Board, mined: &[bool], cell: Cell) -> Slow {
    let mut board = board.clone();
    let hits = board.hits();
    twin::open(&mut board, mined, cell);
    let mut game = Slow { survived: 1.0, ..Slow::default() };
    while board.has_safe_left() {
        let decision = engine.decide(&board, TURN).unwrap();
        if decision.by.is_proof() {
            engine.safe().iter().for_each(|&cell| twin::open(&mut board, mined, cell));
        } else if let Some(best) = decision.solved {
            let cost = f64::from(best.cost) / f64::from(best.layouts);
            game.odds += cost;
            game.is_unproven = !best.is_proven;
            game.survived *= 1.0 - cost;
            break;
        } else {
            game.odds += decision.odds;
            game.survived *= 1.0 - decision.odds;
            twin::open(&mut board, mined, decision.cell());
        }
    }
    game.hits = board.hits() - hits;
    game
}

/// Everything that is known of a board on which no cell is proven safe.
struct Known {
    board: Board,
    position: Position,
    deducer: Deducer,
    solver: ProbabilitySolver,
}

impl Known {
    fn new(board: Board) -> Known {
        let position = board.position();
        let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
        deducer.run(&position, Reach::FixedPoint).unwrap();
        solver.run(&position, &deducer, &mut Budget::unlimited()).unwrap();
        assert!(solver.odds().safe().is_empty(), "a guess");
        Known { board, position, deducer, solver }
    }

    fn player(&self, objective: Objective) -> PlayoutRunner {
        self.player_who(objective, PlayoutSettings::BY_ODDS)
    }

    fn player_who(&self, objective: Objective, play: PlayoutSettings) -> PlayoutRunner {
        let mut player = PlayoutRunner::new(objective, play);
        player.begin(&self.board, self.solver.odds().mines());
        player
    }

    fn sampler(&self) -> LayoutSampler {
        let mut sampler = LayoutSampler::default();
        sampler.prepare(&self.solver, &self.position, &self.deducer);
        sampler
    }

    /// Hidden cells that may be safe.
    fn openable(&self) -> Vec<Cell> {
        let odds = self.solver.odds();
        self.board.hidden().filter(|&cell| odds.of(cell) < 1.0).collect()
    }

    /// The mines of every layout, those that were hit left out.
    fn layouts(&self) -> Vec<Vec<Cell>> {
        let mut undecided = Position::default();
        self.deducer.undecided_into(&self.position, &mut undecided);
        let mut listed = Layouts::default();
        listed.list(&self.board, &undecided, 10_000, &mut Budget::unlimited()).unwrap();
        let mines = |layout: usize| {
            let mined = |cell: &usize| listed.values(*cell)[layout] == MINE;
            let cells = (0..listed.cells().len()).filter(mined).map(|cell| listed.cells()[cell]);
            cells.chain(self.deducer.mines().iter().copied()).collect()
        };
        (0..listed.len()).map(mines).collect()
    }

    /// A layout as a field: those that were hit too.
    fn field(&self, mines: &[Cell]) -> Vec<bool> {
        let is_hit = |cell: &Cell| self.board.state(*cell) == sapper::board::CellState::Hit;
        let cells = self.board.shape().cells();
        cells.map(|cell| is_hit(&cell) || mines.contains(&cell)).collect()
    }
}

fn play(player: &mut PlayoutRunner, cell: Cell, mines: &[Cell], random: &mut Random) -> f64 {
    player.play(cell, mines, random, &mut Budget::unlimited()).unwrap()
}

/// Boards on which the engine by odds has to guess, with up to so many guesses before, some of them hits.
fn guesses(random: &mut fastrand::Rng, boards: usize) -> Vec<Known> {
    let mut found = Vec::new();
    let mut engine = by_odds();
    while found.len() < boards {
        let shape = Shape::new(random.u64(1..=14), random.u64(1..=14)).unwrap();
        let mines = (shape.len() as f64 * [0.1, 0.2, 0.3, 0.6][random.usize(0..4)]) as usize;
        let mut mined = vec![false; shape.len()];
        random.choose_multiple(0..shape.len(), mines).into_iter().for_each(|at| mined[at] = true);
        let mut board = Board::new(shape, mines as u32);
        let mut left = random.usize(0..8);
        while board.has_safe_left() {
            let decision = engine.decide(&board, TURN).unwrap();
            if decision.by.is_proof() {
                engine.safe().iter().for_each(|&cell| twin::open(&mut board, &mined, cell));
            } else if left == 0 {
                found.push(Known::new(board));
                break;
            } else {
                left -= 1;
                twin::open(&mut board, &mined, decision.cell());
            }
        }
    }
    found
}

#[test]
fn a_game_is_the_engines_own_by_odds() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut engine = by_odds();
    let (mut games, mut guesses_met, mut lost) = (0, 0, 0);
    for known in guesses(&mut rng, 250) {
        let mut sampler = known.sampler();
        let mut players = [Objective::FewestHits, Objective::CleanWin].map(|o| known.player(o));
        let hidden = known.openable();
        for game in 0..6 {
            let mut random = Random::new(game);
            sampler.draw(&known.solver, &mut random, &mut Budget::unlimited()).unwrap();
            let mined = known.field(&sampler.mines);
            // A few cells only, so that games meet positions that were counted before.
            let cell = hidden[rng.usize(0..hidden.len()) * 3 % hidden.len()];
            let expected = slow(&mut engine, &known.board, &mined, cell);
            let odds = play(&mut players[0], cell, &sampler.mines, &mut random);
            assert!((odds - expected.odds).abs() < 1e-9, "{}{cell:?}: {odds}", known.board);
            let later = expected.hits - u32::from(mined[cell.index()]);
            if later == 0 {
                let lost = play(&mut players[1], cell, &sampler.mines, &mut random);
                let survived = expected.survived;
                assert!((1.0 - lost - survived).abs() < 1e-9, "{}{cell:?}: {lost}", known.board);
            }
            games += 1;
            guesses_met += u32::from(expected.odds > 0.0);
            lost += u32::from(later > 0);
        }
    }
    assert!(games == 1500 && guesses_met > 700 && lost > 300, "{guesses_met} {lost}");
}

/// Two moves of a few cells, and the endgame, from the first time that a game comes by.
const AT_ONCE: PlayoutSettings =
    PlayoutSettings { endgame_layouts: 24, candidates: 5, visits_before_two_ply: 0 };

#[test]
fn a_game_is_the_engines_own_by_two_moves_and_the_endgame() {
    let mut rng = fastrand::Rng::with_seed(11);
    let solve = EndgameLimits { layouts: AT_ONCE.endgame_layouts, nodes: SOLVE_NODES };
    let fast =
        SearchLimits { candidates: 5, endgame: solve, tiny_field: solve, ..Effort::Fast.limits() };
    let both = [Objective::FewestHits, Objective::CleanWin];
    let mut engines = both.map(|objective| Engine::within(objective, fast));
    let (mut games, mut others, mut unproven) = (0, 0, 0);
    for known in guesses(&mut rng, 150) {
        let mut sampler = known.sampler();
        let mut players = both.map(|objective| known.player_who(objective, AT_ONCE));
        let hidden = known.openable();
        for game in 0..4 {
            let mut random = Random::new(game);
            sampler.draw(&known.solver, &mut random, &mut Budget::unlimited()).unwrap();
            let mined = known.field(&sampler.mines);
            let cell = hidden[rng.usize(0..hidden.len())];
            for (objective, (engine, player)) in
                both.iter().zip(engines.iter_mut().zip(&mut players))
            {
                let expected = slow(engine, &known.board, &mined, cell);
                let cost = play(player, cell, &sampler.mines, &mut random);
                // What is found until nodes end depends on the order of the groups.
                unproven += u32::from(expected.is_unproven);
                let wanted = match objective {
                    _ if expected.is_unproven => cost,
                    Objective::FewestHits => expected.odds,
                    // The layout is drawn again where it is hit, and the game another.
                    Objective::CleanWin if expected.hits > u32::from(mined[cell.index()]) => cost,
                    Objective::CleanWin => 1.0 - expected.survived,
                };
                assert!((cost - wanted).abs() < 1e-9, "{}{cell:?}: {cost} {wanted}", known.board);
                let by_odds = slow(&mut by_odds(), &known.board, &mined, cell).odds;
                others += u32::from((by_odds - expected.odds).abs() > 1e-9);
                games += 1;
            }
        }
    }
    assert!(games == 1200 && others > 300 && unproven < 100, "{others} {unproven}");
}

const GUESSES: [&str; 4] = [
    "4 4 4\n2???\n????\n????\n????\n",
    "5 4 5\n?????\n?2???\n????1\n?????\n",
    "6 3 5\n??1???\n?3??2?\n??????\n",
    "5 4 6\n?!???\n?3???\n????2\n?????\n",
];

/// [`GUESSES`], each for either aim.
fn guesses_of_both() -> impl Iterator<Item = (&'static str, Objective)> {
    let both = [Objective::FewestHits, Objective::CleanWin];
    GUESSES.into_iter().flat_map(move |picture| both.map(|objective| (picture, objective)))
}

fn known(picture: &str) -> Known {
    let picture: Picture = picture.parse().unwrap();
    Known::new(picture.board(picture.known_mines()).unwrap())
}

#[test]
fn odds_taken_are_the_mines_hit_on_average() {
    for picture in GUESSES {
        let known = known(picture);
        let mut player = known.player(Objective::FewestHits);
        let layouts = known.layouts();
        for cell in known.board.hidden().step_by(3) {
            let (mut expected, mut hits) = (0.0, 0);
            for mines in &layouts {
                expected += known.solver.odds().of(cell);
                expected += play(&mut player, cell, mines, &mut Random::new(0));
                hits += slow(&mut by_odds(), &known.board, &known.field(mines), cell).hits;
            }
            let off = (expected - f64::from(hits)).abs();
            assert!(off < 1e-9 * layouts.len() as f64, "{picture}{cell:?}: {expected} {hits}");
        }
    }
}

#[test]
fn survival_of_all_guesses_is_the_chance_to_win() {
    for picture in GUESSES {
        let known = known(picture);
        let mut player = known.player(Objective::CleanWin);
        let cell = known.board.hidden().nth(4).unwrap();
        let odds = known.solver.odds().of(cell);
        let layouts = known.layouts();
        let is_lost = |mines: &&Vec<Cell>| {
            slow(&mut by_odds(), &known.board, &known.field(mines), cell).hits > 0
        };
        let exact = layouts.iter().filter(is_lost).count() as f64 / layouts.len() as f64;
        let (mut sampler, mut random) = (known.sampler(), Random::new(5));
        let games = 3000.0;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..games as usize {
            sampler.draw_safe(&known.solver, cell, &mut random, &mut Budget::unlimited()).unwrap();
            let rest = play(&mut player, cell, &sampler.mines, &mut random);
            let cost = 1.0 - (1.0 - odds) * (1.0 - rest);
            sum += cost;
            squares += cost * cost;
        }
        let mean = sum / games;
        let error = ((squares / games - mean * mean) / games).sqrt();
        assert!((mean - exact).abs() < 4.0 * error + 1e-9, "{picture}{cell:?}: {mean} {exact}");
    }
}

#[test]
fn every_layout_is_drawn_as_often() {
    for picture in GUESSES {
        let known = known(picture);
        let mut sampler = known.sampler();
        let mut random = Random::new(1);
        let mut layouts = known.layouts();
        layouts.iter_mut().for_each(|mines| mines.sort_unstable());
        layouts.sort();
        let mut counts = vec![0_u32; layouts.len()];
        let each = 100;
        for _ in 0..each * layouts.len() {
            sampler.draw(&known.solver, &mut random, &mut Budget::unlimited()).unwrap();
            sampler.mines.sort_unstable();
            // Only layouts that fit are drawn.
            counts[layouts.binary_search(&sampler.mines).unwrap()] += 1;
        }
        let off = |count: &u32| (f64::from(*count) - each as f64).powi(2) / each as f64;
        let (chi, freedom) = (counts.iter().map(off).sum::<f64>(), (counts.len() - 1) as f64);
        // Normal for so many degrees of freedom.
        let z = (chi - freedom) / (2.0 * freedom).sqrt();
        assert!(z.abs() < 4.0, "{picture}: {} layouts, {z}", counts.len());
    }
}

#[test]
fn a_game_ends_with_its_nodes() {
    let known = known(GUESSES[0]);
    let mut player = known.player(Objective::FewestHits);
    let (cell, layouts) = (known.board.hidden().next().unwrap(), known.layouts());
    // A game with a guess, which is counted.
    let is_long = |mines: &&Vec<Cell>| play(&mut player, cell, mines, &mut Random::new(0)) > 0.0;
    let mines = layouts.iter().find(is_long).unwrap();
    player.begin(&known.board, known.solver.odds().mines());
    let mut random = Random::new(0);
    let mut played = |nodes| {
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        let played = player.play(cell, mines, &mut random, &mut budget);
        (played.is_ok(), budget.used())
    };
    let (ok, used) = played(u64::MAX);
    assert!(ok && used > 100);
    // Now it remembers, and one that stopped half way leaves nothing behind.
    let (ok, again) = played(u64::MAX);
    assert!(ok && again < used);
    assert!(!played(again - 1).0 && !played(0).0);
    assert_eq!(played(again), (true, again));
}

#[test]
fn a_player_of_another_board_before_is_as_good_as_new() {
    let (hit, other) = (known(GUESSES[3]), known(GUESSES[1]));
    let cell = other.board.hidden().next().unwrap();
    for objective in [Objective::FewestHits, Objective::CleanWin] {
        let (mut fresh, mut used) = (other.player(objective), hit.player(objective));
        let before = hit.board.hidden().next().unwrap();
        play(&mut used, before, &hit.layouts()[0], &mut Random::new(0));
        used.begin(&other.board, other.solver.odds().mines());
        for mines in other.layouts() {
            let expected = play(&mut fresh, cell, &mines, &mut Random::new(0));
            assert_eq!(play(&mut used, cell, &mines, &mut Random::new(0)), expected);
        }
    }
}

#[test]
fn what_a_game_begins_with_costs_it_nothing() {
    let mut game = SimulatedGame::default();
    for picture in GUESSES {
        let known = known(picture);
        game.begin(&known.board, known.solver.odds().mines());
        game.start(&known.layouts()[0]);
        assert_eq!(game.steps(), 0, "{picture}");
        game.open(known.openable()[0]);
        game.propagate();
        assert!(game.steps() > 0, "{picture}");
    }
}

#[test]
fn what_is_forgotten_is_counted_again() {
    let mut rng = fastrand::Rng::with_seed(9);
    for known in guesses(&mut rng, 60) {
        let mut sampler = known.sampler();
        let mut players = [2, 50_000].map(|most| {
            let by_odds = PlayoutRunner::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
            let mut player = by_odds.remembering(most);
            player.begin(&known.board, known.solver.odds().mines());
            player
        });
        let cell = known.openable()[0];
        for game in 0..6 {
            let mut random = Random::new(game);
            sampler.draw(&known.solver, &mut random, &mut Budget::unlimited()).unwrap();
            let [few, many] =
                players.each_mut().map(|player| play(player, cell, &sampler.mines, &mut random));
            assert!((few - many).abs() < 1e-12, "{}", known.board);
        }
    }
}

#[test]
fn games_choose_what_costs_least() {
    let full = Effort::Full.limits().rollouts.unwrap();
    for (picture, objective) in guesses_of_both() {
        let known = known(picture);
        let odds = known.solver.odds();
        let cells = known.board.hidden().filter(|&cell| odds.of(cell) < 1.0);
        let all: Vec<Candidate> =
            cells.map(|cell| Candidate { cell, odds: odds.of(cell), cost: 0.0 }).collect();
        // Exactly, over all layouts.
        let layouts = known.layouts();
        let cost = |weighed: &Candidate| {
            let cost = |mines: &Vec<Cell>| {
                let field = known.field(mines);
                let hits = slow(&mut by_odds(), &known.board, &field, weighed.cell).hits;
                f64::from(if objective == Objective::CleanWin { hits.min(1) } else { hits })
            };
            layouts.iter().map(cost).sum::<f64>() / layouts.len() as f64
        };
        let least = all.iter().map(cost).fold(f64::INFINITY, f64::min);
        let limits = RolloutLimits { prior_std: 1.0, initial_playouts: 500, ..full };
        let seen = (&known.position, &known.deducer, &known.solver);
        let mut budget = Budget::unlimited();
        let mut rollout = SequentialHalving::new(objective, PlayoutSettings::BY_ODDS);
        let played = rollout.choose(&known.board, seen, &all, limits, &mut budget).unwrap();
        let chosen = all.iter().find(|weighed| weighed.cell == played.cell).map(cost).unwrap();
        assert!(chosen < least + 0.02, "{picture}{objective:?}: {chosen} {least}");
    }
}

/// Games are made of small steps, and steps that are repeated cost nothing but time: this is where it would be seen.
#[test]
fn games_take_the_nodes_that_they_always_took() {
    let full = Effort::Full.limits().rollouts.unwrap().playout;
    for (objective, play, nodes) in [
        (Objective::FewestHits, PlayoutSettings::BY_ODDS, 16_400_000..16_800_000),
        (Objective::CleanWin, PlayoutSettings::BY_ODDS, 15_700_000..16_100_000),
        // Unpaid endgames, or two moves that nobody looks or remembers, are some millions off.
        (Objective::FewestHits, full, 34_000_000..35_000_000),
        (Objective::CleanWin, full, 24_200_000..25_200_000),
    ] {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut total = 0;
        for known in guesses(&mut rng, 120) {
            let mut sampler = known.sampler();
            let mut player = known.player_who(objective, play);
            let cell = known.openable()[0];
            for game in 0..6 {
                let mut random = Random::new(game);
                let mut budget = Budget::unlimited();
                sampler.draw_safe(&known.solver, cell, &mut random, &mut budget).unwrap();
                player.play(cell, &sampler.mines, &mut random, &mut budget).unwrap();
                total += budget.used();
            }
        }
        assert!(nodes.contains(&total), "{objective:?} {total}");
    }
}

#[test]
fn what_a_game_remembers_does_not_depend_on_where_it_stopped() {
    let at_once = PlayoutSettings { endgame_layouts: 4, candidates: 6, visits_before_two_ply: 0 };
    let mut rng = fastrand::Rng::with_seed(77);
    for known in guesses(&mut rng, 20) {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let cell = known.openable()[0];
            let mut sampler = known.sampler();
            let mut unlimited = Budget::unlimited();
            sampler.draw_safe(&known.solver, cell, &mut Random::new(3), &mut unlimited).unwrap();
            let mut budget = Budget::unlimited();
            let mut fresh = known.player_who(objective, at_once);
            let work = &mut budget;
            let expected = fresh.play(cell, &sampler.mines, &mut Random::new(0), work).unwrap();
            for part in 0..150 {
                let mut player = known.player_who(objective, at_once);
                let nodes = budget.used() * part / 150;
                let mut less = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
                let random = &mut Random::new(0);
                assert!(player.play(cell, &sampler.mines, random, &mut less).is_err());
                let again = play(&mut player, cell, &sampler.mines, &mut Random::new(0));
                assert!((again - expected).abs() < 1e-9, "{}{nodes}: {again}", known.board);
            }
        }
    }
}

#[test]
fn numbers_that_cannot_be_say_nothing_in_games_either() {
    // A 0 beside a mine that was hit, and a 7 beside three cells.
    let local = "6 3 9\n!2???!\n0?????\n7?????\n";
    let picture: Picture = local.parse().unwrap();
    let board = picture.board(picture.known_mines()).unwrap_or_else(|error| error.board);
    assert!(!board.reasons().is_empty());
    for objective in [Objective::FewestHits, Objective::CleanWin] {
        for effort in [Effort::Standard, Effort::Full] {
            let nothing = EndgameLimits::NONE;
            let limits = SearchLimits { endgame: nothing, tiny_field: nothing, ..effort.limits() };
            let mut engine = Engine::within(objective, limits);
            let decision = engine.decide(&board, TURN).unwrap();
            assert!(board.is_hidden(decision.cell()));
            // Under wins these begin later. A number that was listened to would end every game at its first count.
            let plays_on = effort == Effort::Full && objective == Objective::FewestHits;
            assert!(decision.games > 0 || !plays_on, "{decision:?}");
        }
    }
}

#[test]
fn a_game_that_was_stopped_anywhere_leaves_nothing_to_the_next() {
    for (picture, objective) in guesses_of_both() {
        let known = known(picture);
        let (mut player, mut fresh) = (known.player(objective), known.player(objective));
        let cell = known.board.hidden().next().unwrap();
        let layouts = known.layouts();
        for (mines, next) in layouts.iter().zip(layouts.iter().rev()).step_by(7) {
            let expected = play(&mut fresh, cell, next, &mut Random::new(0));
            for nodes in (0..3_000).step_by(37) {
                let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
                player.play(cell, mines, &mut Random::new(0), &mut budget).ok();
                let played = play(&mut player, cell, next, &mut Random::new(0));
                assert_eq!(played, expected, "{picture}{objective:?} {nodes}");
            }
        }
    }
}
