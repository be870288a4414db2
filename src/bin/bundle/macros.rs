//! Shorter names for what a program says often: assembler macros, a third of the file less.
//!
//! A macro stands for a statement, or for its beginning and end around a gap: `movq \o(%rsp)` is
//! then `a 8`. Which ones are worth it is decided greedily by what each saves in characters; a
//! statement uses the one that leaves least of it. What a macro saves only falls while others are
//! chosen, so that a queue by stale savings is enough.
//!
//! Invariant: the assembler expands every statement to the very text it was.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A statement as it is, or one with a gap between `head` and `tail`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pattern<'t> {
    head: &'t str,
    tail: Option<&'t str>,
}

impl Pattern<'_> {
    fn length(&self) -> usize {
        self.head.len() + self.tail.map_or(0, str::len)
    }

    /// The characters of `statement` when a macro of `name` characters stands for this.
    fn left(&self, statement: &str, name: usize) -> usize {
        // The name, a space, and what fills the gap.
        if self.tail.is_none() { name } else { name + 1 + statement.len() - self.length() }
    }

    /// The characters of the definition, with those of its end.
    fn cost(&self, name: usize) -> usize {
        let words =
            if self.tail.is_none() { ".macro ;;.endm" } else { ".macro  o:vararg;\\\\o;.endm" };
        // `\n`, two quotes and a line feed around the definition and around `.purgem `.
        self.length() + words.len() + ".purgem ".len() + 10 + 2 * name
    }
}

/// The macros of a program and what became of its statements.
pub struct Shortened {
    /// Statements that define the macros.
    pub definitions: Vec<[String; 3]>,
    /// The names, to be given up at the end.
    pub names: Vec<String>,
    short: HashMap<String, String>,
}

impl Shortened {
    /// Finds the macros for these statements.
    pub fn new<'t>(statements: impl Iterator<Item = &'t str>) -> Shortened {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for statement in statements.filter(|text| can_be_short(text)) {
            *uses.entry(statement).or_default() += 1;
        }
        let mut uses: Vec<(&str, usize)> = uses.into_iter().collect();
        uses.sort_unstable();
        let mut users: HashMap<Pattern, Vec<usize>> = HashMap::new();
        for (user, (statement, _)) in uses.iter().enumerate() {
            patterns(statement, |pattern| users.entry(pattern).or_default().push(user));
        }

        // What each statement has become: how long, and by which macro.
        let mut now: Vec<(usize, Option<usize>)> =
            uses.iter().map(|(statement, _)| (statement.len(), None)).collect();
        let saved = |pattern: &Pattern, name: usize, now: &[(usize, Option<usize>)]| {
            let each = users[pattern].iter().map(|&user| {
                let (statement, count) = uses[user];
                now[user].0.saturating_sub(pattern.left(statement, name)) * count
            });
            each.sum::<usize>().saturating_sub(pattern.cost(name))
        };
        // Equal savings are ordered by the text, so that the same program gives the same macros.
        let mut queue: BinaryHeap<(usize, Reverse<Pattern>)> =
            users.keys().map(|pattern| (saved(pattern, 1, &now), Reverse(*pattern))).collect();
        let mut chosen: Vec<(Pattern, String)> = Vec::new();
        for name in names() {
            let best = loop {
                let Some((_, Reverse(pattern))) = queue.pop() else { break None };
                let saving = saved(&pattern, name.len(), &now);
                if saving == 0 {
                    continue;
                }
                if queue.peek().is_none_or(|(next, _)| saving >= *next) {
                    break Some(pattern);
                }
                queue.push((saving, Reverse(pattern)));
            };
            let Some(pattern) = best else { break };
            for &user in &users[&pattern] {
                let left = pattern.left(uses[user].0, name.len());
                if left < now[user].0 {
                    now[user] = (left, Some(chosen.len()));
                }
            }
            chosen.push((pattern, name));
        }

        let short = uses.iter().zip(&now).filter_map(|((statement, _), (_, by))| {
            let (pattern, name) = &chosen[(*by)?];
            let text = pattern.tail.map_or_else(
                || name.clone(),
                |tail| {
                    let gap = &statement[pattern.head.len()..statement.len() - tail.len()];
                    format!("{name} {gap}")
                },
            );
            Some(((*statement).to_owned(), text))
        });
        let short = short.collect();
        let definitions = chosen.iter().map(|(pattern, name)| match pattern.tail {
            None => [format!(".macro {name}"), pattern.head.to_owned(), ".endm".to_owned()],
            Some(tail) => [
                format!(".macro {name} o:vararg"),
                format!("{}\\o{tail}", pattern.head),
                ".endm".to_owned(),
            ],
        });
        let definitions = definitions.collect();
        Shortened { definitions, names: chosen.into_iter().map(|(_, name)| name).collect(), short }
    }

    /// What to write for a statement.
    pub fn short<'a>(&'a self, statement: &'a str) -> &'a str {
        self.short.get(statement).map_or(statement, String::as_str)
    }
}

