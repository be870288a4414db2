//! Frames, judgements and accounts as JSON, for the viewer of recorded games and for scripts.
//!
//! A cell is `[row, column]`, counted from 0. Odds are between 0 and 1. Tables are rows of texts.
//!
//! Invariant: the viewer computes nothing from these data. What it shows in words and numbers is a
//! text here.

use serde_json::{Value, json};

use analysis::explanation::candidate_percentages;
use analysis::json::{cell_json, cells_json};
use analysis::mistakes::{Account, Judgement, cost_text};
use analysis::notation::{cell_text, percent};
use analysis::review::frames::{Frame, RecordedGame};
use analysis::values::value_name;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::kit::text::pluralize;
use sapper::settings::params::Objective;

/// The most candidates listed for a turn, besides the move.
const MAX_CANDIDATES: usize = 8;

/// What the viewer needs to know of a game, without its frames.
pub fn game(game: &RecordedGame, objective: Objective, name: &str) -> Value {
    let board = game.board();
    let shape = board.shape();
    json!({
        "name": name,
        "title": game.title(),
        "rows": shape.rows(),
        "columns": shape.columns(),
        "mines": board.mines(),
        "count": game.frames(),
        "value": value_name(objective),
        "laid": game.mines().map(|mines| cells_json(shape, &mines)),
    })
}

/// A frame with its board: what each cell shows, row by row, a letter for each (`.` hidden, `*` a
/// mine, `x` illegible), and the odds of the hidden cells in the same order.
pub fn frame(frame: &Frame, objective: Objective) -> Value {
    let mut value = turn(frame, objective);
    value["shows"] = json!(shows(&frame.board));
    value["odds"] = json!(frame.odds);
    value
}

/// A frame without its board.
pub fn turn(frame: &Frame, objective: Objective) -> Value {
    let board = &frame.board;
    let shape = board.shape();
    let place = |cell: Option<Cell>| cell.map(|cell| cell_json(shape, cell));
    json!({
        "move": place(frame.opens),
        "instead": place(frame.instead),
        "uses": cells_json(shape, &frame.uses),
        "kind": frame.kind,
        "hit": frame.hit,
        "caption": frame.caption,
        "why": frame.why,
        "judgement": frame.judgement.as_ref().map(|click| judgement(shape, click, objective)),
        "candidates": candidate_rows(frame),
        "values": value_rows(frame, objective),
        "score": (frame.score * 100.0).round() / 100.0,
        "hits": frame.hits,
        "hidden": board.hidden_len(),
        "note": frame.note,
    })
}

/// What each cell of a board shows, row by row, as in a field in text.
pub fn shows(board: &Board) -> String {
    board.iter().map(|(_, state)| state.symbol()).collect()
}

/// The judgement of a click.
pub fn judgement(shape: Shape, click: &Judgement, objective: Objective) -> Value {
    json!({
        "cell": cell_json(shape, click.cell),
        "kind": click.kind(),
        "name": click.name(),
        "mistake": click.is_mistake(),
        "odds": click.odds,
        "cost": click.cost,
        "cost_text": cost_text(click.cost, objective),
        "better": click.better().map(|cell| cell_json(shape, cell)),
        "sentence": click.sentence(shape, objective),
        "proof": click.proof(),
        "numbers": cells_json(shape, &click.numbers()),
    })
}

/// The account of a game, and what it says in sentences.
pub fn account(account: &Account, objective: Objective) -> Value {
    let costliest = |&(turn, cost): &(usize, f64)| json!({"turn": turn, "cost": cost});
    json!({
        "risk": account.risk,
        "cost": account.cost,
        "hits": account.hits,
        "luck": account.luck(),
        "costliest": account.costliest.iter().map(costliest).collect::<Vec<_>>(),
        "sentences": account_sentences(account, objective),
    })
}

/// The words are those of the coach in Play. Risk and luck have the unit of the objective: mines,
/// or percents, where a mine counts 100 %.
fn account_sentences(account: &Account, objective: Objective) -> Vec<String> {
    let (risk, luck, each) = match objective {
        Objective::FewestHits => {
            (format!("{:.3} mines", account.risk), format!("{:+.3} mines", account.luck()), "")
        }
        Objective::CleanWin => {
            let [risk, luck] = [account.risk, account.luck()].map(|part| 100.0 * part);
            (format!("{risk:.2} %"), format!("{luck:+.2} %"), ", 100 % each")
        }
    };
    let hits = pluralize(account.hits, "mine", "mines");
    let mistakes = if account.costliest.is_empty() {
        "Mistakes: none.".to_owned()
    } else {
        let clicks = pluralize(account.costliest.len(), "click", "clicks");
        let cost = cost_text(account.cost, objective);
        format!("Mistakes: {cost}, in {clicks} where another cell was better.")
    };
    vec![
        format!("Risk taken: {risk}, the sum of the odds of the clicks."),
        mistakes,
        format!("Luck: {luck}, the risk taken less {hits} hit{each}."),
    ]
}

/// The cell and its [`candidate_percentages`].
fn candidate_rows(frame: &Frame) -> Vec<Vec<String>> {
    let shape = frame.board.shape();
    let rows = frame.candidates.iter().zip(candidate_percentages(&frame.candidates)).enumerate();
    let is_listed = |index, cell| index < MAX_CANDIDATES || Some(cell) == frame.opens;
    rows.filter(|(index, (candidate, _))| is_listed(*index, candidate.cell))
        .map(|(_, (candidate, percentages))| {
            [cell_text(shape, candidate.cell)].into_iter().chain(percentages).collect()
        })
        .collect()
}

/// The cell, its odds, and its value.
fn value_rows(frame: &Frame, objective: Objective) -> Vec<[String; 3]> {
    let shape = frame.board.shape();
    let values = frame.values.iter().take(MAX_CANDIDATES).map(|value| {
        let odds = percent(f64::from(value.mined) / f64::from(frame.layouts));
        [cell_text(shape, value.cell), odds, value.text(frame.layouts, objective)]
    });
    values.collect()
}
