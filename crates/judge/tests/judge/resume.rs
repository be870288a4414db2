//! `judge pit --resume`: a run that was interrupted continues, and knows what it resumes.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bots::{Run, Script, judge, wait_for, without_checksums};
use crate::pit::{QUICK, SAPPER, pit, pit_json, records};

/// A report without times, memory and the number of games from the journal.
fn totals(mut all: Value) -> Value {
    all["resumed_games"].take();
    for bot in all["bots"].as_array_mut().unwrap() {
        for key in ["wall_ms", "cpu_ms", "memory_mb"] {
            bot[key].take();
        }
    }
    all
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_continues() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("run.jsonl");
    let resume = ["--resume", journal.to_str().unwrap()];
    let bots = [SAPPER, "none=sh -c 'exit 3'"];
    let seeds = |seeds| ["--seeds", seeds];
    let uninterrupted = pit_json(&bots, &[&QUICK, &seeds("1..6")]).1;
    // Half of the seeds; then the journal is cut off within a line, as by a power failure.
    assert_eq!(pit_json(&bots, &[&QUICK, &seeds("1..3"), &resume]).1["resumed_games"], 0);
    let text = fs::read(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 20]).unwrap();
    let (code, all) = pit_json(&bots, &[&QUICK, &seeds("1..6"), &resume, &["--jobs", "2"]]);
    assert_eq!((code, &all["resumed_games"]), (1, &json!(5)));
    assert_eq!(totals(all.clone()), totals(uninterrupted));
    // No game is played again, and the times come from the journal too.
    let (_, again) = pit_json(&bots, &[&QUICK, &seeds("1..6"), &resume]);
    assert_eq!(again["resumed_games"], 12);
    assert_eq!(again["bots"], all["bots"]);
    // With a third bot, and --log: a game without a record on file is played again.
    let logs = directory.path().join("logs");
    let log = ["--log", logs.to_str().unwrap()];
    let more = [bots[0], bots[1], "sapper2=sapper --keep-running"];
    let (_, third) = pit_json(&more, &[&QUICK, &seeds("1..6"), &resume, &log]);
    assert_eq!((&third["resumed_games"], records(&logs).len()), (&json!(0), 18));
    assert_eq!(third["bots"][0]["score"], third["bots"][2]["score"]);
    // A file that has another game under the right name is none, and is written again.
    let path = |bot: &str, seed: i32| logs.join(bot).join(format!("8x8-8-{seed}.json"));
    let right = fs::read(path("none", 2)).unwrap();
    for other in [path("none", 1), path("sapper2", 2)] {
        fs::copy(other, path("none", 2)).unwrap();
        let (_, fourth) = pit_json(&more, &[&QUICK, &seeds("1..6"), &resume, &log]);
        assert_eq!(fourth["resumed_games"], 17);
        assert_eq!(fs::read(path("none", 2)).unwrap(), right);
    }

    for (bots, options, hint) in [
        (
            &bots[..],
            &[&["--level", "8x8/9"][..], &[]],
            "is of another run: level 8x8/8 instead of 8x8/9; give the same options, another file, \
             or --restart to drop its results",
        ),
        (
            &["sapper"],
            &[&QUICK[..], &[]],
            "command sapper --keep-running instead of sapper; give the bot another name (--bot",
        ),
        (
            &bots,
            &[&QUICK[..], &["--time-limit", "3"]],
            "has games of another sapper: limits none instead of --time-limit 3; give the bot",
        ),
    ] {
        let run = pit(bots, &[options[0], options[1], &resume]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    for other_text in ["a text without an end", "{}\n", "{\"game\":1}\n", "\u{0}\u{1}\n"] {
        fs::write(&journal, other_text).unwrap();
        let run = pit(&bots, &[&QUICK, &resume]);
        assert_eq!(run.code, 2, "{other_text}: {}", run.stdout);
        assert!(run.stderr.contains("is not a file that --resume"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(&journal).unwrap(), other_text);
    }
}

/// What an altered line held is played again: a game, or all games of a bot.
#[cfg(unix)]
#[test]
fn an_altered_line_of_a_journal_is_named_and_not_used() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("run.jsonl");
    let resume = ["--seeds", "1..3", "--resume", journal.to_str().unwrap(), "--jobs", "1"];
    let bots = [SAPPER, "none=sh -c 'exit 3'"];
    let (_, first) = pit_json(&bots, &[&QUICK, &resume]);
    let text = fs::read_to_string(&journal).unwrap();
    let number = |what: &str| text.lines().position(|line| line.starts_with(what)).unwrap() + 1;
    let (game, bot) = ("{\"game\":{\"bot\":\"sapper\"", "{\"bot\":{\"name\":\"sapper\"");
    for (line, altered, kept) in [
        (number(game), text.replacen("\"score\":", "\"score\":1", 1), 5),
        (number(bot), text.replacen("--keep-running", "--keep-runnin_", 1), 3),
    ] {
        assert_ne!(altered, text);
        fs::write(&journal, &altered).unwrap();
        let run = pit(&bots, &[&QUICK, &resume, &["--json"]]);
        let fault = format!("run.jsonl, line {line}: it was altered after it was written");
        assert!(run.stderr.contains(&fault), "{}", run.stderr);
        let all: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(all["resumed_games"], kept);
        assert_eq!(totals(all), totals(first.clone()));
        // What was played again is on file.
        assert!(fs::read_to_string(&journal).unwrap().starts_with(&altered));
        assert_eq!(pit_json(&bots, &[&QUICK, &resume]).1["resumed_games"], 6);
    }
    // A journal of an earlier version is used as a whole.
    fs::write(&journal, without_checksums(&text)).unwrap();
    assert_eq!(pit_json(&bots, &[&QUICK, &resume]).1["resumed_games"], 6);
}

/// Under open-first the first cell of 4x4/1 may leave nothing to play: such a game has no score;
/// scores are rounded to 16 digits in records, and not in the journal.
#[cfg(unix)]
#[test]
fn no_game_on_file_is_played_again() {
    let directory = TempDir::new().unwrap();
    let name = |file: &str| directory.path().join(file).to_str().unwrap().to_owned();
    let bots = ["sapper=sapper --keep-running --effort fast", "none=sh -c 'exit 3'"];
    for (level, rule) in [("4x4/1", "open-first"), ("5x5/18", "botzone")] {
        let [journal, logs] = ["jsonl", "logs"].map(|end| name(&format!("{rule}.{end}")));
        let boards = ["--level", level, "--rule", rule, "--seeds", "1..4"];
        let files = ["--resume", &journal, "--log", &logs];
        let (_, first) = pit_json(&bots, &[&boards, &files]);
        let (_, again) = pit_json(&bots, &[&boards, &files]);
        assert_eq!((&first["resumed_games"], &again["resumed_games"]), (&json!(0), &json!(8)));
        let text = fs::read_to_string(&journal).unwrap();
        let games = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let games: Vec<Value> = games.map(|mut line| line["game"].take()).collect();
        let has = |is: fn(&Value) -> bool| games.iter().any(is);
        let is_beforehand = |game: &Value| game["wall"].as_array().is_some_and(Vec::is_empty);
        let is_rounded = |game: &Value| {
            let score = game["score"].as_f64();
            score.is_some_and(|score| format!("{score:.15e}").parse() != Ok(score))
        };
        assert!(if rule == "botzone" { has(is_rounded) } else { has(is_beforehand) }, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_edited_bot_does_not_get_its_old_results() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("run.jsonl");
    let resume = ["--seeds", "1..3", "--resume", journal.to_str().unwrap()];
    let bot = Script::new("exit 3");
    let path = bot.path("bot.sh");
    let shown = path.display();
    let commands = [
        bot.command.clone(),
        format!("sh -c 'sh {shown}'"),
        format!("sh -c '(sh \"{shown}\";)'"),
        format!("sh -c 'sh ${{0#with:}}' with:{shown}"),
    ];
    for command in commands {
        fs::write(&path, "exit 3\n").unwrap();
        let bots = [format!("a={command}"), SAPPER.to_owned()];
        let bots = bots.each_ref().map(String::as_str);
        let play = |options: &[&str]| pit(&bots, &[&QUICK, &resume, &["--json"], options]);
        let figures = |run: &Run| {
            let all: Value = serde_json::from_str(&run.stdout).unwrap();
            (all["resumed_games"].clone(), all["bots"][0]["faults"].clone())
        };
        assert_eq!(figures(&play(&["--restart"])), (json!(0), json!({"crash": 3})));
        assert_eq!(figures(&play(&[])), (json!(6), json!({"crash": 3})));
        fs::write(&path, "echo edited\n").unwrap();
        let before = fs::read(&journal).unwrap();
        let refused = play(&[]);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
        for part in ["has games of another a: ", "/bot.sh ", " or --restart to drop these games"] {
            assert!(refused.stderr.contains(part), "{}", refused.stderr);
        }
        assert_eq!(fs::read(&journal).unwrap(), before);
        // Under another name it plays beside the old one's games.
        let renamed = pit(&[&format!("b={command}"), SAPPER], &[&QUICK, &resume, &["--json"]]);
        assert_eq!(figures(&renamed), (json!(3), json!({"not-json": 3})));
        assert_eq!(figures(&play(&["--restart"])), (json!(0), json!({"not-json": 3})));
        assert_eq!(figures(&play(&[])), (json!(6), json!({"not-json": 3})));
    }
    // Another version of the judge is another run; a file of another kind is not emptied.
    let text = fs::read_to_string(&journal).unwrap();
    let version = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"));
    let other = without_checksums(&text).replacen(version, "\"version\":\"0.0.1", 1);
    fs::write(&journal, other).unwrap();
    let old = pit(&[SAPPER], &[&QUICK, &resume]);
    assert!(old.code == 2 && old.stderr.contains("is of another run: version 0.0.1"));
    assert_eq!(pit(&[SAPPER], &[&QUICK, &resume, &["--restart"]]).code, 0);
    fs::write(&journal, "my notes\n").unwrap();
    let kept = pit(&[SAPPER], &[&QUICK, &resume, &["--restart"]]);
    assert!(kept.code == 2 && kept.stderr.contains("is not a file that --resume"));
    assert_eq!(fs::read_to_string(&journal).unwrap(), "my notes\n");
}

#[cfg(unix)]
#[test]
fn a_journal_in_use_is_refused() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("run.jsonl");
    let resume = ["--resume", journal.to_str().unwrap()];
    let slow = Script::new("echo > \"$here/ready\"; sleep 300");
    let mut first = crate::bots::judge_command();
    let mut first = first
        .args(["pit", "--bot", &slow.command, "--time-limit", "90"])
        .args(resume)
        .spawn()
        .unwrap();
    wait_for(&slow.path("ready"));
    let run = pit(&[&slow.command], &[&resume]);
    let stop = format!("kill -TERM {}", first.id());
    assert!(crate::bots::shell().args(["-c", &stop]).status().unwrap().success());
    first.wait().unwrap();
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("another run writes"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn the_csv_must_not_be_the_journal() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("run.jsonl");
    fs::write(&journal, "").unwrap();
    std::os::unix::fs::symlink(&journal, directory.path().join("same.csv")).unwrap();
    for csv in ["run.jsonl", "same.csv"] {
        let csv = directory.path().join(csv);
        let (csv, journal) = (csv.to_str().unwrap(), journal.to_str().unwrap());
        let run = judge([
            "pit", "--bot", "true", "--bot", "false", "--seeds", "1", "--resume", journal, "--csv",
            csv,
        ]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains("the same file"), "{}", run.stderr);
    }
}
