//! Hostile bots: each is terminated with all of its processes, and its fault is named.

use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use game::botzone::BotzoneJudge;
use game::setup::Setup;

use crate::bots::{
    Files, MARKER, SMALL, Script, opening, recorded, safe_cells, small_field, wait_for,
};
use crate::faults::ends;

const ANSWER: &str = "echo '{\"response\":{\"row\":0,\"col\":0}}'";
/// Starts a daemon: an orphan with a session of its own. Its process id is in `$here/child`.
const DAEMON: &str = "(setsid sh -c 'echo $$ > \"$0/child\"; sleep 300' \"$here\" \
                      < /dev/null > /dev/null 2>&1 &); \
                      while [ ! -s \"$here/child\" ]; do sleep 0.01; done";

fn child_ends(bot: &Script) -> bool {
    ends(bot.text("child").trim())
}

#[test]
fn a_bot_that_allocates_without_end_is_stopped_at_the_limit() {
    for script in [
        "x=xxxxxxxx; while :; do x=$x$x; done",
        // A child of the first process uses the memory.
        "cat /dev/zero | tail -c 2000000000",
        // The output is closed before.
        "exec 1>&-; cat /dev/zero | tail -c 2000000000 > /dev/null",
    ] {
        let game = Script::new(script).game(&["--memory-limit", "40", "--time-limit", "20"]);
        assert_eq!(game["outcome"], "memory-limit", "{script}: {game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains("the limit is 40 MiB"), "{reason}");
    }
    // Memory within the limit is no fault.
    let little = format!("head -c 20000000 /dev/zero | tail -c 20000000 > /dev/null; {ANSWER}");
    let game = Script::new(&little).game(&["--level", "1x1/0"]);
    assert_eq!(game["outcome"], "done", "{game}");
}

#[test]
fn a_daemon_does_not_outlive_its_bot() {
    for (command, outcome) in [
        (ANSWER.to_owned(), "illegal"),
        ("sleep 300".to_owned(), "timeout"),
        ("exit 3".to_owned(), "crash"),
        ("echo garbage".to_owned(), "not-json"),
        (format!("read -r line; {ANSWER}; echo '{MARKER}'; sleep 300"), "timeout"),
    ] {
        let bot = Script::new(&format!("[ -s \"$here/child\" ] || {{ {DAEMON}; }}; {command}"));
        let start = Instant::now();
        let game = bot.game(&["--time-limit", "2"]);
        assert_eq!(game["outcome"], outcome, "{command}: {game}");
        assert!(child_ends(&bot), "{command}: the daemon still runs");
        assert!(start.elapsed() < Duration::from_secs(20), "{command}");
    }
}

#[test]
fn a_daemon_without_the_bot_id_is_found() {
    let hidden = DAEMON.replace("setsid sh", "env -i PATH=\"$PATH\" setsid sh");
    let bot = Script::new(&format!("{hidden}; sleep 300"));
    assert_eq!(bot.game(&["--time-limit", "1"])["outcome"], "timeout");
    assert!(child_ends(&bot), "the daemon still runs");
}

#[test]
fn many_daemons_with_children_are_terminated() {
    let forks = "i=0; while [ $i -lt 40 ]; do \
                 (setsid sh -c 'echo $$ >> \"$0/pids\"; sleep 300 & sleep 300' \"$here\" &); \
                 i=$((i+1)); done; sleep 300";
    let bot = Script::new(forks);
    let game = bot.game(&["--time-limit", "1", "--memory-limit", "4000"]);
    assert_eq!(game["outcome"], "timeout", "{game}");
    let pids = bot.text("pids");
    assert!(pids.lines().count() > 5, "{pids}");
    for pid in pids.lines() {
        assert!(ends(pid), "{pid} still runs");
    }
}

#[test]
fn an_answer_before_its_request_is_a_fault() {
    let twice = format!("{ANSWER}; echo '{MARKER}'");
    let script = format!("read -r line; both=$({twice}; {twice}); printf '%s\\n' \"$both\"; cat");
    let game = Script::new(&script).game(&["--time-limit", "5"]);
    assert_eq!(game["outcome"], "unasked", "{game}");
    assert!(game["reason"].as_str().unwrap().contains("before the next request"), "{game}");
    assert_eq!(game["turns"], 2);
}

#[test]
fn cpu_time_may_be_limited_instead_of_wall_time() {
    let field = small_field(1);
    let answers = opening(&field, safe_cells(&field));
    let sleepy = "read -r line; next; [ $n -ne 1 ] || sleep 1.2; echo \"$answer\"";
    let play = |script: &str, clock: &str| {
        let options = [&SMALL[..], &["--time-limit", "0.5", "--clock", clock]].concat();
        Script::with_answers(&answers, script).game(&options)
    };
    assert_eq!(play(sleepy, "wall")["outcome"], "timeout");
    assert_eq!(play(sleepy, "cpu")["outcome"], "done");
    // On a busy machine, a bot's wall time can be over before its processor time is.
    let mut busy = (0..20).map(|_| play("while :; do :; done", "cpu"));
    let busy = busy.find(|busy| busy["reason"] != "more than 3 s of wall time").unwrap();
    assert_eq!(busy["outcome"], "timeout");
    assert_eq!(busy["reason"], "more than 1 s of CPU time");
    assert!(busy["slowest_ms"].as_f64().unwrap() >= 1000.0, "{busy}");
}

/// A judge that waits for a bot which has started a daemon.
fn waiting_judge() -> (Script, std::process::Child) {
    let bot = Script::new(&format!("{DAEMON}; echo started > \"$here/ready\"; sleep 300"));
    let mut judge = crate::bots::judge_command();
    judge.args(["play", "--bot", &bot.command, "--time-limit", "100"]);
    let judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&bot.path("ready"));
    (bot, judge)
}

