//! Classes of interchangeable cells, and which of them groups link.
//!
//! Partition refinement: at first all cells are in one class, and each group splits every class
//! that it cuts. In the end two cells are in the same class if and only if they are in the same
//! groups. A union-find forest over the classes joins those of each group.
//!
//! Invariant: the root of a tree of the forest is its class with the smallest number.
//!
//! Cost: a few steps for each cell of each group.

use std::ops::Range;

use crate::board::geometry::{Cell, CellMap};
use crate::board::group::Group;

/// A group in terms of members: cells, numbered as they occur first.
#[derive(Clone)]
pub(super) struct MemberGroup {
    /// Its range in the members of all groups.
    members: Range<usize>,
    pub(super) mines: u32,
}

/// The classes of one set of groups after another, in reused memory.
#[derive(Default)]
pub(super) struct Classes {
    /// The cell of each member.
    pub(super) cells: Vec<Cell>,
    /// The class of each member.
    pub(super) class_of: Vec<u32>,
    pub(super) groups: Vec<MemberGroup>,
    /// The members of the groups, group by group.
    group_members: Vec<u32>,
    /// The member of each cell, plus one; zero for a cell of no group.
    member_of: CellMap<u32>,
    /// For each class, the last group that cut it, counted from one, and the class that the cells
    /// of this group moved to.
    cuts: Vec<(u32, u32)>,
    /// The index of the group that made each class, the last of the groups of its cells; zero for
    /// the class of no group.
    pub(super) made_by: Vec<u32>,
    /// The union-find forest over the classes.
    parent: Vec<u32>,
}

impl Classes {
    /// Computes the classes of groups that come with increasing indices.
    pub(super) fn split(
        &mut self,
        universe: usize,
        groups: &mut dyn Iterator<Item = (u32, &Group)>,
    ) {
        self.refine(universe, groups);
        self.join();
    }

    /// The classes of the members of a group, one for each member.
    pub(super) fn of_group(&self, group: &MemberGroup) -> impl Iterator<Item = u32> {
        let members = &self.group_members[group.members.clone()];
        members.iter().map(|&member| self.class_of[member as usize])
    }

    /// The class of the first member of a group.
    pub(super) fn first_class(&self, group: &MemberGroup) -> u32 {
        self.class_of[self.group_members[group.members.start] as usize]
    }

    /// The class that stands for all classes that groups link with this one.
    pub(super) fn root(&mut self, class: u32) -> u32 {
        root(&mut self.parent, class)
    }

    /// Refines the classes by each group.
    fn refine(&mut self, universe: usize, groups: &mut dyn Iterator<Item = (u32, &Group)>) {
        if self.member_of.len() == universe {
            for &cell in &self.cells {
                self.member_of[cell] = 0;
            }
        } else {
            self.member_of.reset(universe, 0);
        }
        self.cells.clear();
        self.class_of.clear();
        self.cuts.clear();
        self.groups.clear();
        self.group_members.clear();
        // Class 0 holds the cells of no group.
        self.cuts.push((0, 0));
        self.made_by.clear();
        self.made_by.push(0);
        for (index, group) in groups {
            let group_number = index + 1;
            let first_member = self.group_members.len();
            for &cell in group.cells() {
                if self.member_of[cell] == 0 {
                    self.cells.push(cell);
                    self.class_of.push(0);
                    self.member_of[cell] = self.cells.len() as u32;
                }
                let member = self.member_of[cell] - 1;
                let class = self.class_of[member as usize] as usize;
                if self.cuts[class].0 != group_number {
                    self.cuts[class] = (group_number, self.cuts.len() as u32);
                    self.cuts.push((0, 0));
                    self.made_by.push(index);
                }
                self.class_of[member as usize] = self.cuts[class].1;
                self.group_members.push(member);
            }
            let (members, mines) = (first_member..self.group_members.len(), group.mines());
            self.groups.push(MemberGroup { members, mines });
        }
    }

    /// Joins the classes of each group.
    fn join(&mut self) {
        self.parent.clear();
        self.parent.extend(0..self.cuts.len() as u32);
        for MemberGroup { members, .. } in &self.groups {
            let members = &self.group_members[members.clone()];
            let mut joined = root(&mut self.parent, self.class_of[members[0] as usize]);
            for &member in &members[1..] {
                let other = root(&mut self.parent, self.class_of[member as usize]);
                self.parent[joined.max(other) as usize] = joined.min(other);
                joined = joined.min(other);
            }
        }
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
