//! `sapper.rs`: all modules of the bot in one readable file.
//!
//! Modules are taken in the order of `lib.rs` and keep their names, their docs and their paths, because
//! `crate::` means the same in one file. What is dropped: unit tests, and what the bot does not build
//! (the features of `lib.rs`). The last part is `main.rs`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::Stamp;

/// The edition of the file, which whoever compiles it has to state.
pub const EDITION: &str = "2024";

/// Puts the file together and formats it with rustfmt.
pub fn make(root: &Path, stamp: &Stamp) -> Result<String> {
    let read = |name: &str| {
        let path = root.join("src").join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let library = read("lib.rs")?;
    let mut text = head(stamp);
    let docs = library.lines().take_while(|line| line.starts_with("//!"));
    docs.for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(
        "\n// The whole library stands here, and the bot does not call all of it.\n\
         #![allow(dead_code)]\n\n",
    );
    let mut left_out = false;
    for line in library.lines() {
        if let Some(name) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
            if !std::mem::take(&mut left_out) {
                text.push_str(&format!("pub mod {name} {{\n{}}}\n\n", module(&read, name)?));
            }
        } else {
            left_out = line.starts_with("#[cfg(feature");
        }
    }
    let main = without_tests(&read("main.rs")?, "main")?;
    // An inner doc comment may only stand at the top of the file.
    let main = main.lines().map(|line| match line.strip_prefix("//!") {
        Some(doc) => format!("//{doc}\n"),
        None => format!("{line}\n"),
    });
    text.push_str(&main.collect::<String>().replace("use sapper::", "use crate::"));
    let text = text
        .replace("env!(\"SAPPER_COMMIT\")", &format!("{:?}", stamp.commit))
        .replace("env!(\"CARGO_PKG_VERSION\")", &format!("{:?}", stamp.version));
    ensure!(
        !text.contains("env!("),
        "a module reads the build's environment, which one file has not"
    );
    formatted(&text, root)
}

fn head(stamp: &Stamp) -> String {
    format!(
        "// Sapper {} as one file, commit {}. Made by scripts/bundle; the source is the project.\n\
         //\n\
         // Edition {EDITION}. Needs only: arrayvec 0.7, serde 1 (feature `derive`), serde_json 1,\n\
         // smallvec 1. Licence: MIT OR Apache-2.0.\n\n",
        stamp.version,
        stamp.commit_or_none()
    )
}

/// The module in `path`, without `.rs`, with its private modules in the places where it names them.
fn module(read: &dyn Fn(&str) -> Result<String>, path: &str) -> Result<String> {
    let mut text = String::new();
    for line in without_tests(&read(&format!("{path}.rs"))?, path)?.lines() {
        match line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => {
                let inner = module(read, &format!("{path}/{name}"))?;
                text.push_str(&format!("mod {name} {{\n{inner}}}\n"));
            }
            None => text.push_str(&format!("{line}\n")),
        }
    }
    Ok(text)
}

/// A module without its unit tests, which close it.
fn without_tests(module: &str, name: &str) -> Result<String> {
    const TESTS: &str = "#[cfg(test)]\nmod tests {\n";
    let module = &without_injected_panics(module);
    let Some((kept, tests)) = module.split_once(TESTS) else {
        ensure!(
            !module.contains("cfg(test)"),
            "{name}.rs has tests in another form than `{TESTS}`"
        );
        return Ok(module.to_owned());
    };
    let closed = tests.find("\n}\n").map(|place| tests[place + 3..].trim());
    ensure!(closed == Some(""), "{name}.rs goes on after its tests; they must close the file");
    Ok(kept.to_owned())
}

/// The bot to read has no switches for breaking it: the attributes go, with the lines they stand on.
fn without_injected_panics(module: &str) -> String {
    let mut lines = module.lines();
    let mut kept = String::with_capacity(module.len());
    while let Some(line) = lines.next() {
        if line.trim().starts_with("#[cfg(sapper_injected_") {
            lines.next();
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn formatted(text: &str, root: &Path) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", EDITION, "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run rustfmt; get it with `rustup component add rustfmt`")?;
    let mut input = rustfmt.stdin.take().context("rustfmt has no input")?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output()?;
    let written = writer.join().ok().context("writing to rustfmt failed")?;
    if !output.status.success() {
        bail!("rustfmt failed on the joined source; is a module not valid by itself?");
    }
    written?;
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_where_they_are_named() {
        let read = |name: &str| {
            Ok(match name {
                "a.rs" => "//! A.\n\nmod b;\n\nuse b::c;\n".to_owned(),
                "a/b.rs" => "//! B.\n\npub fn c() {}\n".to_owned(),
                other => bail!("there is no {other}"),
            })
        };
        let whole = "//! A.\n\nmod b {\n//! B.\n\npub fn c() {}\n}\n\nuse b::c;\n";
        assert_eq!(module(&read, "a").unwrap(), whole);
        assert!(module(&read, "c").is_err());
    }

    #[test]
    fn tests_are_cut_off_and_only_they() {
        let module = "//! Idea.\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\n";
        assert_eq!(without_tests(module, "a").unwrap(), "//! Idea.\nfn a() {}\n\n");
        assert!(without_tests(&format!("{module}fn late() {{}}\n"), "a").is_err());
        assert!(without_tests("#[cfg(test)]\nfn only_in_tests() {}\n", "a").is_err());
        assert_eq!(without_tests("fn a() {}\n", "a").unwrap(), "fn a() {}\n");
        let switch = "fn a() {\n    #[cfg(sapper_injected_panic)]\n    assert!(false);\n    b();\n    \
             #[cfg(sapper_injected_late_panic)]\n    panic!();\n}\n";
        assert_eq!(without_tests(switch, "a").unwrap(), "fn a() {\n    b();\n}\n");
    }
}
