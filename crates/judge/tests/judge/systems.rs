//! What the judge does on every system: its commands as a person types them into the system's own
//! shell, and bots that fail. The bot is the example `dummy`, since not every system has a shell
//! for scripts.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use send_ctrlc::InterruptibleCommand as _;
use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{Run, interrupt, judge_command, wait_for};

/// The program `dummy`, which cargo builds for the tests, without quotes.
pub(crate) fn dummy() -> PathBuf {
    let programs = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let dummy = programs.join("examples").join(format!("dummy{}", std::env::consts::EXE_SUFFIX));
    assert!(dummy.is_file(), "first `cargo build --package judge --example dummy`");
    dummy
}

/// The value of `--bot` that runs `dummy` with this argument, in double quotes, which every shell
/// has.
pub fn bot(argument: &str) -> String {
    format!("{} {argument}", dummy().display())
}

/// Runs a line as the system's own shell does, in the folder of the project.
fn typed(line: &str) -> Run {
    Run::of(&mut shell_with(line))
}

#[cfg(unix)]
fn shell_with(line: &str) -> Command {
    let mut shell = crate::bots::shell();
    shell.args(["-c", line]);
    shell
}

#[cfg(windows)]
fn shell_with(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut shell = crate::bots::in_project("cmd");
    // cmd takes all between the first quote and the last one for the line.
    shell.arg("/s").arg("/c").raw_arg(format!("\"{line}\""));
    shell
}

/// Runs the judge with these arguments, typed into the shell.
fn typed_judge(arguments: &str) -> Run {
    typed(&format!("\"{}\" {arguments}", env!("CARGO_BIN_EXE_judge")))
}

/// Runs a command that succeeds and prints JSON.
fn json(arguments: &str) -> Value {
    let run = typed_judge(arguments);
    let value = serde_json::from_str(&run.stdout);
    value.unwrap_or_else(|error| panic!("{arguments}: {error}: {}{}", run.stdout, run.stderr))
}

#[test]
fn every_command_can_be_typed() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("a page.html");
    let (first, page) = (bot("first"), page.display().to_string());
    for (arguments, said) in [
        ("--version", "judge "),
        ("explain samples/fields/forced-guess.txt", "50.00 %"),
        ("odds samples/fields/forced-guess.txt", "50"),
        ("verify samples/games", "text-numbers.json: 4 answers"),
        ("samples", "0 wrong answers"),
        ("check signature --effort fast --expect samples/signature/expected.txt", "| fast "),
        ("bench --level 9x9/10 --seeds 1..20 --effort fast", "games"),
        ("calibrate --level 9x9/10 --seeds 1..5 --effort fast", "guesses"),
        (&format!("play --bot \"{first}\" --level 6x5/7 --seeds 1..3"), "3 games"),
        (
            &format!("pit --bot \"a={first}\" --bot \"b=sapper\" --level 6x5/7 --seeds 1..3"),
            "3 boards",
        ),
        (&format!("coach --bot \"{first}\" --level 6x5/7 --seeds 1..2 --playouts 2"), "2 games"),
        (&format!("replay samples/games/small-11x11-11.json -o \"{page}\""), ""),
    ] {
        let run = typed_judge(arguments);
        let Run { code, stdout, stderr } = run;
        assert_eq!(code, 0, "{arguments}: {stdout}{stderr}");
        assert!(stdout.contains(said), "{arguments}: no `{said}` in {stdout}{stderr}");
    }
    assert!(std::fs::read_to_string(page).unwrap().contains("<html"));
}

/// Within the double quotes of the shell: every shell passes single ones on, and no two of them
/// agree about further double ones.
#[test]
fn a_path_with_blanks_is_typed_in_single_quotes_or_as_it_is() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("my bots").join(dummy().file_name().unwrap());
    std::fs::create_dir(program.parent().unwrap()).unwrap();
    std::fs::copy(dummy(), &program).unwrap();
    let play = |line: &str| {
        json(&format!("play --bot \"{line}\" --level 6x5/7 --seeds 1 --json"))["games"][0].clone()
    };
    let path = program.display();
    assert_eq!(play(&format!("'{path}' first"))["outcome"], "done");
    // Without an argument it has started, and ends.
    assert_eq!(play(&path.to_string())["outcome"], "crash");
    let missing = typed_judge(&format!("play --bot \"{path} first\" --seeds 1"));
    assert!(missing.stderr.contains("path with blanks stand in '...'"), "{}", missing.stderr);
}

