//! The requests of the page, and which module answers each.
//!
//! A request is an object whose `do` names it. Its answer is an object too: what was asked for, or
//! `error` with one line.

use super::answer::PageAnswer;
use super::chance::LastChance;
use super::game_on::LastPlayed;
use super::position::{self, Analyzers};
use super::replay::LastGame;
use super::request::PageRequest;
use super::{play, read, write};

/// Answers requests, and keeps what is worth keeping between them.
#[derive(Default)]
pub struct Service {
    analyzers: Analyzers,
    played: LastPlayed,
    replay: LastGame,
    chance: LastChance,
}

impl Service {
    /// The answer to a request.
    pub fn call(&mut self, request: &str) -> String {
        let answer = PageRequest::read(request).and_then(|request| self.answer(&request));
        let answer = answer.unwrap_or_else(|error| PageAnswer::Error { error });
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn answer(&mut self, request: &PageRequest) -> Result<PageAnswer, String> {
        let Service { analyzers, played, replay, chance } = self;
        match request.what.as_str() {
            "odds" => position::odds(request, analyzers),
            "analyse" => position::analysis(request, analyzers, chance),
            "chance" => position::chance(request, analyzers, chance),
            "decide" => position::decide(request, analyzers),
            "cell" => position::cell(request, analyzers),
            "ahead" => position::ahead(request, analyzers),
            "judge" => position::judge(request, analyzers),
            "cost" => position::cost(request),
            "lay" => play::lay(request),
            "open" => played.open(request),
            "play" => played.play(request, analyzers),
            "read" => read::read(request),
            "write" => write::write(request),
            "frame" => replay.frame(request, analyzers),
            "account" => replay.account(request, analyzers),
            what => Err(format!("there is no request `{what}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const FIELD: &str = "5 4 5\n.....\n.2...\n....1\n.....";

    fn call(service: &mut Service, request: &Value) -> Value {
        serde_json::from_str(&service.call(&request.to_string())).unwrap()
    }

    #[test]
    fn an_answer_does_not_depend_on_the_requests_before_it() {
        let mut warm = Service::default();
        let fields = [FIELD, "3 2 1\n1..\n1..", "4 4 3\n....\n.3..\n....\n...."];
        for _ in 0..2 {
            for field in fields {
                for effort in ["fast", "standard"] {
                    for what in ["odds", "analyse", "decide", "cell"] {
                        let request = json!({"do": what, "field": field, "effort": effort,
                            "objective": "clean-win", "cell": [1, 1]});
                        let answer = call(&mut warm, &request);
                        assert_eq!(answer, call(&mut Service::default(), &request), "{request}");
                        assert!(answer.get("error").is_none(), "{answer}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_summary_is_a_part_of_the_analysis() {
        let mut service = Service::default();
        let request = |what: &str| json!({"do": what, "field": FIELD, "effort": "fast"});
        let all = call(&mut service, &request("analyse"));
        for (key, value) in call(&mut service, &request("odds")).as_object().unwrap() {
            if key != "move" {
                assert_eq!(&all[key], value, "{key}");
            }
        }
        let decided = call(&mut service, &request("decide"));
        for (key, value) in decided["move"].as_object().unwrap() {
            assert_eq!(&all["move"][key], value, "{key}");
        }
        assert!(all["move"]["why"][0].as_str().unwrap().len() > 20, "{all}");
    }

    #[test]
    fn a_position_that_cannot_be_has_its_conflicts_and_still_a_move() {
        let mut service = Service::default();
        for (field, numbers, words) in [
            ("8 1 2\n1.00.11.", json!([[0, 0], [0, 2]]), "1 at (0,0)"),
            ("2 1 0\n.2", json!([[0, 1]]), "shows 2, but at most 1"),
            ("2 1 5\n..", json!([]), "minecount 5"),
        ] {
            let request = json!({"do": "analyse", "field": field, "effort": "fast"});
            let answer = call(&mut service, &request);
            let conflict = &answer["conflicts"][0];
            assert_eq!(conflict["numbers"], numbers, "{answer}");
            assert!(conflict["text"].as_str().unwrap().contains(words), "{answer}");
            assert!(answer.get("odds").is_none());
            let request = json!({"do": "decide", "field": field, "effort": "fast"});
            assert!(call(&mut service, &request)["move"]["cell"].is_array());
        }
    }

    #[test]
    fn without_a_mine_count_the_density_counts() {
        let mut service = Service::default();
        let request = json!({"do": "odds", "field": "3 1\n1..", "density": 0.3});
        let answer = call(&mut service, &request);
        assert_eq!((&answer["minecount"], &answer["density"]), (&Value::Null, &json!(0.3)));
        assert!((answer["odds"][0][2].as_f64().unwrap() - 0.3).abs() < 1e-12);
        for (density, what) in [(json!(0.0), "odds"), (json!(1.0), "odds"), (json!(null), "decide")]
        {
            let request = json!({"do": what, "field": "3 1\n1..", "density": density});
            assert!(call(&mut service, &request)["error"].is_string(), "{request}");
        }
    }

    #[test]
    fn a_cell_says_what_it_may_show_and_what_follows() {
        let request = json!({"do": "cell", "field": "3 1 1\n...", "cell": [0, 0]});
        let answer = call(&mut Service::default(), &request);
        let outcomes = answer["outcomes"].as_array().unwrap();
        let shows: Vec<&Value> = outcomes.iter().map(|outcome| &outcome["shows"]).collect();
        assert_eq!(shows, [&json!(0), &json!(1), &json!("mine")]);
        assert_eq!(outcomes[0]["then_safe"], json!([[0, 1]]));
        assert_eq!(outcomes[0]["then_mines"], json!([[0, 2]]));
        assert_eq!(outcomes[2]["then_safe"], json!([[0, 1], [0, 2]]));
    }

    #[test]
    fn the_cells_promise_zeros_and_safe_cells() {
        let mut service = Service::default();
        let request = json!({"do": "ahead", "field": "3 1 1\n...", "objective": "clean-win"});
        let answer = call(&mut service, &request);
        let rounded = |key: &str, at: usize| (answer[key][0][at].as_f64().unwrap() * 3.0).round();
        assert_eq!([0, 1, 2].map(|at| rounded("zero", at)), [1.0, 0.0, 1.0]);
        assert_eq!([0, 1, 2].map(|at| rounded("next_safe", at)), [2.0, 0.0, 2.0]);
        assert_eq!(answer["tells_nothing"], json!([[0, 1]]));
        // An open cell promises nothing, and without a number of mines no chance is known.
        let request = json!({"do": "ahead", "field": "3 1 1\n1.."});
        assert_eq!(call(&mut service, &request)["zero"][0][0], Value::Null);
        let request = json!({"do": "ahead", "field": "3 1\n1.."});
        assert_eq!(call(&mut service, &request)["error"], "chances need the number of mines");
    }

    #[test]
    fn a_chance_is_the_same_in_parts_and_at_once() {
        let field = "9 5 12\n1........\n.........\n....3....\n.........\n.........";
        let mut parts = Service::default();
        for objective in ["clean-win", "fewest-hits"] {
            let ask = |service: &mut Service, playouts: usize, most: Option<usize>| {
                let request = json!({"do": "chance", "field": field, "objective": objective,
                    "effort": "fast", "playouts": playouts, "most": most});
                call(service, &request)
            };
            // The analysis begins with the chances; what else is asked about changes none of them.
            call(
                &mut parts,
                &json!({"do": "analyse", "field": field, "effort": "fast",
                "objective": objective}),
            );
            for playouts in [0, 1, 19, 20, 33, 60, 25] {
                let found = ask(&mut parts, playouts, None);
                assert_eq!(found, ask(&mut Service::default(), playouts, None));
                assert_eq!(
                    (&found["goes_on"], found["chance"].is_null()),
                    (&json!(true), playouts < 20),
                    "{found}"
                );
                call(&mut parts, &json!({"do": "odds", "field": FIELD}));
            }
            let [all, one] = [None, Some(1)].map(|most| ask(&mut parts, 40, most)["chance"].take());
            assert_eq!(all["cells"].as_array().unwrap().len(), 8);
            assert_eq!(one["cells"], json!([all["cells"][0]]));
        }
    }

    #[test]
    fn a_chance_is_exact_or_told_to_be_unknown() {
        let mut service = Service::default();
        let request = |field: &str, density: Value| {
            json!({"do": "chance", "field": field, "objective": "clean-win", "playouts": 60,
                "effort": "fast", "density": density})
        };
        let exact = call(&mut service, &request("2 1 1\n..", Value::Null));
        assert_eq!(exact["goes_on"], json!(false));
        assert_eq!(exact["chance"]["exact"], json!(true));
        assert_eq!(exact["chance"]["cells"][0]["chance"], json!(0.5));
        // A safe cell has a chance too.
        let safe = call(&mut service, &request("3 2 1\n1..\n1..", Value::Null));
        assert_eq!(safe["chance"]["cells"].as_array().unwrap().len(), 1, "{safe}");
        let unknown = call(&mut service, &request("2 1\n..", json!(0.3)));
        assert_eq!(unknown, json!({"chance": null, "goes_on": false}));
        let impossible = call(&mut service, &request("2 1 5\n..", Value::Null));
        assert!(impossible["conflicts"].is_array(), "{impossible}");
    }

    #[test]
    fn garbage_has_an_error_of_one_line() {
        for request in [
            "",
            "{",
            "null",
            "[]",
            "{}",
            r#"{"do":7}"#,
            r#"{"do":"fly"}"#,
            r#"{"do":"odds"}"#,
            r#"{"do":"odds","field":7}"#,
            r#"{"do":"odds","field":"x"}"#,
            r#"{"do":"odds","field":"1 1 0\n.","effort":"heroic"}"#,
            r#"{"do":"cell","field":"1 1 0\n."}"#,
            r#"{"do":"cell","field":"1 1 0\n.","cell":[1,0]}"#,
            r#"{"do":"lay","rule":"open-first","width":3,"height":3,"minecount":1}"#,
            r#"{"do":"read"}"#,
            r#"{"do":"read","bytes":[256]}"#,
            r#"{"do":"write","field":""}"#,
        ] {
            let answer: Value = serde_json::from_str(&Service::default().call(request)).unwrap();
            let error = answer["error"].as_str().unwrap_or_else(|| panic!("{request}: {answer}"));
            assert!(!error.is_empty() && error.lines().count() == 1, "{request}: {error}");
        }
    }
}
