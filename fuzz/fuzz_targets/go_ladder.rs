#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| yose_fuzz::go_ladder::ladders(data));
