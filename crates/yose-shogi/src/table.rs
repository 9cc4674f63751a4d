//! Solved inventories in table files: what the header says, and the way between positions and slots.
//!
//! The container ([`yose_retro::table`]) knows no game. Here the slots of a table are the stored
//! indices of an inventory's [`Index`](crate::Index), slice by slice; the game is named by the variant
//! and pinned by a hash of its rules.

mod claims;
mod summary;

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use thiserror::Error;
use yose_retro::table::{
    CHUNK_SLOTS, Fingerprint, Header, Metric, Summary, Table, TableError, TableWriter, WriteError,
};

pub use claims::{Claims, Numbers};
pub use summary::SummaryFault;

use crate::game::DropShogi;
use crate::index::IndexError;
use crate::inventory::{Inventory, InventoryError};
use crate::probe::{Coding, Prober, SlotValues};
use crate::variant::{Captured, Directions, DropBan, DropFaces, Face, Goal, Promotion, Variant};

/// The version of the mapping from positions to slots. It changes whenever an index changes.
pub const INDEX_VERSION: u32 = 1;

/// A hash of all that the index and the values of a variant depend on: the board, the pieces with
/// the letters that inventories are written in, and the rules; not of names, aliases and starts.
#[must_use]
pub fn rules_hash(variant: &Variant) -> [u8; 32] {
    let mut text = format!(
        "yose rules 1\n{} rows, {} columns\n",
        variant.rows, variant.columns
    );
    text.push_str(match variant.promotion {
        Promotion::Never => "promotion never\n",
        Promotion::FarRank => "promotion far-rank\n",
        Promotion::OnCapture => "promotion on-capture\n",
    });
    text.push_str(match variant.captured {
        Captured::Hand => "captured hand\n",
        Captured::Gone => "captured gone\n",
    });
    text.push_str(match variant.drop_faces {
        DropFaces::Base => "drop-faces base\n",
        DropFaces::Either => "drop-faces either\n",
    });
    text.push_str(match variant.drop_ban {
        DropBan::None => "drop-ban none\n",
        DropBan::FarRank => "drop-ban far-rank\n",
    });
    text.push_str(if variant.friendly_jump {
        "friendly-jump\n"
    } else {
        "no friendly-jump\n"
    });
    text.push_str(match variant.goal {
        Goal::TakeKing => "goal take-king\n",
        Goal::TakeKingOrTry => "goal take-king-or-try\n",
    });
    face_text("king", &variant.king, &mut text);
    for kind in &variant.kinds {
        face_text("kind", &kind.base, &mut text);
        if let Some(promoted) = &kind.promoted {
            face_text("promoted", promoted, &mut text);
        }
    }
    blake3::hash(text.as_bytes()).into()
}

fn face_text(what: &str, face: &Face, text: &mut String) {
    let numbers = |directions: Directions| -> Vec<usize> {
        directions.iter().map(crate::Direction::index).collect()
    };
    let mut leaps = face.leaps.clone();
    leaps.sort_unstable();
    text.push_str(&format!(
        "{what} {} steps {:?} slides {:?} leaps {leaps:?}\n",
        face.letter,
        numbers(face.steps),
        numbers(face.slides),
    ));
}

/// The header of a game's table. `greatest` is the largest number stored, in a table of outcomes 2.
#[must_use]
pub fn header(game: &DropShogi, metric: Metric, greatest: u32) -> Header {
    let variant = game.variant();
    Header {
        game: variant.name.clone(),
        inventory: game.inventory().text(variant),
        rules_hash: rules_hash(variant),
        index_version: INDEX_VERSION,
        metric,
        slots: game.index().stored_size(),
        chunk_slots: CHUNK_SLOTS,
        greatest,
    }
}

