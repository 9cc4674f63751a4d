//! Finding the state, and taking it over.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::backing::{Backing, Created};
use crate::error::StoreError;
use crate::identity::Identity;
use crate::manifest::{Generation, Manifest};
use crate::store::{Mode, Note};

/// What stands in a store.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) current: Arc<Generation>,
    pub(crate) previous: Option<Arc<Generation>>,
    pub(crate) highest: u64,
    pub(crate) notes: Vec<Note>,
}

impl Opened {
    pub(crate) fn only(current: Arc<Generation>) -> Opened {
        Opened {
            highest: current.number,
            current,
            previous: None,
            notes: Vec::new(),
        }
    }
}

/// How often a claim is tried again when another writer was faster.
const ATTEMPTS: u32 = 8;

fn manifest(backing: &dyn Backing, number: u64) -> Result<Manifest, StoreError> {
    let path = backing.manifest_path(number);
    match backing.manifest(number)? {
        Some(bytes) => Manifest::from_bytes(&bytes, &path, number),
        None => Err(StoreError::Missing {
            path,
            generation: number,
        }),
    }
}

fn check_identity(
    backing: &dyn Backing,
    manifest: &Manifest,
    identity: &Identity,
) -> Result<(), StoreError> {
    match identity.difference(&manifest.identity) {
        None => Ok(()),
        Some((field, expected, got)) => Err(StoreError::Foreign {
            path: backing.manifest_path(manifest.generation.number),
            field,
            expected,
            got,
        }),
    }
}

/// The generation with this number.
pub(crate) fn load(
    backing: &dyn Backing,
    identity: &Identity,
    number: u64,
) -> Result<Arc<Generation>, StoreError> {
    let manifest = manifest(backing, number)?;
    check_identity(backing, &manifest, identity)?;
    Ok(manifest.generation)
}

/// Whether all objects are there with their lengths. Their bytes are checked when they are read.
fn check_objects(
    backing: &dyn Backing,
    generation: &Generation,
    lengths: &BTreeMap<String, u64>,
) -> Result<(), StoreError> {
    for object in &generation.objects {
        let path = || backing.object_path(&object.file);
        match lengths.get(&object.file) {
            None => {
                return Err(StoreError::Missing {
                    path: path(),
                    generation: generation.number,
                });
            }
            Some(&got) if got != object.stored_bytes => {
                return Err(StoreError::Length {
                    path: path(),
                    expected: object.stored_bytes,
                    got,
                });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The newest generation that can be used; `None` if nothing was ever published.
pub(crate) fn newest(
    backing: &dyn Backing,
    identity: Option<&Identity>,
) -> Result<Option<Opened>, StoreError> {
    let numbers = backing.manifests()?;
    let Some(&highest) = numbers.last() else {
        return Ok(None);
    };
    let lengths = backing.objects()?;
    let usable = |number: u64| -> Result<Arc<Generation>, StoreError> {
        let manifest = manifest(backing, number)?;
        if let Some(identity) = identity {
            check_identity(backing, &manifest, identity)?;
        }
        check_objects(backing, &manifest.generation, &lengths)?;
        Ok(manifest.generation)
    };
    let (mut notes, mut first) = (Vec::new(), None);
    for &number in numbers.iter().rev() {
        match usable(number) {
            Ok(current) => {
                let parent = numbers.contains(&current.parent);
                let previous = parent.then(|| usable(current.parent).ok()).flatten();
                return Ok(Some(Opened {
                    current,
                    previous,
                    highest,
                    notes,
                }));
            }
            Err(error) if error.is_damage() => {
                notes.push(Note::Skipped {
                    generation: number,
                    why: error.to_string(),
                });
                first.get_or_insert(error);
            }
            // Another computation's, or a file that cannot be read now but may be later.
            Err(error) => return Err(error),
        }
    }
    match first {
        Some(error) => Err(error),
        None => Ok(None),
    }
}

/// The error of the writer `ours`, which finds generation `number` of another.
pub(crate) fn fenced(backing: &dyn Backing, number: u64, ours: u64) -> StoreError {
    let other = manifest(backing, number);
    StoreError::Fenced {
        path: backing.manifest_path(number),
        generation: number,
        ours,
        // Zero where it cannot be read.
        theirs: other.map_or(0, |other| other.generation.writer),
    }
}

/// Creates a manifest, or says who was faster.
///
/// After a pause of any length the number may be free again because the manifest that had it was
/// removed. Then higher ones exist, since the newest two always stay; so having created ours we look
/// for those.
pub(crate) fn create(backing: &dyn Backing, manifest: &Manifest) -> Result<(), StoreError> {
    let number = manifest.generation.number;
    let ours = manifest.generation.writer;
    let bytes = manifest.to_bytes()?;
    match backing.create_manifest(number, &bytes)? {
        Created::Yes => {}
        // A request that was repeated because its answer got lost finds what it wrote itself.
        Created::Exists if backing.manifest(number)?.as_ref() == Some(&bytes) => {}
        Created::Exists => return Err(fenced(backing, number, ours)),
    }
    let highest = backing.manifests()?.last().copied().unwrap_or(number);
    if highest > number {
        backing.remove_manifest(number)?;
        return Err(fenced(backing, highest, ours));
    }
    Ok(())
}

/// Finds the state and publishes it again under our own number.
pub(crate) fn claim(
    backing: &dyn Backing,
    identity: &Identity,
    mode: Mode,
    writer: u64,
) -> Result<Opened, StoreError> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        let found = match mode {
            Mode::Fresh => occupied(backing)?,
            Mode::Resume | Mode::Either => newest(backing, Some(identity))?,
        };
        if found.is_none() && mode == Mode::Resume {
            return Err(StoreError::NothingToResume {
                path: backing.place(),
            });
        }
        if let Some(opened) = &found {
            backing.check_owner(opened.current.number)?;
        }
        let generation = match &found {
            // In the place of the one it repeats, so the one before stays within reach.
            Some(opened) => Generation {
                number: opened.highest + 1,
                parent: opened.current.parent,
                writer,
                objects: opened.current.objects.clone(),
                payload: opened.current.payload.clone(),
            },
            None => Generation {
                number: 1,
                parent: 0,
                writer,
                objects: Vec::new(),
                payload: None,
            },
        };
        let manifest = Manifest {
            identity: identity.clone(),
            generation: Arc::new(generation),
        };
        match create(backing, &manifest) {
            Ok(()) => {
                let generation = manifest.generation;
                return Ok(Opened {
                    highest: generation.number,
                    current: generation,
                    previous: found.as_ref().and_then(|opened| opened.previous.clone()),
                    notes: found.map(|opened| opened.notes).unwrap_or_default(),
                });
            }
            Err(StoreError::Fenced { .. }) if attempt < ATTEMPTS && mode != Mode::Fresh => {}
            Err(error) => return Err(error),
        }
    }
}

/// For a fresh start: an error if anything was published here, else nothing.
fn occupied(backing: &dyn Backing) -> Result<Option<Opened>, StoreError> {
    let Some(generation) = backing.manifests()?.last().copied() else {
        return Ok(None);
    };
    let identity = match manifest(backing, generation) {
        Ok(manifest) => manifest.identity.to_string(),
        Err(error) if error.is_damage() => format!("unreadable: {error}"),
        Err(error) => return Err(error),
    };
    Err(StoreError::Occupied {
        path: backing.place(),
        generation,
        identity,
    })
}
