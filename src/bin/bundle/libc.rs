//! The symbols of the C library that `sapper.cpp` may use.
//!
//! The file is meant to link with glibc 2.17 (2012), the oldest version that Rust supports;
//! Botzone has 2.23 as far as is known. The C library of the build machine is newer, so it cannot
//! show what an older one lacks. The symbols are therefore listed here, each with the version that
//! introduced it; a symbol that is not listed has to be looked up and added.

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
    // libm of every glibc. g++ always links it.
    &[
        "ceil", "exp", "exp2", "floor", "fma", "fmod", "log", "log2", "pow", "rint", "round",
        "trunc",
    ],
    // libgcc since GCC 4.0. g++ always links it.
    &["_Unwind_Resume", "__powidf2"],
];

/// Returns the symbols that `reduced` needs and that are not listed here.
pub fn unverified(reduced: &Reduced) -> Vec<&str> {
    let listed = |name: &str| AVAILABLE.iter().any(|names| names.contains(&name));
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
}
