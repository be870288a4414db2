//! `judge results`: a list of measurements run in parts and shares, joined, shown and drawn.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{ROOT, Run, judge, judge_command};

/// Small boards. The bot `me` is the engine itself, and so opens the same cells.
const LIST: &str = "\
# Small boards.
me     --bot me --level 8x8/10 --seed 1 --try 20 --day 60
fast   --level 8x8/10 --seed 1 --effort fast --less me --try 20 --day 60
safe   --level 8x8/10 --rule safe-first --seed 1 --effort fast --day 60
naive  --level 8x8/10 --rule safe-first --seed 1 --effort fast --without look-ahead --less safe \
       --day 60
";

pub(crate) const BOT: [&str; 2] = ["--bot", "me=sapper --keep-running --effort fast"];

/// A folder with a list.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(list: &str) -> Folder {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("list.txt"), list).unwrap();
        Folder(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file as text.
    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(crate) fn results(&self, arguments: &[&str]) -> Run {
        let folder = self.0.path().display().to_string();
        let words = ["results"].into_iter().chain(arguments.iter().copied());
        judge(words.chain(["--folder", &folder]))
    }

    pub(crate) fn show(&self, size: &str) -> Value {
        let run = self.results(&["show", "--size", size, "--json"]);
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr))
    }
}

/// A report without what differs from run to run.
pub(crate) fn untimed(mut report: Value) -> Value {
    for kind in ["measurements", "odds", "ceilings"] {
        for one in report[kind].as_array_mut().unwrap() {
            for key in ["cpu_ms", "cpu_s", "median_us", "p99_us", "machine", "command", "version"] {
                one.as_object_mut().unwrap().remove(key);
            }
        }
    }
    report
}

