//! Raw bytes on standard input: the whole process except its pipes.

use sapper::board::geometry::Shape;
use sapper::bot::serve::{Options, answer_all};
use sapper::protocol::inputs;

use crate::{MAX_CELLS, Skipped, check_warnings, session};

/// Checks that each JSON value is answered with one line or refused with a message, and that a bot
/// that keeps running gives the same first line.
///
/// # Errors
/// [`Skipped`] where a field is too large.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    if is_too_large(data) {
        return Err(Skipped);
    }
    let (one, one_stderr) = answers(data, false);
    let (kept, kept_stderr) = answers(data, true);
    // A bot that keeps running writes two lines per turn: the answer and the marker.
    assert_eq!(one.lines().next(), kept.lines().next());
    assert!(one.lines().count() <= 1 && kept.lines().count() % 2 == 0, "{kept}");
    for line in kept.lines().step_by(2) {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(line["response"]["row"].is_u64() && line["response"]["col"].is_u64(), "{line}");
    }
    check_warnings(one_stderr.lines().chain(kept_stderr.lines()));
    Ok(())
}

/// The standard output and the standard error of the bot.
fn answers(data: &[u8], keep_running: bool) -> (String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let options = Options { keep_running, debug: false };
    let served = answer_all(data, &mut stdout, &mut stderr, options, &mut session(data));
    if let Err(failure) = served {
        assert_eq!(failure.exit_code(), 2, "{failure}");
        assert!(!failure.to_string().is_empty());
    }
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(stdout), text(stderr))
}

/// Whether the values together may state a field that is too large to be played.
fn is_too_large(data: &[u8]) -> bool {
    let (mut rows, mut columns) = (0, 0);
    for input in inputs(data).map_while(Result::ok) {
        let of_history = input.requests.map_or([None; 3], |history| history.field);
        rows = rows.max(input.height.max(of_history[0]).unwrap_or(0));
        columns = columns.max(input.width.max(of_history[1]).unwrap_or(0));
    }
    // Above the largest shape it is refused before anything is allocated.
    (MAX_CELLS..=Shape::MAX_CELLS).contains(&rows.saturating_mul(columns))
}
