//! Makes the page as one file: `target/page/sapper.html`.
//!
//! [`engine`] compiles the engine to WebAssembly. The template, the styles and the scripts are in
//! `crates/page/web` and `crates/viewer/web`; `order.txt` lists styles and scripts in their order.
//! Scripts and engine are packed: LZMA, in base 85. The page's policy allows the loader, the
//! scripts and the style by their checksums, workers of the page's own, and nothing else: no
//! connection, no other script.
//!
//! Invariant: the same input gives the same file, which is smaller than [`MAX_BYTES`].
//!
//! Exit code: 0 if the file was made; 2 if a file is missing or not as expected, the engine does
//! not compile, or the page is too large.

mod engine;

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Parser;
use lzma_rust2::{LzmaOptions, LzmaWriter};
use output::{Force, Kind, Output};
use sha2::{Digest, Sha256};

/// The size that the page must keep below.
const MAX_BYTES: usize = 600_000;

/// The name of a file and its text.
type SourceFile = (String, String);

/// Make target/page/sapper.html: the page to analyse, play and replay with, in one file that needs
/// nothing else. It opens from disk and from any web server.
#[derive(Parser)]
#[command(
    name = "page",
    version = sapper::bot::serve::version(),
    max_term_width = 100,
    after_help = "\
Example:
  cargo sapper page

The engine is compiled to WebAssembly, which takes a minute, and packed with the files in
crates/page/web and crates/viewer/web. Where the compiler lacks the target
wasm32-unknown-unknown, rustup installs it.

Exit code: 0, 2 when the file cannot be made or is too large."
)]
struct Arguments {
    /// Replace target/page/sapper.html even if this command did not write it
    #[arg(long)]
    force: bool,
}

/// A page begins with its language and its state before the script runs.
const PAGE: Kind = Kind {
    name: "page of `cargo sapper page`",
    beginnings: &["<!DOCTYPE html>\n<html lang=\"en\" data-state=\"thinking\">"],
};

