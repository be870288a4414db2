//! A recorded game for the viewer: one frame a request, and the account of all clicks.
//!
//! A request with `told` asks for the chance to win, which takes many times as long, and for
//! judgements that follow from it.
//!
//! Every request has the game as text, so that any worker can answer it. The game that was asked
//! for last is kept, with what its clicks were judged.

use serde_json::Value;

use super::answer::PageAnswer;
use super::play;
use super::position::Analyzers;
use super::request::{PageRequest, required};
use analysis::Analyzer;
use analysis::chance::{Chances, POLICY};
use analysis::mistakes::{ClickAccount, Judgement};
use analysis::review::frame::Frame;
use analysis::review::person_game::PersonGame;
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use analysis::review::turn_chance::tell_chances;
use game::formats::Contents;
use game::record::Record;
use game::recording::Recording;
use sapper::bot::read_error::ReadError;
use sapper::protocol::Input;
use sapper::settings::params::{Effort, Objective};
use viewer::data::{AccountReport, ViewerFrame};

/// The game that was asked for last.
#[derive(Default)]
pub struct LastGame {
    kept: Option<KeptGame>,
}

struct KeptGame {
    text: String,
    game: Box<dyn ReviewedGame>,
    setting: (Effort, Objective),
    chances: Chances,
    /// Of each frame that was analyzed, without its chance and with it.
    clicks: [Vec<Option<JudgedClick>>; 2],
}

/// The judgement of the click of a frame, and whether it hit a mine.
type JudgedClick = (Option<Judgement>, bool);

impl KeptGame {
    fn frame(&mut self, turn: usize, is_told: bool, analyzer: &mut Analyzer) -> Frame {
        let mut frame = self.game.frame(turn, analyzer);
        if is_told {
            tell_chances(&mut frame, &mut self.chances, None);
        }
        self.clicks[usize::from(is_told)][turn] = Some((frame.judgement.clone(), frame.hit));
        frame
    }
}

impl LastGame {
    fn open(&mut self, request: &PageRequest) -> Result<&mut KeptGame, String> {
        let text = required(&request.game, "game")?;
        let setting = (request.effort, request.objective);
        let kept = self.kept.take();
        let kept = kept.filter(|kept| kept.text == *text && kept.setting == setting);
        let kept = match kept {
            Some(kept) => kept,
            None => {
                let game = GameSource::read(text)?.reviewed()?;
                let chances = Chances::new(request.objective, POLICY, || false);
                let clicks = [(); 2].map(|()| vec![None; game.frames()]);
                KeptGame { text: text.clone(), game, setting, chances, clicks }
            }
        };
        Ok(self.kept.insert(kept))
    }

    /// One frame.
    pub fn frame(
        &mut self,
        request: &PageRequest,
        analyzers: &mut Analyzers,
    ) -> Result<PageAnswer, String> {
        let (kept, turn) = (self.open(request)?, request.turn);
        let frames = kept.game.frames();
        if turn >= frames {
            return Err(format!("there is no turn {turn}: the game has {frames} frames"));
        }
        let frame = kept.frame(turn, request.told, analyzers.get(request));
        Ok(PageAnswer::Frame(Box::new(ViewerFrame::new(frame, request.objective))))
    }

    /// The account of all clicks; frames that were not asked for yet are analyzed.
    pub fn account(
        &mut self,
        request: &PageRequest,
        analyzers: &mut Analyzers,
    ) -> Result<PageAnswer, String> {
        let kept = self.open(request)?;
        let mut account = ClickAccount::default();
        let is_told = request.told;
        for turn in 0..kept.game.frames() {
            if kept.clicks[usize::from(is_told)][turn].is_none() {
                kept.frame(turn, is_told, analyzers.get(request));
            }
            if let Some((Some(judgement), is_hit)) = &kept.clicks[usize::from(is_told)][turn] {
                account.add(turn, judgement, *is_hit);
            }
        }
        Ok(PageAnswer::Account {
            account: AccountReport::new(&account, request.objective, kept.game.figures()),
        })
    }
}

/// A game as it was read.
#[derive(Clone)]
pub enum GameSource {
    /// Of the page: its own setting and clicks, and the game that they make.
    Own(Box<PageRequest>, Box<Record>),
    /// Of a bot.
    Log(Box<Record>),
    /// Of a person.
    Recording(Box<Recording>),
}

