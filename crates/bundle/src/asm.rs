//! The compiler's assembly, reduced to what the entry point reaches.
//!
//! rustc writes one assembly text for the whole program: the bot, the other crates, std and core,
//! with one section for each function and each constant. The text is split at the section
//! directives, and a section depends on the sections that define the symbols it names. Sections
//! that the entry point does not reach are dropped, as is everything that is neither code nor data
//! (debug sections, unwind tables, symbol sizes and types). A depth-first walk from the entry point
//! orders the rest, so that the order does not depend on the hashes in the compiler's symbols.
//!
//! Invariant: every defined symbol except the entry point gets a name that is local to the file
//! ([`crate::labels`]); every other symbol is one of the C library's and keeps its name.

use std::collections::HashMap;

use super::labels::{Labels, Uses};
use super::statement::{
    compact, is_operand, merge_data, rename_symbols, shorten_escapes, strip_comment, symbols,
};

/// The section of the upload that a section of the compiler is merged into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SectionKind {
    Text,
    Rodata,
    RelocatedRodata,
    Data,
    Bss,
    ThreadData,
    ThreadBss,
    InitArray,
}

impl SectionKind {
    pub const ALL: [SectionKind; 8] = [
        SectionKind::Text,
        SectionKind::Rodata,
        SectionKind::RelocatedRodata,
        SectionKind::Data,
        SectionKind::Bss,
        SectionKind::ThreadData,
        SectionKind::ThreadBss,
        SectionKind::InitArray,
    ];

    /// The operands of the section directive, in a form that binutils of 2014 accepts.
    pub fn section(self) -> &'static str {
        match self {
            SectionKind::Text => ".text,\"ax\",@progbits",
            SectionKind::Rodata => ".rodata,\"a\",@progbits",
            SectionKind::RelocatedRodata => ".data.rel.ro,\"aw\",@progbits",
            SectionKind::Data => ".data,\"aw\",@progbits",
            SectionKind::Bss => ".bss,\"aw\",@nobits",
            SectionKind::ThreadData => ".tdata,\"awT\",@progbits",
            SectionKind::ThreadBss => ".tbss,\"awT\",@nobits",
            SectionKind::InitArray => ".init_array,\"aw\",@init_array",
        }
    }

    /// Returns the kind for the operands of a section directive, or `None` if the section is
    /// dropped.
    fn from_operands(operands: &str) -> Option<SectionKind> {
        let name = operands.split(',').next().unwrap_or("").trim_matches('"');
        // The flags are the second text in quotes if the name is quoted, too.
        let flags = operands.split('"').nth(if operands.starts_with('"') { 3 } else { 1 });
        let flags = flags.unwrap_or("");
        let dropped = [".debug", ".eh_frame", ".gcc_except_table", ".note", ".comment"];
        // `G` is a group, which holds what the unwind tables need.
        if dropped.iter().any(|prefix| name.starts_with(prefix)) || flags.contains('G') {
            return None;
        }
        let is_bss = operands.contains("@nobits");
        match flags {
            _ if name.starts_with(".init_array") => Some(SectionKind::InitArray),
            "ax" => Some(SectionKind::Text),
            "a" | "aM" | "aMS" => Some(SectionKind::Rodata),
            "awT" if is_bss => Some(SectionKind::ThreadBss),
            "awT" => Some(SectionKind::ThreadData),
            "aw" if is_bss => Some(SectionKind::Bss),
            "aw" if name.starts_with(".data.rel.ro") => Some(SectionKind::RelocatedRodata),
            "aw" => Some(SectionKind::Data),
            _ => None,
        }
    }
}

/// One line of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    /// A symbol that is defined here, without the colon.
    Label(String),
    /// An instruction or a directive.
    Statement(String),
}

struct Section {
    kind: SectionKind,
    lines: Vec<Line>,
}

/// The compiler's assembly of a program.
pub struct Assembly {
    /// The sections that are code or data, in the compiler's order.
    sections: Vec<Section>,
    /// Symbols that may be undefined.
    weak: Vec<String>,
}

/// The assembly of what the entry point reaches.
pub struct Reduced {
    /// The statements of each kind of section, in order.
    pub parts: Vec<(SectionKind, Vec<String>)>,
    /// The symbols that the C library must define, sorted.
    pub undefined: Vec<String>,
    /// The symbols of the C library that are used where it defines them, sorted.
    pub weak: Vec<String>,
}