#[test]
fn a_bot_that_plays_as_the_engine_has_its_figures() {
    let folder = Folder::new(LIST);
    // Without the games of the bot, its measurement and the comparison cannot be made.
    let run = folder.results(&["run", "--size", "day"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("42 parts need the games of me: give --bot"), "{}", run.stderr);
    let run = folder.results(&[&["run", "--size", "day", "--reuse"][..], &BOT].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let report = folder.show("day");
    let [me, fast, safe, naive] = [0, 1, 2, 3].map(|index| &report["measurements"][index]);
    for one in [me, fast, safe, naive] {
        assert_eq!((&one["games"], &one["faults"]), (&json!(60), &json!(0)), "{one}");
    }
    for key in ["won", "mines", "adjusted", "adjusted_interval"] {
        assert_eq!(me[key], fast[key], "{key}");
    }
    let less = &fast["less"][0];
    assert_eq!((&less["than"], &less["boards"]), (&json!("me"), &json!(60)));
    assert_eq!((&less["points"], &less["adjusted"]), (&json!(0.0), &json!(0.0)));
    let [won, other] = [&naive["won"], &safe["won"]].map(|won| won.as_f64().unwrap());
    let points = naive["less"][0]["points"].as_f64().unwrap();
    assert!((points - 100.0 * (won - other)).abs() < 1e-9 && points != 0.0, "{points}");
    // The games that were kept are judged again without the bot.
    fs::rename(folder.path("figures.jsonl"), folder.path("first.jsonl")).unwrap();
    let run = folder.results(&["run", "--size", "day"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(untimed(folder.show("day")), untimed(report.clone()));
    // A bot that is given now is not asked for games that another command line has played.
    fs::remove_file(folder.path("figures.jsonl")).unwrap();
    let run = folder.results(&["run", "me", "--size", "day", "--bot", "me=other"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stderr.matches("the games of me were played by `").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("to play them again by `other`"), "{}", run.stderr);
    let run = folder.results(&["run", "--size", "day"]);
    assert!(run.code == 0 && !run.stderr.contains("the games of me"), "{}", run.stderr);
    let joined = folder.results(&["join", &folder.text("first.jsonl")]);
    assert!(joined.stdout.starts_with("0 parts added to"), "{}{}", joined.stdout, joined.stderr);
    assert!(joined.stdout.contains("; 82 parts were there already, with the same sums"));
}

#[test]
fn the_command_of_a_figure_makes_it_again() {
    let folder =
        Folder::new("safe --level 8x8/10 --rule safe-first --seed 5 --effort fast --try 30\n");
    assert_eq!(folder.results(&["run"]).code, 0);
    let lines = fs::read_to_string(folder.path("figures.jsonl")).unwrap();
    let figure: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    let command = figure["command"].as_str().unwrap();
    let expected = "judge bench --level 8x8/10 --rule safe-first --first 0,0 --seeds 5..34 \
                    --effort fast --adjusted";
    assert_eq!(command, expected);
    let words = command.split(' ').skip(1).chain(["--json"]);
    let again: Value = serde_json::from_str(&judge(words).stdout).unwrap();
    let counts = &figure["sums"]["counts"];
    assert_eq!((&again["wins"], &again["guesses"]), (&counts["wins"], &counts["guesses"]));
    let adjusted = again["adjusted"]["results"][1]["mean"].as_f64().unwrap();
    let stored = counts["adjusted"]["result"].as_f64().unwrap() / 1e5 / 30.0;
    assert!((adjusted - stored).abs() < 1e-5, "{adjusted} {stored}");
    let machine = &figure["machine"];
    assert!(machine["speed_mips"].as_f64().unwrap() > 50.0, "{machine}");
    assert!(machine["compiler"].as_str().unwrap().starts_with("rustc "), "{machine}");
}

#[test]
fn shares_of_two_processes_are_the_whole() {
    let list = "a --level 8x8/10 --seed 1 --effort fast --day 40\n\
                b --level 8x8/10 --effort fast --try 7\n";
    let (whole, shared) = (Folder::new(list), Folder::new(list));
    assert_eq!(whole.results(&["run", "--size", "day", "--jobs", "1"]).code, 0);
    let folder = shared.0.path().display().to_string();
    let start = |share: &str| {
        let mut command = judge_command();
        command.args(["results", "run", "--size", "day", "--share", share, "--folder", &folder]);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let both = ["1/2", "2/2"].map(start);
    assert!(both.into_iter().all(|mut process| process.wait().unwrap().success()));
    let [one, two] = ["share-1-of-2.jsonl", "share-2-of-2.jsonl"].map(|name| shared.text(name));
    let run = shared.results(&["join", &one]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stdout.starts_with("10 parts added to"), "{}", run.stdout);
    let run = shared.results(&["join", &one, &two]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(untimed(shared.show("day")), untimed(whole.show("day")));
    // The only part of the second measurement is of the second share.
    for (share, begins) in [("1/2", false), ("2/2", true)] {
        let path = shared.text(&format!("try-{}.jsonl", &share[..1]));
        let run = shared.results(&["run", "--size", "try", "--share", share, "--to", &path]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(fs::read_to_string(path).is_ok_and(|text| text.contains("\"b\"")), begins);
    }
    // Nothing is missing, so that nothing is played.
    let before = fs::read_to_string(shared.path("figures.jsonl")).unwrap();
    assert_eq!(shared.results(&["run", "--size", "day"]).code, 0);
    assert_eq!(fs::read_to_string(shared.path("figures.jsonl")).unwrap(), before);
}

#[test]
fn other_seeds_are_other_boards_and_figures_of_other_lines_do_not_count() {
    let list = "a --level 8x8/10 --seed 1 --effort fast --try 30\n";
    let folder = Folder::new(list);
    let others = folder.text("others.jsonl");
    let run = folder.results(&["run", "--later-seeds", "1000", "--to", &others]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(fs::read_to_string(&others).unwrap().contains("\"part\":[1001,1030]"));
    assert_eq!(folder.show("try")["measurements"][0]["games"], 0);
    let run = folder.results(&["join", &others]);
    assert!(run.code == 2 && run.stderr.contains("a is of another list: there it is `"));
    assert_eq!(folder.results(&["run"]).code, 0);
    assert_eq!(folder.show("try")["measurements"][0]["games"], 30);
    fs::write(folder.path("list.txt"), list.replace("8x8/10", "8x8/11")).unwrap();
    let run = folder.results(&["show", "--size", "try"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("judge: of another line of the list: a"), "{}", run.stderr);
}

#[test]
fn figures_of_another_play_do_not_count() {
    let folder = Folder::new("a --level 8x8/10 --seed 1 --effort fast --try 30\n");
    assert_eq!(folder.results(&["run"]).code, 0);
    let text = fs::read_to_string(folder.path("figures.jsonl")).unwrap();
    // Figures without a checksum, as of a version before them, are read; so this is no alteration.
    let line: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let mut older = line.clone();
    older.as_object_mut().unwrap().remove("crc32");
    older["play"] = json!(["00000000"]);
    let head: Value = json!({"results": 1});
    fs::write(folder.path("figures.jsonl"), format!("{head}\n{older}\n")).unwrap();
    let run = folder.results(&["show", "--size", "try"]);
    assert!(run.code == 1 && run.stderr.contains("of another play than today's"), "{}", run.stderr);
    // The part is played again, and the older figure stays.
    assert_eq!(folder.results(&["run"]).code, 0);
    assert_eq!(fs::read_to_string(folder.path("figures.jsonl")).unwrap().lines().count(), 3);
    assert_eq!(folder.results(&["show", "--size", "try"]).code, 0);
}

#[test]
fn an_altered_figure_and_contradicting_files_are_named() {
    let folder = Folder::new("a --level 8x8/10 --seed 1 --effort fast --day 40\n");
    assert_eq!(folder.results(&["run", "--size", "day"]).code, 0);
    let path = folder.path("figures.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let altered = text.replacen("\"turns\":", "\"turns\":1", 1);
    fs::write(&path, &altered).unwrap();
    for command in [&["show"][..], &["run"], &["fill", "x.md"]] {
        let run = folder.results(command);
        let expected = "figures.jsonl, line 2: it was altered after it was written";
        assert!(run.code == 2 && run.stderr.contains(expected), "{}", run.stderr);
    }
    // Another clone has other sums for the same part.
    let other = folder.text("other.jsonl");
    let head = json!({"results": 1});
    let mut figure: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    figure.as_object_mut().unwrap().remove("crc32");
    figure["sums"]["counts"]["wins"] = json!(0);
    fs::write(&other, format!("{head}\n{figure}\n")).unwrap();
    fs::write(&path, &text).unwrap();
    let run = folder.results(&["join", &other]);
    assert!(
        run.code == 2 && run.stderr.contains("seeds 1 to 2: other sums than"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // A run that was killed while it wrote a line.
    let cut = text.len() - 20;
    fs::write(&path, &text[..cut]).unwrap();
    assert_eq!(folder.results(&["run", "--size", "day"]).code, 0);
    assert_eq!(folder.show("day")["measurements"][0]["games"], 40);
}

#[test]
fn a_line_that_cannot_be_and_unknown_names_are_refused() {
    let folder = Folder::new("a --level 8x8/10 --try 10\nb --level 9x9 --try 10\n");
    let run = folder.results(&["run"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("list.txt, line 2: invalid value '9x9'"), "{}", run.stderr);
    assert_eq!(run.stderr.trim().lines().count(), 1, "{}", run.stderr);
    let folder = Folder::new(LIST);
    for (arguments, expected) in [
        (&["run", "x"][..], "no measurement is called x; there are fast, me, naive, safe"),
        (&["show", "x"], "no measurement is called x"),
        (&["run", "--bot", "you=sapper"], "no measurement is of this bot; there are me"),
        (&["run", "--share", "3/2"], "give K/N"),
        (&["join", "none.jsonl"], "none.jsonl"),
        (&["run", "--later-seeds", "2147483647"], "its seeds have more than 32 bits"),
        (&["run", "--later-seeds", "1000"], "name another file by --to"),
    ] {
        let run = folder.results(arguments);
        assert!(run.code == 2 && run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn measurements_are_drawn() {
    let folder = Folder::new(
        "alpha --level 8x8/10 --rule safe-first --seed 1 --effort fast --try 30\n\
         beta --level 8x8/10 --rule safe-first --seed 1 --effort fast --without look-ahead \
         --try 30\n\
         gamma --level 8x8/10 --day 30\n",
    );
    assert_eq!(folder.results(&["run"]).code, 0);
    let [shown, picture] = ["shown.json", "picture.svg"].map(|name| folder.text(name));
    let draw = |report: &Value| {
        fs::write(&shown, report.to_string()).unwrap();
        let run = judge(["plot", &shown, "-o", &picture]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        fs::read_to_string(&picture).unwrap()
    };
    let mut report = folder.show("try");
    for index in [0, 1] {
        report["measurements"][index]["cpu_ms"] = json!(0.5);
    }
    let svg = draw(&report);
    assert!(svg.contains("alpha") && svg.contains("beta") && !svg.contains("gamma"), "{svg}");
    // Under a classic rule the share of games won without luck is drawn.
    let with = |key: &str, value: f64| {
        let mut other = report.clone();
        other["measurements"][0][key] = json!(value);
        draw(&other)
    };
    assert!(with("won", 0.1) == svg && with("mines", 0.1) == svg && with("adjusted", 0.1) != svg);
    // A coarse clock measures no time of a few games.
    report["measurements"][0]["cpu_ms"] = json!(0.0);
    assert!(!draw(&report).contains("alpha"));
    report["measurements"][1]["cpu_ms"] = json!(0.0);
    fs::write(&shown, report.to_string()).unwrap();
    let run = judge(["plot", &shown, "-o", &picture]);
    assert!(run.code == 2 && run.stderr.contains("no measurement has boards"), "{}", run.stderr);
}

/// The committed pages have the committed figures, unless those are of an earlier play.
/// The list of the project at its smallest size. Where figures of the same play are committed, they
/// are the same. It takes half a minute; that play is the same on Windows, the signature shows.
#[cfg(unix)]
#[test]
fn the_list_of_the_project_is_measured_as_committed() {
    let committed = Path::new(ROOT).join("samples/results");
    let folder = Folder::new(&fs::read_to_string(committed.join("list.txt")).unwrap());
    let run = folder.results(&["run", "--size", "try"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let committed = committed.display().to_string();
    let shown = judge(["results", "show", "--size", "try", "--json", "--folder", &committed]);
    let [measured, known] =
        [folder.show("try"), serde_json::from_str(&shown.stdout).unwrap()].map(untimed);
    let all = |report: &Value| {
        let kinds = ["measurements", "odds", "ceilings"];
        kinds.map(|kind| report[kind].as_array().unwrap().clone()).concat()
    };
    let [measured, known] = [&measured, &known].map(all);
    assert_eq!(measured.len(), known.len());
    let mut games = 0;
    for (measured, known) in measured.iter().zip(&known) {
        let key = if measured.get("positions").is_some() { "positions" } else { "games" };
        assert_eq!(measured[key], measured["of"], "{measured}");
        games += measured["games"].as_u64().unwrap_or(0);
        assert!(known[key] == 0 || known == measured, "{known}\n{measured}");
    }
    assert!(games > 1000, "{games}");
}
