//! Compiler output as a graph of sections: what the entry needs, under short names.
//!
//! rustc writes one assembly text for the whole program: our crates, serde, std and core, a section
//! for each function and each constant. Here it is cut at the section directives; a section depends
//! on those that define the symbols it names. What the entry does not reach is left out, with
//! everything that is not code or data (debug sections, unwind tables, symbol sizes and types).
//! What is left is ordered by a walk from the entry, so that the output depends on the program
//! alone and not on the hashes in its names.
//!
//! Invariant: every kept symbol but the entry gets a `.L` name, which no linker sees; every other
//! name is one of the C library's, and stays.

use std::collections::HashMap;

use super::statement::{
    is_symbol, join_data, renamed, short_escapes, squeezed, without_comment, words,
};

/// Where a section's contents go. The names that linkers know, whatever the compiler called it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Text,
    Constants,
    RelocatedConstants,
    Data,
    Zeros,
    ThreadData,
    ThreadZeros,
    Initialisers,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Text,
        Kind::Constants,
        Kind::RelocatedConstants,
        Kind::Data,
        Kind::Zeros,
        Kind::ThreadData,
        Kind::ThreadZeros,
        Kind::Initialisers,
    ];

    /// The directive's operands, in the form that assemblers from 2014 on take.
    pub fn section(self) -> &'static str {
        match self {
            Kind::Text => ".text,\"ax\",@progbits",
            Kind::Constants => ".rodata,\"a\",@progbits",
            Kind::RelocatedConstants => ".data.rel.ro,\"aw\",@progbits",
            Kind::Data => ".data,\"aw\",@progbits",
            Kind::Zeros => ".bss,\"aw\",@nobits",
            Kind::ThreadData => ".tdata,\"awT\",@progbits",
            Kind::ThreadZeros => ".tbss,\"awT\",@nobits",
            Kind::Initialisers => ".init_array,\"aw\",@init_array",
        }
    }

    /// From the operands of a section directive; `None` for what is left out.
    fn of(operands: &str) -> Option<Kind> {
        let name = operands.split(',').next().unwrap_or("").trim_matches('"');
        let flags = operands.split('"').nth(if operands.starts_with('"') { 3 } else { 1 });
        let flags = flags.unwrap_or("");
        let dropped = [".debug", ".eh_frame", ".gcc_except_table", ".note", ".comment"];
        if dropped.iter().any(|prefix| name.starts_with(prefix)) || flags.contains('G') {
            return None;
        }
        let zeros = operands.contains("@nobits");
        match flags {
            _ if name.starts_with(".init_array") => Some(Kind::Initialisers),
            "ax" => Some(Kind::Text),
            "a" | "aM" | "aMS" => Some(Kind::Constants),
            "awT" if zeros => Some(Kind::ThreadZeros),
            "awT" => Some(Kind::ThreadData),
            "aw" if zeros => Some(Kind::Zeros),
            "aw" if name.starts_with(".data.rel.ro") => Some(Kind::RelocatedConstants),
            "aw" => Some(Kind::Data),
            _ => None,
        }
    }
}

/// One line of a section that says something.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    Label(String),
    Statement(String),
}

struct Section {
    kind: Kind,
    lines: Vec<Line>,
}

/// A program's assembly, parsed.
pub struct Assembly {
    sections: Vec<Section>,
    /// Symbols that are only used if the C library has them.
    weak: Vec<String>,
}

/// The kept part, ready to be written.
pub struct Reduced {
    /// Statements by kind of section, in order.
    pub parts: Vec<(Kind, Vec<String>)>,
    /// Undefined names that the C library must bring; the weak ones are marked so in the text.
    pub undefined: Vec<String>,
    /// Undefined names that may be absent.
    pub weak: Vec<String>,
}

