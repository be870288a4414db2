//! The names that the upload may take from the platform's C library.
//!
//! Botzone's library is glibc 2.23 as far as is known; 2.17, of 2012, is what Rust itself builds
//! for, and what the file promises. The library of this machine is newer and cannot tell what an
//! older one lacks, so the names are written down. A name without its line here is one that nobody
//! has looked up.

use super::asm::Reduced;

/// Names by where they are, and since when.
const KNOWN: [(&str, &[&str]); 5] = [
    (
        "in every glibc for 64-bit x86, which begins at 2.2.5",
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
    ),
    ("glibc 2.3.4", &["__xpg_strerror_r"]),
    ("glibc 2.17, before that in librt", &["clock_gettime"]),
    (
        "libm of every glibc, which g++ always links",
        &[
            "ceil", "exp", "exp2", "floor", "fma", "fmod", "log", "log2", "pow", "rint", "round",
            "trunc",
        ],
    ),
    ("libgcc since GCC 4.0, which g++ always links", &["_Unwind_Resume", "__powidf2"]),
];

/// The names that `reduced` needs and that are not known to be there.
pub fn unknown(reduced: &Reduced) -> Vec<&str> {
    let known = |name: &str| KNOWN.iter().any(|(_, names)| names.contains(&name));
    reduced.undefined.iter().map(String::as_str).filter(|name| !known(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nobody_looked_up_is_told() {
        let undefined = ["getrandom", "malloc"].map(str::to_owned).to_vec();
        let weak = vec!["gettid".to_owned()];
        let reduced = Reduced { parts: Vec::new(), undefined, weak };
        assert_eq!(unknown(&reduced), ["getrandom"]);
    }
}
