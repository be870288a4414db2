//! Files that a program writes whole: pages, pictures, reports and the files to upload.
//!
//! An [`Output`] is checked before the work whose result it will hold, and again before the result
//! takes its place. The result is written to a part in the folder of the file and then renamed. A
//! symbolic link is followed, so that its target is replaced. What is no regular file, such as a
//! pipe, or has no name, such as a pipe behind `/dev/stdout`, is written through.
//!
//! Invariants:
//!
//! - No file that the program reads is replaced, whatever the name of the output: files are
//!   compared by their identity.
//! - An existing file is replaced only if it begins as those of the same program do, or if the user
//!   insists.
//! - A reader finds the old file or the whole new one. A part that is not finished is removed.
//!
//! Cost: one opened file more than writing in place.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, Result, anyhow, bail, ensure};
use same_file::Handle;
use sapper::bot::input_file::looked_up;
use tempfile::{Builder, NamedTempFile};

/// As many symbolic links are followed for a file that does not exist yet.
const MAX_LINKS: u32 = 40;

/// The files that a command writes.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    /// What they are, for messages: a `page of judge replay`.
    pub name: &'a str,
    /// Their first bytes: one of these. Without any, no file with contents is one of them.
    pub beginnings: &'a [&'a str],
}

/// Whether an existing file of another kind is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Force {
    /// It is: the user gave `--force`.
    Given,
    /// It is not, but would be with `--force`.
    Absent,
    /// It is not, and the command has no such option.
    NoOption,
}

/// A file to be written.
pub struct Output<'a> {
    path: &'a Path,
    kind: Kind<'a>,
    /// The files that are read.
    inputs: Vec<Handle>,
    force: Force,
}

impl<'a> Output<'a> {
    /// Checks that the file may be written by a command that reads `inputs`; `-` is standard
    /// input. To be called before the work.
    ///
    /// # Errors
    /// Fails for a folder, in a folder that does not exist, for an input, and for an existing file
    /// of another kind, unless by `force`. Says what to do.
    pub fn new<'i>(
        path: &'a Path,
        kind: Kind<'a>,
        inputs: impl IntoIterator<Item = &'i Path>,
        force: Force,
    ) -> Result<Output<'a>> {
        let handle = |input: &Path| match input.to_str() {
            Some("-") => Handle::stdin(),
            _ => Handle::from_path(input),
        };
        // An input that cannot be opened cannot be read either, which its reader says.
        let inputs = inputs.into_iter().filter_map(|input| handle(input).ok()).collect();
        let output = Output { path, kind, inputs, force };
        output.check()?;
        Ok(output)
    }

    /// The path, as it was given.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    fn check(&self) -> Result<()> {
        check_place(self.path)?;
        if !self.path.is_file() {
            return Ok(());
        }
        let name = self.path.display();
        let same = Handle::from_path(self.path);
        ensure!(
            same.map_or(true, |same| !self.inputs.contains(&same)),
            "cannot write {name}: it is the file that is read; name another file"
        );
        // Written by no byte, so that a file without the permission is refused now.
        let cannot = |error: io::Error| anyhow!("cannot write {name}: {error}");
        fs::OpenOptions::new().append(true).open(self.path).map_err(cannot)?;
        let advice = match self.force {
            Force::Given => return Ok(()),
            Force::Absent => "name another file, or replace it with --force",
            Force::NoOption => "move it away",
        };
        ensure!(
            self.is_own().unwrap_or(false),
            "cannot write {name}: it exists, and is no {}; {advice}",
            self.kind.name
        );
        Ok(())
    }

    /// Whether the existing file is empty or begins as those of the kind.
    fn is_own(&self) -> io::Result<bool> {
        let beginnings = self.kind.beginnings;
        let lengths = beginnings.iter().map(|beginning| beginning.len());
        // One byte tells whether it is empty.
        let longest = lengths.fold(1, usize::max);
        let mut start = Vec::new();
        File::open(self.path)?.take(longest as u64).read_to_end(&mut start)?;
        let begins = |beginning: &&str| start.starts_with(beginning.as_bytes());
        Ok(start.is_empty() || beginnings.iter().any(begins))
    }

    /// Begins to write.
    ///
    /// # Errors
    /// Fails if the part cannot be created, or the device not be opened.
    pub fn create(&self) -> Result<Part<'_>> {
        let cannot = || format!("cannot write {}", self.path.display());
        let target = followed(self.path).with_context(cannot)?;
        let existing = fs::metadata(self.path);
        // The links of `/proc`, such as `/dev/stdout`, lead to files whose names are no paths.
        let has_path = target.exists();
        if existing.as_ref().is_ok_and(|existing| !existing.is_file() || !has_path) {
            let device = fs::OpenOptions::new().write(true).open(self.path).with_context(cannot)?;
            if !has_path {
                // Only of a file, where this shortens it.
                device.set_len(0).ok();
            }
            return Ok(Part { output: self, sink: Sink::Through(BufWriter::new(device)) });
        }
        let folder = folder_of(&target);
        let part = part_in(folder).with_context(|| {
            format!("cannot write {}: no part beside it can be made", self.path.display())
        })?;
        if let Ok(existing) = existing {
            part.as_file().set_permissions(existing.permissions()).with_context(cannot)?;
        }
        Ok(Part { output: self, sink: Sink::Beside(BufWriter::new(part), target) })
    }

    /// Writes the whole file.
    ///
    /// # Errors
    /// As [`Output::create`] and [`Part::finish`].
    pub fn write(&self, contents: &[u8]) -> Result<()> {
        let mut part = self.create()?;
        let written = part.write_all(contents);
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        part.finish()
    }
}

