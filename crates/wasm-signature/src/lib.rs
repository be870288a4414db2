//! The signature of play as functions that JavaScript calls; `run.mjs` compares it with the
//! committed one.
//!
//! The functions take and return 32-bit integers, the only values that cross the boundary without
//! a binding library. A part is decided by the first call that asks for it.

// Exported symbols need unsafe attributes.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use fixtures::signature::{Item, SignaturePart, Suite, combine};

static SUITE: OnceLock<Suite> = OnceLock::new();
static PARTS: [OnceLock<Item>; SignaturePart::ALL.len()] =
    [const { OnceLock::new() }; SignaturePart::ALL.len()];

fn item(index: usize) -> Item {
    let suite = SUITE.get_or_init(Suite::from_samples);
    *PARTS[index].get_or_init(|| suite.part(SignaturePart::ALL[index]))
}

fn item_of_all() -> Item {
    combine((0..SignaturePart::ALL.len()).map(item))
}

/// The number of parts.
#[unsafe(no_mangle)]
pub extern "C" fn parts() -> u32 {
    SignaturePart::ALL.len() as u32
}

/// The address of a part's name in memory, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn name(part: usize) -> *const u8 {
    SignaturePart::ALL[part].name().as_ptr()
}

/// The number of bytes of a part's name.
#[unsafe(no_mangle)]
pub extern "C" fn name_len(part: usize) -> usize {
    SignaturePart::ALL[part].name().len()
}

/// The hash of a part.
#[unsafe(no_mangle)]
pub extern "C" fn hash(part: usize) -> u32 {
    item(part).hash.bits()
}

/// The number of decisions in a part.
#[unsafe(no_mangle)]
pub extern "C" fn decisions(part: usize) -> u32 {
    item(part).decisions as u32
}

/// The hash over all parts.
#[unsafe(no_mangle)]
pub extern "C" fn hash_of_all() -> u32 {
    item_of_all().hash.bits()
}

/// The number of decisions in all parts.
#[unsafe(no_mangle)]
pub extern "C" fn decisions_of_all() -> u32 {
    item_of_all().decisions as u32
}
