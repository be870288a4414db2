//! Whether text is coloured.

use anstream::ColorChoice;
use clap::ColorChoice as When;

/// The option `--color`.
#[derive(clap::Args)]
pub struct Color {
    /// When to print colours
    #[arg(long, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
}

impl Color {
    /// Whether to use colours on standard output.
    pub fn is_used(&self) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => anstream::AutoStream::choice(&std::io::stdout()) != ColorChoice::Never,
        }
    }
}
