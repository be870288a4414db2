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
//! | [`field`] | a picture or a line of a board file | `picture`, `referee::board_file`, the engine |
//! | [`log`] | a recorded game | `referee::record`, the judge, `session` |
//!
//! Panics that the bot would catch count too: libFuzzer's hook ends the process at any, and the bot's own
//! warning of one is looked for.

pub mod field;
pub mod history;
pub mod log;
pub mod reader;

use sapper::base::budget::Clock;
use sapper::bot::engine::Engine;
use sapper::base::objective::Objective;
use sapper::base::params::{Effort, SearchLimits, RolloutLimits, EndgameLimits};
use sapper::bot::session::{Answer, Session};

/// The most cells of a field that is played: larger ones cost so much that nothing else would be tried. The
/// large ones are those of `judge worst` and `tests/hostile.rs`.
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

/// A number that follows from the bytes as if it were drawn: which turns get more than the usual look. A byte
/// of the input would not do: libFuzzer keeps what reaches more, and would breed only those.
pub fn draw(data: &[u8]) -> u32 {
    // FNV-1a; its last bits follow from the last bits of the bytes alone, its first from all.
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    (data.iter().fold(0xcbf2_9ce4_8422_2325, step) >> 32) as u32
}

/// An engine whose turns take about a millisecond: fast effort, or for one input in 31 every loop of full
/// effort, each with few nodes, so that it is also cut short there.
pub fn engine(data: &[u8], objective: Objective) -> Engine {
    if !draw(data).is_multiple_of(31) {
        return Engine::new(objective, Effort::Fast);
    }
    let full = Effort::Full.limits();
    let rollouts =
        full.rollouts.map(|rollouts| RolloutLimits { margin: 1.0, initial_playouts: 4, nodes: 200_000, ..rollouts });
    let (lookahead_nodes, endgame) = (1_000_000, EndgameLimits { nodes: 200_000, ..full.endgame });
    Engine::within(objective, SearchLimits { lookahead_nodes, endgame, tiny_field: endgame, rollouts, ..full })
}

/// A session of the bot's aim with [`engine`].
pub fn session(data: &[u8]) -> Session {
    Session::with(engine(data, Objective::FewestHits))
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
