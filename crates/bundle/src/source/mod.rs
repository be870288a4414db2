//! `sapper.rs`: all modules of the bot in one readable file.
//!
//! The text is `lib.rs` with the text of every module in place of its declaration ([`modules`]),
//! then `main.rs` ([`program`]). Modules keep their order, names, docs and paths: `crate::` and
//! `super::` mean the same in one file. Unit tests, code under a cargo feature and injected panics
//! are left out ([`predicate`]).

mod edits;
mod modules;
mod predicate;
mod program;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use syn::spanned::Spanned;

use crate::stamp::Stamp;

/// The edition that the file has to be compiled with.
pub const EDITION: &str = "2024";

/// Returns the file's text, formatted by rustfmt.
pub fn make(root: &Path, stamp: &Stamp) -> Result<String> {
    let folder = root.join("src");
    let library = modules::inline(&folder.join("lib.rs"), &folder)?;
    let program = program::rewrite(&modules::inline(&folder.join("main.rs"), &folder)?)?;
    // Inner attributes and docs are only allowed at the top of the file.
    let syntax: syn::File = syn::parse_str(&library).context("the joined library is not valid")?;
    let attributes = syntax.attrs.last().map_or(0, |last| last.span().byte_range().end);
    let (attributes, items) = library.split_at(attributes);
    let text = format!(
        "{}{attributes}\n\n\
         // The whole library stands here, and the bot does not call all of it.\n\
         #![allow(dead_code)]\n\
         {items}\n{program}",
        head(stamp)
    );
    let text = text
        .replace("env!(\"SAPPER_COMMIT\")", &format!("{:?}", stamp.commit))
        .replace("env!(\"CARGO_PKG_VERSION\")", &format!("{:?}", stamp.version));
    ensure!(
        !text.contains("env!("),
        "a module reads a variable with `env!` that has no value in sapper.rs"
    );
    formatted(&text, root)
}

/// The comment at the top of the file.
fn head(stamp: &Stamp) -> String {
    format!(
        "// Sapper {} as one file, commit {}. Made by `cargo sapper bundle`.\n\
         //\n\
         // Edition {EDITION}. Needs only: arrayvec 0.7, serde 1 (feature `derive`),\n\
         // serde_json 1 (feature `raw_value`), smallvec 1. Licence: MIT OR Apache-2.0.\n\n",
        stamp.version,
        stamp.commit_or_unknown()
    )
}

/// Formats the text with rustfmt and the project's settings.
fn formatted(text: &str, root: &Path) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", EDITION, "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run rustfmt; get it with `rustup component add rustfmt`")?;
    let mut input = rustfmt.stdin.take().context("rustfmt has no standard input")?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output()?;
    let written = writer.join().ok().context("cannot write to rustfmt")?;
    if !output.status.success() {
        bail!("rustfmt cannot format the joined source");
    }
    written?;
    Ok(String::from_utf8(output.stdout)?)
}
