//! Controls a headless Chromium with its DevTools protocol over a pipe: JSON messages that end with
//! a zero byte.
//!
//! The tests use about a dozen commands of the protocol. The libraries for it would add a web
//! socket, TLS and a downloader to the dependencies.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The limit on the time of any step, long enough for a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The browser of this machine: the value of `CHROME`, or the first common name on the path.
pub(crate) fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME").filter(|name| !name.is_empty()) {
        return Some(named.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let path: OsString = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = names.iter().flat_map(|name| directories.iter().map(move |path| path.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// A page in a browser, with the errors that it has reported.
pub(crate) struct Page {
    browser: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// Errors and warnings of the console, uncaught exceptions, and entries of the browser's log.
    pub(crate) errors: Vec<String>,
    _profile: TempDir,
}

impl Page {
    /// Opens `file` with this fragment (`#...`) and waits until it is loaded.
    pub(crate) fn open(browser: &Path, file: &Path, hash: &str) -> Page {
        let profile = TempDir::new().unwrap();
        // The browser reads file descriptor 3 and writes 4. The page is trusted, so it needs no
        // sandbox, which many build machines do not support.
        let mut browser = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(browser)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--remote-debugging-pipe", "--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = browser.stdin.take().unwrap();
        let mut stdout = BufReader::new(browser.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while stdout.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let value = serde_json::from_slice(&message).unwrap();
                if sender.send(value).is_err() {
                    return;
                }
                message.clear();
            }
        });
        let (session, errors) = (None, Vec::new());
        let mut page =
            Page { browser, stdin, messages, session, sent: 0, errors, _profile: profile };
        let target = page.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = page.call("Target.attachToTarget", &attach);
        page.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Runtime.enable", "Log.enable", "Page.enable"] {
            page.call(domain, &json!({}));
        }
        page.call("Page.navigate", &json!({"url": format!("file://{}{hash}", file.display())}));
        page.wait("document.readyState === 'complete'");
        page
    }

    /// Sends a command and returns its result. Errors that the page reports meanwhile are kept.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.stdin.write_all(message.to_string().as_bytes()).unwrap();
        self.stdin.write_all(&[0]).unwrap();
        self.stdin.flush().unwrap();
        loop {
            let answer = self.messages.recv_timeout(TIME_LIMIT).expect("the browser answers");
            if answer["id"] == self.sent {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.record_error(&answer);
        }
    }

    /// Keeps `event` if it reports an error.
    fn record_error(&mut self, event: &Value) {
        let parameters = &event["params"];
        let is_error = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => {
                ["error", "warning", "assert"].iter().any(|kind| parameters["type"] == *kind)
            }
            Some("Log.entryAdded") => {
                ["error", "warning"].iter().any(|level| parameters["entry"]["level"] == *level)
            }
            _ => false,
        };
        if is_error {
            self.errors.push(parameters.to_string());
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true});
        let found = self.call("Runtime.evaluate", &parameters);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != json!(true) {
            assert!(start.elapsed() < TIME_LIMIT, "{expression} is still not true");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and releases a key, with Shift if `shift` is set.
    pub(crate) fn press(&mut self, key: &str, shift: bool) {
        let mut event =
            json!({"type": "keyDown", "key": key, "modifiers": if shift { 8 } else { 0 }});
        // A character key also produces text; a named key, such as `End`, does not.
        if key.chars().count() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", &event);
        self.call("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": key}));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The shell has replaced itself with the browser, so this is the browser's process.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
