#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| yose_fuzz::sgf::record(bytes));
