//! Where the list and the figures are, and which measurements are meant: options of all commands.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::list::{chosen, read_list};
use super::measurement::Measurement;

/// The folder in a checkout of the project.
const FOLDER: &str = "samples/results";
/// The list in it.
const LIST: &str = "list.txt";
/// The file of figures in it.
const FIGURES: &str = "figures.jsonl";

/// The folder of the list and the figures, and the measurements.
#[derive(clap::Args)]
pub struct FolderOptions {
    /// Folder with list.txt and figures.jsonl [default: samples/results of the checkout]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Use the seeds that follow N later, so that the boards are others
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub later_seeds: u32,
}

impl FolderOptions {
    /// The folder: the one that is named, or that of the checkout around the current folder.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn path(&self) -> Result<PathBuf> {
        if let Some(folder) = &self.folder {
            return Ok(folder.clone());
        }
        let current = env::current_dir().context("the current folder is not there")?;
        let mut folders = current.ancestors().map(|folder| folder.join(FOLDER));
        let found = folders.find(|folder| folder.join(LIST).is_file());
        // A path within the current folder is shown as such.
        let found =
            found.context("no folder here has samples/results/list.txt; give --folder DIR")?;
        Ok(found.strip_prefix(&current).map(PathBuf::from).unwrap_or(found))
    }

    /// The file of figures.
    ///
    /// # Errors
    /// As [`FolderOptions::path`].
    pub fn figures(&self) -> Result<PathBuf> {
        Ok(self.path()?.join(FIGURES))
    }

    /// The measurements with these names, or all of the list.
    ///
    /// # Errors
    /// Fails if the list cannot be read, or if it has no measurement of a name.
    pub fn measurements(&self, names: &[String]) -> Result<Vec<Measurement>> {
        let list = read_list(&self.path()?.join(LIST))?;
        let list = list.into_iter().map(|measurement| measurement.shifted(self.later_seeds));
        chosen(list.collect::<Result<_>>()?, names)
    }
}
