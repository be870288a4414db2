//! The option that lets an output replace a file of any kind.

use output::Force;

/// Whether outputs replace existing files that are not of their kind.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ForceOption {
    /// Replace an existing file even if this command did not write it
    #[arg(long)]
    force: bool,
}

impl ForceOption {
    /// What [`output::Output`] takes.
    pub fn force(self) -> Force {
        if self.force { Force::Given } else { Force::Absent }
    }
}
