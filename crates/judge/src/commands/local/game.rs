//! One match as the client knows it: the requests that came, and the answers of the bot.
//!
//! The server sends only the request of the current turn. It may send one again, or late, and a
//! match may come into sight in its middle (its first request went to another client). The bot must
//! not guess what is missing: an answer that names an open cell loses the match.
//!
//! Invariant: requests and answers alternate, and each request reports what the answer before it
//! opened, so the history is complete and every hidden cell of its board is hidden. A match for
//! which this cannot be known gets no further answer: every cell that was not reported may be open.

use game::botzone::{answered_cell, legal_cell};
use game::referee::InvalidMove;
use sapper::Board;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::request::{self, FIELD_KEYS, is_minesweeper};

/// The value of the header that ends a match with an illegal answer.
const NO_ANSWER: &str = "null";

/// A match.
#[derive(Default)]
pub struct LocalGame {
    pub requests: Vec<Value>,
    /// What the bot printed, one for each request but perhaps the last; with a `response`.
    pub answers: Vec<Value>,
    /// How many of the answers have arrived at the server.
    pub delivered: usize,
    /// Why the match gets no further answer.
    pub given_up: Option<String>,
    /// The name of the bot's fault.
    pub fault: Option<String>,
    /// Why a request that was taken does not tell which cells are open. Only an earlier version has
    /// taken such a request.
    unreadable: Option<String>,
    /// The requests, as the bot reads them.
    session: Session,
}

/// A line of the file of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    Request(Value),
    Answer(Value),
    /// The last answer has arrived.
    Delivered(bool),
    GivenUp(String),
    /// The name of the bot's fault.
    Fault(String),
}

/// What a request means for a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// It is the next turn, to be answered.
    Turn,
    /// It came before.
    Repeated,
    /// It cannot be answered: why.
    Unplayable(String),
}

/// Who answers the last request.
#[derive(Clone, PartialEq, Debug)]
pub enum Answerer {
    Bot,
    /// The client, with this answer: no bot can, and why.
    Client(Value, String),
    /// Nobody, as no cell is certain to be legal: why.
    Nobody(String),
}

impl LocalGame {
    /// Takes a line of the file.
    pub fn restore(&mut self, entry: Entry) {
        match entry {
            Entry::Request(request) => self.push_request(request),
            Entry::Answer(answer) => self.answers.push(answer),
            Entry::Delivered(_) => self.delivered = self.answers.len(),
            Entry::GivenUp(why) => self.given_up = Some(why),
            Entry::Fault(name) => self.fault = Some(name),
        }
    }

    /// Sorts out a request without taking it. `open_at_start` is whether cells may be open in a
    /// match's first request, as with `skipfirst`.
    pub fn check(&self, request: &Value, open_at_start: bool) -> Received {
        if self.requests.contains(request) {
            return Received::Repeated;
        }
        self.refusal(request, open_at_start).map_or(Received::Turn, Received::Unplayable)
    }

    /// Why a request that is new cannot be answered, if it cannot.
    fn refusal(&self, request: &Value, open_at_start: bool) -> Option<String> {
        if self.given_up.is_some() {
            return self.given_up.clone();
        }
        if !is_minesweeper(request) {
            return Some("it is not a Minesweeper match".to_owned());
        }
        let changed = match request::read(request) {
            Ok(input) => input.changed,
            Err(why) => return Some(why),
        };
        let why = match self.answers.last() {
            _ if self.requests.is_empty() => (!open_at_start && !changed.is_empty()).then_some(
                "its start was not seen, so no cell is known to be hidden (--skipfirst if it \
                 starts with open cells)",
            ),
            Some(answer) if !self.is_asked() => {
                let answered = answered_cell(&answer["response"]).ok();
                let opened = changed.first().map(|cell| (cell.row, cell.column));
                (opened != answered).then_some("the server has another answer than this client's")
            }
            _ => Some("another client has answered a turn"),
        };
        why.map(str::to_owned)
    }

    /// Takes the request of the next turn, which shows that the answer before it has arrived.
    pub fn push_request(&mut self, request: Value) {
        self.delivered = self.answers.len();
        if let Err(why) = push_request(&mut self.session, &request) {
            self.unreadable.get_or_insert(why);
        }
        self.requests.push(request);
    }

