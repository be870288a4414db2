//! Raw bytes on standard input: the whole process but for its pipes.

use sapper::board::geometry::Shape;
use sapper::protocol::history::ResolvedField;
use sapper::protocol::{Integer, inputs};
use sapper::bot::serve::{Options, answer_all};

use crate::{MOST_CELLS, Passed, check_warnings, session};

/// Bytes are answered a line a value, or refused in words; kept running and not, the first line is the same.
///
/// # Errors
/// [`Passed`], where a field is too large to be tried.
pub fn check(data: &[u8]) -> Result<(), Passed> {
    if announces_too_much(data) {
        return Err(Passed);
    }
    let (one, told) = answers(data, false);
    let (kept, told_kept) = answers(data, true);
    // Two lines a turn, the answer and the marker; without being kept there is one.
    assert_eq!(one.lines().next(), kept.lines().next());
    assert!(one.lines().count() <= 1 && kept.lines().count() % 2 == 0, "{kept}");
    for line in kept.lines().step_by(2) {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(line["response"]["row"].is_u64() && line["response"]["col"].is_u64(), "{line}");
    }
    check_warnings(told.lines().chain(told_kept.lines()));
    Ok(())
}

/// What goes out on both pipes; what is refused is told.
fn answers(data: &[u8], keep_running: bool) -> (String, String) {
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let options = Options { keep_running, debug: false };
    let served = answer_all(data, &mut out, &mut told, options, &mut session(data));
    if let Err(failure) = served {
        assert_eq!(failure.exit_code(), 2, "{failure}");
        assert!(!failure.to_string().is_empty());
    }
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(out), text(told))
}

/// Whether the values together may make a field of more cells than are tried.
fn announces_too_much(data: &[u8]) -> bool {
    let (mut rows, mut columns) = (0, 0);
    let side = |side: Integer| side.value().map_or(0, |side| side.max(0) as u64);
    let used = |stated: &ResolvedField| stated.used.map_or(0, |(value, _)| value);
    for input in inputs(data).map_while(Result::ok) {
        let (height, width) = (side(input.bare.height), side(input.bare.width));
        let of_history = input.requests.map_or((0, 0), |all| (used(&all.height), used(&all.width)));
        rows = rows.max(height).max(of_history.0);
        columns = columns.max(width).max(of_history.1);
    }
    // Beyond the largest shape it is refused before anything is made of it.
    (MOST_CELLS..=Shape::MAX_CELLS).contains(&rows.saturating_mul(columns))
}
