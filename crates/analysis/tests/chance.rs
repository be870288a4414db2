//! The chance to win, against the policy's games on all layouts, and against best play; and that
//! the playouts that choose a move are others than those of its chance.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod expert;

use std::collections::BTreeMap;

use analysis::Analyzer;
use analysis::chance::{
    CellChance, Chance, Chances, FEWEST, MOST_CELLS, PLAYOUTS, POLICY, STEP, position_chances,
};
use sapper::Board;
use sapper::board::geometry::Cell;
use sapper::bot::engine::{Engine, Step};
use sapper::settings::params::{Effort, Objective};
use twin::best_play::{MINE, Plain, all_shown};
use twin::playouts::{GuessPosition, OBJECTIVES, guesses};
use twin::random_board;

/// The chances of a position after so many playouts.
fn chances(
    guess: &GuessPosition,
    objective: Objective,
    seed: u64,
    playouts: usize,
) -> Vec<CellChance> {
    let mut analyzer = Analyzer::new(objective, Effort::Fast);
    let analysis = analyzer.analyze(guess.board, None).unwrap();
    let mut chances = Chances::new(objective, Effort::Fast, || false);
    chances.begin(&analysis, MOST_CELLS, seed);
    let made = (0..playouts).filter(|_| chances.playout()).count();
    assert_eq!(chances.playouts(), made);
    let cells = chances.cells();
    let count = u32::try_from(playouts).unwrap();
    assert_eq!(cells, position_chances(&analysis, MOST_CELLS, Effort::Fast, count, seed));
    cells
}

#[test]
fn a_chance_is_the_mean_of_the_policys_games_on_all_layouts() {
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut exact, mut played) = (0, 0);
    let (mut error, mut variance) = (0.0, 0.0);
    for (seed, guess) in (0..).zip(guesses(&mut rng, 160)) {
        let layouts = guess.odds().layouts().unwrap();
        if guess.board.hits() > 0 || layouts.is_above(900) {
            continue;
        }
        for objective in OBJECTIVES {
            let mut engine = Engine::new(objective, Effort::Fast);
            let found = chances(&guess, objective, seed, 60);
            // A game on each of many layouts takes long.
            for &CellChance { cell, chance, .. } in found.iter().take(2) {
                if chance.playouts == 0 && layouts.is_above(60) {
                    continue;
                }
                let cost = guess.cost(&mut engine, objective, cell);
                let expected = if objective == Objective::CleanWin { 1.0 - cost } else { cost };
                let off = chance.mean - expected;
                if chance.playouts == 0 {
                    assert!(off.abs() < 1e-9, "{objective:?} {cell:?}: {off}\n{}", guess.board);
                    exact += 1;
                } else {
                    let error_of_one = chance.standard_error;
                    assert!(off.abs() < 6.0 * error_of_one + 0.02, "{off} {error_of_one}");
                    error += off;
                    variance += error_of_one * error_of_one;
                    played += 1;
                }
            }
        }
    }
    assert!(exact > 40 && played > 3, "{exact} {played}");
    // The cells of a position meet the same layouts, so that their errors are not independent.
    assert!(error.abs() < 6.0 * variance.sqrt(), "{error} {variance}");
}

#[test]
fn chances_follow_from_board_and_seed_and_shrink_their_errors() {
    let text = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
    let guess = GuessPosition::parse(text);
    for objective in OBJECTIVES {
        let (few, many) = (chances(&guess, objective, 3, 20), chances(&guess, objective, 3, 80));
        assert_eq!(chances(&guess, objective, 3, 20), few);
        assert_ne!(chances(&guess, objective, 4, 20), few);
        assert!(few.len() > 2 && few.len() == many.len());
        for (few, many) in few.iter().zip(&many) {
            assert_eq!(few.chance.playouts, 20);
            assert!(many.chance.standard_error < 0.8 * few.chance.standard_error);
        }
        assert_eq!(many[0].above_move.half_width(), 0.0);
        assert!(!many[0].is_better(objective));
        // A difference on the same layouts scatters less than its two chances.
        let independent = many.iter().skip(1).filter(|one| {
            let [own, of_move] = [one.chance, many[0].chance].map(|one| one.standard_error);
            one.above_move.standard_error < (own * own + of_move * of_move).sqrt()
        });
        assert!(independent.count() > many.len() / 2);
    }
}

