//! The page in a headless browser: keys, buttons, what is drawn, and the layout.
//!
//! The tests are skipped on a machine without Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{data_of, drawn, hostile_log, log_of, picture_of, replay};
use crate::bots::recorded;
use crate::browser::{Page, browser};

/// The text of the element that names the turn.
const TURN: &str = "document.getElementById('turn').textContent";
/// Whether the column of the opening bonus is hidden.
const BONUS_HIDDEN: &str = "document.getElementById('zero').hidden";

/// A recorded game and its page.
struct GamePage {
    directory: TempDir,
    file: PathBuf,
    game: PathBuf,
    data: Value,
    /// The last turn.
    end: usize,
}

impl GamePage {
    fn new(options: &[&str]) -> GamePage {
        let directory = TempDir::new().unwrap();
        let game = recorded("default-30x20-80.json");
        let file = directory.path().join("page.html");
        assert_eq!(replay(&game, &file, options).code, 0);
        let data = data_of(&fs::read_to_string(&file).unwrap());
        let end = log_of(&game).len() / 2;
        GamePage { directory, file, game, data, end }
    }

    /// The text of [`TURN`] in a turn.
    fn turn_text(&self, turn: usize) -> Value {
        json!(format!("{turn} / {}", self.end))
    }

    /// Goes to a turn by the address.
    fn go_to(&self, page: &mut Page, turn: usize) {
        page.value(&format!("location.hash = '#{turn}'"));
        page.wait(&format!("{TURN} === '{turn} / {}'", self.end));
    }

    /// The turns in which a mine was opened.
    fn hits(&self) -> Vec<usize> {
        (0..self.end).filter(|&turn| self.data["frames"][turn]["hit"] == json!(true)).collect()
    }

    /// The first turn whose frame `is_wanted`.
    fn first_turn(&self, is_wanted: impl Fn(&Value) -> bool) -> usize {
        self.data["frames"].as_array().unwrap().iter().position(is_wanted).unwrap()
    }
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium on this machine; name one in CHROME to run this test");
        return;
    };
    let game = GamePage::new(&[]);
    let mut page = Page::open(&browser, &game.file, "#3");
    assert_eq!(page.value(TURN), game.turn_text(3));
    keys_step_and_play(&game, &mut page);
    buttons_and_slider_step(&game, &mut page);
    saved_pictures_are_those_of_the_command(&game, &mut page);
    a_cell_can_be_selected_by_keys(&game, &mut page);
    let guess = game.first_turn(|frame| {
        frame["candidates"].as_array().is_some_and(|candidates| !candidates.is_empty())
    });
    game.go_to(&mut page, guess);
    assert_eq!(page.value(BONUS_HIDDEN), json!(true));
    the_layout_fits_every_screen(&mut page);
    // Every control has a name.
    let unnamed = "[...document.querySelectorAll('button, input')]\
        .filter(e => !(e.textContent || e.getAttribute('aria-label'))).length";
    assert_eq!(page.value(unnamed), json!(0));
    assert_eq!(page.errors, [""; 0]);
    // An error would have been recorded.
    page.value("console.error('on purpose')");
    page.value("1");
    assert_eq!(page.errors.len(), 1);
    drop(page);
    the_opening_bonus_has_a_column(&browser);
    markup_in_a_log_is_not_executed(&browser);
}

fn keys_step_and_play(game: &GamePage, page: &mut Page) {
    let (hits, end) = (game.hits(), game.end);
    assert!(hits.len() > 1);
    for (key, shift, expected) in [
        ("Home", false, 0),
        ("ArrowLeft", false, 0),
        ("ArrowRight", false, 1),
        ("PageDown", false, 11),
        ("ArrowLeft", false, 10),
        ("PageUp", false, 0),
        ("m", false, hits[0]),
        ("m", false, hits[1]),
        ("M", true, hits[0]),
        ("End", false, end),
        ("ArrowRight", false, end),
    ] {
        page.press(key, shift);
        assert_eq!(page.value(TURN), game.turn_text(expected), "{key}");
    }
    // At the end, the space bar plays from the start. Pressed again, it stops.
    page.press(" ", false);
    page.wait(&format!("parseInt({TURN}) > 0 && parseInt({TURN}) < {end}"));
    page.press(" ", false);
    let pressed = "document.getElementById('play').getAttribute('aria-pressed')";
    assert_eq!(page.value(pressed), json!("false"));
}

