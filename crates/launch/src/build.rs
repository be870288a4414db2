//! Builds a program by cargo.
//!
//! Cargo names the file that it has made in a line of JSON on its standard output. What it prints
//! for people comes by its standard error, and is passed on, except the line that says that the
//! build is finished.

use std::io::{self, BufRead, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

/// Why there is no program to start.
pub enum Error {
    /// The compiler has said why; the exit code is cargo's.
    Compiler(ExitCode),
    Other(String),
}

/// Builds the program of the package `name` in the workspace at `root`, and returns its file.
///
/// Cargo runs in `root`: it obeys the settings of its current folder, and so does rustup.
///
/// # Errors
/// Fails if cargo cannot be started, or does not build the program.
pub fn build(root: &Path, name: &str) -> Result<PathBuf, Error> {
    let other =
        |error: io::Error| Error::Other(format!("cannot run cargo in {}: {error}", root.display()));
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--locked", "--message-format=json-render-diagnostics"])
        .args(["--package", name, "--bin", name])
        .current_dir(root)
        // The values for this program are not those of the one that is built.
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_PATH")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if io::stderr().is_terminal() {
        cargo.arg("--color=always");
    }
    let mut cargo = cargo.spawn().map_err(other)?;
    let shown = show_messages(&mut cargo);
    let mut file = None;
    if let Some(output) = cargo.stdout.take() {
        // What a compiler prints among the messages need not be UTF-8.
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            file = executable(&String::from_utf8_lossy(&line), name).or(file);
        }
    }
    let status = cargo.wait().map_err(other)?;
    // All that cargo has said comes before what the program says.
    if let Some(shown) = shown {
        let _ = shown.join();
    }
    if !status.success() {
        // No exit code: cargo was ended by a signal.
        let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101);
        return Err(Error::Compiler(ExitCode::from(code)));
    }
    file.ok_or_else(|| Error::Other(format!("cargo does not say where it has built {name}")))
}

/// Passes on what cargo prints for people.
fn show_messages(cargo: &mut Child) -> Option<thread::JoinHandle<()>> {
    let messages = BufReader::new(cargo.stderr.take()?);
    Some(thread::spawn(move || {
        for line in messages.split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&line);
            if !(text.contains("Finished") && text.contains("target(s)")) {
                let _ = io::stderr().write_all(&[&line[..], b"\n"].concat());
            }
        }
    }))
}

/// The file of the program `name`, if this message of cargo is about it.
fn executable(message: &str, name: &str) -> Option<PathBuf> {
    if !message.contains(r#""reason":"compiler-artifact""#) {
        return None;
    }
    let (_, rest) = message.split_once(r#""executable":""#)?;
    let file = PathBuf::from(json_text(rest)?);
    (file.file_stem()? == name).then_some(file)
}

/// The text of a JSON string, from behind its opening quote.
fn json_text(rest: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => match characters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'u' => {
                    let digits: String = characters.by_ref().take(4).collect();
                    // Cargo writes only control characters in this way.
                    text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                escaped => text.push(escaped),
            },
            character => text.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_program_is_found_in_the_messages() {
        let message = |rest: &str| format!(r#"{{"reason":"compiler-artifact",{rest}}}"#);
        for (rest, file) in [
            (r#""executable":"/target/release/judge","fresh":true"#, "/target/release/judge"),
            (r#""executable":"/my \"t\"/\u0007/judge""#, "/my \"t\"/\u{7}/judge"),
        ] {
            assert_eq!(executable(&message(rest), "judge"), Some(PathBuf::from(file)), "{rest}");
        }
        for rest in [
            r#""executable":null"#,
            r#""executable":"/target/release/page""#,
            r#""executable":"/target/release/judge"#,
        ] {
            assert_eq!(executable(&message(rest), "judge"), None, "{rest}");
        }
        let other = r#"{"reason":"build-finished","executable":"/target/release/judge"}"#;
        assert_eq!(executable(other, "judge"), None);
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(json_text(r#"C:\\a b\\é.exe","x""#).as_deref(), Some(r"C:\a b\é.exe"));
        assert_eq!(json_text(r"no end\"), None);
        assert_eq!(json_text(r#"\u00zz""#), None);
    }
}
