//! The symbols of positions as people and programs draw them.
//!
//! | symbol | company | means |
//! |---|---|---|
//! | `0`-`8`, keycap digits, full-width digits | | a number |
//! | `?` `#` `H` `h` `U` `u` `■` `□` `⬛` and coloured squares | | hidden |
//! | `F` `f` `P` `M` `🚩` `⚑` | | hidden, and flagged by the player |
//! | `*` `!` `@` `💣` `💥` | | an opened mine |
//! | `x` `X` | with one of the hidden symbols above | hidden, and flagged (as in Codewars) |
//! | `.` `_` `-` `⬜`, a blank that is a cell | with one of those, without `0` | 0 |
//! | | with one of those and `0` | refused: it may be either |
//! | one of these or `x` | alone | hidden |
//! | two of them | alone | refused: each may be hidden |
//!
//! An assumption about a symbol is said in a sentence, which every answer repeats.

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// Open, with this many mines around.
    Number(u8),
    /// Hidden.
    Hidden,
    /// Hidden, and flagged by the player.
    Flag,
    /// An opened mine.
    Hit,
}

impl Symbol {
    /// The symbol of this project's own text.
    pub(super) fn own(self) -> char {
        match self {
            Symbol::Number(number) => char::from(b'0' + number),
            Symbol::Hidden | Symbol::Flag => '.',
            Symbol::Hit => '*',
        }
    }
}

/// What a symbol means before its company is known.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Sure(Symbol),
    /// Hidden, or a flag where something else is hidden.
    Cross,
    /// Hidden, or 0 where something else is hidden.
    Either,
}

/// The second half of a keycap digit, the mark that asks for a picture, and the joiner of emoji.
const WITHOUT_MEANING: [char; 3] = ['\u{20e3}', '\u{fe0f}', '\u{200d}'];

/// What stands between the symbols of a row.
fn is_between(symbol: char) -> bool {
    symbol.is_ascii_whitespace() || "[](),;|'\"".contains(symbol)
}

/// Whether the symbols of a line stand apart from each other.
pub(super) fn is_apart(line: &str) -> bool {
    let words = line.split(is_between).filter(|word| !word.is_empty());
    let mut lengths = words.map(|word| of_line(word, false).len());
    lengths.all(|length| length == 1)
}

/// The symbols of a line, in which they stand apart or not.
pub(super) fn of_line(line: &str, is_apart: bool) -> Vec<char> {
    // Where blanks are cells, only those at a line's end have no meaning.
    let line = if is_apart { line } else { line.trim_end_matches(['\r', '\n']) };
    let is_symbol =
        |symbol: &char| !(WITHOUT_MEANING.contains(symbol) || is_apart && is_between(*symbol));
    line.chars().filter(is_symbol).collect()
}

fn meaning(symbol: char) -> Option<Meaning> {
    let sure = |symbol| Some(Meaning::Sure(symbol));
    match symbol {
        '0'..='8' => sure(Symbol::Number(symbol as u8 - b'0')),
        '\u{ff10}'..='\u{ff18}' => sure(Symbol::Number((symbol as u32 - 0xff10) as u8)),
        '?' | '#' | 'H' | 'h' | 'U' | 'u' | '\u{25a0}' | '\u{25a1}' | '\u{2b1b}' => {
            sure(Symbol::Hidden)
        }
        // Coloured squares, and the large blue and orange ones of older sets.
        '\u{1f7e5}'..='\u{1f7eb}' | '\u{1f535}' | '\u{1f537}' => sure(Symbol::Hidden),
        'F' | 'f' | 'P' | 'M' | '\u{1f6a9}' | '\u{2691}' => sure(Symbol::Flag),
        '*' | '!' | '@' | '\u{1f4a3}' | '\u{1f4a5}' => sure(Symbol::Hit),
        'x' | 'X' => Some(Meaning::Cross),
        '.' | '_' | '-' | '\u{2b1c}' | ' ' | '\u{3000}' => Some(Meaning::Either),
        _ => None,
    }
}

fn name(symbol: char) -> String {
    if symbol.is_whitespace() { "a blank".to_owned() } else { format!("`{symbol}`") }
}

