//! Links of PTTACG's calculator and LlamaSweeper to a layout: `?b=3&m=...`.
//!
//! `b` is 1 for 9x9, 2 for 16x16, 3 for 30x16, else width and height in decimal digits of equal
//! length: `4005` is 40x5. `m` has a base-32 digit (`0`-`9`, `a`-`v`) for each five cells, row by
//! row, the first cell the highest bit; the last digit is filled with zeros. Zeros after the last
//! mine may be left out.

use sapper::board::geometry::Shape;

use super::format::{Contents, Format, Input};
use crate::board_file::Layout;

pub(super) const FORMAT: Format =
    Format { name: "a link to a layout (?b=..&m=..)", recognises, read };

const CELLS_PER_DIGIT: usize = 5;

/// The value of a key in the query of a link, up to the fragment.
pub(super) fn query_value<'t>(link: &'t str, key: &str) -> Option<&'t str> {
    let query = link.split_once('?')?.1;
    let query = query.split('#').next()?;
    query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}

fn recognises(input: &Input) -> bool {
    let link = input.trimmed();
    !link.contains(char::is_whitespace)
        && query_value(link, "b").is_some()
        && query_value(link, "m").is_some()
}

fn shape_of(text: &str) -> Result<Shape, String> {
    let (columns, rows) = match text {
        "1" => (9, 9),
        "2" => (16, 16),
        "3" => (30, 16),
        _ => {
            let is_even = text.len().is_multiple_of(2) && !text.is_empty();
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let parts = (is_even && is_number).then(|| text.split_at(text.len() / 2));
            let parts = parts.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
            parts.ok_or_else(|| {
                format!(
                    "`b={text}` is no size: it must be 1, 2, 3, or width and height in digits of \
                     equal length, such as 3016"
                )
            })?
        }
    };
    Shape::new(rows, columns).map_err(|error| format!("`b={text}`: {error}"))
}

fn read(input: &Input) -> Result<Contents, String> {
    let link = input.trimmed();
    let shape = shape_of(query_value(link, "b").unwrap_or_default())?;
    let digits = query_value(link, "m").unwrap_or_default();
    let mut mines = Vec::new();
    for (index, digit) in digits.chars().enumerate() {
        let value = digit.to_digit(32);
        let value = value.ok_or_else(|| {
            format!("`{digit}`, number {index} of `m`, is no base-32 digit (0-9, a-v)")
        })?;
        for bit in (0..CELLS_PER_DIGIT).filter(|bit| value & (16 >> bit) != 0) {
            let cell = index * CELLS_PER_DIGIT + bit;
            if cell >= shape.len() {
                let expected = shape.len().div_ceil(CELLS_PER_DIGIT);
                return Err(format!(
                    "`m` has a mine after the last cell: a field of {} cells has {expected} digits",
                    shape.len()
                ));
            }
            mines.push(cell);
        }
    }
    Ok(Contents::Layouts(vec![Layout::new(shape, mines)]))
}

/// A layout as the part of a link from `?` on. Its first cell is left out.
pub fn to_pttacg(layout: &Layout) -> String {
    let shape = layout.shape;
    let size = match (shape.columns(), shape.rows()) {
        (9, 9) => "1".to_owned(),
        (16, 16) => "2".to_owned(),
        (30, 16) => "3".to_owned(),
        (columns, rows) => {
            let digits = columns.max(rows).to_string().len();
            format!("{columns:0digits$}{rows:0digits$}")
        }
    };
    let mut digits = vec![0; shape.len().div_ceil(CELLS_PER_DIGIT)];
    for &mine in &layout.mines {
        digits[mine / CELLS_PER_DIGIT] |= 16 >> (mine % CELLS_PER_DIGIT);
    }
    let digit = |value: &u32| char::from_digit(*value, 32).unwrap_or('0');
    format!("?b={size}&m={}", digits.iter().map(digit).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::random::random_layout;
    use crate::formats::read as read_any;

    fn of(text: &str) -> Result<Layout, String> {
        Ok(read(&text.into())?.into_layout())
    }

    #[test]
    fn sizes_and_mines_are_read() {
        let layout = of("https://llamasweeper.com/#/game?b=1&m=00000000010000g80#top").unwrap();
        assert_eq!((layout.shape.columns(), layout.shape.rows()), (9, 9));
        assert_eq!(layout.mines, [49, 70, 76]);
        // 9x3: 27 cells in six digits; `d` is 01101, `c` 01100, `g` 10000.
        let layout = of("?b=93&m=dc014g").unwrap();
        assert_eq!((layout.shape.columns(), layout.shape.rows()), (9, 3));
        assert_eq!(layout.mines, [1, 2, 4, 6, 7, 19, 22, 25]);
        assert_eq!(of("?b=2&m=1").unwrap().mines, [4]);
        let wide = of("?m=&b=4005").unwrap();
        assert_eq!((wide.shape.columns(), wide.shape.rows(), wide.mines.len()), (40, 5, 0));
    }

    #[test]
    fn faults_are_named() {
        for (text, fault) in [
            ("?b=123&m=0", "`b=123` is no size"),
            ("?b=&m=0", "`b=` is no size"),
            ("?b=0101&m=1", "a mine after the last cell: a field of 1 cells has 1 digits"),
            ("?b=0001&m=1", "a field needs"),
            ("?b=1&m=0w", "`w`, number 1 of `m`"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn layouts_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(9);
        for _ in 0..2000 {
            let layout = random_layout(random);
            let contents = read_any(to_pttacg(&layout).as_bytes()).unwrap();
            assert_eq!(contents.into_layout(), layout);
        }
        for link in [
            "?b=93&m=dc014g",
            "?b=1&m=00000000010000g80",
            "?b=4005&m=00000000000000000000000000000000000000v0",
        ] {
            assert_eq!(to_pttacg(&of(link).unwrap()), link);
        }
        for (columns, rows, size) in [(9, 9, "1"), (16, 16, "2"), (30, 16, "3"), (8, 100, "008100")]
        {
            let link = to_pttacg(&Layout::new(Shape::new(rows, columns).unwrap(), Vec::new()));
            assert_eq!(query_value(&link, "b"), Some(size));
            assert_eq!(of(&link).unwrap().shape.columns(), columns as u32);
        }
    }
}