impl Assembly {
    /// Splits the compiler's text into sections.
    pub fn parse(text: &str) -> Assembly {
        let mut assembly = Assembly { sections: Vec::new(), weak: Vec::new() };
        let mut kept = false;
        for raw in text.lines() {
            let line = strip_comment(raw).trim();
            let (word, operands) = line.split_once([' ', '\t']).unwrap_or((line, ""));
            let operands = operands.trim();
            match word {
                "" => {}
                ".section" | ".text" | ".data" | ".bss" => {
                    let kind = match word {
                        ".text" => Some(SectionKind::Text),
                        ".data" => Some(SectionKind::Data),
                        ".bss" => Some(SectionKind::Bss),
                        _ => SectionKind::from_operands(operands),
                    };
                    kept = kind.is_some();
                    if let Some(kind) = kind {
                        assembly.sections.push(Section { kind, lines: Vec::new() });
                    }
                }
                ".weak" => assembly.weak.push(operands.to_owned()),
                // Read by debuggers, unwinders and dynamic linkers only.
                _ if word.starts_with(".cfi_") => {}
                ".file" | ".loc" | ".ident" | ".size" | ".type" | ".globl" | ".hidden"
                | ".addrsig" | ".addrsig_sym" => {}
                _ if !kept => {}
                _ => {
                    let Some(section) = assembly.sections.last_mut() else { continue };
                    section.lines.push(match line.strip_suffix(':') {
                        Some(label) => Line::Label(label.to_owned()),
                        None => Line::Statement(statement(word, operands, line)),
                    });
                }
            }
        }
        assembly
    }

    /// Replaces the body of every function whose name `matches` with one that returns 0.
    ///
    /// Returns the number of these functions.
    pub fn stub(&mut self, matches: impl Fn(&str) -> bool) -> usize {
        let mut stubbed = 0;
        for section in &mut self.sections {
            let Some(Line::Label(name)) =
                section.lines.iter().find(|line| matches!(line, Line::Label(_)))
            else {
                continue;
            };
            if section.kind == SectionKind::Text && matches(name) {
                let label = Line::Label(name.clone());
                let body = ["xorl %eax,%eax", "retq"].map(|text| Line::Statement(text.to_owned()));
                section.lines = [label].into_iter().chain(body).collect();
                stubbed += 1;
            }
        }
        stubbed
    }

    /// Keeps the sections that `entry` and the initialisers reach, and renames their symbols.
    ///
    /// # Errors
    /// Fails with a message if `entry` is not defined.
    pub fn reduce(&self, entry: &str) -> Result<Reduced, String> {
        let defined = self.definitions();
        let start =
            *defined.get(entry).ok_or_else(|| format!("the assembly does not define `{entry}`"))?;
        let order = self.reachable(start, &defined);
        let labels = self.labels(&order, &defined, entry);
        let mut undefined = Vec::new();
        let mut parts: Vec<(SectionKind, Vec<String>)> =
            SectionKind::ALL.into_iter().map(|kind| (kind, Vec::new())).collect();
        for (kind, position, line) in self.lines(&order) {
            let part = &mut parts[kind as usize].1;
            match line {
                Line::Label(label) if label == entry => part.push(format!("{entry}:")),
                // A label without a name is not referred to.
                Line::Label(label) => part.extend(labels.definition(label)),
                Line::Statement(text) => part.push(rename_symbols(text, |symbol| {
                    let new = labels.operand(symbol, position);
                    if new.is_none() && symbol != entry && is_operand(text, symbol) {
                        undefined.push(symbol.to_owned());
                    }
                    new
                })),
            }
        }
        undefined.sort();
        undefined.dedup();
        let (weak, undefined) =
            undefined.into_iter().partition(|name| self.weak.iter().any(|weak| weak == name));
        parts.retain(|(_, lines)| !lines.is_empty());
        parts.iter_mut().for_each(|(_, lines)| merge_data(lines));
        Ok(Reduced { parts, undefined, weak })
    }

    /// The lines of the sections in this order, each with its position among the lines of its kind.
    fn lines(&self, order: &[usize]) -> impl Iterator<Item = (SectionKind, usize, &Line)> {
        let mut positions = [0; SectionKind::ALL.len()];
        order.iter().map(|&index| &self.sections[index]).flat_map(move |section| {
            let start = positions[section.kind as usize];
            positions[section.kind as usize] += section.lines.len();
            (start..).zip(&section.lines).map(|(position, line)| (section.kind, position, line))
        })
    }

    /// The index of the section that defines each symbol.
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