impl Assembly {
    /// Cuts the compiler's text into sections.
    pub fn parse(text: &str) -> Assembly {
        let mut assembly = Assembly { sections: Vec::new(), weak: Vec::new() };
        let mut open = false;
        for raw in text.lines() {
            let line = without_comment(raw).trim();
            let (word, operands) = line.split_once([' ', '\t']).unwrap_or((line, ""));
            let operands = operands.trim();
            match word {
                "" => {}
                ".section" | ".text" | ".data" | ".bss" => {
                    let whole = if word == ".section" { operands } else { "" };
                    let kind = match word {
                        ".text" => Some(Kind::Text),
                        ".data" => Some(Kind::Data),
                        ".bss" => Some(Kind::Zeros),
                        _ => Kind::of(whole),
                    };
                    open = kind.is_some();
                    if let Some(kind) = kind {
                        assembly.sections.push(Section { kind, lines: Vec::new() });
                    }
                }
                ".weak" => assembly.weak.push(operands.to_owned()),
                // What only debuggers, unwinders and dynamic linkers read.
                _ if word.starts_with(".cfi_") => {}
                ".file" | ".loc" | ".ident" | ".size" | ".type" | ".globl" | ".hidden"
                | ".addrsig" | ".addrsig_sym" => {}
                _ if !open => {}
                _ => {
                    let Some(section) = assembly.sections.last_mut() else { continue };
                    section.lines.push(match line.strip_suffix(':') {
                        Some(label) => Line::Label(label.to_owned()),
                        None => Line::Statement(short_escapes(&squeezed(line))),
                    });
                }
            }
        }
        assembly
    }

    /// Replaces the body of every function whose name `matches` by one that returns 0.
    ///
    /// Returns how many there were.
    pub fn stub(&mut self, matches: impl Fn(&str) -> bool) -> usize {
        let mut stubbed = 0;
        for section in &mut self.sections {
            let Some(Line::Label(name)) =
                section.lines.iter().find(|line| matches!(line, Line::Label(_)))
            else {
                continue;
            };
            if section.kind == Kind::Text && matches(name) {
                let label = Line::Label(name.clone());
                let body = ["xorl %eax,%eax", "retq"].map(|text| Line::Statement(text.to_owned()));
                section.lines = [label].into_iter().chain(body).collect();
                stubbed += 1;
            }
        }
        stubbed
    }

    /// Keeps what `entry` and the initialisers reach, and renames it.
    ///
    /// # Errors
    /// A message when `entry` is not defined.
    pub fn reduce(&self, entry: &str) -> Result<Reduced, String> {
        let defined = self.definitions();
        let start =
            *defined.get(entry).ok_or_else(|| format!("the assembly does not define `{entry}`"))?;
        let order = self.reachable(start, &defined);
        let names = self.short_names(&order, &defined, entry);
        let mut undefined = Vec::new();
        let mut parts: Vec<(Kind, Vec<String>)> =
            Kind::ALL.into_iter().map(|kind| (kind, Vec::new())).collect();
        for &index in &order {
            let section = &self.sections[index];
            let part = &mut parts[section.kind as usize].1;
            for line in &section.lines {
                match line {
                    Line::Label(label) if label == entry => part.push(format!("{entry}:")),
                    // A label that nobody names needs no name.
                    Line::Label(label) => {
                        part.extend(names.get(label.as_str()).map(|name| format!("{name}:")));
                    }
                    Line::Statement(text) => part.push(renamed(text, |word| {
                        let new = names.get(word);
                        if new.is_none() && word != entry && is_symbol(text, word) {
                            undefined.push(word.to_owned());
                        }
                        new.map(String::as_str)
                    })),
                }
            }
        }
        undefined.sort();
        undefined.dedup();
        let (weak, undefined) =
            undefined.into_iter().partition(|name| self.weak.iter().any(|weak| weak == name));
        parts.retain(|(_, lines)| !lines.is_empty());
        parts.iter_mut().for_each(|(_, lines)| join_data(lines));
        Ok(Reduced { parts, undefined, weak })
    }

    fn definitions(&self) -> HashMap<&str, usize> {
        let mut defined = HashMap::new();
        for (index, section) in self.sections.iter().enumerate() {
            for line in &section.lines {
                match line {
                    Line::Label(label) => drop(defined.insert(label.as_str(), index)),
                    Line::Statement(text) => {
                        if let Some(rest) = text.strip_prefix(".set ") {
                            let name = rest.split(',').next().unwrap_or(rest);
                            defined.insert(name, index);
                        }
                    }
                }
            }
        }
        defined
    }

