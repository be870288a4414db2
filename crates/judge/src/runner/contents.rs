//! Files of positions, layouts and recorded games, also packed by zip or gzip.
//!
//! What a file is follows from its contents ([`game::formats`]). A zip file is read as the files in
//! it, one after the other; several recordings of people are a pack, as several matches are.

use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use flate2::read::MultiGzDecoder;
use game::formats::{Contents, FormatError, Match, MatchGame, MatchPack, is_code, read};
use zip::ZipArchive;

use super::files::{file_name, read_input};
use super::shell_words::quote;
use super::typed::typed_name;

/// What a file holds.
///
/// # Errors
/// Fails if the file cannot be read or unpacked. What it holds may be a [`FormatError`].
pub fn read_contents(file: &Path) -> Result<Result<Contents, FormatError>> {
    of_bytes(file, read_unzipped(file)?)
}

/// What the bytes of a file hold, which may be a zip file.
///
/// # Errors
/// As [`read_contents`].
pub fn of_bytes(file: &Path, bytes: Vec<u8>) -> Result<Result<Contents, FormatError>> {
    // One with files in it, or without.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return read_archive(file, bytes);
    }
    Ok(read(&bytes))
}

/// The bytes of a file, unpacked if it is a gzip file. A link or a game ID that is no file is its
/// own contents.
///
/// # Errors
/// Fails if the file cannot be read or unpacked.
pub fn read_unzipped(file: &Path) -> Result<Vec<u8>> {
    if let Some(code) = file.to_str().filter(|text| is_code(text) && !file.exists()) {
        return Ok(code.as_bytes().to_vec());
    }
    let bytes = read_input(file)?;
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let read_whole = MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked);
    read_whole.with_context(|| format!("{}: cannot unpack it (gzip)", file_name(file)))?;
    Ok(unpacked)
}

/// The contents of the files in a zip file: all games, or all layouts, or the only position. A file
/// that cannot be unpacked does not keep the others from being read.
fn read_archive(file: &Path, bytes: Vec<u8>) -> Result<Result<Contents, FormatError>> {
    let cannot = || format!("{}: cannot unpack it (zip)", file_name(file));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).with_context(cannot)?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let name = archive.name_for_index(index).transpose().with_context(cannot)?;
        let name = name.unwrap_or_default().replace(char::is_control, "?");
        if !name.ends_with(['/', '\\']) && !is_of_system(&name) {
            let contents = unpacked(&mut archive, index).map(|bytes| read(&bytes));
            found.push((name, contents));
        }
    }
    if found.len() == 1 {
        let (name, contents) = found.remove(0);
        return contents.with_context(|| name).with_context(cannot);
    }
    let (mut matches, mut layouts, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (name, contents) in found {
        match contents {
            Ok(Ok(Contents::Games(pack))) => matches.extend(pack.matches),
            Ok(Ok(Contents::Layouts(more))) => layouts.extend(more),
            Ok(Ok(Contents::Recording(recording))) => {
                let (id, game) = (Some(name), MatchGame::Recording(recording));
                matches.push(Match { id, line: 1, game });
            }
            Ok(Ok(_)) => left_out.push(format!("{name}: a position, and no game")),
            Ok(Err(error)) => left_out.push(format!("{name}: {error}")),
            Err(error) => left_out.push(format!("{name}: cannot unpack it: {error:#}")),
        }
    }
    let name = file_name(file);
    match (matches.is_empty(), layouts.is_empty(), left_out.first()) {
        (false, true, _) => Ok(Ok(Contents::Games(MatchPack { matches, left_out }))),
        (true, false, None) => Ok(Ok(Contents::Layouts(layouts))),
        (true, true, None) => Ok(Err(FormatError::Empty)),
        (true, true, Some(first)) => {
            let count = left_out.len();
            bail!("{name}: none of its {count} files is a game or a layout; the first, {first}")
        }
        _ => {
            bail!("{name}: its files are not of one kind; unpack it, and give those that you mean")
        }
    }
}

/// The bytes of a file in a zip file.
fn unpacked(archive: &mut ZipArchive<Cursor<Vec<u8>>>, index: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    archive.by_index(index)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the system packed a file beside those that were meant, as macOS does: its name, or that
/// of a folder around it, begins with a dot, or is that of the folder for what macOS adds.
fn is_of_system(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part.starts_with('.') || part == "__MACOSX")
}

/// The error of a file that holds no recorded game.
pub fn no_game(file: &Path, contents: &Result<Contents, FormatError>) -> anyhow::Error {
    let (name, quoted) = (file_name(file), quote(&file.display().to_string()));
    let judge = typed_name();
    match contents {
        Ok(Contents::Layouts(_)) => anyhow!(
            "{name}: not a recorded game, but mine layouts: try `{judge} bench --boards {quoted}`"
        ),
        Ok(Contents::Recording(recording)) => anyhow!(
            "{name}: a recording of a person's mouse ({}): try `{judge} replay {quoted}` or \
             `{judge} coach {quoted}`",
            recording.format
        ),
        Ok(_) => {
            anyhow!("{name}: not a recorded game, but a position: try `{judge} explain {quoted}`")
        }
        Err(error) => anyhow!(
            "{name}: not a recorded game: {error}; give what `judge play --log` wrote, a Botzone \
             log, or a person's recording"
        ),
    }
}
