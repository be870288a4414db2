//! `judge calibrate`: correct odds pass, boards that are not uniformly random fail, and the number
//! of threads does not change the output.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{Run, judge};

fn calibrate(options: &[&str]) -> Run {
    judge([&["calibrate"], options].concat())
}

fn json(options: &[&str]) -> (i32, Value) {
    let run = calibrate(&[options, &["--json"]].concat());
    let output = serde_json::from_str(&run.stdout);
    (run.code, output.unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr)))
}

const BOARDS: usize = 240;

/// Boards of 5x5 with 5 mines. In every `every`th the corner, the bot's first cell, is a mine.
fn boards(random: &mut fastrand::Rng, every: usize) -> String {
    let line = |number: usize| {
        let mut mines = random.choose_multiple(0..25, 5);
        if number.is_multiple_of(every) && !mines.contains(&0) {
            mines[0] = 0;
        }
        let mines: Vec<String> = mines.iter().map(usize::to_string).collect();
        format!("5 5 5 0 0 {}\n", mines.join(" "))
    };
    (0..BOARDS).map(line).collect()
}

#[test]
#[ignore = "slow; scripts/check runs it"]
fn odds_are_calibrated_under_every_rule() {
    for (rule, level) in
        [("botzone", "11x8/20"), ("safe-first", "12x8/24"), ("open-first", "12x10/28")]
    {
        let (code, output) = json(&["--rule", rule, "--level", level, "--guesses", "1200"]);
        assert_eq!((code, &output["off"]), (0, &Value::Bool(false)), "{rule}: {output}");
        assert!(output["guesses"].as_u64().unwrap() >= 1200);
        assert!(output["degrees_of_freedom"].as_u64().unwrap() >= 2, "{output}");
        assert_eq!(output["false_proofs"], 0);
        let bins = output["bins"].as_array().unwrap();
        let sum: u64 = bins.iter().map(|bin| bin["guesses"].as_u64().unwrap()).sum();
        assert_eq!(sum, output["guesses"].as_u64().unwrap());
        for bin in bins {
            let number = |key: &str| bin[key].as_f64().unwrap();
            assert!(number("from") <= number("predicted") && number("predicted") <= number("to"));
        }
    }
}

#[test]
#[ignore = "slow; scripts/check runs it"]
fn boards_that_favour_a_cell_fail_the_check() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("boards.txt");
    let mut random = fastrand::Rng::with_seed(51);
    let mut of = |every: usize| {
        fs::write(&path, boards(&mut random, every)).unwrap();
        json(&["--boards", path.to_str().unwrap()])
    };
    let (code, fair) = of(usize::MAX);
    assert_eq!((code, &fair["games"], &fair["off"]), (0, &BOARDS.into(), &Value::Bool(false)));
    let (code, favoured) = of(3);
    assert_eq!((code, &favoured["off"]), (1, &Value::Bool(true)), "{favoured}");
    assert!(favoured["p_value"].as_f64().unwrap() < 0.001);
    let run = calibrate(&["--boards", path.to_str().unwrap()]);
    assert!(run.code == 1 && run.stdout.contains("OFF the diagonal"), "{}", run.stdout);
}

#[test]
fn the_output_depends_on_the_seed_and_not_on_the_threads() {
    let directory = TempDir::new().unwrap();
    let output = |jobs: &str, seeds: &str| {
        let csv = directory.path().join(format!("{jobs}-{seeds}.csv"));
        let run = calibrate(&[
            "--guesses",
            "1000",
            "--jobs",
            jobs,
            "--seeds",
            seeds,
            "--csv",
            csv.to_str().unwrap(),
        ]);
        assert!(run.stdout.contains("ON the diagonal"), "{}", run.stdout);
        (run.stdout, fs::read_to_string(csv).unwrap())
    };
    let one = output("1", "-9..9999");
    assert_eq!(one, output("3", "-9..9999"));
    assert_ne!(one, output("3", "9..9999"));
    assert_eq!(one.1.lines().next(), Some("from,to,guesses,mines,predicted,observed,low,high,z"));
    // The table and the file have one line per bin.
    let bins = one.1.lines().count() - 1;
    assert!(bins > 5);
    let rows = one.0.lines().filter(|line| line.starts_with("| 0.")).count();
    assert_eq!(rows, bins, "{}", one.0);
}

#[test]
fn the_run_ends_after_the_last_seed() {
    let (code, output) = json(&["--seeds", "1..7", "--level", "beginner"]);
    assert_eq!((code, &output["games"], &output["off"]), (0, &7.into(), &Value::Null));
    let run = calibrate(&["--seeds", "1..7", "--level", "beginner"]);
    assert!(run.stdout.contains("Too few guesses to check."), "{}", run.stdout);
}

