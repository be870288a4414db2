//! The chance to win at the turns of a replay, compared with that of the position alone.

use serde_json::Value;

use crate::bots::{judge, recorded};

#[test]
fn a_turn_of_a_replay_has_the_chance_that_explain_tells() {
    let game = recorded("default-30x20-80.json");
    let setting = ["--effort", "fast", "--objective", "clean-win", "--playouts", "20", "--json"];
    let printed = |command: &str, options: &[&str]| -> Value {
        let words = [command, game.to_str().unwrap()];
        let run = judge(words.iter().chain(&setting).chain(options));
        serde_json::from_str(&run.stdout).unwrap()
    };
    let replayed = printed("replay", &[]);
    let turns = replayed["turns"].as_array().unwrap();
    let told: Vec<&Value> = turns.iter().filter(|turn| turn["chance"].is_object()).collect();
    assert!(told.len() > 10 && told.len() < turns.len());
    for turn in told.into_iter().step_by(7) {
        let number = turn["turn"].to_string();
        let explained = printed("explain", &["--turn", &number]);
        assert_eq!(explained["chance"]["cells"][0], turn["chance"]["cells"][0], "turn {number}");
        for key in ["exact", "playouts", "policy", "unit"] {
            assert_eq!(explained["chance"][key], turn["chance"][key], "turn {number}, {key}");
        }
    }
}
