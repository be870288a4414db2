//! A replayed game as one HTML page: a template, a style sheet and a script, the picture of the
//! first frame, and all frames as data.
//!
//! Invariant: text from the log is in the data only, and the script writes it as text, never as
//! markup. The page's content security policy forbids every connection.
//!
//! The data holds the differences of the odds from frame to frame; see [`OddsChanges`].

use std::collections::BTreeMap;

use sapper::analysis::explanation::candidate_percentages;
use sapper::analysis::notation::{cell_text, percent};
use sapper::analysis::values::value_name;
use sapper::base::objective::Objective;
use sapper::board::geometry::Cell;
use sapper::referee::record::Record;
use serde_json::{Value, json};

use super::drawing::{MARGIN, SIDE, mark_kinds, picture};
use super::frames::{BasisPoints, Frame, ReplayedGame};
use super::style::{open_style, styles};

const TEMPLATE: &str = include_str!("page.html");
const STYLE_SHEET: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most candidates listed for a turn, besides the move.
const MAX_CANDIDATES: usize = 8;

/// The page of the game in the file `name`.
pub fn page(record: &Record, game: &ReplayedGame, name: &str) -> String {
    let data = data(record, game, name).to_string();
    // A `<` could end the script element that holds the data.
    let data = data.replace('<', "\\u003c");
    let board = picture(&game.frames[0], &styles()).to_string();
    fill_template(TEMPLATE, |slot| match slot {
        "style" => STYLE_SHEET,
        "board" => &board,
        "data" => &data,
        "script" => SCRIPT,
        _ => "",
    })
}

/// Replaces each `{{slot}}` of the template once: slots in the replacement are left alone.
fn fill_template<'r>(template: &str, replacement: impl Fn(&str) -> &'r str) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (slot, rest) = part.split_once("}}").unwrap_or((part, ""));
        text.push_str(replacement(slot));
        text.push_str(rest);
    }
    text
}

fn data(record: &Record, game: &ReplayedGame, name: &str) -> Value {
    let board = &game.frames[0].board;
    let shape = board.shape();
    let styles = styles();
    let styles = styles.iter().map(|style| json!([style.class, style.fill, style.ink, style.text]));
    let marks: BTreeMap<&str, String> =
        mark_kinds().into_iter().map(|(kind, mark)| (kind, mark.to_string())).collect();
    let mut changes = OddsChanges::new(shape.len());
    let objective = game.objective;
    let frames = game.frames.iter().map(|frame| frame_data(frame, objective, &mut changes));
    json!({
        "name": name,
        "title": game.title,
        "rows": shape.rows(),
        "columns": shape.columns(),
        "mines": board.mines(),
        "turns": record.answers(),
        "side": SIDE,
        "margin": MARGIN,
        "styles": styles.collect::<Vec<_>>(),
        "marks": marks,
        "value": value_name(game.objective),
        "laid": game.mines.as_ref().map(|mines| indices(mines)),
        "frames": frames.collect::<Vec<_>>(),
    })
}

fn indices(cells: &[Cell]) -> Vec<usize> {
    cells.iter().map(|cell| cell.index()).collect()
}

