//! Files that are named on the command line; `-` is standard input.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use flate2::CrcReader;
use game::formats::decode;
use sapper::bot::input_file::why_unreadable;

/// A path in one line. What else is hidden in it is escaped where it is shown.
fn in_one_line(path: &Path) -> String {
    path.display().to_string().replace('\n', "\\n").replace('\r', "\\r")
}

/// The name of a file in messages.
pub fn file_name(file: &Path) -> String {
    match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => in_one_line(file),
    }
}

/// The error of a file or folder that cannot be read.
pub fn cannot_read(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("cannot read {}: {}", in_one_line(path), why_unreadable(path, error))
}

/// Checks that the path is not that of a folder.
///
/// # Errors
/// Says what to give instead.
pub fn refuse_folder(path: &Path) -> Result<()> {
    let name = in_one_line(path);
    ensure!(!path.is_dir(), "cannot read {name}: it is a folder; give a file in it");
    Ok(())
}

/// Reads a file.
///
/// # Errors
/// Fails if it cannot be read.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    refuse_folder(file)?;
    std::fs::read(file).map_err(|error| cannot_read(file, &error))
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Fails if it cannot be read.
pub fn read_input(file: &Path) -> Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return read_bytes(file);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", file_name(file)))?;
    Ok(bytes)
}

/// Reads the text of a file, or of standard input for `-`: UTF-8, or UTF-16 with a byte order mark,
/// as Windows PowerShell redirects output to a file.
///
/// # Errors
/// Fails if it cannot be read or is no text.
pub fn read_text(file: &Path) -> Result<String> {
    let bytes = read_input(file)?;
    let text = decode(&bytes).map(Cow::into_owned);
    text.ok_or_else(|| not_text(&file_name(file)))
}

/// The error of a file that holds bytes other than text.
pub fn not_text(name: &dyn std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot read {name}: it is no text in UTF-8; is it the right file?")
}

/// The checksum of a file's contents.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn checksum(path: &Path) -> Result<String> {
    let cannot = |error| cannot_read(path, &error);
    let mut file = CrcReader::new(File::open(path).map_err(cannot)?);
    io::copy(&mut file, &mut io::sink()).map_err(cannot)?;
    Ok(format!("{:08x}", file.crc().sum()))
}
