//! See `sapper_fuzz::log`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
    sapper_fuzz::verdict(sapper_fuzz::log::check(data))
});
