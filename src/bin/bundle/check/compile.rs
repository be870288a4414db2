//! Programs to compare: the upload by every compiler, the native bot, `sapper.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::source;

/// What the platform allows its compiler, by a wide margin.
const COMPILE_TIME: Duration = Duration::from_secs(10);

/// The platform's compile commands, and others that a change of the platform may bring. `JSON`
/// stands for its JSON library, of which the file needs nothing.
pub const COMMANDS: [&str; 7] = [
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx FILE JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx -std=c++11 -x c++ FILE JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -Wall -mavx -std=c++1z -x c++ FILE JSON -lpthread",
    "-std=gnu++98 FILE",
    "-std=gnu++20 -O3 -flto FILE",
    "-O0 -g -no-pie FILE",
    "-O2 -static FILE",
];

/// Where programs are made, and by what.
pub struct Workshop<'a> {
    root: &'a Path,
    work: &'a Path,
    /// Every g++ on the path, by name; there is one.
    pub compilers: Vec<String>,
}

impl<'a> Workshop<'a> {
    pub fn new(root: &'a Path, work: &'a Path) -> Result<Workshop<'a>> {
        let names = std::iter::once("g++".to_owned()).chain((5..=15).map(|n| format!("g++-{n}")));
        let works = |name: &String| {
            let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let compilers: Vec<String> = names.filter(works).collect();
        ensure!(
            !compilers.is_empty(),
            "no g++ was found; get one, for example with `apt install g++`"
        );
        // A JSON library that holds nothing: an archive without members is its eight first bytes.
        fs::write(work.join("libjson.a"), "!<arch>\n")?;
        Ok(Workshop { root, work, compilers })
    }

    /// Compiles the upload by one of the commands, without a warning and in good time.
    pub fn compile(
        &self,
        compiler: &str,
        command: &str,
        file: &Path,
        name: &str,
    ) -> Result<PathBuf> {
        let program = self.work.join(name);
        let mut call = Command::new(compiler);
        for word in command.split_whitespace() {
            match word {
                "FILE" => call.arg(file),
                // `-x c++` would read a library as source; the platform links its own by a later
                // `-x none`.
                "JSON" => call.args(["-x", "none", "-L"]).arg(self.work).arg("-ljson"),
                word => call.arg(word),
            };
        }
        let started = Instant::now();
        let output = call.arg("-o").arg(&program).output()?;
        let took = started.elapsed();
        let words = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || !words.is_empty() {
            let shown: String = words.chars().take(2000).collect();
            bail!("{compiler} {command}, with {}: {}\n{shown}", file.display(), output.status);
        }
        ensure!(took <= COMPILE_TIME, "{compiler} {command} took {:.1} s", took.as_secs_f64());
        Ok(program)
    }

    /// What is wrong with how the file meets a compiler for another kind of machine.
    pub fn accepted_for_32_bits(&self, compiler: &str, file: &Path) -> Result<Option<String>> {
        let output = Command::new(compiler).args(["-m32", "-E"]).arg(file).output()?;
        let words = String::from_utf8_lossy(&output.stderr);
        let refused =
            !output.status.success() && words.contains("machine code for 64-bit x86 Linux");
        Ok((!refused).then(|| words.chars().take(400).collect()))
    }

    /// The bot as cargo builds it.
    pub fn native(&self) -> Result<PathBuf> {
        let folder = self.root.to_owned();
        self.cargo(&folder, &["--locked", "--bin", "sapper"], &folder.join("target"), |_| {})
    }

    /// `sapper.rs` as somebody would build it who has nothing else: a package of one file.
    pub fn one_file(&self, rust: &str) -> Result<PathBuf> {
        let folder = self.work.join("one-file");
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("src/main.rs"), rust)?;
        let manifest = format!(
            "[package]\nname = \"sapper\"\nversion = \"{}\"\nedition = \"{}\"\n[workspace]\n\
             [dependencies]\narrayvec = \"0.7\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
             serde_json = \"1\"\nsmallvec = \"1\"\n",
            env!("CARGO_PKG_VERSION"),
            source::EDITION
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(self.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        self.cargo(&folder, &[], &folder.join("target"), |cargo| {
            cargo.env("RUSTFLAGS", "-Dwarnings");
        })
        .context("sapper.rs does not compile without warnings")
    }

    /// Builds the `sapper` of a package. Cargo says where it lies: that depends on a user's
    /// settings.
    fn cargo(
        &self,
        package: &Path,
        arguments: &[&str],
        target: &Path,
        adapt: impl Fn(&mut Command),
    ) -> Result<PathBuf> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics"])
            .args(arguments)
            .arg("--manifest-path")
            .arg(package.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            .stderr(Stdio::inherit());
        adapt(&mut cargo);
        let output = cargo.output()?;
        ensure!(output.status.success(), "{} did not compile", package.display());
        let built = String::from_utf8(output.stdout)?.lines().find_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            let ours = message["target"]["name"] == "sapper";
            message["executable"].as_str().filter(|_| ours).map(PathBuf::from)
        });
        built.with_context(|| format!("cargo built no program of {}", package.display()))
    }
}
