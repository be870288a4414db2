//! The options of a run that continues after an interruption, and the checksums of files by which
//! it knows that nothing has changed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::CrcReader;

/// The file of a run that may be continued.
#[derive(clap::Args)]
pub struct ResumeOptions {
    /// Append the results to FILE as they come, and continue from those that it holds
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Drop the results that the file of --resume holds, and start again
    #[arg(long, requires = "resume")]
    pub restart: bool,
}

impl ResumeOptions {
    /// How an interrupted run is continued.
    pub fn hint(&self) -> &'static str {
        match self.resume {
            Some(_) if self.restart => "the same command without --restart continues from here",
            Some(_) => "the same command continues from here",
            None => "with --resume FILE an interrupted run can be continued",
        }
    }
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
