//! Comparison of a program with the committed signature of play.
//!
//! The other checks compare the program with the native bot, on this machine. This one compares it
//! with `samples/signature/expected.txt`, which is the same on every machine: the program decides
//! the positions of the signature, each as the first request of a new match, and the hash of the
//! cells has to be that of [`SignaturePart::BOT`].
//!
//! The program has deadlines by the wall clock, and the signature has none. The clock of the
//! program therefore stands still: on a machine that is busy with other work, a deadline could end
//! a search before its node limit does.
//!
//! After a fault the library decides the same positions, so that those that differ can be named.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fixtures::pattern::first_request_text;
use fixtures::signature::{Item, Row, SignaturePart, Suite, combine, decide, read_rows};
use rayon::prelude::*;
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::bot::engine::Engine;

use super::answers;
use super::cases::Case;

/// The number of positions that a fault names.
const NAMED: usize = 3;

/// The positions, and the committed signature of [`SignaturePart::BOT`].
pub struct Signature {
    suite: Suite,
    expected: Row,
}

impl Signature {
    /// Reads the committed row from `samples`.
    pub fn new(root: &Path) -> Result<Signature> {
        let path = root.join("samples/signature/expected.txt");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = SignaturePart::BOT.name();
        let row = read_rows(&text).into_iter().find(|row| row.name == name);
        let expected = row.with_context(|| format!("{} has no row `{name}`", path.display()))?;
        Ok(Signature { suite: Suite::from_samples(), expected })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.suite.positions().len()
    }

    /// The cell that the library opens on each position.
    fn library_cells(&self) -> Vec<Option<Cell>> {
        let mut engine = Engine::new(SignaturePart::BOT.objective, SignaturePart::BOT.effort);
        self.suite.positions().iter().map(|board| decide(board, &mut engine)).collect()
    }

    /// Compares the hash of the cells that `program` opens with the committed one.
    pub fn program_fault(&self, program: &Path, stopped_clock: &Path) -> Result<Option<String>> {
        self.fault(|index, board| {
            let input =
                format!("{{\"requests\":[{}],\"responses\":[]}}", first_request_text(board));
            let case = Case { name: format!("position {index}"), input: input.into_bytes() };
            let command = answers::command(program, &case)?;
            let output = answers::run_in_stopped_time(command, stopped_clock)?;
            Ok(answers::answered_cell(&output.stdout, board.shape()))
        })
    }

    /// Compares the hash of the cells that `ask` returns for the positions, by their index, with
    /// the committed one.
    fn fault(
        &self,
        ask: impl Fn(usize, &Board) -> Result<Option<Cell>> + Sync,
    ) -> Result<Option<String>> {
        let positions = self.suite.positions();
        let cells = positions.par_iter().enumerate().map(|(index, board)| ask(index, board));
        let cells: Vec<Option<Cell>> = cells.collect::<Result<_>>()?;
        let found =
            Row::new(&self.expected.name, combine(cells.iter().copied().map(Item::of_cells)));
        if found == self.expected {
            return Ok(None);
        }
        let hashes = format!(
            "{:08x} of {} decisions instead of {:08x} of {}",
            found.hash, found.decisions, self.expected.hash, self.expected.decisions
        );
        let mut differing = Vec::new();
        let compared = cells.into_iter().zip(self.library_cells()).zip(positions).enumerate();
        for (index, ((found, expected), board)) in compared {
            if found != expected {
                let [found, expected] = [found, expected].map(|cell| place(board, cell));
                differing.push(format!("{found} instead of {expected} in position {index}"));
            }
        }
        if differing.is_empty() {
            return Ok(Some(format!(
                "{hashes}, and the library opens the same cells: play differs from \
                 samples/signature/expected.txt"
            )));
        }
        let more = differing.len().saturating_sub(NAMED);
        differing.truncate(NAMED);
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        Ok(Some(format!("{hashes}: {}{more}", differing.join(", "))))
    }
}

/// A cell as a fault names it; rows and columns count from 0.
fn place(board: &Board, cell: Option<Cell>) -> String {
    let shape = board.shape();
    match cell {
        Some(cell) => format!("({}, {})", shape.row(cell), shape.column(cell)),
        None => "no cell".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: &str =
        "2 2 1\n1?\n??\n\n2 2 1\n??\n??\n\n3 1 1\n1?1\n\n3 3 1\n1??\n???\n???\n";

    fn signature(change: impl FnOnce(&mut Row)) -> Signature {
        let suite = || Suite::read(POSITIONS, &[]).unwrap();
        let mut row = Row::new(SignaturePart::BOT.name(), suite().part(SignaturePart::BOT));
        change(&mut row);
        Signature { suite: suite(), expected: row }
    }

    #[test]
    fn the_librarys_own_cells_have_the_signature_and_a_changed_one_is_refused() {
        let ask = |signature: &Signature| {
            let cells = signature.library_cells();
            signature.fault(move |index, _| Ok(cells[index])).unwrap()
        };
        assert_eq!(ask(&signature(|_| {})), None);
        for fault in
            [ask(&signature(|row| row.hash ^= 1)), ask(&signature(|row| row.decisions += 1))]
        {
            assert!(fault.unwrap().contains("the library opens the same cells"));
        }
    }

    #[test]
    fn positions_that_differ_are_named() {
        let signature = signature(|_| {});
        let cells = signature.library_cells();
        let other =
            |index: usize, board: &Board| board.hidden().find(|&cell| Some(cell) != cells[index]);
        let one = signature
            .fault(|index, board| Ok(if index == 1 { other(index, board) } else { cells[index] }));
        let one = one.unwrap().unwrap();
        assert!(one.ends_with("in position 1") && !one.contains("position 0"), "{one}");
        let none = signature.fault(|_, _| Ok(None)).unwrap().unwrap();
        assert!(none.contains("0 decisions") && none.contains("no cell instead of ("), "{none}");
        assert!(none.contains("position 2") && none.ends_with("and 1 more"), "{none}");
    }
}
