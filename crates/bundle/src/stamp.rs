//! What a file was made from: version, commit and compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

/// The versions that the comment at the top of each file states.
pub struct Stamp {
    /// The version of the package.
    pub version: String,
    /// Empty outside the project's own repository.
    pub commit: String,
    /// The line that `rustc --version` prints.
    pub compiler: String,
}

impl Stamp {
    /// The stamp of the checkout `root`.
    ///
    /// # Errors
    /// Fails if `rustc` cannot be run.
    pub fn new(root: &Path) -> Result<Stamp> {
        let output = Command::new("rustc")
            .arg("--version")
            .output()
            .context("cannot run rustc; get Rust from https://rustup.rs")?;
        let mut commit = sapper::bot::serve::COMMIT.to_owned();
        if !commit.is_empty() {
            let changes =
                Command::new("git").args(["status", "--porcelain"]).current_dir(root).output();
            if changes.is_ok_and(|changes| changes.status.success() && !changes.stdout.is_empty()) {
                commit.push_str(" with changes that are not committed");
            }
        }
        Ok(Stamp {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit,
            compiler: String::from_utf8(output.stdout)?.trim().to_owned(),
        })
    }

    /// The commit, or that it is unknown.
    pub fn commit_or_unknown(&self) -> &str {
        if self.commit.is_empty() { "unknown" } else { &self.commit }
    }
}
