//! The game of a person, click by click: what is judged, and what is shown.

#![allow(clippy::unwrap_used)]

use analysis::Analyzer;
use analysis::review::frame::{END, Frame};
use analysis::review::outcome::RecordEnd;
use analysis::review::person_game::PersonGame;
use analysis::review::reviewed_game::ReviewedGame;
use game::formats::{Contents, read};
use game::recording::{Action, Button, Mode, MouseEvent, Recording};
use sapper::{Effort, Objective};

const SAMPLE: &str = fixtures::sample::PERSON;

fn sample() -> Recording {
    match read(SAMPLE.as_bytes()).expect("the sample is a recording") {
        Contents::Recording(recording) => *recording,
        other => panic!("{other:?}"),
    }
}

fn frames(game: &PersonGame) -> Vec<Frame> {
    let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
    // Backwards: a frame does not depend on those before.
    let mut frames: Vec<Frame> =
        (0..game.frames()).rev().map(|turn| game.frame(turn, &mut analyzer)).collect();
    frames.reverse();
    frames
}

/// The sample's board with other clicks: buttons, each pressed and released on a cell.
fn clicked(clicks: &[(&[Button], (i64, i64))]) -> Recording {
    let mut recording = sample();
    let shape = recording.layout.shape;
    recording.events.clear();
    for (number, &(buttons, (row, column))) in (0..).zip(clicks) {
        let event =
            |action| MouseEvent { time: 100 * number, action, cell: shape.cell(row, column) };
        let (press, release) = (Action::Press, Action::Release);
        recording.events.extend(buttons.iter().map(|&button| event(press(button))));
        recording.events.extend(buttons.iter().map(|&button| event(release(button))));
    }
    recording
}

const LEFT: &[Button] = &[Button::Left];
const RIGHT: &[Button] = &[Button::Right];
const BOTH: &[Button] = &[Button::Left, Button::Right];

#[test]
fn every_click_is_a_frame_with_its_time() {
    let game = PersonGame::new(sample());
    assert_eq!(game.title(), "6x4, 3 mines, RAWVF of Sapper 1, played by Ann, won in 2.050 s");
    let frames = frames(&game);
    let captions: Vec<&str> = frames.iter().map(|frame| frame.caption.as_str()).collect();
    assert_eq!(
        captions,
        [
            "Turn 0 (0.050 s): (0,0) by rule - opens 19 cells",
            "Turn 1 (0.500 s): flag on (1,4)",
            "Turn 2 (0.950 s): a left click at (2,2) changes nothing",
            "Turn 3 (1.300 s): chord at (1,3) on (0,4) by deduction, safe",
            "Turn 4 (2.050 s): (1,5) by deduction, safe",
            "After 5 clicks: won in 2.050 s",
        ]
    );
    let kinds: Vec<&str> = frames.iter().map(|frame| frame.kind).collect();
    assert_eq!(kinds, ["rule", "flag", "wasted", "deduction", "deduction", END]);
    // The first click is free; the others have odds.
    let odds: Vec<bool> = frames.iter().map(|frame| frame.odds.is_some()).collect();
    assert_eq!(odds, [false, true, true, true, true, false]);
    let flags: Vec<usize> = frames.iter().map(|frame| frame.flags.len()).collect();
    assert_eq!(flags, [0, 0, 1, 1, 1, 1]);
    let judged: Vec<usize> =
        frames.iter().filter(|frame| frame.judgement.is_some()).map(|frame| frame.turn).collect();
    assert_eq!(judged, [3, 4]);
    assert!(frames[3].why.concat().contains("(0,4)"), "{:?}", frames[3].why);
    assert_eq!(frames[5].board.hidden_len(), game.mines().unwrap().len());
    assert_eq!((game.outcome().end, game.outcome().score), (RecordEnd::Done, Some(100.0)));
    let figures = game.figures().unwrap();
    assert_eq!((figures.bbbv, figures.solved_bbbv), (3, 3));
    let clicks = figures.clicks;
    assert_eq!((clicks.left, clicks.right, clicks.chords, clicks.wasted), (3, 1, 1, 1));
    assert_eq!((figures.efficiency(), figures.time.as_millis()), (Some(0.6), 2050));
    assert!((figures.bbbv_per_second().unwrap() - 3.0 / 2.05).abs() < 1e-12);
}

#[test]
fn a_chord_is_judged_by_all_its_cells_and_a_flag_only_if_it_is_wrong() {
    // (1,4) is a mine, and (1,5) is safe: the flag is wrong, and the chord opens the mine.
    let clicks = [(LEFT, (0, 0)), (RIGHT, (1, 5)), (BOTH, (2, 5))];
    let game = PersonGame::new(clicked(&clicks));
    let frames = frames(&game);
    assert_eq!(frames[1].why, ["(1,5) is proven safe."]);
    assert!(frames[1].judgement.is_none());
    let chord = frames[2].judgement.as_ref().unwrap();
    assert_eq!((chord.odds, chord.cost, chord.kind()), (1.0, 1.0, "proven-mine"));
    assert_eq!(
        frames[2].caption,
        "Turn 2 (0.200 s): chord at (2,5) on (1,4) opened, a proven mine"
    );
    assert!(frames[2].hit && frames[3].score == 0.0 && frames[3].hits == 1);
    assert_eq!(frames[3].caption, "After 3 clicks: lost after 0.200 s");
    assert_eq!((game.outcome().lost_in, game.outcome().score), (Some(2), Some(0.0)));
    // The opening is one click of the three.
    let figures = game.figures().unwrap();
    assert_eq!((figures.bbbv, figures.solved_bbbv), (3, 1));
}

