//! The keys of requests that no reader knows: a misspelt one is easily overlooked.
//!
//! The bot skips other keys, since a platform may send more. A person who writes a position is
//! told of them.
//!
//! Invariant: no text makes this fail. A value of another form is left to its reader.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// The keys around a history, as Botzone sends them, and those of a request.
const INPUT_KEYS: [&str; 10] = [
    "requests",
    "responses",
    "data",
    "globaldata",
    "time_limit",
    "memory_limit",
    "height",
    "width",
    "minecount",
    "changed",
];
const REQUEST_KEYS: [&str; 4] = ["height", "width", "minecount", "changed"];
const CELL_KEYS: [&str; 3] = ["row", "col", "val"];

/// The most keys that are named.
const MAX_NAMED: usize = 3;

type Object<'t> = BTreeMap<String, &'t RawValue>;

/// The unknown keys of JSON values that are requests or histories, in a sentence; `None` if there
/// are none.
pub fn unknown_keys(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut unknown = Vec::new();
    let inputs = serde_json::Deserializer::from_str(text).into_iter::<Object>();
    for input in inputs.map_while(Result::ok) {
        find(&input, &INPUT_KEYS, &mut unknown);
        let requests = list(input.get("requests"));
        for request in requests.iter().chain([&input]) {
            if !std::ptr::eq(request, &input) {
                find(request, &REQUEST_KEYS, &mut unknown);
            }
            for cell in list(request.get("changed")) {
                find(&cell, &CELL_KEYS, &mut unknown);
            }
        }
    }
    let more = match unknown.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let is_one = unknown.len() == 1;
    unknown.truncate(MAX_NAMED);
    let names: Vec<String> = unknown.iter().map(|key| format!("{key:?}")).collect();
    let names = names.join(", ");
    match is_one {
        _ if unknown.is_empty() => None,
        true => Some(format!("the key {names} is unknown and was skipped")),
        false => Some(format!("the keys {names}{more} are unknown and were skipped")),
    }
}

/// Adds the keys of an object that are not among those known, each once.
fn find(object: &Object, known: &[&str], unknown: &mut Vec<String>) {
    for key in object.keys() {
        if !known.contains(&key.as_str()) && !unknown.contains(key) {
            unknown.push(key.clone());
        }
    }
}

/// The objects of a list of objects.
fn list<'t>(json: Option<&&'t RawValue>) -> Vec<Object<'t>> {
    json.and_then(|json| serde_json::from_str(json.get()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_named_once_at_every_depth() {
        let cell = r#"{"row":0,"col":0,"val":1,"value":1}"#;
        let request = format!(r#"{{"heigth":1e400,"height":3,"changed":[{cell},{cell}]}}"#);
        let two = "the keys \"heigth\", \"value\" are unknown and were skipped";
        let history = format!(r#"{{"requests":[{request},{request}],"data":[{{"x":1}}]}}"#);
        for text in [&request, &history, &format!("\u{feff}{request}\n{history}")] {
            assert_eq!(unknown_keys(text).as_deref(), Some(two), "{text}");
        }
        let one = r#"{"mine_count":3}"#;
        let expected = "the key \"mine_count\" is unknown and was skipped";
        assert_eq!(unknown_keys(one).as_deref(), Some(expected));
        let five = r#"{"a":1,"b":1,"c":1,"d":1,"\u202e":1}"#;
        let expected = "the keys \"a\", \"b\", \"c\" and 2 more are unknown and were skipped";
        assert_eq!(unknown_keys(five).as_deref(), Some(expected));
    }

    #[test]
    fn what_botzone_sends_is_known_and_other_forms_are_left_to_their_reader() {
        let known = r#"{"requests":[{"height":1,"width":1,"minecount":0,"changed":null}],
            "responses":[],"data":"","globaldata":"","time_limit":"","memory_limit":"5"}"#;
        for text in [known, "", "[]", "5", "{", r#"{"requests":5}"#, r#"{"changed":[5]}"#] {
            assert_eq!(unknown_keys(text), None, "{text}");
        }
    }
}
