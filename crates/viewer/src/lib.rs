//! The page on which a recorded game is stepped through: its data, its script and its style.
//!
//! - [`data`]: frames, judgements and accounts as JSON
//! - [`page`]: a game as one HTML page
//!
//! The script and the style are in `web`. The browser page uses them too: its maker joins them with
//! its own files.
//!
//! Invariant: the script computes no odds and knows no rules. What it shows in words and numbers is
//! a text of [`data`].

pub mod data;
pub mod page;
