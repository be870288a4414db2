//! Files of recorded games: their names in a directory, and how they are written.
//!
//! Invariant: a file is complete, because it is renamed after it was written.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game::record::Record;
use game::rule::Start;
use game::setup::Setup;
use output::{Force, Kind, Output};
use sapper::kit::text::pluralize;
use serde_json::Value;

use crate::runner::messages::errln;
use crate::runner::setups::GameSetups;

/// Creates a directory for files of games.
///
/// # Errors
/// Fails if it cannot be created.
pub fn make_directory(directory: &Path) -> Result<()> {
    let name = directory.display();
    ensure!(
        !directory.is_file(),
        "cannot make the folder {name}: a file has this name; name another folder"
    );
    fs::create_dir_all(directory).with_context(|| format!("cannot make the folder {name}"))
}

/// Creates a directory for these games. Warns of games in it that they do not replace.
///
/// # Errors
/// Fails if it cannot be created or read.
pub fn make_directory_for(games: &GameSetups, directory: &Path) -> Result<()> {
    make_directory(directory)?;
    let name = directory.display();
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read {name}"))?;
    let mut others: HashSet<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    others.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    if !others.is_empty() {
        for position in 0..games.len() {
            others.remove(&log_path(directory, &games.setup(position)?));
        }
    }
    if !others.is_empty() {
        let others = pluralize(others.len(), "game", "games");
        errln!("warning: {name} keeps {others} of another run; name another folder for --log");
    }
    Ok(())
}

/// The path of a game in a directory of recorded games.
pub fn log_path(directory: &Path, setup: &Setup) -> PathBuf {
    let rule = match setup.start {
        Start::CHOSEN if setup.skip_first => "-skipfirst".to_owned(),
        Start::CHOSEN => String::new(),
        start => format!("-{}", start.rule().name()),
    };
    let (shape, mines, seed) = (setup.shape, setup.mines, setup.seed);
    let (columns, rows) = (shape.columns(), shape.rows());
    // The number of a board in a file is no seed.
    let board = if setup.field.is_some() { "board" } else { "" };
    directory.join(format!("{columns}x{rows}-{mines}-{board}{seed}{rule}.json"))
}

/// Whether a directory has the record of this game, by this bot and with this score.
pub fn is_on_file(directory: &Path, setup: &Setup, bot: &str, score: f64) -> bool {
    let text = fs::read_to_string(log_path(directory, setup));
    let record = text.ok().and_then(|text| Record::read(&text).ok());
    record.is_some_and(|record| {
        // A survived hit leaves another layout, and a game that was lost.
        let survived = record.survived.as_ref();
        let is_lost = survived.is_some_and(|turns| !turns.is_empty());
        let found = record.setup().map(|found| match is_lost {
            true => Setup { field: None, ..found },
            false => found,
        });
        record.bot.as_deref() == Some(bot)
            && found.is_ok_and(|found| found == *setup)
            && (is_lost || is_score(&record, score))
    })
}

/// Whether a record has this score. A game that ended before its first turn has none.
fn is_score(record: &Record, score: f64) -> bool {
    match record.score.as_ref().and_then(Value::as_f64) {
        Some(found) => is_same_number(found, score),
        None => record.answers() == 0,
    }
}

/// Whether two numbers are equal to 14 digits: the official judge rounds its scores to 16.
pub fn is_same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * a.abs().max(b.abs())
}

/// Writes a game that was played by `bot`.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_log(directory: &Path, setup: &Setup, record: &Record, bot: &str) -> Result<()> {
    let record = Record { bot: Some(bot.to_owned()), ..record.clone() };
    write_record(&log_path(directory, setup), &record)
}

/// The files of recorded games begin with one of the keys of a record.
pub const RECORD: Kind = Kind {
    name: "recorded game",
    beginnings: &["{\"initdata_given\":", "{\"rules\":", "{\"bot\":", "{\"log\":"],
};

/// Writes a record to this file.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_record(path: &Path, record: &Record) -> Result<()> {
    let text = serde_json::to_string(record)?;
    Output::new(path, RECORD, [], Force::NoOption)?.write(text.as_bytes())
}
