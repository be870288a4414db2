//! A recorded game as one HTML page: the viewer, a template, and all frames as data.
//!
//! Invariant: text from the log is in the data only, and the script writes it as text, never as
//! markup. The page's content security policy forbids every connection.
//!
//! The data holds the differences of the odds from frame to frame; see `OddsChanges`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use analysis::mistakes::ClickAccount;
use analysis::review::frame::Frame;
use analysis::review::reviewed_game::ReviewedGame;
use game::figures::GameFigures;
use sapper::{Cell, Objective};
use serde::Serialize;

use crate::data::{AccountReport, ViewerGame, ViewerTurn};

const TEMPLATE: &str = include_str!("../web/replay-page.html");

/// The beginning of every page.
pub const BEGINNING: &str =
    "<!DOCTYPE html>\n<!-- A game of Minesweeper, made by judge replay. -->\n";

/// The script without data: classic scripts that share one scope, in this order.
const SCRIPT: &str = concat!(
    include_str!("../web/cells.js"),
    include_str!("../web/board-input.js"),
    include_str!("../web/board.js"),
    include_str!("../web/picture.js"),
    include_str!("../web/viewer-controls.js"),
    include_str!("../web/viewer-curve.js"),
    include_str!("../web/viewer-panel.js"),
    include_str!("../web/viewer.js"),
    include_str!("../web/replay-page.js"),
);
const STYLE_SHEET: &str = concat!(
    include_str!("../web/theme.css"),
    include_str!("../web/board.css"),
    include_str!("../web/viewer.css"),
    include_str!("../web/replay-page.css"),
);

/// The odds of a cell in hundredths of a percent: 0 and [`PROVEN_MINE`] are proven.
pub type BasisPoints = u16;

/// The odds of a cell that is proven to be a mine.
pub const PROVEN_MINE: BasisPoints = 10_000;

/// Odds as basis points. Odds that are not proven are never rounded to 0 or [`PROVEN_MINE`].
pub fn basis_points(odds: f64) -> BasisPoints {
    if odds == 0.0 || odds == 1.0 {
        odds as BasisPoints * PROVEN_MINE
    } else {
        let rounded = (odds * f64::from(PROVEN_MINE)).round();
        rounded.clamp(1.0, f64::from(PROVEN_MINE - 1)) as BasisPoints
    }
}

/// A page that is written frame by frame, so that its memory does not grow with their number.
pub struct PageWriter<W: Write> {
    out: W,
    objective: Objective,
    changes: OddsChanges,
    account: ClickAccount,
    figures: Option<GameFigures>,
    frames: usize,
}

impl<W: Write> PageWriter<W> {
    /// Begins the page of the game in the file `name`, for an engine that plays for `objective`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(
        mut out: W,
        game: &dyn ReviewedGame,
        objective: Objective,
        name: &str,
    ) -> io::Result<PageWriter<W>> {
        // What comes after is not searched for places of the template.
        let (head, _) = TEMPLATE.split_once("{{data}}").expect("a place for the data");
        out.write_all(head.replace("{{style}}", STYLE_SHEET).as_bytes())?;
        let data = json(&ViewerGame::new(game, objective, name));
        let data = data.strip_suffix('}').expect("the game is an object");
        write!(out, "{data},\"frames\":[")?;
        let changes = OddsChanges::new(game.board().shape().len());
        let account = ClickAccount::default();
        let figures = game.figures();
        Ok(PageWriter { out, objective, changes, account, figures, frames: 0 })
    }

    /// Writes the next frame.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn add(&mut self, frame: &Frame) -> io::Result<()> {
        let comma = if self.frames == 0 { "" } else { "," };
        self.frames += 1;
        if let Some(judgement) = &frame.judgement {
            self.account.add(frame.turn, judgement, frame.hit);
        }
        let frame = PageFrame::new(frame, self.objective, &mut self.changes);
        write!(self.out, "{comma}{}", json(&frame))
    }

    /// Writes the account and the end of the page.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn end(mut self) -> io::Result<W> {
        let account = json(&AccountReport::new(&self.account, self.objective, self.figures));
        let (_, foot) = TEMPLATE.split_once("{{data}}").expect("a place for the data");
        let foot = foot.replace("{{script}}", SCRIPT);
        write!(self.out, "],\"account\":{account}}}{foot}")?;
        Ok(self.out)
    }
}

