//! Files that are named on the command line; `-` is standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use flate2::CrcReader;
use sapper::bot::input_file::why_unreadable;

/// The name of a file in messages.
pub fn file_name(file: &Path) -> String {
    match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => file.display().to_string(),
    }
}

/// The error of a file or folder that cannot be read.
pub fn cannot_read(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("cannot read {}: {}", path.display(), why_unreadable(path, error))
}

/// Checks that the path is not that of a folder.
///
/// # Errors
/// Says what to give instead.
pub fn refuse_folder(path: &Path) -> Result<()> {
    let name = path.display();
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

/// Reads the text of a file, or of standard input for `-`: UTF-8, or UTF-16 with a byte order mark,
/// as Windows PowerShell redirects output to a file.
///
/// # Errors
/// Fails if it cannot be read or is no text.
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
    text(bytes).ok_or_else(|| not_text(&name))
}

/// The text of these bytes; `None` if they are no text.
fn text(bytes: Vec<u8>) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xFF, 0xFE]) => u16::from_le_bytes,
        Some([0xFE, 0xFF]) => u16::from_be_bytes,
        _ => return String::from_utf8(bytes).ok(),
    };
    let (pairs, odd) = bytes[2..].as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).ok().filter(|_| odd.is_empty())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf_8_or_utf_16_with_a_mark() {
        let units = |mark: u16, text: &str| -> Vec<u16> {
            std::iter::once(mark).chain(text.encode_utf16()).collect()
        };
        let little = |units: Vec<u16>| units.into_iter().flat_map(u16::to_le_bytes).collect();
        let big = |units: Vec<u16>| units.into_iter().flat_map(u16::to_be_bytes).collect();
        let written = "{\"é\": 1}\r\n";
        assert_eq!(text(written.as_bytes().to_vec()).as_deref(), Some(written));
        let bytes: Vec<u8> = little(units(0xFEFF, written));
        assert_eq!(text(bytes.clone()).as_deref(), Some(written));
        assert_eq!(text(bytes[..bytes.len() - 1].to_vec()), None);
        let bytes: Vec<u8> = big(units(0xFEFF, written));
        assert_eq!(text(bytes).as_deref(), Some(written));
        assert_eq!(text(vec![0xC3, 0x28]), None);
    }
}
