//! Files that are named on the command line; `-` is standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use flate2::CrcReader;

/// The name of a file in messages.
pub fn file_name(file: &Path) -> String {
    match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => file.display().to_string(),
    }
}

/// Checks that the path is not that of a directory.
///
/// # Errors
/// Says what to give instead.
pub fn refuse_directory(path: &Path) -> Result<()> {
    let name = path.display();
    ensure!(!path.is_dir(), "cannot read {name}: it is a directory; give a file in it");
    Ok(())
}

/// Reads a file.
///
/// # Errors
/// Fails if it cannot be read.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    refuse_directory(file)?;
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Reads the text of a file, or of standard input for `-`.
///
/// # Errors
/// Fails if it cannot be read or is not UTF-8.
pub fn read_text(file: &Path) -> Result<String> {
    let name = file_name(file);
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.with_context(|| format!("cannot read {name}"))?;
        bytes
    } else {
        read_bytes(file)?
    };
    String::from_utf8(bytes).map_err(|_| not_text(&name))
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
    let cannot = || format!("cannot read {}", path.display());
    let mut file = CrcReader::new(File::open(path).with_context(cannot)?);
    io::copy(&mut file, &mut io::sink()).with_context(cannot)?;
    Ok(format!("{:08x}", file.crc().sum()))
}
