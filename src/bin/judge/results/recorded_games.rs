//! Files of recorded games: their names in a directory, and how they are written.
//!
//! Invariant: a file is complete, because it is renamed after it was written.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sapper::referee::record::Record;
use sapper::referee::setup::Setup;

/// Creates a directory for recorded games.
///
/// # Errors
/// Fails if it cannot be created.
pub fn make_directory(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot make the directory {}", directory.display()))
}

/// The path of a game in a directory of recorded games.
pub fn log_path(directory: &Path, setup: &Setup) -> PathBuf {
    let (shape, skipped) = (setup.shape, if setup.skip_first { "-skipfirst" } else { "" });
    let (columns, rows, mines, seed) = (shape.columns(), shape.rows(), setup.mines, setup.seed);
    directory.join(format!("{columns}x{rows}-{mines}-{seed}{skipped}.json"))
}

/// Writes a game that was played by `bot`.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_log(directory: &Path, setup: &Setup, record: &Record, bot: &str) -> Result<()> {
    let record = Record { bot: Some(bot.to_owned()), ..record.clone() };
    write_record(&log_path(directory, setup), &record)
}

/// Writes a record to this file.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_record(path: &Path, record: &Record) -> Result<()> {
    let mut part = path.to_owned().into_os_string();
    part.push(".part");
    let text = serde_json::to_string(record)?;
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        fs::remove_file(&part).ok();
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
