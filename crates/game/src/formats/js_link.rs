//! Links of JSMinesweeper and LlamaSweeper to a position: `?board=..&analysis=..`.
//!
//! `analysis` is width and height in two base-62 digits each (`a`-`z`, `A`-`Z`, `0`-`9`), mines in
//! four, and then the cells row by row as runs. A run is a number in digits that only one kind of
//! cell has, the highest first; the kinds and their digits are in [`KINDS`]. Kinds with one digit
//! repeat it.
//!
//! There is no opened mine: it is written as an `F`.
//!
//! A number is given less by one for each `F` and `I` beside it: flags, and mines that the solver
//! found. An `O` is a flag that its neighbours do not count. `board`, the next game of the program,
//! is no part of the position.
//!
//! Source: `Compressor` in `Board.js` and `newBoardFromString` in `main.js` of JSMinesweeper.

use sapper::board::geometry::{Cell, Shape};
use sapper::{Board, CellState};

use super::format::{Contents, DrawnPosition, Format, Input};
use super::pttacg::query_value;
use super::symbols::Symbol;

pub(super) const FORMAT: Format =
    Format { name: "a link to a position (?board=..&analysis=..)", recognises, read };

const DIGITS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A kind of cell.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// A number, less the counted flags around it.
    Number(u8),
    Hidden,
    /// A flag that its neighbours count; one that the player sees, or a mine of the solver.
    Counted {
        is_shown: bool,
    },
    /// A flag that its neighbours do not count.
    Uncounted,
}

/// The kinds with how many of [`DIGITS`] each has, in their order.
const KINDS: [(Kind, usize); 13] = [
    (Kind::Number(0), 10),
    (Kind::Number(1), 7),
    (Kind::Number(2), 5),
    (Kind::Number(3), 5),
    (Kind::Number(4), 4),
    (Kind::Number(5), 3),
    (Kind::Number(6), 3),
    (Kind::Number(7), 1),
    (Kind::Number(8), 1),
    (Kind::Counted { is_shown: false }, 4),
    (Kind::Hidden, 10),
    (Kind::Counted { is_shown: true }, 8),
    (Kind::Uncounted, 1),
];

/// The kind of a digit, its value there, and the number of digits of that kind.
fn kind_of(digit: char) -> Option<(Kind, usize, usize)> {
    let index = DIGITS.find(digit)?;
    let mut first = 0;
    for (kind, base) in KINDS {
        if index < first + base {
            return Some((kind, index - first, base));
        }
        first += base;
    }
    None
}

fn recognises(input: &Input) -> bool {
    let link = input.trimmed();
    // A link to a game has a `board` alone.
    !link.contains(char::is_whitespace)
        && ["analysis", "board"].iter().any(|key| query_value(link, key).is_some())
}

fn read(input: &Input) -> Result<Contents, String> {
    let data = query_value(input.trimmed(), "analysis");
    let data =
        data.ok_or("it has no `analysis`, and `board` alone is a size without a position")?;
    if !data.is_ascii() || data.len() < 8 {
        return Err("`analysis` is cut off: it begins with eight digits of the size".to_owned());
    }
    let number = |text: &str| {
        text.chars().try_fold(0, |number, digit| Some(number * 62 + DIGITS.find(digit)? as u64))
    };
    let sizes = number(&data[..2]).zip(number(&data[2..4])).zip(number(&data[4..8]));
    let ((columns, rows), mines) =
        sizes.ok_or("`analysis`: its first eight characters are no base-62 digits")?;
    let shape = Shape::new(rows, columns).map_err(|error| format!("`analysis`: {error}"))?;
    let kinds = runs(&data[8..], shape.len())?;
    let is_counted = |kind: Kind| matches!(kind, Kind::Counted { .. });
    let symbol = |(cell, kind)| match kind {
        Kind::Hidden | Kind::Counted { is_shown: false } => Ok(Symbol::Hidden),
        Kind::Counted { is_shown: true } | Kind::Uncounted => Ok(Symbol::Flag),
        Kind::Number(less) => {
            let around = shape.neighbours(cell);
            let counted = around.iter().filter(|near| is_counted(kinds[near.index()])).count();
            let number = less + counted as u8;
            let place = (shape.row(cell), shape.column(cell));
            (number <= 8).then_some(Symbol::Number(number)).ok_or_else(|| {
                format!("the number of ({},{}) is {number}, above 8", place.0, place.1)
            })
        }
    };
    let cells: Vec<Symbol> =
        shape.cells().zip(kinds.iter().copied()).map(symbol).collect::<Result<_, String>>()?;
    Ok(Contents::Position(DrawnPosition::new(shape, Some(mines), &cells, Vec::new())?))
}