impl GameSource {
    /// Reads a game: a record or a log, a history of requests, the page's own setting and clicks,
    /// or a recording of a person as text.
    ///
    /// # Errors
    /// The fault of the text, in one line.
    pub fn read(text: &str) -> Result<GameSource, String> {
        let text = without_mark(text);
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        if value["do"] == "open" {
            let request = PageRequest::read(text)?;
            let record = play::record(&request)?;
            return Ok(GameSource::Own(Box::new(request), Box::new(record)));
        }
        let record = if value["requests"].is_array() {
            // Read from the text, so that an error names line and column.
            let input = serde_json::from_str::<Input>(text);
            input.map_err(|error| ReadError::Json(error).to_string())?;
            record_of_history(&value)?
        } else {
            let contents = game::formats::read(text.as_bytes());
            let not_a_game = || "not a recorded game".to_owned();
            match contents.map_err(|error| format!("{}: {error}", not_a_game()))? {
                Contents::Games(pack) => {
                    Record::read(&pack.only()?.game.text()).map_err(|error| error.to_string())?
                }
                Contents::Recording(recording) => return Ok(GameSource::Recording(recording)),
                _ => return Err(not_a_game()),
            }
        };
        Ok(GameSource::Log(Box::new(record)))
    }

    /// The game for the viewer.
    ///
    /// # Errors
    /// A turn of its log that cannot be read, in one line.
    pub fn reviewed(self) -> Result<Box<dyn ReviewedGame>, String> {
        let of_record = |record| RecordedGame::new(record).map_err(|error| error.to_string());
        Ok(match self {
            GameSource::Recording(recording) => Box::new(PersonGame::new(*recording)),
            GameSource::Log(record) => Box::new(of_record(*record)?),
            GameSource::Own(request, record) => {
                let game = of_record(*record)?;
                Box::new(if play::is_first_free(&request) { game.with_first_free() } else { game })
            }
        })
    }
}

