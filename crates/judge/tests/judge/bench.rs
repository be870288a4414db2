//! `judge bench`: its output and its files are compared with games that the test plays itself.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use analysis::adjusted::adjuster::Adjuster;
use game::board_file::Layout;
use game::rule::Rule;
use game::simulate::{PlayResult, play, play_adjusted};
use sapper::bot::engine::{Engine, Step};
use sapper::settings::budget::NoClock;
use sapper::settings::params::{Effort, Objective};
use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{Run, judge};

/// Boards as lines of a file. Width and height differ, so that swapping them fails a test; the
/// first cell, the corner, is safe.
fn board_lines(boards: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(71);
    let line = |_| {
        let mines = random.choose_multiple(1..45, 9);
        let mines: Vec<String> = mines.iter().map(usize::to_string).collect();
        format!("9 5 9 0 0 {}", mines.join(" "))
    };
    (0..boards).map(line).collect()
}

struct Bench {
    directory: TempDir,
    boards: PathBuf,
}

impl Bench {
    fn new(boards: &[u8]) -> Bench {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("boards");
        fs::write(&path, boards).unwrap();
        Bench { directory, boards: path }
    }

    fn run(&self, rule: &str, options: &[&str]) -> Run {
        let boards = self.boards.to_str().unwrap();
        judge(["bench", "--jobs", "2", "--boards", boards, "--rule", rule].iter().chain(options))
    }

    /// Runs with `--csv` and returns the fields of every line except the time, which must be valid,
    /// and the options, which must be those of the boards.
    fn csv(&self, rule: &str, options: &[&str]) -> (Run, Vec<Vec<u32>>) {
        let path = self.directory.path().join("out.csv");
        let run = self.run(rule, &[options, &["--csv", path.to_str().unwrap()]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let text = fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("index,won,hits,turns,guesses,ms,options"));
        let games = lines.map(|line| {
            // Options with a comma are quoted.
            let line = line.replace(",\"--", ",--");
            let (line, options) = line.split_once(",--level 9x5/").unwrap();
            let has_rule = options.contains(&format!(" --rule {rule} --first "));
            assert_eq!(has_rule, rule != "botzone", "{options}");
            let (counts, ms) = line.rsplit_once(',').unwrap();
            assert!(ms.parse::<f64>().unwrap() >= 0.0, "{line}");
            counts.split(',').map(|number| number.parse().unwrap()).collect()
        });
        (run, games.collect())
    }
}

fn play_all(lines: &[String], rule: Rule, objective: Objective) -> Vec<PlayResult> {
    let mut engine = Engine::new(objective, Effort::Standard);
    let layout = |line: &String| line.parse::<Layout>().unwrap();
    lines.iter().map(|line| play(&layout(line), rule, &mut engine, |_, _, _| {})).collect()
}

fn csv_fields(from: usize, trials: &[PlayResult]) -> Vec<Vec<u32>> {
    let fields = |(index, trial): (usize, &PlayResult)| {
        let PlayResult { won, hits, turns, guesses, .. } = *trial;
        vec![(from + index) as u32, won.into(), hits, turns, guesses]
    };
    trials.iter().enumerate().map(fields).collect()
}

/// The columns of the first row of a table that starts with `start`; for the summary, whose header
/// starts so, the columns of the row below the header.
fn row<'t>(table: &'t str, start: &str) -> Vec<&'t str> {
    let mut lines = table.lines().skip_while(|line| !line.starts_with(start)).peekable();
    if start.contains("games") {
        lines.nth(1);
    }
    lines.next().unwrap().split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Wilson's interval by its definition: the two shares from which the observed one is 1.96 standard
/// deviations away, found by bisection.
fn wilson(wins: usize, games: usize) -> (f64, f64) {
    let observed = wins as f64 / games as f64;
    let inside = |share: f64| {
        (observed - share).abs() <= 1.959_963_985 * (share * (1.0 - share) / games as f64).sqrt()
    };
    let end = |mut out: f64| {
        let mut within = observed;
        for _ in 0..60 {
            let middle = (within + out) / 2.0;
            if inside(middle) { within = middle } else { out = middle }
        }
        within
    };
    (end(0.0), end(1.0))
}

