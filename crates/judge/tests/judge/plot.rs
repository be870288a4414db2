//! `judge plot`: the pictures are valid SVG and contain the data of the files.

use std::fs;

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::bots::{Files, Run, judge};

impl Files {
    /// Runs a command, saves its output as a file, and returns it as JSON.
    fn save_output(&self, name: &str, words: &[&str]) -> Value {
        let run = judge(words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        fs::write(self.path(name), &run.stdout).unwrap();
        serde_json::from_str(&run.stdout).unwrap()
    }

    fn bench(&self, name: &str, effort: &str) -> Value {
        let level = ["--level", "8x8/10", "--seeds", "1..60", "--rule", "safe-first"];
        self.save_output(name, &[&["bench", "--json", "--effort", effort], &level[..]].concat())
    }

    /// Runs `judge plot` with names of files relative to this directory.
    fn plot(&self, words: &[&str]) -> Run {
        let arguments = words.iter().map(|word| match word.split_once('=') {
            _ if word.starts_with("--") || !word.contains('.') => (*word).to_owned(),
            Some((name, file)) => format!("{name}={}", self.path(file).display()),
            None => self.path(word).display().to_string(),
        });
        judge(["plot".to_owned()].into_iter().chain(arguments))
    }

    /// Draws a picture and reads its texts, circles and bars.
    fn picture(&self, words: &[&str]) -> Picture {
        let run = self.plot(&[words, &["-o", "plot.svg"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let text = fs::read_to_string(self.path("plot.svg")).unwrap();
        let document = Document::parse(&text).unwrap();
        let number = |node: &Node, key: &str| node.attribute(key).unwrap().parse::<f64>().unwrap();
        let (width, height) =
            (number(&document.root_element(), "width"), number(&document.root_element(), "height"));
        let all =
            |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        let texts = all("text").map(|node| {
            let (x, y) = (number(&node, "x"), number(&node, "y"));
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{node:?}");
            node.text().unwrap().trim().to_owned()
        });
        let bars = all("rect").filter(|node| node.attribute("opacity") == Some("0.6"));
        let point = |text: &str| {
            let (x, y) = text.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        let curves = all("polyline").filter(|node| {
            node.attribute("opacity") == Some("1") && node.attribute("stroke") != Some("#000000")
        });
        let curves = curves
            .map(|node| node.attribute("points").unwrap().split_whitespace().map(point).collect());
        Picture {
            curves: curves.collect(),
            texts: texts.collect(),
            circles: all("circle").map(|node| (number(&node, "cx"), number(&node, "cy"))).collect(),
            bars: bars.map(|node| number(&node, "height")).collect(),
        }
    }
}

struct Picture {
    texts: Vec<String>,
    circles: Vec<(f64, f64)>,
    bars: Vec<f64>,
    /// The points of each line that is not a border, an axis, or a line to a name.
    curves: Vec<Vec<(f64, f64)>>,
}

impl Picture {
    fn assert_text(&self, text: &str) {
        assert!(self.texts.iter().any(|found| found == text), "{text}: {:?}", self.texts);
    }
}

const PEERS: &str =
    "# others\nname,games,percent,ms,source\nthe <fast> & one,1000,50.5,0.2,x\nslow,20,99,300,y\n";

#[test]
fn win_rates_are_drawn_against_time_with_names() {
    let files = Files::new();
    fs::write(files.path("peers.csv"), PEERS).unwrap();
    let (fast, standard) =
        (files.bench("fast.json", "fast"), files.bench("standard.json", "standard"));
    let picture = files.picture(&["fast.json", "mine=standard.json", "peers.csv"]);
    for text in [
        "Games won against time: 8x8/10, first click 0,0, safe-first",
        "Sapper, fast effort",
        "mine",
        "the <fast> & one",
        "slow",
        "CPU milliseconds per game",
    ] {
        picture.assert_text(text);
    }
    // A circle for each point, and for each of the two kinds in the legend.
    assert_eq!(picture.circles.len(), 4 + 2);
    // A higher point has a better win rate; a point further right is slower.
    let ((a, b), (x, y)) = ((&fast, &standard), (picture.circles[0], picture.circles[1]));
    let above = |key: &str| a[key].as_f64().unwrap().total_cmp(&b[key].as_f64().unwrap());
    assert_eq!(above("win_rate"), y.1.total_cmp(&x.1));
    let slower = above("cpu_ms_a_game").is_gt();
    assert!(if slower { x.0 >= y.0 } else { x.0 <= y.0 }, "{:?}", picture.circles);
    files.picture(&["peers.csv", "--title", "Others"]).assert_text("Others");
}

#[test]
fn the_figures_of_a_curve_are_joined_in_order_of_time() {
    let files = Files::new();
    let table = "\
        name,games,percent,ms,interval,curve\n\
        slow,100,60,30,0.5,new\nother,100,40,2,,\nfast,100,50,0.3,0.5,new\nold,9,45,3,1,old\n";
    fs::write(files.path("curves.csv"), table).unwrap();
    let picture = files.picture(&["curves.csv"]);
    for text in ["new", "old", "figures from a table", "slow", "other"] {
        picture.assert_text(text);
    }
    let [slow, other, fast] = [0, 3, 1].map(|index: usize| picture.circles[index]);
    assert!(fast.0 < other.0 && other.0 < slow.0 && slow.1 < fast.1 && fast.1 < other.1);
    assert!(picture.curves.contains(&vec![fast, slow]), "{:?}", picture.curves);
    let wrong = "name,games,percent,ms,interval\na,1,50,1,-1\n";
    fs::write(files.path("wrong.csv"), wrong).unwrap();
    let run = files.plot(&["wrong.csv", "-o", "plot.svg"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("line 2: interval is -1"), "{}", run.stderr);
}

#[test]
fn exploration_has_ten_bars() {
    let files = Files::new();
    let report = files.bench("one.json", "fast");
    let picture = files.picture(&["one.json"]);
    picture.assert_text(
        "How far boards were explored: 8x8/10, first click 0,0, safe-first, fast effort",
    );
    picture.assert_text("60 games");
    let shares = report["explored"].as_array().unwrap().iter();
    let shares: Vec<f64> = shares.map(|bin| bin["share"].as_f64().unwrap()).collect();
    shares.iter().for_each(|share| picture.assert_text(&format!("{:.1}", 100.0 * share)));
    assert_eq!((picture.bars.len(), shares.len()), (10, 10));
    // The height of a bar is proportional to the share of games.
    let unit = picture.bars[9] / shares[9];
    assert!(shares[9] > 0.5);
    for (bar, share) in picture.bars.iter().zip(&shares) {
        assert!((bar - unit * share).abs() <= 1.5, "{:?} {shares:?}", picture.bars);
    }
    files.bench("two.json", "standard");
    let two = files.picture(&["one.json", "named=two.json", "--kind", "explored"]);
    two.assert_text("fast effort, 60 games");
    two.assert_text("named, 60 games");
    assert_eq!(two.bars.len(), 20);
    // A shard is read as a report.
    let out = files.path("shard.jsonl");
    let words = [
        "bench",
        "--level",
        "8x8/10",
        "--seeds",
        "1..60",
        "--rule",
        "safe-first",
        "--effort",
        "fast",
    ];
    assert_eq!(judge(words.into_iter().chain(["--resume", out.to_str().unwrap()])).code, 0);
    assert_eq!(files.picture(&["shard.jsonl"]).bars, picture.bars);
}

#[test]
fn a_calibration_has_a_point_for_every_bin() {
    let files = Files::new();
    let words =
        ["calibrate", "--guesses", "600", "--level", "8x8/12", "--effort", "fast", "--json"];
    let output = files.save_output("odds.json", &words);
    assert_eq!(output["setting"]["effort"], "fast");
    let picture = files.picture(&["odds.json"]);
    picture.assert_text("Predicted odds against observed mines: 8x8/12, botzone, fast effort");
    picture.assert_text(&format!("{} guesses", output["guesses"]));
    let bins = output["bins"].as_array().unwrap();
    assert!(bins.len() >= 5 && picture.circles.len() == bins.len());
    // In the order of the bins, and higher where more mines were observed.
    for (index, pair) in picture.circles.windows(2).enumerate() {
        assert!(pair[0].0 < pair[1].0);
        let observed = |index: usize| bins[index]["observed"].as_f64().unwrap();
        assert!(observed(index) >= observed(index + 1) || pair[0].1 >= pair[1].1, "{bins:?}");
    }
}

#[test]
fn a_calibration_of_chances_has_a_curve_for_each_kind_of_position() {
    let files = Files::new();
    let small = ["--guesses", "150", "--level", "8x8/12", "--effort", "fast", "--json"];
    let chance = ["calibrate", "--chance", "40", "--rule", "safe-first"];
    let words = [&chance, &small[..]].concat();
    let output = files.save_output("chances.json", &words);
    let picture = files.picture(&["chances.json"]);
    let is_title = |text: &String| text.starts_with("Predicted chances against games won: 8x8/12");
    assert!(picture.texts.iter().any(is_title), "{:?}", picture.texts);
    picture.assert_text("predicted chance to win");
    let groups = output["groups"].as_array().unwrap();
    let bins = groups.iter().map(|group| group["bins"].as_array().unwrap().len());
    assert_eq!((groups.len(), picture.circles.len()), (2, bins.sum::<usize>()));
    for group in groups {
        let (name, count) = (group["positions_are"].as_str().unwrap(), &group["positions"]);
        picture.assert_text(&format!("{name}: {count}"));
        // The row of all positions is their sum.
        assert_eq!(&group["all"]["positions"], count);
        let won = group["bins"].as_array().unwrap().iter().map(|bin| bin["won"].as_u64().unwrap());
        assert_eq!(group["all"]["won"], won.sum::<u64>());
    }
    let odds = [&["calibrate", "--rule", "safe-first"], &small[..]].concat();
    files.save_output("odds.json", &odds);
    let run = files.plot(&["chances.json", "odds.json", "-o", "two.svg"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("are two pictures"), "{}", run.stderr);
}

#[test]
fn input_that_cannot_be_drawn_is_refused() {
    let files = Files::new();
    let report = files.bench("one.json", "fast");
    let write = |name: &str, text: &str| fs::write(files.path(name), text).unwrap();
    let mut other = report.clone();
    other["setting"]["rule"] = json!("open-first");
    write("other.json", &other.to_string());
    write("empty.json", "{}");
    write("text.json", "{\"a\": 1");
    write("columns.csv", "name,games,percent\na,1,2\n");
    write("percent.csv", "name,games,percent,ms\na,1,2,3\n# b\nb,1,200,3\n");
    write("short.csv", "name,games,percent,ms\na,1,2,3\nb,1\n");
    write("words.csv", "name,games,percent,ms\na,1,half,3\n");
    write("games.csv", "name,games,percent,ms\na,-1,2,3\n");
    write("none.csv", "name,games,percent,ms\n");
    files.save_output(
        "odds.json",
        &["calibrate", "--seeds", "1..30", "--level", "8x8/12", "--json"],
    );
    for (words, reason) in [
        (vec!["one.json", "-o", "plot.png"], "end the name"),
        (vec!["one.json"], "--output"),
        (vec!["none.json", "-o", "plot.svg"], "cannot read"),
        (vec!["empty.json", "-o", "plot.svg"], "nothing to draw: give the --json output"),
        (vec!["text.json", "-o", "plot.svg"], "is not a file that --resume"),
        (
            vec!["columns.csv", "-o", "plot.svg"],
            "columns.csv: no column `ms`; the first line must name name,games,percent,ms",
        ),
        (vec!["short.csv", "-o", "plot.svg"], "short.csv, line 3: 2 values, expected 4"),
        (vec!["words.csv", "-o", "plot.svg"], "words.csv, line 2, column percent: not a number"),
        (
            vec!["games.csv", "-o", "plot.svg"],
            "games.csv, line 2, column games: not a whole number",
        ),
        (
            vec!["percent.csv", "-o", "plot.svg"],
            "percent.csv, line 3: percent is 200; it must be between 0 and 100",
        ),
        (vec!["none.csv", "-o", "plot.svg"], "has no row"),
        (vec!["name=percent.csv", "-o", "plot.svg"], "rows of a table have names of their own"),
        (vec!["one.json", "other.json", "-o", "plot.svg"], "different boards or rules"),
        (vec!["one.json", "odds.json", "-o", "plot.svg"], "plot it separately"),
        (
            vec!["odds.json", "one.json", "-o", "plot.svg"],
            "has nothing for a picture of kind calibration",
        ),
        (
            vec!["one.json", "--kind", "calibration", "-o", "plot.svg"],
            "has nothing for a picture of kind calibration",
        ),
        (vec!["one.json", "-o", "no/such/directory/plot.svg"], "cannot write"),
    ] {
        let run = files.plot(&words);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words:?}");
        assert!(run.stderr.contains(reason), "{words:?}: {}", run.stderr);
        assert!(!files.path("plot.svg").exists());
    }
}

/// The committed picture of the odds is drawn from the data beside it by the current program.
#[test]
fn the_committed_picture_is_up_to_date() {
    let files = Files::new();
    let plots = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/plots/");
    let data = format!("{plots}odds.json");
    let out = files.path("diagonal.svg").display().to_string();
    let run = judge(["plot", &data, "-o", &out, "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&output["output"], &output["files"][0]), (&out.into(), &data.clone().into()));
    let drawn = fs::read_to_string(files.path("diagonal.svg")).unwrap();
    let committed = fs::read_to_string(format!("{plots}diagonal.svg")).unwrap();
    let again = "judge plot samples/plots/odds.json -o samples/plots/diagonal.svg --force";
    assert!(drawn == committed, "samples/plots/diagonal.svg is out of date: {again}");
}
