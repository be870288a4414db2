//! The chance to win, by the cell that is opened next, as text.

use std::fmt::Write as _;

use analysis::chance::CellChance;
use analysis::chance_text::{name, signed, value, within};
use analysis::notation::cell_text;
use sapper::kit::text::pluralize;
use sapper::{Objective, Shape};

use crate::report::table::{empty, right_align};

/// The chance of the move, and those of other cells as a table; empty if nothing is known.
pub fn text(cells: &[CellChance], shape: Shape, objective: Objective) -> String {
    let Some(CellChance { chance, .. }) = cells.first() else { return String::new() };
    let [value, within] = [value, within].map(|text| move |chance| text(chance, objective));
    let how = match chance.playouts {
        0 => "over all layouts with best play".to_owned(),
        some => format!("{}, in {}", within(*chance), pluralize(some, "playout", "playouts")),
    };
    let mut text = format!("\n{}: {} ({how})\n", name(objective), value(*chance));
    if cells.len() > 1 && chance.playouts > 0 {
        let mut table = empty(["cell", "chance", "95 %", "above the move", "95 %"]);
        right_align(&mut table, 1..5);
        for (rank, one) in cells.iter().enumerate() {
            let row = [cell_text(shape, one.cell), value(one.chance), within(one.chance)];
            let above = [signed(one.above_move, objective), within(one.above_move)];
            // The move is not compared with itself.
            let above = above.into_iter().map(|text| if rank == 0 { String::new() } else { text });
            table.add_row(row.into_iter().chain(above));
        }
        let _ = writeln!(text, "{table}");
    }
    let better = cells.iter().find(|one| one.is_better(objective));
    if let Some(better) = better.filter(|_| chance.playouts > 0) {
        let _ = writeln!(
            text,
            "{} is ahead of the move by more than chance explains.",
            cell_text(shape, better.cell)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::chance::Chance;
    use sapper::Cell;

    const AHEAD: &str = "is ahead of the move by more than chance explains.";

    fn told(cells: &[CellChance], objective: Objective) -> String {
        text(cells, Shape::new(2, 4).unwrap(), objective)
    }

    /// The move, whose chance is 0.5, and cells that are above it by a mean with a standard error.
    fn beside_the_move(playouts: usize, others: &[(f64, f64)]) -> Vec<CellChance> {
        let chance = |mean, standard_error| Chance { mean, standard_error, playouts };
        let cell = |(index, &(above, error)): (u32, &(f64, f64))| CellChance {
            cell: Cell::from_index(index),
            chance: chance(0.5 + above, 0.01),
            above_move: chance(above, error),
        };
        (0..).zip([&(0.0, 0.0)].into_iter().chain(others)).map(cell).collect()
    }

    #[test]
    fn the_first_cell_ahead_by_more_than_chance_explains_is_named() {
        // (0,2) and (0,3) are ahead by more than three standard errors, (0,1) by less; (1,0) is
        // behind by more.
        let ahead = [(0.029, 0.01), (0.04, 0.01), (0.08, 0.01), (-0.04, 0.01)];
        for objective in [Objective::CleanWin, Objective::FewestHits] {
            let is_clean_win = objective == Objective::CleanWin;
            let (named, other) = if is_clean_win { ("(0,2)", "(1,0)") } else { ("(1,0)", "(0,2)") };
            let cells = beside_the_move(100, &ahead);
            let text = told(&cells, objective);
            assert!(text.ends_with(&format!("\n{named} {AHEAD}\n")), "{text}");
            assert_eq!(text.matches(AHEAD).count(), 1, "{text}");
            // The table has every cell, ahead or not.
            assert!(text.contains(&format!("| {other} ")), "{text}");
        }
    }

    #[test]
    fn a_cell_that_chance_may_have_put_ahead_is_not_named() {
        for objective in [Objective::CleanWin, Objective::FewestHits] {
            let better = if objective == Objective::CleanWin { 1.0 } else { -1.0 };
            let within = [(better * 0.029, 0.01), (better * -0.08, 0.01)];
            let text = told(&beside_the_move(100, &within), objective);
            assert!(!text.contains("ahead") && text.contains("| (0,2) "), "{text}");
            // The same difference, known better.
            let known = [(better * 0.029, 0.009), (better * -0.08, 0.01)];
            let text = told(&beside_the_move(100, &known), objective);
            assert!(text.ends_with(&format!("\n(0,1) {AHEAD}\n")), "{text}");
        }
    }

    /// Best play is not better than itself: there a difference is one of rounding.
    #[test]
    fn where_the_chance_of_the_move_is_exact_no_cell_is_ahead() {
        for objective in [Objective::CleanWin, Objective::FewestHits] {
            let text = told(&beside_the_move(0, &[(0.1, 0.0), (-0.1, 0.0)]), objective);
            let name = name(objective);
            assert!(text.starts_with(&format!("\n{name}: ")) && text.lines().count() == 2);
            assert!(text.contains("over all layouts with best play") && !text.contains("ahead"));
        }
        assert_eq!(told(&[], Objective::CleanWin), "");
    }
}
