//! A whole game in process: an engine plays a layout, without JSON and without a bot process.
//!
//! All cells that a decision proves safe are opened before the next decision. This saves most
//! decisions and does not change the result: the engine guesses only where no hidden cell can be
//! proven safe, and the set of provable cells does not depend on the order in which they are
//! opened. `tests/play.rs` compares this with the bot that answers turn by turn.
//!
//! Invariant: the engine sees the [`Board`] and nothing else of the game. The search is limited by
//! nodes, so the result does not depend on the machine; [`play_timed`] only measures.

use std::time::Duration;

use super::board_file::Layout;
use super::field::Field;
use super::prover::{ProofLevel, Prover};
use super::referee::{Referee, show};
use super::rule::Rule;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Decision, Engine, Step};
use sapper::evaluate;
use sapper::settings::budget::{Clock, NoClock, Turn};

/// The result of one game.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct PlayResult {
    /// Whether the game ended without opening a mine.
    pub won: bool,
    /// Mines opened.
    pub hits: u32,
    /// Cells opened by the bot; the cells that a zero opens with it are not counted.
    pub turns: u32,
    /// Cells opened by the bot that were not proven safe.
    pub guesses: u32,
    /// For each step of the engine, the cells it opened and the mines among them.
    pub by_step: [(u32, u32); Step::ALL.len()],
    /// The time of the slowest decision; zero where the game was not timed.
    pub slowest: Duration,
    /// Safe cells that are open at the end, including those opened before the first turn.
    pub opened: u32,
    /// Safe cells of the layout.
    pub safe: u32,
}

/// Is told of the guesses of a game, and decides whether a hit is survived.
pub trait GuessObserver {
    /// Adds the click on a hidden `cell` of `board`: a guess, or a proven cell that is a mine.
    fn add_click(&mut self, board: &Board, cell: Cell, hit: bool);

    /// Asked under the classic rules before the mine `cell` is opened. Returns `true` after the
    /// layout of `referee` was drawn again so that `cell` is safe, and `false` if the game is lost.
    fn survive(&mut self, board: &Board, cell: Cell, referee: &mut Referee) -> bool;
}

/// The observer of a game that ends with its first hit under the classic rules.
pub struct Unobserved;

impl GuessObserver for Unobserved {
    fn add_click(&mut self, _: &Board, _: Cell, _: bool) {}

    fn survive(&mut self, _: &Board, _: Cell, _: &mut Referee) -> bool {
        false
    }
}

/// Plays `layout` to its end, or to the first hit under the classic rules.
///
/// `watch` is called for every decision, with the board it was made for and whether it hit a mine.
pub fn play(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    play_timed(layout, rule, engine, &NoClock, watch)
}

/// Plays like [`play`], and measures the slowest decision with `clock`.
pub fn play_timed(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    play_game(layout, rule, engine, clock, &mut Unobserved, watch)
}

/// Plays like [`play_timed`], and tells `observer` of every guess.
///
/// Under the classic rules the game is played to its end: a guess that would hit is survived. The
/// result is that of the game up to its first hit.
pub fn play_adjusted(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    observer: &mut dyn GuessObserver,
) -> PlayResult {
    play_game(layout, rule, engine, clock, observer, |_, _, _| {})
}

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

/// Plays a game that was played before, as [`play_adjusted`] plays an engine. The clicks of `told`
/// are told to `observer` as guesses, also where one is proven. The game is won if it ends without
/// a hit; `turns` of the result is 0, and so is what belongs to an engine. `None` if a click is on
/// an open cell, or comes after the end: then the game is one on another layout.
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

/// Opens the cells `first` on `board`, one after another as a chord does, and plays on to the end.
/// `field` has the hidden cells of the board. Every guess is told to `observer`. Returns the mines
/// that were opened; `None` if the rules cannot have led to `board`.
pub fn play_from(
    board: &Board,
    field: Field,
    first: &[Cell],
    rule: Rule,
    engine: &mut Engine,
    observer: &mut dyn GuessObserver,
) -> Option<u32> {
    let mut game = GameInProgress::resume(board, field, rule)?;
    for &cell in first {
        if !game.over && game.board.is_hidden(cell) {
            game.open(cell, true, observer);
        }
    }
    while !game.over {
        let Some(decision) = engine.decide(&game.board, Turn::UNTIMED) else { break };
        game.open(decision.cell(), !decision.by.is_proof(), observer);
        for &cell in engine.safe() {
            if !game.over && game.board.is_hidden(cell) {
                game.open(cell, false, observer);
            }
        }
    }
    Some(game.referee.hits() - board.hits())
}

