//! `sapper.cpp`: the whole bot as one C++ source.
//!
//! The bot's assembly ([`crate::asm`]) stands in a top-level `__asm__`, and `main` calls its entry
//! point. The platform's compiler therefore only assembles and links: the machine code is that of
//! rustc, at the level that [`crate::library`] sets.
//!
//! Invariant: the file is valid in every standard of C++, compiles without warnings, and has fewer
//! characters than the platform's editor accepts.

use anyhow::{Result, bail};

use super::asm::Reduced;
use super::library::ENTRY;
use super::macros::Macros;
use crate::flags::Flags;
use crate::stamp::Stamp;

/// The platform's web editor accepts fewer characters than this.
pub const CHARACTER_LIMIT: usize = 1_000_000;

/// Returns the C++ source, with `rust` as a comment if the limit allows.
///
/// # Errors
/// Fails if the source is too long without the comment.
pub fn cpp_source(reduced: &Reduced, stamp: &Stamp, flags: Flags, rust: &str) -> Result<String> {
    let mut body = String::new();
    for name in &reduced.weak {
        push_literal(&mut body, &[format!(".weak {name}")]);
    }
    push_literal(&mut body, &[format!(".globl {ENTRY}"), format!(".type {ENTRY},@function")]);
    let statements = reduced.parts.iter().flat_map(|(_, lines)| lines);
    let macros = Macros::new(statements.map(String::as_str));
    macros.definitions.iter().for_each(|definition| push_literal(&mut body, definition));
    for (kind, lines) in &reduced.parts {
        push_literal(&mut body, &[format!(".pushsection {}", kind.section())]);
        let lines: Vec<&str> = lines.iter().map(|line| macros.call_for(line)).collect();
        lines.chunks(40).for_each(|lines| push_literal(&mut body, lines));
        push_literal(&mut body, &[".popsection".to_owned()]);
    }
    // The compiler's own assembly, which follows, must not be affected.
    let names = macros.names.join(",");
    push_literal(&mut body, &[&format!(".irp o,{names}"), ".purgem \\o", ".endr"]);
    let flag_bits = i32::from(flags.keep_running) + 2 * i32::from(flags.debug);
    let code = format!(
        "#if !defined(__x86_64__) || defined(__ILP32__) || !defined(__linux__)\n\
         #error \"This file holds machine code for 64-bit x86 Linux. Build Sapper from its \
         source instead.\"\n\
         #endif\n\
         #include <signal.h>\n\
         extern \"C\" int {ENTRY}(int flags);\n\
         int main() {{\n    \
         // As in every Rust program, a write to a closed pipe is an error that the bot \
         reports.\n    \
         signal(SIGPIPE, SIG_IGN);\n    \
         return {ENTRY}({flag_bits});\n\
         }}\n\
         __asm__(\n{body});\n"
    );
    // `*/` would end the comment, and compilers warn of `/*` in a comment.
    let comment = rust.replace("*/", "* /").replace("/*", "/ *");
    let source = format!("\n/* The source, readable:\n\n{comment}\n*/\n");
    let full = format!("{}{source}{code}", head(stamp, flags, true));
    if full.chars().count() < CHARACTER_LIMIT {
        return Ok(full);
    }
    let short = format!("{}{code}", head(stamp, flags, false));
    let size = short.chars().count();
    if size >= CHARACTER_LIMIT {
        bail!(
            "sapper.cpp has {size} characters; the platform's editor accepts fewer than \
             {CHARACTER_LIMIT}"
        );
    }
    Ok(short)
}

/// The comment at the top of the file.
fn head(stamp: &Stamp, flags: Flags, has_source: bool) -> String {
    let readable = if has_source {
        "The readable source follows as a comment."
    } else {
        "The readable source is sapper.rs, made beside this file."
    };
    format!(
        "// Sapper {}, a Minesweeper bot, commit {}, licence MIT OR Apache-2.0.\n\
         //\n\
         // The bot is written in Rust, which Botzone does not compile. This file is the output of \
         the\n\
         // Rust compiler ({}), as assembly in a C++ source, for 64-bit x86\n\
         // Linux. {readable}\n\
         // Made by `{}` in the project at that commit; the same command makes it\n\
         // again, byte for byte. Compile it as C++ (any standard), without options.\n",
        stamp.version,
        stamp.commit_or_unknown(),
        stamp.compiler,
        flags.command()
    )
}

/// Appends a line with one string literal that holds all these statements.
fn push_literal(body: &mut String, lines: &[impl AsRef<str>]) {
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
    use super::super::asm::SectionKind;
    use super::*;

    /// The C++ source of a program with the given number of statements.
    fn cpp(statements: usize, rust: &str) -> Result<String> {
        let lines = (0..statements).map(|number| format!(".ascii \"{number:06}\"")).collect();
        let parts = vec![(SectionKind::Text, lines)];
        let reduced = Reduced { parts, undefined: vec![], weak: vec![] };
        let stamp =
            Stamp { version: "1".to_owned(), commit: "c".to_owned(), compiler: "r".to_owned() };
        cpp_source(&reduced, &stamp, Flags { keep_running: false, debug: true }, rust)
    }

    #[test]
    fn the_comment_is_left_out_and_code_is_refused_at_the_limit() {
        let rust = "fn glob() -> &str { \"/*/*.json\" } // */";
        let full = cpp(3, rust).unwrap();
        assert!(full.contains("fn glob()") && full.contains("source follows"));
        assert_eq!((full.matches("/*").count(), full.matches("*/").count()), (1, 1));
        let short = cpp(3, &rust.repeat(CHARACTER_LIMIT / rust.len())).unwrap();
        assert!(!short.contains("fn glob()") && short.contains("source is sapper.rs"));
        assert!(short.contains("000002") && short.len() < full.len());
        assert!(cpp(CHARACTER_LIMIT / 10, rust).is_err());
    }
}
