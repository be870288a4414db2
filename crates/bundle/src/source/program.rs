//! `main.rs` as the last part of `sapper.rs`, in which the library is the crate itself.
//!
//! - `use sapper::a::b` becomes `use crate::a::b`.
//! - A name imported from the library's root is removed: it is in scope already, and a second
//!   import of it is an error.
//! - Inner doc comments become plain comments: they are only allowed at the start of a crate.

use anyhow::{Context, Result, bail};
use syn::spanned::Spanned;
use syn::{Item, UseTree};

use super::edits::Edits;

/// Returns the text of `main.rs` for the crate's root.
pub fn rewrite(text: &str) -> Result<String> {
    let syntax: syn::File = syn::parse_str(text).context("cannot parse main.rs")?;
    let mut edits = Edits::new(text);
    for attribute in &syntax.attrs {
        let span = attribute.span();
        match text[span.byte_range()].strip_prefix("//!") {
            Some(doc) => edits.replace(span.byte_range(), format!("//{doc}")),
            None => bail!("main.rs:{}: move this attribute to lib.rs", span.start().line),
        }
    }
    for item in &syntax.items {
        let Item::Use(import) = item else { continue };
        let UseTree::Path(path) = &import.tree else { continue };
        if path.ident != "sapper" {
            continue;
        }
        let is_name = |tree: &UseTree| matches!(tree, UseTree::Name(_));
        let is_in_scope = match &*path.tree {
            UseTree::Group(group) => group.items.iter().all(is_name),
            tree => is_name(tree),
        };
        if is_in_scope {
            edits.remove(import.span().byte_range());
            continue;
        }
        edits.replace(path.ident.span().byte_range(), "crate");
        if let UseTree::Group(group) = &*path.tree {
            for pair in group.items.pairs().filter(|pair| is_name(pair.value())) {
                edits.replace(pair.span().byte_range(), "");
            }
        }
    }
    let rewritten = edits.apply();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    if let Some(line) = rewritten.lines().filter(is_code).find(|line| line.contains("sapper::")) {
        bail!("main.rs names `sapper` outside its `use` items: {}", line.trim());
    }
    Ok(rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_crate_and_its_root_is_in_scope() {
        let text = "//! Calls [`sapper::serve`].\n\nuse sapper::Options;\nuse std::io;\n\
                    use sapper::{Cell, Board};\n\
                    use sapper::{Engine as Bot, respond, serve::serve, version};\n\
                    use sapper::serve::Failure;\n\nfn main() {}\n";
        let expected = "// Calls [`sapper::serve`].\n\nuse std::io;\n\
                        use crate::{Engine as Bot,  serve::serve, };\n\
                        use crate::serve::Failure;\n\nfn main() {}\n";
        assert_eq!(rewrite(text).unwrap(), expected);
    }

    #[test]
    fn what_has_no_place_at_the_end_of_a_crate_is_refused() {
        assert!(rewrite("#![forbid(unsafe_code)]\nfn main() {}\n").is_err());
        assert!(rewrite("fn main() {\n    sapper::run();\n}\n").is_err());
    }
}
