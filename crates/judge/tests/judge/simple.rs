//! The bots of `samples/bots`: the same strategy in two languages, and a legal answer to every
//! sample request.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{game_on_file, judge};

fn sample(path: &str) -> PathBuf {
    Path::new(crate::bots::ROOT).join("samples").join(path)
}

fn is_installed(program: &str) -> bool {
    let run =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// The names and command lines of the bots that this machine can run.
fn bots(directory: &Path) -> Vec<(&'static str, String)> {
    let mut bots = Vec::new();
    if is_installed("g++") {
        let binary = directory.join("simple");
        let compiled = Command::new("g++")
            .args(["-O1", "-Wall", "-Wextra", "-Werror", "-std=c++11", "-o"])
            .args([&binary, &sample("bots/simple.cpp")])
            .status();
        assert!(compiled.unwrap().success());
        bots.push(("cpp", format!("'{}'", binary.display())));
    }
    if is_installed("python3") {
        bots.push(("py", format!("python3 '{}'", sample("bots/simple.py").display())));
    }
    if bots.len() < 2 {
        println!("g++ or python3 is missing: only {} of 2 bots tested", bots.len());
    }
    bots
}

#[test]
fn both_play_the_same_games_in_both_modes_of_the_protocol() {
    let directory = TempDir::new().unwrap();
    let bots = bots(directory.path());
    if bots.is_empty() {
        return;
    }
    let logs = directory.path().join("logs");
    let mut arguments = vec!["pit".to_owned()];
    for (name, command) in &bots {
        arguments.extend(["--bot".to_owned(), format!("{name}={command} --keep-running")]);
    }
    let (name, command) = &bots[0];
    arguments.extend(["--bot".to_owned(), format!("{name}-once={command}")]);
    let options = ["--seeds", "1..2", "--level", "12x9/20", "--time-limit", "5", "--log"];
    arguments.extend(options.map(str::to_owned));
    arguments.push(logs.to_str().unwrap().to_owned());
    let run = judge(&arguments);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for seed in 1..=2 {
        let game = |name: &str| game_on_file(&logs.join(name).join(format!("12x9-20-{seed}.json")));
        let games: Vec<Value> = fs::read_dir(&logs)
            .unwrap()
            .map(|bot| game(bot.unwrap().file_name().to_str().unwrap()))
            .collect();
        assert_eq!(games.len(), bots.len() + 1);
        assert!(games.iter().all(|other| *other == games[0]), "seed {seed}");
    }
}

#[test]
fn every_sample_has_a_legal_answer() {
    let directory = TempDir::new().unwrap();
    let bots = bots(directory.path());
    let mut samples = 0;
    for entry in fs::read_dir(sample("requests")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".json") || name.ends_with(".expected.json") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let input: Value = serde_json::from_str(&text).unwrap();
        let requests = input["requests"].as_array().unwrap();
        let (rows, columns) = (&requests[0]["height"], &requests[0]["width"]);
        let (Some(rows), Some(columns)) = (rows.as_i64(), columns.as_i64()) else { continue };
        let cells = requests.iter().filter_map(|request| request["changed"].as_array()).flatten();
        let open: Vec<_> = cells.map(|cell| (cell["row"].as_i64(), cell["col"].as_i64())).collect();
        samples += 1;
        for (bot, command) in &bots {
            let mut process = crate::bots::shell()
                .args(["-c", command])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            // The judge writes a history as one line.
            process.stdin.take().unwrap().write_all(format!("{input}\n").as_bytes()).unwrap();
            let output = process.wait_with_output().unwrap();
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            let row = answer["response"]["row"].as_i64().unwrap();
            let col = answer["response"]["col"].as_i64().unwrap();
            assert!((0..rows).contains(&row) && (0..columns).contains(&col), "{bot}, {name}");
            assert!(!open.contains(&(Some(row), Some(col))), "{bot}, {name}: {row},{col} is open");
        }
    }
    assert!(samples > 10, "{samples} samples");
}

/// The guide shows the end of the report of its commands on which of two bots is better.
#[test]
#[ignore = "slow; scripts/check runs it"]
fn the_report_of_the_guide_is_that_of_its_commands() {
    let directory = TempDir::new().unwrap();
    let Some((_, simple)) = bots(directory.path()).into_iter().find(|(name, _)| *name == "cpp")
    else {
        return;
    };
    let guide = fs::read_to_string(Path::new(crate::bots::ROOT).join("crates/judge/README.md"));
    let (_, section) =
        guide.as_ref().unwrap().split_once("## Which of two bots is better").unwrap();
    let blocks: Vec<&str> = section.split("```").collect();
    let (commands, shown) = (blocks[1], blocks[3].strip_prefix("text\n").unwrap());
    let bots = "judge pit --bot target/simple --bot sapper --level intermediate --sprt --log games";
    assert!(commands.contains(bots), "{commands}");
    let bots = [format!("simple={simple} --keep-running"), "sapper --keep-running".to_owned()];
    let options = "--level intermediate --sprt --time-limit 20".split(' ');
    assert!(shown.lines().count() > 5, "{shown}");
    // On a machine that is busy enough, the clock ends a turn, which may change a game.
    let is_shown = (0..4).any(|_| {
        let bots = ["pit", "--bot", &bots[0], "--bot", &bots[1]].into_iter();
        let run = judge(bots.chain(options.clone()));
        assert_eq!(run.code, 0, "{}", run.stderr);
        println!("{}", run.stdout);
        run.stdout.ends_with(shown)
    });
    assert!(is_shown, "{shown}");
}
