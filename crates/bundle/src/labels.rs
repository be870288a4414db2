//! The names of labels in the upload: a number for a label that is only used in its own section of
//! code, a short symbol for every other one.
//!
//! The assembler allows a label that is a number to be defined again and again: `3b` is the last
//! definition of `3` before the statement, `3f` the next one after it. Such a label takes two
//! characters where a symbol takes five, and about nine of ten labels are targets of jumps within
//! a function. The span of a label reaches from the first statement that defines or uses it to the
//! last one. Labels of one number have disjoint spans, so every use finds its own definition.
//! Short spans get the small numbers, because they are the most frequent ones.
//!
//! Invariant: every defined symbol gets a name, and two symbols never the same one, except for
//! numbers of disjoint spans. No symbol of the C library begins with `.L`.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Where a symbol is defined and used. Positions count the lines of the code section from 0.
#[derive(Clone, Copy)]
pub struct Uses {
    /// The position of the definition, if that is a label in the code section.
    pub definition: Option<usize>,
    /// The positions of the first and the last use in the code section.
    pub span: Option<(usize, usize)>,
    /// The number of uses in all sections.
    pub count: usize,
    /// Whether a line of another section uses the symbol.
    pub is_used_elsewhere: bool,
    /// The order of the first use, which decides between symbols that are used equally often.
    pub rank: usize,
}

/// The new name of a symbol.
enum Name {
    Symbol(String),
    Number {
        number: usize,
        /// The position of the definition.
        definition: usize,
    },
}

/// The new names of all symbols of a program.
pub struct Labels<'t>(HashMap<&'t str, Name>);