#[test]
fn an_interrupted_judge_terminates_its_bots() {
    for signal in ["INT", "TERM"] {
        let (bot, mut judge) = waiting_judge();
        let kill =
            crate::bots::shell().args(["-c", &format!("kill -{signal} {}", judge.id())]).status();
        assert!(kill.unwrap().success());
        assert_eq!(judge.wait().unwrap().code(), Some(130));
        assert!(child_ends(&bot), "{signal}: the daemon still runs");
    }
}

#[test]
fn a_judge_that_cannot_write_its_report_terminates_its_bots() {
    // The game of seed 1 ends while that of seed 2 runs, and its line cannot be written. The first
    // request distinguishes the two games: it shows another cell that was opened beforehand.
    let bot = Script::new(&format!(
        "read -r line; case $line in *\"$(cat \"$here/first\")\"*) \
         while [ ! -s \"$here/child\" ]; do sleep 0.01; done; exit 3;; esac; {DAEMON}; sleep 300"
    ));
    let setup = Setup { skip_first: true, ..Setup::new(small_field(1).shape(), 7, 1) };
    let first = BotzoneJudge::new(&setup).unwrap().first_output()["content"]["0"].to_string();
    fs::write(bot.path("first"), first).unwrap();
    let mut judge = crate::bots::judge_command()
        .args([
            "play",
            "--bot",
            &bot.command,
            "--time-limit",
            "100",
            "--seeds",
            "1..2",
            "--jobs",
            "2",
            "--level",
            "6x5/7",
            "--skipfirst",
        ])
        .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let code = judge.wait().unwrap().code();
    let mut stderr = String::new();
    judge.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((code, stderr.contains("panicked")), (Some(2), false), "{stderr}");
    assert!(start.elapsed() < Duration::from_secs(50));
    assert!(child_ends(&bot), "the daemon still runs");
}

/// Checks that a shell script ends with exit code 2 and a message that contains `hint`.
fn assert_refused(script: &str, hint: &str) {
    let run = crate::bots::shell().args(["-c", script]).output().unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{script}: {stderr}");
    assert!(stderr.contains(hint) && !stderr.contains("panicked"), "{script}: {stderr}");
}

