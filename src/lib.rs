//! Sapper, a Minesweeper bot: exact mine odds, and the best cell to open.
//!
//! ```
//! use sapper::{Board, Effort, Objective, evaluate};
//!
//! // Three columns, two rows and one mine; a dot is a hidden cell.
//! let board: Board = "3 2 1\n1..\n1..".parse()?;
//! let evaluation = evaluate(&board)?;
//! for (place, odds) in evaluation.odds() {
//!     println!("{place} is a mine with probability {odds}");
//! }
//! let best = evaluation.best_move(Objective::FewestHits, Effort::Full);
//! println!("open {}", best.expect("not every hidden cell is a mine").place());
//! # Ok::<(), sapper::Error>(())
//! ```
//!
//! | to | use | example |
//! |---|---|---|
//! | build a board | [`Board::open_at`] cell by cell, `parse` from text | |
//! | get odds, proofs and the move, or why no layout fits | [`evaluate`] | `examples/odds.rs` |
//! | play whole games, or within a time | [`Engine`], [`Turn`] | `crates/game/examples/game.rs` |
//! | answer Botzone's JSON | [`respond`] | |
//! | write another bot for Botzone | [`protocol`], [`bot::session::Session`] | `examples/bot.rs` |
//!
//! The examples are files in the folder of the project. Rows and columns count from 0. The number
//! of mines has to be known: where it is not, each number that is possible is a board of its own.
//! Known mines are [`CellState::Hit`], as opened ones are. The package `analysis` in `crates` tells
//! proofs in words, and the chance to win.
//!
//! # What a call costs
//!
//! CPU time a call, measured on positions of expert games (30x16 with 99 mines):
//!
//! | | release | debug | debug, with the lines below |
//! |---|---|---|---|
//! | [`evaluate`] | 0.03 ms | 0.4 ms | 0.03 ms |
//! | [`Evaluation::best_move`] where a cell is proven safe | 0.02 ms | 0.3 ms | 0.03 ms |
//! | a guess, [`Effort::Standard`] | 2.5 ms, at most 26 ms | 34 ms, at most 0.3 s | 2.9 ms |
//! | a guess, [`Effort::Full`] | 33 ms, at most 0.2 s | 0.36 s, at most 2 s | 35 ms |
//!
//! A debug build is 10 to 17 times as slow. Two lines in the `Cargo.toml` of the program that
//! depends on `sapper` compile this package alone with optimisation, which makes the debug build of
//! the program nearly as fast as a release build:
//!
//! ```toml
//! [profile.dev.package.sapper]
//! opt-level = 3
//! ```
//!
//! A board of 500x500 takes up to 0.2 s and, while it is evaluated, some 110 MB.
//!
//! # Words
//!
//! - **hidden**, **number**, **hit**: the states of a cell; a hit is a mine that was opened,
//!   or is given as known.
//! - **group**: a constraint, a number of mines in a set of hidden cells. **Component**: groups
//!   linked by shared cells. **Block**: the cells that are in exactly the same groups.
//! - **frontier**: the hidden cells beside a number. All other hidden cells are **unconstrained**.
//! - **layout**: a placement of all mines that agrees with every open cell. All layouts are equally
//!   likely.
//! - **odds**: the probability that a cell is a mine, the share of the layouts with a mine there.
//! - **proven**: the same in all layouts. **Guess**: opening a cell that is not proven safe.
//! - **opening**: a region of zeros and the numbers around it, opened by one zero.
//! - **look-ahead**: the expected risk of the next moves, computed. **Playout**: one simulated game
//!   to its end. **Rollout**: the comparison of candidates by playouts.
//! - **node**: one step of an inner loop, the unit of a budget. **Refused**: too large for the
//!   budget; the odds are then approximate, and marked so.
//!
//! # For readers of the source
//!
//! `CONTRIBUTING.md` says where a change begins.
//!
//! ## Folders
//!
//! The folders stand in the order in which data flows; each imports only folders above it, and
//! each `mod.rs` opens with the folder's idea, invariant, cost and sources.
//!
//! | folder | in | out |
//! |---|---|---|
//! | [`kit`] | | general helpers: reproducible arithmetic, random numbers, phrases |
//! | [`settings`] | | the objective, the effort, every tunable, and budgets of nodes and time |
//! | [`board`] | the open cells | a `Board`, and its constraints as a `Position` of groups |
//! | [`protocol`] | JSON from the platform | the board after a history; a line of output |
//! | [`deduction`] | a `Position` | the cells that a few constraints prove safe or mined |
//! | [`probability`] | the undecided constraints | the mine probability of every hidden cell |
//! | [`search`] | a position that has no safe cell | the cell with the minimum expected cost |
//! | [`bot`] | a history and a clock | a `Decision`, and the answer |
//!
//! The packages in `crates` build on this one: the rules of the game with its boards and records,
//! explanations, the judge, the browser page and the makers of files. None of them is a dependency
//! of the bot, so the bot cannot name what it must not see: the mines, the seed and the rest of the
//! layout.
//!
//! ## One turn
//!
//! ```text
//! text ─► protocol ─► board::Board ─► deduction, incremental: 1-2 numbers ─► safe cell? answer
//!                                                             │
//!              board::group::Position ◄─ groups and mines left ┘ (sets of cells, no grid)
//!                          │
//!                      deduction     1-2 groups                 ─► safe cell? answer
//!                      probability   all layouts                ─► safe cell? answer
//!                      endgame       few layouts: best play     ─► solved?    answer
//!                      guess         two-ply look-ahead         ─► clear?     answer
//!                      rollout       playouts of the candidates ─► answer
//! ```
//!
//! The engine ([`bot::engine`]) tries the steps in order of cost. It has a legal answer from the
//! start, and a step may only replace it by a better one. Node limits end each step, so that the
//! answer does not depend on the machine; the clock is only a safety net.
//!
//! [`bot::session::respond`] is the whole bot as a function of a text and a clock;
//! [`bot::serve`] adds the pipes, and [`bot::command_line`] the options.
//!
//! ## Invariants
//!
//! | type | guarantees |
//! |---|---|
//! | [`board::geometry::Cell`] | an index below the size of its shape |
//! | [`board::Board`] | no cell is opened twice; built only by opening cells |
//! | [`board::group::Group`] | sorted cells, 0 <= mines <= cells |
//! | [`probability::weight::Weight`] | zero if and only if it stands for no layout |
//! | [`probability::odds::Odds`] | exactly 0 or 1 if and only if proven |
//! | [`settings::budget::Budget`] | node limits decide; no other module reads a clock |
//! | [`bot::engine::Decision`] | names a hidden cell of its board |

pub mod board;
pub mod bot;
pub mod deduction;
pub mod error;
pub mod evaluation;
pub mod kit;
pub mod probability;
pub mod protocol;
pub mod search;
pub mod settings;

// The Rust program of the README is tested as the documentation is.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// Inline, so that the first page has the first line of each.
#[doc(inline)]
pub use crate::board::consistency::BoardError;
#[doc(inline)]
pub use crate::board::contradiction::Contradiction;
#[doc(inline)]
pub use crate::board::geometry::{Cell, Place, Shape, ShapeError};
#[doc(inline)]
pub use crate::board::text_format::BoardTextError;
#[doc(inline)]
pub use crate::board::{Board, CellState};
#[doc(inline)]
pub use crate::bot::engine::{Decision, Engine, Step};
#[doc(inline)]
pub use crate::bot::session::{Answer, respond};
#[doc(inline)]
pub use crate::error::{Error, NoLayout};
#[doc(inline)]
pub use crate::evaluation::{Evaluation, evaluate};
#[doc(inline)]
pub use crate::search::endgame::Solution;
#[doc(inline)]
pub use crate::settings::budget::{Clock, Deadlines, Turn, WallClock};
#[doc(inline)]
pub use crate::settings::params::{Effort, Objective};
