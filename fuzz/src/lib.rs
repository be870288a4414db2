//! Properties that must hold for every input, as functions of bytes.
//!
//! Each target is one function `check(&[u8])` that panics where a property does not hold. libFuzzer
//! calls it (`scripts/fuzz`, `cargo fuzz run`), and so does a test on the corpus, the samples and
//! mutations of them (`cargo test --manifest-path fuzz/Cargo.toml`), so that known faults are
//! tested without a fuzzer.
//!
//! | target | input | modules under test |
//! |---|---|---|
//! | [`reader`] | bytes on standard input | `serve`, both kinds of process |
//! | [`history`] | a game and changes to it | `session`, under a clock that may expire anywhere |
//! | [`field`] | a picture or a line of a board file | `text_format`, `board_file`, the engine |
//! | [`log`] | a recorded game | `record`, `botzone`, `session` |
//! | [`formats`] | a file of any program | `formats`, `recording` |
//!
//! A panic that the bot catches is a fault too: libFuzzer's hook ends the process, and the checks
//! search for the bot's warning of one.

pub mod counts;
pub mod field;
pub mod formats;
pub mod history;
pub mod log;
pub mod reader;

use sapper::bot::engine::Engine;
use sapper::bot::session::{Answer, Session};
use sapper::settings::budget::Clock;
use sapper::settings::params::{Effort, EndgameLimits, Objective, RolloutLimits, SearchLimits};

/// The largest field that is played; larger ones are too slow for a fuzzer. `judge check worst` and
/// `tests/hostile.rs` test them.
pub const MAX_CELLS: u64 = 600;

/// The input was not checked, so that it is not worth keeping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skipped;

/// The result of a check for libFuzzer: whether to keep the input.
pub fn verdict(checked: Result<(), Skipped>) -> libfuzzer_sys::Corpus {
    match checked {
        Ok(()) => libfuzzer_sys::Corpus::Keep,
        Err(Skipped) => libfuzzer_sys::Corpus::Reject,
    }
}

/// A hash of the input, which selects the inputs that get additional checks. A byte of the input is
/// unsuitable: libFuzzer would prefer the inputs with more coverage and select only those.
pub fn draw(data: &[u8]) -> u32 {
    // FNV-1a. Only the upper bits depend on all bits of the input.
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    (data.iter().fold(0xcbf2_9ce4_8422_2325, step) >> 32) as u32
}

/// An engine with fast turns: fast effort, or for one input in 31 all steps of full effort with
/// small node limits, so that these are exceeded too.
pub fn engine(data: &[u8], objective: Objective) -> Engine {
    if !draw(data).is_multiple_of(31) {
        return Engine::new(objective, Effort::Fast);
    }
    let full = Effort::Full.limits();
    let rollouts = full.rollouts.map(|rollouts| RolloutLimits {
        margin: 1.0,
        initial_playouts: 4,
        nodes: 200_000,
        ..rollouts
    });
    let (lookahead_nodes, endgame) = (1_000_000, EndgameLimits { nodes: 200_000, ..full.endgame });
    Engine::within(
        objective,
        SearchLimits { lookahead_nodes, endgame, tiny_field: endgame, rollouts, ..full },
    )
}

/// A session with [`engine`] and the bot's objective.
pub fn session(data: &[u8]) -> Session {
    Session::with(engine(data, Objective::FewestHits))
}

/// Checks that an answer is a hidden cell of the field, that its line names that cell, and that
/// neither the search nor the later check of the board panicked.
///
/// Returns the warnings of that check.
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

/// Checks that no warning reports a panic in the search.
pub fn check_warnings<'w>(mut warnings: impl Iterator<Item = &'w str>) {
    assert!(warnings.all(|warning| !warning.contains("the search failed")));
}
