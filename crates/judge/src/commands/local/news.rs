//! The body of a poll: requests to answer, and results of matches that are over.
//!
//! ```text
//! 1 2                                   one request, two results
//! 5f0c                                  the id of a match
//! {"changed":null,"height":20,...}      its request
//! 5f0b 0 1 97.5                         match, own slot, number of players, a score for each
//! 5f0a 0 0                              an aborted match has no scores
//! ```
//!
//! A line that is no request or no result, but ends with a line feed, was not cut off: it is bad
//! data of its match, and the others are read. So is a match whose id cannot be used.
//!
//! Invariant: an id that was read is safe in a header's name and in a file's name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The most characters of a match's id; the site's have 24.
const MAX_ID_CHARS: usize = 64;

/// What a poll has brought.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct News {
    /// The ids of matches, with the requests of their turns.
    pub requests: Vec<(String, Value)>,
    pub results: Vec<MatchResult>,
    /// The matches whose request or result cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
    /// What was said in place of the ids of other matches, which cannot be used.
    pub unusable_ids: Vec<String>,
}

/// The end of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchResult {
    pub id: String,
    /// The own score; `None` for an aborted match.
    pub score: Option<f64>,
}

impl News {
    /// Reads a body. An empty one is no news.
    ///
    /// # Errors
    /// What is wrong, for a body that was cut off or is of another kind. Nothing of it is used.
    pub fn read(body: &str) -> Result<News, String> {
        if body.trim().is_empty() {
            return Ok(News::default());
        }
        if body.trim_start().starts_with('<') {
            return Err("the server sent a web page, no matches; is the address right?".to_owned());
        }
        News::read_lines(body).map_err(|why| format!("unreadable news: {why}"))
    }

    fn read_lines(body: &str) -> Result<News, String> {
        let mut lines = body.split_inclusive('\n');
        let mut next = |what: &str| {
            let line = lines.next().ok_or_else(|| format!("it ends before {what}"))?;
            Ok::<_, String>((line.trim(), line.ends_with('\n')))
        };
        let (head, _) = next("the counts")?;
        let counts = head.split_once(' ').map(|(a, b)| (a.parse().ok(), b.trim().parse().ok()));
        let Some((Some(requests), Some(results))) = counts else {
            return Err("it does not begin with two counts".to_owned());
        };
        let mut news = News::default();
        for _ in 0..usize::min(requests, body.len()) {
            let name = next("a match")?.0;
            let (line, is_whole) = next("a request")?;
            match (read_id(name), read_request(line)) {
                (Ok(id), Ok(request)) => news.requests.push((id, request)),
                (Ok(id), Err(error)) if is_whole => {
                    news.unreadable.push((id, format!("its request is not JSON: {error}")));
                }
                (Ok(_), Err(error)) => return Err(format!("a request: {error}")),
                // Otherwise a line is missing, and those that follow are not what they seem.
                (Err(_), Ok(Value::Object(_))) => news.unusable_ids.push(name.to_owned()),
                (Err(why), _) => return Err(why),
            }
        }
        for _ in 0..usize::min(results, body.len()) {
            let (line, is_whole) = next("a result")?;
            let (name, result) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (read_id(name), read_result(result)) {
                (Ok(id), Ok(score)) => news.results.push(MatchResult { id, score }),
                (Ok(id), Err(_)) if is_whole => {
                    news.unreadable.push((id, "its result cannot be read".to_owned()));
                }
                (Err(_), Ok(_)) => news.unusable_ids.push(name.to_owned()),
                (Err(why), _) | (Ok(_), Err(why)) => return Err(why),
            }
        }
        Ok(news)
    }

    /// The body that [`News::read`] reads.
    pub fn body(&self) -> String {
        let mut body = format!("{} {}\n", self.requests.len(), self.results.len());
        for (id, request) in &self.requests {
            let _ = writeln!(body, "{id}\n{request}");
        }
        for MatchResult { id, score } in &self.results {
            let scores = score.map_or("0".to_owned(), |score| format!("1 {score}"));
            let _ = writeln!(body, "{id} 0 {scores}");
        }
        body
    }
}