/// A value as JSON in a script element, which a `<` could end.
fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("every key of these types can be written");
    text.replace('<', "\\u003c")
}

/// A frame of a page.
#[derive(Serialize)]
struct PageFrame {
    #[serde(flatten)]
    turn: ViewerTurn,
    /// The cells that were opened since the frame before, each with what it shows.
    opened: Vec<(usize, char)>,
    odds: Option<OddsChange>,
}

impl PageFrame {
    fn new(frame: &Frame, objective: Objective, changes: &mut OddsChanges) -> PageFrame {
        let board = &frame.board;
        let opened = frame.opened.iter().map(|&cell| (cell.index(), board.state(cell).symbol()));
        let odds = frame.odds.as_ref().map(|odds| {
            let odds = odds.iter().copied().map(basis_points);
            let odds: Vec<(usize, BasisPoints)> =
                board.hidden().map(Cell::index).zip(odds).collect();
            changes.next(&odds)
        });
        PageFrame { turn: ViewerTurn::new(frame, objective), opened: opened.collect(), odds }
    }
}

/// The difference of the odds of a frame from those of the frame before. A cell is its index.
#[derive(Serialize)]
struct OddsChange {
    /// The odds of most hidden cells; `None` if no cell is hidden.
    common: Option<BasisPoints>,
    /// The cells that get odds of their own, by these odds.
    set: BTreeMap<BasisPoints, Vec<usize>>,
    /// The cells that have the common odds again.
    unset: Vec<usize>,
}

/// The changes of the odds from frame to frame.
///
/// Most hidden cells of a frame have the same odds, its `common` ones. A cell is listed only if its
/// odds were the common ones before and are not now, or the other way round, or if its own change.
struct OddsChanges {
    /// Each cell's own odds in the last frame; `None` for the common ones.
    own: Vec<Option<BasisPoints>>,
}

impl OddsChanges {
    fn new(cells: usize) -> OddsChanges {
        OddsChanges { own: vec![None; cells] }
    }

    /// The changes to the next frame, whose hidden cells have these odds.
    fn next(&mut self, odds: &[(usize, BasisPoints)]) -> OddsChange {
        let mut counts = vec![0_u32; usize::from(PROVEN_MINE) + 1];
        odds.iter().for_each(|(_, odds)| counts[usize::from(*odds)] += 1);
        let common = (0..=PROVEN_MINE).max_by_key(|odds| counts[usize::from(*odds)]);
        let common = common.filter(|_| !odds.is_empty());
        let mut set: BTreeMap<BasisPoints, Vec<usize>> = BTreeMap::new();
        let mut unset = Vec::new();
        for &(cell, odds) in odds {
            let own = (Some(odds) != common).then_some(odds);
            if own == self.own[cell] {
                continue;
            }
            self.own[cell] = own;
            match own {
                Some(odds) => set.entry(odds).or_default().push(cell),
                None => unset.push(cell),
            }
        }
        OddsChange { common, set, unset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_proven_is_shown_as_proven() {
        let near_certain = [0.0, 1.0, 1e-9, 1.0 - 1e-9].map(basis_points);
        assert_eq!(near_certain, [0, 10_000, 1, 9_999]);
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
            change.unset.iter().for_each(|&cell| own[cell] = None);
            for (&odds, cells) in &change.set {
                cells.iter().for_each(|&cell| own[cell] = Some(odds));
            }
            for &(cell, odds) in &odds {
                assert_eq!(own[cell].or(change.common), Some(odds));
            }
            small += usize::from(serde_json::to_string(&change).unwrap().len() < 60);
        }
        assert!(small > 0);
        assert_eq!(OddsChanges::new(0).next(&[]).common, None);
    }
}