    /// The sections that `start` and the initialisers need, in the order in which a walk meets
    /// them.
    fn reachable(&self, start: usize, defined: &HashMap<&str, usize>) -> Vec<usize> {
        let mut met = vec![false; self.sections.len()];
        let mut order = Vec::new();
        let initialisers = (0..self.sections.len())
            .filter(|&index| self.sections[index].kind == Kind::Initialisers);
        let mut stack: Vec<usize> = initialisers.chain([start]).collect();
        while let Some(index) = stack.pop() {
            if std::mem::replace(&mut met[index], true) {
                continue;
            }
            order.push(index);
            let mut needed: Vec<usize> = Vec::new();
            for line in &self.sections[index].lines {
                if let Line::Statement(text) = line {
                    words(text).for_each(|(_, word)| needed.extend(defined.get(word)));
                }
            }
            stack.extend(needed.into_iter().rev());
        }
        order
    }

    /// A short name for every symbol that a kept section names: the shortest for the most used.
    fn short_names(
        &self,
        order: &[usize],
        defined: &HashMap<&str, usize>,
        entry: &str,
    ) -> HashMap<String, String> {
        let mut uses: HashMap<&str, (usize, usize)> = HashMap::new();
        for &index in order {
            for line in &self.sections[index].lines {
                let Line::Statement(text) = line else { continue };
                for (_, word) in words(text) {
                    if defined.contains_key(word) && word != entry {
                        let first = uses.len();
                        uses.entry(word).or_insert((0, first)).0 += 1;
                    }
                }
            }
        }
        let mut symbols: Vec<(&str, (usize, usize))> = uses.into_iter().collect();
        symbols.sort_by_key(|&(_, (count, first))| (usize::MAX - count, first));
        let named = symbols.into_iter().enumerate();
        named.map(|(number, (symbol, _))| (symbol.to_owned(), short_name(number))).collect()
    }
}

/// `.L` and the number in base 62.
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

    const PROGRAM: &str = r#"
	.file	"x"
	.section	.text.entry,"ax",@progbits
	.globl	entry
	.type	entry,@function
entry:
	.cfi_startproc
	callq	*malloc@GOTPCREL(%rip)     # a comment
	leaq	.Ltext(%rip), %rdi
	movl	$.Ltext, %eax
	jmp	_RNvhelper
.Lunused:
	.size	entry, .-entry
	.section	.text.unused,"ax",@progbits
unused:
	callq	abort@PLT
	.section	".text.quoted$name","ax",@progbits
_RNvhelper:
	lock		incl	_RNvcount(%rip)
	retq
	.section	.rodata.str,"aMS",@progbits,1
.Ltext:
	.asciz	"entry # \"not\" a comment, entry"
	.section	.bss.count,"aw",@nobits
_RNvcount:
	.zero	4
	.section	.debug_info,"",@progbits
	.quad	entry
	.section	.init_array,"awR",@init_array,unique,1
	.quad	init
	.section	.text.init,"ax",@progbits
init:
	.byte	1
	.byte	2
	callq	gettid@PLT
	.weak	gettid
"#;

    #[test]
    fn only_what_the_entry_reaches_is_kept_under_short_names() {
        let reduced = Assembly::parse(PROGRAM).reduce("entry").unwrap();
        let part = |kind| {
            let found = reduced.parts.iter().find(|(other, _)| *other == kind);
            found.map(|(_, lines)| lines.join(";")).unwrap()
        };
        let text = part(Kind::Text);
        assert!(text.starts_with(
            "entry:;callq *malloc@GOTPCREL(%rip);leaq .La(%rip),%rdi;movl $.La,%eax;jmp .Lb;"
        ));
        assert!(text.contains(".byte 1,2;callq gettid@PLT"));
        assert!(!text.contains("abort") && !text.contains("unused"));
        assert_eq!(part(Kind::Constants), r#".La:;.asciz "entry # \"not\" a comment, entry""#);
        assert!(part(Kind::Zeros).ends_with(":;.zero 4"));
        assert!(part(Kind::Initialisers).starts_with(".quad .L"));
        assert_eq!(reduced.undefined, ["malloc"]);
        assert_eq!(reduced.weak, ["gettid"]);
    }

    #[test]
    fn a_stub_returns_zero_and_drops_what_it_needed() {
        let mut assembly = Assembly::parse(PROGRAM);
        assert_eq!(assembly.stub(|name| name.ends_with("helper")), 1);
        let reduced = assembly.reduce("entry").unwrap();
        assert!(reduced.parts.iter().all(|(kind, _)| *kind != Kind::Zeros));
        assert!(reduced.parts[0].1.join(";").contains("xorl %eax,%eax;retq"));
    }

    #[test]
    fn short_names_differ() {
        let mut names: Vec<String> = (0..10_000).map(short_name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 10_000);
    }
}