/// The adjusted results of the report and of the CSV file are those of games played by the test.
#[test]
fn adjusted_results_are_those_of_the_games() {
    let lines = board_lines(60);
    let bench = Bench::new((lines.join("\n") + "\n").as_bytes());
    let csv = bench.directory.path().join("out.csv");
    for (name, rule, objective, column) in [
        ("botzone", Rule::Botzone, Objective::FewestHits, "adjusted_hits"),
        ("safe-first", Rule::SafeFirst, Objective::CleanWin, "adjusted_won"),
    ] {
        let mut engine = Engine::new(objective, Effort::Standard);
        let mut adjuster = Adjuster::default();
        let results = lines.iter().zip(0..).map(|(line, index)| {
            let layout: Layout = line.parse().unwrap();
            adjuster.begin(layout.shape.len(), index);
            play_adjusted(&layout, rule, &mut engine, &NoClock, &mut adjuster);
            let luck = adjuster.luck();
            if rule == Rule::Botzone { luck.expected } else { luck.survival }
        });
        let results: Vec<f64> = results.collect();
        let options = ["--adjusted", "--json", "--csv", csv.to_str().unwrap()];
        let report: Value = serde_json::from_str(&bench.run(name, &options).stdout).unwrap();
        let adjusted = &report["adjusted"];
        let mean = results.iter().sum::<f64>() / 60.0;
        let reported = adjusted["results"][1]["mean"].as_f64().unwrap();
        assert!((reported - mean).abs() < 1e-5 && 0.1 < mean, "{name}: {reported}, {mean}");
        let plain = if rule == Rule::Botzone { "mines_a_game" } else { "win_rate" };
        assert_eq!(adjusted["results"][0]["mean"], report[plain]);
        assert!(adjusted["fewer_boards"].as_f64().unwrap() > 1.5, "{adjusted}");
        assert!(adjusted["luck"]["guesses"].as_u64() >= report["guesses"].as_u64());
        assert_eq!(adjusted["luck"]["without_exact_odds"], 0);
        let text = fs::read_to_string(&csv).unwrap();
        assert!(text.lines().next().unwrap().ends_with(&format!(",ms,{column},options")));
        for (line, result) in text.lines().skip(1).zip(&results) {
            let line = line.replace('"', "");
            let (line, _) = line.split_once(",--level ").unwrap();
            let written: f64 = line.rsplit(',').next().unwrap().parse().unwrap();
            assert!((written - result).abs() < 1e-9, "{line}");
        }
        let text = bench.run(name, &["--adjusted"]).stdout;
        assert!(text.contains("times fewer boards.") && text.contains("They fit"), "{text}");
        let survives = text.contains("\nA guess that would hit is survived: ");
        assert_eq!(survives, name == "safe-first", "{text}");
    }
}

#[test]
fn the_csv_lists_the_games_as_they_were_played() {
    let lines = board_lines(40);
    let bench = Bench::new((lines.join("\n") + "\n\n").as_bytes());
    for (name, rule, objective) in [
        ("botzone", Rule::Botzone, Objective::FewestHits),
        ("safe-first", Rule::SafeFirst, Objective::CleanWin),
    ] {
        let trials = play_all(&lines, rule, objective);
        assert_eq!(bench.csv(name, &[]).1, csv_fields(0, &trials));
        // The index is that of the whole file, also with --from.
        assert_eq!(bench.csv(name, &["--from", "33"]).1, csv_fields(33, &trials[33..]));
        let some = bench.csv(name, &["--from", "7", "--games", "5"]).1;
        assert_eq!(some, csv_fields(7, &trials[7..12]));
    }
}

#[test]
fn the_tables_summarize_the_games() {
    let lines = board_lines(60);
    let bench = Bench::new(lines.join("\n").as_bytes());
    let trials = play_all(&lines, Rule::Botzone, Objective::FewestHits);
    let games = trials.len();
    let wins = trials.iter().filter(|trial| trial.won).count();
    assert!(wins > 5 && wins < games - 5, "{wins}");
    let text = bench.run("botzone", &[]).stdout;
    let summary = row(&text, "| games");
    let (low, high) = wilson(wins, games);
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    assert_eq!(summary[0], games.to_string());
    assert_eq!(summary[1], percent(wins as f64 / games as f64));
    assert_eq!(summary[2], format!("{}-{}", percent(low), percent(high)));

    let mean = |of: &dyn Fn(&PlayResult) -> u32| {
        trials.iter().map(|trial| f64::from(of(trial))).sum::<f64>() / games as f64
    };
    let hits = mean(&|trial| trial.hits);
    let squares: f64 = trials.iter().map(|trial| (f64::from(trial.hits) - hits).powi(2)).sum();
    assert_eq!(games, 60);
    // Student's t of 59 degrees of freedom.
    let half = 2.000_995_378 * (squares / (games - 1) as f64 / games as f64).sqrt();
    assert_eq!(summary[3], format!("{hits:.4}"));
    assert_eq!(summary[4], format!("{:.4}-{:.4}", hits - half, hits + half));
    assert_eq!(summary[5], format!("{:.3}", mean(&|trial| trial.guesses)));
    for step in Step::ALL {
        let clicks = mean(&|trial| trial.by_step[step as usize].0);
        let mines = mean(&|trial| trial.by_step[step as usize].1);
        let expected = [step.name().to_owned(), format!("{clicks:.2}"), format!("{mines:.4}")];
        assert_eq!(row(&text, &format!("| {}", step.name()))[..3], expected);
    }
}

