//! `judge replay`: the page's data held against the log, its form, and the page itself in a
//! browser.
//!
//! One file over 400 lines, because a third of it is the script that the browser runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, judge, recorded};
use crate::browser::{Page, browser};

fn replay(game: &Path, output: &Path, options: &[&str]) -> Run {
    let files = [game, Path::new("-o"), output].map(|file| file.to_str().unwrap());
    judge(["replay", "--effort", "fast"].iter().chain(&files).chain(options))
}

fn page_of(game: &Path) -> String {
    let directory = TempDir::new().unwrap();
    let output = directory.path().join("page.html");
    let run = replay(game, &output, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("turns, ") && run.stdout.contains("page.html"), "{}", run.stdout);
    fs::read_to_string(output).unwrap()
}

/// What stands between the first `start` and the `end` after it.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap() + start.len();
    &text[from..from + text[from..].find(end).unwrap()]
}

fn data_of(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).unwrap()
}

fn log_of(game: &Path) -> Vec<Value> {
    let value: Value = serde_json::from_str(&fs::read_to_string(game).unwrap()).unwrap();
    value["log"].as_array().unwrap().clone()
}

/// The values that the log has shown up to each of its outputs, by row and column.
fn shown(log: &[Value]) -> Vec<BTreeMap<(u64, u64), u64>> {
    let mut open = BTreeMap::new();
    let outputs = log.iter().step_by(2).map(|item| &item["output"]);
    outputs
        .map(|output| {
            for cell in output["display"]["status"].as_array().into_iter().flatten() {
                let [row, column, value] =
                    ["row", "col", "val"].map(|key| cell[key].as_u64().unwrap());
                open.insert((row, column), value);
            }
            open.clone()
        })
        .collect()
}

/// What a cell says that shows this value.
fn sign(value: u64) -> String {
    match value {
        0 => String::new(),
        9 => "*".to_owned(),
        number => number.to_string(),
    }
}

#[test]
fn a_page_is_well_formed_and_needs_nothing_else() {
    let page = page_of(&recorded("dense-11x11-80.json"));
    // Style and script are no markup; everything else is XML, which any parser of HTML reads alike.
    let mut markup = page.clone();
    for (start, end) in
        [("<style>", "</style>"), ("id=\"data\">", "</script>"), ("<script>", "</script>")]
    {
        let inside = between(&page, start, end);
        assert!(inside.len() > 1000 && !inside.contains("</"), "{start}");
        markup = markup.replace(inside, "");
    }
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&markup, options).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "{ids:?}");
    // Every element that the script asks for is there.
    let script = between(&page, "<script>", "</script>");
    for asked in script.split("$(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(ids.contains(&asked), "{asked}");
    }
    // The only address is the name of a language.
    let spaces = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!spaces.contains("http:") && !spaces.contains("https:") && !spaces.contains("src=\""));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_data_are_the_logs() {
    for name in ["default-30x20-80.json", "skipfirst-30x20-80.json", "dense-11x11-80.json"] {
        let game = recorded(name);
        let (log, data) = (log_of(&game), data_of(&page_of(&game)));
        let frames = data["frames"].as_array().unwrap();
        let shown = shown(&log);
        assert_eq!(frames.len(), shown.len());
        let columns = data["columns"].as_u64().unwrap();
        let mut open = BTreeMap::new();
        for (turn, (frame, so_far)) in frames.iter().zip(&shown).enumerate() {
            for cell in frame["open"].as_array().unwrap() {
                let (cell, look) = (
                    cell[0].as_u64().unwrap(),
                    &data["styles"][cell[1].as_u64().unwrap() as usize],
                );
                open.insert((cell / columns, cell % columns), look[3].as_str().unwrap().to_owned());
            }
            let expected: BTreeMap<_, _> =
                so_far.iter().map(|(&place, &value)| (place, sign(value))).collect();
            assert_eq!(open, expected, "{name}, turn {turn}");
            let hits = so_far.values().filter(|value| **value == 9).count();
            assert_eq!(frame["hits"], json!(hits), "{name}, turn {turn}");
            // The answer that the log has after it.
            let answer = log.get(2 * turn + 1).map(|item| &item["0"]["response"]);
            let cell = answer.map(|answer| {
                answer["row"].as_u64().unwrap() * columns + answer["col"].as_u64().unwrap()
            });
            assert_eq!(frame["move"], json!(cell), "{name}, turn {turn}");
            let after = shown.get(turn + 1).zip(cell);
            let after =
                after.and_then(|(after, cell)| after.get(&(cell / columns, cell % columns)));
            let was_mine = after == Some(&9);
            assert_eq!(frame["hit"], json!(was_mine), "{name}, turn {turn}");
            if turn + 1 < frames.len() {
                assert!(!frame["why"][0].as_str().unwrap().is_empty());
            }
        }
        let last = &frames[frames.len() - 1];
        let score = log[log.len() - 1]["output"]["content"]["0"].as_f64().unwrap();
        assert!((last["score"].as_f64().unwrap() - score).abs() < 0.006, "{name}");
        assert_eq!(last["kind"], "end");
        let laid = data["laid"].as_array().unwrap().len();
        assert_eq!(data["mines"].as_u64().unwrap() as usize, laid);
    }
}

