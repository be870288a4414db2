//! Group deduction: the worked cases, soundness and proofs against enumeration.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod twin;

use std::collections::BTreeSet;

use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{Group, GroupCells, Outside, Position, Premise};
use sapper::deduction::deducer::{Deducer, Origin, Reach};

/// A position of bare groups. The premises' sources are cells beyond the hidden ones, and the
/// total is left so open that it says nothing.
fn position(groups: &[(&[u32], i64)]) -> Position {
    let mut hidden: Vec<Cell> =
        groups.iter().flat_map(|(cells, _)| cells.iter().map(|&c| Cell::from_index(c))).collect();
    // Cells nobody sees, as many as there are others: the total cannot be used.
    hidden.extend((20..40).map(Cell::from_index));
    hidden.sort();
    hidden.dedup();
    let premise = |(number, (cells, mines)): (usize, &(&[u32], i64))| {
        let cells: GroupCells = cells.iter().map(|&cell| Cell::from_index(cell)).collect();
        let group = Group::new(cells, *mines).unwrap().unwrap();
        Premise { source: Cell::from_index(100 + number as u32), group }
    };
    let premises = groups.iter().enumerate().map(premise).collect();
    let mines = hidden.len() as u32 / 2;
    Position { universe: 200, mines, hidden, premises, outside: Outside::Total }
}

fn left(deducer: &Deducer) -> Vec<(Vec<usize>, u32)> {
    let mut groups: Vec<(Vec<usize>, u32)> = deducer
        .groups()
        .map(|group| (group.cells().iter().map(|cell| cell.index()).collect(), group.mines()))
        .collect();
    groups.sort();
    groups
}

fn run(groups: &[(&[u32], i64)]) -> Deducer {
    let mut deducer = Deducer::new();
    deducer.run(&position(groups), Reach::FixedPoint).unwrap();
    deducer
}

fn indexes(cells: &[Cell]) -> Vec<usize> {
    cells.iter().map(|cell| cell.index()).collect()
}

#[test]
fn a_contained_group_is_subtracted() {
    // (5678,2) and (5,1): cell 5 is a mine, and (678,1) is left.
    let deducer = run(&[(&[5, 6, 7, 8], 2), (&[5], 1)]);
    assert_eq!(indexes(deducer.mines()), [5]);
    assert_eq!(left(&deducer), [(vec![6, 7, 8], 1)]);
    // (2345,3) and (5,1): (234,2) is left.
    let deducer = run(&[(&[2, 3, 4, 5], 3), (&[5], 1)]);
    assert_eq!(indexes(deducer.mines()), [5]);
    assert_eq!(left(&deducer), [(vec![2, 3, 4], 2)]);
    // Where neither is decided, both stay.
    let deducer = run(&[(&[1, 2, 3, 4], 2), (&[1, 2], 1)]);
    assert_eq!(left(&deducer), [(vec![1, 2], 1), (vec![3, 4], 1)]);
    assert!(deducer.mines().is_empty() && deducer.safe().is_empty());
}

#[test]
fn overlapping_groups_split_in_three() {
    // (123,1) and (234,2) become (1,0), (23,1), (4,1).
    let deducer = run(&[(&[1, 2, 3], 1), (&[2, 3, 4], 2)]);
    assert_eq!(indexes(deducer.safe()), [1]);
    assert_eq!(indexes(deducer.mines()), [4]);
    assert_eq!(left(&deducer), [(vec![2, 3], 1)]);
}

#[test]
fn an_overlap_counts_the_fuller_groups_own_cells_outside() {
    // (123,2) and (34,1) force nothing: the fewest in cell 3 is 2 - |{1,2}| = 0. Counting the
    // other's cells outside, 2 - |{4}| = 1, would wrongly mine cell 3.
    let deducer = run(&[(&[1, 2, 3], 2), (&[3, 4], 1)]);
    assert!(deducer.safe().is_empty() && deducer.mines().is_empty());
    assert_eq!(left(&deducer), [(vec![1, 2, 3], 2), (vec![3, 4], 1)]);
}