fn main() -> ExitCode {
    let Arguments { force } = Arguments::parse();
    let force = if force { Force::Given } else { Force::Absent };
    let root = fixtures::enter_checkout().context("this folder is in no checkout of the project");
    match root.and_then(|root| run(&root, force)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "page: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(root: &Path, force: Force) -> Result<()> {
    let folder = root.join("target/page");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join("sapper.html");
    let output = Output::new(&path, PAGE, [], force)?;
    let order = read_text(&root.join("crates/page/web/order.txt"))?;
    // A file of the page's own, or one of the viewer, which it shares with `judge replay`.
    let folders = ["crates/page/web", "crates/viewer/web"].map(|folder| root.join(folder));
    let file = |name: &str| {
        let [own, viewer] = folders.each_ref().map(|folder| folder.join(name));
        if own.is_file() { own } else { viewer }
    };
    let read_all = |names: &mut dyn Iterator<Item = &str>| -> Result<Vec<SourceFile>> {
        names.map(|name| Ok((name.to_owned(), read_text(&file(name))?))).collect()
    };
    let ordered = |extension| read_all(&mut order.lines().filter(|name| name.ends_with(extension)));
    let (styles, scripts) = (ordered(".css")?, ordered(".js")?);
    let loader = read_all(&mut ["lzma.js", "loader.js"].into_iter())?;
    let worker = read_all(&mut ["worker.js"].into_iter())?;
    refuse_same_names(loader.iter().chain(&scripts))?;
    let [style, scripts, loader, worker] =
        [styles, scripts, loader, worker].map(|files| join(&files));
    let template = read_text(&file("page.html"))?;
    let module = engine::compile(root)?;
    let slots = [
        ("policy", policy(&style, &loader, &scripts)),
        ("style", pack(style.as_bytes())?),
        ("worker", worker),
        ("engine", pack(&module)?),
        ("script", pack(scripts.as_bytes())?),
        ("loader", loader),
    ];
    let page = fill(&template, &slots)?;
    let sizes: Vec<String> =
        slots.iter().map(|(name, content)| format!("{name} {}", content.len())).collect();
    let sizes = format!("{} bytes: {}", page.len(), sizes.join(", "));
    ensure!(
        page.len() < MAX_BYTES,
        "the page is too large, at most {MAX_BYTES} bytes; it has {sizes}"
    );
    output.write(page.as_bytes())?;
    writeln!(std::io::stdout(), "{}: {sizes}", output.path().display())?;
    Ok(())
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The scripts of the page share one scope: of two functions with one name, the second would
/// replace the first, and two constants or classes with one name would stop the page.
fn refuse_same_names<'f>(files: impl Iterator<Item = &'f SourceFile>) -> Result<()> {
    let mut names = HashMap::new();
    for (file, text) in files {
        for name in text.lines().filter_map(declared_name) {
            if let Some(other) = names.insert(name, file) {
                bail!("{other} and {file} both declare {name}; the scripts share one scope");
            }
        }
    }
    Ok(())
}

/// The name that a line declares for the whole file: such a line is not indented.
fn declared_name(line: &str) -> Option<&str> {
    let mut words = line.split(|c: char| !(c.is_alphanumeric() || "_$".contains(c)));
    let keyword = words.by_ref().find(|word| *word != "async")?;
    let is_declaration = ["function", "const", "let", "var", "class"].contains(&keyword);
    words.find(|word| !word.is_empty()).filter(|_| is_declaration)
}

/// Joins files, without comments and indentation.
fn join(files: &[SourceFile]) -> String {
    let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
    without_comments(&texts.concat())
}

/// A script or a style without the lines that are comments alone, and without indentation.
///
/// A comment begins a line with `//` or `/*`, and the latter ends at the end of a line.
fn without_comments(text: &str) -> String {
    let mut is_comment = false;
    let mut kept = String::new();
    for line in text.lines().map(str::trim) {
        is_comment = is_comment || line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        is_comment = is_comment && !line.ends_with("*/");
    }
    kept
}

/// LZMA with its header, in base 85.
fn pack(bytes: &[u8]) -> Result<String> {
    // Neither code nor text is aligned, and the byte before says much about the next one.
    let options = LzmaOptions { lc: 4, lp: 0, pb: 0, ..LzmaOptions::with_preset(9) };
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    writer.write_all(bytes)?;
    Ok(base85(&writer.finish()?))
}

/// Writes four bytes as five digits, the highest first; zeros fill up the last four bytes. In
/// base64 the page would be a twentieth larger.
///
/// The digits are the characters from `#` to `x` without `<`, which begins markup.
fn base85(bytes: &[u8]) -> String {
    let digit = |value: u32| char::from_u32(if value < 25 { 35 } else { 36 } + value);
    let places = [85_u32.pow(4), 85_u32.pow(3), 85_u32.pow(2), 85, 1];
    let words = bytes.chunks(4).map(|chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_be_bytes(word)
    });
    words.flat_map(|word| places.map(|place| digit(word / place % 85))).flatten().collect()
}

/// The content security policy.
fn policy(style: &str, loader: &str, scripts: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {} {} 'wasm-unsafe-eval'; worker-src blob:; \
         style-src {}; img-src data: blob:; base-uri 'none'; form-action 'none'",
        hash(loader),
        hash(scripts),
        hash(style)
    )
}

