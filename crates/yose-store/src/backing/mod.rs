//! Where the bytes lie: a directory, or anything that `object_store` can reach.

mod directory;
mod remote;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Read;

pub(crate) use directory::Directory;
pub(crate) use remote::Remote;

use crate::error::StoreError;
use crate::format::Sink;

/// What happened to a manifest that was to be created.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Created {
    Yes,
    /// One with this number is there already.
    Exists,
}

/// An object's bytes as they lie in the store, and how many they are.
pub(crate) type Source = (Box<dyn Read + Send>, u64);

/// Files by name, in two kinds: objects and manifests.
pub(crate) trait Backing: Debug + Send + Sync {
    /// The place, for messages.
    fn place(&self) -> String;
    /// How a message names an object's file.
    fn object_path(&self, file: &str) -> String;
    /// How a message names a manifest.
    fn manifest_path(&self, generation: u64) -> String;

    /// Starts an object. What is not finished is removed, or never appears.
    fn create(&self, file: &str) -> Result<Box<dyn Sink>, StoreError>;
    /// Starts an object in the place of another one, which nobody will ask for again.
    fn create_over(&self, old: &str, file: &str) -> Result<Box<dyn Sink>, StoreError> {
        self.remove(&[old.to_owned()])?;
        self.create(file)
    }
    /// Takes an object of so many stored bytes away, which nobody will ask for again. Its file may stay
    /// as long as the store is open, for others to be written over.
    fn discard(&self, file: &str, _bytes: u64) -> Result<(), StoreError> {
        self.remove(&[file.to_owned()])
    }
    /// An object's bytes and their number; `None` if there is no such file, or it was discarded.
    fn open(&self, file: &str) -> Result<Option<Source>, StoreError>;
    /// All files among the objects with their lengths, ours or not.
    fn objects(&self) -> Result<BTreeMap<String, u64>, StoreError>;
    /// Removes objects; those that are not there are no error.
    fn remove(&self, files: &[String]) -> Result<(), StoreError>;
    /// Returns once these objects would survive a power cut.
    fn sync(&self, files: &[String]) -> Result<(), StoreError>;

    /// The numbers of all manifests, ascending.
    fn manifests(&self) -> Result<Vec<u64>, StoreError>;
    /// A manifest's bytes, `None` if there is none.
    fn manifest(&self, generation: u64) -> Result<Option<Vec<u8>>, StoreError>;
    /// Creates a manifest unless one of this number exists; durable once it returns.
    fn create_manifest(&self, generation: u64, bytes: &[u8]) -> Result<Created, StoreError>;
    /// Removes a manifest; one that is not there is no error.
    fn remove_manifest(&self, generation: u64) -> Result<(), StoreError>;

    /// Removes what is of no use without objects and manifests, as far as it can.
    fn leave(&self) {}

    /// Whether a manifest is of the user that our files would be of.
    fn check_owner(&self, _generation: u64) -> Result<(), StoreError> {
        Ok(())
    }
}

pub(crate) fn manifest_name(generation: u64) -> String {
    format!("manifest-{generation:020}")
}

/// The number in the name of a manifest.
pub(crate) fn manifest_number(name: &str) -> Option<u64> {
    let number: u64 = name.strip_prefix("manifest-")?.parse().ok()?;
    (manifest_name(number) == name).then_some(number)
}
