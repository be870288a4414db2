//! What a chord costs in an endgame, against play over all layouts in its plainest form.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use analysis::Analyzer;
use analysis::mistakes::{CostBasis, Verdict, judge_chord};
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::{Effort, Objective};

/// A field whose layouts are sets of mines, as bits by cell.
struct Layouts {
    shape: Shape,
    hidden: Vec<Cell>,
}

impl Layouts {
    fn is_mine(layout: u32, cell: Cell) -> bool {
        layout >> cell.index() & 1 == 1
    }

    fn number(&self, layout: u32, cell: Cell) -> u8 {
        let around = self.shape.neighbours(cell);
        around.iter().filter(|near| Layouts::is_mine(layout, **near)).count() as u8
    }

    /// All layouts that fit the board.
    fn all(&self, board: &Board) -> Vec<u32> {
        let fits = |layout: &u32| {
            layout.count_ones() == board.mines()
                && board.iter().all(|(cell, state)| match state {
                    CellState::Number(number) => {
                        !Layouts::is_mine(*layout, cell) && self.number(*layout, cell) == number
                    }
                    _ => true,
                })
        };
        (0..1_u32 << self.shape.len()).filter(fits).collect()
    }

    /// The most of these layouts that play can win after it has opened `open`, as bits.
    fn won(&self, layouts: &[u32], open: u32) -> usize {
        if layouts.len() <= 1 {
            return layouts.len();
        }
        let is_left = |cell: &&Cell| open >> cell.index() & 1 == 0;
        let won = |cell: &Cell| self.won_after(layouts, open, &[*cell]);
        self.hidden.iter().filter(is_left).map(won).max().unwrap_or(0)
    }

    /// The most of these layouts that play can win if it opens all of `cells` now.
    fn won_after(&self, layouts: &[u32], open: u32, cells: &[Cell]) -> usize {
        let mut parts: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        for &layout in layouts {
            if !cells.iter().any(|&cell| Layouts::is_mine(layout, cell)) {
                let shown = cells.iter().map(|&cell| self.number(layout, cell)).collect();
                parts.entry(shown).or_default().push(layout);
            }
        }
        let open = cells.iter().fold(open, |open, cell| open | 1 << cell.index());
        parts.values().map(|part| self.won(part, open)).sum()
    }
}

#[test]
fn the_cost_of_a_chord_is_that_of_play_over_all_layouts() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Full);
    let (mut judged, mut costly, mut free) = (0, 0, 0);
    for _ in 0..600 {
        let shape = Shape::new(random.u64(1..4), random.u64(2..4)).unwrap();
        let cells: Vec<Cell> = shape.cells().collect();
        let mines = random.u32(1..=3.min(cells.len() as u32 - 1));
        let laid: Vec<Cell> = random.choose_multiple(cells.iter().copied(), mines as usize);
        let layout = laid.iter().fold(0_u32, |bits, cell| bits | 1 << cell.index());
        let mut board = Board::new(shape, mines);
        let layouts = Layouts { shape, hidden: cells.clone() };
        for &cell in cells.iter().filter(|cell| !laid.contains(cell)) {
            if random.u8(0..3) == 0 {
                board.open(cell, CellState::Number(layouts.number(layout, cell)));
            }
        }
        let hidden: Vec<Cell> = board.hidden().collect();
        if hidden.len() < 3 || hidden.len() == cells.len() {
            continue;
        }
        let layouts = Layouts { shape, hidden: hidden.clone() };
        let all = layouts.all(&board);
        let mut analysis = analyzer.analyze(&board, None).unwrap();
        for _ in 0..4 {
            let count = random.usize(2..=hidden.len().min(3));
            let mut chord = random.choose_multiple(hidden.iter().copied(), count);
            chord.sort_unstable();
            let judgement = judge_chord(&mut analysis, &chord).unwrap();
            let Verdict::Guess { basis: CostBasis::Endgame, .. } = judgement.verdict else {
                continue;
            };
            let lost = layouts.won(&all, 0) - layouts.won_after(&all, 0, &chord);
            let expected = lost as f64 / all.len() as f64;
            assert!((judgement.cost - expected).abs() < 1e-9, "{board} {chord:?} {judgement:?}");
            judged += 1;
            costly += usize::from(lost > 0);
            free += usize::from(lost == 0);
        }
    }
    assert!(judged > 200 && costly > 100 && free > 20, "{judged} {costly} {free}");
}