#[test]
fn bad_usage_says_what_to_do() {
    for (options, hint) in [
        (vec!["--level", "3x3/0"], "no guess with exact odds in 10000 games"),
        // Its only cell is proven a mine, so opening it is not a guess.
        (vec!["--level", "1x1/1"], "no guess with exact odds in 10000 games"),
        (vec!["--level", "1x1/1", "--json"], "a level that needs guesses"),
        (vec!["--level", "2x1/2", "--seeds", "1"], "no guess with exact odds in 1 game,"),
        (vec!["--games", "3", "--guesses", "3"], "add --boards FILE"),
        (vec!["--guesses", "0"], "give a whole number from 1"),
        (vec!["--seeds", "1..2147483648"], "`2147483648` is not a 32-bit integer"),
        (vec!["--first", "0,0"], "omit --first"),
        (vec!["--rule", "safe-first", "--first", "99,0"], "rows are 0 to 19, columns 0 to 29"),
        (vec!["--boards", "x", "--level", "expert"], "cannot be used with"),
        (vec!["--boards", "/no/such/file"], "cannot read /no/such/file"),
        (vec!["--seeds", "1..9", "--csv", "/no/such/directory/bins.csv"], "cannot write /no/such"),
        // Before the games.
        (vec!["--level", "3x3/0", "--csv", "no/such/b.csv"], "there is no folder no/such ("),
    ] {
        let run = calibrate(&options);
        assert_eq!(run.code, 2, "{options:?}: {}", run.stdout);
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
    }
    let help = calibrate(&["--help"]);
    assert!(help.code == 0 && help.stdout.contains("Examples:"));
}

#[test]
fn chances_to_win_are_those_of_the_games_unless_the_boards_are_no_random_ones() {
    let small = ["--level", "7x7/10", "--rule", "safe-first", "--effort", "fast"];
    let told = |options: &[&str]| {
        let options = [&small[..], &["--chance", "40", "--guesses", "150"], options].concat();
        json(&options)
    };
    let (code, report) = told(&["--jobs", "1"]);
    assert_eq!((code, &told(&["--jobs", "2"]).1), (0, &report));
    let groups = report["groups"].as_array().unwrap();
    let [all, guesses] = &groups[..] else { panic!("{report}") };
    assert_eq!((&all["off"], all["positions"].as_u64()), (&Value::Bool(false), Some(150)));
    assert!(report["games"].as_u64() > Some(150), "some games are lost before their position");
    let positions = guesses["positions"].as_u64().unwrap();
    assert!((10..140).contains(&positions), "{positions}");
    let bins = all["bins"].as_array().unwrap();
    let sum = |key: &str| bins.iter().map(|bin| bin[key].as_u64().unwrap()).sum::<u64>();
    assert!(sum("positions") == 150 && (30..150).contains(&sum("won")), "{report}");
    // One layout for all games ends them all alike.
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("boards.txt");
    fs::write(&path, "7 7 10 0 0 5 9 13 20 22 30 33 38 41 48\n".repeat(150)).unwrap();
    let file = ["--boards", path.to_str().unwrap(), "--rule", "safe-first", "--effort", "fast"];
    let run = calibrate(&[&file[..], &["--chance", "40"]].concat());
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\nOFF the diagonal: "), "{}", run.stdout);
    let run = calibrate(&["--chance", "40", "--seeds", "1"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("give --rule safe-first or open-first"), "{}", run.stderr);
}

#[test]
fn cells_ahead_of_the_move_are_counted_and_change_no_chance() {
    let small = ["--level", "5x5/8", "--rule", "safe-first", "--effort", "fast"];
    let told = |cells: &[&str]| {
        json(&[&small[..], &["--chance", "60", "--guesses", "60"], cells].concat()).1
    };
    let (one, five) = (told(&[]), told(&["--cells", "5"]));
    assert_eq!((&one["groups"], &one["ahead"]), (&five["groups"], &Value::Null));
    let [guesses, ahead] = ["guesses", "ahead"].map(|key| five["ahead"][key].as_u64().unwrap());
    let group = &five["groups"][1];
    assert_eq!(group["positions"].as_u64(), Some(guesses));
    assert!((1..guesses / 4).contains(&ahead), "{five}");
    // Three standard errors of 60 playouts.
    let gain = five["ahead"]["gain"].as_f64().unwrap();
    assert!((0.001..0.5).contains(&gain), "{gain}");
    // The mean of p (1 - p) is at most that of the mean p.
    let precision = &group["precision"];
    let [by_odds, by_wins] = ["by_odds", "by_wins"].map(|key| precision[key].as_u64().unwrap());
    let chance = group["all"]["predicted"].as_f64().unwrap();
    let most = (1.96_f64 / 0.02).powi(2) * chance * (1.0 - chance);
    assert!(by_odds > 0 && by_odds < by_wins / 2 && by_wins as f64 <= most + 1.0, "{precision}");
    let run = calibrate(&["--cells", "2"]);
    assert!(run.code == 2 && run.stderr.contains("--chance"), "{}", run.stderr);
}
