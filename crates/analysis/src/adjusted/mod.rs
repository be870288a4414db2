//! Results without the luck of the guesses: the same mean, and far less variance.
//!
//! A click hits a mine with its exact odds, given all that is visible before it. So the difference
//! of hits and odds, summed over the clicks of a game, has the mean 0 for every bot that sees no
//! more than the numbers, whatever it does and whenever its game ends. Two results follow:
//!
//! - *fewest hits*: the mines hit, less that sum. Over a whole game this is the sum of the odds.
//! - *clean win*: a guess that would hit is survived. The layout is drawn again so that each one in
//!   which the cell is safe is equally probable, and the game counts the product of the
//!   probabilities to survive its guesses. The new layout is close to the old one, so that games
//!   that are compared differ less.
//!
//! - [`click_odds`]: the exact odds of a click, and layouts drawn again, by a solver of the judge's
//!   own
//! - [`luck`]: the sums over the clicks of a game
//! - [`adjuster`]: the guesses of a game that the engine plays in process
//! - [`observer`]: the clicks of a game that any bot plays by Botzone's rules
//! - [`playouts`]: what a click costs if a policy plays on after it
//!
//! Invariant: whether a click counts with its odds depends on nothing that is hidden. A click whose
//! odds are not exact counts with its actual outcome.
//!
//! Assumption: of all layouts that fit what is visible each is equally likely, as on boards of
//! seeds. A layout that was chosen otherwise, or a cell that was opened beforehand because of what
//! other cells hide, breaks it. A bot that knows the layout hits less than its odds, and the
//! standardized sum of hits less odds says so ([`luck::Luck::z`]).
//!
//! Sources: N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, *AIVAT: a new variance
//! reduction technique for agent evaluation in imperfect information games*, AAAI 2018.

pub mod adjuster;
pub mod click_odds;
pub mod luck;
pub mod observer;
pub mod playouts;
