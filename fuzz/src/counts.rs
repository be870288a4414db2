//! How often each reader of a format was executed, for the figures of this folder's README.
//!
//! The variable `SAPPER_FUZZ_COUNTS` names a file. It gets a line for each format that recognised
//! an input: how many inputs the format recognised, how many of these its reader accepted, and its
//! name. `-` stands for the inputs that no format recognises. The file is written every
//! [`STEP`] executions and when the thread ends, as libFuzzer's only one does at its exit.
//!
//! Invariant: where the variable is not set, nothing is counted or written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The executions from one writing of the file to the next.
const STEP: u64 = 100_000;

thread_local! {
    static COUNTS: RefCell<Option<Counts>> = RefCell::new(Counts::new());
}

/// The inputs that were recognised and accepted, by format, and the file for them.
struct Counts {
    file: PathBuf,
    executions: u64,
    of_format: BTreeMap<&'static str, [u64; 2]>,
}

/// Counts an input of this format.
pub fn add(format: Option<&'static str>, is_accepted: bool) {
    COUNTS.with_borrow_mut(|counts| {
        let Some(counts) = counts else { return };
        let [recognised, accepted] = counts.of_format.entry(format.unwrap_or("-")).or_default();
        *recognised += 1;
        *accepted += u64::from(is_accepted);
        counts.executions += 1;
        if counts.executions.is_multiple_of(STEP) {
            counts.write();
        }
    });
}

impl Counts {
    fn new() -> Option<Counts> {
        let file = std::env::var_os("SAPPER_FUZZ_COUNTS")?.into();
        Some(Counts { file, executions: 0, of_format: BTreeMap::new() })
    }

    fn write(&self) {
        let mut text = String::new();
        for (name, [recognised, accepted]) in &self.of_format {
            let _ = writeln!(text, "{recognised:10} {accepted:10} {name}");
        }
        std::fs::write(&self.file, text).expect("SAPPER_FUZZ_COUNTS names a file that is written");
    }
}

impl Drop for Counts {
    fn drop(&mut self) {
        self.write();
    }
}