#[test]
fn a_full_disk_is_a_message() {
    let field = small_field(1);
    let bot = Script::with_answers(&opening(&field, safe_cells(&field)), "exit 3");
    let small = SMALL.join(" ");
    let judge = env!("CARGO_BIN_EXE_judge");
    fs::write(bot.path("file"), "").unwrap();
    for (command, hint) in [
        ("play --seeds 1 > /dev/full", "cannot write to standard output"),
        ("pit --seeds 1 > /dev/full", "judge: cannot write to standard output"),
        ("pit --help > /dev/full", "judge: cannot write to standard output"),
        ("--version > /dev/full", "judge: cannot write to standard output"),
        ("pit --seeds 1 --resume /dev/full", "cannot write /dev/full"),
        ("pit --seeds 1 --resume \"$here/no/such\"", "cannot write"),
        ("pit --seeds 1 --log \"$here/file\"", "cannot make the folder"),
        ("play --seeds 1 --log \"$here/file\"", "cannot make the folder"),
        ("play --seeds 1 --log /proc/self", "cannot write /proc/self"),
        // The message cannot be written either; the judge does not panic.
        ("pit --seeds 1 --resume /dev/full 2> /dev/full", ""),
    ] {
        let (name, options) = command.split_once(' ').unwrap();
        let script = format!(
            "here='{}'; '{judge}' {name} --bot \"{}\" {small} {options}",
            bot.directory.path().display(),
            bot.command
        );
        assert_refused(&script, hint);
    }
    // The directory has the script, its answers, its turn and the file from above only.
    assert_eq!(fs::read_dir(bot.directory.path()).unwrap().count(), 4);
}

/// The same for commands without bots, for their files and their output.
#[test]
fn a_full_disk_is_a_message_of_every_command_that_writes() {
    let files = Files::new();
    let game = recorded("small-11x11-11.json");
    let (game, out, full) = (game.display(), files.name("out"), files.name("full.svg"));
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let level = "--level 9x9/10 --rule safe-first --effort fast --jobs 1";
    fs::write(files.path("9x9.txt"), "9 9 20% 1 lattice\n").unwrap();
    for (command, hint) in [
        // A device is not read to its end.
        (format!("bench {level} --seeds 1..3 --resume /dev/full"), "not a regular file"),
        (format!("bench {level} --seeds 1..3 --csv /dev/full"), "cannot write"),
        (format!("bench {level} --seeds 1..3 > /dev/full"), "standard output"),
        (format!("bench {level} --seeds 1..3 --resume '{out}' > /dev/full"), "standard output"),
        (format!("report '{out}' --json > /dev/full"), "standard output"),
        ("calibrate --level 9x9/10 --seeds 1..2 --csv /dev/full".to_owned(), "cannot write"),
        ("calibrate --level 9x9/10 --seeds 1..2 --json > /dev/full".to_owned(), "standard output"),
        (format!("replay '{game}' -o /dev/full"), "cannot write /dev/full"),
        (format!("replay '{game}' --svg 3 -o /dev/full"), "cannot write /dev/full"),
        (format!("replay '{game}' > /dev/full"), "standard output"),
        (format!("plot '{out}' -o '{full}'"), "cannot write"),
        (format!("verify '{game}' > /dev/full"), "standard output"),
        (format!("odds '{game}' > /dev/full"), "standard output"),
        (format!("explain '{game}' --turn 3 > /dev/full"), "standard output"),
        (
            "check soak --seeds 1..2 --processes 0 --time-limit 60 > /dev/full".to_owned(),
            "standard output",
        ),
        (
            format!("check worst '{}' --time-limit 60 > /dev/full", files.name("9x9.txt")),
            "standard output",
        ),
    ] {
        let script = format!("'{}' {command}", env!("CARGO_BIN_EXE_judge"));
        assert_refused(&script, hint);
    }
}

