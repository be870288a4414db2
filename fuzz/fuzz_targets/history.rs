//! See `sapper_fuzz::history`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
    sapper_fuzz::verdict(sapper_fuzz::history::check(data))
});