#[test]
fn the_first_click_is_judged_where_no_rule_keeps_it_free() {
    for (mode, odds, caution) in [
        (Mode::Classic, None, None),
        (Mode::Unprotected, Some(3.0 / 24.0), Some("The first cell may be a mine")),
        (Mode::Other(5), None, Some("another mode")),
    ] {
        let game = PersonGame::new(Recording { mode, ..clicked(&[(LEFT, (0, 0))]) });
        let frames = frames(&game);
        let found = frames[0].judgement.as_ref().map(|judgement| judgement.odds);
        assert_eq!(found, odds, "{mode:?}");
        assert_eq!(frames[1].caption, "After 1 click: not finished after 0.000 s");
        assert_eq!(game.outcome().end, RecordEnd::Unfinished);
        let text = game.caution();
        assert_eq!(text.is_some(), caution.is_some());
        assert!(caution.is_none_or(|part| text.unwrap().contains(part)));
    }
}

#[test]
fn a_judgement_does_not_know_the_mines() {
    let own = Recording { mode: Mode::Unprotected, ..clicked(&[(LEFT, (0, 0))]) };
    let mut mined = own.clone();
    mined.layout.mines[0] = 0;
    let [own, mined] = [own, mined].map(|recording| frames(&PersonGame::new(recording)));
    assert_eq!((own[0].hit, mined[0].hit), (false, true));
    assert_eq!(own[0].judgement, mined[0].judgement);
    assert_eq!((&own[0].odds, &own[0].why), (&mined[0].odds, &mined[0].why));
    assert_ne!(own[1].board, mined[1].board);
}

#[test]
fn clicks_are_counted_by_what_they_do() {
    const RIGHT_FIRST: &[Button] = &[Button::Right, Button::Left];
    let counts = |has_marks, clicks: &[(&[Button], (i64, i64))]| {
        let recording = Recording { has_marks, ..clicked(clicks) };
        let clicks = PersonGame::new(recording).figures().unwrap().clicks;
        (clicks.left, clicks.right, clicks.chords, clicks.wasted, clicks.flags)
    };
    let opening = (LEFT, (0, 0));
    // On an open cell the right button changes nothing, and with the left one it is a chord alone.
    assert_eq!(counts(false, &[opening, (RIGHT, (1, 3))]), (1, 1, 0, 1, 0));
    assert_eq!(counts(false, &[opening, (RIGHT_FIRST, (1, 3))]), (1, 0, 1, 1, 0));
    let flag = (RIGHT, (1, 4));
    assert_eq!(counts(false, &[opening, flag, (RIGHT_FIRST, (1, 3))]), (1, 1, 1, 0, 1));
    // A flag becomes a question mark, which is taken away: three clicks that change something.
    assert_eq!(counts(true, &[opening, flag, flag, flag]), (1, 3, 0, 0, 1));
    assert_eq!(counts(false, &[opening, flag, flag, flag]), (1, 3, 0, 0, 2));
    // A flag keeps the cell closed.
    assert_eq!(counts(false, &[opening, flag, (LEFT, (1, 4))]), (2, 1, 0, 1, 1));
}

#[test]
fn a_first_click_that_hits_a_mine_was_not_free() {
    let game = PersonGame::new(clicked(&[(LEFT, (0, 5))]));
    let frames = frames(&game);
    assert_eq!(frames[0].judgement.as_ref().map(|judgement| judgement.odds), Some(3.0 / 24.0));
    assert_eq!(game.outcome().lost_in, Some(0));
    assert!(!frames[0].why.concat().contains("no risk"), "{:?}", frames[0].why);
}

#[test]
fn an_opening_counts_by_any_of_its_zeros() {
    // A flag on the first or on the last cell of a row of zeros keeps it closed.
    let solved = |flag: i64, cell: i64| {
        let mut recording = clicked(&[(RIGHT, (0, flag)), (LEFT, (0, cell))]);
        recording.layout = "3 1 0 0 0".parse().unwrap();
        let shape = recording.layout.shape;
        for (number, event) in recording.events.iter_mut().enumerate() {
            event.cell = shape.cell(0, if number < 2 { flag } else { cell });
        }
        let figures = PersonGame::new(recording).figures().unwrap();
        (figures.bbbv, figures.solved_bbbv)
    };
    assert_eq!((solved(0, 2), solved(2, 0)), ((1, 1), (1, 1)));
}

#[test]
fn clicks_outside_the_field_are_wasted() {
    let mut recording = clicked(&[(LEFT, (0, 0)), (LEFT, (0, 0)), (RIGHT, (0, 0)), (BOTH, (0, 0))]);
    recording.events.iter_mut().skip(2).for_each(|event| event.cell = None);
    let game = PersonGame::new(recording);
    let clicks = game.figures().unwrap().clicks;
    assert_eq!((clicks.left, clicks.right, clicks.chords, clicks.wasted), (2, 1, 1, 3));
    assert_eq!(game.moves(), 1);
}