#[test]
fn programs_get_every_turn() {
    let game = recorded("default-30x20-80.json");
    let run = judge(["replay", "--effort", "fast", "--json", game.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let (log, turns) = (log_of(&game), told["turns"].as_array().unwrap());
    let (shown, mut open) = (shown(&log), BTreeMap::new());
    assert_eq!(turns.len(), shown.len());
    assert_eq!((&told["width"], &told["minecount"]), (&json!(30), &json!(80)));
    let laid = told["laid"].as_array().unwrap();
    assert_eq!(laid.len(), 80);
    let mut proven = 0;
    for (number, (turn, so_far)) in turns.iter().zip(&shown).enumerate() {
        assert_eq!(turn["turn"], json!(number));
        for cell in turn["opened"].as_array().unwrap() {
            let [row, column] = [0, 1].map(|side| cell[0][side].as_u64().unwrap());
            open.insert((row, column), cell[1].as_u64().unwrap());
        }
        assert_eq!(&open, so_far, "turn {number}");
        let answer = log.get(2 * number + 1).map(|item| &item["0"]["response"]);
        let cell = answer.map(|answer| json!([answer["row"], answer["col"]]));
        assert_eq!(turn["move"], json!(cell), "turn {number}");
        let hit = cell.is_some_and(|cell| laid.contains(&cell));
        assert_eq!(turn["hit"], json!(hit), "turn {number}");
        let odds = turn["odds"].as_f64();
        assert_eq!(odds.is_some(), answer.is_some());
        if turn["kind"] == "deduction" || turn["kind"] == "counting" {
            assert_eq!((odds, hit), (Some(0.0), false));
            proven += 1;
        }
    }
    assert!(proven > 50 && turns[turns.len() - 1]["kind"] == "end");
}

/// The cells of a picture, as class, fill and text, and its marks, as class and place.
type Drawn = (Vec<[String; 3]>, Vec<[String; 2]>, String);

fn drawn(picture: &str) -> Drawn {
    let document = roxmltree::Document::parse(picture).unwrap();
    let by_id =
        |id: &str| document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
    let attribute = |node: roxmltree::Node, name: &str| node.attribute(name).unwrap().to_owned();
    let cells = by_id("cells").children().filter(roxmltree::Node::is_element);
    let cells = cells.map(|cell| {
        let mut parts = cell.children().filter(roxmltree::Node::is_element);
        let back = parts.next().unwrap();
        let text = parts.next().unwrap().text().unwrap_or("").trim().to_owned();
        [attribute(cell, "class"), attribute(back, "fill"), text]
    });
    let marks = by_id("marks").children().filter(roxmltree::Node::is_element);
    let marks = marks.map(|mark| ["class", "transform"].map(|name| attribute(mark, name)));
    let caption = by_id("caption").text().unwrap().trim().to_owned();
    (cells.collect(), marks.collect(), caption)
}

fn picture_of(game: &Path, turn: &str) -> String {
    let directory = TempDir::new().unwrap();
    let output = directory.path().join("turn.svg");
    let run = replay(game, &output, &["--svg", turn]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read_to_string(output).unwrap()
}

#[test]
fn a_picture_shows_the_odds_of_its_turn() {
    let game = recorded("dense-11x11-80.json");
    for turn in [0, 7, 20] {
        let path = game.to_str().unwrap();
        let number = turn.to_string();
        let told = judge(["explain", path, "--turn", &number, "--json", "--effort", "fast"]);
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        let (cells, marks, caption) = drawn(&picture_of(&game, &number));
        assert!(caption.starts_with(&format!("Turn {turn}: (")), "{caption}");
        assert!(marks.iter().any(|[class, _]| class == "move"));
        let odds: Vec<Option<f64>> = told["odds"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|row| row.as_array().unwrap().iter().map(Value::as_f64))
            .collect();
        assert_eq!(odds.len(), cells.len());
        for (odds, [class, _, text]) in odds.iter().zip(&cells) {
            match odds {
                None => assert!(class.contains("open") || class.contains("hit"), "{class}"),
                Some(odds) if *odds == 0.0 => assert_eq!(text, "ok"),
                Some(odds) if *odds == 1.0 => assert_eq!(text, "\u{d7}"),
                Some(odds) => {
                    let percent: f64 = text.parse().unwrap();
                    assert!(
                        (percent - 100.0 * odds).abs() < 0.52 && percent > 0.0 && percent < 100.0
                    );
                }
            }
        }
    }
    assert_eq!(
        picture_of(&game, "last"),
        picture_of(&game, &(log_of(&game).len() / 2).to_string())
    );
    let run = replay(&game, Path::new("-"), &["--svg", "999"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let turns = log_of(&game).len() / 2;
    let hint =
        format!("there is no turn 999: the turns are 0 to {}, and {turns} is the end\n", turns - 1);
    assert!(run.stderr.ends_with(&hint), "{}", run.stderr);
    // What was written is told: a turn, not the game.
    let directory = TempDir::new().unwrap();
    for (turn, told) in [("3", "turn 3".to_owned()), ("last", format!("turn {turns}, the end"))] {
        let run = replay(&game, &directory.path().join("turn.svg"), &["--svg", turn]);
        assert!(run.stdout.contains(&format!("turn.svg: {told}, ")), "{}", run.stdout);
    }
    let run = replay(&game, &directory.path().join("page.html"), &[]);
    assert!(run.stdout.contains(&format!("page.html: {turns} turns, ")), "{}", run.stdout);
    // A log that breaks off has no end.
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&game).unwrap()).unwrap();
    value["log"].as_array_mut().unwrap().truncate(9);
    let broken = directory.path().join("broken.json");
    fs::write(&broken, value.to_string()).unwrap();
    let run = replay(&broken, &directory.path().join("turn.svg"), &["--svg", "last"]);
    assert!(
        run.stdout.contains("turn.svg: turn 4, ") && !run.stdout.contains("end"),
        "{}",
        run.stdout
    );
    let run = replay(&broken, Path::new("-"), &["--svg", "5"]);
    assert!(run.stderr.ends_with("there is no turn 5: the turns are 0 to 4\n"), "{}", run.stderr);
}

/// While no region is open a zero counts for who plays to win; a sum is told with all that it is
/// of.
#[test]
fn candidates_have_the_worth_of_a_zero_where_it_counts() {
    let mut seen = [0, 0];
    for (name, objective) in
        [("default-30x20-80.json", "clean-win"), ("dense-11x11-80.json", "fewest-hits")]
    {
        let (game, options) = (recorded(name), ["--objective", objective]);
        let run = replay(&game, Path::new("-"), &[&options[..], &["--json"]].concat());
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        let data = data_of(&replay(&game, Path::new("-"), &options).stdout);
        let frames = data["frames"].as_array().unwrap();
        for (turn, frame) in told["turns"].as_array().unwrap().iter().zip(frames) {
            candidates_agree(&turn["candidates"], &frame["candidates"], &mut seen);
        }
    }
    assert!(seen.iter().all(|&rows| rows > 0), "{seen:?}");
}

/// Holds a page's rows against the exact ones; `seen` counts those without and with a zero's worth.
fn candidates_agree(exact: &Value, rows: &Value, seen: &mut [usize; 2]) {
    let (exact, rows) = (exact.as_array().unwrap(), rows.as_array().unwrap());
    let counts = exact.iter().any(|worth| worth["zero"].as_f64().unwrap() > 0.0);
    let keys: &[&str] =
        if counts { &["odds", "next", "zero", "cost"] } else { &["odds", "next", "cost"] };
    for (row, worth) in rows.iter().zip(exact).take(8) {
        let row = row.as_array().unwrap();
        assert_eq!(row.len(), 1 + keys.len());
        for (text, key) in row[1..].iter().zip(keys) {
            let text = text.as_str().unwrap().strip_suffix(" %").unwrap();
            let exact = 100.0 * worth[key].as_f64().unwrap();
            assert!(
                (text.parse::<f64>().unwrap() - exact).abs() < 0.0051,
                "{key}: {row:?} {worth}"
            );
        }
        seen[usize::from(counts)] += 1;
    }
}

#[test]
fn games_that_end_badly_are_told_and_what_is_no_game_is_refused() {
    for (name, caption) in [
        ("outside.json", "no legal answer: row 20, col 0 is outside the field"),
        ("reopen.json", "is open already"),
        ("null-answer.json", "no legal answer: there is no answer"),
    ] {
        let game = recorded(name);
        let data = data_of(&page_of(&game));
        let frames = data["frames"].as_array().unwrap();
        let [.., fault, end] = &frames[..] else { panic!("{name}") };
        assert_eq!((&fault["kind"], &fault["move"]), (&json!("illegal"), &Value::Null), "{name}");
        let told = fault["caption"].as_str().unwrap();
        assert!(told.contains(caption), "{told}");
        let told = end["caption"].as_str().unwrap();
        assert!(told.contains("an illegal answer, score 0.00"), "{told}");
    }
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("no-game.json");
    fs::write(&file, "{\"requests\":[]}").unwrap();
    let run = replay(&file, Path::new("-"), &[]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("not a recorded game"), "{}", run.stderr);
}

/// A log whose bot writes markup beside its answers, and whose numbers contradict each other from
/// turn 1 on.
fn hostile() -> Value {
    let evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>";
    let request = |changed: Value| {
        let content =
            json!({"0": {"height": 11, "width": 11, "minecount": 11, "changed": changed}});
        json!({"verdict": "OK", "output": {"command": "request", "content": content, "display": {"status": changed}}})
    };
    let answer = |column: u32| json!({"0": {"verdict": "OK", "response": {"row": 0, "col": column}, "debug": evil}});
    json!([
        request(Value::Null),
        answer(0),
        request(json!([{"row": 0, "col": 0, "val": 1}])),
        answer(2),
        request(json!([{"row": 0, "col": 2, "val": 5}, {"row": 1, "col": 1, "val": 0}])),
        answer(4),
    ])
}

#[test]
fn what_a_log_says_stays_text() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("evil.json");
    fs::write(&file, hostile().to_string()).unwrap();
    let page = page_of(&file);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<img").count(), 0);
    let data = data_of(&page);
    let frames = data["frames"].as_array().unwrap();
    assert!(frames[0]["note"].as_str().unwrap().contains("<img src=x"));
    // The second board has odds, the third cannot be and says why.
    assert!(frames[1]["odds"].is_object() && frames[2]["odds"].is_null());
    let why = frames[2]["why"].to_string();
    assert!(why.contains("No layout fits: "), "{why}");
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium on this machine; name one in CHROME to run this test");
        return;
    };
    let directory = TempDir::new().unwrap();
    let game = recorded("default-30x20-80.json");
    let file = directory.path().join("page.html");
    assert_eq!(replay(&game, &file, &[]).code, 0);
    let (log, html) = (log_of(&game), fs::read_to_string(&file).unwrap());
    let (shown, data) = (shown(&log), data_of(&html));
    let end = shown.len() - 1;
    let mut page = Page::open(&browser, &file, "#3");
    let at = |turn: usize| json!(format!("{turn} / {end}"));
    let turn = "document.getElementById('turn').textContent";
    assert_eq!(page.value(turn), at(3));

    // Keys.
    let hits: Vec<usize> =
        (0..end).filter(|&turn| data["frames"][turn]["hit"] == json!(true)).collect();
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
        assert_eq!(page.value(turn), at(expected), "{key}");
    }
    // The space bar plays, from the end again from the start, and stops.
    page.press(" ", false);
    page.wait(&format!("parseInt({turn}) > 0 && parseInt({turn}) < {end}"));
    page.press(" ", false);
    let pressed = "document.getElementById('play').getAttribute('aria-pressed')";
    assert_eq!(page.value(pressed), json!("false"));
    // Buttons and the slider.
    page.press("End", false);
    for (act, expected) in [
        ("document.getElementById('back').click()", end - 1),
        ("document.getElementById('first').click()", 0),
        ("document.getElementById('next').click()", 1),
        (
            "{ const s = document.getElementById('slider'); s.value = 40; s.dispatchEvent(new Event('input')); }",
            40,
        ),
    ] {
        page.value(act);
        assert_eq!(page.value(turn), at(expected), "{act}");
    }
    page.value("document.getElementById('slider').focus()");
    page.press("ArrowRight", false);
    assert_eq!(page.value(turn), at(41));

    // What is drawn, forwards and backwards, is what a picture of that turn shows.
    let downloads = json!({"behavior": "allow", "downloadPath": directory.path()});
    page.call("Page.setDownloadBehavior", &downloads);
    for wanted in [41, end, hits[0], 0] {
        page.value(&format!("location.hash = '#{wanted}'"));
        page.wait(&format!("{turn} === '{wanted} / {end}'"));
        page.press("s", false);
        let saved = directory.path().join(format!("turn-{wanted}.svg"));
        // The browser makes the file before it fills it.
        let whole = |text: &String| text.trim_end().ends_with("</svg>");
        let mut text = None;
        for _ in 0..500 {
            text = fs::read_to_string(&saved).ok().filter(whole);
            if text.is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let saved = drawn(&text.unwrap());
        assert_eq!(saved, drawn(&picture_of(&game, &wanted.to_string())), "turn {wanted}");
        assert_eq!(page.value("document.getElementById('what').textContent"), json!(saved.2));
    }

    // A single cell, by keys alone.
    page.value("location.hash = '#0'");
    page.wait(&format!("{turn} === '0 / {end}'"));
    page.press("ArrowDown", true);
    let cell = page.value("document.getElementById('cell').textContent");
    assert!(cell.as_str().unwrap().ends_with(": hidden, a mine with 13.33 %"), "{cell}");

    // The column of zeros is there only where it has something in it.
    let header = "document.getElementById('zero').hidden";
    let rows = data["frames"].as_array().unwrap().iter();
    let guess = rows
        .clone()
        .position(|frame| frame["candidates"].as_array().is_some_and(|rows| !rows.is_empty()));
    page.value(&format!("location.hash = '#{}'", guess.unwrap()));
    page.wait(&format!("{turn} === '{} / {end}'", guess.unwrap()));
    assert_eq!(page.value(header), json!(true));

    // A phone, and a large screen.
    let ground = "getComputedStyle(document.body).backgroundColor";
    for width in [320, 390, 1400] {
        let screen =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 1000});
        page.call("Emulation.setDeviceMetricsOverride", &screen);
        page.wait(&format!("innerWidth === {width}"));
        let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width, "{wide} of {width}");
        let least = "Math.min(...[...document.querySelectorAll('button')].map(b => b.getBoundingClientRect().height))";
        assert!(page.value(least).as_f64().unwrap() >= 40.0);
    }
    // Light and dark.
    let scheme = |scheme| json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    page.call("Emulation.setEmulatedMedia", &scheme("light"));
    assert_eq!(page.value(ground), json!("rgb(255, 255, 255)"));
    page.call("Emulation.setEmulatedMedia", &scheme("dark"));
    assert_eq!(page.value(ground), json!("rgb(20, 22, 26)"));

    // Everything that can be pressed has a name.
    let unnamed = "[...document.querySelectorAll('button, input')].filter(e => !(e.textContent || e.getAttribute('aria-label'))).length";
    assert_eq!(page.value(unnamed), json!(0));
    assert_eq!(page.errors, [""; 0]);
    // An error would have been seen.
    page.value("console.error('on purpose')");
    page.value("1");
    assert_eq!(page.errors.len(), 1);
    drop(page);

    let options = ["--objective", "clean-win"];
    assert_eq!(replay(&game, &file, &options).code, 0);
    let data = data_of(&fs::read_to_string(&file).unwrap());
    let with_zero =
        |frame: &Value| frame["candidates"][0].as_array().is_some_and(|row| row.len() == 5);
    let guess = data["frames"].as_array().unwrap().iter().position(with_zero).unwrap();
    let mut page = Page::open(&browser, &file, &format!("#{guess}"));
    assert_eq!(page.value(header), json!(false));
    let columns = "document.querySelectorAll('#candidates th').length - document.querySelector('#candidates tbody tr').cells.length";
    assert_eq!(page.value(columns), json!(0));
    drop(page);

    let file = directory.path().join("evil.json");
    fs::write(&file, hostile().to_string()).unwrap();
    let output = directory.path().join("evil.html");
    assert_eq!(replay(&file, &output, &[]).code, 0);
    let mut page = Page::open(&browser, &output, "");
    page.press("End", false);
    let note = page.value("document.getElementById('note').textContent");
    assert!(note.as_str().unwrap().contains("window.evil = 1"), "{note}");
    assert_eq!(page.value("typeof window.evil"), json!("undefined"));
    assert_eq!(page.errors, [""; 0]);
}
