//! A tree of modules as one text.
//!
//! Every file is parsed for the positions of its items, and the file's own text is edited there:
//! a declaration `mod x;` gets the text of the module's file as its body, `include_str!` becomes a
//! literal, and code that is not part of the bot (`#[cfg(test)]`, `#[cfg(feature = "..")]`,
//! injected panics) is removed with the comments directly above it. All other text is kept.
//!
//! Invariant: no `cfg` of a test or a feature is left. Where one cannot be removed, as on a field
//! or in the arguments of a macro, [`inline`] fails with the file and the line.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, LitStr, Macro, Stmt, TraitItem};

use super::edits::Edits;
use super::predicate::{self, Predicate};

/// Returns the text of a module with the modules that it declares in place of their declarations.
///
/// `folder` is where the files of those modules are: for a crate's root and for `mod.rs` the folder
/// of the file, for `x.rs` the folder `x` beside it.
pub fn inline(file: &Path, folder: &Path) -> Result<String> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let at =
        |error: syn::Error| anyhow!("{}:{}: {error}", file.display(), error.span().start().line);
    let tokens: TokenStream =
        text.parse().map_err(|error: proc_macro2::LexError| at(error.into()))?;
    let mut token_ends = Vec::new();
    push_token_ends(tokens.clone(), &mut token_ends);
    // A doc comment is several tokens at one place.
    token_ends.sort_unstable();
    let syntax = syn::parse2::<syn::File>(tokens.clone()).map_err(at)?;
    let edits = Edits::new(&text);
    let mut inliner = Inliner { file, folder: folder.to_owned(), token_ends, edits, failure: None };
    inliner.visit_file(&syntax);
    inliner.reject_remaining_cfgs(tokens);
    match inliner.failure {
        Some(failure) => Err(failure),
        None => Ok(inliner.edits.apply()),
    }
}

/// Appends the byte offsets at which tokens end.
fn push_token_ends(tokens: TokenStream, ends: &mut Vec<usize>) {
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            ends.push(group.span_open().byte_range().end);
            push_token_ends(group.stream(), ends);
        }
        ends.push(token.span().byte_range().end);
    }
}

/// The edits of one file.
struct Inliner<'t> {
    file: &'t Path,
    /// The folder of the files of modules that are declared at the current position.
    folder: PathBuf,
    /// The byte offsets at which tokens end, in ascending order.
    token_ends: Vec<usize>,
    edits: Edits<'t>,
    /// The first failure. The visitor's functions return nothing.
    failure: Option<Error>,
}

