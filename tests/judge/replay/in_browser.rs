//! The page in a headless browser: keys, buttons, what is drawn, and the layout.
//!
//! The tests are skipped on a machine without Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Drawn, data_of, drawn, hostile_log, log_of, picture_of, replay};
use crate::bots::recorded;
use crate::browser::{Page, browser};

/// The text of the element that names the turn.
const TURN: &str = "document.querySelector('.viewer-turn').textContent";
/// Whether the column of the opening bonus is hidden.
const BONUS_HIDDEN: &str = "document.querySelector('.viewer-candidates th:nth-child(4)').hidden";
/// The side of a cell in pixels.
const SIDE: &str = "document.querySelector('.cell').getBoundingClientRect().width";

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
    fn new(name: &str, options: &[&str]) -> GamePage {
        let directory = TempDir::new().unwrap();
        let game = recorded(name);
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

    /// The turns whose frame `is_wanted`.
    fn turns(&self, is_wanted: impl Fn(&Value) -> bool) -> Vec<usize> {
        (0..=self.end).filter(|&turn| is_wanted(&self.data["frames"][turn])).collect()
    }

    /// The turns in which a mine was opened.
    fn hits(&self) -> Vec<usize> {
        self.turns(|frame| frame["hit"] == json!(true))
    }
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium on this machine; name one in CHROME to run this test");
        return;
    };
    let game = GamePage::new("default-30x20-80.json", &[]);
    let mut page = Page::open(&browser, &game.file, "#3");
    assert_eq!(page.value(TURN), game.turn_text(3));
    keys_step_and_play(&game, &mut page);
    every_key_has_a_button(&game, &mut page);
    the_slider_steps(&game, &mut page);
    mistakes_are_listed_and_marked(&game, &mut page);
    turns_look_like_the_pictures_of_the_command(&game, &mut page);
    a_cell_can_be_selected(&game, &mut page);
    let has_candidates = |frame: &Value| !frame["candidates"].as_array().unwrap().is_empty();
    game.go_to(&mut page, game.turns(has_candidates)[0]);
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
    a_small_board_is_large(&browser);
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
    let pressed = "document.querySelector('[data-action=play]').getAttribute('aria-pressed')";
    assert_eq!(page.value(pressed), json!("false"));
}

/// Each button leads to the same turn as its key, and the page lists them all.
fn every_key_has_a_button(game: &GamePage, page: &mut Page) {
    let actions = page.value("ACTIONS.map(({ name, key }) => [name, key])");
    let actions = actions.as_array().unwrap();
    assert!(actions.len() > 20);
    let rows = "document.querySelectorAll('.viewer-help tr').length";
    assert_eq!(page.value(rows), json!(actions.len()));
    let mut moved = 0;
    for action in actions {
        let [name, key] = [&action[0], &action[1]].map(|text| text.as_str().unwrap());
        let button = format!("document.querySelector('[data-action={name}]')");
        assert_eq!(page.value(&format!("{button}.tagName")), "BUTTON", "{name}");
        // These do not show another turn at once.
        if ["play", "save", "mines"].contains(&name) {
            continue;
        }
        let turns = [true, false].map(|by_key| {
            game.go_to(page, 60);
            // The keys are the viewer's also where the board has the focus.
            page.value("document.querySelector('.board-grid').focus()");
            if !by_key {
                page.value(&format!("{button}.click()"));
            } else if let Some(key) = key.strip_prefix("Shift+") {
                page.press(key, true);
            } else {
                page.press(key, key != key.to_lowercase() && key.len() == 1);
            }
            page.value(TURN)
        });
        assert_eq!(turns[0], turns[1], "{name}");
        moved += usize::from(turns[0] != game.turn_text(60));
    }
    assert!(moved > 8, "{moved} actions lead to another turn");
}

fn the_slider_steps(game: &GamePage, page: &mut Page) {
    page.value(
        "{ const slider = document.querySelector('.viewer-slider'); slider.value = 40; \
        slider.dispatchEvent(new Event('input')); slider.focus(); }",
    );
    assert_eq!(page.value(TURN), game.turn_text(40));
    page.press("ArrowRight", false);
    assert_eq!(page.value(TURN), game.turn_text(41));
}

