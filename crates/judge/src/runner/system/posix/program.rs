//! Files of programs: where they are found, and why they cannot be started.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::super::Conventions;
use super::quote_word;
use crate::runner::messages::escaped;

/// The directories that `execvp` searches if PATH is not set.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// How the programs of Linux and macOS begin: ELF, Mach-O for one processor and for several.
const FORMATS: [&[u8]; 3] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];

/// See [`this_file`](super::super::this_file).
pub fn this_file() -> &'static Path {
    /// The program of this process, also where its file was replaced after the start.
    const LINUX: &str = "/proc/self/exe";
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| match std::env::current_exe() {
        Ok(file) if cfg!(not(target_os = "linux")) => file,
        _ => LINUX.into(),
    })
}

/// See [`this_program`](super::super::this_program).
pub fn this_program(name: &str) -> Command {
    let mut command = Command::new(this_file());
    command.arg0(name);
    command
}

/// See [`find_program`](super::super::find_program): a name is searched in the directories of the
/// PATH.
pub fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(program.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    let mut files = std::env::split_paths(&path).map(|directory| directory.join(program));
    files.find(|file| file.is_file() && access(file, Access::EXEC_OK).is_ok())
}

/// See [`program_to_start`](super::super::program_to_start): the system looks in the same folders,
/// and the program gets the name as it was given.
pub fn program_to_start(program: &str) -> PathBuf {
    program.into()
}

/// See [`is_format_error`](super::super::is_format_error).
pub fn is_format_error(error: &io::Error) -> bool {
    let errors = [Errno::NOEXEC, Errno::NOENT, Errno::INVAL].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|error| errors.contains(&error))
}

/// See [`file_obstacle`](super::super::file_obstacle).
pub fn file_obstacle(program: &str, file: &Path) -> Option<String> {
    if access(file, Access::EXEC_OK).is_err() {
        return Some(format!(
            "{program} is not executable; chmod +x it, or name its interpreter, as in {}",
            with_interpreter(program)
        ));
    }
    // A file that can be executed but not read is left to the system.
    let mut start = Vec::new();
    File::open(file).and_then(|file| file.take(256).read_to_end(&mut start)).ok()?;
    if let Some(line) = start.strip_prefix(b"#!") {
        let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next()?).into_owned();
        // As the system splits the line: a carriage return is part of a word.
        let interpreter = line.split([' ', '\t']).find(|word| !word.is_empty()).unwrap_or("");
        let exists = access(interpreter, Access::EXEC_OK).is_ok();
        // `env` would search for a program whose name ends in a carriage return.
        if line.ends_with('\r') && (!exists || interpreter.ends_with("/env")) {
            return Some(format!(
                "{program} is a script whose lines end in carriage returns; remove them: \
                 sed -i 's/\\r$//' {program}"
            ));
        }
        return (!exists).then(|| {
            format!(
                "{program} is a script whose interpreter does not exist: {}",
                escaped(interpreter)
            )
        });
    }
    let is_executable =
        FORMATS.iter().any(|format| start.starts_with(format)) || has_other_formats();
    (!is_executable).then(|| {
        format!(
            "{program} is neither a program nor a script with a first line #!; name its \
             interpreter, as in {}",
            with_interpreter(program)
        )
    })
}

fn with_interpreter(program: &str) -> String {
    Conventions::Posix.with_interpreter(program, quote_word)
}

/// Whether the system is configured to execute other formats of files (`binfmt_misc`).
fn has_other_formats() -> bool {
    let mut formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc").into_iter().flatten().flatten();
    formats.any(|format| !["register", "status"].iter().any(|own| format.file_name() == *own))
}