/// A game in progress.
struct GameInProgress {
    rule: Rule,
    referee: Referee,
    /// What is visible.
    board: Board,
    over: bool,
}

impl GameInProgress {
    /// The game on `layout` before the first turn.
    fn begin(layout: &Layout, rule: Rule) -> GameInProgress {
        let mines = layout.mines.len() as u32;
        let referee = Referee::new(layout.field(), mines);
        let board = Board::new(layout.shape, mines);
        let mut game = GameInProgress { rule, referee, board, over: false };
        if rule.is_classic() {
            show(&mut game.board, game.referee.open_beforehand(layout.first));
            // The cell opened beforehand may end the game; the official judge checks for the end
            // only after an answer.
            game.over = game.referee.hidden_len() == mines as usize;
        }
        game
    }

    /// The game on `field` in which `board` is visible; `None` if it is over, or if the rules would
    /// have opened more: a zero opens its neighbours.
    fn resume(board: &Board, field: Field, rule: Rule) -> Option<GameInProgress> {
        let mut referee = Referee::new(field, board.mines());
        for (cell, state) in board.iter() {
            match state {
                CellState::Hidden | CellState::Illegible => {}
                CellState::Number(_) => {
                    referee.open_beforehand(cell);
                }
                CellState::Hit => {
                    referee.open(cell).ok()?;
                }
            }
        }
        let mines_left = board.mines().saturating_sub(board.hits()) as usize;
        let is_over = referee.ended() || referee.hidden_len() == mines_left;
        let is_same = referee.hidden_len() == board.hidden_len() && !is_over;
        is_same.then(|| GameInProgress { rule, referee, board: board.clone(), over: false })
    }

    /// The safe cells that are open, after so many hits.
    fn opened(&self, hits: u32) -> u32 {
        // Open cells are safe cells and the mines that were hit.
        (self.board.shape().len() - self.board.hidden_len()) as u32 - hits
    }

    /// Opens a hidden cell, and returns whether it is a mine. A guess is told to `observer`, which
    /// decides whether a hit under the classic rules is survived.
    fn open(&mut self, cell: Cell, is_guess: bool, observer: &mut dyn GuessObserver) -> bool {
        let GameInProgress { rule, referee, board, over } = self;
        let hit = referee.field().is_mine(cell);
        if is_guess || hit {
            observer.add_click(board, cell, hit);
        }
        if hit && rule.is_classic() {
            *over = !observer.survive(board, cell, referee);
        }
        let opened = referee.open(cell).expect("the cell is hidden and the game goes on");
        *over |= opened.ended;
        show(board, opened.changed);
        hit
    }
}

fn play_game(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    observer: &mut dyn GuessObserver,
    mut watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    let mut game = GameInProgress::begin(layout, rule);
    let safe = (layout.shape.len() - layout.mines.len()) as u32;
    let mut result = PlayResult { opened: game.opened(0), safe, ..PlayResult::default() };
    // The result ends with the first hit, also where that is survived.
    let mut lost = false;
    let mut cells: Vec<Cell> = Vec::new();
    while !game.over {
        let started = clock.elapsed();
        let Some(decision) = engine.decide(&game.board, Turn::UNTIMED) else { break };
        if !lost {
            let time = clock.elapsed().saturating_sub(started);
            result.slowest = result.slowest.max(time);
        }
        cells.clear();
        cells.push(decision.cell());
        cells.extend_from_slice(engine.safe());
        for (position, &cell) in cells.iter().enumerate() {
            if game.over || !game.board.is_hidden(cell) {
                continue;
            }
            if position == 0 && !lost {
                watch(&game.board, &decision, game.referee.field().is_mine(cell));
            }
            let is_guess = !decision.by.is_proof();
            let hit = game.open(cell, is_guess, observer);
            if lost {
                continue;
            }
            result.turns += 1;
            result.hits += u32::from(hit);
            result.guesses += u32::from(is_guess);
            let (opened_by_step, hits_by_step) = &mut result.by_step[decision.by as usize];
            *opened_by_step += 1;
            *hits_by_step += u32::from(hit);
            lost = hit && rule.is_classic();
            if !lost {
                result.opened = game.opened(result.hits);
            }
        }
    }
    result.won = result.hits == 0;
    result
}
