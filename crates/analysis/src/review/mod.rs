//! Recorded games under review: what happened, turn by turn, and what each decision cost.
//!
//! - [`reviewed_game`]: what every game under review is; [`frame`]: one of its turns, analyzed
//! - [`recorded_game`]: a game of a bot; [`log`]: what its log says, turn by turn
//! - [`person_game`]: a game of a person, click by click
//! - [`outcome`]: how a game ended, by its rule
//! - `told_answer`: the reasons of a move; `captions`: a turn in one line
//! - [`turn_chance`]: the chance to win at a turn
//! - [`coach`]: what the decisions of a game cost against a policy
//! - [`second_step`]: what a guess gains that is chosen by playouts of a stronger policy
//!
//! Invariant: a review depends on the recorded game alone. A frame is the same whatever was
//! analyzed before it.

mod captions;
pub mod coach;
pub mod frame;
pub mod log;
pub mod outcome;
pub mod person_game;
pub mod recorded_game;
pub mod reviewed_game;
pub mod second_step;
mod told_answer;
pub mod turn_chance;
