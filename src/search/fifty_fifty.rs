//! 50/50s that are guessed before any other cell.
//!
//! Here a *50/50* is a set of cells with two sides. Either all cells of one side are mines or all
//! cells of the other, and every other cell that can still be opened sees equally many cells of
//! both sides. So no later number distinguishes the sides, and the set costs the same whenever it
//! is guessed: half a mine on average, or half of the wins. Opening any of its cells decides the
//! whole set, and the numbers of its safe side help if undecided cells are beside it.
//!
//! Any play that guesses such a set later can also be followed after guessing it now, with more
//! knowledge. So optimal play loses nothing by guessing it before any other cell (results page,
//! R32). For fewest hits either side will do, because the safe side is opened after a hit too. For
//! a clean win the side matters, because only the numbers of the guessed side are ever seen.
//!
//! The sides are found in the groups that deduction has left: pairs of cells with one mine, linked
//! by common cells, none of which is in a group of another kind.
//!
//! Cost: a pass over the groups; where there are pairs, sorting the cells of the groups.

use crate::board::geometry::Cell;
use crate::board::group::Group;
use crate::search::CountedBoard;

/// The first cell of each side of a 50/50 whose numbers say something about the cells around it, on
/// a board without a proven safe cell.
pub fn first_set(at: CountedBoard) -> Option<[Cell; 2]> {
    let pairs = Pairs::of(|| at.counted.deduced().groups())?;
    let mut is_visited = vec![false; pairs.links.len()];
    // The links are in order of their cells, so that the order of the groups does not matter.
    for link in 0..pairs.links.len() {
        if is_visited[link] {
            continue;
        }
        if let Some(sides) = pairs.sides(link, &mut is_visited)
            && tells_something(at, &sides)
        {
            return Some(sides.map(|side| side[0]));
        }
    }
    None
}

/// The pairs of cells of which one is a mine.
struct Pairs {
    /// Each cell of a pair with the other one, in both directions, sorted.
    links: Vec<(Cell, Cell)>,
    /// The cells of all other groups, sorted.
    others: Vec<Cell>,
}

impl Pairs {
    /// The pairs among the groups; `None` without one.
    fn of<'g, I: Iterator<Item = &'g Group>>(groups: impl Fn() -> I) -> Option<Pairs> {
        let mut links: Vec<_> =
            groups().filter_map(pair).flat_map(|[a, b]| [(a, b), (b, a)]).collect();
        if links.is_empty() {
            return None;
        }
        let others = groups().filter(|group| pair(group).is_none());
        let mut others: Vec<Cell> = others.flat_map(Group::cells).copied().collect();
        links.sort_unstable();
        others.sort_unstable();
        Some(Pairs { links, others })
    }

    /// The sides of the cells that are linked to that of `link`, each sorted; `None` if a group of
    /// another kind has one of them. Their links become visited.
    fn sides(&self, link: usize, is_visited: &mut [bool]) -> Option<[Vec<Cell>; 2]> {
        let mut sides = [vec![self.links[link].0], Vec::new()];
        let mut to_visit = vec![(self.links[link].0, 0)];
        while let Some((cell, side)) = to_visit.pop() {
            let start = self.links.partition_point(|&(from, _)| from < cell);
            let own = self.links[start..].iter().take_while(|&&(from, _)| from == cell);
            for (index, &(_, other)) in (start..).zip(own) {
                is_visited[index] = true;
                let back = self.links.partition_point(|&(from, _)| from < other);
                if !is_visited[back] && !to_visit.iter().any(|&(waiting, _)| waiting == other) {
                    sides[1 - side].push(other);
                    to_visit.push((other, 1 - side));
                }
            }
        }
        sides.iter_mut().for_each(|side| side.sort_unstable());
        let is_linked_only = |cell: &Cell| self.others.binary_search(cell).is_err();
        sides.iter().flatten().all(is_linked_only).then_some(sides)
    }
}

/// The cells of a group of two cells with one mine.
fn pair(group: &Group) -> Option<[Cell; 2]> {
    <[Cell; 2]>::try_from(group.cells()).ok().filter(|_| group.mines() == 1)
}

/// Whether an undecided cell is beside the sides, and all that are see as many cells of both.
fn tells_something(at: CountedBoard, sides: &[Vec<Cell>; 2]) -> bool {
    let (odds, shape) = (at.counted.odds(), at.board.shape());
    let hidden = &at.counted.position().hidden;
    let is_of = |cell: &Cell, side: &Vec<Cell>| side.binary_search(cell).is_ok();
    let is_undecided = |cell: &Cell| hidden.binary_search(cell).is_ok() && odds.of(*cell) < 1.0;
    let mut beside = sides
        .iter()
        .flatten()
        .flat_map(|&cell| shape.neighbours(cell))
        .filter(|cell| is_undecided(cell) && !sides.iter().any(|side| is_of(cell, side)))
        .peekable();
    let sees = |cell: Cell, side: &Vec<Cell>| {
        shape.neighbours(cell).iter().filter(|near| is_of(near, side)).count()
    };
    sides[0].len() == sides[1].len()
        && beside.peek().is_some()
        && beside.all(|cell| sees(cell, &sides[0]) == sees(cell, &sides[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Cell;
    use crate::board::text_format::BoardText;
    use crate::deduction::groups::deducer::{Deducer, Reach};
    use crate::probability::solver::ProbabilitySolver;
    use crate::settings::budget::Budget;

    /// The rows and columns of the first cells of the sides.
    fn first(picture: &str) -> Option<[(u32, u32); 2]> {
        let board = picture.parse::<BoardText>().unwrap().board(0).unwrap();
        let position = board.position();
        let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        assert_eq!(counted.odds().safe(), [], "{board}");
        let place = |cell: Cell| (board.shape().row(cell), board.shape().column(cell));
        first_set(CountedBoard { board: &board, counted }).map(|sides| sides.map(place))
    }

    #[test]
    fn a_set_is_found_that_other_cells_see_alike() {
        for (picture, sides) in [
            // Nothing is left around the pair.
            ("2 2 1\n1.\n1.", None),
            // Both cells of the next column see both cells of the pair.
            ("4 2 3\n1...\n1...", Some([(0, 1), (1, 1)])),
            // The last row sees one cell of the pair alone.
            ("4 3 4\n2...\n*...\n....", None),
            // It holds mines there, which show no number.
            ("4 3 6\n2...\n*...\n***.", Some([(0, 1), (1, 1)])),
            // Three pairs are linked to two sides of two cells.
            ("5 3 9\n*33*2\n.*...\n**.*.", Some([(1, 0), (1, 2)])),
        ] {
            assert_eq!(first(picture), sides, "{picture}");
        }
    }
}
