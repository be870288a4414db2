//! Files of positions, layouts and recorded games, also packed by zip or gzip.
//!
//! What a file is follows from its contents ([`game::formats`]). A zip file is read as the files in
//! it, one after the other.

use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use flate2::read::MultiGzDecoder;
use game::formats::{Contents, FormatError, MatchPack, is_code, read};
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
    if bytes.starts_with(b"PK\x03\x04") {
        let name = || format!("{}: cannot unpack it (zip)", file_name(file));
        return read_archive(bytes).with_context(name);
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

/// The contents of the files in a zip file: all games, or all layouts, or the only position.
fn read_archive(bytes: Vec<u8>) -> Result<Result<Contents, FormatError>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        if file.is_file() {
            let name = file.name()?.into_owned();
            let mut unpacked = Vec::new();
            file.read_to_end(&mut unpacked).with_context(|| name.clone())?;
            found.push((name, read(&unpacked)));
        }
    }
    if found.len() == 1 {
        return Ok(found.remove(0).1);
    }
    let (mut matches, mut layouts, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (name, contents) in found {
        match contents {
            Ok(Contents::Games(pack)) => matches.extend(pack.matches),
            Ok(Contents::Layouts(more)) => layouts.extend(more),
            Ok(Contents::Recording(recording)) => layouts.push(recording.layout),
            Ok(_) => left_out.push(format!("{name}: a position, and no game")),
            Err(error) => left_out.push(format!("{name}: {error}")),
        }
    }
    match (matches.is_empty(), layouts.is_empty()) {
        (false, true) => Ok(Ok(Contents::Games(MatchPack { matches, left_out }))),
        (true, false) if left_out.is_empty() => Ok(Ok(Contents::Layouts(layouts))),
        (true, true) if left_out.is_empty() => Ok(Err(FormatError::Empty)),
        _ => bail!("its files are not of one kind; unpack it, and give those that you mean"),
    }
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
