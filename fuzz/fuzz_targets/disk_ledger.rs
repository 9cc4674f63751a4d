#![no_main]

// The ledger is private to its crate, so it is compiled here with the little it needs.
#[allow(dead_code, unreachable_pub, reason = "the crate uses the rest")]
#[path = "../../crates/yose-disk/src/ledger.rs"]
mod ledger;

mod error {
    /// Stands for the crate's own.
    #[derive(Debug)]
    pub(crate) struct DiskError;

    impl DiskError {
        pub(crate) fn state(what: impl Into<String>, why: impl Into<String>) -> DiskError {
            assert!(!what.into().is_empty() && !why.into().is_empty());
            DiskError
        }
    }
}

mod slots {
    pub(crate) type Id = (usize, usize);
}

use ledger::Ledger;
pub(crate) use yose_disk::Order;
use yose_shogi::kernel::Decided;

// What is read as a ledger is written as it was read.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for order in [Order::Plies, Order::Inbox] {
        let Ok(ledger) = Ledger::<Decided>::from_bytes(data, order, &[2, 0, 1]) else {
            continue;
        };
        assert_eq!(ledger.to_bytes(), data);
        for log in &ledger.logs {
            for number in [0, 1, log.end] {
                assert!(log.since(number).iter().all(|part| part.number >= number));
            }
            let _ = (log.at(0), log.at(1), log.at(u32::MAX));
        }
        assert!(ledger.parts().count() <= data.len() / 24);
    }
});