    /// Who answers the last request. Without a usable size only the first request of a match that
    /// opens no cell has an answer that is certain to be legal: every field has the cell (0,0).
    pub fn answerer(&self) -> Answerer {
        let why = match (&self.unreadable, self.session.board()) {
            (Some(why), _) => return Answerer::Nobody(why.clone()),
            (None, Ok((board, _))) if board.hidden_len() > 0 => return Answerer::Bot,
            (None, Ok(_)) => return Answerer::Nobody(ReadError::NoHiddenCell.to_string()),
            (None, Err(ReadError::NoField { missing })) => {
                format!("no request has a usable \"{}\"", missing.join("\" or \""))
            }
            (None, Err(error)) => error.to_string(),
        };
        let [first] = &self.requests[..] else { return Answerer::Nobody(why) };
        let is_untouched = request::read(first).is_ok_and(|input| {
            input.changed.is_empty() && ![input.height, input.width].contains(&Some(0))
        });
        match is_untouched {
            true => Answerer::Client(json!({"response": {"row": 0, "col": 0}}), why),
            false => Answerer::Nobody(why),
        }
    }

    /// A request as a bot is given it: as it came, but for values that cannot be read. In their
    /// place are those that the other requests state, so that no bot fails for them.
    pub fn for_bot(&self, request: &Value) -> Value {
        let is_readable = FIELD_KEYS.iter().all(|key| request[key].is_u64());
        let Ok((board, _)) = self.session.board() else { return request.clone() };
        if is_readable && request.get("requests").is_none() {
            return request.clone();
        }
        let shape = board.shape();
        let mines = self.session.mine_count().unwrap_or_default();
        let mut mended = json!({"changed": request["changed"]});
        let known = [shape.rows().into(), shape.columns().into(), mines];
        for (key, known) in FIELD_KEYS.into_iter().zip(known) {
            mended[key] = request[key].as_u64().unwrap_or(known).into();
        }
        mended
    }

    /// Whether the last request has no answer.
    pub fn is_asked(&self) -> bool {
        self.requests.len() > self.answers.len()
    }

    /// The value of the header with the answer that has not arrived yet. An illegal answer that was
    /// given before is sent as null: the server would take it for a copy of the earlier one.
    pub fn owed(&self) -> Option<String> {
        let (answer, earlier) = self.answers.split_last()?;
        let value = |answer: &Value| header_value(&answer["response"]);
        let answer = (self.delivered < self.answers.len()).then(|| value(answer))?;
        let is_copy = earlier.iter().any(|earlier| value(earlier) == answer);
        Some(if is_copy { NO_ANSWER.to_owned() } else { answer })
    }

    /// The board that the requests show; `None` without a usable field.
    pub fn board(&self) -> Option<Board> {
        self.session.board().ok().map(|(board, _)| board)
    }

    /// Why a response is not legal now, if it is not.
    pub fn invalid_move(&self, response: &Value) -> Option<InvalidMove> {
        match self.board() {
            Some(board) => legal_cell(response, &board).err(),
            None => answered_cell(response).err(),
        }
    }
}

/// Tells a session the request of a turn.
///
/// # Errors
/// Why it cannot be read. The session is then as before.
pub fn push_request(session: &mut Session, request: &Value) -> Result<(), String> {
    request::read(request).map(|input| session.push(input))
}

