//! What single numbers prove, against enumeration and against group deduction.

#![allow(clippy::unwrap_used)]

mod twin;

use sapper::deduce::{Deducer, Reach};
use sapper::geometry::Cell;
use sapper::glance::Glance;

#[test]
fn what_single_numbers_prove_is_safe_in_every_layout() {
    let mut random = fastrand::Rng::with_seed(21);
    let (mut glance, mut deducer) = (Glance::default(), Deducer::new());
    let mut found = 0;
    for _ in 0..4000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let safe = glance.safe(&board).to_vec();
        assert!(safe.windows(2).all(|pair| pair[0] < pair[1]));
        let truth = twin::enumerate(&position, None, false);
        for cell in &safe {
            let place = position.hidden.binary_search(cell).unwrap();
            assert_eq!(truth.mined[place], 0, "{board}");
        }
        deducer.run(&position, Reach::FixedPoint).unwrap();
        assert!(safe.iter().all(|cell| deducer.safe().contains(cell)), "{board}");
        // Nothing that the rules themselves find is passed over: a number without mines left, and one whose
        // mines all lie in the cells of full groups.
        let groups = || position.premises.iter().map(|premise| &premise.group);
        let is_mine = |cell: &Cell| groups().any(|g| g.is_full() && g.contains(*cell));
        let expected = |cell: &Cell| {
            !is_mine(cell)
                && groups().any(|group| {
                    let known = group.cells().iter().filter(|&other| is_mine(other)).count();
                    group.contains(*cell) && known == group.mines() as usize
                })
        };
        let expected: Vec<Cell> = position.hidden.iter().copied().filter(expected).collect();
        assert_eq!(safe, expected, "{board}");
        found += usize::from(!safe.is_empty());
    }
    assert!(found > 1000, "only {found} boards with a safe cell");
}