/// A text without a byte order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// The log that a history of requests and responses is from.
fn record_of_history(history: &Value) -> Result<Record, String> {
    let list = |key: &str| history[key].as_array().into_iter().flatten();
    let record = Record::of_requests(list("requests"), list("responses"));
    if record.log.is_empty() { Err("the history has no request".to_owned()) } else { Ok(record) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LOG: &str = fixtures::sample::SMALL_GAME;

    fn frame(replay: &mut LastGame, game: &str, turn: usize) -> Result<Value, String> {
        told_frame(replay, game, turn, false)
    }

    fn told_frame(
        replay: &mut LastGame,
        game: &str,
        turn: usize,
        is_told: bool,
    ) -> Result<Value, String> {
        let request = json!({"game": game, "turn": turn, "effort": "fast", "told": is_told,
            "objective": "clean-win"});
        let request = PageRequest::read(&request.to_string()).unwrap();
        let answer = replay.frame(&request, &mut Analyzers::default())?;
        Ok(answer.to_value())
    }

    #[test]
    fn a_frame_is_the_same_whatever_was_asked_before() {
        let mut replay = LastGame::default();
        let own = r#"{"do":"open","rule":"botzone","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,0],[0,3]]}"#;
        for (game, turn) in [(LOG, 3), (own, 1), (LOG, 3), (own, 2), (LOG, 0)] {
            for is_told in [false, true] {
                let answer = told_frame(&mut replay, game, turn, is_told).unwrap();
                let alone = told_frame(&mut LastGame::default(), game, turn, is_told).unwrap();
                assert_eq!(answer, alone);
            }
        }
        let error = frame(&mut replay, own, 3).unwrap_err();
        assert_eq!(error, "there is no turn 3: the game has 3 frames");
    }

    #[test]
    fn a_needless_risk_costs_what_it_takes_from_the_chance() {
        // The 1 at (0,1) says that either neighbour is the mine, and the last cell is safe.
        let game = r#"{"do":"open","rule":"safe-first","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,1],[0,2]]}"#;
        let mut replay = LastGame::default();
        let [guessed, told] =
            [false, true].map(|is_told| told_frame(&mut replay, game, 1, is_told).unwrap());
        // The last cell tells where the mine is: the game is won.
        assert_eq!(told["chance"]["move"], 1.0, "{told}");
        assert_eq!(told["chance"]["click"], 0.5);
        assert!(guessed["chance"].is_null());
        for is_told in [false, true, false] {
            let request = json!({"game": game, "effort": "fast", "objective": "clean-win",
                "told": is_told});
            let request = PageRequest::read(&request.to_string()).unwrap();
            let answer = replay.account(&request, &mut Analyzers::default()).unwrap().to_value();
            let expected = if is_told { &told } else { &guessed };
            let costliest = &answer["account"]["costliest"][0];
            assert_eq!(costliest["cost"], expected["judgement"]["cost"]);
        }
    }

    #[test]
    fn a_log_and_its_history_of_requests_are_the_same_game() {
        let record = Record::read(LOG).unwrap();
        let turns = record.answers() - 1;
        let history = record.input(turns).unwrap().to_string();
        for turn in [0, turns / 2, turns - 1] {
            let of_log = frame(&mut LastGame::default(), LOG, turn).unwrap();
            assert_eq!(frame(&mut LastGame::default(), &history, turn).unwrap(), of_log);
        }
    }

    #[test]
    fn the_account_of_a_game_of_the_page_is_summed_over_its_clicks() {
        let game = r#"{"do":"open","rule":"safe-first","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,1],[0,0]]}"#;
        let request = json!({"game": game, "effort": "fast", "objective": "clean-win"});
        let request = PageRequest::read(&request.to_string()).unwrap();
        let mut replay = LastGame::default();
        let answer = replay.account(&request, &mut Analyzers::default()).unwrap().to_value();
        let account = &answer["account"];
        // 1/4 for the first click; then the 1 says that either neighbour is the mine, and the last
        // cell is safe: a needless risk of 1/2.
        assert!((account["risk"].as_f64().unwrap() - 0.75).abs() < 1e-12, "{account}");
        assert_eq!((&account["hits"], &account["costliest"][0]["turn"]), (&json!(1), &json!(1)));
        assert!((account["costliest"][0]["cost"].as_f64().unwrap() - 0.5).abs() < 1e-12);
        let last = frame(&mut replay, game, 2).unwrap();
        assert_eq!((&last["kind"], &last["score"]), (&json!("end"), &json!(0.0)));
    }

    #[test]
    fn a_first_click_that_the_rules_keep_free_is_not_judged() {
        for (rule, is_free) in [("botzone", false), ("safe-first", true), ("open-first", true)] {
            let game = json!({"do": "open", "rule": rule, "width": 9, "height": 9, "minecount": 10,
                "seed": 3, "clicks": [[4, 4]]});
            let request = json!({"game": game.to_string(), "effort": "fast"});
            let request = PageRequest::read(&request.to_string()).unwrap();
            let mut replay = LastGame::default();
            let answer = replay.account(&request, &mut Analyzers::default()).unwrap().to_value();
            let risk = if is_free { 0.0 } else { 10.0 / 81.0 };
            assert!((answer["account"]["risk"].as_f64().unwrap() - risk).abs() < 1e-12, "{rule}");
            let first = frame(&mut replay, &game.to_string(), 0).unwrap();
            assert_eq!((first["kind"] == "rule", first["odds"].is_null()), (is_free, is_free));
            let second = frame(&mut replay, &game.to_string(), 1).unwrap();
            assert!(second["odds"].is_array(), "{second}");
        }
    }

    #[test]
    fn what_is_no_game_is_one_line() {
        for (text, fault) in [
            ("", "not a recorded game"),
            ("{}", "not a recorded game"),
            (r#"{"requests":[]}"#, "the history has no request"),
            (r#"{"requests":[7]}"#, "at line 1 column 14"),
            ("{\"requests\":\n[{\"width\":\"3\"}]}", "at line 2 column 13"),
            (r#"{"requests":[{"width":3}]}"#, "turn 0"),
            (r#"{"do":"open"}"#, "needs `rule`"),
            (r#"{"do":"open","rule":7}"#, "the request is wrong"),
        ] {
            let error = frame(&mut LastGame::default(), text, 0).unwrap_err();
            assert!(error.contains(fault) && error.lines().count() == 1, "{text}: {error}");
        }
    }
}
