//! Blocks of equivalent cells, and independent components of blocks.
//!
//! Cells that lie in exactly the same groups are interchangeable. They form a *block*, of which
//! counting needs the size only. Blocks that no chain of groups links share nothing but the mine
//! total. They form separate *components*, which are counted one by one.
//!
//! Invariants: every cell of a group is in exactly one block; a block is either inside a group or
//! disjoint from it; components share no block, and their union is the set of all cells in groups.
//!
//! Blocks are computed by partition refinement: each group splits every class that it cuts. Cost:
//! one step for each cell of each group, and a sort of the cells. Components are computed by a
//! union-find structure over the classes. Where a position differs from a *base* in a few cells,
//! the components that these do not touch are those of the base.

use std::ops::Range;

use smallvec::SmallVec;

use crate::base::rng::mix;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::Group;

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
    pub(super) hash: u64,
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
    cells_len: usize,
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
    /// Which components the position does not have.
    is_changed: Vec<bool>,
}

#[derive(Default)]
struct Scratch {
    /// The index of each cell in `members`, plus one; zero for a cell of no group.
    member_of: CellMap<u32>,
    /// The cells of all groups, in the order in which they occur first.
    members: Vec<Cell>,
    /// The class of each member.
    class: Vec<u32>,
    /// For each class, the last group that cut it, counted from one, and the class that the cells
    /// of this group moved to.
    cuts: Vec<(u32, u32)>,
    /// The union-find forest over the classes.
    parent: Vec<u32>,
    /// The members of the groups, group by group.
    group_members: Vec<u32>,
    /// The range of each group in `group_members`, and its mines.
    groups: Vec<(Range<usize>, u32)>,
    members_of_class: Buckets,
    /// The component of each class; `None` for a class without members.
    component_of_class: Vec<Option<u32>>,
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
        self.append(universe, groups);
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
    /// among `changed`, and other groups of `changed` cells alone.
    pub fn split_changed<'g>(
        &mut self,
        groups: impl Iterator<Item = &'g Group>,
        changed: impl Iterator<Item = Cell>,
    ) {
        let mut base = std::mem::take(&mut self.base);
        self.cells.truncate(base.cells);
        self.blocks.truncate(base.blocks);
        self.sizes.truncate(base.blocks);
        self.constraints.truncate(base.constraints);
        base.is_changed.clear();
        // The cells of no group count as a component that has changed.
        base.is_changed.resize(base.components.len() + 1, false);
        base.is_changed[0] = true;
        for cell in changed {
            base.is_changed[base.component_of[cell] as usize] = true;
        }
        self.components.clear();
        let components = base.components.iter().zip(&base.is_changed[1..]);
        let unchanged = components.filter(|(_, is_changed)| !**is_changed);
        self.components.extend(unchanged.map(|(component, _)| component.clone()));
        let component_of = |group: &Group| base.component_of[group.cells()[0]] as usize;
        let groups = groups.filter(|group| base.is_changed[component_of(group)]);
        self.append(base.component_of.len(), groups);
        self.base = base;
    }

    /// Appends the components of `groups`.
    fn append<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        self.refine(universe, groups);
        self.join_classes();
        self.write_components();
    }

    /// The components, in an order that the order of the groups determines.
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
        self.components.iter().map(|component| component.cells_len).sum()
    }

    /// Refines the classes by each group.
    fn refine<'g>(&mut self, universe: usize, groups: impl Iterator<Item = &'g Group>) {
        let s = &mut self.scratch;
        if s.member_of.len() == universe {
            for &cell in &s.members {
                s.member_of[cell] = 0;
            }
        } else {
            s.member_of.reset(universe, 0);
        }
        s.members.clear();
        s.class.clear();
        s.cuts.clear();
        s.groups.clear();
        s.group_members.clear();
        // Class 0 holds the cells of no group.
        s.cuts.push((0, 0));
        for (group_number, group) in (1..).zip(groups) {
            let first_member = s.group_members.len();
            for &cell in group.cells() {
                if s.member_of[cell] == 0 {
                    s.members.push(cell);
                    s.class.push(0);
                    s.member_of[cell] = s.members.len() as u32;
                }
                let member = s.member_of[cell] - 1;
                let class = s.class[member as usize] as usize;
                if s.cuts[class].0 != group_number {
                    s.cuts[class] = (group_number, s.cuts.len() as u32);
                    s.cuts.push((0, 0));
                }
                s.class[member as usize] = s.cuts[class].1;
                s.group_members.push(member);
            }
            s.groups.push((first_member..s.group_members.len(), group.mines()));
        }
    }

    /// Joins the classes of each group. A component is a set of joined classes.
    fn join_classes(&mut self) {
        let s = &mut self.scratch;
        s.parent.clear();
        s.parent.extend(0..s.cuts.len() as u32);
        for (members, _) in &s.groups {
            let mut classes =
                s.group_members[members.clone()].iter().map(|&member| s.class[member as usize]);
            let mut joined = classes.next().map_or(0, |first| root(&mut s.parent, first));
            for class in classes {
                let other = root(&mut s.parent, class);
                s.parent[joined.max(other) as usize] = joined.min(other);
                joined = joined.min(other);
            }
        }
    }

    /// Writes the components, in the order of their first classes.
    fn write_components(&mut self) {
        let s = &mut self.scratch;
        let classes = s.cuts.len();
        s.members_of_class.fill(classes, s.class.iter().map(|&class| Some(class)));
        // The root of a component is its first class, so that it comes before the others.
        let mut components = 0;
        s.component_of_class.clear();
        for class in 0..classes as u32 {
            let component = if s.members_of_class.get(class).is_empty() {
                None
            } else if root(&mut s.parent, class) == class {
                components += 1;
                Some(components - 1)
            } else {
                s.component_of_class[s.parent[class as usize] as usize]
            };
            s.component_of_class.push(component);
        }
        let component_of_class = s.component_of_class.iter().copied();
        s.classes_of_component.fill(components as usize, component_of_class);
        let first_class = |members: &Range<usize>| s.class[s.group_members[members.start] as usize];
        let component_of_group =
            s.groups.iter().map(|(members, _)| s.component_of_class[first_class(members) as usize]);
        s.groups_of_component.fill(components as usize, component_of_group);
        s.block_of_class.resize(s.block_of_class.len().max(classes), 0);
        for component in 0..components {
            self.write_component(component);
        }
    }

    fn write_component(&mut self, component: u32) {
        let s = &mut self.scratch;
        let (first_block, first_constraint) = (self.blocks.len(), self.constraints.len());
        let first_cell = self.cells.len();
        for (block, &class) in s.classes_of_component.get(component).iter().enumerate() {
            s.block_of_class[class as usize] = block as u32;
            let members = s.members_of_class.get(class);
            let start = self.cells.len();
            self.cells.extend(members.iter().map(|&member| s.members[member as usize]));
            self.blocks.push(start..self.cells.len());
            self.sizes.push(members.len() as u32);
        }
        for &group in s.groups_of_component.get(component) {
            let (members, mines) = s.groups[group as usize].clone();
            let mut blocks = SmallVec::<[u32; 8]>::new();
            for &member in &s.group_members[members] {
                let block = s.block_of_class[s.class[member as usize] as usize];
                if !blocks.contains(&block) {
                    blocks.push(block);
                }
            }
            blocks.sort_unstable();
            self.constraints.push(Constraint { blocks, mines });
        }
        let blocks = first_block..self.blocks.len();
        let constraints = first_constraint..self.constraints.len();
        let structure =
            Structure::new(&self.sizes[blocks.clone()], &self.constraints[constraints.clone()]);
        let (hash, cells_len) = (structure.hash, self.cells.len() - first_cell);
        self.components.push(Component { blocks, constraints, cells_len, hash });
    }
}

