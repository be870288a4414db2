//! Recorded games under review: what happened, turn by turn, and what each decision cost.
//!
//! - [`log`]: what the log of a recorded game says, turn by turn
//! - [`outcome`]: how a recorded game ended, by its rule
//! - [`frames`]: the turns analyzed, each by one call; `captions`: a turn in one line
//! - [`coach`]: what the decisions of a game cost against a policy
//!
//! Invariant: a review depends on the recorded game alone. A frame is the same whatever was
//! analyzed before it.

mod captions;
pub mod coach;
pub mod frames;
pub mod log;
pub mod outcome;
