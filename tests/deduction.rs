//! Group deduction: worked examples of each rule, and the fixed point against enumeration.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{Group, GroupCells, MineCount, Position, Premise};
use sapper::deduction::groups::deduced::Deduced;
use sapper::deduction::groups::deducer::{Deducer, Reach};

/// A position of these groups. The sources of the premises are cells that are not hidden, and there
/// are so many unconstrained cells, half of them mines, that the total proves nothing.
fn position(groups: &[(&[u32], i64)]) -> Position {
    let mut hidden: Vec<Cell> =
        groups.iter().flat_map(|(cells, _)| cells.iter().map(|&c| Cell::from_index(c))).collect();
    // Unconstrained cells.
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
    Position { universe: 200, mines, hidden, premises, ..Position::default() }
}

/// The groups that are left, sorted.
fn groups_left(deduced: Deduced) -> Vec<(Vec<usize>, u32)> {
    let mut groups: Vec<(Vec<usize>, u32)> = deduced
        .groups()
        .map(|group| (group.cells().iter().map(|cell| cell.index()).collect(), group.mines()))
        .collect();
    groups.sort();
    groups
}

/// The result for these groups; leaked, so that a test can name it in one line.
fn run(groups: &[(&[u32], i64)]) -> Deduced<'static> {
    let position = Box::leak(Box::new(position(groups)));
    Box::leak(Box::new(Deducer::default())).run(position, Reach::FixedPoint).unwrap()
}

fn indexes(cells: &[Cell]) -> Vec<usize> {
    cells.iter().map(|cell| cell.index()).collect()
}

#[test]
fn a_contained_group_is_subtracted() {
    // {5,6,7,8} with two mines and {5} with one: 5 is a mine, and {6,7,8} has one.
    let deduced = run(&[(&[5, 6, 7, 8], 2), (&[5], 1)]);
    assert_eq!(indexes(deduced.mines()), [5]);
    assert_eq!(groups_left(deduced), [(vec![6, 7, 8], 1)]);
    // {2,3,4,5} with three mines and {5} with one: {2,3,4} has two.
    let deduced = run(&[(&[2, 3, 4, 5], 3), (&[5], 1)]);
    assert_eq!(indexes(deduced.mines()), [5]);
    assert_eq!(groups_left(deduced), [(vec![2, 3, 4], 2)]);
    // Neither part is decided: both are left.
    let deduced = run(&[(&[1, 2, 3, 4], 2), (&[1, 2], 1)]);
    assert_eq!(groups_left(deduced), [(vec![1, 2], 1), (vec![3, 4], 1)]);
    assert!(deduced.mines().is_empty() && deduced.safe().is_empty());
}

#[test]
fn overlapping_groups_split_in_three() {
    // {1,2,3} with one mine and {2,3,4} with two: {1} has none, {2,3} one, {4} one.
    let deduced = run(&[(&[1, 2, 3], 1), (&[2, 3, 4], 2)]);
    assert_eq!(indexes(deduced.safe()), [1]);
    assert_eq!(indexes(deduced.mines()), [4]);
    assert_eq!(groups_left(deduced), [(vec![2, 3], 1)]);
}

#[test]
fn an_overlap_counts_the_cells_only_in_the_group_with_more_mines() {
    // {1,2,3} with two mines and {3,4} with one: cell 3 holds at least 2 - |{1,2}| = 0 mines. The
    // cells only in the other group would give 2 - |{4}| = 1, and make cell 3 a mine.
    let deduced = run(&[(&[1, 2, 3], 2), (&[3, 4], 1)]);
    assert!(deduced.safe().is_empty() && deduced.mines().is_empty());
    assert_eq!(groups_left(deduced), [(vec![1, 2, 3], 2), (vec![3, 4], 1)]);
}

#[test]
fn of_equal_groups_one_is_dropped() {
    let deduced = run(&[(&[1, 2], 1), (&[1, 2], 1)]);
    assert_eq!(groups_left(deduced), [(vec![1, 2], 1)]);
    let mut deducer = Deducer::default();
    let contradiction = position(&[(&[1, 2, 3], 1), (&[1, 2, 3], 2)]);
    assert!(deducer.run(&contradiction, Reach::FixedPoint).is_err());
}

