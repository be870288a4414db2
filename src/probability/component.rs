//! What can be counted apart: blocks of cells, and components of blocks.
//!
//! Cells that lie in exactly the same groups are interchangeable: together they are a *block*, and
//! all that counting needs to know of a block is its size. Blocks that no chain of groups links share
//! nothing but the total of mines: they form *components*, counted one by one.
//!
//! Invariants: every cell of a group is in exactly one block; a block is inside a group or outside
//! it, never across; a component shares no block with another, and their union is every cell that
//! some group holds.
//!
//! Blocks come from partition refinement: each group splits every class that it cuts. This is exact
//! (no hashing) and costs one step for each cell of each group.

use std::ops::Range;

use smallvec::SmallVec;

use crate::board::geometry::{Cell, CellMap};
use crate::board::group::Group;

/// A group as a component sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The blocks, counted from the component's first.
    pub blocks: SmallVec<[u32; 8]>,
    /// The mines in them.
    pub mines: u32,
}

/// One component of a [`Partition`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    blocks: Range<usize>,
    constraints: Range<usize>,
}

/// All components of a position. Reused from one position to the next.
#[derive(Default)]
pub struct Partition {
    /// The cells, block by block.
    cells: Vec<Cell>,
    /// For each block, in the order of the components, where its cells are.
    blocks: Vec<Range<usize>>,
    sizes: Vec<u32>,
    constraints: Vec<Constraint>,
    components: Vec<Component>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    /// Each cell's place in `seen`, plus one; zero for cells not met.
    local: CellMap<u32>,
    seen: Vec<Cell>,
    class: Vec<u32>,
    /// For each class, the last group that cut it and the class its cells moved to.
    cut: Vec<(u32, u32)>,
    parent: Vec<u32>,
    /// What is being sorted, by its first entries; the last names it.
    order: Vec<(u32, u32, u32)>,
    groups: Vec<(SmallVec<[u32; 8]>, u32)>,
    block_of_class: Vec<u32>,
}