/// A file that is being written. The part is removed where this is dropped before its end.
pub struct Part<'o> {
    output: &'o Output<'o>,
    sink: Sink,
}

enum Sink {
    /// The part, and the file that it will replace.
    Beside(BufWriter<NamedTempFile>, PathBuf),
    Through(BufWriter<File>),
}

impl Part<'_> {
    /// Puts the part in the place of the file.
    ///
    /// # Errors
    /// Fails if not all could be written, or if the file may not be replaced any more. The part is
    /// then removed.
    pub fn finish(self) -> Result<()> {
        let name = self.output.path.display();
        let cannot = || format!("cannot write {name}");
        match self.sink {
            Sink::Through(mut device) => device.flush().with_context(cannot),
            Sink::Beside(part, target) => {
                let part = part.into_inner().map_err(io::IntoInnerError::into_error);
                let part = part.with_context(cannot)?;
                self.output.check()?;
                let renamed = part.persist(&target).map_err(|error| error.error);
                renamed.map(drop).with_context(|| {
                    format!("cannot write {name}: the part of it cannot be renamed")
                })
            }
        }
    }
}

impl Write for Part<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Beside(part, _) => part.write(bytes),
            Sink::Through(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Beside(part, _) => part.flush(),
            Sink::Through(device) => device.flush(),
        }
    }
}

/// Checks that a file can have this name.
///
/// # Errors
/// Fails for a folder, and in a folder that does not exist. Says what to do.
pub fn check_place(path: &Path) -> Result<()> {
    let name = path.display();
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(is_separator);
    ensure!(!is_folder, "cannot write {name}: it is a folder; name a file in it");
    let folder = folder_of(path);
    if !folder.is_dir() {
        bail!(
            "cannot write {name}: there is no folder {}{}; make it, or name another",
            folder.display(),
            looked_up(folder)
        );
    }
    Ok(())
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The file that a path stands for: the target of a symbolic link, which need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = folder_of(&path).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A new file in a folder, with the permissions that a new file has.
fn part_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The system takes away what the user's mask forbids.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests;
