#![no_main]

use yose_cluster::{Hosts, Seat};

// What is read as a hosts file is read again as it is printed, and has a seat for each line.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Hosts::parse(text) {
        Ok(hosts) => {
            let count = hosts.addresses().len();
            assert_eq!(
                Hosts::parse(&hosts.addresses().join("\n")).as_ref(),
                Ok(&hosts)
            );
            assert!(Seat::at(&hosts, count - 1).is_ok_and(|seat| seat.workers() == count));
            assert!(Seat::at(&hosts, count).is_err());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