#[test]
fn the_total_is_a_group_of_its_own() {
    let mut all = position(&[(&[1, 2, 3], 1), (&[7, 8], 1)]);
    let unconstrained: Vec<usize> = (20..40).collect();
    for (mines, safe, mined) in [
        (2, unconstrained.clone(), vec![]),
        (22, vec![], unconstrained.clone()),
        (3, vec![], vec![]),
    ] {
        all.mines = mines;
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&all, Reach::FixedPoint).unwrap();
        assert_eq!(indexes(deduced.safe()), safe);
        assert_eq!(indexes(deduced.mines()), mined);
    }
    // The total without {1,2}, which has one mine, is {3,4,5} with two. It overlaps {2,3,4} with
    // one: 5 is a mine, 2 is safe, and therefore 1 is a mine.
    let mut few = position(&[(&[1, 2], 1), (&[2, 3, 4], 1)]);
    (few.hidden, few.mines) = ((1..=5).map(Cell::from_index).collect(), 3);
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&few, Reach::FixedPoint).unwrap();
    assert_eq!((indexes(deduced.safe()), indexes(deduced.mines())), (vec![2], vec![1, 5]));
    for mines in [0, 1, 23, 25] {
        all.mines = mines;
        assert!(Deducer::default().run(&all, Reach::FixedPoint).is_err(), "{mines}");
    }
}

#[test]
fn every_verdict_is_true_in_all_layouts() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut deducer = Deducer::default();
    let mut verdicts = 0;
    for _ in 0..3000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let truth = twin::enumerate(&position, None, true);
        assert!(truth.layouts > 0);
        for reach in [Reach::FirstSafe, Reach::FixedPoint] {
            let deduced = deducer.run(&position, reach).expect("the position comes from a layout");
            for (cells, is_mine) in [(deduced.safe(), false), (deduced.mines(), true)] {
                for &cell in cells {
                    let index = position.hidden.binary_search(&cell).unwrap();
                    let mined = if is_mine { truth.layouts } else { 0 };
                    assert_eq!(truth.mined[index], mined, "{board}{cell:?}");
                    assert_eq!(deduced.verdict(cell), Some(is_mine));
                    verdicts += 1;
                }
            }
        }
    }
    assert!(verdicts > 5000);
}

/// The groups that are left and the verdicts have the same layouts as the position.
#[test]
fn no_layout_is_lost_or_gained() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut deducer = Deducer::default();
    for _ in 0..2000 {
        let position = twin::random_board(&mut random).position();
        let deduced = deducer.run(&position, Reach::FixedPoint).expect("a layout");
        let decided = |cells: &[Cell], is_mine: bool| -> Vec<Premise> {
            cells
                .iter()
                .map(|&cell| {
                    let group = Group::new([cell].into_iter().collect(), is_mine.into());
                    Premise { source: cell, group: group.unwrap().unwrap() }
                })
                .collect()
        };
        let mut after = position.clone();
        after.premises = decided(deduced.safe(), false);
        after.premises.extend(decided(deduced.mines(), true));
        let groups = deduced.groups().cloned();
        after.premises.extend(groups.map(|group| Premise { source: group.cells()[0], group }));
        let (a, b) = (twin::enumerate(&position, None, true), twin::enumerate(&after, None, true));
        assert_eq!((a.layouts, a.mined), (b.layouts, b.mined));
    }
}

/// A board with any share of its cells open, too large to enumerate.
fn partly_open_board(random: &mut fastrand::Rng) -> Board {
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

/// The slow twin: a rule that applies, each tried on every group and on every two of them.
fn applicable(position: &Position, deduced: Deduced) -> Option<&'static str> {
    let groups: Vec<(BTreeSet<Cell>, usize)> = deduced
        .groups()
        .map(|group| (group.cells().iter().copied().collect(), group.mines() as usize))
        .collect();
    for (cells, mines) in &groups {
        if *mines == 0 || *mines == cells.len() {
            return Some("decide");
        }
        if cells.iter().any(|&cell| deduced.verdict(cell).is_some()) {
            return Some("reduce");
        }
    }
    for (one, (a, in_a)) in groups.iter().enumerate() {
        for (other, (b, in_b)) in groups.iter().enumerate() {
            if one != other && a.is_subset(b) {
                return Some("equal or contained");
            }
            // The shared cells hold the mines of `a` for which the cells only in `a` have no room.
            let only_a = a.difference(b).count();
            let is_forced = in_a.checked_sub(only_a) == Some(*in_b);
            if one != other && a.intersection(b).count() > 0 && is_forced {
                return Some("overlap");
            }
        }
    }
    // The total without the first disjoint groups.
    let hidden = position.hidden.iter().copied();
    let mut rest: BTreeSet<Cell> = hidden.filter(|&cell| deduced.verdict(cell).is_none()).collect();
    let undecided = rest.len();
    let mut left = position.mines as usize - deduced.mines().len();
    assert_eq!(left, deduced.mines_left() as usize);
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
    // The remainder is a group like any other.
    for (cells, mines) in &groups {
        let shared = rest.intersection(cells).count();
        let (only_rest, only_group) = (rest.len() - shared, cells.len() - shared);
        let is_forced = left.checked_sub(only_rest) == Some(*mines)
            || mines.checked_sub(only_group) == Some(left);
        if shared > 0 && (only_rest == 0 || is_forced) {
            return Some("total and a group");
        }
    }
    None
}

