//! The symbols of the C library that `sapper.cpp` may use.
//!
//! The file is meant to link with glibc 2.17 (2012), the oldest version that Rust supports;
//! Botzone has 2.23 as far as is known. The C library of the build machine is newer, so it cannot
//! show what an older one lacks. The symbols are therefore listed here, each with the version that
//! introduced it; a symbol that is not listed has to be looked up and added.
//!
//! Functions of libm that need not round correctly are listed too, to be refused: their last bit
//! differs between versions of the library and, as it selects code by the processor, between
//! machines. A different bit can change an answer.

use super::asm::Reduced;

const AVAILABLE: [&[&str]; 5] = [
    // Every glibc for 64-bit x86, the first of which is 2.2.5.
    &[
        "__errno_location",
        "abort",
        "bcmp",
        "calloc",
        "exit",
        "free",
        "getenv",
        "malloc",
        "memchr",
        "memcmp",
        "memcpy",
        "memmove",
        "memrchr",
        "memset",
        "pause",
        "posix_memalign",
        "read",
        "realloc",
        "signal",
        "strlen",
        "syscall",
        "write",
        "writev",
    ],
    // glibc 2.3.4.
    &["__xpg_strerror_r"],
    // glibc 2.17; in librt before that.
    &["clock_gettime"],
    // libm of every glibc. g++ always links it. The results of these functions are exact.
    &["ceil", "floor", "fma", "fmod", "rint", "round", "sqrt", "trunc"],
    // libgcc since GCC 4.0. g++ always links it.
    &["_Unwind_Resume"],
];

/// Functions of libm, and `powi` of libgcc, whose results may differ between machines.
const INEXACT: [&str; 33] = [
    "__powidf2",
    "__powisf2",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "hypot",
    "lgamma",
    "lgamma_r",
    "lgammaf_r",
    "log",
    "log10",
    "log1p",
    "log2",
    "pow",
    "sin",
    "sincos",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
];

fn is_inexact(name: &str) -> bool {
    // `expf` is `exp` for `f32`, and `expl` is `exp` for `long double`.
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    INEXACT.contains(&name) || INEXACT.contains(&base)
}

/// Returns the symbols of `reduced`, required or optional, whose results may differ between
/// machines.
pub fn inexact(reduced: &Reduced) -> Vec<&str> {
    let all = reduced.undefined.iter().chain(&reduced.weak).map(String::as_str);
    all.filter(|name| is_inexact(name)).collect()
}

/// Returns the symbols that `reduced` requires and that are not listed here.
pub fn unverified(reduced: &Reduced) -> Vec<&str> {
    let listed =
        |name: &str| AVAILABLE.iter().any(|names| names.contains(&name)) || is_inexact(name);
    reduced.undefined.iter().map(String::as_str).filter(|name| !listed(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_needed_and_unlisted_symbols_are_unverified() {
        let undefined = ["getrandom", "malloc"].map(str::to_owned).to_vec();
        let weak = vec!["gettid".to_owned()];
        let reduced = Reduced { parts: Vec::new(), undefined, weak };
        assert_eq!(unverified(&reduced), ["getrandom"]);
    }

    #[test]
    fn functions_of_libm_are_refused_where_their_results_are_not_exact() {
        let undefined =
            ["__powidf2", "ceil", "erf", "expf", "log10", "malloc", "powl", "round", "sqrt"];
        let weak = ["cosf", "gettid"];
        let [undefined, weak] = [&undefined[..], &weak]
            .map(|names| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>());
        let reduced = Reduced { parts: Vec::new(), undefined, weak };
        assert_eq!(inexact(&reduced), ["__powidf2", "erf", "expf", "log10", "powl", "cosf"]);
        assert_eq!(unverified(&reduced), [""; 0]);
    }

    #[test]
    fn no_symbol_is_in_both_lists() {
        let available = AVAILABLE.iter().copied().flatten();
        assert_eq!(available.filter(|name| is_inexact(name)).collect::<Vec<_>>(), [&""; 0]);
    }
}
