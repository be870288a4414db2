//! What the second step gains, against the policy's games on all layouts.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::review::second_step::{SecondStepSettings, SecondStepper};
use sapper::bot::engine::Engine;
use sapper::settings::params::{Effort, Objective};
use twin::playouts::{GuessPosition, OBJECTIVES, TURN, guesses};

#[test]
fn a_gain_is_that_of_the_policys_games_on_all_layouts() {
    let mut rng = fastrand::Rng::with_seed(21);
    let (mut judged, mut differing, mut solved) = (0, 0, 0);
    let (mut error, mut variance, mut exact, mut as_chosen) = (0.0, 0.0, 0.0, 0.0);
    let mut steppers = OBJECTIVES.map(|objective| {
        let (effort, policy) = (Effort::Fast, Effort::Fast);
        let (candidates, playouts) = (4, 140);
        let settings = SecondStepSettings { objective, effort, policy, candidates, playouts };
        let engine = Engine::new(objective, policy);
        (objective, SecondStepper::new(settings, || false), engine)
    });
    for (seed, guess) in (0..).zip(guesses(&mut rng, 500)) {
        for (objective, stepper, engine) in &mut steppers {
            let layouts = guess.odds().layouts().unwrap();
            if guess.board.hits() > 0 || layouts.is_above(1_200) {
                continue;
            }
            let Some(step) = stepper.judge(guess.board, seed) else {
                solved += 1;
                continue;
            };
            if judged < 3 {
                assert_eq!(stepper.judge(guess.board, seed), Some(step), "the same again");
            }
            assert_eq!(step.own, engine.decide(guess.board, TURN).unwrap().cell());
            judged += 1;
            if step.chosen == step.own {
                assert_eq!((step.gain, step.standard_error), (0.0, 0.0));
                continue;
            }
            let [own, chosen] =
                [step.own, step.chosen].map(|cell| guess.cost(engine, *objective, cell));
            differing += 1;
            let off = step.gain - (own - chosen);
            assert!(off.abs() < 6.0 * step.standard_error + 0.01, "{step:?} {}", guess.board);
            error += off;
            variance += step.standard_error * step.standard_error;
            exact += own - chosen;
            as_chosen += step.gain_as_chosen;
        }
    }
    assert!(judged > 15 && differing > 3 && solved > 50, "{judged} {differing} {solved}");
    assert!(error.abs() < 3.0 * variance.sqrt(), "{error} {variance}");
    // The playouts that choose a cell are too good to it.
    assert!(as_chosen > exact, "{as_chosen} {exact}");
}

#[test]
fn an_interrupted_judge_says_nothing() {
    let settings = SecondStepSettings {
        objective: Objective::CleanWin,
        effort: Effort::Fast,
        policy: Effort::Fast,
        candidates: 3,
        playouts: 50,
    };
    let text = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
    let guess = GuessPosition::parse(text);
    assert!(SecondStepper::new(settings, || false).judge(guess.board, 1).is_some());
    assert_eq!(SecondStepper::new(settings, || true).judge(guess.board, 1), None);
}
