//! A long game: what is written of a turn does not grow with the field.

use std::fs;

use fixtures::long_log::long_log;
use sapper::Shape;
use serde_json::Value;
use tempfile::TempDir;

use super::{data_of, page_of};

#[test]
fn a_frame_has_only_what_changes() {
    let folder = TempDir::new().unwrap();
    let game = folder.path().join("game.json");
    let lengths = [20, 60].map(|side| {
        let shape = Shape::new(side, side).unwrap();
        fs::write(&game, long_log(shape, shape.len() / 5, 12)).unwrap();
        let data = data_of(&page_of(&game));
        let frames = data["frames"].as_array().unwrap();
        assert_eq!(frames.len(), 13);
        let length =
            |frame: &Value| frame["odds"].to_string().len() + frame["opened"].to_string().len();
        frames.iter().map(length).sum::<usize>()
    });
    assert!(lengths[0] > 300 && lengths[1] < 2 * lengths[0], "{lengths:?}");
}
