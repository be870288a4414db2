//! See `sapper_fuzz::formats`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
    sapper_fuzz::verdict(sapper_fuzz::formats::check(data))
});