/// Checks the id of a match.
///
/// # Errors
/// The text is not an id.
pub fn read_id(text: &str) -> Result<String, String> {
    let is_id = (1..=MAX_ID_CHARS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_id { Ok(text.to_owned()) } else { Err("a line is not the id of a match".to_owned()) }
}

/// Reads a request. What is JSON but no [`Value`], such as the number 1e400, stands as its text in
/// the place of the key's value, so that it concerns this key alone.
fn read_request(line: &str) -> serde_json::Result<Value> {
    let error = match serde_json::from_str(line) {
        Ok(request) => return Ok(request),
        Err(error) => error,
    };
    let Ok(values) = serde_json::from_str::<BTreeMap<String, &RawValue>>(line) else {
        return Err(error);
    };
    let value = |json: &RawValue| {
        serde_json::from_str(json.get()).unwrap_or_else(|_| Value::from(json.get()))
    };
    let values = values.into_iter().map(|(key, json)| (key, value(json)));
    Ok(Value::Object(values.collect::<Map<String, Value>>()))
}

/// Reads what follows the id of a match that is over: its own score; `None` for an aborted match.
fn read_result(text: &str) -> Result<Option<f64>, String> {
    let bad = || "a line is not the result of a match".to_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let [slot, players, scores @ ..] = words.as_slice() else { return Err(bad()) };
    let [slot, players] = [slot, players].map(|word| word.parse::<usize>().ok());
    match players.ok_or_else(bad)? {
        0 => Ok(None),
        players if players == scores.len() => {
            let own = scores.get(slot.ok_or_else(bad)?).and_then(|score| score.parse().ok());
            Ok(Some(own.filter(|score: &f64| score.is_finite()).ok_or_else(bad)?))
        }
        _ => Err(bad()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_body_is_read_as_it_was_written() {
        let news = News {
            requests: vec![
                ("5f0c".to_owned(), json!({"changed": null, "height": 20})),
                ("a-1".to_owned(), json!({"changed": [{"row": 1, "col": 2, "val": 3}]})),
            ],
            results: vec![
                MatchResult { id: "b".to_owned(), score: Some(97.5) },
                MatchResult { id: "c".to_owned(), score: None },
            ],
            ..News::default()
        };
        let body = news.body();
        assert_eq!(News::read(&body), Ok(news));
        assert_eq!(News::read(&body.replace('\n', "\r\n")), News::read(&body));
        // No part of a body is a body.
        for end in 1..body.trim_end().len() - 2 {
            assert!(News::read(&body[..end]).is_err(), "{}", &body[..end]);
        }
        for nothing in ["0 0", "", "\n"] {
            assert_eq!(News::read(nothing), Ok(News::default()));
        }
    }

    #[test]
    fn a_bad_line_of_one_match_leaves_the_others() {
        let body = "2 2\na\n{\"changed\":\nb\n{\"x\":1}\nc 0 1 much\nd 0 1 5\n";
        let news = News::read(body).unwrap();
        assert_eq!(news.requests, [("b".to_owned(), json!({"x": 1}))]);
        assert_eq!(news.results, [MatchResult { id: "d".to_owned(), score: Some(5.0) }]);
        let ids: Vec<&str> = news.unreadable.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["a", "c"]);
        assert!(news.unreadable[0].1.starts_with("its request is not JSON: EOF"), "{news:?}");
        // An id that cannot be used is bad data too, where its request or result is one.
        let body = "2 2\na/b\n{}\nb\n{\"x\":1}\n../c 0 1 9\nd 0 1 5\n";
        let news = News::read(body).unwrap();
        assert_eq!((&news.requests[0].0[..], &news.results[0].id[..]), ("b", "d"));
        assert_eq!((news.requests.len(), news.results.len()), (1, 1));
        assert_eq!(news.unusable_ids, ["a/b", "../c"]);
        // The last line may be whole, too; without its line feed it may be cut off.
        let last = "0 1\nc 0 1 much\n";
        assert_eq!(News::read(last).unwrap().unreadable.len(), 1);
        assert!(News::read(last.trim_end()).is_err());
    }

    #[test]
    fn json_that_is_no_value_concerns_its_key_alone() {
        for text in ["1e400", r#""\ud800""#, r#"{"a":[1e400]}"#] {
            let news = News::read(&format!("1 0\na\n{{\"height\":5,\"x\":{text}}}\n")).unwrap();
            assert_eq!(news.requests, [("a".to_owned(), json!({"height": 5, "x": text}))]);
        }
        for text in ["1e", "NaN", "{"] {
            let news = News::read(&format!("1 0\na\n{{\"height\":5,\"x\":{text}}}\n")).unwrap();
            assert_eq!((news.requests.len(), news.unreadable.len()), (0, 1), "{text}");
        }
    }

    #[test]
    fn a_result_has_the_score_of_the_own_slot() {
        let result = |line: &str| News::read(&format!("0 1\n{line}")).map(|n| n.results[0].score);
        assert_eq!(result("m 1 2 0 2.5"), Ok(Some(2.5)));
        assert_eq!(result("m 0 0"), Ok(None));
        for bad in ["m", "m 0", "m 0 1", "m 1 1 5", "m 0 1 x", "m 0 1 NaN", "m 0 2 1", "../m 0"] {
            assert!(result(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn other_bodies_are_refused() {
        for bad in ["<html>", "1", "x y", "-1 0", "9999999999 0"] {
            assert!(News::read(bad).is_err(), "{bad}");
        }
        for cut_off in ["1 0\n../a\n{", "1 0\n{}\na\n", "1 0\na\n{"] {
            assert!(News::read(cut_off).is_err(), "{cut_off}");
        }
    }
}