#[test]
fn a_better_cell_is_one_beyond_the_noise() {
    let at = |mean: f64, standard_error: f64| analysis::chance::Chance {
        mean,
        standard_error,
        playouts: 100,
    };
    let cell = Cell::from_index(1);
    let of = |above: f64, error: f64| {
        let (chance, above_move) = (at(0.5, 0.01), at(above, error));
        CellChance { cell, chance, above_move }
    };
    assert!(of(0.031, 0.01).is_better(Objective::CleanWin));
    assert!(!of(0.029, 0.01).is_better(Objective::CleanWin));
    assert!(!of(0.031, 0.01).is_better(Objective::FewestHits));
    assert!(of(-0.031, 0.01).is_better(Objective::FewestHits));
}

#[test]
fn the_chance_of_the_only_layout_is_exact() {
    let board: Board = "5 1 1\n1....".parse().unwrap();
    let cell = Cell::from_index;
    let clicks = [vec![cell(1)], vec![cell(3)]];
    for (objective, expected) in
        [(Objective::CleanWin, [1.0, 0.0, 1.0]), (Objective::FewestHits, [0.0, 1.0, 0.0])]
    {
        let mut analyzer = Analyzer::new(objective, Effort::Fast);
        let analysis = analyzer.analyze(&board, None).unwrap();
        let mut chances = Chances::new(objective, Effort::Fast, || false);
        let chosen = analysis.chosen().unwrap();
        chances.begin_beside(&board, chosen, &[], clicks.clone(), 0);
        assert!(!chances.playout());
        let found = chances.cells();
        assert_eq!(found.iter().map(|one| one.chance.mean).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(|one| one.chance.playouts == 0));
    }
}

#[test]
fn without_an_answer_there_is_no_chance() {
    let text = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
    let guess = GuessPosition::parse(text);
    let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
    let analysis = analyzer.analyze(guess.board, None).unwrap();
    let mut chances = Chances::new(Objective::CleanWin, Effort::Fast, || true);
    assert!(!chances.playout(), "nothing was begun");
    chances.begin(&analysis, 1, 1);
    assert!(!chances.playout() && chances.cells().is_empty(), "interrupted");
}

#[test]
fn playouts_end_when_the_chance_of_the_move_is_precise() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut precise, mut cut) = (0, 0);
    for guess in guesses(&mut rng, 60) {
        if precise > 3 && cut > 3 {
            break;
        }
        for (objective, within) in [(Objective::CleanWin, 0.01), (Objective::FewestHits, 0.05)] {
            let mut analyzer = Analyzer::new(objective, Effort::Fast);
            let analysis = analyzer.analyze(guess.board, None).unwrap();
            let mut chances = Chances::new(objective, Effort::Fast, || false);
            chances.begin(&analysis, 2, 1);
            chances.run(None);
            let Some(CellChance { chance, .. }) = chances.cells().first().copied() else {
                continue;
            };
            if chance.playouts == 0 {
                continue;
            }
            let is_within = chance.half_width() <= within * chance.mean.max(1.0);
            assert!(chance.playouts >= FEWEST && chance.playouts.is_multiple_of(STEP));
            assert_eq!(chances.is_precise(), is_within, "{chance:?}");
            if chance.playouts < PLAYOUTS {
                assert!(is_within, "{chance:?}");
                precise += 1;
                // As many as are asked for.
                chances.run(Some(chance.playouts as u32 + 7));
                assert_eq!(chances.playouts(), chance.playouts + 7);
            } else {
                assert_eq!(chance.playouts, PLAYOUTS);
                cut += 1;
            }
        }
    }
    assert!(precise > 3 && cut > 3, "{precise} {cut}");
}

/// The move of an effort at a guess, and the chances of its cells by a few playouts. `None`
/// where the effort does not guess, or could choose by playouts and does not.
fn at_effort(
    guess: &GuessPosition,
    (objective, effort): (Objective, Effort),
    seed: u64,
) -> Option<(Cell, BTreeMap<Cell, Chance>)> {
    const MADE: usize = 6;
    let mut analyzer = Analyzer::new(objective, effort);
    let analysis = analyzer.analyze(guess.board, None).unwrap();
    let chosen = analysis.chosen().filter(|chosen| chosen.by == Step::Guess)?;
    let by_playouts = chosen.playouts > 0;
    if by_playouts != effort.limits().rollouts.is_some() {
        return None;
    }
    let mut chances = Chances::new(objective, POLICY, || false);
    chances.begin(&analysis, MOST_CELLS, seed);
    assert_eq!((0..MADE).filter(|_| chances.playout()).count(), MADE);
    let cells = chances.cells().into_iter().map(|one| (one.cell, one.chance)).collect();
    Some((chosen.cell(), cells))
}