    /// Returns the sections that `start` and the initialisers reach, in depth-first order.
    fn reachable(&self, start: usize, defined: &HashMap<&str, usize>) -> Vec<usize> {
        let mut visited = vec![false; self.sections.len()];
        let mut order = Vec::new();
        let initialisers = (0..self.sections.len())
            .filter(|&index| self.sections[index].kind == SectionKind::InitArray);
        let mut stack: Vec<usize> = initialisers.chain([start]).collect();
        while let Some(index) = stack.pop() {
            if std::mem::replace(&mut visited[index], true) {
                continue;
            }
            order.push(index);
            let mut needed: Vec<usize> = Vec::new();
            for line in &self.sections[index].lines {
                if let Line::Statement(text) = line {
                    symbols(text).for_each(|(_, symbol)| needed.extend(defined.get(symbol)));
                }
            }
            stack.extend(needed.into_iter().rev());
        }
        order
    }

    /// Names every symbol that a kept section uses, except `entry`.
    fn labels<'a>(
        &'a self,
        order: &[usize],
        defined: &HashMap<&'a str, usize>,
        entry: &str,
    ) -> Labels<'a> {
        let mut definitions: HashMap<&str, usize> = HashMap::new();
        let mut all: HashMap<&str, Uses> = HashMap::new();
        for (kind, position, line) in self.lines(order) {
            let text = match line {
                Line::Label(label) => {
                    if kind == SectionKind::Text {
                        definitions.insert(label, position);
                    }
                    continue;
                }
                Line::Statement(text) => text,
            };
            for (_, symbol) in symbols(text) {
                let Some((&symbol, _)) = defined.get_key_value(symbol) else { continue };
                if symbol == entry {
                    continue;
                }
                let rank = all.len();
                let uses = all.entry(symbol).or_insert(Uses {
                    definition: None,
                    span: None,
                    count: 0,
                    is_used_elsewhere: false,
                    rank,
                });
                uses.count += 1;
                // A symbol that a directive sets to a value is not the label of a line.
                uses.is_used_elsewhere |= kind != SectionKind::Text || text.starts_with(".set ");
                let (first, _) = uses.span.unwrap_or((position, position));
                uses.span = Some((first, position));
            }
        }
        let with_definition = |(symbol, uses): (&'a str, Uses)| {
            (symbol, Uses { definition: definitions.get(symbol).copied(), ..uses })
        };
        Labels::new(all.into_iter().map(with_definition))
    }
}

/// The text of an instruction or a directive, as every GNU assembler accepts it.
fn statement(word: &str, operands: &str, line: &str) -> String {
    match (word, operands.split_once(',')) {
        // The alignment of a function that is as long as that, its end and its filling: rustc 1.99
        // writes it, and the GNU assembler of Debian 12 does not read it.
        (".prefalign", Some((alignment, _))) => format!(".p2align {alignment}"),
        _ => shorten_escapes(&compact(line)),
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
    fn sections_that_the_entry_reaches_are_kept_under_short_names() {
        let reduced = Assembly::parse(PROGRAM).reduce("entry").unwrap();
        let part = |kind| {
            let found = reduced.parts.iter().find(|(other, _)| *other == kind);
            found.map(|(_, lines)| lines.join(";")).unwrap()
        };
        let text = part(SectionKind::Text);
        assert!(text.starts_with(
            "entry:;callq *malloc@GOTPCREL(%rip);leaq .La(%rip),%rdi;movl $.La,%eax;jmp 1f;"
        ));
        assert!(text.contains(".byte 1,2;callq gettid@PLT"));
        assert!(!text.contains("abort") && !text.contains("unused"));
        assert_eq!(part(SectionKind::Rodata), r#".La:;.asciz "entry # \"not\" a comment, entry""#);
        assert!(part(SectionKind::Bss).ends_with(":;.zero 4"));
        assert!(part(SectionKind::InitArray).starts_with(".quad .L"));
        assert_eq!(reduced.undefined, ["malloc"]);
        assert_eq!(reduced.weak, ["gettid"]);
    }

    #[test]
    fn a_preferred_alignment_is_an_alignment() {
        let program = "\t.section\t.text.entry,\"ax\",@progbits\n\t.prefalign\t4, .Lend, nop\n\
                       entry:\n\tretq\n.Lend:\n";
        let reduced = Assembly::parse(program).reduce("entry").unwrap();
        assert_eq!(reduced.parts[0].1, [".p2align 4", "entry:", "retq"]);
        assert!(reduced.undefined.is_empty());
    }

    #[test]
    fn a_stub_returns_zero_and_its_former_dependencies_are_dropped() {
        let mut assembly = Assembly::parse(PROGRAM);
        assert_eq!(assembly.stub(|name| name.ends_with("helper")), 1);
        let reduced = assembly.reduce("entry").unwrap();
        assert!(reduced.parts.iter().all(|(kind, _)| *kind != SectionKind::Bss));
        assert!(reduced.parts[0].1.join(";").contains("xorl %eax,%eax;retq"));
    }
}
