//! What cargo tells of packages: the keys of `cargo metadata` that the rules are about.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// A package of the project, or one that the project depends on.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// An SPDX expression.
    pub license: Option<String>,
    /// The registry or the repository; `None` for a package that is found by its path.
    pub source: Option<String>,
    pub manifest_path: PathBuf,
    /// The registries to which the package may be published; `None` if to all.
    pub publish: Option<Vec<String>>,
    pub dependencies: Vec<Dependency>,
}

/// A dependency as a manifest states it.
#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    /// The versions that are allowed.
    pub req: String,
    /// `dev` or `build`; `None` for a dependency of the package itself.
    pub kind: Option<String>,
    pub path: Option<PathBuf>,
}

/// The root of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The packages of a manifest's workspace and all that they depend on, on every system.
pub fn packages(manifest: &Path, all_features: bool) -> Vec<Package> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let features: &[&str] = if all_features { &["--all-features"] } else { &[] };
    let text = cargo(&["metadata", "--format-version", "1"], features, manifest);
    serde_json::from_str::<Metadata>(&text).unwrap().packages
}

/// What cargo prints. The network is used only if a package has never been downloaded: a build
/// downloads no packages that other systems alone need.
pub fn cargo(command: &[&str], options: &[&str], manifest: &Path) -> String {
    let run = |network: &[&str]| {
        Command::new(env!("CARGO"))
            .args(command)
            .args(options)
            .args(["--locked", "--manifest-path"])
            .arg(manifest)
            .args(network)
            .output()
            .unwrap_or_else(|error| panic!("cannot run cargo: {error}"))
    };
    let mut output = run(&["--offline"]);
    if !output.status.success() {
        output = run(&[]);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {}: {messages}", command[0]);
    String::from_utf8(output.stdout).unwrap()
}
