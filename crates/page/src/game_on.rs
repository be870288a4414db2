//! The game that was asked for last, which goes on: by the player's clicks, or by the engine's.
//!
//! A request has the setting and all clicks. Where it continues the game before, only the new
//! clicks are played; any other game is played from its start. A board without guesses is thus
//! generated once, and a click costs what it opens.
//!
//! Invariant: an answer is that of a game played from its start. Endings are those of
//! [`game::referee`]; under the classic rules a hit ends the game too.

use super::answer::{GameAnswer, PageAnswer};
use super::play::{field, rule, untouched};
use super::position::{Analyzers, cell_of};
use super::request::{PageRequest, RequestedCell};
use analysis::json::coordinates::list_coordinates;
use analysis::json::decision::MoveReport;
use game::figures::{bbbv, bbbv_where};
use game::referee::{InvalidMove, Referee, show};
use game::rule::Rule;
use sapper::Decision;
use sapper::board::Board;
use sapper::board::geometry::Cell;

/// The clicks that the engine adds at once, unless the request says how many.
const MOST_CLICKS: usize = 50;

/// The game that was asked for last.
#[derive(Default)]
pub struct LastPlayed {
    kept: Option<PlayedGame>,
}

impl LastPlayed {
    /// The game after the clicks.
    ///
    /// # Errors
    /// One line, where the request is no game.
    pub fn open(&mut self, request: &PageRequest) -> Result<PageAnswer, String> {
        if request.clicks.is_empty() {
            return Ok(PageAnswer::Game(Box::new(untouched(request)?.1)));
        }
        let game = self.after_clicks(request)?;
        Ok(PageAnswer::Game(Box::new(game.answer(Vec::new()))))
    }

    /// The game after the clicks and the engine's own moves. The engine stops when the game is
    /// over, after a guess, which may take long, and after `most` moves.
    ///
    /// # Errors
    /// One line, where the request is no game.
    pub fn play(
        &mut self,
        request: &PageRequest,
        analyzers: &mut Analyzers,
    ) -> Result<PageAnswer, String> {
        let analyzer = analyzers.get(request);
        let mut continued = request.clone();
        let mut played = Vec::new();
        if continued.clicks.is_empty() {
            let (board, answer) = untouched(request)?;
            let Some(chosen) = analyzer.decide(&board) else {
                return Ok(PageAnswer::Game(Box::new(answer)));
            };
            continued.clicks.push(requested(&board, &chosen));
            played.push(MoveReport::new(board.shape(), &chosen));
        }
        let game = self.after_clicks(&continued)?;
        while !game.is_over && played.len() < request.most.unwrap_or(MOST_CLICKS) {
            let Some(chosen) = analyzer.decide(&game.board) else { break };
            let is_guess = !chosen.by.is_proof();
            played.push(MoveReport::new(game.board.shape(), &chosen));
            game.open(requested(&game.board, &chosen), true)?;
            if is_guess {
                break;
            }
        }
        Ok(PageAnswer::Game(Box::new(game.answer(played))))
    }

    fn after_clicks(&mut self, request: &PageRequest) -> Result<&mut PlayedGame, String> {
        let clicks = &request.clicks;
        let since = request.since.unwrap_or(clicks.len() - 1);
        let kept = self.kept.take().filter(|kept| kept.is_before(request, since));
        let mut game = match kept {
            Some(kept) => kept,
            None => PlayedGame::new(request)?,
        };
        game.changed.clear();
        for (index, &click) in clicks.iter().enumerate().skip(game.clicks.len()) {
            game.open(click, index >= since)?;
        }
        Ok(self.kept.insert(game))
    }
}

/// The cell of a decision as requests have it.
fn requested(board: &Board, chosen: &Decision) -> RequestedCell {
    let (shape, cell) = (board.shape(), chosen.cell());
    [shape.row(cell).into(), shape.column(cell).into()]
}

struct PlayedGame {
    /// The request that began it.
    setting: PageRequest,
    rule: Rule,
    bbbv: u32,
    clicks: Vec<RequestedCell>,
    board: Board,
    referee: Referee,
    is_over: bool,
    /// What the last clicks opened: row, column and value.
    changed: Vec<[u32; 3]>,
}

impl PlayedGame {
    /// The game of a request with clicks, before the first of them.
    fn new(request: &PageRequest) -> Result<PlayedGame, String> {
        let field = field(request, request.clicks.first().copied())?;
        let mines = field.mines().count() as u32;
        Ok(PlayedGame {
            setting: request.clone(),
            rule: rule(request)?,
            bbbv: bbbv(&field),
            clicks: Vec::new(),
            board: Board::new(field.shape(), mines),
            referee: Referee::new(field, mines),
            is_over: false,
            changed: Vec::new(),
        })
    }

    /// Whether the game of a request goes on from here. Its changes are listed from click `since`.
    fn is_before(&self, request: &PageRequest, since: usize) -> bool {
        let setting = |game: &PageRequest| {
            (game.rule, game.width, game.height, game.minecount, game.seed, game.first, game.proof)
        };
        setting(&self.setting) == setting(request)
            && self.setting.mines == request.mines
            && request.clicks.starts_with(&self.clicks)
            && self.clicks.len() <= since
            // The layout may depend on the first click, which is then the same.
            && !self.clicks.is_empty()
    }

    fn open(&mut self, click: RequestedCell, is_listed: bool) -> Result<(), String> {
        let shape = self.board.shape();
        let cell = cell_of(shape, click)?;
        let opened = if self.is_over { Err(InvalidMove::Over) } else { self.referee.open(cell) };
        let opened = opened.map_err(|invalid| format!("click {}: {invalid}", self.clicks.len()))?;
        self.is_over = opened.ended || (opened.hit && self.rule.is_classic());
        show(&mut self.board, opened.changed);
        if is_listed {
            let listed = |&(cell, value)| [shape.row(cell), shape.column(cell), u32::from(value)];
            self.changed.extend(opened.changed.iter().map(listed));
        }
        self.clicks.push(click);
        Ok(())
    }

