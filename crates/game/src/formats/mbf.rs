//! MBF board files: the mines of a layout as bytes, or as hex digits of them.
//!
//! Byte 0 is the width, byte 1 the height, bytes 2 and 3 the number of mines, the high byte first;
//! then come column and row of each mine. Some programs write more bytes after the last mine, which
//! are ignored. The bytes also travel as hex digits, with blanks between them or without.

use sapper::board::geometry::{Cell, Shape};

use super::format::{Contents, Format, Input};
use crate::board_file::Layout;

pub(super) const FORMAT: Format = Format { name: "a board file (MBF)", recognises, read };

/// The bytes of width, height and number of mines.
const HEADER: usize = 4;

fn recognises(input: &Input) -> bool {
    match input.text {
        Some(text) => hex_bytes(text).is_some_and(|bytes| is_whole(&bytes)) || is_by_chance(input),
        // A file that is cut off is one, too: its first bytes say how many mines should follow.
        None => has_header(input.bytes),
    }
}

/// Whether the bytes are a layout of many mines that can be taken for a text. The high byte of
/// their number is a control character.
fn is_by_chance(input: &Input) -> bool {
    input.bytes.get(2).is_some_and(u8::is_ascii_control)
        && len(input.bytes) == Some(input.bytes.len())
        && is_layout(input.bytes)
}

