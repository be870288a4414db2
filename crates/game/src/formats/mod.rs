//! The files that people have: a position, mine layouts, or recorded games, whichever program wrote
//! them.
//!
//! [`read`] recognises a format by the contents of a file, never by its name, and returns
//! [`Contents`]. The bytes are those of one file, already unpacked: zip and gzip are the caller's.
//!
//! | | position | layouts | games of bots | recordings |
//! |---|---|---|---|---|
//! | `explain`, `odds` | the position | refused | a turn, by default the last | likewise |
//! | `replay`, `coach` | refused, naming `explain` | refused | the game | the game |
//! | `verify` | refused, naming `explain` | refused | every game | refused |
//! | `--boards` of `bench`, ... | refused | the boards | the layout of each game | the layout |
//! | `convert` | other positions | others | log, RAWVF, layout, a turn | RAWVF, layout, a turn |
//! | the page | Analyze | Analyze and Play | Replay | Replay |
//!
//! These formats are written, too, each in the file that reads it:
//!
//! | writer | of | writes |
//! |---|---|---|
//! | [`to_mine`] | a position | a `.mine` file |
//! | [`to_js_link`] | a position | a link of JSMinesweeper, from `?` on |
//! | [`to_mbf`] | a layout | the bytes of MBF |
//! | [`to_pttacg`] | a layout | a link of PTTACG, from `?` on |
//! | [`to_board_list`] | layouts | this project's board file |
//! | [`to_rawvf`] | a recording | RAWVF |
//!
//! [`Board::to_text`](sapper::Board::to_text) writes this project's own text, and
//! [`Record`](crate::record::Record) is a log of Botzone.
//!
//! A new format is a file of this folder and a line in `FORMATS`.
//!
//! Invariant: no input makes a reader panic, and a reader's memory is a small multiple of its
//! input. An error names the format that the input was taken for, and the place of the fault.

mod avf;
mod board_list;
mod bytes;
mod drawn;
mod evf;
mod format;
mod js_link;
mod matches;
mod mbf;
mod mine;
mod mouse;
mod mvf;
#[cfg(test)]
mod own_game;
mod packed;
mod page_link;
mod pttacg;
#[cfg(test)]
mod random;
mod rawvf;
mod rmv;
mod symbols;
mod tatham;
mod text;

pub use board_list::{is_board_list, to_board_list};
pub use format::{Contents, DrawnPosition, FormatError, Match, MatchGame, MatchPack};
pub use js_link::to_js_link;
pub use mbf::to_mbf;
pub use mine::to_mine;
pub use pttacg::to_pttacg;
pub use rawvf::to_rawvf;
pub use text::decode;

use format::{Format, Input};
use text::first_fault;

/// All formats. The first that recognises an input reads it.
static FORMATS: [Format; 16] = [
    packed::FORMAT,
    matches::PAGE,
    matches::JSON,
    page_link::FORMAT,
    js_link::FORMAT,
    pttacg::FORMAT,
    tatham::FORMAT,
    mine::FORMAT,
    board_list::FORMAT,
    rawvf::FORMAT,
    rmv::FORMAT,
    evf::FORMAT,
    avf::FORMAT,
    mvf::FORMAT,
    mbf::FORMAT,
    drawn::FORMAT,
];

/// Whether a text is a link or a game ID, which a person may give in place of a file.
pub fn is_code(text: &str) -> bool {
    let input = Input { bytes: text.as_bytes(), text: Some(text) };
    [page_link::FORMAT, js_link::FORMAT, pttacg::FORMAT, tatham::FORMAT]
        .iter()
        .any(|format| (format.recognises)(&input))
}

/// Whether a file is a saved replay page of Botzone: HTML with the log of a match.
pub fn is_saved_page(bytes: &[u8]) -> bool {
    decode(bytes).is_some_and(|text| matches::holds_log(&text))
}

/// The name of the format that reads a file, as messages have it; `None` if none recognises it.
pub fn name_of(bytes: &[u8]) -> Option<&'static str> {
    let text = decode(bytes);
    Some(format_of(&Input { bytes, text: text.as_deref() }).ok()?.name)
}

/// The first format that recognises an input.
fn format_of(input: &Input) -> Result<&'static Format, FormatError> {
    if input.bytes.is_empty() || input.text.is_some_and(|text| text.trim().is_empty()) {
        return Err(FormatError::Empty);
    }
    let format = FORMATS.iter().find(|format| (format.recognises)(input));
    format.ok_or_else(|| match first_fault(input.bytes) {
        Some((line, byte)) => FormatError::NotUtf8 { line, byte },
        None => FormatError::Unknown,
    })
}

/// Reads a file, whatever it holds.
///
/// # Errors
/// [`FormatError`], in one line.
pub fn read(bytes: &[u8]) -> Result<Contents, FormatError> {
    let text = decode(bytes);
    let input = Input { bytes, text: text.as_deref() };
    let format = format_of(&input)?;
    let fault = |why| FormatError::Fault { format: format.name, why };
    let contents = (format.read)(&input).map_err(fault)?;
    if let Contents::Recording(recording) = &contents
        && recording.clicks().clicks.iter().all(|click| click.opened.is_empty())
    {
        let events = recording.events.len();
        return Err(fault(format!("none of its {events} events opens a cell: it is cut off")));
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Shape;

    use super::*;
    use crate::board_file::Layout;

    #[test]
    fn a_file_has_the_name_of_the_format_that_reads_it() {
        let layout = Layout::new(Shape::new(2, 3).unwrap(), vec![5]);
        let list = to_board_list([&layout]);
        for (bytes, name) in [
            (&to_mbf(&layout).unwrap()[..], "a board file (MBF)"),
            (to_pttacg(&layout).as_bytes(), "a link to a layout (?b=..&m=..)"),
            (list.as_bytes(), "a board file of this project"),
            (b"[]", "JSON of Botzone"),
            (b"*rmv", "a recording of Vienna Minesweeper (RMV)"),
        ] {
            assert_eq!(name_of(bytes), Some(name));
        }
        let Err(FormatError::Fault { format, .. }) = read(b"*rmv") else { panic!("it is cut off") };
        assert_eq!(name_of(b"*rmv"), Some(format));
        assert_eq!((name_of(b" \n"), name_of(b"\xFF\xFF")), (None, None));
    }
}