/// By default, the system's signal for this limit ends a program without a message.
#[test]
fn a_file_that_may_not_grow_is_a_message() {
    let files = Files::new();
    let (game, out) = (recorded("small-11x11-11.json"), files.name("out"));
    let (game, level) = (game.display(), "--level 9x9/10 --rule safe-first --effort fast --jobs 1");
    for (command, hint) in [
        (format!("verify '{game}' > '{out}'"), "standard output: File too large"),
        (format!("replay '{game}' -o '{out}'"), "cannot write"),
        (format!("bench {level} --seeds 1..3 --resume '{out}'"), "cannot write"),
        (format!("play --bot false --seeds 1 > '{out}'"), "standard output: File too large"),
        (format!("pit --bot a=false --seeds 1 --resume '{out}'"), "cannot write"),
    ] {
        let script = format!("ulimit -f 0; '{}' {command}", env!("CARGO_BIN_EXE_judge"));
        assert_refused(&script, hint);
        // The page is written beside the file, and its part is removed.
        assert_eq!(fs::remove_file(&out).is_err(), command.starts_with("replay"));
    }
    // The limit's signal is not ignored in a bot.
    let bot = Script::new("echo > \"$here/file\"");
    let play =
        format!("'{}' play --seeds 1 --bot \"{}\"", env!("CARGO_BIN_EXE_judge"), bot.command);
    let run = crate::bots::shell().args(["-c", &format!("ulimit -f 0; {play} | cat")]).output();
    let stdout = String::from_utf8(run.unwrap().stdout).unwrap();
    assert!(stdout.contains("crash (signal 25)"), "{stdout}");
}

/// A judge that plays a game with the bot, which is ready.
fn playing(bot: &Script) -> Child {
    let judge = crate::bots::judge_command()
        .args(["play", "--seeds", "1", "--time-limit", "300", "--bot", &bot.command])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&bot.path("ready"));
    judge
}

/// The guard terminates the bots of a judge that is killed and cannot do so itself.
#[test]
fn bots_do_not_outlive_a_judge_that_is_killed() {
    // The first process, a child, and a daemon that has a session and a group of its own.
    let children = "echo $$ > \"$here/first\"; sleep 300 & echo $! > \"$here/second\"";
    let bot = Script::new(&format!("{children}; {DAEMON}; echo > \"$here/ready\"; sleep 300"));
    let mut judge = playing(&bot);
    // This signal cannot be caught.
    judge.kill().unwrap();
    judge.wait().unwrap();
    for process in ["first", "second", "child"] {
        assert!(ends(bot.text(process).trim()), "{process} still runs");
    }
}

/// The guard leaves what belongs to another judge that had the same process id.
#[test]
fn processes_of_another_judge_are_not_killed() {
    let bot = Script::new("echo $$ > \"$here/first\"; echo > \"$here/ready\"; sleep 300");
    let mut judge = playing(&bot);
    let mut other = crate::bots::in_project("sleep")
        .arg("300")
        .env("SAPPER_JUDGE_BOT", format!("{}-0", judge.id()))
        .spawn()
        .unwrap();
    judge.kill().unwrap();
    judge.wait().unwrap();
    assert!(ends(bot.text("first").trim()), "the bot still runs");
    // The guard kills both at once if it kills both.
    std::thread::sleep(Duration::from_millis(200));
    let ended = other.try_wait().unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(ended, None);
}

#[test]
fn a_guard_does_not_outlive_its_judge() {
    let mut judge = crate::bots::judge_command()
        .args(["play", "--seeds", "1", "--time-limit", "300", "--bot", "sleep 300"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let role = format!("--guard-of\0{}-", judge.id());
    let guards = || {
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let lines = processes.filter_map(|process| {
            let line = fs::read_to_string(process.join("cmdline")).ok()?;
            line.contains(&role).then(|| process.file_name().unwrap().to_str().unwrap().to_owned())
        });
        lines.collect::<Vec<_>>()
    };
    let start = Instant::now();
    while guards().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "there is no guard");
        std::thread::sleep(Duration::from_millis(10));
    }
    let [guard] = &guards()[..] else { panic!("{:?}", guards()) };
    let stop = format!("kill -TERM {}", judge.id());
    assert!(crate::bots::shell().args(["-c", &stop]).status().unwrap().success());
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    assert!(ends(guard), "the guard still runs");
}
