//! Recorded games of Botzone, in all forms in which the site and its downloaders give them.
//!
//! | form | what it is |
//! |---|---|
//! | `[...]` | the log: the judge's and the bot's items, alternating |
//! | `{"log": [...]}` | this project's record, a line of a pack, or what `judge play --log` wrote |
//! | `{"logs": [...]}` | the site's answer to `?lite=true` |
//! | `"initdata"` beside the log | the init data, if the log has none: object or text |
//! | a JSON string | one of these as text |
//! | `[{"log": ...}, ...]`, or a value a line | a pack of many matches |
//! | HTML with `_rawLogJSON = "..."` | a saved replay page: the log in a string |
//!
//! JSON without a log is requests of Botzone: a position.
//!
//! Invariant: a pack is cut into the texts of its matches, and none is parsed into values before it
//! is asked for, so that a pack takes little more memory than its text. A fault of one match leaves
//! the others readable.

use std::borrow::Cow;

use sapper::bot::read_error::ReadError;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::format::{Contents, Format, Input, Match, MatchGame, MatchPack};

pub(super) const PAGE: Format =
    Format { name: "a saved replay page of Botzone", recognises: is_html, read: read_page };
pub(super) const JSON: Format =
    Format { name: "JSON of Botzone", recognises: is_json, read: read_json };

/// What a value says about itself.
#[derive(Deserialize)]
struct Outline<'t> {
    #[serde(borrow)]
    log: Option<&'t RawValue>,
    #[serde(borrow)]
    logs: Option<&'t RawValue>,
    #[serde(rename = "_id")]
    pack_id: Option<serde_json::Value>,
    id: Option<serde_json::Value>,
}

impl Outline<'_> {
    fn is_match(&self) -> bool {
        self.log.is_some() || self.logs.is_some()
    }

    /// A text as it is; of anything else, which a database may write, its JSON.
    fn id(&self) -> Option<String> {
        let id = self.pack_id.as_ref().or(self.id.as_ref())?;
        Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
    }
}

/// The variable of a saved replay page that holds the log.
const PAGE_VARIABLE: &str = "_rawLogJSON";

/// Whether a text is HTML: with a log, or from its first tag on.
fn is_html(input: &Input) -> bool {
    let text = input.trimmed();
    let begins_with = |tag: &str| {
        text.get(..tag.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(tag))
    };
    holds_log(text) || begins_with("<!DOCTYPE") || begins_with("<html")
}

/// Whether HTML is a saved replay page.
pub(super) fn holds_log(html: &str) -> bool {
    html.trim_start().starts_with('<') && html.contains(PAGE_VARIABLE)
}

fn read_page(input: &Input) -> Result<Contents, String> {
    let text = input.text.unwrap_or_default();
    let start =
        text.find(PAGE_VARIABLE).ok_or("the page has no `_rawLogJSON`, the log of a match")?;
    let line = 1 + text[..start].matches('\n').count();
    let at = |what: &str| format!("line {line}: {what}");
    let value = text[start + PAGE_VARIABLE.len()..].trim_start().strip_prefix('=');
    let value = value.ok_or_else(|| at("`_rawLogJSON` is given no value"))?;
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<&RawValue>();
    let value = values.next().ok_or_else(|| at("the page ends after `_rawLogJSON =`"))?;
    let value = value.map_err(|error| at(&format!("the log in `_rawLogJSON`: {error}")))?;
    let contents = read_values(value.get()).map_err(|error| at(&error))?;
    let Contents::Games(mut pack) = contents else {
        return Err(at("`_rawLogJSON` holds no log"));
    };
    pack.matches.iter_mut().for_each(|found| found.line = line);
    Ok(Contents::Games(pack))
}

fn is_json(input: &Input) -> bool {
    input.trimmed().starts_with(['{', '[', '"'])
}

fn read_json(input: &Input) -> Result<Contents, String> {
    read_values(input.text.unwrap_or_default())
}

/// Reads one value or several: matches, or requests.
fn read_values(text: &str) -> Result<Contents, String> {
    let text = unpacked(text)?;
    let mut matches = Vec::new();
    // Where the next value is looked for, and its line.
    let (mut start, mut line) = (0, 1);
    loop {
        let rest = &text[start..];
        let skipped = rest.len() - rest.trim_start().len();
        line += rest[..skipped].matches('\n').count();
        start += skipped;
        let rest = &text[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let value = match values.next() {
            // A string may hold nothing.
            None if matches.is_empty() => return Err("the text in the string is empty".to_owned()),
            None => return Ok(Contents::Games(MatchPack { matches, left_out: Vec::new() })),
            Some(Ok(value)) => value.get(),
            // The first value says what the file is.
            Some(Err(error)) if matches.is_empty() => {
                return Err(ReadError::Json(error).to_string());
            }
            // A later one that is broken is a match that says so when it is read. The lines after
            // it are read.
            Some(Err(_)) => rest.lines().next().unwrap_or(rest),
        };
        if !push(value, line, &mut matches) {
            return Ok(Contents::Requests(text.into_owned()));
        }
        start += value.len();
        line += value.matches('\n').count();
    }
}

/// The text in a JSON string, or in a string of such a string; any other text as it is.
fn unpacked(text: &str) -> Result<Cow<'_, str>, String> {
    let mut text = Cow::Borrowed(text);
    while text.trim_start().starts_with('"') {
        let inner: Result<String, _> = serde_json::from_str(&text);
        text = Cow::Owned(inner.map_err(|error| ReadError::Json(error).to_string())?);
    }
    Ok(text)
}

