//! What must hold of inputs that nobody in his right mind would send, as functions of bytes.
//!
//! Each target is one function `check(&[u8])` that panics where something does not hold. libFuzzer calls it
//! (`scripts/fuzz`, `cargo fuzz run`), and so does a test over the corpus, the samples and mutations of them
//! (`cargo test --manifest-path fuzz/Cargo.toml`), so that a fault found once stays found without a fuzzer.
//!
//! | target | input | goes through |
//! |---|---|---|
//! | [`reader`] | what comes on standard input | `serve`, both ways of the protocol |
//! | [`history`] | a game that can be, and changes to it | `session`, under a clock that may run out at any look |
//! | [`field`] | a picture or a line of a board file | `picture`, `game::boards`, the engine |
//! | [`log`] | a recorded game | `game::log`, the judge, `session` |
//!
//! Panics that the bot would catch count too: libFuzzer's hook ends the process at any, and the bot's own
//! warning of one is looked for.

pub mod field;
pub mod history;
pub mod log;
pub mod reader;

use sapper::budget::Clock;
use sapper::engine::Engine;
use sapper::guess::Objective;
use sapper::params::Effort;
use sapper::session::{Answer, Session};

/// The most cells of a field that is played: larger ones cost so much that nothing else would be tried. The
/// large ones are those of `benches/worst.rs` and `tests/hostile.rs`.
pub const MOST_CELLS: u64 = 600;

/// An input that is not worth keeping: what it asks for was not tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed;

/// Tells libFuzzer whether an input is worth keeping.
pub fn verdict(checked: Result<(), Passed>) -> libfuzzer_sys::Corpus {
    match checked {
        Ok(()) => libfuzzer_sys::Corpus::Keep,
        Err(Passed) => libfuzzer_sys::Corpus::Reject,
    }
}

/// A session whose turns take well under a millisecond.
pub fn quick_session() -> Session {
    Session::with(Engine::new(Objective::FewestHits, Effort::Fast))
}

/// An answer is inside the field and hidden, its line says just that, and no search failed for it; nor does
/// the look at the rest of the board after it.
///
/// Returns the warnings of that look.
pub fn check_answer(session: &mut Session, answer: &Answer, clock: &dyn Clock) -> Vec<String> {
    let line: serde_json::Value = serde_json::from_str(&answer.line()).expect("a line of JSON");
    let of = |key: &str| line["response"][key].as_i64().expect("an integer");
    let cell = answer.board.shape().cell(of("row"), of("col")).expect("a cell of the field");
    assert!(answer.board.is_hidden(cell), "{line} is open");
    check_warnings(answer.warnings.iter().map(String::as_str));
    let decision = answer.decision.as_ref().expect("a decision");
    assert!(decision.odds.is_nan() || (0.0..=1.0).contains(&decision.odds), "{decision:?}");
    assert!(answer.debug("0").len() < 1024);
    session.late_warnings(answer, clock)
}

/// No warning tells of a search that failed.
pub fn check_warnings<'w>(mut warnings: impl Iterator<Item = &'w str>) {
    assert!(warnings.all(|warning| !warning.contains("the search failed")));
}