fn mistakes_are_listed_and_marked(game: &GamePage, page: &mut Page) {
    let mistakes = game.turns(|frame| frame["judgement"]["mistake"] == json!(true));
    assert!(mistakes.len() > 2);
    game.go_to(page, 0);
    for (key, shift, turn) in [
        ("e", false, mistakes[0]),
        ("e", false, mistakes[1]),
        ("e", false, mistakes[2]),
        ("E", true, mistakes[1]),
    ] {
        page.press(key, shift);
        assert_eq!(page.value(TURN), game.turn_text(turn));
        let verdict = page.value("document.querySelector('.viewer-verdict').textContent");
        let judgement = &game.data["frames"][turn]["judgement"];
        let cost = judgement["cost_text"].as_str().unwrap();
        assert!(verdict.as_str().unwrap().ends_with(&format!("costs {cost}.")), "{verdict}");
    }
    // The list has the dearest first, and leads to it.
    let listed = "[...document.querySelectorAll('.viewer-mistakes button')]\
        .map(button => Number(button.dataset.turn))";
    let dearest = game.data["account"]["dearest"].as_array().unwrap();
    let dearest: Value = dearest.iter().map(|one| one["turn"].clone()).collect();
    assert_eq!(page.value(listed), dearest);
    page.value("document.querySelector('.viewer-mistakes button').click()");
    assert_eq!(page.value(TURN), game.turn_text(dearest[0].as_u64().unwrap() as usize));
    let account = page.value("document.querySelector('.viewer-account').textContent");
    for sentence in game.data["account"]["sentences"].as_array().unwrap() {
        assert!(account.as_str().unwrap().contains(sentence.as_str().unwrap()), "{sentence}");
    }
    // A turn that is no mistake has no verdict.
    game.go_to(page, game.end);
    assert_eq!(page.value("document.querySelector('.viewer-verdict').hidden"), json!(true));
    let count = |kind: &str| format!("document.querySelectorAll('.viewer-ticks .{kind}').length");
    assert_eq!(page.value(&count("mistake")), json!(mistakes.len()));
    assert_eq!(page.value(&count("hit")), json!(game.hits().len()));
    // The shapes of the marks differ, not only their colours.
    let shape = |kind: &str| {
        format!("(s => s.clipPath + s.width)(getComputedStyle(document.querySelector('.{kind}')))")
    };
    let shapes = ["guess", "hit", "mistake"].map(|kind| page.value(&shape(kind)));
    assert!(shapes[0] != shapes[1] && shapes[1] != shapes[2] && shapes[0] != shapes[2]);
}

/// The page shows in each cell what `judge replay --svg` draws, after steps forward and back.
fn turns_look_like_the_pictures_of_the_command(game: &GamePage, page: &mut Page) {
    let downloads = json!({"behavior": "allow", "downloadPath": game.directory.path()});
    page.call("Page.setDownloadBehavior", &downloads);
    for turn in [41, game.end, game.hits()[0], 0] {
        game.go_to(page, turn);
        let picture = drawn(&picture_of(&game.game, &turn.to_string()));
        let texts = page.value("[...document.querySelectorAll('.cell')].map(c => c.textContent)");
        let expected: Vec<&str> = picture.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, json!(expected), "turn {turn}");
        let moved = page.value("[...document.querySelectorAll('[data-move]')].map(c => c.id)");
        assert_eq!(moved.as_array().unwrap().len(), moves(&picture), "turn {turn}");
        let heading = page.value("document.querySelector('.viewer-caption').textContent");
        assert_eq!(heading, json!(picture.caption));
        page.press("s", false);
        let saved = complete_picture(&game.directory.path().join(format!("turn-{turn}.svg")));
        let saved = roxmltree::Document::parse(&saved).unwrap();
        let title = saved.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(title.text(), Some(picture.caption.as_str()));
        let squares = saved.descendants().filter(|node| node.has_tag_name("rect")).count();
        assert!(squares > picture.cells.len(), "turn {turn}");
    }
}