    fn answer(&self, played: Vec<MoveReport>) -> GameAnswer {
        let PlayedGame { board, referee, is_over, .. } = self;
        let mines: Vec<Cell> = referee.field().mines().collect();
        GameAnswer {
            bbbv: Some(self.bbbv),
            changed: self.changed.clone(),
            field: board.to_text(Some(board.mines().into())),
            hits: referee.hits(),
            mines: is_over.then(|| list_coordinates(board.shape(), &mines)),
            over: *is_over,
            played,
            score: referee.score(),
            solved_bbbv: bbbv_where(referee.field(), |cell| referee.is_open(cell)),
            won: *is_over && referee.hits() == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::service::Service;

    fn call(service: &mut Service, request: &Value) -> Value {
        serde_json::from_str(&service.call(&request.to_string())).unwrap()
    }

    fn game(change: &Value) -> Value {
        let mut game = json!({"do": "open", "rule": "open-first", "width": 9, "height": 9,
            "minecount": 10, "seed": 3, "clicks": [[4, 4]]});
        game.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        game
    }

    #[test]
    fn a_game_that_goes_on_is_the_game_from_its_start() {
        let mut warm = Service::default();
        let mut moves = vec![json!([4, 4])];
        let all = call(&mut warm, &game(&json!({"do": "play", "most": 60})));
        moves.extend(all["played"].as_array().unwrap().iter().map(|played| played["cell"].clone()));
        assert!(moves.len() > 5, "{all}");
        // On, back, from another game, and with the changes of several clicks.
        for (count, change) in [
            (1, json!({})),
            (2, json!({})),
            (4, json!({})),
            (3, json!({})),
            (3, json!({})),
            (5, json!({"since": 2})),
            (4, json!({"seed": 4})),
            (1, json!({})),
            (0, json!({})),
            (2, json!({"proof": "groups"})),
            (3, json!({"proof": "groups"})),
        ] {
            let mut request = game(&change);
            request["clicks"] = json!(moves[..count]);
            let answer = call(&mut warm, &request);
            assert_eq!(answer, call(&mut Service::default(), &request), "{request}");
            if change == json!({}) {
                assert_eq!(answer.get("error"), None);
            }
        }
    }

    #[test]
    fn the_engine_plays_what_it_decides() {
        for rule in ["botzone", "safe-first", "open-first"] {
            let mut service = Service::default();
            let mut request = game(&json!({"rule": rule, "clicks": [], "effort": "fast",
                "objective": if rule == "botzone" { "fewest-hits" } else { "clean-win" }}));
            let mut expected = call(&mut service, &request);
            let mut clicks = Vec::new();
            while expected["over"] == json!(false) {
                let decide = json!({"do": "decide", "field": expected["field"],
                    "effort": request["effort"], "objective": request["objective"]});
                clicks.push(call(&mut Service::default(), &decide)["move"]["cell"].clone());
                request["clicks"] = json!(clicks);
                expected = call(&mut service, &request);
            }
            let mut played: Vec<Value> = Vec::new();
            let mut answer = Value::Null;
            request["do"] = json!("play");
            for requests in 1.. {
                request["clicks"] = json!(played);
                answer = call(&mut service, &request);
                let moves = answer["played"].as_array().unwrap();
                assert!(!moves.is_empty() && requests < 50, "{answer}");
                played.extend(moves.iter().map(|played| played["cell"].clone()));
                if answer["over"] == json!(true) {
                    break;
                }
            }
            assert_eq!(played, clicks, "{rule}");
            for key in ["field", "hits", "won", "mines", "bbbv", "solved_bbbv"] {
                assert_eq!(answer[key], expected[key], "{key}");
            }
        }
    }

    #[test]
    fn a_board_without_guesses_is_one_by_its_seed() {
        let request = game(&json!({"proof": "numbers", "width": 30, "height": 16,
            "minecount": 99, "clicks": [[7, 15]], "do": "play", "most": 1000}));
        let answer = call(&mut Service::default(), &request);
        assert_eq!((&answer["won"], &answer["over"]), (&json!(true), &json!(true)), "{answer}");
        let is_proven = |played: &Value| played["odds"] == json!(0.0);
        assert!(answer["played"].as_array().unwrap().iter().all(is_proven));
        assert_eq!(answer["mines"].as_array().unwrap().len(), 99);
        assert_eq!(answer["solved_bbbv"], answer["bbbv"]);
        let error = call(&mut Service::default(), &game(&json!({"proof": "magic"})));
        assert!(
            error["error"].as_str().unwrap().contains("numbers, groups or counting"),
            "{error}"
        );
    }

    #[test]
    fn the_3bv_that_was_opened_is_told() {
        // A mine, 1, 0, 0, 1, a mine, 1: an opening, and a number beside none.
        let row = |clicks: Value| {
            let request = json!({"do": "open", "rule": "botzone", "width": 7, "height": 1,
                "mines": [[0, 0], [0, 5]], "clicks": clicks});
            let answer = call(&mut Service::default(), &request);
            (answer["bbbv"].clone(), answer["solved_bbbv"].clone())
        };
        assert_eq!(row(json!([])), (json!(2), json!(0)));
        assert_eq!(row(json!([[0, 6]])), (json!(2), json!(1)));
        assert_eq!(row(json!([[0, 1]])), (json!(2), json!(0)));
        assert_eq!(row(json!([[0, 6], [0, 2]])), (json!(2), json!(2)));
    }
}
