#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| yose_store::fuzzing::object(data));
