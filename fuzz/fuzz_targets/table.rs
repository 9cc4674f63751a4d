#![no_main]

use std::num::NonZeroUsize;

use yose_retro::table::Table;

// What opens is read from end to end, twice: from the cache and past it. Both agree on every
// number, and on whether there is a fault.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(table) = Table::from_bytes(data.to_vec()) else {
        return;
    };
    // Chunks are small on disk and large in memory; a few show all there is to see.
    let header = table.header();
    let mut sound = true;
    for number in 0..header.chunks().min(8) {
        let mut plain = vec![0; header.width().bytes(header.slots_in(number))];
        let loaded = table.load_chunk(number, &mut plain);
        let chunk = table.chunk(number);
        assert_eq!(loaded.is_ok(), chunk.is_ok());
        sound &= loaded.is_ok();
        if let Ok(chunk) = chunk {
            assert_eq!(chunk.plain(), plain);
            let last = chunk.slots().end - 1;
            assert!(
                table
                    .value(last)
                    .is_ok_and(|value| value <= header.greatest)
            );
        }
    }
    if table.verify(NonZeroUsize::MIN).is_ok() {
        assert!(sound);
    }
});
