//! Files of other programs, as the judge and the page read them.
//!
//! Mutations of a file of one format are seldom files of another one. So that each reader gets its
//! share, the variable `SAPPER_FUZZ_FORMAT` may have a part of a format's name, such as `AVF`: only
//! inputs of that format are then kept for further mutations. All are checked, and [`counts`]
//! counts them.

use std::sync::LazyLock;

use game::board_file::Layout;
use game::field::MINE;
use game::formats::{
    Contents, DrawnPosition, FormatError, name_of, read, to_board_list, to_js_link, to_mbf,
    to_mine, to_pttacg, to_rawvf,
};
use game::record::Record;
use game::recording::Recording;
use sapper::board::text_format::BoardText;

use crate::{Skipped, counts, draw};

/// The largest field of which all is checked. A few bytes state a field of 512x512, which takes
/// milliseconds.
const MAX_CELLS: usize = 4096;

/// A part of the name of the only format whose inputs are kept.
static KEPT: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("SAPPER_FUZZ_FORMAT").ok());

/// Checks that a file is refused in one line by the format that recognises it, or that what it
/// holds is consistent: a position is a text that is read again, a layout has different mines
/// inside the field, a match is read or refused, and the clicks of a recording open each cell once,
/// with its value. What is written in other formats is read again as the same.
///
/// # Errors
/// [`Skipped`] where the file is refused, or not to be kept.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    let (format, result) = (name_of(data), read(data));
    counts::add(format, result.is_ok());
    let contents = match result {
        Ok(contents) => contents,
        Err(error) => {
            let named = match error {
                FormatError::Fault { format, .. } => Some(format),
                FormatError::Empty | FormatError::Unknown | FormatError::NotUtf8 { .. } => None,
            };
            assert_eq!(named, format);
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text}");
            return Err(Skipped);
        }
    };
    let format = format.expect("a format has read it");
    if cells(&contents) > MAX_CELLS && !draw(data).is_multiple_of(31) {
        return Err(Skipped);
    }
    match contents {
        Contents::Position(position) => check_position(&position),
        Contents::Requests(text) => assert!(!text.is_empty()),
        Contents::Layouts(layouts) => {
            assert!(!layouts.is_empty());
            for layout in &layouts {
                assert_eq!(layout.field().mines().count(), layout.mines.len());
                check_layout(layout);
            }
            let list = to_board_list(&layouts);
            assert_eq!(read(list.as_bytes()), Ok(Contents::Layouts(layouts)));
        }
        Contents::Games(pack) => {
            assert!(!pack.matches.is_empty());
            for found in &pack.matches {
                let text = found.game.text();
                let by_items = Record::read_by_items(&text, |_, item| item);
                match Record::read(&text) {
                    Ok(record) => assert_eq!(by_items.expect("it is a record").log, record.log),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
        Contents::Recording(recording) => check_recording(&recording),
    }
    let is_kept = KEPT.as_ref().is_none_or(|kept| format.contains(kept));
    is_kept.then_some(()).ok_or(Skipped)
}

/// The cells of the largest field; of a position about as many.
fn cells(contents: &Contents) -> usize {
    match contents {
        Contents::Position(position) => position.text.len(),
        // No field is made of these here.
        Contents::Requests(_) | Contents::Games(_) => 0,
        Contents::Layouts(layouts) => {
            layouts.iter().map(|layout| layout.shape.len()).max().unwrap_or_default()
        }
        Contents::Recording(recording) => recording.layout.shape.len(),
    }
}

fn check_position(position: &DrawnPosition) {
    let text: BoardText = position.text.parse().expect("the text of this project");
    assert!(position.flags.iter().all(|flag| flag.index() < text.shape.len()));
    assert!(position.flags.is_sorted());
    let count = text.mines.unwrap_or(text.known_mines());
    let Ok(board) = text.board(count) else { return };
    let mine = Some(to_mine(&board, &position.flags));
    for written in [mine, to_js_link(&board, &position.flags).ok()].into_iter().flatten() {
        let Ok(Contents::Position(again)) = read(written.as_bytes()) else { panic!("{written}") };
        let again: BoardText = again.text.parse().expect("the text of this project");
        assert_eq!((again.shape, again.mines), (text.shape, Some(board.mines().into())));
    }
}

fn check_layout(layout: &Layout) {
    let mut mines = layout.mines.clone();
    mines.sort_unstable();
    let sorted = Layout::new(layout.shape, mines);
    let link = Some(to_pttacg(layout).into_bytes());
    for written in [link, to_mbf(layout).ok()].into_iter().flatten() {
        assert_eq!(read(&written), Ok(Contents::Layouts(vec![sorted.clone()])));
    }
}

fn check_recording(recording: &Recording) {
    let field = recording.layout.field();
    let game = recording.clicks();
    assert!(game.clicks.len() <= 2 * recording.events.len());
    let mut is_open = vec![false; field.shape().len()];
    for &(cell, value) in game.clicks.iter().flat_map(|click| &click.opened) {
        assert_eq!(value, field.value(cell));
        assert!(!std::mem::replace(&mut is_open[cell.index()], true), "a cell is opened twice");
    }
    let is_safe = |cell| field.value(cell) != MINE;
    let all_safe = field.shape().cells().filter(|&cell| is_safe(cell));
    let all_open = all_safe.clone().all(|cell| is_open[cell.index()]);
    let has_hit = field.mines().any(|mine| is_open[mine.index()]);
    assert_eq!((game.won, game.lost), (all_open && !has_hit, has_hit));
    let text = to_rawvf(recording);
    let Ok(Contents::Recording(again)) = read(text.as_bytes()) else { panic!("{text}") };
    assert_eq!((again.layout.mines.len(), again.clicks()), (recording.layout.mines.len(), game));
}
