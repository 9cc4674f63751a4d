//! Manifests: which objects are the state, since which generation, and of what.
//!
//! The bytes, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `YOSEMANI` |
//! | 4 | version of the format |
//! | 8 | bytes of the body |
//! | n | the body: generation, parent, writer, identity, objects, payload |
//! | 8 | xxh3 of all bytes before |

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{Cursor, put_string};
use crate::error::StoreError;
use crate::format::VERSION;
use crate::identity::Identity;
use crate::object::Object;

const MAGIC: &[u8; 8] = b"YOSEMANI";
const FRONT_BYTES: usize = 20;
/// Most bytes of a manifest: a few million objects, or a payload that should have been one.
pub(crate) const MOST_BYTES: u64 = 1 << 28;

/// A published state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    pub(crate) number: u64,
    pub(crate) parent: u64,
    pub(crate) writer: u64,
    pub(crate) objects: Vec<Object>,
    pub(crate) payload: Option<Vec<u8>>,
}

impl Generation {
    /// Counts from 1 and grows with each publication and with each opening for writing.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The objects of the state, sorted by name.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object with this name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        let found = self
            .objects
            .binary_search_by(|object| object.name.as_str().cmp(name));
        found.ok().map(|index| &self.objects[index])
    }

    /// What the caller published with it; `None` before the first publication of all.
    pub fn payload(&self) -> Option<&[u8]> {
        self.payload.as_deref()
    }
}

/// A manifest: the generation and what it is of.
#[derive(Debug, Clone)]
pub(crate) struct Manifest {
    pub(crate) identity: Identity,
    pub(crate) generation: Arc<Generation>,
}

impl Manifest {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, StoreError> {
        let generation = &self.generation;
        let mut body = Vec::new();
        for number in [generation.number, generation.parent, generation.writer] {
            body.extend_from_slice(&number.to_le_bytes());
        }
        self.identity.write(&mut body);
        body.extend_from_slice(&(generation.objects.len() as u64).to_le_bytes());
        for object in &generation.objects {
            object.write(&mut body);
        }
        body.push(u8::from(generation.payload.is_some()));
        let payload = generation.payload.as_deref().unwrap_or_default();
        let got = (body.len() as u64).saturating_add(payload.len() as u64 + 64);
        if got > MOST_BYTES {
            let most = MOST_BYTES;
            return Err(StoreError::TooLarge { most, got });
        }
        put_string(&mut body, payload);
        let mut bytes = Vec::with_capacity(FRONT_BYTES + body.len() + 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&body);
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads a manifest that stands under the name of generation `number`.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        path: &str,
        number: u64,
    ) -> Result<Manifest, StoreError> {
        let corrupt = |what: &str, offset: usize, expected: String, got: String| {
            Err(StoreError::Corrupt {
                path: path.to_owned(),
                what: what.to_owned(),
                offset: offset as u64,
                expected,
                got,
            })
        };
        let mut cursor = Cursor::new(bytes);
        let front = (|| Some((cursor.take(8)?, cursor.u32()?, cursor.u64()?)))();
        let Some((magic, version, length)) = front else {
            return Err(StoreError::Length {
                path: path.to_owned(),
                expected: (FRONT_BYTES + 8) as u64,
                got: bytes.len() as u64,
            });
        };
        if magic != MAGIC {
            let got = String::from_utf8_lossy(magic).escape_debug().to_string();
            return corrupt("magic number", 0, "YOSEMANI".to_owned(), got);
        }
        // The checksum first: a damaged version is no other version.
        let whole = length.saturating_add((FRONT_BYTES + 8) as u64);
        let sealed = bytes.split_last_chunk::<8>();
        let intact = sealed.is_some_and(|(rest, sum)| {
            // Fuzzing has to get past it.
            cfg!(fuzzing) || u64::from_le_bytes(*sum) == xxh3_64(rest)
        });
        if version != VERSION && intact {
            return Err(StoreError::Version {
                path: path.to_owned(),
                expected: VERSION,
                got: version,
            });
        }
        if whole != bytes.len() as u64 {
            return Err(StoreError::Length {
                path: path.to_owned(),
                expected: whole,
                got: bytes.len() as u64,
            });
        }
        if !intact {
            let (rest, sum) = sealed.unwrap_or((&[], &[0; 8]));
            let (expected, got) = (u64::from_le_bytes(*sum), xxh3_64(rest));
            let (expected, got) = (format!("{expected:016x}"), format!("{got:016x}"));
            return corrupt("checksum of the manifest", bytes.len() - 8, expected, got);
        }
        let body = &bytes[..bytes.len() - 8];
        let mut cursor = Cursor::new(body);
        cursor.take(FRONT_BYTES);
        let Some(manifest) = body_of(&mut cursor) else {
            let got = "something else".to_owned();
            return corrupt(
                "body of the manifest",
                cursor.offset(),
                "its fields".to_owned(),
                got,
            );
        };
        if manifest.generation.number != number {
            let got = manifest.generation.number.to_string();
            return corrupt("generation", FRONT_BYTES, number.to_string(), got);
        }
        Ok(manifest)
    }
}

/// The body, if it is all there and nothing else.
fn body_of(cursor: &mut Cursor<'_>) -> Option<Manifest> {
    let (number, parent, writer) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
    let identity = Identity::read(cursor)?;
    let count = cursor.u64()?;
    let mut objects = Vec::new();
    // The list grows as objects are found, not by what the count says.
    for _ in 0..count {
        objects.push(Object::read(cursor)?);
    }
    let sorted = objects
        .windows(2)
        .all(|pair: &[Object]| pair[0].name < pair[1].name);
    let has_payload = match cursor.u8()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let payload = cursor.string(u32::MAX)?.to_vec();
    let empty = has_payload || payload.is_empty();
    let whole = sorted && parent < number && empty && cursor.is_at_end();
    whole.then(|| Manifest {
        identity,
        generation: Arc::new(Generation {
            number,
            parent,
            writer,
            objects,
            payload: has_payload.then_some(payload),
        }),
    })
}
