//! Properties of every command: help with valid examples, JSON output, and standard output or
//! standard error that is closed or full.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use tempfile::TempDir;

use crate::bots::{Run, judge, judge_command, recorded};

/// The names of the commands that this help lists.
fn listed_commands(help: &str) -> Vec<String> {
    let listed = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    // Continuation lines of a description are indented further.
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The help of every command in `judge --help`, and of the subcommands, such as `check worst`, of
/// one that has them: the options, and the examples, which come first.
pub(crate) fn helps() -> BTreeMap<String, (String, String)> {
    let mut names = listed_commands(&judge(["--help"]).stdout);
    let mut helps = BTreeMap::new();
    while let Some(name) = names.pop() {
        let help = judge(name.split(' ').chain(["--help"]));
        assert_eq!((help.code, help.stderr.as_str()), (0, ""), "{name}");
        if help.stdout.contains("Commands:") {
            let subcommands = listed_commands(&help.stdout);
            names.extend(subcommands.iter().map(|subcommand| format!("{name} {subcommand}")));
        } else {
            let (examples, options) = help.stdout.split_once("\nUsage:").expect(&name);
            let (_, examples) = examples.split_once("Examples:").expect(&name);
            helps.insert(name, (options.to_owned(), examples.to_owned()));
        }
    }
    helps
}

#[test]
fn every_command_has_examples_and_json_output() {
    let helps = helps();
    assert!(!helps.is_empty());
    for (command, (options, examples)) in &helps {
        assert!(options.contains(" --json"), "{command} has no --json");
        assert!(options.contains("Exit code: 0"), "{command} does not state its exit codes");
        let example = format!("judge {command}");
        let examples = examples.lines().filter(|line| line.contains(&example)).count();
        assert!(examples >= 2, "{command} has {examples} examples");
    }
}

/// A value that begins with a minus is passed to the parser of its option, too.
#[test]
fn bad_values_and_files_are_refused_with_what_to_give() {
    let field = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/fields/comb.txt");
    for (line, hint) in [
        ("explain FIELD --cell -1,2", "--cell -1,2: "),
        ("explain FIELD --cell -1", "give a row and a column from 0"),
        ("explain FIELD --turn -1", "give a whole number from 0"),
        ("explain FIELD --density -0.1", "give a number above 0 and below 1"),
        ("odds FIELD --density -0.1", "give a number above 0 and below 1"),
        ("replay FIELD --svg -1", "give a turn from 0, or `last`"),
        ("coach FIELD --list -1", "give a whole number from 0"),
        ("pit --bot true --jobs -1", "give a whole number from 1"),
        ("play --jobs x", "give a whole number from 1\n"),
        ("play --jobs 0", "give a whole number from 1\n"),
        ("play --level -1", "give beginner, intermediate, expert, botzone or"),
        ("play --memory-limit 1GB", "give a whole number from 1\n"),
        ("play --jobs 99999999999999999999", "give a whole number from 1 to 65535\n"),
        ("bench --seeds 1-5", "did you mean 1..5?"),
        ("play --seeds 3,5", "seeds are no list: give one, such as 7, or a range"),
        ("bench --games 5", "add --boards FILE, or give seeds instead, such as --seeds 1..5"),
        ("bench --boards JUDGE", "EVF, MVF, RMV, RAWVF); expected mine layouts"),
        ("play --seeds -5..x", "`x` is not a 32-bit integer"),
        ("bench --rule botzone --boards b.txt --games -1", "give a whole number from 0"),
        ("bench --rule botzone --boards b.txt --from -1", "give a whole number from 0"),
        ("bench --rule botzone --boards b.txt --jobs -1", "give a whole number from 1"),
        ("check worst --time-limit 1e9", "give seconds above 0 and up to 86400 (a day), such as"),
        ("pit --bot true --bot true --sprt=0,1e9", "give LOW,HIGH in points, from -100 to 100,"),
        ("play --games 0", "give a whole number from 1\n"),
        ("pit --bot true --games 5 --seeds 1..5", "cannot be used with '--seeds"),
        ("check signature --expect FIELD", "comb.txt is no signature: give a file with the output"),
        (
            "check worst samples/games/default-30x20-80.json",
            "`: expected `WIDTH HEIGHT MINES% SEED",
        ),
        ("bench --rule botzone --boards FIELD", "a position, which does not say where"),
        ("explain FIELD --turn 1", "this is not a game; omit --turn"),
        ("samples --time-limit -1", "give seconds above 0"),
        ("bench x.py", "unexpected argument 'x.py' found"),
    ] {
        let judge_itself = env!("CARGO_BIN_EXE_judge");
        let line = line.replace("FIELD", field).replace("JUDGE", judge_itself);
        let run = judge(line.split(' '));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(hint), "{line}: {}", run.stderr);
    }
    // A word with two minuses after an option is an option, not the value.
    let run = judge(["play", "--jobs", "--seeds", "3"]);
    assert!(run.stderr.contains("a value is required for '--jobs"), "{}", run.stderr);
    let run = judge(["pit", "--sprt", "--json", "--bot", "true"]);
    assert!(!run.stderr.contains("--json"), "{}", run.stderr);
    let run = judge(["odds", "--json", field]);
    assert_eq!((run.code, run.stdout.starts_with('{')), (0, true), "{}", run.stderr);
}

