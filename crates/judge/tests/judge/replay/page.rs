//! The form of the page, and games that it cannot show as usual.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{between, data_of, hostile_log, page_of, replay};
use crate::bots::recorded;

#[test]
fn a_page_is_well_formed_and_self_contained() {
    let page = page_of(&recorded("dense-11x11-80.json"));
    // Without style and script the page is XML, which every HTML parser reads alike.
    let mut markup = page.clone();
    for (start, end) in
        [("<style>", "</style>"), ("id=\"data\">", "</script>"), ("<script>", "</script>")]
    {
        let inside = between(&page, start, end);
        assert!(inside.len() > 1000, "{start}");
        assert!(!inside.contains("</s") || start == "<script>", "{start}");
        markup = markup.replace(inside, "");
    }
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&markup, options).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    // Every element that the script uses exists.
    let script = between(&page, "<script>", "</script>");
    let used: Vec<&str> = script.split("byId(\"").skip(1).collect();
    assert!(used.len() > 2);
    for used in used.into_iter().map(|rest| rest.split('"').next().unwrap()) {
        assert!(ids.contains(&used), "{used}");
    }
    // The only URL is the namespace of SVG.
    let rest = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!rest.contains("http:") && !rest.contains("https:") && !rest.contains("src=\""));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn illegal_answers_have_a_caption_and_other_files_are_refused() {
    for (name, expected) in [
        ("outside.json", "no legal answer: (20,0) is outside the field"),
        ("reopen.json", "is open already"),
        ("null-answer.json", "no legal answer: there is no answer"),
    ] {
        let game = recorded(name);
        let data = data_of(&page_of(&game));
        let frames = data["frames"].as_array().unwrap();
        let [.., fault, end] = &frames[..] else { panic!("{name}") };
        assert_eq!((&fault["kind"], &fault["move"]), (&json!("illegal"), &Value::Null), "{name}");
        let caption = fault["caption"].as_str().unwrap();
        assert!(caption.contains(expected), "{caption}");
        let caption = end["caption"].as_str().unwrap();
        assert!(caption.contains("an illegal answer, score 0.00"), "{caption}");
    }
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("no-game.json");
    fs::write(&file, "{\"requests\":[]}").unwrap();
    let run = replay(&file, Path::new("-"), &[]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("not a recorded game"), "{}", run.stderr);
}

#[test]
fn text_from_the_log_is_never_markup() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("evil.json");
    fs::write(&file, hostile_log().to_string()).unwrap();
    let page = page_of(&file);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<img").count(), 0);
    let data = data_of(&page);
    let frames = data["frames"].as_array().unwrap();
    assert!(frames[0]["note"].as_str().unwrap().contains("<img src=x"));
    // The second board has odds; the third is inconsistent and has the reason.
    assert!(frames[1]["odds"].is_object() && frames[2]["odds"].is_null());
    let why = frames[2]["why"].to_string();
    assert!(why.contains("No layout fits: "), "{why}");
}