/// A cell that won the playouts of an effort has had luck in them, which must not be in its chance:
/// that is the one of another effort, by which it did not win.
#[test]
fn the_playouts_that_chose_the_move_take_no_part_in_its_chance() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut positions = guesses(&mut rng, 30);
    positions.push(GuessPosition::parse(expert::GUESS));
    let (mut by_playouts, mut winners) = (0, 0);
    for guess in &positions {
        for objective in OBJECTIVES {
            let at = |effort| at_effort(guess, (objective, effort), 3);
            let Some(standard) = at(Effort::Standard) else { continue };
            let Some((full, fast)) = at(Effort::Full).zip(at(Effort::Fast)) else { continue };
            by_playouts += 1;
            for (one, other) in [(&fast, &standard), (&fast, &full), (&standard, &full)] {
                let mut common = 0;
                for (cell, chance) in &one.1 {
                    let Some(told) = other.1.get(cell) else { continue };
                    assert_eq!(chance, told, "{objective} {cell:?}\n{}", guess.board);
                    common += 1;
                }
                assert!(common > 1, "{common} cells in common\n{}", guess.board);
                winners += usize::from(one.0 != other.0 && one.1.contains_key(&other.0));
            }
            let of_another_seed = at_effort(guess, (objective, Effort::Standard), 4).unwrap();
            assert_eq!(of_another_seed.0, standard.0);
            assert_ne!(of_another_seed.1, standard.1, "{}", guess.board);
        }
    }
    assert!(by_playouts > 8 && winners > 8, "{by_playouts} {winners}");
}

#[test]
fn an_exact_chance_is_that_of_the_plainest_recursion() {
    let mut rng = fastrand::Rng::with_seed(11);
    for objective in OBJECTIVES {
        let mut analyzer = Analyzer::new(objective, Effort::Standard);
        let mut chances = Chances::new(objective, POLICY, || false);
        let (mut solved, mut worse) = (0, 0);
        while solved < 300 {
            let board = random_board(&mut rng);
            if !(2..=9).contains(&board.hidden_len()) {
                continue;
            }
            let analysis = analyzer.analyze(&board, None).unwrap();
            if analysis.chosen().is_none_or(|chosen| chosen.by != Step::Endgame) {
                continue;
            }
            chances.begin(&analysis, board.hidden_len(), 1);
            assert!(!chances.playout(), "all of it is exact: {board}");
            let found = chances.cells();
            let shown = all_shown(&board, true);
            let hidden: Vec<Cell> = board.hidden().collect();
            let mut plain = Plain::new(&shown, objective);
            let chance = |cost: u32| {
                let cost = f64::from(cost) / shown.len() as f64;
                if objective == Objective::CleanWin { 1.0 - cost } else { cost }
            };
            let best = chance(plain.best());
            assert!((found[0].chance.mean - best).abs() < 1e-9, "{found:?} {best} {board}");
            for CellChance { cell, chance: told, above_move } in &found {
                let index = hidden.binary_search(cell).unwrap();
                let expected = chance(plain.best_after(index));
                assert!(
                    (told.mean - expected).abs() < 1e-9,
                    "{cell:?} {told:?} {expected} {board}"
                );
                let above = expected - best;
                assert!((above_move.mean - above).abs() < 1e-9, "{cell:?} {above_move:?} {board}");
                assert_eq!((told.playouts, told.standard_error), (0, 0.0));
                worse += usize::from(above.abs() > 1e-9);
            }
            // No cell is told twice, and none is left out that may be opened.
            let told: BTreeMap<Cell, Chance> =
                found.iter().map(|one| (one.cell, one.chance)).collect();
            assert_eq!(told.len(), found.len());
            let may_be_safe = |&at: &usize| shown.iter().any(|shown| shown[at] != MINE);
            let openable = (0..hidden.len()).filter(may_be_safe).map(|at| hidden[at]);
            assert!(openable.into_iter().all(|cell| told.contains_key(&cell)), "{board}");
            solved += 1;
        }
        assert!(worse > 300, "{worse} cells are worse than the move");
    }
}