impl Inliner<'_> {
    fn error(&self, place: Span, message: impl fmt::Display) -> Error {
        anyhow!("{}:{}: {message}", self.file.display(), place.start().line)
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    /// Removes `node` if its attributes exclude it from the bot. Returns whether they do.
    fn remove_excluded(&mut self, node: &impl Spanned) -> bool {
        let range = node.span().byte_range();
        let text = &self.edits.text[range.clone()];
        // Attributes and doc comments; most statements have neither.
        if !text.starts_with(['#', '/']) {
            return false;
        }
        let parser = |input: ParseStream| {
            let attributes = Attribute::parse_outer(input)?;
            input.parse::<TokenStream>()?;
            Ok(attributes)
        };
        let attributes = parser.parse_str(text).unwrap_or_default();
        let excluded = attributes
            .iter()
            .any(|attribute| Predicate::of_attribute(attribute, "cfg") == Some(Predicate::False));
        if excluded {
            let start = self.with_comments_above(range.start);
            self.edits.remove(start..range.end);
        }
        excluded
    }

    /// Fails where a `cfg` of a test or a feature is in the file and has not been removed.
    fn reject_remaining_cfgs(&mut self, tokens: TokenStream) {
        let mut places = Vec::new();
        predicate::find_unresolved(tokens, &mut places);
        places.retain(|place| !self.edits.is_replaced(place.byte_range().start));
        if let Some(&place) = places.first() {
            self.fail(self.error(
                place,
                "cannot leave out the code under this `cfg`; a `cfg` of a test or a feature is \
                 supported on items and statements, and without `not`",
            ));
        }
    }

    /// Returns where the comments begin that stand directly above `start`.
    fn with_comments_above(&self, start: usize) -> usize {
        let before = self.token_ends.partition_point(|&end| end <= start);
        let previous = if before == 0 { 0 } else { self.token_ends[before - 1] };
        // White space and comments only.
        let gap = &self.edits.text[previous..start];
        let own = match (gap.rfind("\n\n"), gap.find('\n')) {
            (Some(blank), _) => blank + 2,
            // The rest of the previous token's line is that token's.
            (None, Some(line_end)) => line_end + 1,
            (None, None) => 0,
        };
        previous + own
    }

    /// Returns the text of the file of `module`, which is declared at the current position.
    fn read_module(&self, module: &ItemMod, name: &str) -> Result<String> {
        let folder = self.folder.join(name);
        let flat = self.folder.join(format!("{name}.rs"));
        let nested = folder.join("mod.rs");
        let found = match (flat.exists(), nested.exists()) {
            (true, false) => return inline(&flat, &folder),
            (false, true) => return inline(&nested, &folder),
            (true, true) => "two files",
            (false, false) => "no file",
        };
        let (flat, nested) = (flat.display(), nested.display());
        let message = format!("module `{name}` has {found}; it is either {flat} or {nested}");
        Err(self.error(module.ident.span(), message))
    }

    /// Returns the text that `call`, an `include_str!`, reads.
    fn read_text(&self, call: &Macro) -> Result<String> {
        let path = self.file.with_file_name(call.parse_body::<LitStr>()?.value());
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

impl<'ast> Visit<'ast> for Inliner<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.remove_excluded(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !self.remove_excluded(item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !self.remove_excluded(item) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if !self.remove_excluded(statement) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let name = module.ident.unraw().to_string();
        if let Some(semicolon) = &module.semi {
            match self.read_module(module, &name) {
                // The formatter reduces several blank lines to one.
                Ok(text) => {
                    let range = semicolon.span().byte_range();
                    self.edits.replace(range, format!(" {{\n{text}\n}}\n\n"));
                }
                Err(error) => self.fail(error),
            }
        }
        self.folder.push(name);
        visit::visit_item_mod(self, module);
        self.folder.pop();
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let place = attribute.span();
        if attribute.path().is_ident("path") {
            self.fail(self.error(place, "`#[path]` is not supported"));
        }
        if Predicate::of_attribute(attribute, "cfg_attr") == Some(Predicate::False) {
            self.edits.remove(place.byte_range());
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let place = call.path.span();
        if call.path.is_ident("include_str") {
            match self.read_text(call) {
                Ok(text) => {
                    self.edits.replace(call.span().byte_range(), format!("r##\"{text}\"##"));
                }
                Err(error) => self.fail(self.error(place, format!("{error:#}"))),
            }
        } else if ["include", "include_bytes"].iter().any(|name| call.path.is_ident(name)) {
            self.fail(self.error(place, "cannot put another file into the one file"));
        }
        visit::visit_macro(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the files of a crate and joins them.
    fn joined(files: &[(&str, &str)]) -> Result<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        inline(&root.path().join("lib.rs"), root.path())
    }

    /// The lines without their indentation and without blank lines, which rustfmt puts right.
    fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn modules_are_read_at_any_depth_from_both_kinds_of_files() {
        let text = joined(&[
            (
                "lib.rs",
                "//! Root.\n#![forbid(unsafe_code)]\n\n/// Search.\n#[allow(dead_code)]\n\
                 pub mod a;\nmod x;\n\npub use a::b::c::f;\n",
            ),
            ("a/mod.rs", "//! A.\n\npub(crate) mod b;\n"),
            ("a/b.rs", "//! B.\n\nmod d {\n    pub(in crate::a) mod e;\n}\npub(super) mod c;\n"),
            (
                "a/b/d/e.rs",
                "const E: &str = \"mod z;\";\nconst F: &str = include_str!(\"f.txt\");\n",
            ),
            ("a/b/d/f.txt", "1 \"2\"\n3\n"),
            ("a/b/c/mod.rs", "//! C.\n\npub fn f() {} // é\n// The last line."),
            ("x.rs", "mod r#loop;\n"),
            ("x/loop.rs", ""),
        ])
        .unwrap();
        let expected = r###"
            //! Root.
            #![forbid(unsafe_code)]
            /// Search.
            #[allow(dead_code)]
            pub mod a {
                //! A.
                pub(crate) mod b {
                    //! B.
                    mod d {
                        pub(in crate::a) mod e {
                            const E: &str = "mod z;";
                            const F: &str = r##"1 "2"
                            3
                            "##;
                        }
                    }
                    pub(super) mod c {
                        //! C.
                        pub fn f() {} // é
                        // The last line.
                    }
                }
            }
            mod x {
                mod r#loop {
                }
            }
            pub use a::b::c::f;
        "###;
        assert_eq!(lines(&text), lines(expected));
    }

    #[test]
    fn a_module_has_exactly_one_file() {
        let root = ("lib.rs", "\nmod a;\n");
        let none = joined(&[root]);
        let both = joined(&[root, ("a.rs", ""), ("a/mod.rs", "")]);
        for (result, found) in [(none, "no file"), (both, "two files")] {
            let message = result.unwrap_err().to_string();
            for part in ["lib.rs:2: ", "`a`", found, "/a.rs", "/a/mod.rs"] {
                assert!(message.replace('\\', "/").contains(part), "{message}");
            }
        }
    }

    #[test]
    fn features_tests_and_injected_panics_are_left_out_at_any_depth() {
        let root = r#"//! Root.
pub mod a;
// Not in the bot.
#[cfg(feature = "judge")]
pub mod game; // Not in the bot.
#[cfg(feature = "judge")]
pub use game::Game;
pub use a::f;
"#;
        let module = r#"//! A.

// Not about the next item.

// Not in the bot.
/// The referee.
#[doc(hidden)]
#[cfg(all(unix, feature = "judge"))]
#[allow(unused)]
pub(crate) mod referee;
#[cfg(test)]
mod tests;
#[cfg(unix)]
#[cfg_attr(test, derive(Debug))]
struct A;
impl A {
    #[cfg(test)]
    fn only_in_tests() {}
    fn a() {}
}
fn f() {
    #[cfg(sapper_injected_panics)]
    assert!(false, "injected");
    assert!(cfg!(unix) && cfg!(panic = "abort"));
}
#[cfg(test)]
mod inline_tests {
    const BRACE: &str = "
}
";
}
fn after_the_tests() {}
"#;
        let expected = r#"
            //! Root.
            pub mod a {
                //! A.
                // Not about the next item.
                #[cfg(unix)]
                struct A;
                impl A {
                    fn a() {}
                }
                fn f() {
                    assert!(cfg!(unix) && cfg!(panic = "abort"));
                }
                fn after_the_tests() {}
            }
            pub use a::f;
        "#;
        let text = joined(&[("lib.rs", root), ("a.rs", module)]).unwrap();
        assert_eq!(lines(&text), lines(expected));
    }

    #[test]
    fn unsupported_code_is_an_error_with_its_line() {
        for (text, line) in [
            ("struct A {\n    #[cfg(test)]\n    field: u8,\n}\n", 2),
            ("#[cfg(not(feature = \"judge\"))]\nfn f() {}\n", 1),
            ("#![cfg(test)]\n", 1),
            ("fn f() -> bool {\n    cfg!(test)\n}\n", 2),
            ("fn f() {\n\n    assert!(!cfg!(test));\n}\n", 3),
            ("macro_rules! m {\n  () => {\n    #[cfg(test)]\n    fn f() {}\n  };\n}\n", 3),
            ("#[path = \"b.rs\"]\nmod c;\n", 1),
            ("\nconst A: &[u8] = include_bytes!(\"a.rs\");\n", 2),
            ("\nconst A: &str = include_str!(\"missing.txt\");\n", 2),
            ("\n\nfn {}\n", 3),
            ("\nfn f() }\n", 2),
        ] {
            let result = joined(&[("lib.rs", "mod a;\n"), ("a.rs", text), ("a/c.rs", "")]);
            let message = result.unwrap_err().to_string();
            assert!(message.contains(&format!("a.rs:{line}: ")), "{text}: {message}");
        }
    }
}