#[test]
fn of_equal_groups_one_is_dropped() {
    let deducer = run(&[(&[1, 2], 1), (&[1, 2], 1)]);
    assert_eq!(left(&deducer), [(vec![1, 2], 1)]);
    let mut deducer = Deducer::new();
    let contradiction = position(&[(&[1, 2, 3], 1), (&[1, 2, 3], 2)]);
    assert!(deducer.run(&contradiction, Reach::FixedPoint).is_err());
}

#[test]
fn the_total_is_a_group_of_its_own() {
    let mut all = position(&[(&[1, 2, 3], 1), (&[7, 8], 1)]);
    let unseen: Vec<usize> = (20..40).collect();
    for (mines, safe, mined) in
        [(2, unseen.clone(), vec![]), (22, vec![], unseen.clone()), (3, vec![], vec![])]
    {
        all.mines = mines;
        let mut deducer = Deducer::new();
        deducer.run(&all, Reach::FixedPoint).unwrap();
        assert_eq!(indexes(deducer.safe()), safe);
        assert_eq!(indexes(deducer.mines()), mined);
        if let Some(&cell) = deducer.safe().first() {
            let proof = deducer.proof(cell).unwrap();
            assert!(proof.uses_total() && proof.numbers().len() == 2);
        }
    }
    // (12,1) out of the total leaves (345,2), which overlaps (234,1): 5 is a mine, 2 is safe, and so 1 a mine.
    let mut few = position(&[(&[1, 2], 1), (&[2, 3, 4], 1)]);
    (few.hidden, few.mines) = ((1..=5).map(Cell::from_index).collect(), 3);
    let mut deducer = Deducer::new();
    deducer.run(&few, Reach::FixedPoint).unwrap();
    assert_eq!((indexes(deducer.safe()), indexes(deducer.mines())), (vec![2], vec![1, 5]));
    assert!(deducer.proof(few.hidden[1]).unwrap().uses_total());
    for mines in [0, 1, 23, 25] {
        all.mines = mines;
        assert!(Deducer::new().run(&all, Reach::FixedPoint).is_err(), "{mines}");
    }
}

/// Every verdict is true, and follows from the numbers its proof names and from no others.
#[test]
fn every_verdict_follows_from_its_proof() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut deducer = Deducer::new();
    let (mut verdicts, mut by_rule) = (0, [0; 5]);
    for _ in 0..3000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        for reach in [Reach::FirstSafe, Reach::FixedPoint] {
            deducer.run(&position, reach).expect("the position comes from a layout");
            for (cells, is_mine) in [(deducer.safe(), false), (deducer.mines(), true)] {
                for &cell in cells {
                    let proof = deducer.proof(cell).expect("a decided cell has a proof");
                    let (numbers, total) = (proof.numbers(), proof.uses_total());
                    let truth = twin::enumerate(&position, Some(&numbers), total);
                    let place = position.hidden.iter().position(|&other| other == cell).unwrap();
                    let mined = if is_mine { truth.layouts } else { 0 };
                    assert!(truth.layouts > 0);
                    assert_eq!(truth.mined[place], mined, "{board}{cell:?}");
                    verdicts += 1;
                    for (_, step) in &proof.steps {
                        by_rule[match step.origin {
                            Origin::Number(_) => 0,
                            Origin::Reduced { .. } => 1,
                            Origin::Difference { .. } => 2,
                            Origin::Split { .. } => 3,
                            Origin::Total { .. } => 4,
                        }] += 1;
                    }
                }
            }
        }
    }
    assert!(verdicts > 5000);
    assert!(by_rule.iter().all(|count| *count > 100), "{by_rule:?}");
}

/// What deduction leaves, with its verdicts, has the layouts that the position had.
#[test]
fn no_layout_is_lost_or_gained() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut deducer = Deducer::new();
    for _ in 0..2000 {
        let position = twin::random_board(&mut random).position();
        deducer.run(&position, Reach::FixedPoint).expect("a layout");
        let decided = |cells: &[Cell], full: bool| -> Vec<Premise> {
            cells
                .iter()
                .map(|&cell| {
                    let group = Group::new([cell].into_iter().collect(), full.into());
                    Premise { source: cell, group: group.unwrap().unwrap() }
                })
                .collect()
        };
        let mut after = position.clone();
        after.premises = decided(deducer.safe(), false);
        after.premises.extend(decided(deducer.mines(), true));
        let groups = deducer.groups().cloned();
        after.premises.extend(groups.map(|group| Premise { source: group.cells()[0], group }));
        let (a, b) = (twin::enumerate(&position, None, true), twin::enumerate(&after, None, true));
        assert_eq!((a.layouts, a.mined), (b.layouts, b.mined));
    }
}