/// What the first rules of a list find by themselves: each number alone, a group within another,
/// and groups that overlap.
fn found_by(rules: usize, position: &Position) -> BTreeMap<Cell, bool> {
    type Cells = BTreeSet<Cell>;
    let premises = position.premises.iter().map(|premise| &premise.group);
    let mut groups: BTreeSet<(Cells, usize)> = premises
        .map(|group| (group.cells().iter().copied().collect(), group.mines() as usize))
        .collect();
    let mut found = BTreeMap::new();
    loop {
        for (cells, mines) in
            groups.iter().filter(|(cells, mines)| [0, cells.len()].contains(mines))
        {
            found.extend(cells.iter().map(|&cell| (cell, *mines > 0)));
        }
        let before = groups.clone();
        let reduced = |(cells, mines): (Cells, usize)| {
            let known = cells.iter().filter(|cell| found.get(cell) == Some(&true)).count();
            let rest: Cells = cells.into_iter().filter(|cell| !found.contains_key(cell)).collect();
            (rest, mines - known)
        };
        groups = groups.into_iter().map(reduced).filter(|(cells, _)| !cells.is_empty()).collect();
        let mut new = Vec::new();
        for (a, in_a) in &groups {
            for (b, in_b) in groups.iter().filter(|(b, _)| a != b && !a.is_disjoint(b)) {
                if rules > 1 && a.is_subset(b) {
                    new.push((b - a, in_b - in_a));
                }
                let only_a = a - b;
                if rules > 2 && !only_a.is_empty() && *in_a == in_b + only_a.len() {
                    new.extend([(b - a, 0), (only_a.clone(), only_a.len())]);
                }
            }
        }
        groups.extend(new.into_iter().filter(|(cells, _)| !cells.is_empty()));
        if groups == before {
            return found;
        }
    }
}

/// Every rule finds cells that those before it do not, and the deducer has them. It may lack a few:
/// it drops a group once it has its parts, with which others could have been compared.
#[test]
fn every_rule_is_needed() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut deducer = Deducer::default();
    let (mut needed, mut lacking) = ([0; 4], [0; 3]);
    for _ in 0..400 {
        let position = partly_open_board(&mut random).position();
        let no_total = Position { mine_count: MineCount::Density(0.2), ..position.clone() };
        let by_rules = deducer.run(&no_total, Reach::FixedPoint).unwrap();
        let listed = found_by(3, &no_total);
        let unlisted = [by_rules.safe(), by_rules.mines()].concat();
        let unlisted = unlisted.iter().find(|cell| !listed.contains_key(cell));
        assert_eq!(unlisted, None, "a rule is missing in `found_by`");
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut before = BTreeMap::new();
        for rules in 1..=3 {
            let found = found_by(rules, &position);
            let new = found.iter().filter(|(cell, _)| !before.contains_key(*cell));
            for (&cell, &is_mine) in new {
                let verdict = deduced.verdict(cell);
                assert!(verdict.is_none_or(|verdict| verdict == is_mine), "{cell:?}");
                let count = if verdict.is_some() { &mut needed[..] } else { &mut lacking };
                count[rules - 1] += 1;
            }
            before = found;
        }
        // By the total.
        let verdicts = [deduced.safe(), deduced.mines()].concat();
        needed[3] += verdicts.iter().filter(|cell| !before.contains_key(cell)).count();
    }
    let rules = ["each number alone", "a group within another", "groups that overlap"];
    for (rule, (needed, lacking)) in rules.iter().zip(needed.into_iter().zip(lacking)) {
        assert!(needed > 100, "{rule}: decides {needed} cells that the rules before it do not");
        assert!(lacking * 20 < needed, "{rule}: the deducer lacks {lacking} cells, has {needed}");
    }
    assert!(lacking[0] == 0 && needed[3] > 100, "{lacking:?} {needed:?}");
}

/// No rule applies at the end of a run to the fixed point, nor of a run that found no safe cell.
#[test]
fn no_rule_applies_at_the_fixed_point() {
    let mut random = fastrand::Rng::with_seed(13);
    let mut deducer = Deducer::default();
    let (mut undecided, mut without_safe) = (0, 0);
    for turn in 0..6000 {
        let board = if turn % 2 == 0 {
            twin::random_board(&mut random)
        } else {
            partly_open_board(&mut random)
        };
        let position = board.position();
        for reach in [Reach::FixedPoint, Reach::FirstSafe] {
            let deduced = deducer.run(&position, reach).unwrap();
            if reach == Reach::FixedPoint || deduced.safe().is_empty() {
                assert_eq!(applicable(&position, deduced), None, "{board}{reach:?}");
                undecided += deduced.groups().count();
                without_safe += usize::from(reach == Reach::FirstSafe);
            }
        }
    }
    assert!(undecided > 10_000 && without_safe > 1000, "{undecided} {without_safe}");
}
