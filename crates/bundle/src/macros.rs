//! Assembler macros for frequent statements, which make the file about a third shorter.
//!
//! A macro stands for a statement, or for the text before and after a gap in it: with a macro `a`
//! for `movq \o(%rsp)`, the statement `movq 8(%rsp)` becomes `a 8`. Macros are chosen greedily by
//! the characters that each saves, and every statement uses the macro that leaves it shortest.
//! A saving can only fall while other macros are chosen, so a priority queue of old savings, each
//! computed again when it is popped, finds the best one (lazy greedy evaluation).
//!
//! Invariant: the assembler expands every shortened statement to its original text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// The text of a macro: a whole statement, or the text around a gap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pattern<'t> {
    head: &'t str,
    /// `None` if the pattern has no gap.
    tail: Option<&'t str>,
}

impl Pattern<'_> {
    fn len(&self) -> usize {
        self.head.len() + self.tail.map_or(0, str::len)
    }

    /// Returns the length of a call for `statement`: the name, and for a gap a space and its text.
    fn call_len(&self, statement: &str, name_len: usize) -> usize {
        if self.tail.is_none() { name_len } else { name_len + 1 + statement.len() - self.len() }
    }

    /// Returns the length of the definition, and of its name in the list of those to remove.
    fn definition_len(&self, name_len: usize) -> usize {
        let keywords =
            if self.tail.is_none() { ".macro ;;.endm" } else { ".macro  o:vararg;\\\\o;.endm" };
        // A definition is in a string literal of its own: quotes, `\n` and a line feed.
        self.len() + keywords.len() + 5 + ",".len() + 2 * name_len
    }
}

/// A statement that may be shortened.
struct Statement<'t> {
    text: &'t str,
    /// The number of its occurrences.
    count: usize,
    /// The length of its shortest form so far.
    len: usize,
    /// The macro of that form, as an index into the chosen ones.
    shortened_by: Option<usize>,
}

/// The macros of a program.
pub struct Macros {
    /// The three statements that define each macro.
    pub definitions: Vec<[String; 3]>,
    /// The name of each macro.
    pub names: Vec<String>,
    /// The call for each statement that has one.
    calls: HashMap<String, String>,
}

impl Macros {
    /// Chooses the macros for these statements.
    pub fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Macros {
        let mut statements = distinct(texts);
        let mut users: HashMap<Pattern, Vec<usize>> = HashMap::new();
        for (user, statement) in statements.iter().enumerate() {
            for_each_pattern(statement.text, |pattern| {
                users.entry(pattern).or_default().push(user);
            });
        }
        let saving = |pattern: &Pattern, name_len: usize, statements: &[Statement]| {
            let savings = users[pattern].iter().map(|&user| {
                let statement = &statements[user];
                let call_len = pattern.call_len(statement.text, name_len);
                statement.len.saturating_sub(call_len) * statement.count
            });
            savings.sum::<usize>().saturating_sub(pattern.definition_len(name_len))
        };
        // Equal savings are ordered by the text, which makes the choice deterministic.
        let mut queue: BinaryHeap<(usize, Reverse<Pattern>)> = users
            .keys()
            .map(|pattern| (saving(pattern, 1, &statements), Reverse(*pattern)))
            .collect();
        let mut chosen: Vec<(Pattern, String)> = Vec::new();
        for name in names() {
            let best = loop {
                let Some((_, Reverse(pattern))) = queue.pop() else { break None };
                let current = saving(&pattern, name.len(), &statements);
                if current == 0 {
                    continue;
                }
                if queue.peek().is_none_or(|(next, _)| current >= *next) {
                    break Some(pattern);
                }
                queue.push((current, Reverse(pattern)));
            };
            let Some(pattern) = best else { break };
            for &user in &users[&pattern] {
                let statement = &mut statements[user];
                let call_len = pattern.call_len(statement.text, name.len());
                if call_len < statement.len {
                    statement.len = call_len;
                    statement.shortened_by = Some(chosen.len());
                }
            }
            chosen.push((pattern, name));
        }

        let calls = statements.iter().filter_map(|statement| {
            let (pattern, name) = &chosen[statement.shortened_by?];
            Some((statement.text.to_owned(), call(statement.text, *pattern, name)))
        });
        Macros {
            calls: calls.collect(),
            definitions: chosen.iter().map(|(pattern, name)| definition(*pattern, name)).collect(),
            names: chosen.into_iter().map(|(_, name)| name).collect(),
        }
    }

    /// Returns the macro call for a statement, or the statement itself if it has none.
    pub fn call_for<'a>(&'a self, statement: &'a str) -> &'a str {
        self.calls.get(statement).map_or(statement, String::as_str)
    }
}

/// Returns the distinct eligible statements, sorted.
fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Statement<'t>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts.filter(|text| is_eligible(text)) {
        *counts.entry(text).or_default() += 1;
    }
    let statement = |(text, count): (&'t str, usize)| Statement {
        text,
        count,
        len: text.len(),
        shortened_by: None,
    };
    counts.into_iter().map(statement).collect()
}

