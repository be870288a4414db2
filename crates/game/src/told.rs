//! A game that was played before, by any player, without the clicks that follow from the numbers.
//!
//! What the numbers prove safe is opened again between the clicks that are told, so that a game on
//! an expert board takes some fifteen bytes. A click is told where it was a guess, with the proven
//! cells that were still hidden then.
//!
//! Invariant: a told game played again has the result of the game and tells its observer the same
//! guesses.

use super::board_file::Layout;
use super::prover::{ProofLevel, Prover};
use super::rule::Rule;
use super::simulate::{GameInProgress, GuessObserver, PlayResult};
use sapper::Board;
use sapper::board::geometry::Cell;
use sapper::evaluate;

/// A game that was played before, by any player. The clicks that follow from the numbers may be
/// left out.
#[derive(Clone, PartialEq, Debug)]
pub struct ToldGame {
    /// The clicks, in order. What was proven safe was opened before each.
    pub clicks: Vec<ToldClick>,
    /// The cells that were proven safe at the end and are hidden.
    pub left: Vec<Cell>,
}

/// A click of a [`ToldGame`].
#[derive(Clone, PartialEq, Debug)]
pub struct ToldClick {
    /// The cell that was clicked.
    pub cell: Cell,
    /// The other cells that were proven safe and hidden.
    pub left: Vec<Cell>,
}

/// Which clicks are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    /// All of them.
    All,
    /// Those on cells that were not proven safe.
    Guesses,
}

/// Plays a game that was played before, as [`super::simulate::play_adjusted`] plays an engine. The
/// clicks of `told` are told to `observer` as guesses, also where one is proven. The game is won if
/// it ends without a hit; `turns` of the result is 0, and so is what belongs to an engine. `None`
/// if a click is on an open cell, or comes after the end: then the game is one on another layout.
pub fn play_told(
    layout: &Layout,
    rule: Rule,
    told: &ToldGame,
    observer: &mut dyn GuessObserver,
) -> Option<PlayResult> {
    let (mut clicks, mut safe) = (told.clicks.iter().peekable(), Vec::new());
    let mut prover = Prover::new(ProofLevel::Numbers);
    let next = |board: &Board| {
        // A zero opens cells around it that were proven with it.
        safe.retain(|&cell| board.is_hidden(cell));
        let (click, left) = match clicks.peek() {
            Some(click) => (Some(click.cell), &click.left),
            None => (None, &told.left),
        };
        let is_to_open = |cell: &Cell| Some(*cell) != click && !left.contains(cell);
        if safe.is_empty() {
            safe.extend(prover.prove(board).iter().copied().filter(is_to_open));
        }
        if safe.is_empty() {
            safe.extend(proven(board).into_iter().filter(is_to_open));
        }
        let safe = safe.pop().map(|cell| (cell, false));
        safe.or_else(|| clicks.next().map(|click| (click.cell, true)))
    };
    let result = play_clicks(layout, rule, next, observer)?;
    Some(PlayResult { turns: 0, ..result })
}

/// Tells the game of these clicks, with its result. `None` as by [`play_told`].
///
/// [`Telling::Guesses`] is enough if all layouts of every position were counted. A component that
/// is too large to count may hide a proof that fewer open cells gave; such a game needs
/// [`Telling::All`].
pub fn tell(
    layout: &Layout,
    rule: Rule,
    clicks: impl IntoIterator<Item = Cell>,
    telling: Telling,
    observer: &mut dyn GuessObserver,
) -> Option<(ToldGame, PlayResult)> {
    let mut clicks = clicks.into_iter();
    let mut told = ToldGame { clicks: Vec::new(), left: Vec::new() };
    let mut prover = Prover::new(ProofLevel::Numbers);
    let next = |board: &Board| {
        let next = clicks.next();
        let easy = prover.prove(board);
        if let Some(cell) = next.filter(|cell| easy.contains(cell))
            && telling == Telling::Guesses
        {
            return Some((cell, false));
        }
        let mut left = proven(board);
        left.extend(easy.iter().filter(|cell| !left.contains(cell)).collect::<Vec<_>>());
        let Some(cell) = next else {
            told.left = left;
            return None;
        };
        let is_guess = !left.contains(&cell);
        left.retain(|&other| other != cell);
        if is_guess || telling == Telling::All {
            told.clicks.push(ToldClick { cell, left });
        }
        Some((cell, is_guess))
    };
    let result = play_clicks(layout, rule, next, observer)?;
    Some((told, result))
}

/// The hidden cells of `board` that are safe in all layouts.
fn proven(board: &Board) -> Vec<Cell> {
    let Ok(evaluation) = evaluate(board) else { return Vec::new() };
    evaluation.safe().filter_map(|place| board.shape().cell_at(place)).collect()
}

/// Plays the clicks that `next` tells for one board after another, each with whether it is a guess.
fn play_clicks(
    layout: &Layout,
    rule: Rule,
    mut next: impl FnMut(&Board) -> Option<(Cell, bool)>,
    observer: &mut dyn GuessObserver,
) -> Option<PlayResult> {
    let mut game = GameInProgress::begin(layout, rule);
    let safe = (layout.shape.len() - layout.mines.len()) as u32;
    let mut result = PlayResult { opened: game.opened(0), safe, ..PlayResult::default() };
    let mut lost = false;
    // A game may have been played on after its first hit, which the observer did not survive.
    while !(game.over && lost) {
        let Some((cell, is_guess)) = next(&game.board) else { break };
        if game.over || !game.board.is_hidden(cell) {
            return None;
        }
        let hit = game.open(cell, is_guess, observer);
        if lost {
            continue;
        }
        result.turns += 1;
        result.hits += u32::from(hit);
        lost = hit && rule.is_classic();
        if !lost {
            result.opened = game.opened(result.hits);
        }
    }
    result.won = game.over && result.hits == 0;
    Some(result)
}
