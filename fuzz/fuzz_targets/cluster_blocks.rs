#![no_main]

use yose_cluster::fuzzing::blocks;
use yose_retro::partition::Partition;
use yose_shogi::kernel::{Decided, Slices};

// The first byte says what the blocks unfold to.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else {
        return;
    };
    match kind % 4 {
        0 => blocks::<<Slices as Partition>::Frontier>(data),
        1 => blocks::<<Slices as Partition>::Own>(data),
        2 => blocks::<<Slices as Partition>::Won>(data),
        _ => blocks::<Decided>(data),
    }
});
