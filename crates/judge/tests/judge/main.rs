//! The judge as a program: its commands run on files and on dummy bots.
//!
//! A file tests one command, or one subject of several commands. [`bots`] runs the judge and makes
//! the dummy bots, and [`browser`] controls a headless browser.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// Clippy allows unwrap in tests, but not in their helpers; a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod adjusted;
mod bench;
mod better;
mod bots;
mod calibrate;
mod check_bot;
mod coach;
mod coach_files;
mod commands;
mod compare;
mod contain;
mod documented;
mod explain;
mod faults;
mod fields;
mod interrupt;
mod levels;
mod local;
mod lost;
mod odds;
mod pit;
mod play;
mod plot;
mod python;
mod replay;
mod resume;
mod reuse;
mod rules;
mod samples;
mod scale;
mod signature;
mod simple;
mod soak;
mod titles;
mod verify;
