//! Histories of the middle and the end of a game, which a game with the bot itself may not reach.
//!
//! The moves are sapper's at fast effort, but every fourth one opens a random hidden cell, so that
//! a history has hits. A history is legal: the official judge would have sent these requests for
//! these responses.
//!
//! Invariant: a history follows from its setup alone.

use anyhow::Result;
use game::board_gen::below;
use game::botzone::BotzoneJudge;
use game::record::Record;
use game::setup::Setup;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sapper::settings::budget::Turn;
use sapper::{Board, Cell, CellState, Effort, Engine, Objective};
use serde_json::{Value, json};

/// The record of a whole game that is played in process.
///
/// # Errors
/// Fails if the setup is not valid.
pub fn play(setup: &Setup) -> Result<Record> {
    let mut judge = BotzoneJudge::new(setup)?;
    let mut record = Record::new(setup);
    record.push_output(judge.first_output());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(i64::from(setup.seed) as u64);
    let mut engine = Engine::new(Objective::FewestHits, Effort::Fast);
    let mut board = Board::new(setup.shape, setup.mines);
    for turn in 0.. {
        for &(cell, value) in judge.referee().changed() {
            board.open(cell, CellState::from_value(Some(value.into())));
        }
        let decided = engine.decide(&board, Turn::UNTIMED).map(|decision| decision.cell());
        let cell = if turn % 4 == 3 { random_hidden(&board, &mut random) } else { decided };
        let Some(cell) = cell else { break };
        let response = json!({"row": setup.shape.row(cell), "col": setup.shape.column(cell)});
        let ruling = judge.answer(&response);
        record.push_answer("OK", Some(&response));
        record.push_output(&ruling.output);
        if ruling.end.is_some() {
            break;
        }
    }
    Ok(record)
}

fn random_hidden(board: &Board, random: &mut Xoshiro256PlusPlus) -> Option<Cell> {
    let hidden = board.hidden_len();
    let index = (hidden > 0).then(|| below(random, hidden as u64) as usize)?;
    board.shape().cells().filter(|&cell| board.is_hidden(cell)).nth(index)
}

/// The input of a bot that is started in the last turn of a recorded game, or in an earlier one.
pub fn input(record: &Record, turns_before_the_end: usize) -> Option<Value> {
    let last = (0..=record.answers()).rev().find(|&turn| record.input(turn).is_some())?;
    record.input(last.saturating_sub(turns_before_the_end))
}

#[cfg(test)]
mod tests {
    use sapper::Shape;

    use super::*;

    #[test]
    fn a_history_is_reproducible_and_has_hits() {
        let setup = Setup::new(Shape::new(11, 11).unwrap(), 40, 1);
        let (one, other) = (play(&setup).unwrap(), play(&setup).unwrap());
        assert_eq!(one, other);
        assert_eq!(one.msg, Some(json!("FINISH")));
        let last = input(&one, 0).unwrap();
        assert!(last.to_string().contains("\"val\":9"), "{last}");
        let requests = |input: Value| input["requests"].as_array().unwrap().len();
        assert_eq!(requests(last) - 5, requests(input(&one, 5).unwrap()));
    }
}
