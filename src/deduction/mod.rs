//! Deduction: what the numbers prove without counting layouts.
//!
//! There are two engines, because speed and completeness ask for different data.
//!
//! - *Propagation* works on the board. Every number keeps its undecided neighbours as a bit mask,
//!   and a change queues only the numbers beside it. It uses single numbers and pairs of numbers.
//!   Its state is kept from turn to turn in a played game, and restored at the start of each
//!   playout, where it runs most often.
//! - *Group deduction* works on sets of cells without a grid. It runs anew for every position,
//!   and in the look-ahead continues from a position of which one cell is opened.
//!   Derived groups and the total of mines are premises as well as the numbers, so that it proves
//!   more, and it leaves smaller groups to count.
//!
//! Neither is complete: conclusions that need three groups at once are left to counting
//! ([`crate::probability`]). Propagation reports everything that its two rules prove, in whatever
//! order the cells were opened. Group deduction replaces groups as it goes, so it may miss a
//! conclusion from two numbers if one of them is replaced before they are compared.
//!
//! Invariant of both: a cell that is reported safe is safe in every layout that fits the numbers,
//! and a cell that is reported as a mine is one in every such layout. Numbers that contradict each
//! other are an error, as far as the rules see it.
//!
//! In: a [`Board`](crate::board::Board) for propagation, which leaves the
//! [`Position`](crate::board::group::Position) for groups. Out: safe cells, mines, and the groups
//! left to count.
//!
//! - [`propagation`]: the engine on the grid.
//! - [`groups`]: the engine on sets of cells, with a table of its rules, and how to add one.

pub mod groups;
pub mod propagation;