#[test]
fn games_are_the_same_on_every_system() {
    let bench = json("bench --level 16x16/40 --seeds 1..40 --effort fast --json");
    let play = json(&format!("play --bot \"{}\" --level 9x9/10 --seeds 1..5 --json", bot("first")));
    // Of Linux, by this test.
    let counts = ["games", "mines", "turns", "guesses", "wins"].map(|key| bench[key].clone());
    assert_eq!(counts, [40, 20, 3523, 114, 23].map(Value::from));
    let games: Vec<[Value; 2]> = play["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| ["mines", "turns"].map(|key| game[key].clone()))
        .collect();
    assert_eq!(
        games,
        [[9, 28], [8, 31], [9, 38], [10, 28], [9, 29]].map(|game| game.map(Value::from))
    );
}

#[test]
fn every_fault_has_its_name() {
    for (what, outcome, reason) in [
        ("hang", "timeout", "more than 2 s"),
        ("spin", "timeout", "more than 2 s"),
        ("exit", "crash", "exit code 7"),
        ("abort", "crash", ""),
        ("flood", "output-limit", "more than"),
        ("silence", "not-json", "it printed nothing"),
    ] {
        let limits = "--time-limit 1 --level 6x5/7 --seeds 1 --json";
        let all = json(&format!("play --bot \"{}\" {limits}", bot(what)));
        let game = &all["games"][0];
        assert_eq!(game["outcome"], outcome, "{what}: {game}");
        let said = game["reason"].as_str().unwrap_or("");
        assert!(said.contains(reason), "{what}: `{said}` lacks `{reason}`");
    }
}

#[test]
fn what_is_to_be_typed_begins_with_what_was_typed() {
    let position = "samples/requests/first-turn.json";
    let hint = |mut judge: Command| Run::of(judge.args(["verify", position])).stderr;
    let (typed, by_path) = ("SAPPER_TYPED", env!("CARGO_BIN_EXE_judge"));
    for (variable, begins) in [
        (Some("cargo sapper judge"), "cargo sapper judge".to_owned()),
        (Some("scripts/judge"), "scripts/judge".to_owned()),
        (Some("a b/judge"), if cfg!(windows) { "\"a b/judge\"" } else { "'a b/judge'" }.to_owned()),
        (None, by_path.to_owned()),
    ] {
        let mut judge = judge_command();
        judge.env_remove(typed);
        variable.map(|text| judge.env(typed, text));
        let said = hint(judge);
        assert!(said.contains(&format!("try `{begins} explain {position}`")), "{begins}: {said}");
    }
    // A report's line that repeats a game, and the examples of a help.
    let launched = |arguments: &[&str]| {
        Run::of(judge_command().args(arguments).env(typed, "cargo sapper judge")).stdout
    };
    let bot = bot("exit");
    let report = launched(&["play", "--bot", &bot, "--level", "6x5/7", "--seeds", "1"]);
    assert!(report.contains("again: cargo sapper judge play --bot "), "{report}");
    let check = launched(&["check", "bot", "--bot", &bot]);
    assert!(check.contains("again: cargo sapper judge check bot --bot "), "{check}");
    let help = launched(&["play", "--help"]);
    assert!(help.contains("Examples, with `cargo sapper judge` for `judge`:\n"), "{help}");
}

/// A judge whose bot hangs beside a process of its own, which adds to this file as long as it runs.
fn judge_with_a_child(folder: &TempDir) -> (Command, PathBuf) {
    let file = folder.path().join("beats");
    let mut judge = judge_command();
    let quoted = format!("leave \"{}\"", file.display());
    judge.args(["play", "--bot", &bot(&quoted), "--level", "6x5/7", "--seeds", "1..3"]);
    judge.args(["--time-limit", "100"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    (judge, file)
}

/// Waits until the file grows no more, for at most half a minute.
fn assert_ended(file: &Path) {
    let size = || std::fs::metadata(file).unwrap().len();
    let start = Instant::now();
    loop {
        let before = size();
        sleep(Duration::from_secs(1));
        if size() == before {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "a child of the bot still runs");
    }
}

#[test]
fn the_bots_processes_end_with_a_judge_that_is_killed() {
    let folder = TempDir::new().unwrap();
    let (mut judge, file) = judge_with_a_child(&folder);
    let mut judge = judge.spawn().unwrap();
    wait_for(&file);
    judge.kill().unwrap();
    judge.wait().unwrap();
    assert_ended(&file);
}

#[test]
fn the_bots_processes_end_with_a_judge_that_is_interrupted() {
    let folder = TempDir::new().unwrap();
    let (mut judge, file) = judge_with_a_child(&folder);
    let mut judge = judge.spawn_interruptible().unwrap();
    wait_for(&file);
    interrupt(&mut judge);
    let mut said = String::new();
    judge.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("interrupted after 0 games"), "{said}");
    assert_ended(&file);
}