/// The bytes of a text of hex digits; `None` for any other text.
fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let symbols = text.chars().filter(|symbol| !symbol.is_ascii_whitespace());
    let digits: Vec<u8> =
        symbols.map(|symbol| Some(symbol.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, odd) = digits.as_chunks::<2>();
    odd.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// The number of bytes up to the last mine, by the first four.
fn len(bytes: &[u8]) -> Option<usize> {
    let [_, _, high, low, ..] = *bytes else { return None };
    Some(HEADER + 2 * (usize::from(high) << 8 | usize::from(low)))
}

/// Whether the first bytes are a size and no more mines than cells.
fn has_header(bytes: &[u8]) -> bool {
    let cells = |columns: u8, rows: u8| usize::from(columns) * usize::from(rows);
    len(bytes).is_some_and(|len| (len - HEADER) / 2 <= cells(bytes[0], bytes[1]))
}

fn is_whole(bytes: &[u8]) -> bool {
    len(bytes).is_some_and(|len| len <= bytes.len())
}

/// Whether these bytes are a whole layout without a fault.
pub(super) fn is_layout(bytes: &[u8]) -> bool {
    is_whole(bytes) && layout(bytes).is_ok()
}

fn read(input: &Input) -> Result<Contents, String> {
    let of_text = input.text.and_then(hex_bytes);
    Ok(Contents::Layouts(vec![layout(of_text.as_deref().unwrap_or(input.bytes))?]))
}

fn layout(bytes: &[u8]) -> Result<Layout, String> {
    let expected = len(bytes).unwrap_or(usize::MAX);
    if bytes.len() < expected {
        return Err(format!(
            "neither text nor whole: with its {} mines it would have {expected} bytes, and it has \
             {}",
            (expected - HEADER) / 2,
            bytes.len()
        ));
    }
    let shape = Shape::new(bytes[1].into(), bytes[0].into()).map_err(|error| error.to_string())?;
    let mut mines: Vec<Cell> = Vec::new();
    for (index, &[column, row]) in bytes[HEADER..expected].as_chunks().0.iter().enumerate() {
        mines.push(shape.cell(row.into(), column.into()).ok_or_else(|| {
            format!(
                "mine {index} is at ({row},{column}), outside the field of {} rows and {} columns",
                shape.rows(),
                shape.columns()
            )
        })?);
    }
    mines.sort_unstable();
    if let Some(twice) = mines.windows(2).find(|pair| pair[0] == pair[1]) {
        let (row, column) = (shape.row(twice[0]), shape.column(twice[0]));
        return Err(format!("two mines are at ({row},{column})"));
    }
    let mines = mines.into_iter().map(Cell::index).collect();
    Ok(Layout::new(shape, mines))
}

/// A layout. Its first cell is left out.
///
/// # Errors
/// A field with a side above 255, or with more mines than two bytes count.
pub fn to_mbf(layout: &Layout) -> Result<Vec<u8>, String> {
    let shape = layout.shape;
    let sides = u8::try_from(shape.columns()).ok().zip(u8::try_from(shape.rows()).ok());
    let (columns, rows) = sides.ok_or_else(|| {
        let (columns, rows) = (shape.columns(), shape.rows());
        format!("a side of {columns}x{rows} is above 255, the longest that MBF has")
    })?;
    let count = u16::try_from(layout.mines.len()).map_err(|_| {
        format!("{} mines are more than 65535, the most that MBF has", layout.mines.len())
    })?;
    let [high, low] = count.to_be_bytes();
    let mut bytes = vec![columns, rows, high, low];
    for &mine in &layout.mines {
        let columns = usize::from(columns);
        bytes.extend([(mine % columns) as u8, (mine / columns) as u8]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::random::random_layout;
    use crate::formats::read as read_any;

    fn read_layout(bytes: &[u8]) -> Result<Layout, String> {
        Ok(read_any(bytes).map_err(|error| error.to_string())?.into_layout())
    }

    #[test]
    fn bytes_and_hex_digits_are_read() {
        let expected = read_layout(&[3, 2, 0, 2, 2, 0, 0, 1]).unwrap();
        assert_eq!((expected.shape.columns(), expected.shape.rows()), (3, 2));
        assert_eq!(expected.mines, [2, 3]);
        assert_eq!(read_layout(&[3, 2, 0, 2, 2, 0, 0, 1, 7, 9, 9]).unwrap(), expected);
        assert_eq!(read_layout(b"0302000202000001").unwrap(), expected);
        assert_eq!(read_layout(b"03 02 00 02 02 00 00 01\r\n").unwrap(), expected);
    }

    #[test]
    fn faults_are_named() {
        for (bytes, fault) in [
            (
                &[3, 2, 0, 1, 3, 0][..],
                "mine 0 is at (0,3), outside the field of 2 rows and 3 columns",
            ),
            (&[3, 2, 0, 2, 1, 1, 1, 1], "two mines are at (1,1)"),
            (&[0, 2, 0, 0], "a field needs"),
            (&[3, 2, 0, 2, 1, 1], "it would have 8 bytes, and it has 6"),
            (&[0, 2, 0, 1, 0, 0], "neither a position"),
            (&[255, 254, 0], "neither a position"),
        ] {
            let error = read_layout(bytes).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn layouts_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(8);
        for _ in 0..2000 {
            let layout = random_layout(random);
            assert_eq!(read_layout(&to_mbf(&layout).unwrap()), Ok(layout));
        }
        // Without a null byte this is UTF-8.
        let shape = Shape::new(100, 120).unwrap();
        let is_mine = |index: &usize| index % 120 > 8 && index / 120 > 8 && index % 7 == 3;
        let mines = (0..shape.len()).filter(is_mine).take(0x405).collect();
        let layout = Layout::new(shape, mines);
        let bytes = to_mbf(&layout).unwrap();
        assert!(str::from_utf8(&bytes).is_ok() && !bytes.contains(&0));
        assert_eq!(read_layout(&bytes), Ok(layout));
        let sides = |rows, columns, mines| {
            let shape = Shape::new(rows, columns).unwrap();
            to_mbf(&Layout::new(shape, (0..mines).collect()))
        };
        assert_eq!(sides(255, 255, 65025).unwrap().len(), 4 + 2 * 65025);
        let error = sides(1, 256, 1).unwrap_err();
        assert_eq!(error, "a side of 256x1 is above 255, the longest that MBF has");
    }
}
