//! Blocks of equivalent cells, and independent components of blocks.
//!
//! Cells that lie in exactly the same groups are interchangeable. They form a *block*, of which
//! counting needs the size only. Blocks that no chain of groups links share nothing but the mine
//! total. They form separate *components*, which are counted one by one.
//!
//! Invariants: every cell of a group is in exactly one block; a block is either inside a group or
//! disjoint from it; components share no block, and their union is the set of all cells in groups.
//!
//! Where a position differs from a *base* in a few cells, the components that these do not touch
//! are those of the base.
//!
//! - `classes`: the blocks, and which of them are linked
//! - `buckets`: a sort of the blocks by component
//!
//! Cost: a few steps for each cell of each group.

mod buckets;
mod classes;

use std::ops::Range;

use smallvec::SmallVec;

use crate::board::geometry::{Cell, CellMap};
use crate::board::group::Group;
use crate::kit::rng::mix;
use crate::probability::component::buckets::{Buckets, NO_KEY};
use crate::probability::component::classes::Classes;

/// A group in terms of the blocks of its component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The indices of its blocks, counted from the first of the component; sorted.
    pub blocks: SmallVec<[u32; 8]>,
    /// The mines in these blocks together.
    pub mines: u32,
}

/// What counting reads of a component: all but the place where it lies.
#[derive(Clone, Copy)]
pub struct Structure<'a> {
    /// The number of cells of each block.
    pub sizes: &'a [u32],
    /// The groups.
    pub constraints: &'a [Constraint],
    /// A hash of both.
    pub(in crate::probability) hash: u64,
}

impl<'a> Structure<'a> {
    /// The structure of blocks of these sizes under these constraints.
    pub fn new(sizes: &'a [u32], constraints: &'a [Constraint]) -> Structure<'a> {
        let add = |hash: u64, word: u32| {
            (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let mut hash = sizes.iter().copied().fold(0, add);
        for Constraint { blocks, mines } in constraints {
            hash = blocks.iter().copied().fold(add(hash, !mines), add);
        }
        Structure { sizes, constraints, hash: mix(hash) }
    }
}

/// One component of a [`Partition`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    blocks: Range<usize>,
    constraints: Range<usize>,
    /// Its place among the components, whether it is one of the base or not: the smallest index of
    /// a group that is the last of some cell.
    pub(in crate::probability) rank: u32,
    /// The hash of its [`Structure`].
    hash: u64,
}

/// The components of one position after another, in reused memory.
#[derive(Default)]
pub struct Partition {
    /// The cells, block by block.
    cells: Vec<Cell>,
    /// The range of each block in `cells`, in the order of the components.
    blocks: Vec<Range<usize>>,
    sizes: Vec<u32>,
    constraints: Vec<Constraint>,
    components: Vec<Component>,
    base: Base,
    scratch: Scratch,
}

/// The components from which [`Partition::split_changed`] continues. Their cells, blocks and
/// constraints come first in the lists of the partition.
#[derive(Default)]
struct Base {
    components: Vec<Component>,
    /// The index of the component of each cell, plus one; zero for a cell of no group.
    component_of: CellMap<u32>,
    cells: usize,
    blocks: usize,
    constraints: usize,
    /// Which components the position does not have, each one place later.
    is_changed: Vec<bool>,
}

#[derive(Default)]
struct Scratch {
    classes: Classes,
    members_of_class: Buckets,
    /// The component of each class; [`NO_KEY`] for a class without members.
    component_of_class: Vec<u32>,
    component_of_group: Vec<u32>,
    classes_of_component: Buckets,
    groups_of_component: Buckets,
    /// The index of each class in its component.
    block_of_class: Vec<u32>,
}

