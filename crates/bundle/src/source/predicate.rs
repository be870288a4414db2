//! Evaluation of `cfg` predicates for `sapper.rs`.
//!
//! The file is compiled without cargo features, without tests and without the options that inject
//! panics, so these options are false. All others, such as `unix`, are left to the compiler.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, MetaList, Token};

/// The value of a predicate in `sapper.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// False; the code under it is left out.
    False,
    /// Left to the compiler: it names no option that is false here.
    Open,
    /// Any other predicate. Its text cannot stay, because it names an option that the file does not
    /// have, and the code under it cannot be left out.
    Unsupported,
}

impl Predicate {
    fn of(predicate: &Meta) -> Predicate {
        let is_false = match predicate {
            Meta::Path(path) => path
                .get_ident()
                .is_some_and(|name| name == "test" || name == "sapper_injected_panics"),
            Meta::NameValue(pair) => pair.path.is_ident("feature"),
            Meta::List(list) => return Predicate::of_list(list),
        };
        if is_false { Predicate::False } else { Predicate::Open }
    }

    /// The value of `all(..)`, `any(..)` or `not(..)`.
    fn of_list(list: &MetaList) -> Predicate {
        let operands = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let Ok(operands) = operands else { return Predicate::Unsupported };
        let operands: Vec<Predicate> = operands.iter().map(Predicate::of).collect();
        let all_are = |value| operands.iter().all(|operand| *operand == value);
        if all_are(Predicate::Open) {
            Predicate::Open
        } else if list.path.is_ident("all") && operands.contains(&Predicate::False)
            || list.path.is_ident("any") && all_are(Predicate::False)
        {
            Predicate::False
        } else {
            Predicate::Unsupported
        }
    }

    /// The value of the first operand of a `cfg` or `cfg_attr`.
    pub fn parse(operands: TokenStream) -> Predicate {
        let operands = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(operands);
        let first = operands.ok().and_then(|operands| operands.first().map(Predicate::of));
        first.unwrap_or(Predicate::Unsupported)
    }

    /// The value for an attribute `name`, which is `cfg` or `cfg_attr`. `None` for all others.
    pub fn of_attribute(attribute: &Attribute, name: &str) -> Option<Predicate> {
        let list = attribute.meta.require_list().ok()?;
        list.path.is_ident(name).then(|| Predicate::parse(list.tokens.clone()))
    }
}

/// Appends the place of every `cfg` and `cfg_attr` whose predicate is not [`Predicate::Open`].
///
/// All tokens are searched, as the arguments of macros have no other structure.
pub fn find_unresolved(tokens: TokenStream, places: &mut Vec<Span>) {
    let mut name = None;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => name = Some(ident),
            // The mark of a macro call, between the name and the arguments.
            TokenTree::Punct(mark) if mark.as_char() == '!' => {}
            TokenTree::Punct(_) | TokenTree::Literal(_) => name = None,
            TokenTree::Group(group) => {
                let cfg = name.take().filter(|name| name == "cfg" || name == "cfg_attr");
                if let Some(cfg) = cfg
                    && Predicate::parse(group.stream()) != Predicate::Open
                {
                    places.push(cfg.span());
                }
                find_unresolved(group.stream(), places);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_false_where_features_and_tests_alone_make_it_so() {
        for (text, expected) in [
            ("test", Predicate::False),
            ("feature = \"judge\"", Predicate::False),
            ("sapper_injected_panics", Predicate::False),
            ("unix", Predicate::Open),
            ("target_os = \"linux\"", Predicate::Open),
            ("not(unix)", Predicate::Open),
            ("all(unix, not(debug_assertions))", Predicate::Open),
            ("all(unix, feature = \"judge\")", Predicate::False),
            ("all(not(test), feature = \"judge\")", Predicate::False),
            ("any(test, feature = \"judge\")", Predicate::False),
            ("any(unix, feature = \"judge\")", Predicate::Unsupported),
            ("not(feature = \"judge\")", Predicate::Unsupported),
            ("not(test)", Predicate::Unsupported),
        ] {
            let predicate: Meta = syn::parse_str(text).unwrap();
            assert_eq!(Predicate::of(&predicate), expected, "{text}");
        }
    }
}
