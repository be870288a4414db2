//! A game as one page: a template, a style and a script, the first board drawn, and the rest as
//! data.
//!
//! What comes from the log goes into the data and nowhere else; the script writes it as text, never
//! as markup. The page's policy forbids every connection.
//!
//! The odds of a frame are told by what changed: every hidden cell has the frame's `rest`, but for
//! those that were given odds of their own and not given `back` since.

use std::collections::BTreeMap;

use sapper::analysis::explanation::candidate_percentages;
use sapper::analysis::notation::cell_text;
use sapper::board::geometry::Cell;
use sapper::referee::record::Record;
use serde_json::{Value, json};

use super::drawing::{MARGIN, SIDE, kinds_of_marks, picture};
use super::frames::{Frame, Game, Parts};
use super::look::{looks, of_open};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Candidates told of a turn, besides the move.
const SHOWN: usize = 8;

/// The page.
pub fn page(record: &Record, game: &Game, name: &str) -> String {
    let data = data(record, game, name).to_string();
    // Inside a script element only this could end it.
    let data = data.replace('<', "\\u003c");
    let board = picture(&game.frames[0], &looks()).to_string();
    filled(TEMPLATE, |slot| match slot {
        "style" => STYLE,
        "board" => &board,
        "data" => &data,
        "script" => SCRIPT,
        _ => "",
    })
}

/// The template with each `{{slot}}` filled, in one pass: what fills a slot is not looked at again.
fn filled<'f>(template: &str, fill: impl Fn(&str) -> &'f str) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (slot, rest) = part.split_once("}}").unwrap_or((part, ""));
        text.push_str(fill(slot));
        text.push_str(rest);
    }
    text
}

fn data(record: &Record, game: &Game, name: &str) -> Value {
    let board = &game.frames[0].board;
    let shape = board.shape();
    let looks: Vec<Value> =
        looks().iter().map(|look| json!([look.class, look.fill, look.ink, look.text])).collect();
    let marks: BTreeMap<&str, String> =
        kinds_of_marks().into_iter().map(|(kind, mark)| (kind, mark.to_string())).collect();
    let mut odds = Changes::new(shape.len());
    let frames: Vec<Value> = game.frames.iter().map(|frame| of_frame(frame, &mut odds)).collect();
    json!({
        "name": name,
        "title": game.title,
        "rows": shape.rows(),
        "columns": shape.columns(),
        "mines": board.mines(),
        "turns": record.answers(),
        "side": SIDE,
        "margin": MARGIN,
        "looks": looks,
        "marks": marks,
        "laid": game.laid.as_ref().map(|cells| cells.iter().map(|cell| cell.index()).collect::<Vec<_>>()),
        "frames": frames,
    })
}

fn of_frame(frame: &Frame, odds: &mut Changes) -> Value {
    let board = &frame.board;
    let shape = board.shape();
    let opened: Vec<[usize; 2]> =
        frame.opened.iter().map(|&cell| [cell.index(), of_open(board.state(cell))]).collect();
    let hidden = board.hidden().map(Cell::index);
    let hidden_odds = frame.odds.iter().flatten().copied();
    let hidden_odds: Vec<(usize, Parts)> = hidden.zip(hidden_odds).collect();
    let odds = frame.odds.as_ref().map(|_| odds.next(&hidden_odds));
    let candidates: Vec<Vec<String>> = frame
        .candidates
        .iter()
        .zip(candidate_percentages(&frame.candidates))
        .enumerate()
        .filter(|(place, (worth, _))| *place < SHOWN || Some(worth.cell) == frame.opens)
        .map(|(_, (worth, shares))| {
            [cell_text(shape, worth.cell)].into_iter().chain(shares).collect()
        })
        .collect();
    json!({
        "open": opened,
        "odds": odds,
        "move": frame.opens.map(Cell::index),
        "instead": frame.instead.map(Cell::index),
        "uses": frame.uses.iter().map(|cell| cell.index()).collect::<Vec<_>>(),
        "kind": frame.kind,
        "hit": frame.hit,
        "caption": frame.caption,
        "why": frame.why,
        "candidates": candidates,
        "score": (frame.score * 100.0).round() / 100.0,
        "hits": board.hits(),
        "hidden": board.hidden_len(),
        "note": frame.note,
    })
}

/// What changed in the odds from frame to frame.
struct Changes {
    /// What each cell was given last; `None` where it has the rest's.
    given: Vec<Option<Parts>>,
}

impl Changes {
    fn new(cells: usize) -> Changes {
        Changes { given: vec![None; cells] }
    }

    /// The next frame's odds: `rest`, the cells given `back` to it, and under `set` cells by their
    /// odds.
    fn next(&mut self, odds: &[(usize, Parts)]) -> Value {
        let mut often: BTreeMap<Parts, usize> = BTreeMap::new();
        odds.iter().for_each(|(_, parts)| *often.entry(*parts).or_default() += 1);
        let rest = often.iter().max_by_key(|(_, count)| **count).map(|(parts, _)| *parts);
        let mut set: BTreeMap<Parts, Vec<usize>> = BTreeMap::new();
        let mut back = Vec::new();
        for &(cell, parts) in odds {
            let own = Some(parts).filter(|_| Some(parts) != rest);
            if own == self.given[cell] {
                continue;
            }
            self.given[cell] = own;
            match own {
                Some(parts) => set.entry(parts).or_default().push(cell),
                None => back.push(cell),
            }
        }
        json!({"rest": rest, "back": back, "set": set})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once() {
        let fill = |slot: &str| if slot == "a" { "{{b}}" } else { "B" };
        assert_eq!(filled("x{{a}}y{{b}}z", fill), "x{{b}}yBz");
    }

    #[test]
    fn what_changed_gives_back_what_is() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut changes = Changes::new(30);
        let mut given = [None; 30];
        let mut small = 0;
        for _ in 0..200 {
            let rest = random.u16(1..9_999);
            let mut odds: Vec<(usize, Parts)> = Vec::new();
            for cell in 0..30 {
                let own = if random.u8(0..4) > 0 { rest } else { 5_000 + cell as Parts };
                if random.u8(0..10) > 0 {
                    odds.push((cell, own));
                }
            }
            let change = changes.next(&odds);
            for cell in change["back"].as_array().unwrap() {
                given[cell.as_u64().unwrap() as usize] = None;
            }
            for (parts, cells) in change["set"].as_object().unwrap() {
                for cell in cells.as_array().unwrap() {
                    given[cell.as_u64().unwrap() as usize] = Some(parts.parse::<u64>().unwrap());
                }
            }
            for &(cell, parts) in &odds {
                let found = given[cell].or(change["rest"].as_u64());
                assert_eq!(found, Some(parts.into()));
            }
            small += usize::from(change.to_string().len() < 60);
        }
        assert!(small > 0);
        assert_eq!(Changes::new(0).next(&[])["rest"], Value::Null);
    }
}
