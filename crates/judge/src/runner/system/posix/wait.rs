//! The end of a process that the judge has started.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Child;

use wait4::{ResourceUsage, Wait4 as _};

use crate::runner::system::resources::Exit;

/// Waits for a child. Returns how it ended and what it has used, as far as the system tells.
pub fn wait(child: &mut Child) -> (Exit, Option<ResourceUsage>) {
    let report = loop {
        match child.wait4() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other.ok(),
        }
    };
    let status = report.as_ref().map(|report| (report.status.signal(), report.status.code()));
    let exit = match status {
        Some((Some(signal), _)) => Exit::Signal(signal),
        Some((None, Some(code))) => Exit::Code(code),
        _ => Exit::Unknown,
    };
    (exit, report.map(|report| report.rusage))
}
