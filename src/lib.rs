//! Sapper, a Minesweeper bot for Botzone: group deduction, exact mine odds, and a ladder of steps
//! that decides.
//!
//! # The way of a turn
//!
//! ```text
//! text ─► protocol::Input ─► history ─► board::Board ─► follow   one and two numbers: a safe cell?      answer
//!                                            │
//!                                            └────► group::Position        (from here on: sets, no grid)
//!                                                          │
//!   deduce    equal, subset, overlap, total ───────────────┤ a safe cell?      answer
//!   component blocks of equal cells, components            │
//!   count     layouts by number of mines ─► combine ─► probability ─► Odds
//!                                                          │ a cell no layout mines?   answer
//!                                                          │ few layouts: layouts ─► endgame   answer
//!   guess     the least cost of two moves ─────────────────┤ otherwise
//!   rollout   close ones played on over layouts drawn ─────┘ unless effort is fast: answer
//!
//! engine::Decision ─► protocol::reply_line ─► one line
//! ```
//!
//! After the answer, [`inconsistency`] looks for every reason why no layout fits, to warn of.
//!
//! [`session::respond`] is the whole bot as a function of a text and a clock; [`serve`] adds the pipes
//! and `main.rs` the command line.
//!
//! # Words
//!
//! - **hidden**, **number**, **hit**: what a cell shows; a hit is a mine that was opened.
//! - **group**: so many mines among these cells. **Component**: groups linked by shared cells.
//!   **Block**: cells that lie in exactly the same groups. **Unseen**: hidden, and in no group.
//! - **layout**: one way to lay all mines that fits everything shown. All are equally likely.
//! - **odds**: the chance that a cell is a mine: the share of the layouts that have one there.
//! - **proven**: all layouts agree. **Guess**: opening a cell that is not proven safe.
//! - **refused**: too large for the budget; its odds are then approximate, and marked so.
//!
//! # Who owns which truth
//!
//! | type | promises |
//! |---|---|
//! | [`geometry::Cell`] | below its shape's size; made by a [`geometry::Shape`] |
//! | [`board::Board`] | no cell opened twice; made by replaying what was shown |
//! | [`group::Group`] | sorted cells, 0 <= mines <= cells |
//! | [`weight::Weight`] | zero if and only if no layout stands behind it |
//! | [`probability::Odds`] | exactly 0 or 1 if and only if proven |
//! | [`budget::Budget`] | node limits decide; only it reads a clock |
//! | [`engine::Decision`] | names a hidden cell |
//!
//! The bot sees the numbers on the board and nothing else: never the seed, never the clock of the
//! layout. Everything it must not see is in the module `referee`; `analysis` explains positions to a
//! person. Each is built with the feature of its name, and no module of the bot uses either.

#[cfg(feature = "analysis")]
pub mod analysis;
pub mod base;
pub mod board;
pub mod bot;
pub mod deduction;
pub mod probability;
pub mod protocol;
#[cfg(feature = "referee")]
pub mod referee;
pub mod search;
