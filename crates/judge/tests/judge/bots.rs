//! Helpers for the tests of the judge: its binary, and bots that are shell scripts.

use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use game::field::Field;
use game::referee::Referee;
use game::setup::Setup;
use sapper::board::geometry::{Cell, Shape};
use send_ctrlc::{Interruptible as _, InterruptibleChild};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The folder of the whole project, in which the judge and scripts are run.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The judge.
pub(crate) fn judge_command() -> Command {
    in_project(env!("CARGO_BIN_EXE_judge"))
}

/// A shell.
pub(crate) fn shell() -> Command {
    in_project("sh")
}

/// A program that is run in the folder of the project.
pub(crate) fn in_project(program: &str) -> Command {
    heed_interrupts();
    let mut command = Command::new(program);
    command.current_dir(ROOT);
    command
}

/// Lets the programs that the tests start be interrupted, also where the tests ignore the signals
/// because they run in the background of a script: a program inherits that a signal is ignored, but
/// not that it is handled. The tests handle each signal as if they did not.
fn heed_interrupts() {
    #[cfg(unix)]
    {
        use std::sync::atomic::AtomicBool;
        use std::sync::{Arc, Once};

        use signal_hook::consts::{SIGHUP, SIGINT};
        use signal_hook::flag::register_conditional_default;

        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            for signal in [SIGINT, SIGHUP] {
                register_conditional_default(signal, Arc::new(AtomicBool::new(true))).unwrap();
            }
        });
    }
}

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Run {
        // Wine fails to start a process with this error, about once in 20,000 times.
        let is_of_wine = |error: &Error| cfg!(windows) && error.raw_os_error() == Some(1359);
        let mut outputs = (0..4).map(|_| command.output());
        let output = outputs.find(|output| !output.as_ref().is_err_and(is_of_wine));
        let output: Output = output.unwrap().unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn judge<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Run {
    Run::of(judge_command().args(arguments))
}

/// A directory that is removed at the end of the test.
pub(crate) struct Files(TempDir);

impl Files {
    pub(crate) fn new() -> Files {
        Files(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

/// The rows of a CSV file of `bench`, the names of the columns first, without the times.
pub(crate) fn rows_without_times(path: &Path) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let ms = rows[0].iter().position(|name| name == "ms").unwrap();
    let without = |row: &csv::StringRecord| {
        let values = row.iter().enumerate().filter(|(column, _)| *column != ms);
        values.map(|(_, value)| value).collect::<Vec<_>>().join(",")
    };
    rows.iter().map(without).collect()
}

/// The path of a recorded game of the official judge.
pub(crate) fn recorded(name: &str) -> PathBuf {
    Path::new(ROOT).join("samples/games").join(name)
}

/// A recorded game without the bot's name, which is equal for all bots with the same moves.
pub(crate) fn game_on_file(path: &Path) -> Value {
    let mut record: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(record.as_object_mut().unwrap().remove("bot").is_some());
    record
}

/// A bot that is a shell script in a directory of its own.
pub(crate) struct Script {
    pub(crate) directory: TempDir,
    pub(crate) command: String,
}

impl Script {
    /// A script in which `$here` is its directory.
    pub(crate) fn new(script: &str) -> Script {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("bot.sh");
        let here = directory.path().display();
        fs::write(&path, format!("here='{here}'\n{script}\n")).unwrap();
        let command = format!("sh '{}'", path.display());
        Script { directory, command }
    }

    /// A script with a list of answers: `next` sets `$answer` to that of the next turn. The number
    /// of the turn is in a file, because the script may be started again for every turn.
    pub(crate) fn with_answers(answers: &[Value], script: &str) -> Script {
        let bot = Script::new(&format!(
            "next() {{ n=$(($(cat \"$here/turn\") + 1)); echo $n > \"$here/turn\"; \
             answer=$(sed -n ${{n}}p \"$here/answers\"); }}\n{script}"
        ));
        let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
        fs::write(bot.path("answers"), lines).unwrap();
        bot.restart();
        bot
    }

    /// The next turn is the first of the list again.
    pub(crate) fn restart(&self) {
        fs::write(self.path("turn"), "0").unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn play(&self, options: &[&str]) -> Run {
        judge(["play", "--bot", &self.command].iter().chain(options))
    }

    /// Plays a game and returns its entry in the output of `--json`.
    pub(crate) fn game(&self, options: &[&str]) -> Value {
        let run = self.play(&[&["--seeds", "1", "--json"], options].concat());
        let all: Value = serde_json::from_str(&run.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr));
        let game = all["games"][0].clone();
        assert_eq!(run.code, i32::from(game["outcome"] != "done"), "{game}");
        game
    }
}

pub(crate) const ONCE: &str = "read -r line; next; echo \"$answer\"";
/// Small boards, one after the other: the scripts count the turns of all games.
pub(crate) const SMALL: [&str; 4] = ["--level", "6x5/7", "--jobs", "1"];

pub(crate) fn small_field(seed: i32) -> Field {
    Setup::new(Shape::new(5, 6).unwrap(), 7, seed).field().unwrap().0
}

pub(crate) fn answer(shape: Shape, cell: Cell) -> Value {
    json!({"response": {"row": shape.row(cell), "col": shape.column(cell)}})
}

/// Answers that open these cells in order, without those that are open by then.
pub(crate) fn opening(field: &Field, cells: impl Iterator<Item = Cell>) -> Vec<Value> {
    let mut referee = Referee::new(field.clone(), field.mines().count() as u32);
    let mut answers = Vec::new();
    for cell in cells {
        if !referee.ended() && !referee.is_open(cell) {
            referee.open(cell).unwrap();
            answers.push(answer(field.shape(), cell));
        }
    }
    assert!(referee.ended());
    answers
}

pub(crate) fn safe_cells(field: &Field) -> impl Iterator<Item = Cell> {
    field.shape().cells().filter(|&cell| !field.is_mine(cell))
}

/// Interrupts a process as Ctrl-C does; on Windows as Ctrl-Break, which goes to one process.
pub(crate) fn interrupt(process: &mut InterruptibleChild) {
    let sent = if cfg!(windows) { process.terminate() } else { process.interrupt() };
    sent.unwrap();
}

/// Waits until a bot has created this file, for at most a minute.
pub(crate) fn wait_for(file: &Path) {
    let start = std::time::Instant::now();
    while !file.exists() {
        assert!(start.elapsed().as_secs() < 60, "{} does not appear", file.display());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// The lines of a file of --resume as earlier versions wrote them.
pub fn without_checksums(text: &str) -> String {
    let line = |line: &str| line.split_once(",\"crc32\":\"").unwrap().0.to_owned() + "}\n";
    text.lines().map(line).collect()
}
