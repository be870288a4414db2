//! The CPU time of a program. A busy machine delays a program, and hardly changes its CPU time.

use std::io::{self, Read as _};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use wait4::Wait4 as _;

/// A program that has ended.
pub struct Measured {
    pub status: ExitStatus,
    /// What it has written to standard error.
    pub messages: Vec<u8>,
    /// The CPU time of the program and of the processes that it has started and waited for.
    pub cpu: Duration,
}

/// Runs the program to its end, without its standard output.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn run_measured(command: &mut Command) -> io::Result<Measured> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut messages = Vec::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_end(&mut messages)?;
    }
    let ended = child.wait4()?;
    Ok(Measured { status: ended.status, messages, cpu: ended.rusage.utime + ended.rusage.stime })
}

// The tests need a Unix shell.
#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Measured {
        run_measured(Command::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn a_delay_is_not_measured() {
        let delayed = shell("echo late >&2; echo no; sleep 0.5; exit 7");
        assert_eq!((delayed.status.code(), delayed.messages.as_slice()), (Some(7), &b"late\n"[..]));
        assert!(delayed.cpu < Duration::from_millis(250), "{:?}", delayed.cpu);
    }

    #[test]
    fn processes_of_the_program_are_measured() {
        let count = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        let [own, others] = [count.to_owned(), format!("({count}); true")].map(|text| shell(&text));
        for measured in [own, others] {
            assert!(measured.cpu > Duration::from_millis(10), "{:?}", measured.cpu);
        }
    }
}