impl Partition {
    /// Splits `groups` into blocks and components. All cells are below `universe`.
    pub fn split<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        self.cells.clear();
        self.blocks.clear();
        self.sizes.clear();
        self.constraints.clear();
        self.components.clear();
        self.find_classes(universe, groups);
        self.link_classes();
        self.lay_out();
    }

    /// The components, in the order of their first cell's first group.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The sizes of a component's blocks, in cells.
    pub fn sizes(&self, component: &Component) -> &[u32] {
        &self.sizes[component.blocks.clone()]
    }

    /// The cells of each of a component's blocks.
    pub fn blocks(&self, component: &Component) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.blocks[component.blocks.clone()].iter().map(|range| &self.cells[range.clone()])
    }

    /// The cells of one block, counted from the component's first.
    pub fn block(&self, component: &Component, block: usize) -> &[Cell] {
        &self.cells[self.blocks[component.blocks.start + block].clone()]
    }

    /// The cells of a component.
    pub fn cells(&self, component: &Component) -> &[Cell] {
        let (first, last) = (component.blocks.start, component.blocks.end - 1);
        &self.cells[self.blocks[first].start..self.blocks[last].end]
    }

    /// A component's groups.
    pub fn constraints(&self, component: &Component) -> &[Constraint] {
        &self.constraints[component.constraints.clone()]
    }

    /// Number of cells in all components.
    pub fn cells_len(&self) -> usize {
        self.cells.len()
    }

    fn find_classes<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        let s = &mut self.scratch;
        if s.local.len() == universe {
            for &cell in &s.seen {
                s.local[cell] = 0;
            }
        } else {
            s.local.reset(universe, 0);
        }
        s.seen.clear();
        s.class.clear();
        s.cut.clear();
        s.groups.clear();
        // Class 0 is that of cells not met in any group.
        s.cut.push((0, 0));
        for (number, group) in (1..).zip(groups) {
            let mut members = SmallVec::new();
            for &cell in group.cells() {
                if s.local[cell] == 0 {
                    s.seen.push(cell);
                    s.class.push(0);
                    s.local[cell] = s.seen.len() as u32;
                }
                let local = s.local[cell] - 1;
                let class = s.class[local as usize] as usize;
                if s.cut[class].0 != number {
                    s.cut[class] = (number, s.cut.len() as u32);
                    s.cut.push((0, 0));
                }
                s.class[local as usize] = s.cut[class].1;
                members.push(local);
            }
            s.groups.push((members, group.mines()));
        }
    }

    /// Joins the classes of each group, so that a component is a set of joined classes.
    fn link_classes(&mut self) {
        let s = &mut self.scratch;
        s.parent.clear();
        s.parent.extend(0..s.cut.len() as u32);
        for (members, _) in &s.groups {
            let first = s.class[members[0] as usize];
            for &member in &members[1..] {
                let (a, b) =
                    (root(&mut s.parent, first), root(&mut s.parent, s.class[member as usize]));
                s.parent[a.max(b) as usize] = a.min(b);
            }
        }
    }

    /// Writes blocks, constraints and components out, each component's together.
    fn lay_out(&mut self) {
        let s = &mut self.scratch;
        s.order.clear();
        for (local, &class) in s.class.iter().enumerate() {
            s.order.push((root(&mut s.parent, class), class, local as u32));
        }
        s.order.sort_unstable();
        s.block_of_class.clear();
        s.block_of_class.resize(s.cut.len(), 0);
        let mut last = None;
        for &(component, class, local) in &s.order {
            if last.map(|(component, _)| component) != Some(component) {
                let (blocks, constraints) = (self.blocks.len(), 0..0);
                self.components.push(Component { blocks: blocks..blocks, constraints });
            }
            if last != Some((component, class)) {
                s.block_of_class[class as usize] = self.blocks.len() as u32;
                self.blocks.push(self.cells.len()..self.cells.len());
            }
            last = Some((component, class));
            self.cells.push(s.seen[local as usize]);
            let (cells, blocks) = (self.cells.len(), self.blocks.len());
            if let Some(block) = self.blocks.last_mut() {
                block.end = cells;
            }
            if let Some(component) = self.components.last_mut() {
                component.blocks.end = blocks;
            }
        }
        self.sizes.extend(self.blocks.iter().map(|range| range.len() as u32));

        // The groups, by component: component numbers ascend with the blocks'.
        let block_of = |local: u32| s.block_of_class[s.class[local as usize] as usize];
        s.order.clear();
        for (group, (members, _)) in s.groups.iter().enumerate() {
            let block = block_of(members[0]) as usize;
            let number = self.components.partition_point(|component| component.blocks.end <= block);
            s.order.push((number as u32, group as u32, 0));
        }
        s.order.sort_unstable();
        let mut ranges = vec![0..0; self.components.len()];
        for &(number, group, _) in &s.order {
            let number = number as usize;
            let first = self.components[number].blocks.start as u32;
            let (members, mines) = &s.groups[group as usize];
            let mut blocks: SmallVec<[u32; 8]> =
                members.iter().map(|&member| block_of(member) - first).collect();
            blocks.sort_unstable();
            blocks.dedup();
            if ranges[number].is_empty() {
                ranges[number] = self.constraints.len()..self.constraints.len();
            }
            self.constraints.push(Constraint { blocks, mines: *mines });
            ranges[number].end = self.constraints.len();
        }
        for (component, range) in self.components.iter_mut().zip(ranges) {
            component.constraints = range;
        }
    }
}

fn root(parent: &mut [u32], mut class: u32) -> u32 {
    while parent[class as usize] != class {
        // Halve the path, so that the next walk is shorter.
        let above = parent[class as usize];
        parent[class as usize] = parent[above as usize];
        class = above;
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(cells: &[u32], mines: i64) -> Group {
        let cells = cells.iter().map(|&index| Cell::from_index(index)).collect();
        Group::new(cells, mines).unwrap().unwrap()
    }

    #[test]
    fn interchangeable_cells_are_one_block_and_links_are_components() {
        let groups =
            [group(&[1, 2, 3], 1), group(&[2, 3, 4, 5], 2), group(&[8, 9], 1), group(&[5, 6], 1)];
        let mut partition = Partition::default();
        // Twice, to see that nothing is left over from the run before.
        for _ in 0..2 {
            partition.split(10, groups.iter());
            assert_eq!(partition.components().len(), 2);
            let large = &partition.components()[0];
            let mut blocks: Vec<Vec<usize>> = partition
                .blocks(large)
                .map(|cells| cells.iter().map(|cell| cell.index()).collect())
                .collect();
            blocks.sort();
            assert_eq!(blocks, [vec![1], vec![2, 3], vec![4], vec![5], vec![6]]);
            assert_eq!(partition.constraints(large).len(), 3);
            let small = &partition.components()[1];
            assert_eq!(partition.sizes(small), [2]);
            assert_eq!(partition.constraints(small)[0].mines, 1);
            assert_eq!(partition.cells_len(), 8);
            let cells: Vec<usize> =
                partition.cells(small).iter().map(|cell| cell.index()).collect();
            assert_eq!(cells, [8, 9]);
        }
    }
}