#[test]
fn gzip_byte_order_marks_and_crlf_are_read_as_plain_text() {
    let lines = board_lines(12);
    let plain = Bench::new(lines.join("\n").as_bytes());
    // Two gzip members, as in the output of `cat a.gz b.gz`.
    let mut packed = Vec::new();
    for part in lines.chunks(7) {
        let mut part_of_file = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
        writeln!(part_of_file, "{}", part.join("\n")).unwrap();
        packed = part_of_file.finish().unwrap();
    }
    let packed = Bench::new(&packed);
    assert_eq!(packed.csv("botzone", &[]).1, plain.csv("botzone", &[]).1);
    let marked = Bench::new(format!("\u{feff}{}", lines.join("\r\n")).as_bytes());
    assert_eq!(marked.csv("botzone", &[]).1, plain.csv("botzone", &[]).1);
}

#[test]
fn invalid_boards_are_bad_input_and_name_their_line() {
    let good = &board_lines(1)[0];
    for (rule, bad, reason) in [
        ("botzone", "9 5 2 0 0 1", "line 2: 1 different mines instead of 2"),
        ("botzone", "9 5 1 0 0 45", "line 2: a mine is outside"),
        ("botzone", "9 5 1 5 0 1", "line 2: first cell 5,0 is outside"),
        ("botzone", "9 5 x 0 0 1", "line 2: `x` is not a number"),
        ("botzone", "9 5", "line 2: only 2 numbers"),
        ("safe-first", "9 5 1 0 0 0", "line 2: the first cell is a mine"),
        // Index 9 is a neighbour of the corner only if the field is nine wide.
        ("open-first", "9 5 1 0 0 9", "line 2: mines touch the first cell"),
    ] {
        let first = if rule == "open-first" { "9 5 1 0 0 44" } else { good };
        let bench = Bench::new(format!("{first}\n{bad}\n").as_bytes());
        let run = bench.run(rule, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{bad}");
        assert!(run.stderr.contains(reason), "{bad}: {}", run.stderr);
        // Lines that are not played are not checked.
        assert_eq!(bench.run(rule, &["--games", "1"]).code, 0, "{bad}");
    }
    let bench = Bench::new(good.as_bytes());
    for (options, hint) in [
        (["--from", "1"], "has no board from line 1 on, counted from 0; see --from"),
        (["--games", "0"], "--games 0 plays no board; give at least 1"),
    ] {
        let run = bench.run("botzone", &options);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    let run = Bench::new(b"\n").run("botzone", &[]);
    assert!(run.code == 2 && run.stderr.ends_with(" has no board\n"), "{}", run.stderr);
    let run = judge(["bench", "--level", "beginner", "--games", "20"]);
    assert!(run.code == 2 && run.stderr.contains("such as --seeds 1..20"), "{}", run.stderr);
    assert_eq!(judge(["bench", "--boards", "/no/such/file", "--rule", "botzone"]).code, 2);
    // The first cells in a file count by the classic rules only.
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/boards/expert-safe-first.txt");
    for (rule, is_noted) in [(&[][..], true), (&["--rule", "botzone"], false)] {
        let run = judge([&["bench", "--boards", boards, "--games", "1"], rule].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(
            run.stderr.starts_with("judge: note: without --rule "),
            is_noted,
            "{}",
            run.stderr
        );
    }
}

#[test]
#[ignore = "slow; scripts/check runs it"]
fn parts_of_the_engine_can_be_left_out() {
    let lines = board_lines(30).join("\n");
    let bench = Bench::new(lines.as_bytes());
    let with = |without: &[&str]| {
        let options = [&["--json", "--effort", "full"], without].concat();
        let run = bench.run("safe-first", &options);
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let solved = |report: &serde_json::Value| report["steps"][2]["clicks"].as_u64();
    let whole = with(&[]);
    assert_eq!(whole["steps"][2]["step"], "endgame");
    let guessing = with(&["--without", "endgame,rollouts"]);
    assert_eq!(guessing["setting"]["effort"], "full without endgame,rollouts");
    assert!(solved(&whole) > Some(0) && solved(&guessing) == Some(0), "{whole}");
    // In any order of the parts. Without the two-ply look-ahead there are no playouts either.
    let by_odds = with(&["--without", "rollouts", "--without", "endgame,look-ahead"]);
    let again = with(&["--without", "look-ahead,endgame"]);
    assert_eq!(by_odds["setting"]["effort"], "full without look-ahead,endgame,rollouts");
    assert_eq!(by_odds["steps"], again["steps"]);
    // The two-ply look-ahead and the playouts choose other cells. So few boards cannot show whether
    // the choice is better.
    assert_ne!(by_odds["steps"][3], guessing["steps"][3]);
    let look_ahead = with(&["--without", "rollouts,endgame"]);
    let rollouts = with(&["--without", "endgame"]);
    assert_eq!(look_ahead["steps"], guessing["steps"]);
    assert_ne!(rollouts["steps"][3], look_ahead["steps"][3]);
}
