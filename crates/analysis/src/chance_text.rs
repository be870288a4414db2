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
        Objective::CleanWin => format!("{:.1} %", 100.0 * chance.mean),
        Objective::FewestHits => format!("{:.3}", chance.mean),
    }
}

/// Half the width of the 95 % interval of a chance or a difference: `± 1.9`, or `exact`.
pub fn within(chance: Chance, objective: Objective) -> String {
    match objective {
        _ if chance.playouts == 0 => "exact".to_owned(),
        Objective::CleanWin => format!("± {:.1}", 100.0 * chance.half_width()),
        Objective::FewestHits => format!("± {:.3}", chance.half_width()),
    }
}

/// A difference of two chances with its sign, in points or mines.
pub fn signed(above: Chance, objective: Objective) -> String {
    match objective {
        Objective::CleanWin => format!("{:+.1}", 100.0 * above.mean),
        Objective::FewestHits => format!("{:+.3}", above.mean),
    }
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
    let apart = Chance { mean: above.mean.abs(), ..above };
    let unit = if objective == Objective::CleanWin { " points" } else { "" };
    let difference = signed(apart, objective);
    let difference = difference.trim_start_matches('+');
    let more = match above.mean.total_cmp(&0.0) {
        Ordering::Less => format!("{difference}{unit} less"),
        Ordering::Greater => format!("{difference}{unit} more"),
        Ordering::Equal => "no less".to_owned(),
    };
    let (chance, of_click) = (told(of_move.chance), told(click.chance));
    let within = within(above, objective);
    Some(format!("{name}: {chance}{by_move}, {of_click} by this click: {more} ({within})."))
}
