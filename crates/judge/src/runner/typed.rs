//! What the user types to start this program, for command lines that the user is to type.

use crate::runner::shell_words::quote;

/// The variable in which the launcher passes on what was typed: by then the program has another
/// name. `crates/launch` and `scripts/judge` set it.
const TYPED_VAR: &str = "SAPPER_TYPED";

/// What the launcher passes on unless a script has set the variable.
const LAUNCHER: &str = "cargo sapper judge";

/// What a command line of this program begins with: `cargo sapper judge`, or else the path by which
/// `scripts/judge` or the program was started, quoted. A `judge` need not be on the PATH.
pub fn typed_name() -> String {
    if is_launched() {
        return LAUNCHER.to_owned();
    }
    let path = std::env::var_os(TYPED_VAR).or_else(|| std::env::args_os().next());
    path.map_or("judge".to_owned(), |path| quote(&path.to_string_lossy()))
}

/// Whether the program was started by `cargo sapper judge`.
pub fn is_launched() -> bool {
    std::env::var_os(TYPED_VAR).is_some_and(|typed| typed == LAUNCHER)
}
