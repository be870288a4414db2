//! `sapper.cpp`: the whole bot as one C++ source, by way of the compiler's assembly.
//!
//! The bot becomes a static library with one C entry; rustc writes it, with std and all crates, as
//! assembly ([`crate::library`]); [`crate::asm`] keeps what the entry needs, [`crate::macros`] makes it short;
//! here that becomes a top-level `__asm__` of a C++ source whose `main` calls the entry. So the platform
//! compiles a file that holds the machine code of the native build, and the answers are the native bot's.

use anyhow::{Result, bail};

use super::asm::Reduced;
use super::library::ENTRY;
use super::macros::Shortened;
use super::{Flags, Stamp};

/// What the web editor of the platform takes.
pub const MOST_CHARACTERS: usize = 1_000_000;

/// The C++ source. `source` is put in as a comment where there is room.
pub fn source(reduced: &Reduced, stamp: &Stamp, flags: Flags, source: &str) -> Result<String> {
    let mut body = String::new();
    for name in &reduced.weak {
        piece(&mut body, &[format!(".weak {name}")]);
    }
    piece(&mut body, &[format!(".globl {ENTRY}"), format!(".type {ENTRY},@function")]);
    let statements = reduced.parts.iter().flat_map(|(_, lines)| lines);
    let macros = Shortened::new(statements.map(String::as_str));
    macros.definitions.iter().for_each(|definition| piece(&mut body, definition));
    for (kind, lines) in &reduced.parts {
        piece(&mut body, &[format!(".pushsection {}", kind.section())]);
        let lines: Vec<&str> = lines.iter().map(|line| macros.short(line)).collect();
        lines.chunks(40).for_each(|lines| piece(&mut body, lines));
        piece(&mut body, &[".popsection".to_owned()]);
    }
    // Nothing of this outlives the file's own assembly.
    macros.names.iter().for_each(|name| piece(&mut body, &[format!(".purgem {name}")]));
    let number = i32::from(flags.keep_running) + 2 * i32::from(flags.debug);
    let code = format!(
        "#if !defined(__x86_64__) || defined(__ILP32__) || !defined(__linux__)\n\
         #error \"This file holds machine code for 64-bit x86 Linux. Build Sapper from its source instead.\"\n\
         #endif\n\
         #include <signal.h>\n\
         extern \"C\" int {ENTRY}(int flags);\n\
         int main() {{\n    \
         // As every Rust program: nobody reading the output is a fault to report, not to die of.\n    \
         signal(SIGPIPE, SIG_IGN);\n    \
         return {ENTRY}({number});\n\
         }}\n\
         __asm__(\n{body});\n"
    );
    // The comment must not end early, nor seem to begin again, of which compilers warn.
    let comment = source.replace("*/", "* /").replace("/*", "/ *");
    let readable = format!("\n/* The source, readable:\n\n{comment}\n*/\n");
    let full = format!("{}{readable}{code}", head(stamp, flags, true));
    if full.chars().count() < MOST_CHARACTERS {
        return Ok(full);
    }
    let short = format!("{}{code}", head(stamp, flags, false));
    let size = short.chars().count();
    if size >= MOST_CHARACTERS {
        bail!("sapper.cpp has {size} characters; the platform takes fewer than {MOST_CHARACTERS}");
    }
    Ok(short)
}

fn head(stamp: &Stamp, flags: Flags, has_source: bool) -> String {
    let readable = if has_source {
        "The readable source follows as a comment."
    } else {
        "The readable source is sapper.rs, made beside this file."
    };
    format!(
        "// Sapper {}, a Minesweeper bot, commit {}, licence MIT OR Apache-2.0.\n\
         //\n\
         // The bot is written in Rust, which Botzone does not compile. This file is the output of the\n\
         // Rust compiler ({}), as assembly in a C++ source, for 64-bit x86 Linux:\n\
         // the same machine code as the native program. {readable}\n\
         // Made by `{flags}` in the project at that commit; the same command makes it\n\
         // again, byte for byte. Compile it as C++ (any standard), without options.\n",
        stamp.version,
        stamp.commit_or_none(),
        stamp.compiler
    )
}

/// Writes statements as one string literal, several a line.
fn piece(body: &mut String, lines: &[impl AsRef<str>]) {
    body.push('"');
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            body.push(';');
        }
        for character in line.as_ref().chars() {
            if matches!(character, '"' | '\\') {
                body.push('\\');
            }
            body.push(character);
        }
    }
    body.push_str("\\n\"\n");
}

#[cfg(test)]
mod tests {
    use super::super::asm::Kind;
    use super::*;

    fn made(statements: usize, rust: &str) -> Result<String> {
        let lines = (0..statements).map(|number| format!(".ascii \"{number:06}\"")).collect();
        let reduced = Reduced { parts: vec![(Kind::Text, lines)], undefined: vec![], weak: vec![] };
        let stamp =
            Stamp { version: "1".to_owned(), commit: "c".to_owned(), compiler: "r".to_owned() };
        source(&reduced, &stamp, Flags { keep_running: false, debug: true }, rust)
    }

    #[test]
    fn the_source_comes_along_where_there_is_room_and_code_never_is_cut() {
        let rust = "fn glob() -> &str { \"/*/*.json\" } // */";
        let full = made(3, rust).unwrap();
        assert!(full.contains("fn glob()") && full.contains("source follows"));
        assert_eq!((full.matches("/*").count(), full.matches("*/").count()), (1, 1));
        let short = made(3, &rust.repeat(MOST_CHARACTERS / rust.len())).unwrap();
        assert!(!short.contains("fn glob()") && short.contains("source is sapper.rs"));
        assert!(short.contains("000002") && short.len() < full.len());
        assert!(made(MOST_CHARACTERS / 10, rust).is_err());
    }
}
