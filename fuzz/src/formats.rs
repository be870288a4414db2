//! Files of other programs, as the judge and the page read them.

use game::board_file::Layout;
use game::field::MINE;
use game::formats::{
    Contents, DrawnPosition, read, to_js_link, to_mbf, to_mine, to_pttacg, to_rawvf,
};
use game::record::Record;
use game::recording::Recording;
use sapper::board::text_format::BoardText;

use crate::Skipped;

/// Checks that a file is refused in one line, or that what it holds is consistent: a position is a
/// text that is read again, a layout has different mines inside the field, a match is read or
/// refused, and the clicks of a recording open each cell once, with its value. What is written in
/// other formats is read again as the same.
///
/// # Errors
/// [`Skipped`] where the file is refused.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    let contents = match read(data) {
        Ok(contents) => contents,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text}");
            return Err(Skipped);
        }
    };
    match contents {
        Contents::Position(position) => check_position(&position),
        Contents::Requests(text) => assert!(!text.is_empty()),
        Contents::Layouts(layouts) => {
            assert!(!layouts.is_empty());
            for layout in layouts {
                assert_eq!(layout.field().mines().count(), layout.mines.len());
                check_layout(&layout);
                assert_eq!(layout.to_string().parse(), Ok(layout));
            }
        }
        Contents::Games(pack) => {
            assert!(!pack.matches.is_empty());
            for found in &pack.matches {
                let by_items = Record::read_by_items(&found.text, |_, item| item);
                match Record::read(&found.text) {
                    Ok(record) => assert_eq!(by_items.expect("it is a record").log, record.log),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
        Contents::Recording(recording) => check_recording(&recording),
    }
    Ok(())
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