/// Writes the numbers of a solved game, cell by cell: outcomes, distances, or distances that serve as
/// ranks. `greatest` is the largest of them. `numbers` gives those of a cell's slots in order, outcomes
/// in a byte each, distances in as many as the greatest needs; cells follow one another, and there are `cells`
/// of them. The bytes depend neither on these nor on `threads`. `progress` is told the cells done and all cells.
///
/// # Errors
/// If the file cannot be written, the summary does not fit the metric, or numbers cannot be had.
#[allow(
    clippy::too_many_arguments,
    reason = "what a table is, and who makes it how"
)]
pub fn write<E: From<WriteError> + Send>(
    path: &Path,
    game: &DropShogi,
    metric: Metric,
    greatest: u32,
    summary: &Summary,
    threads: NonZeroUsize,
    cells: usize,
    numbers: &(dyn Fn(usize) -> Result<Vec<u8>, E> + Sync),
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Fingerprint, E> {
    let mut writer = TableWriter::create(path, header(game, metric, greatest), threads)?;
    if metric == Metric::Wdl && !game.index().lanes().width().is_multiple_of(4) {
        // Kings, and a piece at most: a cell may end in the middle of a byte, and all of them together are few.
        let mut outcomes = Vec::new();
        for cell in 0..cells {
            outcomes.append(&mut numbers(cell)?);
        }
        outcomes.resize(outcomes.len().next_multiple_of(4), 0);
        writer.write(&packed(outcomes))?;
        return Ok(writer.finish(summary)?);
    }
    let stored = |cell: usize| match metric {
        Metric::Wdl => Ok(packed(numbers(cell)?)),
        Metric::Depth | Metric::Ranks => numbers(cell),
    };
    // Each thread unpacks a cell, then all compress them.
    for first in (0..cells).step_by(threads.get()) {
        let batch = first..cells.min(first + threads.get());
        let unpacked: Vec<Result<Vec<u8>, E>> = thread::scope(|scope| {
            let others: Vec<_> = batch
                .clone()
                .skip(1)
                .map(|cell| scope.spawn(move || stored(cell)))
                .collect();
            let mut unpacked = vec![stored(first)];
            for other in others {
                unpacked.push(
                    other
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                );
            }
            unpacked
        });
        for (cell, numbers) in batch.zip(unpacked) {
            writer.write(&numbers?)?;
            progress(cell + 1, cells);
        }
    }
    Ok(writer.finish(summary)?)
}

/// Four outcomes in each byte, the first in the lowest bits; in their place, since there are many.
fn packed(mut outcomes: Vec<u8>) -> Vec<u8> {
    let bytes = outcomes.len() / 4;
    // By way of a buffer, so that many are packed at once.
    let mut some = [0; 1 << 10];
    for start in (0..bytes).step_by(some.len()) {
        let some = &mut some[..(bytes - start).min(1 << 10)];
        let fours = outcomes[4 * start..].as_chunks().0;
        for (byte, &[a, b, c, d]) in some.iter_mut().zip(fours) {
            *byte = a | b << 2 | c << 4 | d << 6;
        }
        outcomes[start..start + some.len()].copy_from_slice(some);
    }
    outcomes.truncate(bytes);
    outcomes.shrink_to_fit();
    outcomes
}

/// Why a file is not a table of a variant, or cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file is missing or damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table was made under other rules than the variant's.
    #[error("{path}: the table is of {game} under other rules than those of the variant {variant}")]
    OtherRules {
        /// The file.
        path: String,
        /// The game in its header.
        game: String,
        /// The variant asked for.
        variant: String,
    },
    /// The table numbers its positions in another way than this program.
    #[error("{path}: the table has index version {got}, this program has {expected}")]
    OtherIndex {
        /// The file.
        path: String,
        /// The version in its header.
        got: u32,
        /// This program's.
        expected: u32,
    },
    /// The inventory in the header is none of the variant.
    #[error("{path}: the pieces {pieces} in its header: {error}")]
    Pieces {
        /// The file.
        path: String,
        /// The text in the header.
        pieces: String,
        /// What is wrong with it.
        error: InventoryError,
    },
    /// There is no index for the inventory in the header.
    #[error("{path}: {error}")]
    Index {
        /// The file.
        path: String,
        /// Why there is none.
        error: IndexError,
    },
    /// The table has another number of slots than the inventory has.
    #[error("{path}: header at offset 16: expected {expected} slots, got {got}")]
    Slots {
        /// The file.
        path: String,
        /// Slots of the inventory.
        expected: u64,
        /// Slots in the header.
        got: u64,
    },
}

/// A table file together with the game that it is of.
#[derive(Debug)]
pub struct TableFile {
    table: Table,
    game: DropShogi,
}

impl TableFile {
    /// Takes an open table that must be one of this variant.
    ///
    /// # Errors
    /// If it is of other rules, or does not fit its own header.
    pub fn new(table: Table, variant: Variant) -> Result<TableFile, OpenError> {
        let header = table.header();
        let path = || table.path().display().to_string();
        if header.rules_hash != rules_hash(&variant) {
            return Err(OpenError::OtherRules {
                path: path(),
                game: header.game.clone(),
                variant: variant.name,
            });
        }
        if header.index_version != INDEX_VERSION {
            return Err(OpenError::OtherIndex {
                path: path(),
                got: header.index_version,
                expected: INDEX_VERSION,
            });
        }
        let inventory = Inventory::parse(&header.inventory, &variant);
        let inventory = inventory.map_err(|error| OpenError::Pieces {
            path: path(),
            pieces: header.inventory.clone(),
            error,
        })?;
        let game = DropShogi::new(variant, inventory);
        let game = game.map_err(|error| OpenError::Index {
            path: path(),
            error,
        })?;
        let expected = game.index().stored_size();
        if header.slots != expected {
            return Err(OpenError::Slots {
                path: path(),
                expected,
                got: header.slots,
            });
        }
        Ok(TableFile { table, game })
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The game that the table is of.
    #[must_use]
    pub fn game(&self) -> &DropShogi {
        &self.game
    }

    /// Answers questions about positions.
    #[must_use]
    pub fn prober(&self) -> Prober<'_, &TableFile> {
        let coding = match self.table.header().metric {
            Metric::Wdl => Coding::Outcomes,
            // Ranks have the parity of distances. Who asks for ranks gets ranks.
            Metric::Depth | Metric::Ranks => Coding::Depths,
        };
        Prober::new(self.game.rules(), self.game.index(), self, coding)
    }
}

impl SlotValues for TableFile {
    type Error = TableError;

    fn value(&self, slot: u64) -> Result<u32, TableError> {
        self.table.value(slot)
    }
}
