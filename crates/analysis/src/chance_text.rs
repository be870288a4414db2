//! Chances to win, and mines to be expected, in words.
//!
//! Invariant: a chance has no more digits than its playouts know, and an exact one says so.

use std::cmp::Ordering;

use crate::chance::{CellChance, Chance};
use crate::notation::{cell_text, percent};
use sapper::board::geometry::{Cell, Shape};
use sapper::settings::params::Objective;

/// A chance: `43.1 %`, exact `43.12 %`, or a number of mines, `2.310`.
pub fn value(chance: Chance, objective: Objective) -> String {
    match objective {
        Objective::CleanWin if chance.playouts == 0 => percent(chance.mean),
        Objective::CleanWin | Objective::FewestHits => rounded(chance.mean, objective),
    }
}

/// A chance as playouts know it: `43.1 %`, or a number of mines, `2.310`.
pub fn rounded(chance: f64, objective: Objective) -> String {
    let unit = if objective == Objective::CleanWin { " %" } else { "" };
    amount(chance, objective) + unit
}

/// A number of points or mines: `43.1`, `2.310`.
fn amount(amount: f64, objective: Objective) -> String {
    match objective {
        Objective::CleanWin => format!("{:.1}", 100.0 * amount),
        Objective::FewestHits => format!("{amount:.3}"),
    }
}

/// Half the width of the 95 % interval of a chance or a difference: `± 1.9`, or `exact`.
pub fn within(chance: Chance, objective: Objective) -> String {
    match chance.playouts {
        0 => "exact".to_owned(),
        _ => format!("± {}", amount(chance.half_width(), objective)),
    }
}

/// A difference of two chances with its sign, in points or mines.
pub fn signed(above: Chance, objective: Objective) -> String {
    let sign = if above.mean.is_sign_negative() { '-' } else { '+' };
    format!("{sign}{}", amount(above.mean.abs(), objective))
}

/// What the chances are called.
pub fn name(objective: Objective) -> &'static str {
    match objective {
        Objective::CleanWin => "Chance to win",
        Objective::FewestHits => "Mines still to be expected",
    }
}

/// The chances of a turn in a sentence: by the engine's move, which is the first, and by the click,
/// if that is the second. `None` if there are none.
pub fn turn_sentence(
    cells: &[CellChance],
    opened: Option<Cell>,
    shape: Shape,
    objective: Objective,
) -> Option<String> {
    let of_move = cells.first()?;
    let name = name(objective);
    let told = |chance: Chance| value(chance, objective);
    let by_move = match opened == Some(of_move.cell) {
        true => String::new(),
        false => format!(" by {}", cell_text(shape, of_move.cell)),
    };
    let Some(click) = cells.get(1) else {
        let (chance, within) = (told(of_move.chance), within(of_move.chance, objective));
        return Some(format!("{name}: {chance}{by_move} ({within})."));
    };
    let above = click.above_move;
    let unit = if objective == Objective::CleanWin { " points" } else { "" };
    let difference = amount(above.mean.abs(), objective);
    let more = match above.mean.total_cmp(&0.0) {
        Ordering::Less => format!("{difference}{unit} less"),
        Ordering::Greater => format!("{difference}{unit} more"),
        Ordering::Equal => "no less".to_owned(),
    };
    let (chance, of_click) = (told(of_move.chance), told(click.chance));
    let within = within(above, objective);
    Some(format!("{name}: {chance}{by_move}, {of_click} by this click: {more} ({within})."))
}
