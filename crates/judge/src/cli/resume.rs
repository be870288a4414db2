//! The options of a run that continues after an interruption.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::report::{Comparable, JsonLines, Line};

/// The file of a run that may be continued.
#[derive(clap::Args)]
pub struct ResumeOptions {
    /// Append the results to FILE as they come, and continue from those in it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Drop the results in the file of --resume, and start again
    #[arg(long, requires = "resume")]
    pub restart: bool,
}

impl ResumeOptions {
    /// Opens the file of a run with this setting, and returns it with the lines that it holds;
    /// `None` if no file is named.
    ///
    /// # Errors
    /// As [`JsonLines::open`].
    pub fn open<S, L>(&self, setting: &S) -> Result<Option<(JsonLines, Vec<Line<L>>)>>
    where
        S: Serialize + DeserializeOwned + Comparable,
        L: DeserializeOwned,
    {
        let opened = self.resume.as_ref().map(|path| JsonLines::open(path, self.restart, setting));
        opened.transpose()
    }

    /// How an interrupted run is continued.
    pub fn hint(&self) -> &'static str {
        match self.resume {
            Some(_) if self.restart => "the same command without --restart continues from here",
            Some(_) => "the same command continues from here",
            None => "with --resume FILE an interrupted run can be continued",
        }
    }
}
