//! Whole games in process, with a bot of one's own: it sees the board, and only the referee knows
//! the mines.
//!
//! ```text
//! cargo run -p game --example game
//! cargo run -p game --example game -- expert 20
//! ```

use std::error::Error;

use game::board_gen::generate;
use game::level::Level;
use game::referee::Referee;
use game::rule::Start;
use sapper::board::geometry::Cell;
use sapper::{Board, CellState, Effort, Engine, Objective, Turn, evaluate};

/// What a bot is here: the next cell to open on a board.
type Bot<'a> = &'a mut dyn FnMut(&Board) -> Cell;

/// Opens a cell that is proven safe, or else the one that is least likely to be a mine.
fn least_odds(board: &Board) -> Cell {
    let evaluation = evaluate(board).expect("the board comes from a layout");
    let least = evaluation.odds().min_by(|a, b| a.1.total_cmp(&b.1));
    let (place, _) = least.expect("a game that goes on has hidden cells");
    board.shape().cell_at(place).expect("a cell of the board")
}

/// Plays the board of a seed by the rules of Botzone, and returns the number of mines opened.
fn play(level: Level, seed: i32, bot: Bot) -> Result<u32, Box<dyn Error>> {
    let layout = generate(level.shape, level.mines, Start::CHOSEN, seed)?;
    let mut referee = Referee::new(layout.field(), level.mines);
    let mut board = Board::new(level.shape, level.mines);
    while !referee.ended() {
        let opened = referee.open(bot(&board))?;
        for &(cell, value) in opened.changed {
            board.open(cell, CellState::from_value(Some(value.into())));
        }
    }
    Ok(referee.hits())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let level: Level = arguments.next().unwrap_or("botzone".to_owned()).parse()?;
    let games = arguments.next().unwrap_or("5".to_owned()).parse()?;
    let mut engine = Engine::new(Objective::FewestHits, Effort::Standard);
    let mut sapper = |board: &Board| {
        engine.decide(board, Turn::UNTIMED).expect("a game that goes on has hidden cells").cell()
    };
    println!("mines opened by the least odds, and by Sapper:");
    for seed in 1..=games {
        let by_odds = play(level, seed, &mut least_odds)?;
        println!("seed {seed}: {by_odds} {}", play(level, seed, &mut sapper)?);
    }
    Ok(())
}

#[test]
fn a_bot_of_ones_own_plays_to_the_end() {
    let level: Level = "beginner".parse().expect("a level");
    // On a board of mines alone the first answer ends the game.
    let full = Level { mines: 81, ..level };
    assert_eq!(play(full, 1, &mut least_odds).expect("a game"), 1);
    let hits: u32 = (1..=20).map(|seed| play(level, seed, &mut least_odds).expect("a game")).sum();
    assert!(hits < 20, "{hits} mines in 20 games");
    // A bot that opens the first hidden cell opens mines.
    let mut first = |board: &Board| board.hidden().next().expect("a hidden cell");
    let hits: u32 = (1..=20).map(|seed| play(level, seed, &mut first).expect("a game")).sum();
    assert!(hits > 100, "{hits} mines in 20 games");
}
