//! The chance to win at a turn of a game under review: by the engine's move, and by the click.
//!
//! A click that was proven safe decides nothing and has no chance told; nor has a first click that
//! the rules keep free. A chord opens its cells one after another.
//!
//! Invariant: the chances are those that [`Chances`] tells of the same board in a position alone.

use super::frame::Frame;
use crate::chance::{Chances, SEED};
use crate::mistakes::Verdict;
use sapper::settings::params::{Objective, PROBABILITY_TOLERANCE};

/// Begins with the turn of a frame; `false` if no chance is told there.
fn begin(frame: &Frame, chances: &mut Chances) -> bool {
    let judgement = frame.judgement.as_ref().filter(|click| click.verdict != Verdict::Safe);
    let Some((judgement, chosen)) = judgement.zip(frame.chosen.as_ref()) else { return false };
    let other = Some(judgement.cells()).filter(|cells| *cells != [chosen.cell()]);
    chances.begin_beside(&frame.board, chosen, &frame.values, other, SEED);
    true
}

/// Tells the chances of a turn by so many playouts, as [`Chances::run`]; none are told by 0.
///
/// A needless risk and a proven mine are judged to cost what they take from the chance. Without
/// playouts they are judged as if the rest of the game were won.
pub fn tell_chances(frame: &mut Frame, chances: &mut Chances, playouts: Option<u32>) {
    if playouts == Some(0) || !begin(frame, chances) {
        return;
    }
    chances.run(playouts);
    frame.chances = chances.cells();
    let Some((judgement, by_click)) = frame.judgement.as_mut().zip(frame.chances.get(1)) else {
        return;
    };
    if judgement.is_needless() {
        let above = by_click.above_move.mean;
        let cost = if chances.objective() == Objective::CleanWin { -above } else { above };
        judgement.cost = if cost > PROBABILITY_TOLERANCE { cost } else { 0.0 };
    }
}
