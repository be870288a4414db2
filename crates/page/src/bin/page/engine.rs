//! Compiles the engine of the page to WebAssembly.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, Result, ensure};
use fixtures::toolchain::install_target;

const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles the library of this package, and returns the module.
///
/// # Errors
/// Fails if the target is missing and cannot be installed, or the library does not compile.
pub fn compile(root: &Path) -> Result<Vec<u8>> {
    install_target(TARGET).map_err(Error::msg)?;
    let folder = root.join("target");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustc", "--locked", "--profile", "page", "--package", "page", "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET, "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        // The module is found there, wherever else the environment puts what is built.
        .arg("--target-dir")
        .arg(&folder)
        .status()
        .context("cannot run cargo; get Rust from https://rustup.rs")?;
    ensure!(status.success(), "cannot compile the engine");
    let module = folder.join(TARGET).join("page/page.wasm");
    fs::read(&module).with_context(|| format!("cannot read {}", module.display()))
}
