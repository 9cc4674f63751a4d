//! Where a store lies.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;

use crate::backing::{Backing, Directory, Remote};
use crate::error::StoreError;

/// A directory, or a prefix in an object store.
#[derive(Clone)]
pub struct Location(Place);

#[derive(Clone)]
enum Place {
    Directory {
        root: PathBuf,
        lock: bool,
    },
    Remote {
        store: Arc<dyn ObjectStore>,
        prefix: Path,
        address: String,
    },
}

impl Location {
    /// A directory. It is made when it is first opened for writing, and locked while it is open.
    pub fn directory(root: impl Into<PathBuf>) -> Location {
        let (root, lock) = (root.into(), true);
        Location(Place::Directory { root, lock })
    }

    /// The same without the lock, as on a network file system where a dead host's lock stays. Two
    /// writers then do each other no harm, but only the one that publishes first learns nothing of
    /// the other: see [`StoreError::Fenced`].
    #[must_use]
    pub fn without_lock(mut self) -> Location {
        if let Place::Directory { lock, .. } = &mut self.0 {
            *lock = false;
        }
        self
    }

    /// A prefix in any store of `object_store`; `address` is what messages call it.
    ///
    /// The store must keep the promise of `PutMode::Create`, and a listing must show what was
    /// written before.
    pub fn remote(
        store: Arc<dyn ObjectStore>,
        prefix: &str,
        address: impl Into<String>,
    ) -> Location {
        Location(Place::Remote {
            store,
            prefix: Path::from(prefix),
            address: address.into(),
        })
    }

    /// What a user typed: `s3://BUCKET/PREFIX` (in builds with the feature `s3`) or a directory.
    ///
    /// Credentials, region and endpoint of S3 come from the usual environment variables
    /// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`,
    /// `AWS_ALLOW_HTTP`).
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] for another scheme, a bucket without a name, a build without the
    /// feature or settings that S3's client refuses.
    pub fn parse(text: &str) -> Result<Location, StoreError> {
        let address = |expected: &str| StoreError::Address {
            address: text.to_owned(),
            expected: expected.to_owned(),
        };
        match text.split_once("://") {
            None => Ok(Location::directory(text)),
            Some(("s3", place)) => {
                let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
                if bucket.is_empty() {
                    return Err(address("s3://BUCKET or s3://BUCKET/PREFIX"));
                }
                s3(bucket, prefix, text)
            }
            Some(_) => Err(address("a directory or s3://BUCKET/PREFIX")),
        }
    }

    /// Bytes that can be written there: of the nearest directory above that exists. `None` where nobody
    /// can tell, as in an object store.
    #[must_use]
    pub fn free_bytes(&self) -> Option<u64> {
        match &self.0 {
            #[cfg(unix)]
            Place::Directory { root, .. } => {
                let root = std::path::absolute(root).ok()?;
                let there = root.ancestors().find(|path| path.is_dir())?;
                let system = rustix::fs::statvfs(there).ok()?;
                Some(system.f_bavail.saturating_mul(system.f_frsize))
            }
            _ => None,
        }
    }

    pub(crate) fn open(&self, write: bool) -> Result<Box<dyn Backing>, StoreError> {
        match &self.0 {
            Place::Directory { root, lock } => {
                Ok(Box::new(Directory::open(root, write, write && *lock)?))
            }
            Place::Remote {
                store,
                prefix,
                address,
            } => Ok(Box::new(Remote::new(
                Arc::clone(store),
                prefix.clone(),
                address.clone(),
            )?)),
        }
    }
}

#[cfg(feature = "s3")]
fn s3(bucket: &str, prefix: &str, text: &str) -> Result<Location, StoreError> {
    let builder = object_store::aws::AmazonS3Builder::from_env().with_bucket_name(bucket);
    let store = builder.build().map_err(|error| StoreError::Address {
        address: text.to_owned(),
        expected: format!("settings for S3 ({error})"),
    })?;
    Ok(Location::remote(Arc::new(store), prefix, text))
}

#[cfg(not(feature = "s3"))]
fn s3(_: &str, _: &str, text: &str) -> Result<Location, StoreError> {
    Err(StoreError::Address {
        address: text.to_owned(),
        expected: "a directory (this program was built without the feature 's3')".to_owned(),
    })
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Directory { root, .. } => write!(f, "{}", root.display()),
            Place::Remote { address, .. } => f.write_str(address),
        }
    }
}