/// What the symbols mean in their company, and what was assumed. Each comes with its line. That `.`
/// is a hidden cell is no assumption where `is_dot_hidden`.
///
/// # Errors
/// A symbol without a meaning, or one that may mean two things.
pub(super) fn meanings(
    written: &[(usize, char)],
    is_dot_hidden: bool,
) -> Result<(Vec<Symbol>, Vec<String>), String> {
    let mut meant = Vec::with_capacity(written.len());
    for &(line, symbol) in written {
        let found = meaning(symbol).ok_or_else(|| {
            format!(
                "line {line}: `{symbol}` is no symbol of a field: write 0-8 for a number, `.` for \
                 a hidden cell, `F` for a flag and `*` for an opened mine"
            )
        })?;
        meant.push((symbol, found));
    }
    let has = |wanted: Meaning| meant.iter().any(|(_, meaning)| *meaning == wanted);
    let is_other_hidden = has(Meaning::Sure(Symbol::Hidden));
    let mut unsure: Vec<char> = meant
        .iter()
        .filter(|(_, meaning)| *meaning == Meaning::Either)
        .map(|(symbol, _)| *symbol)
        .collect();
    unsure.sort_unstable();
    unsure.dedup();
    if has(Meaning::Cross) && !is_other_hidden {
        unsure.push('x');
    }
    if let [first, second, ..] = unsure[..] {
        return Err(format!(
            "{} and {} may each be a hidden cell; write `#` for a hidden cell, `0` for a 0 and \
             `F` for a flag",
            name(first),
            name(second)
        ));
    }
    if is_other_hidden && !unsure.is_empty() && has(Meaning::Sure(Symbol::Number(0))) {
        return Err(format!(
            "{} may be a hidden cell or a 0, because there are other hidden cells and zeros; write \
             `#` for a hidden cell and `0` for a 0",
            name(unsure[0])
        ));
    }
    let mut assumed = Vec::new();
    let is_known = |symbol: char| is_dot_hidden && symbol == '.' && !is_other_hidden;
    if let Some(&symbol) = unsure.first().filter(|symbol| !is_known(**symbol)) {
        let shown = name(symbol);
        assumed.push(match is_other_hidden {
            true => format!("{shown} was read as a 0, because other symbols are hidden cells"),
            false => format!("{shown} was read as a hidden cell"),
        });
    }
    if has(Meaning::Cross) && is_other_hidden {
        assumed.push("`x` was read as a flag of the player".to_owned());
    }
    let cells = meant.iter().map(|(_, meaning)| match meaning {
        Meaning::Sure(symbol) => *symbol,
        Meaning::Cross if is_other_hidden => Symbol::Flag,
        Meaning::Either if is_other_hidden => Symbol::Number(0),
        Meaning::Cross | Meaning::Either => Symbol::Hidden,
    });
    Ok((cells.collect(), assumed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &str) -> Result<(String, Vec<String>), String> {
        let written: Vec<(usize, char)> = rows.chars().map(|symbol| (1, symbol)).collect();
        let (cells, assumed) = meanings(&written, false)?;
        let shown = |symbol: &Symbol| match symbol {
            Symbol::Flag => 'F',
            symbol => symbol.own(),
        };
        Ok((cells.iter().map(shown).collect(), assumed))
    }

    #[test]
    fn the_company_of_a_symbol_decides() {
        for (rows, expected, assumptions) in [
            ("012?#HhUu", "012......", 0),
            ("8*!@💣💥", "8*****", 0),
            ("1FfPM🚩", "1FFFFF", 0),
            ("12.", "12.", 1),
            ("10.", "10.", 1),
            ("1_#", "10.", 1),
            ("1 ?", "10.", 1),
            ("1⬜🟦", "10.", 1),
            ("1x?", "1F.", 1),
            ("1x.?", "1F0.", 2),
            ("1xX", "1..", 1),
            ("１０", "10", 0),
        ] {
            let (cells, assumed) = of(rows).unwrap();
            assert_eq!((cells.as_str(), assumed.len()), (expected, assumptions), "{rows}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_refused() {
        for (rows, fault) in [
            ("10.#", "`.` may be a hidden cell or a 0"),
            ("1._", "`.` and `_` may each be a hidden cell"),
            ("1.x", "`.` and `x` may each be a hidden cell"),
            ("1 .", "a blank and `.` may"),
            ("19", "line 1: `9` is no symbol"),
        ] {
            let error = of(rows).unwrap_err();
            assert!(error.starts_with(fault), "{rows}: {error}");
        }
    }

    #[test]
    fn blanks_are_cells_where_symbols_do_not_stand_apart() {
        assert!(is_apart("1 . #") && is_apart("[1, 2, 3]") && is_apart("1️⃣ ⬜"));
        assert!(!is_apart("1 .#"));
        assert_eq!(of_line("1 .#", false), ['1', ' ', '.', '#']);
        assert_eq!(of_line("1, .", true), ['1', '.']);
    }
}
