//! Inputs in other forms that mean the same: each is legal JSON with the same facts.
//!
//! Invariant: a form changes neither the cells, the size and the mine count of a request nor the
//! bot's own responses and `data`.

use serde_json::{Map, Value, json};

use crate::runner::bots::host::Form;

/// A form, with its name in the list of checks and what is special about it.
pub struct NamedForm {
    pub name: &'static str,
    pub about: &'static str,
    pub form: Form,
}

/// The forms that every bot must read.
pub const FORMS: [NamedForm; 8] = [
    NamedForm {
        name: "changed-absent",
        about: "the first request has no key `changed`: no cell is open",
        form: |input| with_first_changed(input, None),
    },
    NamedForm {
        name: "changed-empty-list",
        about: "the first request has `changed` []: no cell is open",
        form: |input| with_first_changed(input, Some(&json!([]))),
    },
    NamedForm {
        name: "changed-empty-text",
        about: "the first request has `changed` \"\": no cell is open",
        form: |input| with_first_changed(input, Some(&json!(""))),
    },
    NamedForm {
        name: "key-order",
        about: "the keys of every object stand in the opposite order",
        form: |input| text(&input, Style { is_reversed: true, is_spaced: false }),
    },
    NamedForm {
        name: "white-space",
        about: "spaces stand after every comma and colon",
        form: |input| text(&input, Style { is_reversed: false, is_spaced: true }),
    },
    NamedForm {
        name: "unknown-keys",
        about: "inputs, requests and cells have keys that mean nothing: ignore them",
        form: with_unknown_keys,
    },
    NamedForm {
        name: "limits-as-text",
        about: "`time_limit` is a text, and `memory_limit` an empty one",
        form: |input| with_limits(input, Some((json!("1"), json!("")))),
    },
    NamedForm {
        name: "limits-absent",
        about: "the input has no `time_limit` and no `memory_limit`",
        form: |input| with_limits(input, None),
    },
];

/// Calls `change` for every request of an input, with its number in the history; a bare request has
/// none, because it is never the first.
fn for_requests(input: &mut Value, mut change: impl FnMut(Option<usize>, &mut Map<String, Value>)) {
    match input.get_mut("requests").and_then(Value::as_array_mut) {
        Some(requests) => {
            let requests = requests.iter_mut().enumerate();
            requests
                .filter_map(|(turn, request)| Some((turn, request.as_object_mut()?)))
                .for_each(|(turn, request)| change(Some(turn), request));
        }
        None => input.as_object_mut().into_iter().for_each(|request| change(None, request)),
    }
}

/// Puts `changed` in the place of a null in the first request; `None` removes the key.
fn with_first_changed(mut input: Value, changed: Option<&Value>) -> String {
    for_requests(&mut input, |turn, request| {
        if turn != Some(0) || !request["changed"].is_null() {
            return;
        }
        match changed {
            Some(changed) => drop(request.insert("changed".to_owned(), changed.clone())),
            None => drop(request.remove("changed")),
        }
    });
    input.to_string()
}

fn with_unknown_keys(mut input: Value) -> String {
    let nothing = || json!({"row": "none", "list": [null, {"requests": []}]});
    for_requests(&mut input, |_, request| {
        let cells = request.get_mut("changed").and_then(Value::as_array_mut);
        for cell in cells.into_iter().flatten().filter_map(Value::as_object_mut) {
            cell.insert("age".to_owned(), json!(-1.5));
        }
        request.insert("note".to_owned(), nothing());
    });
    if let Some(input) = input.as_object_mut() {
        input.insert("a_note".to_owned(), nothing());
    }
    input.to_string()
}

/// Replaces the limits of time and memory in a history; `None` removes them.
fn with_limits(mut input: Value, limits: Option<(Value, Value)>) -> String {
    if input.get("requests").is_some()
        && let Some(history) = input.as_object_mut()
    {
        history.remove("time_limit");
        history.remove("memory_limit");
        if let Some((time, memory)) = limits {
            history.insert("time_limit".to_owned(), time);
            history.insert("memory_limit".to_owned(), memory);
        }
    }
    input.to_string()
}

/// How JSON is written.
#[derive(Clone, Copy)]
struct Style {
    /// Whether the keys of an object stand in the opposite order of the alphabet.
    is_reversed: bool,
    /// Whether a space follows every comma and colon.
    is_spaced: bool,
}

/// A value as JSON in one line.
fn text(value: &Value, style: Style) -> String {
    let space = if style.is_spaced { " " } else { "" };
    let join = |parts: Vec<String>| parts.join(&format!(",{space}"));
    match value {
        Value::Array(values) => {
            let values = values.iter().map(|value| text(value, style)).collect();
            format!("[{}]", join(values))
        }
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                format!("{}:{space}{}", Value::from(key.as_str()), text(value, style))
            };
            let mut entries: Vec<String> = entries.iter().map(entry).collect();
            if style.is_reversed {
                entries.reverse();
            }
            format!("{{{}}}", join(entries))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use sapper::bot::session::Session;
    use sapper::protocol::inputs;

    use super::*;

    fn input() -> Value {
        json!({
            "requests": [
                {"width": 3, "height": 2, "minecount": 1, "changed": null},
                {"width": 3, "height": 2, "minecount": 1,
                 "changed": [{"row": 0, "col": 0, "val": 1}]},
            ],
            "responses": [{"row": 0, "col": 0}],
            "time_limit": 1.0,
            "memory_limit": 256,
        })
    }

    #[test]
    fn every_form_means_the_same_board() {
        let board = |text: &str| {
            assert!(!text.contains('\n'), "{text}");
            let mut session = Session::default();
            session.push(inputs(text.as_bytes()).next().unwrap().unwrap());
            session.board().unwrap()
        };
        let plain = input().to_string();
        for NamedForm { name, form, .. } in FORMS {
            let other = form(input());
            assert_ne!(other, plain, "{name}");
            assert_eq!(board(&other), board(&plain), "{name}");
        }
    }

    #[test]
    fn forms_write_what_they_are_named_for() {
        let request = || json!({"a": [1, 2], "b": "x, y: z"});
        let reversed = text(&request(), Style { is_reversed: true, is_spaced: false });
        assert_eq!(reversed, r#"{"b":"x, y: z","a":[1,2]}"#);
        let spaced = text(&request(), Style { is_reversed: false, is_spaced: true });
        assert_eq!(spaced, r#"{"a": [1, 2], "b": "x, y: z"}"#);
        // A bare request is never the first one, and has no limits.
        let bare = json!({"changed": null, "height": 2});
        assert_eq!(with_first_changed(bare.clone(), None), bare.to_string());
        assert_eq!(with_limits(bare.clone(), Some((json!("1"), json!("")))), bare.to_string());
        assert!(!with_first_changed(input(), None).contains("null"));
    }
}
