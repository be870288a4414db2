//! The chance to win at the turns of recorded games, against that of the same position alone.

#![allow(clippy::unwrap_used)]

use analysis::Analyzer;
use analysis::chance::{Chances, MOST_CELLS, POLICY, SEED};
use analysis::chance_text::turn_sentence;
use analysis::mistakes::Verdict;
use analysis::review::frame::Frame;
use analysis::review::person_game::PersonGame;
use analysis::review::reviewed_game::ReviewedGame;
use analysis::review::turn_chance::tell_chances;
use game::formats::{Contents, read};
use sapper::{Effort, Objective};

const PLAYOUTS: Option<u32> = Some(80);

fn told(game: &PersonGame, playouts: Option<u32>) -> Vec<Frame> {
    let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
    let mut chances = Chances::new(Objective::CleanWin, POLICY, || false);
    let tell = |turn| {
        let mut frame = game.frame(turn, &mut analyzer);
        tell_chances(&mut frame, &mut chances, playouts);
        frame
    };
    (0..game.frames()).map(tell).collect()
}

/// A recording of a person as text, with clicks of a button on a row and a column.
fn person_game(rows: &[String], clicks: impl Iterator<Item = (char, usize, usize)>) -> PersonGame {
    let mines = rows.concat().matches('*').count();
    let (width, height, board) = (rows[0].len(), rows.len(), rows.join("\n"));
    let mut text = format!(
        "Program: Own\nWidth: {width}\nHeight: {height}\nMines: {mines}\nMode: UPK\nBoard:\n\
         {board}\nEvents:\n"
    );
    for (time, (button, row, column)) in clicks.enumerate() {
        let at = format!("({} {})", 16 * column + 8, 16 * row + 8);
        text += &format!("{time}.00 {button}c {at}\n{time}.05 {button}r {at}\n");
    }
    match read(text.as_bytes()).unwrap() {
        Contents::Recording(recording) => PersonGame::new(*recording),
        other => panic!("{other:?}"),
    }
}

/// A game on a field of 6x6 with 7 mines: clicks on all safe cells, in any order.
fn careless_game(rng: &mut fastrand::Rng) -> PersonGame {
    const SIDE: usize = 6;
    let mut places: Vec<usize> = (0..SIDE * SIDE).collect();
    rng.shuffle(&mut places);
    let (mines, safe) = places.split_at(7);
    let cell = |place: usize| if mines.contains(&place) { '*' } else { '0' };
    let row = |row: usize| (0..SIDE).map(|column| cell(SIDE * row + column)).collect();
    let rows: Vec<String> = (0..SIDE).map(row).collect();
    person_game(&rows, safe.iter().map(|place| ('l', place / SIDE, place % SIDE)))
}

/// The clicks of a person on a row with a mine in each of the pairs beside the 1s, which are opened
/// first: a flag, and then a chord.
fn chord_game() -> PersonGame {
    let clicks = [('l', 1), ('l', 4), ('r', 2), ('m', 1)];
    let clicks = clicks.into_iter().map(|(button, column)| (button, 0, column));
    person_game(&["00*00*".to_owned()], clicks)
}

#[test]
fn a_turn_has_the_chances_of_its_position() {
    let mut rng = fastrand::Rng::with_seed(8);
    let (mut guesses, mut shared, mut needless) = (0, 0, 0);
    let objective = Objective::CleanWin;
    let mut analyzer = Analyzer::new(objective, Effort::Fast);
    let mut chances = Chances::new(objective, POLICY, || false);
    for _ in 0..36 {
        let game = careless_game(&mut rng);
        for frame in told(&game, PLAYOUTS) {
            let judgement = frame.judgement.as_ref();
            let Some(click) = judgement.filter(|click| click.verdict != Verdict::Safe) else {
                assert!(frame.chances.is_empty(), "turn {}", frame.turn);
                continue;
            };
            let analysis = analyzer.analyze(&frame.board, None).unwrap();
            chances.begin(&analysis, MOST_CELLS, SEED);
            chances.run(PLAYOUTS);
            let alone = chances.cells();
            assert_eq!(frame.chances[0], alone[0], "turn {}", frame.turn);
            let is_move = click.cell == alone[0].cell;
            assert_eq!(frame.chances.len(), if is_move { 1 } else { 2 });
            guesses += 1;
            // The playouts of a cell do not depend on the other cells.
            if let Some(other) = alone.iter().skip(1).find(|one| one.cell == click.cell) {
                assert_eq!(&frame.chances[1], other, "turn {}", frame.turn);
                shared += 1;
            }
            if click.is_needless() {
                let above = frame.chances[1].above_move;
                assert!((click.cost - (-above.mean).max(0.0)).abs() < 1e-9);
                // A hit takes no more than the whole chance.
                assert!(click.cost < click.odds + 5.0 * above.standard_error + 1e-9, "{click:?}");
                needless += 1;
            }
        }
    }
    assert!(guesses > 150 && shared > 8 && needless > 60, "{guesses} {shared} {needless}");
}

#[test]
fn without_playouts_no_chance_is_told() {
    let game = careless_game(&mut fastrand::Rng::with_seed(9));
    let frames = told(&game, Some(0));
    assert!(frames.iter().all(|frame| frame.chances.is_empty()));
    assert!(frames.iter().any(|frame| frame.judgement.as_ref().is_some_and(|one| one.cost > 0.0)));
}

#[test]
fn a_chord_opens_its_cells_one_after_another() {
    let game = chord_game();
    let frames = told(&game, PLAYOUTS);
    // The flag is on the mine of the left pair; the chord opens the other cell of the pair.
    let chord = &frames[3];
    assert_eq!(chord.kind, "guess", "{}", chord.caption);
    // Of the 4 layouts, half have the mine under the flag. Two pairs are won with 1/4 by a cell
    // that tells nothing of the other pair, and with 1/2 by one between the 1s.
    let [best, click] = &chord.chances[..] else { panic!("{:?}", chord.chances) };
    assert_eq!((best.chance.mean, best.chance.playouts), (0.5, 0));
    assert_eq!((click.chance.mean, click.above_move.mean), (0.25, -0.25));
    let text = turn_sentence(&chord.chances, chord.opens, chord.board.shape(), Objective::CleanWin);
    assert_eq!(
        text.unwrap(),
        "Chance to win: 50.00 % by (0,2), 25.00 % by this click: 25.0 points less (exact)."
    );
}