fn buttons_and_slider_step(game: &GamePage, page: &mut Page) {
    page.press("End", false);
    let slide = "{ const slider = document.getElementById('slider'); \
        slider.value = 40; slider.dispatchEvent(new Event('input')); }";
    for (action, expected) in [
        ("document.getElementById('back').click()", game.end - 1),
        ("document.getElementById('first').click()", 0),
        ("document.getElementById('next').click()", 1),
        (slide, 40),
    ] {
        page.value(action);
        assert_eq!(page.value(TURN), game.turn_text(expected), "{action}");
    }
    page.value("document.getElementById('slider').focus()");
    page.press("ArrowRight", false);
    assert_eq!(page.value(TURN), game.turn_text(41));
}

/// The page draws a turn as `judge replay --svg` does, after steps forward and back.
fn saved_pictures_are_those_of_the_command(game: &GamePage, page: &mut Page) {
    let downloads = json!({"behavior": "allow", "downloadPath": game.directory.path()});
    page.call("Page.setDownloadBehavior", &downloads);
    for turn in [41, game.end, game.hits()[0], 0] {
        game.go_to(page, turn);
        page.press("s", false);
        let saved = complete_picture(&game.directory.path().join(format!("turn-{turn}.svg")));
        let saved = drawn(&saved);
        assert_eq!(saved, drawn(&picture_of(&game.game, &turn.to_string())), "turn {turn}");
        let heading = page.value("document.getElementById('what').textContent");
        assert_eq!(heading, json!(saved.caption));
    }
}

/// The text of a downloaded picture. The browser creates the file before it writes the text.
fn complete_picture(file: &Path) -> String {
    for _ in 0..500 {
        if let Ok(text) = fs::read_to_string(file)
            && text.trim_end().ends_with("</svg>")
        {
            return text;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{} is not written", file.display());
}

fn a_cell_can_be_selected_by_keys(game: &GamePage, page: &mut Page) {
    game.go_to(page, 0);
    page.press("ArrowDown", true);
    let cell = page.value("document.getElementById('cell').textContent");
    assert!(cell.as_str().unwrap().ends_with(": hidden, a mine with 13.33 %"), "{cell}");
}

/// On a phone and on a large screen, in the light and the dark scheme.
fn the_layout_fits_every_screen(page: &mut Page) {
    for width in [320, 390, 1400] {
        let screen =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 1000});
        page.call("Emulation.setDeviceMetricsOverride", &screen);
        page.wait(&format!("innerWidth === {width}"));
        let content_width = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(content_width <= width, "{content_width} of {width}");
        let least_height = "Math.min(...[...document.querySelectorAll('button')]\
            .map(b => b.getBoundingClientRect().height))";
        assert!(page.value(least_height).as_f64().unwrap() >= 40.0);
    }
    let background = "getComputedStyle(document.body).backgroundColor";
    let scheme = |scheme| json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    page.call("Emulation.setEmulatedMedia", &scheme("light"));
    assert_eq!(page.value(background), json!("rgb(255, 255, 255)"));
    page.call("Emulation.setEmulatedMedia", &scheme("dark"));
    assert_eq!(page.value(background), json!("rgb(20, 22, 26)"));
}

fn the_opening_bonus_has_a_column(browser: &Path) {
    let game = GamePage::new(&["--objective", "clean-win"]);
    let has_bonus =
        |frame: &Value| frame["candidates"][0].as_array().is_some_and(|row| row.len() == 5);
    let guess = game.first_turn(has_bonus);
    let mut page = Page::open(browser, &game.file, &format!("#{guess}"));
    assert_eq!(page.value(BONUS_HIDDEN), json!(false));
    let missing_columns = "document.querySelectorAll('#candidates th').length \
        - document.querySelector('#candidates tbody tr').cells.length";
    assert_eq!(page.value(missing_columns), json!(0));
}

fn markup_in_a_log_is_not_executed(browser: &Path) {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("evil.json");
    fs::write(&file, hostile_log().to_string()).unwrap();
    let output = directory.path().join("evil.html");
    assert_eq!(replay(&file, &output, &[]).code, 0);
    let mut page = Page::open(browser, &output, "");
    page.press("End", false);
    let note = page.value("document.getElementById('note').textContent");
    assert!(note.as_str().unwrap().contains("window.evil = 1"), "{note}");
    assert_eq!(page.value("typeof window.evil"), json!("undefined"));
    assert_eq!(page.errors, [""; 0]);
}