fn frame_data(frame: &Frame, objective: Objective, changes: &mut OddsChanges) -> Value {
    let board = &frame.board;
    let shape = board.shape();
    let opened: Vec<[usize; 2]> =
        frame.opened.iter().map(|&cell| [cell.index(), open_style(board.state(cell))]).collect();
    let odds = frame.odds.as_ref().map(|odds| {
        let odds: Vec<(usize, BasisPoints)> =
            board.hidden().map(Cell::index).zip(odds.iter().copied()).collect();
        changes.next(&odds)
    });
    let candidates: Vec<Vec<String>> = frame
        .candidates
        .iter()
        .zip(candidate_percentages(&frame.candidates))
        .enumerate()
        .filter(|(index, (candidate, _))| {
            *index < MAX_CANDIDATES || Some(candidate.cell) == frame.opens
        })
        .map(|(_, (candidate, candidate_percentages))| {
            [cell_text(shape, candidate.cell)].into_iter().chain(candidate_percentages).collect()
        })
        .collect();
    let (values, layouts) = &frame.values;
    let values: Vec<[String; 3]> = values
        .iter()
        .take(MAX_CANDIDATES)
        .map(|value| {
            let odds = percent(f64::from(value.mined) / f64::from(*layouts));
            [cell_text(shape, value.cell), odds, value.text(*layouts, objective)]
        })
        .collect();
    json!({
        "open": opened,
        "odds": odds,
        "move": frame.opens.map(Cell::index),
        "instead": frame.instead.map(Cell::index),
        "uses": indices(&frame.uses),
        "kind": frame.kind,
        "hit": frame.hit,
        "caption": frame.caption,
        "why": frame.why,
        "candidates": candidates,
        "values": values,
        "score": (frame.score * 100.0).round() / 100.0,
        "hits": board.hits(),
        "hidden": board.hidden_len(),
        "note": frame.note,
    })
}

/// The changes of the odds from frame to frame.
///
/// Most hidden cells of a frame have the same odds, its `common` ones. Only cells with other odds
/// are listed, and only where that changes: under `set` the cells that get odds of their own, by
/// these odds, and in `unset` those that have the common odds again.
struct OddsChanges {
    /// Each cell's own odds in the last frame; `None` for the common ones.
    own: Vec<Option<BasisPoints>>,
}

impl OddsChanges {
    fn new(cells: usize) -> OddsChanges {
        OddsChanges { own: vec![None; cells] }
    }

    /// The changes to the next frame, whose hidden cells have these odds.
    fn next(&mut self, odds: &[(usize, BasisPoints)]) -> Value {
        let mut counts: BTreeMap<BasisPoints, usize> = BTreeMap::new();
        odds.iter().for_each(|(_, odds)| *counts.entry(*odds).or_default() += 1);
        let common = counts.iter().max_by_key(|(_, count)| **count).map(|(odds, _)| *odds);
        let mut set: BTreeMap<BasisPoints, Vec<usize>> = BTreeMap::new();
        let mut unset = Vec::new();
        for &(cell, odds) in odds {
            let own = Some(odds).filter(|_| Some(odds) != common);
            if own == self.own[cell] {
                continue;
            }
            self.own[cell] = own;
            match own {
                Some(odds) => set.entry(odds).or_default().push(cell),
                None => unset.push(cell),
            }
        }
        json!({"common": common, "unset": unset, "set": set})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once() {
        let replacement = |slot: &str| if slot == "a" { "{{b}}" } else { "B" };
        assert_eq!(fill_template("x{{a}}y{{b}}z", replacement), "x{{b}}yBz");
    }

    #[test]
    fn the_odds_follow_from_their_changes() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut changes = OddsChanges::new(30);
        let mut own = [None; 30];
        let mut small = 0;
        for _ in 0..200 {
            let common = random.u16(1..9_999);
            let mut odds: Vec<(usize, BasisPoints)> = Vec::new();
            for cell in 0..30 {
                let is_common = random.u8(0..4) > 0;
                let cell_odds = if is_common { common } else { 5_000 + cell as BasisPoints };
                if random.u8(0..10) > 0 {
                    odds.push((cell, cell_odds));
                }
            }
            let change = changes.next(&odds);
            for cell in change["unset"].as_array().unwrap() {
                own[cell.as_u64().unwrap() as usize] = None;
            }
            for (odds, cells) in change["set"].as_object().unwrap() {
                for cell in cells.as_array().unwrap() {
                    own[cell.as_u64().unwrap() as usize] = Some(odds.parse::<u64>().unwrap());
                }
            }
            for &(cell, odds) in &odds {
                let decoded = own[cell].or(change["common"].as_u64());
                assert_eq!(decoded, Some(odds.into()));
            }
            small += usize::from(change.to_string().len() < 60);
        }
        assert!(small > 0);
        assert_eq!(OddsChanges::new(0).next(&[])["common"], Value::Null);
    }
}
