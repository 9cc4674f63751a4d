#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| yose_cluster::fuzzing::hello(data));