impl<'t> Labels<'t> {
    /// Names all symbols, in O(n log n) of their number.
    pub fn new(symbols: impl IntoIterator<Item = (&'t str, Uses)>) -> Labels<'t> {
        let mut local: Vec<(&str, usize, Span)> = Vec::new();
        let mut other: Vec<(&str, Uses)> = Vec::new();
        for (symbol, uses) in symbols {
            match (uses.definition, uses.span) {
                (Some(definition), Some((first, last))) if !uses.is_used_elsewhere => {
                    let span = Span { first: first.min(definition), last: last.max(definition) };
                    local.push((symbol, definition, span));
                }
                _ => other.push((symbol, uses)),
            }
        }
        // The definition decides between spans of a statement that names two labels.
        local
            .sort_by_key(|(_, definition, span)| (span.last - span.first, span.first, *definition));
        let mut numbers = Numbers::default();
        let mut names: HashMap<&str, Name> = local
            .into_iter()
            .map(|(symbol, definition, span)| {
                (symbol, Name::Number { number: numbers.take(span), definition })
            })
            .collect();
        other.sort_by_key(|(_, uses)| (Reverse(uses.count), uses.rank));
        let numbered = other.into_iter().enumerate();
        names.extend(
            numbered.map(|(number, (symbol, _))| (symbol, Name::Symbol(short_name(number)))),
        );
        Labels(names)
    }

    /// Returns the line that defines the symbol, or `None` if nothing uses it.
    pub fn definition(&self, symbol: &str) -> Option<String> {
        self.0.get(symbol).map(|name| match name {
            Name::Symbol(name) => format!("{name}:"),
            Name::Number { number, .. } => format!("{number}:"),
        })
    }

    /// Returns the operand that stands for the symbol in the line at `position`.
    pub fn operand(&self, symbol: &str, position: usize) -> Option<Cow<'_, str>> {
        self.0.get(symbol).map(|name| match name {
            Name::Symbol(name) => Cow::from(name),
            Name::Number { number, definition } => {
                let direction = if *definition < position { 'b' } else { 'f' };
                Cow::from(format!("{number}{direction}"))
            }
        })
    }
}

/// The positions from the first to the last statement that names a label.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

/// The spans of each number: the last positions by the first ones.
#[derive(Default)]
struct Numbers(Vec<BTreeMap<usize, usize>>);

impl Numbers {
    /// Returns the smallest number whose spans are all disjoint from `span`, and adds `span` to it.
    ///
    /// The first number is 1, because an operand that begins with `0b` is a binary number.
    fn take(&mut self, span: Span) -> usize {
        let is_free = |spans: &BTreeMap<usize, usize>| {
            spans.range(..=span.last).next_back().is_none_or(|(_, last)| *last < span.first)
        };
        let free = self.0.iter().position(is_free).unwrap_or_else(|| {
            self.0.push(BTreeMap::new());
            self.0.len() - 1
        });
        self.0[free].insert(span.first, span.last);
        free + 1
    }
}

/// Returns `.L` and the number in base 62.
fn short_name(mut number: usize) -> String {
    const DIGITS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut name = String::from(".L");
    loop {
        name.push(char::from(DIGITS[number % 62]));
        number /= 62;
        if number == 0 {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_differ() {
        let mut names: Vec<String> = (0..10_000).map(short_name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 10_000);
    }

    /// The position that the operand `3b` or `3f` means in the line at `position`.
    fn resolve(lines: &[String], position: usize, operand: &str) -> Option<usize> {
        let (number, direction) = operand.split_at(operand.len() - 1);
        let defines = |at: &usize| lines[*at].strip_suffix(':') == Some(number);
        match direction {
            "b" => (0..position).rev().find(defines),
            _ => (position..lines.len()).find(defines),
        }
    }

    #[test]
    fn every_use_of_a_number_finds_its_own_definition() {
        // Xorshift32, so that the programs are always the same.
        let mut state = 1_u32;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize % below
        };
        let mut most = 0;
        for program in 0..200 {
            // Even positions define a label, odd ones use one that is at most `reach` away.
            let labels = 1 + random(120);
            let reach = 1 + random(40);
            let text: Vec<String> = (0..labels).map(|label| format!("s{label}")).collect();
            let targets: Vec<usize> =
                (0..labels).map(|at| (at + random(reach)).min(labels - 1)).collect();
            let targets: Vec<usize> =
                targets.iter().map(|to| to - random(reach.min(to + 1))).collect();
            let uses = |label: usize| {
                let at: Vec<usize> = (0..labels)
                    .filter(|&user| targets[user] == label)
                    .map(|at| 2 * at + 1)
                    .collect();
                Uses {
                    definition: Some(2 * label),
                    span: at.first().map(|first| (*first, at[at.len() - 1])),
                    count: at.len(),
                    is_used_elsewhere: label % 7 == program % 7,
                    rank: label,
                }
            };
            let labels = Labels::new((0..labels).map(|label| (text[label].as_str(), uses(label))));
            let lines: Vec<String> = text
                .iter()
                .zip(&targets)
                .enumerate()
                .flat_map(|(at, (label, &target))| {
                    let operand = labels.operand(&text[target], 2 * at + 1).unwrap();
                    [labels.definition(label).unwrap(), operand.into_owned()]
                })
                .collect();
            for (at, &target) in targets.iter().enumerate() {
                let operand = &lines[2 * at + 1];
                let found = if operand.starts_with(".L") {
                    lines.iter().position(|line| line.strip_suffix(':') == Some(operand))
                } else {
                    resolve(&lines, 2 * at + 1, operand)
                };
                assert_eq!(found, Some(2 * target), "line {}: {lines:?}", 2 * at + 1);
            }
            let numbers = lines.iter().filter_map(|line| line.strip_suffix(':')?.parse().ok());
            most = most.max(numbers.max().unwrap_or(0));
        }
        assert!((5..60).contains(&most), "the largest number is {most}");
    }

    #[test]
    fn a_label_that_another_section_uses_is_a_symbol() {
        let uses = |is_used_elsewhere| Uses {
            definition: Some(4),
            span: Some((7, 7)),
            count: 1,
            is_used_elsewhere,
            rank: 0,
        };
        let labels = Labels::new([("far", uses(true)), ("near", uses(false))]);
        assert_eq!(labels.operand("far", 7).unwrap(), ".La");
        assert_eq!(labels.operand("near", 7).unwrap(), "1b");
        assert_eq!(labels.definition("near").unwrap(), "1:");
        assert_eq!(labels.definition("unknown"), None);
    }

    #[test]
    fn short_spans_and_frequent_symbols_get_the_short_names() {
        let uses = |definition, first, last, count, rank| Uses {
            definition,
            span: Some((first, last)),
            count,
            is_used_elsewhere: definition.is_none(),
            rank,
        };
        let symbols = [
            ("long", uses(Some(0), 1, 9, 2, 0)),
            ("short", uses(Some(3), 4, 4, 1, 1)),
            ("first of two", uses(Some(11), 10, 13, 2, 2)),
            ("second of two", uses(Some(12), 10, 13, 2, 3)),
            ("rare", uses(None, 5, 5, 1, 4)),
            ("frequent", uses(None, 6, 8, 3, 6)),
            ("rare and later", uses(None, 7, 7, 1, 5)),
        ];
        let expected = ["2f", "1f", "1f", "2f", ".Lb", ".La", ".Lc"];
        let names = |labels: Labels| {
            symbols.map(|(symbol, _)| labels.operand(symbol, 0).unwrap().into_owned())
        };
        assert_eq!(names(Labels::new(symbols)), expected);
        assert_eq!(names(Labels::new(symbols.into_iter().rev())), expected);
    }
}