/// A letter, then a letter with a digit or a line. No instruction has such a name.
fn names() -> impl Iterator<Item = String> {
    let letters = || (b'a'..=b'z').map(char::from);
    let seconds = || (b'0'..=b'9').map(char::from).chain(['_']);
    let pairs =
        letters().flat_map(move |first| seconds().map(move |second| format!("{first}{second}")));
    letters().map(String::from).chain(pairs)
}

/// Labels are no statements, and strings would be read twice.
fn can_be_short(text: &str) -> bool {
    !text.ends_with(':') && !text.contains(['"', '\\'])
}

/// Calls `met` for everything that a macro might stand for in `statement`.
fn patterns<'t>(statement: &'t str, mut met: impl FnMut(Pattern<'t>)) {
    /// Places where the gap may begin or end; long lists of numbers have many more.
    const MOST_CUTS: usize = 14;
    met(Pattern { head: statement, tail: None });
    let Some(space) = statement.find(' ') else { return };
    let bytes = statement.as_bytes();
    let in_word =
        |place: usize| bytes[place].is_ascii_alphanumeric() || b"_.".contains(&bytes[place]);
    let cuts = (space + 1..bytes.len()).filter(|&cut| !(in_word(cut - 1) && in_word(cut)));
    let mut cuts: Vec<usize> = cuts.take(MOST_CUTS).collect();
    cuts.push(bytes.len());
    for (number, &start) in cuts.iter().enumerate() {
        // The assembler may skip what cannot begin an operand, and `\o` must end where the gap
        // does.
        let begins = start < bytes.len() && !b",)@+ \t".contains(&bytes[start]);
        for &end in cuts[number + 1..].iter().filter(|_| begins) {
            let last = bytes[end - 1];
            let ends = bytes.get(end).is_none_or(|next| b",()@".contains(next));
            if ends && !b",+- \t".contains(&last) {
                met(Pattern { head: &statement[..start], tail: Some(&statement[end..]) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the assembler makes of it.
    fn expanded(shortened: &Shortened, text: &str) -> String {
        let (name, gap) = text.split_once(' ').unwrap_or((text, ""));
        match shortened.names.iter().position(|known| known == name) {
            Some(number) => shortened.definitions[number][1].replace("\\o", gap),
            None => text.to_owned(),
        }
    }

    #[test]
    fn macros_expand_to_what_was_there() {
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
        let shortened = Shortened::new(program.iter().map(String::as_str));
        let short: Vec<&str> = program.iter().map(|text| shortened.short(text)).collect();
        for (text, short) in program.iter().zip(&short) {
            assert_eq!(&expanded(&shortened, short), text);
        }
        let before: usize = program.iter().map(String::len).sum();
        let after: usize = short.iter().map(|text| text.len()).sum();
        assert!(after * 3 < before * 2, "{before} became {after}");
        assert!(!shortened.names.iter().any(|name| name.len() > 2));
        assert!(short.iter().any(|text| text.starts_with(".ascii")));
    }

    #[test]
    fn what_costs_more_than_it_saves_gets_no_macro() {
        let shortened = Shortened::new(["movq %rax,%rbx", "movq %rax,%rcx"].into_iter());
        assert!(shortened.names.is_empty());
        assert_eq!(shortened.short("movq %rax,%rbx"), "movq %rax,%rbx");
    }
}
