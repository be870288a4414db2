//! Compilation of the programs to compare: `sapper.cpp`, `sapper.rs` and the native bot.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::measured::run_measured;
use crate::{library, source};

/// A compilation that takes more CPU time is an error. It takes about half a second, and the
/// platform allows more.
const COMPILE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The platform's compile commands, then other options that it may use in the future.
///
/// `JSON` stands for the platform's JSON library, which the file does not use.
pub const COMMANDS: [&str; 7] = [
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx FILE JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx -std=c++11 -x c++ FILE \
     JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -Wall -mavx -std=c++1z -x c++ FILE JSON -lpthread",
    "-std=gnu++98 FILE",
    "-std=gnu++20 -O3 -flto FILE",
    "-O0 -g -no-pie FILE",
    "-O2 -static FILE",
];

/// The source of a library that replaces the clock of the C library. The second argument points to
/// a `timespec`, which is two `long` values.
const STOPPED_CLOCK: &str =
    "extern \"C\" int clock_gettime(int, long *now) { now[0] = 1; now[1] = 0; return 0; }\n";

/// The C++ compilers, and the folder for the programs that are made.
pub struct Toolchain<'a> {
    root: &'a Path,
    folder: &'a Path,
    /// A library in which the clock stands still, for
    /// [`super::answers::run_in_stopped_time`].
    pub stopped_clock: PathBuf,
    /// The name of a g++ of each version that can be run. Not empty.
    pub compilers: Vec<String>,
}

impl<'a> Toolchain<'a> {
    /// Finds the compilers.
    ///
    /// # Errors
    /// Fails if there is no g++.
    pub fn new(root: &'a Path, folder: &'a Path) -> Result<Toolchain<'a>> {
        let names = std::iter::once("g++".to_owned()).chain((5..=15).map(|n| format!("g++-{n}")));
        let mut compilers = BTreeMap::new();
        for name in names {
            let version = Command::new(&name).arg("-dumpfullversion").output();
            if let Some(output) = version.ok().filter(|output| output.status.success()) {
                // `g++` and `g++-12` may be one compiler.
                compilers.entry(output.stdout).or_insert(name);
            }
        }
        let compilers: Vec<String> = compilers.into_values().collect();
        ensure!(
            !compilers.is_empty(),
            "there is no g++; install it, for example with `apt install g++`"
        );
        // The platform's command links with its JSON library. Here that is an archive without
        // members, whose file is these eight bytes.
        fs::write(folder.join("libjson.a"), "!<arch>\n")?;
        let mut toolchain = Toolchain { root, folder, stopped_clock: PathBuf::new(), compilers };
        let clock = folder.join("clock.cpp");
        fs::write(&clock, STOPPED_CLOCK)?;
        let command = "-O2 -shared -fPIC FILE";
        toolchain.stopped_clock =
            toolchain.compile(&toolchain.compilers[0], command, &clock, "clock.so")?;
        Ok(toolchain)
    }

    /// Compiles `file` by one of the [`COMMANDS`] and returns the path of the program `name`.
    ///
    /// # Errors
    /// Fails on a warning too, and if the compilation takes more than [`COMPILE_TIME_LIMIT`].
    pub fn compile(
        &self,
        compiler: &str,
        command: &str,
        file: &Path,
        name: &str,
    ) -> Result<PathBuf> {
        let program = self.folder.join(name);
        let mut call = Command::new(compiler);
        for word in command.split_whitespace() {
            match word {
                "FILE" => call.arg(file),
                // `-x none` ends the effect of `-x c++`, as in the platform's own command.
                "JSON" => call.args(["-x", "none", "-L"]).arg(self.folder).arg("-ljson"),
                word => call.arg(word),
            };
        }
        let compiled = run_measured(call.arg("-o").arg(&program))?;
        let messages = String::from_utf8_lossy(&compiled.messages);
        if !compiled.status.success() || !messages.is_empty() {
            let shown: String = messages.chars().take(2000).collect();
            bail!("{compiler} {command}, for {}: {}\n{shown}", file.display(), compiled.status);
        }
        ensure!(
            compiled.cpu <= COMPILE_TIME_LIMIT,
            "{compiler} {command} took {:.1} s of CPU time",
            compiled.cpu.as_secs_f64()
        );
        Ok(program)
    }

    /// Compiles a C++ source by the platform's first command with the first compiler, and returns
    /// the path of the program.
    pub fn compile_text(&self, name: &str, cpp: &str) -> Result<PathBuf> {
        let file = self.folder.join(format!("{name}.cpp"));
        fs::write(&file, cpp)?;
        self.compile(&self.compilers[0], COMMANDS[0], &file, name)
    }

    /// Checks that the file's own `#error` refuses a 32-bit machine.
    pub fn fault_for_32_bits(&self, compiler: &str, file: &Path) -> Result<Option<String>> {
        let output = Command::new(compiler).args(["-m32", "-E"]).arg(file).output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let refused =
            !output.status.success() && messages.contains("machine code for 64-bit x86 Linux");
        Ok((!refused).then(|| messages.chars().take(400).collect()))
    }

    /// Builds the native bot with cargo and returns its path.
    ///
    /// The judge's libraries are left out: `cargo run` sets variables that the build script of one
    /// of them reads, so that they would be compiled again here, and again by the next build.
    pub fn native(&self) -> Result<PathBuf> {
        self.cargo(self.root, &self.root.join("target"), &["--locked", "--bin", "sapper"], "")
    }

    /// Builds `sapper.rs` as a package of its own, in which a warning is an error, and returns the
    /// path of the program.
    pub fn single_file(&self, rust: &str) -> Result<PathBuf> {
        let folder = self.folder.join("single-file");
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("src/main.rs"), rust)?;
        let manifest = format!(
            "[package]\nname = \"sapper\"\nversion = \"{}\"\nedition = \"{}\"\n[workspace]\n\
             [dependencies]\narrayvec = \"0.7\"\nsmallvec = \"1\"\n\
             serde_json = {{ version = \"1\", features = [\"raw_value\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n",
            env!("CARGO_PKG_VERSION"),
            source::EDITION
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(self.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let shared = library::shared_target_folder(self.root);
        // The output is the same at every level, and this one compiles in half the time.
        let level = "profile.release.opt-level=1";
        let arguments = ["--target", library::TARGET, "--config", level];
        self.cargo(&folder, &shared, &arguments, "-Dwarnings")
            .context("cannot compile sapper.rs without warnings")
    }

    /// Builds the program `sapper` of a package, with these flags of the compiler.
    ///
    /// Its path, which depends on cargo's configuration, is read from cargo's messages.
    fn cargo(
        &self,
        package: &Path,
        target_folder: &Path,
        arguments: &[&str],
        flags: &str,
    ) -> Result<PathBuf> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics"])
            .args(arguments)
            .arg("--manifest-path")
            .arg(package.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target_folder)
            .stderr(Stdio::inherit());
        if !flags.is_empty() {
            cargo.env("RUSTFLAGS", flags);
        }
        let output = cargo.output()?;
        ensure!(output.status.success(), "cannot compile {}", package.display());
        let built = String::from_utf8(output.stdout)?.lines().find_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            let is_bot = message["target"]["name"] == "sapper";
            message["executable"].as_str().filter(|_| is_bot).map(PathBuf::from)
        });
        built.with_context(|| format!("cargo built no program `sapper` in {}", package.display()))
    }
}
