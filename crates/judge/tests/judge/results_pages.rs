//! `judge results fill`: the place-holders of pages have the stored figures.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bots::{ROOT, judge};
use crate::results::{BOT, Folder};

#[test]
fn the_clicks_of_each_step_are_those_of_bench() {
    let folder = Folder::new(
        "me --bot me --level 8x8/10 --seed 1 --try 20\n\
         a --level 8x8/10 --rule safe-first --seed 1 --effort fast --try 20\n",
    );
    assert_eq!(folder.results(&[&["run"], &BOT[..]].concat()).code, 0);
    let bench =
        "bench --level 8x8/10 --rule safe-first --seeds 1..20 --effort fast --json --adjusted";
    let bench: Value = serde_json::from_str(&judge(bench.split(' ')).stdout).unwrap();
    let step = |name: &str| {
        let steps = bench["steps"].as_array().unwrap();
        steps.iter().find(|step| step["step"] == name).unwrap()["clicks_a_game"].as_f64().unwrap()
    };
    let names = ["deduction", "counting", "endgame", "guess", "rough"];
    let all: f64 = names.map(step).iter().sum();
    let page = folder.text("page.md");
    let field = |field: &str| {
        fs::write(&page, format!("<!-- result a {field} --><!-- end -->")).unwrap();
        assert_eq!(folder.results(&["fill", &page]).code, 0);
        let filled = fs::read_to_string(&page).unwrap();
        filled.split("-->").nth(1).unwrap().trim_end_matches("<!-- end ").to_owned()
    };
    assert_eq!(field("clicks"), format!("{all:.0}"));
    for name in names {
        assert_eq!(field(&format!("clicks:{name}")), format!("{:.1}", step(name)), "{name}");
    }
    assert!(all > 10.0 && step("guess") > 0.0 && step("rough") == 0.0);
    for (place, expected) in [
        ("me clicks:guess", "me is of a bot, whose steps are not known"),
        ("a clicks:luck", "`clicks:luck` is no field"),
    ] {
        fs::write(&page, format!("<!-- result {place} --><!-- end -->")).unwrap();
        let run = folder.results(&["fill", &page]);
        assert!(run.code == 2 && run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn the_efforts_on_the_same_boards_are_a_line() {
    let folder = Folder::new(
        "a-fast --level 11x11/30 --seed 1 --effort fast --try 30\n\
         a-standard --level 11x11/30 --seed 1 --less a-fast --try 20\n\
         b --level 9x9/10 --rule open-first --first 4,4 --seed 1 --effort full --try 10\n\
         c --level 8x8/10 --seed 1 --without endgame --try 10\n\
         d --level 11x11/30 --seed 1 --day 10\n",
    );
    assert_eq!(folder.results(&["run"]).code, 0);
    let page = folder.text("page.md");
    fs::write(&page, "<!-- efforts a-fast a-standard b --><!-- end -->").unwrap();
    assert_eq!(folder.results(&["fill", &page]).code, 0);
    let filled = fs::read_to_string(&page).unwrap();
    let rows: Vec<Vec<&str>> = filled
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("less"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let report = folder.show("try");
    let [fast, standard, open] = [0, 1, 2].map(|index| &report["measurements"][index]);
    let value = |value: &Value, scale: f64, decimals: usize, is_signed: bool| {
        let at = |end: usize| value["adjusted_interval"][end].as_f64().unwrap();
        let (mean, half) = (value["adjusted"].as_f64().unwrap(), (at(1) - at(0)) / 2.0);
        let mean = if is_signed {
            format!("{mean:+.decimals$}")
        } else {
            format!("{:.decimals$}", scale * mean)
        };
        format!("{mean} +-{:.decimals$}", scale * half)
    };
    let expected = [
        ["a", "30, 20", &value(fast, 1.0, 4, false), &value(standard, 1.0, 4, false), ""],
        ["b", "10", "", "", &value(open, 100.0, 2, false)],
    ];
    assert_eq!(rows.len(), 2, "{filled}");
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row[1..6], expected, "{filled}");
    }
    // What the list does not compare, and what is not measured.
    fs::write(&page, "<!-- efforts a-fast d --><!-- end -->").unwrap();
    let run = folder.results(&["fill", &page]);
    let fault = "d is not measured: run `results run d`";
    assert!(run.code == 2 && run.stderr.contains(fault), "{}", run.stderr);
    assert_eq!(folder.results(&["run", "d", "--size", "day"]).code, 0);
    assert_eq!(folder.results(&["fill", &page]).code, 0);
    let uncompared = fs::read_to_string(&page).unwrap();
    let row: Vec<&str> = uncompared.lines().nth(4).unwrap().split('|').map(str::trim).collect();
    assert_eq!((row[1], row[5]), ("a", "-"), "{uncompared}");
    let gain = &standard["less"][0];
    assert_eq!([rows[0][6], rows[1][6]], [&value(gain, 1.0, 4, true), ""], "{filled}");
    fs::write(&page, "<!-- efforts b --><!-- end -->").unwrap();
    assert_eq!(folder.results(&["fill", &page]).code, 0);
    let filled = fs::read_to_string(&page).unwrap();
    let head = filled.lines().find(|line| line.starts_with("| boards")).unwrap();
    let titles: Vec<&str> = head.split('|').map(str::trim).collect();
    assert_eq!(titles, ["", "boards", "games", "full", "CPU ms", ""]);
    fs::write(&page, "<!-- efforts c --><!-- end -->").unwrap();
    let run = folder.results(&["fill", &page]);
    let fault = "c is of no effort of the whole engine; give `results c`";
    assert!(run.code == 2 && run.stderr.contains(fault), "{}", run.stderr);
}

#[test]
fn pages_have_the_stored_figures() {
    let folder = Folder::new(
        "a --level 8x8/10 --seed 1 --effort fast --try 30\n\
                              b --level 8x8/10 --seed 1 --effort fast --without look-ahead \
         --less a --try 30\n",
    );
    assert_eq!(folder.results(&["run"]).code, 0);
    let page = folder.text("page.md");
    let holders = "won <!-- result a won --><!-- end --> of <!-- result a boards -->7<!-- end -->, \
                   <!-- result b less:a:mines -->?<!-- end -->\n<!-- results a b --><!-- end -->\n\
                   <!-- differences b -->old<!-- end -->\n";
    fs::write(&page, holders).unwrap();
    assert_eq!(folder.results(&["fill", &page, "--check"]).code, 1);
    assert_eq!(fs::read_to_string(&page).unwrap(), holders);
    assert_eq!(folder.results(&["fill", &page]).code, 0);
    let filled = fs::read_to_string(&page).unwrap();
    assert_eq!(folder.results(&["fill", &page, "--check"]).code, 0);
    let report = folder.show("try");
    let [a, b] = [0, 1].map(|index| &report["measurements"][index]);
    let percent = |value: &Value| format!("{:.1}", 100.0 * value.as_f64().unwrap());
    let interval = &a["won_interval"];
    let won = format!(
        "won <!-- result a won -->{} % ({}-{})<!-- end --> of \
         <!-- result a boards -->30<!-- end -->,",
        percent(&a["won"]),
        percent(&interval[0]),
        percent(&interval[1])
    );
    assert!(filled.starts_with(&won), "{filled}");
    let mines = format!("-->{:+.4} (", b["less"][0]["mines"].as_f64().unwrap());
    assert!(filled.contains(&mines), "{filled}");
    assert!(filled.contains("\n\n| measurement | boards | won %") && !filled.contains("old"));
    fs::write(&page, "<!-- result c won -->1<!-- end -->").unwrap();
    let run = folder.results(&["fill", &page]);
    assert!(run.code == 2 && run.stderr.contains("page.md: line 1: no measurement is called c"));
    for misspelt in ["<!-- Result x won -->1<!-- end -->", "1<!-- end --> <!-- result a won -->"] {
        fs::write(&page, format!("{misspelt}\n<!-- result a won --><!-- end -->")).unwrap();
        let run = folder.results(&["fill", &page, "--check"]);
        assert_eq!((run.code, run.stderr.contains("belongs to no place-holder")), (2, true));
    }
    fs::write(&page, "<!-- resutl a won -->1").unwrap();
    let run = folder.results(&["fill", &page]);
    let expected = "page.md: line 1: `<!-- resutl a won -->` names a measurement, but is no";
    assert!(run.code == 2 && run.stderr.contains(expected), "{}", run.stderr);
    fs::write(&page, "<!-- result a won --><!-- end -->\n<!-- end -->").unwrap();
    let run = folder.results(&["fill", &page, "--check"]);
    assert!(run.code == 2 && run.stderr.contains("is one misspelt?"), "{}", run.stderr);
}

#[test]
fn a_picture_is_drawn_beside_its_page_and_again_where_it_was_changed() {
    // So many boards that a coarse clock measures their time.
    let folder = Folder::new(
        "a --level 8x8/10 --seed 1 --effort fast --try 1500\n\
         b --level 8x8/10 --seed 1 --effort fast --without look-ahead --try 1500\n",
    );
    assert_eq!(folder.results(&["run"]).code, 0);
    let page = folder.text("page.md");
    let holder = "<!-- picture a.svg a b -->";
    let image = "![Games won against the CPU time of a game](a.svg)";
    fs::write(&page, format!("{holder}<!-- end -->")).unwrap();
    assert_eq!(folder.results(&["fill", &page, "--check"]).code, 1);
    for _ in 0..2 {
        assert_eq!(folder.results(&["fill", &page]).code, 0);
        let filled = fs::read_to_string(&page).unwrap();
        assert_eq!(filled, format!("{holder}\n\n{image}\n\n<!-- end -->"));
        let picture = fs::read_to_string(folder.text("a.svg")).unwrap();
        assert_eq!(picture.matches("<circle").count(), 3, "two figures and the legend");
        assert_eq!(folder.results(&["fill", &page, "--check"]).code, 0);
        fs::write(folder.text("a.svg"), "<svg/>").unwrap();
        assert_eq!(folder.results(&["fill", &page, "--check"]).code, 1);
    }
}

#[test]
fn the_pages_of_the_project_have_its_figures() {
    let page = |name: &str| Path::new(ROOT).join(name).display().to_string();
    for name in ["README.md", "samples/results/README.md"] {
        let run = judge(["results", "fill", "--check", &page(name)]);
        let is_earlier = run.code == 2 && run.stderr.contains("has no figures of today's play");
        assert!(run.code == 0 || is_earlier, "{}{}", run.stdout, run.stderr);
        assert!(fs::read_to_string(page(name)).unwrap().contains("<!-- efforts "));
    }
}
