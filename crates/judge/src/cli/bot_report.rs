//! The report of a run that starts bots.
//!
//! Invariant: where the system measures bots less exactly than Linux, every such report says so, as
//! text and as JSON. A message at the start of the run would be missing in a file of the report.

use serde::Serialize;

use crate::cli::output;
use crate::runner::messages::escaped_lines;

/// A report, and the note about the system. `--json` prints the fields.
#[derive(Serialize)]
struct NotedReport<'a, R> {
    #[serde(flatten)]
    report: R,
    /// `None` if there is nothing to note.
    limits_note: Option<&'a str>,
}

/// Prints a report to standard output, as one JSON object in a line or as text, with this note:
/// [`LIMITS_NOTE`](crate::runner::system::LIMITS_NOTE), unless the run had no bot to start.
pub fn print_bot_report<R: Serialize>(
    is_json: bool,
    limits_note: Option<&str>,
    report: impl FnOnce() -> R,
    text: impl FnOnce() -> String,
) {
    output::write(&rendered(is_json, limits_note, report, text));
}

fn rendered<R: Serialize>(
    is_json: bool,
    limits_note: Option<&str>,
    report: impl FnOnce() -> R,
    text: impl FnOnce() -> String,
) -> String {
    if is_json {
        let report = NotedReport { report: report(), limits_note };
        return output::json_line(&report) + "\n";
    }
    let text = escaped_lines(&text());
    let text = text.strip_suffix('\n').unwrap_or(&text);
    match limits_note {
        Some(note) => format!("{text}\nnote: {note}\n"),
        None => format!("{text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Report {
        games: u32,
    }

    #[test]
    fn a_report_says_what_is_measured_less_exactly() {
        let rendered =
            |is_json, note| rendered(is_json, note, || Report { games: 2 }, || "2 games\n".into());
        let note = Some("memory is \"sampled\"");
        assert_eq!(rendered(false, note), "2 games\nnote: memory is \"sampled\"\n");
        let json = r#"{"games":2,"limits_note":"memory is \"sampled\""}"#;
        assert_eq!(rendered(true, note), format!("{json}\n"));
        assert_eq!(rendered(false, None), "2 games\n");
        assert_eq!(rendered(true, None), "{\"games\":2,\"limits_note\":null}\n");
    }
}
