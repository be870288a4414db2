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
