//! This project's board files: a layout a line, as [`crate::board_file`] reads it.

use super::format::{Contents, Format, Input};
use crate::board_file::Layout;

pub(super) const FORMAT: Format = Format { name: "a board file of this project", recognises, read };

/// The first line begins a board, whose first cell is inside. So may the first row of a field that
/// is drawn with blanks between its symbols, but there every word is one symbol, and some are no
/// numbers.
fn recognises(input: &Input) -> bool {
    input.text.is_some_and(is_board_list)
}

/// Whether a text is a board file of this project, as far as its first line tells.
pub fn is_board_list(text: &str) -> bool {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default();
    let numbers: Option<Vec<u64>> =
        first.split_whitespace().map(|word| word.parse().ok()).collect();
    let begins_board = match numbers.as_deref() {
        Some(&[columns, rows, _, row, column, ..]) => row < rows && column < columns,
        _ => false,
    };
    let is_symbol = |word: &str| word.chars().count() == 1;
    let is_number = |word: &str| word.parse::<u64>().is_ok();
    let is_drawn =
        || text.split_whitespace().all(is_symbol) && !text.split_whitespace().all(is_number);
    begins_board && !is_drawn()
}

fn read(input: &Input) -> Result<Contents, String> {
    let lines = (1..).zip(input.text.unwrap_or_default().lines());
    let boards = lines.filter(|(_, line)| !line.trim().is_empty());
    let layout = |(number, line): (usize, &str)| {
        line.parse::<Layout>().map_err(|error| format!("line {number}: {error}"))
    };
    Ok(Contents::Layouts(boards.map(layout).collect::<Result<_, _>>()?))
}

/// Layouts, a line each.
pub fn to_board_list<'l>(layouts: impl IntoIterator<Item = &'l Layout>) -> String {
    layouts.into_iter().map(|layout| format!("{layout}\n")).collect()
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Cell;

    use super::*;
    use crate::formats::random::random_layout;
    use crate::formats::read as read_any;

    #[test]
    fn boards_are_read_and_faults_named() {
        let Ok(Contents::Layouts(layouts)) = read_any(b"3 2 2 1 0 0 5\n\n3 2 1 0 0 5\r\n") else {
            panic!("no board file")
        };
        assert_eq!(layouts.len(), 2);
        assert_eq!((layouts[0].first.index(), &layouts[0].mines[..]), (3, &[0, 5][..]));
        let error = read_any(b"3 2 2 1 0 0 5\n3 2 2 1 0 0\n").unwrap_err().to_string();
        assert!(error.contains("line 2: 1 different mines instead of 2"), "{error}");
    }

    #[test]
    fn rows_of_numbers_are_a_field() {
        for field in ["1 1 1 1 1 1\n. . . . . .\n", "3 2 1 0 0 2\n1 . . 1 1 .\n"] {
            assert!(matches!(read_any(field.as_bytes()), Ok(Contents::Position(_))), "{field}");
        }
        let error = read_any(b"9 9 1 0 0 12\n9 9 1 0 0 x\n").unwrap_err().to_string();
        assert!(error.contains("line 2: `x` is not a number"), "{error}");
    }

    #[test]
    fn layouts_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(10);
        for _ in 0..500 {
            let mut layouts: Vec<Layout> =
                (0..random.usize(1..5)).map(|_| random_layout(random)).collect();
            for layout in &mut layouts {
                layout.first = Cell::from_index(random.u32(..layout.shape.len() as u32));
            }
            let contents = read_any(to_board_list(&layouts).as_bytes());
            assert_eq!(contents, Ok(Contents::Layouts(layouts)));
        }
    }
}
