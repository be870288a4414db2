//! Game IDs of Simon Tatham's Mines: `9x9:3,4,m` and the mines as hex digits.
//!
//! After the size come the column and the row of the first click, which opens a cell that no mine
//! touches, then `m` if the mines are masked (`u` or nothing if they are not), then a bit for each
//! cell, row by row, in hex digits. The size may be followed by parameters of the generator, as in
//! `9x9n10a:`, which the mines make needless. An ID whose mines are not laid yet, `9x9:r10,u,...`,
//! is no layout.
//!
//! The mask is a reversible one without a key: the bytes are cut into two halves, the shorter one
//! first. The first half is masked by the second one, and then the second by the masked first. A
//! mask is the SHA-1 hashes of the half followed by 0, by 1, and so on in decimal digits. Bits
//! after the last cell are cleared.
//!
//! Source: the comments of `obfuscate_bitmap` in `mines.c` of the Portable Puzzle Collection, with
//! the two examples there as tests.

use sapper::board::geometry::Shape;
use sha1::{Digest, Sha1};

use super::format::{Contents, Format, Input};
use crate::board_file::Layout;

pub(super) const FORMAT: Format =
    Format { name: "a game ID of Simon Tatham's Mines", recognises, read };

fn recognises(input: &Input) -> bool {
    // After a `#` comes the seed of a game.
    let Some((size, rest)) = input.trimmed().split_once([':', '#']) else { return false };
    size_of(size).is_some() && !rest.contains(char::is_whitespace)
}

/// Columns and rows of `9x9` or `9x9n10a`.
fn size_of(text: &str) -> Option<(u64, u64)> {
    let (columns, rest) = text.split_once('x')?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (rows, parameters) = rest.split_at(digits);
    let is_parameter = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let is_size = parameters.chars().all(is_parameter);
    Some((columns.parse().ok()?, rows.parse().ok()?)).filter(|_| is_size)
}

fn read(input: &Input) -> Result<Contents, String> {
    let Some((size, rest)) = input.trimmed().split_once(':') else {
        return Err(
            "a seed, after `#`, names a layout to that program alone; begin the game there \
                    and give its ID with a `:`, by Specific in the menu Game"
                .to_owned(),
        );
    };
    let (columns, rows) = size_of(size).unwrap_or_default();
    let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
    if rest.starts_with('r') {
        return Err("its mines are laid at the first click, so that it names no layout; give the \
                    ID of a game that has begun"
            .to_owned());
    }
    let parts: Vec<&str> = rest.splitn(3, ',').collect();
    let [column, row, mines] = parts[..] else {
        return Err("after the `:` come the first click's column and row and the mines, such as \
                    `9x9:3,4,m...`"
            .to_owned());
    };
    let place = row.parse::<i64>().ok().zip(column.parse::<i64>().ok());
    let first = place.and_then(|(row, column)| shape.cell(row, column));
    let first = first.ok_or_else(|| format!("the first click `{column},{row}` is outside"))?;
    let (is_masked, digits) = match mines.as_bytes().first() {
        Some(b'm') => (true, &mines[1..]),
        Some(b'u') => (false, &mines[1..]),
        _ => (false, mines),
    };
    let expected = shape.len().div_ceil(4);
    if digits.chars().count() != expected {
        let found = digits.chars().count();
        return Err(format!("{found} hex digits of mines, expected {expected}"));
    }
    let mut bytes = vec![0; shape.len().div_ceil(8)];
    for (index, digit) in digits.chars().enumerate() {
        let value = digit.to_digit(16);
        let value = value.ok_or_else(|| format!("`{digit}` is no hex digit of the mines"))?;
        bytes[index / 2] |= (value as u8) << (4 * (1 - index % 2));
    }
    if is_masked {
        change_mask(&mut bytes, shape.len(), Change::Remove);
    }
    let is_mine = |index: &usize| bytes[index / 8] & (0x80 >> (index % 8)) != 0;
    let mines = (0..shape.len()).filter(is_mine).collect();
    Ok(Contents::Layouts(vec![Layout { shape, first, mines }]))
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// Only tests lay a mask.
    #[cfg(test)]
    Lay,
    Remove,
}

/// Lays the mask on `bits` bits, or removes it.
fn change_mask(bytes: &mut [u8], bits: usize, change: Change) {
    let half = bytes.len() / 2;
    let steps = match change {
        Change::Remove => [Half::Second, Half::First],
        #[cfg(test)]
        Change::Lay => [Half::First, Half::Second],
    };
    for target in steps {
        let (first, second) = bytes.split_at_mut(half);
        let (target, seed) = match target {
            Half::First => (first, second),
            Half::Second => (second, first),
        };
        let size = Sha1::output_size();
        for (counter, part) in target.chunks_mut(size).enumerate() {
            let hash = Sha1::new().chain_update(&*seed).chain_update(counter.to_string());
            for (byte, mask) in part.iter_mut().zip(hash.finalize()) {
                *byte ^= mask;
            }
        }
        if !bits.is_multiple_of(8) {
            bytes[bits / 8] &= !(0xFF >> (bits % 8));
        }
    }
}

enum Half {
    First,
    Second,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Layout, String> {
        Ok(read(&text.into())?.into_layout())
    }

    /// The two examples in the comments of `mines.c`.
    #[test]
    fn the_mask_is_the_documented_one() {
        let mut bytes = [0x12, 0x34, 0x56, 0x70];
        change_mask(&mut bytes, 28, Change::Lay);
        assert_eq!(bytes, [0x07, 0xFA, 0x65, 0x00]);
        change_mask(&mut bytes, 28, Change::Remove);
        assert_eq!(bytes, [0x12, 0x34, 0x56, 0x70]);
        let mut bytes = [0; 50];
        change_mask(&mut bytes, 400, Change::Lay);
        assert_eq!(bytes[..4], [0xB2, 0x02, 0xC0, 0x7B]);
        assert_eq!(bytes[46..], [0x01, 0xD8, 0xDF, 0x78]);
        change_mask(&mut bytes, 400, Change::Remove);
        assert_eq!(bytes, [0; 50]);
    }

    #[test]
    fn masked_and_plain_mines_are_read() {
        // 7 columns and 4 rows: the 28 bits of the first example.
        let plain = of("7x4:2,3,u1234567").unwrap();
        assert_eq!((plain.shape.columns(), plain.shape.rows()), (7, 4));
        assert_eq!(plain.first, plain.shape.cell(3, 2).unwrap());
        assert_eq!(plain.mines, [3, 6, 10, 11, 13, 17, 19, 21, 22, 25, 26, 27]);
        assert_eq!(of("7x4:2,3,m07fa650").unwrap(), plain);
        assert_eq!(of("7x4n12a:2,3,1234567\n").unwrap(), plain);
    }

    #[test]
    fn faults_are_named() {
        for (text, fault) in [
            ("7x4:2,3,u123456", "6 hex digits of mines, expected 7"),
            ("7x4:7,3,u1234567", "the first click `7,3` is outside"),
            ("7x4:r12,u,abcd", "laid at the first click"),
            ("7x4:2,3", "after the `:`"),
            ("7x4n5#123456", "give its ID with a `:`"),
            ("0x4:2,3,", "a field needs"),
            ("7x4:2,3,u12x4567", "`x` is no hex digit"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
}