/// A bot is easily named without its option.
#[cfg(unix)]
#[test]
fn a_bot_without_its_option_is_told_how_it_is_given() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("here"), "").unwrap();
    for (line, value) in [
        ("check bot my.py", "'python3 my.py'"),
        ("check bot --full my.js", "'node my.js'"),
        ("play ./mybot --games 3", "./mybot"),
        ("play here", "./here"),
        ("pit a b", "a"),
    ] {
        let mut command = judge_command();
        let output = command.current_dir(&folder).args(line.split(' ')).output().unwrap();
        let word = line.split(' ').find(|word| value.contains(word)).unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let why =
            format!("judge: `{word}` belongs to no option; a bot is given by --bot {value}\n");
        assert_eq!((output.status.code(), stderr), (Some(2), why), "{line}");
    }
}

#[test]
fn hypotheses_that_stand_apart_are_told_how_they_are_given() {
    let run = judge("pit --bot a --bot b --sprt 0,-2.5".split(' '));
    let why = "judge: `0,-2.5` belongs to no option; hypotheses are given by --sprt=0,-2.5\n";
    assert_eq!((run.code, &run.stderr[..]), (2, why));
}

/// Whether the help lists this option: `-o, --output <FILE>`, `--sprt[=<LOW,HIGH>]`.
fn lists(options: &str, option: &str) -> bool {
    options.lines().any(|line| {
        let line = line.trim_start();
        let long = line.split_once(", ").filter(|(short, _)| short.len() == 2);
        long.map_or(line, |(_, long)| long).split([' ', '[', '=']).next() == Some(option)
    })
}

