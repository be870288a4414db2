//! Passes the commit of the source to the binaries, for `--version`.
//!
//! The commit is empty outside a git checkout of this package: in a crate archive, in a single-file
//! build, and where the package was unpacked inside the checkout of another project.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = if is_own_checkout() {
        // Rebuild only when another commit is checked out.
        if let Some(dir) = git(&["rev-parse", "--absolute-git-dir"]) {
            println!("cargo::rerun-if-changed={dir}/HEAD");
            println!("cargo::rerun-if-changed={dir}/logs/HEAD");
        }
        git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default()
    } else {
        String::new()
    };
    println!("cargo::rustc-env=SAPPER_COMMIT={commit}");
}

fn is_own_checkout() -> bool {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let checkout = git(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
    let real = |path: Option<PathBuf>| path.and_then(|path| path.canonicalize().ok());
    real(package).is_some_and(|package| real(checkout) == Some(package))
}

fn git(arguments: &[&str]) -> Option<String> {
    // In a git hook these variables name the hook's repository.
    let mut git = Command::new("git");
    git.args(arguments).env_remove("GIT_DIR").env_remove("GIT_WORK_TREE");
    let output = git.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