impl Partition {
    /// Splits `groups` into blocks and components. All cell indices are below `universe`.
    pub fn split<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        self.cells.clear();
        self.blocks.clear();
        self.sizes.clear();
        self.constraints.clear();
        self.components.clear();
        self.append(universe, &mut (0..).zip(groups));
    }

    /// Splits `groups` as [`Partition::split`] does, and makes the components the base.
    pub fn split_base<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        self.split(universe, groups);
        let Base { components, component_of, .. } = &mut self.base;
        components.clone_from(&self.components);
        component_of.reset(universe, 0);
        for (number, component) in (1..).zip(&self.components) {
            let blocks = &self.blocks[component.blocks.clone()];
            for &cell in blocks.iter().flat_map(|range| &self.cells[range.clone()]) {
                component_of[cell] = number;
            }
        }
        self.base.cells = self.cells.len();
        self.base.blocks = self.blocks.len();
        self.base.constraints = self.constraints.len();
    }

    /// Splits the groups of a position that has those of the base but where a cell of a group is
    /// among `changed`, and other groups of `changed` cells alone. Groups of the base have the
    /// indices that they have there, and others come after them.
    pub fn split_changed<'g>(
        &mut self,
        groups: impl Iterator<Item = (u32, &'g Group)>,
        changed: impl Iterator<Item = Cell>,
    ) {
        let mut base = std::mem::take(&mut self.base);
        self.cells.truncate(base.cells);
        self.blocks.truncate(base.blocks);
        self.sizes.truncate(base.blocks);
        self.constraints.truncate(base.constraints);
        let Base { components, component_of, is_changed, .. } = &mut base;
        is_changed.clear();
        // The cells of no group count as a component that has changed.
        is_changed.resize(components.len() + 1, false);
        is_changed[0] = true;
        for cell in changed {
            is_changed[component_of[cell] as usize] = true;
        }
        self.components.clear();
        let unchanged = components.iter().zip(&is_changed[1..]).filter(|(_, changed)| !**changed);
        self.components.extend(unchanged.map(|(component, _)| component.clone()));
        let component_of_group = |group: &Group| component_of[group.cells()[0]] as usize;
        let mut changed = groups.filter(|(_, group)| is_changed[component_of_group(group)]);
        self.append(component_of.len(), &mut changed);
        self.base = base;
    }

    /// The components.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// What counting reads of a component.
    pub fn structure(&self, component: &Component) -> Structure<'_> {
        let (sizes, constraints) = (self.sizes(component), self.constraints(component));
        Structure { sizes, constraints, hash: component.hash }
    }

    /// The number of cells of each block of a component.
    pub fn sizes(&self, component: &Component) -> &[u32] {
        &self.sizes[component.blocks.clone()]
    }

    /// The cells of each block of a component.
    pub fn blocks(&self, component: &Component) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.blocks[component.blocks.clone()].iter().map(|range| &self.cells[range.clone()])
    }

    /// The cells of one block, whose index is counted from the first of the component.
    pub fn block(&self, component: &Component, block: usize) -> &[Cell] {
        &self.cells[self.blocks[component.blocks.start + block].clone()]
    }

    /// All cells of a component.
    pub fn cells(&self, component: &Component) -> &[Cell] {
        let (first, last) = (component.blocks.start, component.blocks.end - 1);
        &self.cells[self.blocks[first].start..self.blocks[last].end]
    }

    /// The groups of a component.
    pub fn constraints(&self, component: &Component) -> &[Constraint] {
        &self.constraints[component.constraints.clone()]
    }

    /// The number of cells in all components together.
    pub fn cells_len(&self) -> usize {
        self.components.iter().map(|component| self.cells(component).len()).sum()
    }

    /// The number of groups of the last split; those of unchanged components are not among them.
    pub fn groups_len(&self) -> usize {
        self.scratch.classes.groups.len()
    }

    /// Appends the components of `groups`, which come with increasing indices, by increasing rank.
    fn append(&mut self, universe: usize, groups: &mut dyn Iterator<Item = (u32, &Group)>) {
        let s = &mut self.scratch;
        s.classes.split(universe, groups);
        let classes = s.classes.made_by.len();
        s.members_of_class.fill(classes, &s.classes.class_of);
        s.component_of_class.clear();
        let mut components = 0;
        for class in 0..classes as u32 {
            let mut component = NO_KEY;
            if !s.members_of_class.get(class).is_empty() {
                let root = s.classes.root(class);
                // The root of a component is its first class that has members.
                if root == class {
                    component = components;
                    components += 1;
                } else {
                    component = s.component_of_class[root as usize];
                }
            }
            s.component_of_class.push(component);
        }
        s.component_of_group.clear();
        for group in &s.classes.groups {
            let class = s.classes.first_class(group);
            s.component_of_group.push(s.component_of_class[class as usize]);
        }
        s.classes_of_component.fill(components as usize, &s.component_of_class);
        s.groups_of_component.fill(components as usize, &s.component_of_group);
        s.block_of_class.resize(s.block_of_class.len().max(classes), 0);
        for component in 0..components {
            self.write_component(component);
        }
    }

    fn write_component(&mut self, component: u32) {
        let Scratch {
            classes,
            members_of_class,
            classes_of_component,
            groups_of_component,
            block_of_class,
            ..
        } = &mut self.scratch;
        let (first_block, first_constraint) = (self.blocks.len(), self.constraints.len());
        let mut rank = u32::MAX;
        for (block, &class) in (0..).zip(classes_of_component.get(component)) {
            block_of_class[class as usize] = block;
            rank = rank.min(classes.made_by[class as usize]);
            let members = members_of_class.get(class);
            let start = self.cells.len();
            self.cells.extend(members.iter().map(|&member| classes.cells[member as usize]));
            self.blocks.push(start..self.cells.len());
            self.sizes.push(members.len() as u32);
        }
        for &group in groups_of_component.get(component) {
            let group = &classes.groups[group as usize];
            let mut blocks = SmallVec::<[u32; 8]>::new();
            for class in classes.of_group(group) {
                let block = block_of_class[class as usize];
                if !blocks.contains(&block) {
                    blocks.push(block);
                }
            }
            blocks.sort_unstable();
            self.constraints.push(Constraint { blocks, mines: group.mines });
        }
        let blocks = first_block..self.blocks.len();
        let constraints = first_constraint..self.constraints.len();
        let structure =
            Structure::new(&self.sizes[blocks.clone()], &self.constraints[constraints.clone()]);
        let hash = structure.hash;
        self.components.push(Component { blocks, constraints, rank, hash });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(cells: &[u32], mines: i64) -> Group {
        let cells = cells.iter().map(|&index| Cell::from_index(index)).collect();
        Group::new(cells, mines).unwrap().unwrap()
    }

    #[test]
    fn interchangeable_cells_form_blocks_and_linked_blocks_form_components() {
        let groups =
            [group(&[1, 2, 3], 1), group(&[2, 3, 4, 5], 2), group(&[8, 9], 1), group(&[5, 6], 1)];
        let mut partition = Partition::default();
        // The second run must not see data of the first.
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