/// The number of moves that a picture marks.
fn moves(picture: &Drawn) -> usize {
    picture.marks.iter().filter(|[class, _]| class == "move").count()
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

fn a_cell_can_be_selected(game: &GamePage, page: &mut Page) {
    let cell = "document.querySelector('.viewer-cell').textContent";
    game.go_to(page, 0);
    page.press("ArrowDown", true);
    let before = page.value(cell);
    let words = before.as_str().unwrap().replace('\u{a0}', " ");
    assert!(words.ends_with(": hidden, a mine with 13.33 %"), "{before}");
    page.press("ArrowDown", true);
    assert_ne!(page.value(cell), before);
    // Each cell has a label for screen readers.
    game.go_to(page, game.end);
    let unlabelled = "[...document.querySelectorAll('.cell')]\
        .filter(c => !/^row \\d+, column \\d+: \\w/.test(c.getAttribute('aria-label'))).length";
    assert_eq!(page.value(unlabelled), json!(0));
}

/// On a phone and on a large screen, in the light and the dark scheme.
fn the_layout_fits_every_screen(page: &mut Page) {
    for width in [320, 390, 1280, 2560] {
        set_screen(page, width, 800);
        let content_width = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(content_width <= width, "{content_width} of {width}");
        let shown = "[...document.querySelectorAll('.viewer-bar button')]\
            .map(b => b.getBoundingClientRect()).filter(r => r.height > 0)";
        let least_height = page.value(&format!("Math.min(...{shown}.map(r => r.height))"));
        assert!(least_height.as_f64().unwrap() >= 40.0, "{width}: {least_height}");
        // The controls are in one row and inside of the window.
        let rows = page.value(&format!("new Set({shown}.map(r => Math.round(r.top))).size"));
        assert_eq!(rows, json!(1), "{width}");
        let right = page.value(&format!("Math.max(...{shown}.map(r => r.right))"));
        assert!(right.as_f64().unwrap() <= width as f64, "{width}: {right}");
        // Thirty columns do not fit a phone: the board scrolls, and its cells keep their size.
        assert!(page.value(SIDE).as_f64().unwrap() >= 18.0, "{width}");
        let scrolls =
            "(f => f.scrollWidth > f.clientWidth)(document.querySelector('.board-frame'))";
        assert_eq!(page.value(scrolls), json!(width < 1000), "{width}");
    }
    set_screen(page, 390, 800);
    let more = "document.querySelector('.viewer-more')";
    let save = "document.querySelector('[data-action=save]').getBoundingClientRect().height > 0";
    assert_eq!(page.value(save), json!(false));
    page.value(&format!("{more}.click()"));
    assert_eq!(page.value(save), json!(true));
    assert_eq!(page.value(&format!("{more}.getAttribute('aria-expanded')")), "true");
    let side = page.value(SIDE).as_f64().unwrap();
    page.value("document.querySelector('[data-action=larger]').click()");
    assert!(page.value(SIDE).as_f64().unwrap() > side);
    let background = "getComputedStyle(document.body).backgroundColor";
    let scheme = |scheme| json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    page.call("Emulation.setEmulatedMedia", &scheme("light"));
    assert_eq!(page.value(background), json!("rgb(255, 255, 255)"));
    page.call("Emulation.setEmulatedMedia", &scheme("dark"));
    assert_eq!(page.value(background), json!("rgb(20, 22, 26)"));
}

fn set_screen(page: &mut Page, width: u64, height: u64) {
    let screen =
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 1000});
    page.call("Emulation.setDeviceMetricsOverride", &screen);
    page.wait(&format!("innerWidth === {width} && innerHeight === {height}"));
    // The board follows the window in the next frame.
    page.value("window.isDrawn = false");
    page.value("requestAnimationFrame(() => setTimeout(() => { window.isDrawn = true; }))");
    page.wait("window.isDrawn");
}

/// The board fills the window.
fn a_small_board_is_large(browser: &Path) {
    let game = GamePage::new("small-11x11-11.json", &[]);
    let mut page = Page::open(browser, &game.file, "");
    for (width, least) in [(1280, 50.0), (2560, 100.0), (390, 28.0)] {
        set_screen(&mut page, width, if width == 2560 { 1440 } else { 800 });
        let side = page.value(SIDE).as_f64().unwrap();
        assert!(side >= least, "{width}: {side}");
        let shown = "(f => f.scrollWidth <= f.clientWidth && f.scrollHeight <= f.clientHeight)\
            (document.querySelector('.board-frame'))";
        assert_eq!(page.value(shown), json!(true), "{width}");
    }
    assert_eq!(page.errors, [""; 0]);
}

fn the_opening_bonus_has_a_column(browser: &Path) {
    let game = GamePage::new("default-30x20-80.json", &["--objective", "clean-win"]);
    let has_bonus =
        |frame: &Value| frame["candidates"][0].as_array().is_some_and(|row| row.len() == 5);
    let guess = game.turns(has_bonus)[0];
    let mut page = Page::open(browser, &game.file, &format!("#{guess}"));
    assert_eq!(page.value(BONUS_HIDDEN), json!(false));
    let missing_columns = "document.querySelectorAll('.viewer-candidates th').length \
        - document.querySelector('.viewer-candidates tbody tr').cells.length";
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
    let note = page.value("document.querySelector('.viewer-note').textContent");
    assert!(note.as_str().unwrap().contains("window.evil = 1"), "{note}");
    assert_eq!(page.value("typeof window.evil"), json!("undefined"));
    assert_eq!(page.errors, [""; 0]);
}
