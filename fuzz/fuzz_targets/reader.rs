//! See `sapper_fuzz::reader`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
    sapper_fuzz::verdict(sapper_fuzz::reader::check(data))
});