#[test]
fn the_examples_name_existing_options() {
    let helps = helps();
    let mut seen = 0;
    for (command, (_, examples)) in &helps {
        for line in examples.lines() {
            // Text in quotes is the command line of a bot, with the bot's options.
            let unquoted: String = line.split('"').step_by(2).collect();
            for part in unquoted.split("judge ").skip(1) {
                // In a sentence, a backtick ends the command.
                let words: Vec<&str> =
                    part.split('`').next().unwrap().split([' ', '|', '&']).collect();
                // The name of a command is one word or two.
                let names = (1..=words.len().min(2)).map(|count| words[..count].join(" "));
                let Some((options, _)) = names.filter_map(|name| helps.get(&name)).next() else {
                    continue;
                };
                for word in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                    let word = word.split('=').next().unwrap();
                    let option = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
                    assert!(lists(options, option), "{command} has no option {option}: {line}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 50, "{seen} options");
    assert!(!lists(&helps["play"].0, "--sprt") && lists(&helps["pit"].0, "--sprt"));
}

#[test]
fn an_old_name_is_refused_with_the_new_one() {
    for name in ["signature", "worst", "soak"] {
        let run = judge([name, "--json"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{name}");
        let hint = format!("`judge {name}` is `judge check {name}` now");
        assert!(run.stderr.contains(&hint), "{}", run.stderr);
    }
    for (line, hint) in [
        ("play --width 9 --height 9 --mines 10", "give --level WIDTHxHEIGHT/MINES"),
        ("coach --bot sapper --height=9", "give --level WIDTHxHEIGHT/MINES"),
        ("bench --mines -1", "give --level WIDTHxHEIGHT/MINES"),
        ("pit --bot a --bot b --sprt --sprt-on mines", "--sprt tests the score"),
        ("local --fake 0 --hold 3", "holds a poll for half a second"),
        ("local --fake 0 --faults all --fault-seed 3", "are the same in every run"),
        ("local --run-match {} --match-time-limit 3", "the time limit of the site"),
        ("odds - --picture", "give --draw"),
        ("bench --without two-moves", "two-moves is look-ahead now"),
        ("bench --without endgame,playing-on", "playing-on is rollouts now"),
    ] {
        let run = judge(line.split(' '));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(hint), "{line}: {}", run.stderr);
    }
}

/// Paragraphs fill the width of the terminal, and no line exceeds it.
#[test]
fn help_fits_the_terminal() {
    let mut paragraphs = 0;
    for (command, _) in helps() {
        for width in [80, 100] {
            let mut help = crate::bots::judge_command();
            let help = help
                .args(command.split(' '))
                .arg("--help")
                .env("COLUMNS", width.to_string())
                .output();
            let help = String::from_utf8(help.unwrap().stdout).unwrap();
            let lines: Vec<&str> = help.lines().collect();
            for line in &lines {
                assert!(line.chars().count() <= width, "{command}: {line}");
            }
            for pair in lines.windows(2) {
                // Indented lines are examples and lists, which are not filled.
                if pair.iter().any(|line| line.is_empty() || line.starts_with(' ')) {
                    continue;
                }
                let word = pair[1].split(' ').next().unwrap();
                let joined = pair[0].chars().count() + 1 + word.chars().count();
                assert!(joined > width, "{command}, {width} columns: {pair:?}");
                paragraphs += 1;
            }
            // An example is not wrapped by the parser.
            let (examples, _) = help.split_once("\nUsage:").unwrap();
            let (_, examples) = examples.split_once("Examples:").unwrap();
            let examples: Vec<&str> = examples.lines().skip(1).collect();
            for line in examples.iter().filter(|line| line.starts_with("  ")) {
                assert!(line.chars().count() <= 80, "{command}: {line}");
            }
            for example in examples.iter().take_while(|line| line.starts_with(' ')) {
                // What sh, cmd and PowerShell read in different ways; a pattern is quoted.
                let unquoted: String = example.split('"').step_by(2).collect();
                let is_shared = !example.contains(['\'', '<', '|', '&', ';', '$', '`', '#', '\\'])
                    && !unquoted.contains('*');
                assert!(example.starts_with("  judge ") && is_shared, "{command}: {example}");
            }
        }
    }
    assert!(paragraphs > 20, "{paragraphs}");
}

/// The help of a command is a page: what is more is in the guide.
#[test]
fn help_is_short_and_h_and_help_are_alike() {
    for command in helps().into_keys() {
        let [short, long] = ["-h", "--help"].map(|option| {
            let mut help = crate::bots::judge_command();
            let help = help.args(command.split(' ')).arg(option).env("COLUMNS", "100").output();
            String::from_utf8(help.unwrap().stdout).unwrap()
        });
        assert_eq!(short, long, "{command}");
        let lines = long.lines().count();
        assert!(lines <= 60, "{command}: {lines} lines");
    }
}

/// When standard output is closed, `play` stops playing.
#[test]
fn play_ends_when_standard_output_is_closed() {
    let directory = TempDir::new().unwrap();
    let mut play = crate::bots::judge_command()
        .args(["play", "--bot", "sapper --keep-running"])
        .args(["--level", "8x8/8", "--seeds", "1..1000000", "--log"])
        .arg(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(play.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("seed      1  score "), "{line}");
    // A million games would take hours.
    assert_eq!(play.wait().unwrap().code(), Some(0));
    let games = fs::read_dir(directory.path()).unwrap().count();
    assert!((1..1000).contains(&games), "{games} games");
}

/// A field with a checkerboard of twos in the middle, whose frontier is too wide to count.
fn field_with_wide_frontier() -> String {
    let inside = |row, column| (4..36).contains(&row) && (4..56).contains(&column);
    let rows = (0..40).map(|row| {
        let symbol =
            |column| if inside(row, column) && (row + column) % 2 == 0 { '2' } else { '?' };
        (0..60).map(symbol).collect::<String>()
    });
    format!("60 40 600\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

/// A full device as standard output, standard error or both gives an exit code and, if possible, a
/// message, but no panic.
/// The name of a directory as a program in it finds it.
fn folder_name(directory: &TempDir) -> String {
    let path = directory.path().canonicalize().unwrap();
    // The canonical path of Windows has a prefix.
    path.to_str().unwrap().trim_start_matches(r"\\?\").to_owned()
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_work_with_what_to_do() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("file"), "").unwrap();
    fs::create_dir(directory.path().join("games")).unwrap();
    let in_directory = |arguments: &[&str]| {
        let mut command = judge_command();
        Run::of(command.current_dir(&directory).args(arguments))
    };
    let is_folder = "cannot write games: it is a folder; name a file in it";
    let here = folder_name(&directory);
    let missing = |name: &str, parent: &str| {
        format!(
            "cannot write {name}: there is no folder {parent} (the current folder is {here}); \
             make it, or name another"
        )
    };
    let play = ["play", "--level", "6x6/6", "--seeds", "1"];
    let pit = ["pit", "--bot", "sapper", "--level", "6x6/6", "--seeds", "1"];
    // The input is read after the output is checked, so that none is needed here.
    for (arguments, hint) in [
        (&["replay", "none.json", "-o", "games"][..], is_folder.to_owned()),
        (&["replay", "none.json", "-o", "new/"], "cannot write new/: it is a folder".to_owned()),
        (&["replay", "none.json", "-o", "no/x.html"], missing("no/x.html", "no")),
        (&["replay", "none.json", "-o", "file/x.html"], missing("file/x.html", "file")),
        (&["plot", "none.json", "-o", "no/such/x.svg"], missing("no/such/x.svg", "no/such")),
        (&[&play[..], &["--csv", "games"]].concat(), is_folder.to_owned()),
        (&[&play[..], &["--csv", "no/x.csv"]].concat(), missing("no/x.csv", "no")),
        (&[&play[..], &["--log", "file"]].concat(), "a file has this name; name an".to_owned()),
        (&[&pit[..], &["--resume", "games"]].concat(), is_folder.to_owned()),
        (&[&pit[..], &["--resume", "no/x.jsonl"]].concat(), missing("no/x.jsonl", "no")),
    ] {
        let run = in_directory(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(&hint), "{arguments:?}: no `{hint}` in {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{arguments:?}: {}", run.stderr);
    }
    // Nothing is left behind.
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 2);
}

#[test]
fn a_file_that_does_not_exist_is_named_with_the_folder_in_which_it_was_looked_up() {
    let directory = TempDir::new().unwrap();
    let here = folder_name(&directory);
    let absolute = format!("{here}{}none.json", std::path::MAIN_SEPARATOR);
    for arguments in [
        &["explain", "none.json"][..],
        &["replay", "none.json"],
        &["compare", "none.json", "none.json"],
        &["bench", "--boards", "none.json"],
        &["check", "signature", "--expect", "none.json"],
        &["samples", "none.json"],
        &["local", "--url-file", "none.json"],
        &["verify", "none*.json"],
        &["play", "--bot", "./none.json"],
    ] {
        let mut command = judge_command();
        let run = Run::of(command.current_dir(&directory).args(arguments));
        let hint = format!("none.json: it does not exist (the current folder is {here})");
        let of_pattern = format!("no file matches none*.json (the current folder is {here})");
        let of_bot = format!("there is no file ./none.json (the current folder is {here})");
        assert_eq!(run.code, 2, "{arguments:?}");
        let hints = [hint, of_pattern, of_bot];
        let is_said = hints.iter().any(|hint| run.stderr.contains(hint));
        assert!(is_said, "{arguments:?}: {}", run.stderr);
    }
    let run = judge(["explain", &absolute]);
    let hint = format!("cannot read {absolute}: it does not exist\n");
    assert!(run.code == 2 && run.stderr.ends_with(&hint), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_no_panic() {
    let directory = TempDir::new().unwrap();
    let field = directory.path().join("wide.txt");
    fs::write(&field, field_with_wide_frontier()).unwrap();
    let (field, game) = (field.to_str().unwrap(), recorded("small-11x11-11.json"));
    let game = game.to_str().unwrap();
    let warned = judge(["odds", field]);
    assert_eq!(warned.code, 0, "{}", warned.stderr);
    assert!(warned.stderr.contains("judge: warning: "), "{}", warned.stderr);
    for arguments in [
        vec!["odds", field],
        vec!["odds", "/no/such/file"],
        vec!["verify", game],
        vec!["explain", game, "--effort", "fast"],
        vec!["bench", "--level", "6x6/6", "--rule", "botzone", "--seeds", "1..3"],
        vec!["calibrate", "--level", "6x6/9", "--seeds", "1..20", "--effort", "fast"],
        vec!["play", "--bot", "false", "--seeds", "1"],
    ] {
        let run = |stdout: Stdio, stderr: Stdio| {
            let mut command = judge_command();
            command.args(&arguments).stdout(stdout).stderr(stderr).output().unwrap()
        };
        let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
        let good = judge(&arguments);
        let without_stderr = run(Stdio::piped(), full());
        assert_eq!(without_stderr.status.code(), Some(good.code), "{arguments:?}");
        let stdout = String::from_utf8(without_stderr.stdout).unwrap();
        assert_eq!(stdout.lines().count(), good.stdout.lines().count(), "{arguments:?}");
        let without_stdout = run(full(), Stdio::piped());
        let stderr = String::from_utf8(without_stdout.stderr).unwrap();
        assert_eq!(without_stdout.status.code(), Some(2), "{arguments:?}: {stderr}");
        let hint =
            if good.stdout.is_empty() { "cannot read" } else { "cannot write to standard output" };
        assert!(stderr.contains(hint), "{arguments:?}: {stderr}");
        assert_eq!(run(full(), full()).status.code(), Some(2), "{arguments:?}");
    }
}
