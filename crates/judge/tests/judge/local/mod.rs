//! `judge local`: the client against the fake server, on loopback.

mod bots;
mod faults;
mod interrupt;
mod secret;
mod tls;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use game::botzone::{BotzoneJudge, logged_answer};
use game::record::Record;
use send_ctrlc::{InterruptibleChild, InterruptibleCommand as _};
use serde_json::Value;

use crate::bots::interrupt;

/// Small boards and short waits, where a test has no others.
const SERVER: [[&str; 2]; 2] = [["--fake", "0"], ["--level", "11x11/11"]];
const CLIENT: [[&str; 2]; 2] = [["--retry-wait", "0.02"], ["--poll-timeout", "1"]];

const LIMIT: Duration = Duration::from_secs(300);

/// These options, and those of the defaults that they do not replace.
fn with_defaults<'o>(defaults: &[[&'o str; 2]], options: &[&'o str]) -> Vec<&'o str> {
    let others = defaults.iter().filter(|default| !options.contains(&default[0]));
    options.iter().copied().chain(others.flatten().copied()).collect()
}

/// A process that does not outlive its test.
struct Running(Option<InterruptibleChild>);

impl Running {
    fn start(command: &mut Command) -> Running {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(Some(command.spawn_interruptible().unwrap()))
    }

    fn child(&mut self) -> &mut InterruptibleChild {
        self.0.as_mut().unwrap()
    }

    fn interrupt(&mut self) {
        interrupt(self.child());
    }

    fn kill(mut self) {
        self.child().kill().unwrap();
        self.child().wait().unwrap();
    }

    /// Waits for the end: the exit code, standard output and standard error. A match that never
    /// ends is a failure, so the wait has a limit far beyond any test's time.
    fn end(mut self) -> (i32, String, String) {
        let mut child = self.0.take().unwrap();
        let stdout = read_all(child.stdout.take());
        let stderr = read_all(child.stderr.take());
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > LIMIT {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        (status.code().unwrap(), stdout.join().unwrap(), stderr.join().unwrap())
    }
}

/// Reads a stream to its end, on a thread.
fn read_all(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        stream.map(|mut stream| stream.read_to_string(&mut text)).transpose().unwrap();
        text
    })
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|child| drop(child.kill()));
    }
}

/// The files of the matches that a client keeps. On Windows a locked file stands beside them.
fn histories(state: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(state).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
}

/// A fake server.
pub(crate) struct Fake {
    process: Running,
    stdout: BufReader<ChildStdout>,
    pub(crate) address: String,
}

impl Fake {
    pub(crate) fn start(options: &[&str]) -> Fake {
        let mut judge = crate::bots::judge_command();
        let judge = judge.args(["local", "--json"]).args(with_defaults(&SERVER, options));
        let mut process = Running::start(judge);
        let mut stdout = BufReader::new(process.child().stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        Fake { process, stdout, address: line["address"].as_str().unwrap().to_owned() }
    }

    /// A client of this server.
    fn client(&self, state: &Path, options: &[&str]) -> Command {
        client(&self.address, state, options)
    }

    /// Plays to the end of the client, and returns its exit code, its report, and what it wrote to
    /// standard error.
    pub(crate) fn play(&self, state: &Path, options: &[&str]) -> (i32, Value, String) {
        report(&mut self.client(state, options))
    }

    /// Waits for the end of the server and returns its exit code and its report.
    pub(crate) fn end(mut self) -> (i32, Value) {
        self.process.child().stdout = None;
        let text = std::thread::spawn(move || {
            let mut text = String::new();
            self.stdout.read_to_string(&mut text).unwrap();
            text
        });
        let (code, ..) = self.process.end();
        (code, serde_json::from_str(&text.join().unwrap()).unwrap())
    }

    /// Interrupts the server, and returns its report.
    fn interrupt(mut self) -> Value {
        self.process.interrupt();
        let (code, report) = self.end();
        assert_eq!(code, 130);
        report
    }
}

fn client(address: &str, state: &Path, options: &[&str]) -> Command {
    let mut client = client_with_table(address, state, options);
    client.arg("--json");
    client
}

/// A client that prints lines and a table.
fn client_with_table(address: &str, state: &Path, options: &[&str]) -> Command {
    let mut client = crate::bots::judge_command();
    client.env("BOTZONE_LOCALAI_URL", address).args(["local", "--state"]);
    client.arg(state).args(with_defaults(&CLIENT, options)).stdin(Stdio::null());
    client
}

/// Reads standard error up to a line with this text, and returns what it has read.
fn read_until(running: &mut Running, text: &str) -> String {
    // A buffer of one byte leaves what follows to `Running::end`.
    let stderr = running.child().stderr.take().unwrap();
    let (mut lines, mut read) = (BufReader::with_capacity(1, stderr), String::new());
    while !read.contains(text) {
        assert!(lines.read_line(&mut read).unwrap() > 0, "no {text} in {read}");
    }
    running.child().stderr = Some(lines.into_inner());
    read
}

/// Starts a server that gives each poll, counted from 0, a body; a poll without one is held.
fn serve(body: impl Fn(usize) -> Option<String> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api/1/s3cret/localai", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut held: Vec<TcpStream> = Vec::new();
        for (poll, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let Some(body) = body(poll) else {
                held.push(stream);
                continue;
            };
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
            write!(stream, "{head}Connection: close\r\n\r\n{body}").unwrap();
        }
    });
    address
}

/// Runs a client and returns its exit code, its report, and what it wrote to standard error.
fn report(client: &mut Command) -> (i32, Value, String) {
    let (code, stdout, stderr) = Running::start(client).end();
    (code, serde_json::from_str(&stdout).unwrap_or_default(), stderr)
}

/// The matches of a report by their ids.
fn matches(report: &Value) -> BTreeMap<String, Value> {
    let rows = report["matches"].as_array().unwrap().iter();
    rows.map(|row| (row["match"].as_str().unwrap().to_owned(), row.clone())).collect()
}

/// The recorded games in a directory, by their ids.
fn records(directory: &Path) -> BTreeMap<String, Record> {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = |path: &Path| Record::read(&fs::read_to_string(path).unwrap()).unwrap();
    files
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), read(&path)))
        .collect()
}

/// The answers of a record.
fn answers(record: &Record) -> Vec<Value> {
    record.log.iter().skip(1).step_by(2).map(|item| logged_answer(item).clone()).collect()
}

/// The score of a record's answers on its board, replayed by the referee; `None` without an end.
/// Every answer is legal.
fn replayed_score(record: &Record) -> Option<f64> {
    let mut judge = BotzoneJudge::new(&record.setup().unwrap()).unwrap();
    let mut score = None;
    for answer in answers(record) {
        assert_eq!(score, None, "an answer after the end");
        let output = judge.answer(&answer).output;
        if output["command"] == "finish" {
            assert_eq!(output["display"]["msg"], "FINISH", "{answer}");
            score = output["content"]["0"].as_f64();
        }
    }
    score
}