/// Returns the call that expands to `statement`.
fn call(statement: &str, pattern: Pattern, name: &str) -> String {
    match pattern.tail {
        None => name.to_owned(),
        Some(tail) => {
            let gap = &statement[pattern.head.len()..statement.len() - tail.len()];
            format!("{name} {gap}")
        }
    }
}

/// Returns the statements that define a macro.
fn definition(pattern: Pattern, name: &str) -> [String; 3] {
    let (first, body) = match pattern.tail {
        None => (format!(".macro {name}"), pattern.head.to_owned()),
        Some(tail) => (format!(".macro {name} o:vararg"), format!("{}\\o{tail}", pattern.head)),
    };
    [first, body, ".endm".to_owned()]
}

/// Returns macro names: a letter, or two characters. No instruction and no prefix has such a name.
fn names() -> impl Iterator<Item = String> {
    /// The instructions and prefixes of two letters, but for the jumps, whose first is a `j`.
    const INSTRUCTIONS: [&str; 9] = ["bt", "cs", "ds", "es", "fs", "gs", "in", "or", "ss"];
    let letters = || (b'a'..=b'z').map(char::from);
    let seconds = move || (b'0'..=b'9').map(char::from).chain(['_']).chain(letters());
    let pairs =
        letters().flat_map(move |first| seconds().map(move |second| format!("{first}{second}")));
    let is_free = |name: &String| {
        let is_jump =
            name.starts_with('j') && name.ends_with(|last: char| last.is_ascii_lowercase());
        !is_jump && !INSTRUCTIONS.contains(&name.as_str())
    };
    letters().map(String::from).chain(pairs.filter(is_free))
}

/// Whether a macro may stand for the line: not for a label, and not for a string, whose escapes the
/// assembler would process twice.
fn is_eligible(text: &str) -> bool {
    !text.ends_with(':') && !text.contains(['"', '\\'])
}

/// Calls `visit` for every pattern that matches `statement`.
fn for_each_pattern<'t>(statement: &'t str, mut visit: impl FnMut(Pattern<'t>)) {
    /// The number of offsets at which a gap may start or end. Long lists of numbers have many more.
    const MAX_CUTS: usize = 14;
    visit(Pattern { head: statement, tail: None });
    let Some(space) = statement.find(' ') else { return };
    let bytes = statement.as_bytes();
    let in_word =
        |index: usize| bytes[index].is_ascii_alphanumeric() || b"_.".contains(&bytes[index]);
    let cuts = (space + 1..bytes.len()).filter(|&cut| !(in_word(cut - 1) && in_word(cut)));
    let mut cuts: Vec<usize> = cuts.take(MAX_CUTS).collect();
    cuts.push(bytes.len());
    for (number, &start) in cuts.iter().enumerate() {
        // The assembler may drop such a character from the start of an argument.
        let can_start = start < bytes.len() && !b",)@+ \t".contains(&bytes[start]);
        for &end in cuts[number + 1..].iter().filter(|_| can_start) {
            let last = bytes[end - 1];
            // In the definition, the name `\o` must not run into the text after it.
            let can_end = bytes.get(end).is_none_or(|next| b",()@".contains(next));
            if can_end && !b",+- \t".contains(&last) {
                visit(Pattern { head: &statement[..start], tail: Some(&statement[end..]) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expands a statement as the assembler does.
    fn expand(macros: &Macros, text: &str) -> String {
        let (name, gap) = text.split_once(' ').unwrap_or((text, ""));
        match macros.names.iter().position(|known| known == name) {
            Some(number) => macros.definitions[number][1].replace("\\o", gap),
            None => text.to_owned(),
        }
    }

    #[test]
    fn calls_expand_to_the_statements() {
        let mut program = Vec::new();
        for number in 0..200 {
            program.extend([
                format!("movq {},%rax", number * 8),
                format!("movq {}(%rsp),%rax", number * 8),
                format!("leaq .L{number}(%rip),%rdi"),
                "callq *malloc@GOTPCREL(%rip)".to_owned(),
                "retq".to_owned(),
                format!(".L{number}:"),
                format!(".ascii \"{number},%rax\""),
                format!(".quad {number},.L{number}-4,{number}"),
            ]);
        }
        let macros = Macros::new(program.iter().map(String::as_str));
        let short: Vec<&str> = program.iter().map(|text| macros.call_for(text)).collect();
        for (text, short) in program.iter().zip(&short) {
            assert_eq!(&expand(&macros, short), text);
        }
        let before: usize = program.iter().map(String::len).sum();
        let after: usize = short.iter().map(|text| text.len()).sum();
        assert!(after * 3 < before * 2, "{before} characters became {after}");
        assert!(!macros.names.iter().any(|name| name.len() > 2));
        assert!(short.iter().any(|text| text.starts_with(".ascii")));
    }

    #[test]
    fn a_macro_that_costs_more_than_it_saves_is_not_defined() {
        let macros = Macros::new(["movq %rax,%rbx", "movq %rax,%rcx"].into_iter());
        assert!(macros.names.is_empty());
        assert_eq!(macros.call_for("movq %rax,%rbx"), "movq %rax,%rbx");
    }
}
