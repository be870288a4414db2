//! The judge as a program: its commands run on files and on dummy bots.
//!
//! A file tests one command, or one subject of several commands. [`bots`] runs the judge and makes
//! the dummy bots, and [`browser`] controls a headless browser.
//!
//! Dummy bots that are shell scripts are for Unix alone, as are signals and special files. What the
//! judge does on every system, [`systems`] tests by a bot in Rust.
// Elsewhere than on Unix, what only tests with shell scripts use is unused.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// Clippy allows unwrap in tests, but not in their helpers; a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod adjusted;
mod bench;
mod better;
mod board_files;
mod bots;
mod calibrate;
mod ceiling;
mod check_bot;
mod coach;
mod coach_files;
mod commands;
mod compare;
#[cfg(unix)]
mod contain;
mod convert;
mod documented;
mod explain;
#[cfg(unix)]
mod faults;
mod fields;
mod formats;
#[cfg(unix)]
mod interrupt;
mod levels;
mod local;
mod lost;
mod odds;
mod people;
mod pit;
mod play;
mod plot;
#[cfg(unix)]
mod python;
mod replay;
mod results;
mod results_odds;
mod results_pages;
mod resume;
#[cfg(unix)]
mod reuse;
mod rules;
#[cfg(unix)]
mod samples;
mod scale;
mod signature;
#[cfg(unix)]
mod simple;
mod soak;
mod systems;
mod titles;
mod verify;