/// Replaces each `{{slot}}` of the template: slots in the content are left alone.
fn fill(template: &str, slots: &[(&str, String)]) -> Result<String> {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or("").to_owned();
    let mut used = Vec::new();
    for part in parts {
        let (name, rest) = part.split_once("}}").context("page.html: a slot has no end")?;
        let slot = slots.iter().find(|(slot, _)| *slot == name);
        let (_, content) = slot.with_context(|| format!("page.html: no slot is named {name}"))?;
        // Inside an element of raw text, only this ends it.
        if content.contains("</script") || content.contains("</style") {
            bail!("the content of {name} would end its element");
        }
        page.push_str(content);
        page.push_str(rest);
        used.push(name);
    }
    for (name, _) in slots {
        let count = used.iter().filter(|used| *used == name).count();
        ensure!(count == 1, "page.html: the slot {name} stands there {count} times, not once");
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn each_slot_is_filled_once_and_what_fills_it_is_left_alone() {
        let slots = |a: &str| [("a", a.to_owned()), ("b", "B".to_owned())];
        assert_eq!(fill("x{{a}}y{{b}}z", &slots("{{b}}")).unwrap(), "x{{b}}yBz");
        for (template, content, fault) in [
            ("{{a}}", "A", "the slot b stands there 0 times"),
            ("{{a}}{{a}}{{b}}", "A", "the slot a stands there 2 times"),
            ("{{a}}{{c}}{{b}}", "A", "no slot is named c"),
            ("{{a", "A", "a slot has no end"),
            ("{{a}}{{b}}", "'</script>'", "the content of a would end its element"),
        ] {
            let error = fill(template, &slots(content)).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn a_name_is_declared_once_in_all_scripts() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let first = "const A = 1;\nasync function f(x) {\n  const b = x;\n}\nclass C {}\nlet d;\n";
        for (second, name) in [
            ("function f() {}", "f"),
            ("async function f() {}", "f"),
            ("function* f() {}", "f"),
            ("const A = (b) => b;", "A"),
            ("class A extends B {", "A"),
            ("function C() {", "C"),
            ("const d = 1;", "d"),
        ] {
            let error = refuse_same_names([file("a.js", first), file("b.js", second)].iter());
            let expected =
                format!("a.js and b.js both declare {name}; the scripts share one scope");
            assert_eq!(error.unwrap_err().to_string(), expected);
        }
        // What is inside of a function or a block, and what is only used, is no name of the file.
        let other = "{\n  const A = 1;\n}\nA.f();\nfunction b() {\n  const A = 2;\n}\nf();\n";
        assert!(refuse_same_names([file("a.js", first), file("b.js", other)].iter()).is_ok());
    }

    #[test]
    fn comments_and_indentation_are_left_out() {
        let script = "// a\nf();\n\n  /** b\n   * c */\n  g(); // d\n/* e */\nh(\"// i\");\n";
        assert_eq!(without_comments(script), "f();\ng(); // d\nh(\"// i\");\n");
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let text = "a text of a text of a text".repeat(100);
        let packed = of_base85(&pack(text.as_bytes()).unwrap());
        let mut unpacked = String::new();
        let mut reader =
            lzma_rust2::LzmaReader::new_mem_limit(&packed[..], u32::MAX, None).unwrap();
        reader.read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, text);
        // What lzma.js reads from the header.
        assert_eq!(packed[5..9], (text.len() as u32).to_le_bytes());
        assert!(packed.len() < 100);
    }

    /// As the loader does it.
    fn of_base85(text: &str) -> Vec<u8> {
        let digit = |code: u8| u32::from(code) - if code > b'<' { 36 } else { 35 };
        let word = |five: &[u8]| five.iter().fold(0_u32, |sum, &code| sum * 85 + digit(code));
        text.as_bytes().chunks(5).flat_map(|five| word(five).to_be_bytes()).collect()
    }

    #[test]
    fn bytes_are_digits_without_markup() {
        assert_eq!(base85(&[0, 0, 0, 84, 0, 0, 0, 25]), "####x####=");
        assert_eq!(base85(&[0, 0, 0, 24]), "####;");
        let bytes: Vec<u8> = (0..=255).rev().collect();
        for len in [0, 1, 4, 255, 256] {
            let text = base85(&bytes[..len]);
            assert!(text.bytes().all(|byte| (b'#'..=b'x').contains(&byte) && byte != b'<'));
            let decoded = of_base85(&text);
            assert_eq!((&decoded[..len], decoded.len()), (&bytes[..len], len.next_multiple_of(4)));
        }
    }

    #[test]
    fn the_policy_allows_what_has_the_checksums_and_nothing_else() {
        let policy = policy("", "abc", "");
        assert!(policy.starts_with("default-src 'none'; "));
        // The checksums of "abc" and of the empty text are published.
        assert!(policy.contains("'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"));
        assert!(
            policy.contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';")
        );
        assert!(!policy.contains("unsafe-inline") && !policy.contains("connect"));
    }
}