/// The kinds of `len` cells.
fn runs(data: &str, len: usize) -> Result<Vec<Kind>, String> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut run: Option<(Kind, usize)> = None;
    let mut digits = data.chars().enumerate();
    loop {
        let next = digits.next();
        let digit = match next {
            None => None,
            Some((index, digit)) => Some(kind_of(digit).ok_or_else(|| {
                format!("`analysis`: `{digit}`, number {} of it, is no digit", index + 8)
            })?),
        };
        run = match (run, digit) {
            (Some((kind, count)), Some((same, value, base))) if kind == same => {
                let count = if base == 1 { count + 1 } else { count * base + value };
                // A run of more cells than the field has needs no more digits.
                Some((kind, count.min(len + 1)))
            }
            (ended, digit) => {
                if let Some((kind, count)) = ended {
                    kinds.resize(kinds.len() + count, kind);
                }
                digit.map(|(kind, value, base)| (kind, if base == 1 { 1 } else { value }))
            }
        };
        if kinds.len() > len || next.is_none() {
            break;
        }
    }
    if kinds.len() == len {
        return Ok(kinds);
    }
    Err(match kinds.len() > len {
        true => format!("`analysis` has more cells than the {len} of the field"),
        false => format!("`analysis` has {} cells, expected {len}", kinds.len()),
    })
}

/// The digit of a value below 62.
fn digit(value: u64) -> char {
    char::from(DIGITS.as_bytes()[value as usize % DIGITS.len()])
}

/// A position with these flags as the part of a link from `?` on. An opened mine is written as a
/// flag. A flag that makes more flags than a number has mines is not counted by its neighbours.
///
/// # Errors
/// A field with a side above 3843, the longest that two digits hold.
pub fn to_js_link(board: &Board, flags: &[Cell]) -> Result<String, String> {
    let shape = board.shape();
    let (columns, rows, mines) = (shape.columns(), shape.rows(), board.mines());
    let longest = 62 * 62 - 1;
    if columns.max(rows) > longest {
        return Err(format!(
            "a side of {columns}x{rows} is above {longest}, the longest in a link"
        ));
    }
    let mut is_flag: Vec<bool> = board.iter().map(|(_, state)| state == CellState::Hit).collect();
    flags.iter().for_each(|flag| is_flag[flag.index()] = true);
    let flags_around =
        |cell| shape.neighbours(cell).iter().filter(|near| is_flag[near.index()]).count() as u8;
    let mut is_counted = is_flag.clone();
    for (cell, state) in board.iter() {
        if matches!(state, CellState::Number(number) if number < flags_around(cell)) {
            shape.neighbours(cell).iter().for_each(|near| is_counted[near.index()] = false);
        }
    }
    let kind = |(cell, state): (Cell, CellState)| match state {
        _ if is_counted[cell.index()] => Kind::Counted { is_shown: true },
        _ if is_flag[cell.index()] => Kind::Uncounted,
        CellState::Number(number @ 0..=8) => {
            let around = shape.neighbours(cell);
            let counted = around.iter().filter(|near| is_counted[near.index()]).count();
            Kind::Number(number - counted as u8)
        }
        _ => Kind::Hidden,
    };
    let kinds: Vec<Kind> = board.iter().map(kind).collect();
    let mut link = format!("?board={columns}x{rows}x{mines}&analysis=");
    for (number, digits) in [(columns, 2), (rows, 2), (mines, 4)] {
        let places = (0..digits).rev().map(|place| u64::from(number) / 62_u64.pow(place));
        link.extend(places.map(|part| digit(part % 62)));
    }
    for run in kinds.chunk_by(|a, b| a == b) {
        push_run(&mut link, run[0], run.len());
    }
    Ok(link)
}

/// Appends the digits of a run.
fn push_run(link: &mut String, kind: Kind, count: usize) {
    let mut first = 0;
    for (known, base) in KINDS {
        if known == kind && base == 1 {
            link.extend(std::iter::repeat_n(digit(first), count));
        } else if known == kind {
            let (base, mut left, mut digits) = (base as u64, count as u64, Vec::new());
            while left > 0 {
                digits.push(digit(first + left % base));
                left /= base;
            }
            link.extend(digits.iter().rev());
        }
        first += base as u64;
    }
}

#[cfg(test)]
mod tests {
    use sapper::board::text_format::BoardText;

    use super::*;
    use crate::formats::random::random_position;

    fn of(text: &str) -> Result<DrawnPosition, String> {
        Ok(read(&text.into())?.into_position())
    }

