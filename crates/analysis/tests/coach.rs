//! The exact costs of the coach in solved endgames, against the policy's games on all layouts.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::Analyzer;
use analysis::review::coach::{Click, Coach};
use sapper::board::geometry::Cell;
use sapper::bot::engine::Engine;
use sapper::settings::params::{Effort, Objective};
use twin::playouts::{GuessPosition, OBJECTIVES, TURN, guesses};

const MAX_LAYOUTS: usize = 30;

/// The mines that the engine opens from `cell` on, to the end of the game.
fn hits(engine: &mut Engine, guess: &GuessPosition, mined: &[bool], cell: Cell) -> u32 {
    let mut board = guess.board.clone();
    twin::open(&mut board, mined, cell);
    while twin::has_safe_left(&board) {
        let decision = engine.decide(&board, TURN).unwrap();
        if decision.by.is_proof() {
            engine.safe().iter().for_each(|&cell| twin::open(&mut board, mined, cell));
        } else {
            twin::open(&mut board, mined, decision.cell());
        }
    }
    board.hits() - guess.board.hits()
}

/// What opening `cell` costs, as the mean over these layouts.
fn cost(
    engine: &mut Engine,
    guess: &GuessPosition,
    layouts: &[Vec<Cell>],
    objective: Objective,
    cell: Cell,
) -> f64 {
    let of_layout = |mines: &Vec<Cell>| match hits(engine, guess, &guess.field(mines), cell) {
        hits if objective == Objective::FewestHits => hits,
        hits => hits.min(1),
    };
    f64::from(layouts.iter().map(of_layout).sum::<u32>()) / layouts.len() as f64
}

#[test]
fn the_cost_in_a_solved_endgame_is_that_of_the_policys_games_on_all_layouts() {
    let mut rng = fastrand::Rng::with_seed(8);
    let (mut exact, mut costly, mut gains, mut unjudged) = (0, 0, 0, 0);
    let mut judges = OBJECTIVES.map(|objective| {
        // Without playouts, only exact costs are judged.
        let coach = Coach::new(objective, Effort::Fast, 2, || true);
        (objective, coach, Engine::new(objective, Effort::Fast))
    });
    for _ in 0..3000 {
        let board = twin::random_board(&mut rng);
        let hidden: Vec<Cell> = board.hidden().collect();
        let [cell, other] = [(); 2].map(|()| hidden[rng.usize(0..hidden.len())]);
        for (objective, coach, engine) in &mut judges {
            // A clean win is lost with the first hit.
            if *objective == Objective::CleanWin && board.hits() > 0 {
                continue;
            }
            coach.begin(board.shape().len());
            for instead in [None, Some(other)] {
                let decision = match coach.click(&board, cell, instead, 1, 1).click {
                    Click::Differs(decision) => decision,
                    click => {
                        unjudged += u32::from(matches!(click, Click::Unjudged));
                        continue;
                    }
                };
                let guess = GuessPosition::new(board.clone());
                let layouts = guess.layouts();
                // A game on each of many layouts takes long.
                if layouts.len() > MAX_LAYOUTS {
                    continue;
                }
                let [own, best] = [cell, decision.instead]
                    .map(|at| cost(engine, &guess, &layouts, *objective, at));
                let difference = own - best;
                assert!(
                    (decision.cost.mean - difference).abs() < 1e-9,
                    "{objective:?}, {cell:?} and {:?}: {:?}, {difference}\n{board}",
                    decision.instead,
                    decision.cost
                );
                let (error, playouts) = (decision.cost.standard_error, decision.cost.playouts);
                assert_eq!((error, playouts), (0.0, 0));
                exact += 1;
                costly += u32::from(difference > 1e-9);
                gains += u32::from(difference < -1e-9);
            }
        }
    }
    assert!(exact > 500 && costly > 100 && gains > 25, "{exact} {costly} {gains}");
    assert!(unjudged > 50, "{unjudged}");
}

/// Of an endgame that the policy does not solve to the end, the exact value is not its own.
#[test]
fn without_a_proven_optimum_a_cost_takes_playouts() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut unproven = 0;
    for guess in guesses(&mut rng, 600) {
        let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
        let analysis = analyzer.analyze(guess.board, None).unwrap();
        let solved = analysis.chosen().and_then(|chosen| chosen.solved);
        if solved.is_none_or(|solved| solved.is_proven) {
            continue;
        }
        let has_values = analysis.values().iter().filter(|value| value.cost.is_some()).count() > 1;
        let mut coach = Coach::new(Objective::FewestHits, Effort::Fast, 2, || true);
        coach.begin(guess.board.shape().len());
        for cell in guess.openable() {
            let click = coach.click(guess.board, cell, None, 1, 1).click;
            assert!(matches!(click, Click::Unjudged | Click::Same(_)), "{}", guess.board);
        }
        unproven += u32::from(has_values);
    }
    assert!(unproven > 3, "{unproven}");
}
