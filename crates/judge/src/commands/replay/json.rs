//! A replayed game as one JSON object. Cells are `[row, column]`, odds are between 0 and 1.

use analysis::json::{candidates, cell_json, cells_json, values};
use analysis::mistakes::Judgement;
use analysis::review::frames::{Frame, account};
use sapper::Objective;
use serde_json::{Value, json};
use viewer::data;

use viewer::page::AnalyzedGame;

/// The game in the file `name`.
pub fn game(analyzed: &AnalyzedGame, name: &str) -> Value {
    let AnalyzedGame { game, frames, objective } = analyzed;
    let board = game.board();
    let shape = board.shape();
    let is_mistake = |frame: &&Frame| frame.judgement.as_ref().is_some_and(Judgement::is_mistake);
    let mistakes = frames.iter().filter(is_mistake).map(|frame| frame.turn);
    json!({
        "name": name,
        "title": game.title(),
        "height": shape.rows(),
        "width": shape.columns(),
        "minecount": board.mines(),
        "laid": game.mines().map(|mines| cells_json(shape, &mines)),
        "won": game.outcome().rule.is_classic().then(|| game.outcome().is_won()),
        "lost_in": game.outcome().lost_in,
        "adjusted_won": game.adjusted_won(),
        "account": data::account(&account(frames), *objective),
        "mistakes": mistakes.collect::<Vec<_>>(),
        "turns": frames.iter().map(|frame| turn_json(frame, *objective)).collect::<Value>(),
    })
}

fn turn_json(frame: &Frame, objective: Objective) -> Value {
    let board = &frame.board;
    let shape = board.shape();
    let judgement = |frame: &Frame| {
        let click = frame.judgement.as_ref()?;
        Some(data::judgement(shape, click, objective))
    };
    let opened = |&cell| json!([cell_json(shape, cell), board.state(cell).value()]);
    json!({
        "turn": frame.turn,
        "opened": frame.opened.iter().map(opened).collect::<Value>(),
        "move": frame.opens.map(|cell| cell_json(shape, cell)),
        "kind": frame.kind,
        "odds": frame.opens.and_then(|cell| frame.odds_of(cell)),
        "hit": frame.hit,
        "instead": frame.instead.map(|cell| cell_json(shape, cell)),
        "caption": frame.caption,
        "why": frame.why,
        "judgement": judgement(frame),
        "candidates": candidates(shape, &frame.candidates),
        "values": values(shape, &frame.values),
        "layouts": Some(frame.layouts).filter(|layouts| *layouts > 0),
        "score": frame.score,
        "hits": frame.hits,
        "hidden": board.hidden_len(),
        "note": frame.note,
    })
}