/// The value of a header with this response: the cell alone, or null where there is none.
fn header_value(response: &Value) -> String {
    let cell = answered_cell(response).ok();
    cell.map_or(NO_ANSWER.to_owned(), |(row, col)| format!(r#"{{"row":{row},"col":{col}}}"#))
}

/// What of this init data the server has replaced in a request; `None` where it has kept all.
pub fn replaced(initdata: &Value, request: &Value) -> Option<String> {
    let is_replaced = |key: &&str| !initdata[*key].is_null() && initdata[*key] != request[*key];
    let keys = ["width", "height", "minecount"].into_iter().filter(is_replaced);
    let texts = keys.map(|key| format!("{key} {} instead of {}", request[key], initdata[key]));
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| format!("the server plays {}", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(changed: &Value) -> Value {
        json!({"height": 3, "width": 3, "minecount": 1, "changed": changed})
    }

    fn cell(row: i32, col: i32) -> Value {
        json!([{"row": row, "col": col, "val": 1}])
    }

    fn answered(game: &mut LocalGame, row: i32, col: i32) {
        game.answers.push(json!({"response": {"row": row, "col": col}, "debug": "é"}));
    }

    #[test]
    fn a_match_goes_on_only_from_its_own_answers() {
        let mut game = LocalGame::default();
        for nothing in [json!(null), json!([]), json!("")] {
            assert_eq!(game.check(&request(&nothing), false), Received::Turn);
        }
        assert!(matches!(game.check(&request(&cell(0, 0)), false), Received::Unplayable(_)));
        assert_eq!(game.check(&request(&cell(0, 0)), true), Received::Turn);
        game.push_request(request(&json!(null)));
        assert_eq!(game.check(&request(&json!(null)), false), Received::Repeated);
        // While the bot thinks, no next turn can be its own.
        assert!(matches!(game.check(&request(&cell(0, 0)), false), Received::Unplayable(_)));
        answered(&mut game, 1, 1);
        assert!(matches!(game.check(&request(&cell(0, 0)), false), Received::Unplayable(_)));
        assert_eq!(game.check(&request(&cell(1, 1)), false), Received::Turn);
        game.push_request(request(&cell(1, 1)));
        // A late copy of an earlier request.
        assert_eq!(game.check(&request(&json!(null)), false), Received::Repeated);
        game.given_up = Some("why".to_owned());
        let given_up = Received::Unplayable("why".to_owned());
        assert_eq!(game.check(&request(&cell(2, 2)), false), given_up);
    }

    #[test]
    fn another_game_is_not_played() {
        for other in [json!({"x": 1}), json!("text"), json!({"height": "3", "width": 3})] {
            let received = LocalGame::default().check(&other, true);
            assert_eq!(received, Received::Unplayable("it is not a Minesweeper match".into()));
        }
    }

    #[test]
    fn a_request_that_hides_what_it_opens_is_not_answered() {
        for bad in [json!({}), json!("x"), json!([5]), json!([{"row": "x", "col": 0, "val": 1}])] {
            let is_refused = |game: &LocalGame| {
                let received = game.check(&request(&bad), true);
                let why = "\"changed\" of its request";
                matches!(received, Received::Unplayable(found) if found.starts_with(why))
            };
            let mut game = LocalGame::default();
            assert!(is_refused(&game), "{bad}");
            game.push_request(request(&json!(null)));
            answered(&mut game, 1, 1);
            assert!(is_refused(&game), "{bad}");
            // An earlier version has taken it.
            game.restore(Entry::Request(request(&bad)));
            assert!(matches!(game.answerer(), Answerer::Nobody(why) if why.contains("changed")));
        }
    }

    #[test]
    fn a_size_that_cannot_be_used_leaves_one_cell_on_the_first_turn() {
        fn of(size: &Value, changed: &Value) -> Value {
            json!({"height": size, "width": 3, "minecount": 1, "changed": changed})
        }
        let corner = json!({"response": {"row": 0, "col": 0}});
        for (size, why) in [
            (json!("3"), "no request has a usable \"height\""),
            (json!(1.5), "no request has a usable \"height\""),
            (json!(4_000_000), "\"height\" 4000000, \"width\" 3: "),
        ] {
            let mut game = LocalGame::default();
            assert_eq!(game.check(&of(&size, &json!(null)), false), Received::Turn);
            game.push_request(of(&size, &json!(null)));
            let Answerer::Client(answer, found) = game.answerer() else { panic!("{size}") };
            assert!(answer == corner && found.starts_with(why), "{found}");
            game.answers.push(answer);
            // A later turn has cells that are open.
            game.push_request(of(&size, &cell(0, 0)));
            assert_eq!(game.answerer(), Answerer::Nobody(found));
        }
        let first = |request| {
            let mut game = LocalGame::default();
            game.push_request(request);
            game.answerer()
        };
        assert_eq!(first(of(&json!(3), &json!(null))), Answerer::Bot);
        // A later turn states what the first one did not, and a bot is given both alike.
        let (unsized_one, later) = (of(&json!("3"), &json!(null)), of(&json!(3), &cell(0, 0)));
        let mut game = LocalGame::default();
        [&unsized_one, &later].into_iter().for_each(|request| game.push_request(request.clone()));
        assert_eq!(game.answerer(), Answerer::Bot);
        let given = [&unsized_one, &later].map(|request| game.for_bot(request));
        assert_eq!(given, [of(&json!(3), &json!(null)), later.clone()]);
        let mut with_history = later.clone();
        with_history["requests"] = json!([null]);
        assert_eq!(game.for_bot(&with_history), later);
        // No field has no row, and with --skipfirst cells are open.
        assert!(matches!(first(of(&json!(0), &json!(null))), Answerer::Nobody(_)));
        assert!(matches!(first(of(&json!("3"), &cell(0, 0))), Answerer::Nobody(_)));
        let whole = json!([{"row": 0, "col": 0, "val": 1}]);
        let full = first(json!({"height": 1, "width": 1, "minecount": 1, "changed": whole}));
        assert!(matches!(full, Answerer::Nobody(why) if why.starts_with("no cell is hidden")));
    }

    #[test]
    fn an_answer_is_owed_until_it_has_arrived() {
        let mut game = LocalGame::default();
        assert_eq!(game.owed(), None);
        game.push_request(request(&json!(null)));
        assert!(game.is_asked() && game.owed().is_none());
        answered(&mut game, 0, 2);
        assert_eq!(game.owed().as_deref(), Some(r#"{"row":0,"col":2}"#));
        game.delivered = 1;
        assert_eq!((game.owed(), game.is_asked()), (None, false));
        game.answers[0] = json!({"response": {"row": "é"}});
        game.delivered = 0;
        assert_eq!(game.owed().as_deref(), Some("null"));
    }

    #[test]
    fn an_illegal_answer_does_not_look_like_an_earlier_one() {
        let mut game = LocalGame::default();
        for changed in [json!(null), cell(1, 1)] {
            game.push_request(request(&changed));
            answered(&mut game, 1, 1);
        }
        assert_eq!(game.owed().as_deref(), Some("null"));
    }

    #[test]
    fn replaced_init_data_is_told() {
        let request = request(&json!(null));
        for kept in [json!({}), json!({"width": 3, "seed": 7}), json!({"height": null})] {
            assert_eq!(replaced(&kept, &request), None, "{kept}");
        }
        let text = replaced(&json!({"width": 500, "height": 3, "minecount": "9"}), &request);
        let expected = "the server plays width 3 instead of 500, minecount 1 instead of \"9\"";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn a_match_is_restored_from_its_lines() {
        let mut game = LocalGame::default();
        let states = [
            (Entry::Request(request(&json!(null))), true, false),
            (Entry::Answer(json!({"response": {"row": 1, "col": 1}})), false, true),
            (Entry::Delivered(true), false, false),
            (Entry::Request(request(&cell(1, 1))), true, false),
            (Entry::Answer(json!({"response": {"row": 0, "col": 0}})), false, true),
            // The file may lack the line that the answer has arrived.
            (Entry::Request(request(&cell(0, 0))), true, false),
            (Entry::Fault("crash".to_owned()), true, false),
        ];
        for (entry, is_asked, owes) in states {
            let line = serde_json::to_string(&entry).unwrap();
            assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
            game.restore(entry);
            assert_eq!((game.is_asked(), game.owed().is_some()), (is_asked, owes), "{line}");
        }
        assert_eq!(game.board().unwrap().hidden().count(), 7);
        assert_eq!(game.fault.as_deref(), Some("crash"));
    }

    #[test]
    fn a_legal_move_opens_a_hidden_cell() {
        let mut game = LocalGame::default();
        game.push_request(request(&json!(null)));
        answered(&mut game, 1, 1);
        game.push_request(request(&cell(1, 1)));
        let invalid = |response| game.invalid_move(&response);
        assert_eq!(invalid(json!({"row": 0, "col": 2})), None);
        assert_eq!(
            invalid(json!({"row": 1, "col": 1})),
            Some(InvalidMove::Open { row: 1, column: 1 })
        );
        assert_eq!(
            invalid(json!({"row": 3, "col": 0})),
            Some(InvalidMove::Outside { row: 3, column: 0 })
        );
        assert_eq!(invalid(json!([1, 1])), Some(InvalidMove::NoAnswer));
    }
}