    /// The cells as a link, by the definition: the kinds as the letters of the program.
    fn link(columns: usize, rows: usize, mines: usize, cells: &str) -> String {
        let digit = |value: usize| DIGITS.chars().nth(value % 62).unwrap();
        let mut link = String::from("https://example.org/index.html?board=30x16x99&analysis=");
        link.extend([digit(columns / 62), digit(columns), digit(rows / 62), digit(rows)]);
        link.extend([digit(mines / 238_328), digit(mines / 3844), digit(mines / 62), digit(mines)]);
        let letters = "012345678IHFO";
        let mut rest = cells;
        while let Some(first) = rest.chars().next() {
            let count = rest.len() - rest.trim_start_matches(first).len();
            rest = &rest[count..];
            let kind = letters.find(first).unwrap();
            let base = KINDS[kind].1;
            let start: usize = KINDS[..kind].iter().map(|(_, base)| base).sum();
            let mut digits = Vec::new();
            let mut left = count;
            while left > 0 {
                let value = if base == 1 { 0 } else { left % base };
                digits.push(digit(start + value));
                left = if base == 1 { left - 1 } else { (left - value) / base };
            }
            link.extend(digits.iter().rev());
        }
        link
    }

    #[test]
    fn numbers_count_the_flags_again() {
        // The corner mine is flagged, and the cell below it a mine of the solver.
        let position = of(&link(3, 2, 2, "F0HI0H")).unwrap();
        assert_eq!(position.text, "3 2 2\n.2.\n.2.\n");
        assert_eq!(position.flags.len(), 1);
        let position = of(&link(3, 2, 2, "O2HH2H")).unwrap();
        assert_eq!(position.text, "3 2 2\n.2.\n.2.\n");
        let long = format!("{}1{}78", "H".repeat(123), "0".repeat(1000));
        let position = of(&link(1126, 1, 300_000, &long)).unwrap();
        assert_eq!(position.text.lines().next(), Some("1126 1 300000"));
        assert_eq!(position.text.lines().nth(1).unwrap(), long.replace('H', "."));
    }

    #[test]
    fn faults_are_named() {
        let good = link(3, 1, 1, "1HH");
        for (text, fault) in [
            (good[..good.len() - 1].to_owned(), "has 1 cells, expected 3"),
            (good.clone() + "l", "more"),
            (good.replace("analysis=", "analysis=%"), "no base-62 digits"),
            ("?analysis=adab".to_owned(), "cut off"),
            ("?board=9x9x10".to_owned(), "it has no `analysis`"),
            (link(3, 0, 0, ""), "a field needs"),
            (link(2, 1, 0, "8F"), "the number of (0,0) is 9, above 8"),
            (link(3, 1, 1, "1HH") + "-", "`-`"),
        ] {
            let error = of(&text).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
        // A run that would take all memory.
        let error = of(&(link(3, 1, 1, "1") + &"9".repeat(3) + &"0".repeat(60))).unwrap_err();
        assert!(error.contains("more"), "{error}");
    }

    #[test]
    fn positions_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(11);
        let mut uncounted = 0;
        for _ in 0..2000 {
            let (board, mut flags) = random_position(random);
            let link = to_js_link(&board, &flags).unwrap();
            let position = of(&link).unwrap();
            flags.extend(board.iter().filter(|(_, state)| *state == CellState::Hit).map(|on| on.0));
            flags.sort_unstable();
            let text = board.to_string().replace('*', ".");
            assert_eq!((position.text, position.flags), (text, flags));
            uncounted += usize::from(link[link.rfind('=').unwrap()..].contains('9'));
        }
        assert!((100..1900).contains(&uncounted), "{uncounted} links have an uncounted flag");
        let wide = Board::new(Shape::new(1, 4000).unwrap(), 3);
        assert!(to_js_link(&wide, &[]).unwrap_err().contains("4000x1 is above 3843"));
    }

    /// As the program's `Compressor` writes the kinds of a position.
    #[test]
    fn links_are_those_of_the_definition() {
        for (cells, text, flags) in [
            ("F0HI0H", "3 2 2\n.2.\n.2.\n", &[0, 3][..]),
            ("O1HO1H", "3 2 2\n.1.\n.1.\n", &[0, 3]),
            ("FFHHHHHHHHHHHH", "14 1 3\n..............\n", &[0, 1]),
        ] {
            let board = text.parse::<BoardText>().unwrap().board(0).unwrap();
            let flags: Vec<Cell> = flags.iter().map(|&flag| Cell::from_index(flag)).collect();
            let (columns, rows) = (board.shape().columns(), board.shape().rows());
            let (columns, rows) = (columns as usize, rows as usize);
            let expected = link(columns, rows, board.mines() as usize, &cells.replace('I', "F"));
            let link = to_js_link(&board, &flags).unwrap();
            assert_eq!(query_value(&link, "analysis"), query_value(&expected, "analysis"));
        }
    }
}