/// Half opened fields larger than enumeration could hold; the numbers are all that deduction needs.
fn half_opened(random: &mut fastrand::Rng) -> Board {
    let shape = Shape::new(random.u64(2..=16), random.u64(2..=16)).unwrap();
    let density = [0.12, 0.2, 0.3, 0.45][random.usize(0..4)];
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
    let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
    let share = 0.1 + 0.7 * random.f64();
    for cell in shape.cells() {
        if random.f64() < share && (!mined[cell.index()] || random.f64() < 0.3) {
            twin::open(&mut board, &mined, cell);
        }
    }
    board
}

/// Slow and obvious: each rule, tried on every group and on every two of them.
fn applicable(position: &Position, deducer: &Deducer) -> Option<&'static str> {
    let groups: Vec<(BTreeSet<Cell>, usize)> = deducer
        .groups()
        .map(|group| (group.cells().iter().copied().collect(), group.mines() as usize))
        .collect();
    for (cells, mines) in &groups {
        if *mines == 0 || *mines == cells.len() {
            return Some("decide");
        }
        if cells.iter().any(|&cell| deducer.verdict(cell).is_some()) {
            return Some("reduce");
        }
    }
    for (one, (a, in_a)) in groups.iter().enumerate() {
        for (other, (b, in_b)) in groups.iter().enumerate() {
            if one != other && a.is_subset(b) {
                return Some("equal or contained");
            }
            // The mines of `a` that its own cells cannot hold lie in the shared ones.
            let own = a.difference(b).count();
            if one != other && a.intersection(b).count() > 0 && in_a.checked_sub(own) == Some(*in_b)
            {
                return Some("overlap");
            }
        }
    }
    // The total less the first groups that are disjoint.
    let hidden = position.hidden.iter().copied();
    let mut rest: BTreeSet<Cell> = hidden.filter(|&cell| deducer.verdict(cell).is_none()).collect();
    let undecided = rest.len();
    let mut left = position.mines as usize - deducer.mines().len();
    assert_eq!(left, deducer.mines_left() as usize);
    if undecided > 0 && (left == 0 || left == undecided) {
        return Some("total alone");
    }
    for (cells, mines) in &groups {
        if cells.is_subset(&rest) {
            rest = &rest - cells;
            left -= mines;
        }
    }
    if !rest.is_empty() && (left == 0 || left == rest.len()) {
        return Some("total");
    }
    // What is left of the total is a group like any other.
    for (cells, mines) in &groups {
        let shared = rest.intersection(cells).count();
        let (own, others) = (rest.len() - shared, cells.len() - shared);
        let forced =
            left.checked_sub(own) == Some(*mines) || mines.checked_sub(others) == Some(left);
        if shared > 0 && (own == 0 || forced) {
            return Some("total and a group");
        }
    }
    None
}

/// At the end no rule applies any more, whether the end is that of all rules or that no cell is safe.
#[test]
fn the_fixed_point_is_one() {
    let mut random = fastrand::Rng::with_seed(13);
    let mut deducer = Deducer::new();
    let (mut undecided, mut without_safe) = (0, 0);
    for turn in 0..6000 {
        let board =
            if turn % 2 == 0 { twin::random_board(&mut random) } else { half_opened(&mut random) };
        let position = board.position();
        for reach in [Reach::FixedPoint, Reach::FirstSafe] {
            deducer.run(&position, reach).unwrap();
            if reach == Reach::FixedPoint || deducer.safe().is_empty() {
                assert_eq!(applicable(&position, &deducer), None, "{board}{reach:?}");
                undecided += deducer.groups().count();
                without_safe += usize::from(reach == Reach::FirstSafe);
            }
        }
    }
    assert!(undecided > 10_000 && without_safe > 1000, "{undecided} {without_safe}");
}
