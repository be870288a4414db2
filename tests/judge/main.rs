//! The judge as a program: its commands run on files and on dummy bots, each with one bad habit.
#![cfg(feature = "judge")]
// The helpers of tests may unwrap as the tests do: a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod bench;
mod bots;
mod calibrate;
mod compare;
mod faults;
mod fields;
mod levels;
mod odds;
mod play;
mod samples;
mod soak;
mod verify;