/// Numbers sorted by a key, those with the same key in increasing order.
#[derive(Default)]
struct Buckets {
    /// For each key, the end of its numbers in `numbers`; the start is the end of the key before.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Buckets {
    /// Sorts the numbers from 0 on by their keys, which are below `keys`. Those without a key are
    /// left out. A counting sort.
    fn fill(&mut self, keys: usize, key_of: impl Iterator<Item = Option<u32>> + Clone) {
        self.ends.clear();
        self.ends.resize(keys, 0);
        for key in key_of.clone().flatten() {
            self.ends[key as usize] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.numbers.clear();
        self.numbers.resize(start as usize, 0);
        // Each slot is the start of the remaining numbers of its key, and in the end their end.
        for (number, key) in (0..).zip(key_of) {
            if let Some(key) = key {
                let slot = &mut self.ends[key as usize];
                self.numbers[*slot as usize] = number;
                *slot += 1;
            }
        }
    }

    /// The numbers with this key.
    fn get(&self, key: u32) -> &[u32] {
        let start = if key == 0 { 0 } else { self.ends[key as usize - 1] };
        &self.numbers[start as usize..self.ends[key as usize] as usize]
    }
}

/// The representative of a class in the union-find forest.
fn root(parent: &mut [u32], mut class: u32) -> u32 {
    while parent[class as usize] != class {
        // Path halving shortens the next search.
        let next = parent[class as usize];
        parent[class as usize] = parent[next as usize];
        class = next;
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