/// Appends the matches of a value; `false` if the file has no match up to it.
fn push(value: &str, line: usize, matches: &mut Vec<Match>) -> bool {
    let found = |id, text: &str| Match { id, line, game: MatchGame::Log(text.to_owned()) };
    if value.starts_with('[') {
        // An empty list is a log without items, which is refused when it is read.
        let items: Vec<&RawValue> = serde_json::from_str(value).unwrap_or_default();
        let first = items.first().and_then(|item| outline(item.get()));
        if first.is_none_or(|first| !first.is_match()) {
            matches.push(found(None, value));
            return true;
        }
        for item in items {
            matches.push(found(outline(item.get()).and_then(|item| item.id()), item.get()));
        }
        return true;
    }
    match outline(value) {
        Some(outline) if outline.is_match() => matches.push(found(outline.id(), value)),
        _ if matches.is_empty() => return false,
        // A value of a pack that is no match says so when it is read.
        _ => matches.push(found(None, value)),
    }
    true
}

fn outline(value: &str) -> Option<Outline<'_>> {
    serde_json::from_str(value).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::{FormatError, read as read_any};
    use crate::record::Record;

    const LOG: &str = r#"[{"output":{"content":{"0":{}}}},{"0":{"response":{}}}]"#;

    fn pack(text: &str) -> Vec<Match> {
        match read_any(text.as_bytes()).unwrap() {
            Contents::Games(pack) => pack.matches,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_form_of_a_match_is_found() {
        let string = json!(LOG).to_string();
        for text in [
            LOG.to_owned(),
            format!("\u{feff} \n{LOG}\n"),
            format!(r#"{{"log":{LOG}}}"#),
            format!(r#"{{"players":[],"logs":{LOG},"initdata":""}}"#),
            string.clone(),
            json!(string).to_string(),
            format!("<!DOCTYPE html>\n<script>\nvar _rawLogJSON = {string};\n</script>"),
        ] {
            let found = pack(&text);
            assert_eq!(found.len(), 1, "{text}");
            let value: Value = serde_json::from_str(&found[0].game.text()).unwrap();
            let log = value.get("log").or(value.get("logs")).unwrap_or(&value);
            assert_eq!(*log, serde_json::from_str::<Value>(LOG).unwrap());
        }
    }

    #[test]
    fn a_pack_has_a_match_a_value_and_a_broken_one_is_its_own_fault() {
        let one = format!(r#"{{"_id":"a","log":{LOG}}}"#);
        let two = format!("{{\"id\":7,\n\"log\":{LOG}}}");
        let found = pack(&format!("{one}\n{{\"_id\":\"b\",\"log\":[{{]\n\n{two} 7 {one}"));
        let names: Vec<_> = found.iter().map(|found| (found.id.as_deref(), found.line)).collect();
        let expected = [(Some("a"), 1), (None, 2), (Some("7"), 4), (None, 5), (Some("a"), 5)];
        assert_eq!(names, expected);
        let is_read: Vec<bool> =
            found.iter().map(|found| Record::read(&found.game.text()).is_ok()).collect();
        assert_eq!(is_read, [true, false, true, false, true]);
        let list = pack(&format!("[{one},{two}]"));
        assert_eq!(
            list.iter().map(|found| found.id.as_deref()).collect::<Vec<_>>(),
            [Some("a"), Some("7")]
        );
        // Many broken lines take no stack.
        assert_eq!(pack(&format!("{one}\n{}", "{\n".repeat(50_000))).len(), 50_001);
    }

    #[test]
    fn json_without_a_log_is_requests() {
        for text in [r#"{"requests":[]}"#, r#"{"height":1} {"changed":[]}"#, "{}"] {
            assert_eq!(read_any(text.as_bytes()), Ok(Contents::Requests(text.to_owned())));
        }
    }

    #[test]
    fn faults_name_the_place() {
        for (text, fault) in [
            ("{", "JSON of Botzone: the input ends before"),
            ("{\"log\":\n[,]}", "line 2 column 2"),
            ("\"abc", "JSON of Botzone: the input ends before"),
            ("\"\"", "JSON of Botzone: the text in the string is empty"),
            ("<!doctype html>\n<p>1 2", "the page has no `_rawLogJSON`, the log of a match"),
            ("<html>\n_rawLogJSON", "line 2: `_rawLogJSON` is given no value"),
            ("<html>\n_rawLogJSON = ", "line 2: the page ends"),
            ("<html>\n_rawLogJSON = \"[\";", "line 2: the input ends before"),
            ("<html>\n_rawLogJSON = \"{}\";", "line 2: `_rawLogJSON` holds no log"),
        ] {
            let error = read_any(text.as_bytes()).unwrap_err();
            assert!(matches!(error, FormatError::Fault { .. }));
            assert!(error.to_string().contains(fault), "{text}: {error}");
        }
        assert_eq!(read_any(b" \r\n"), Err(FormatError::Empty));
        assert_eq!(read_any(b""), Err(FormatError::Empty));
    }
}
