//! Objects and manifests in anything that `object_store` can reach.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};
use tokio::runtime::{Builder, Runtime};

use super::{Backing, Created, Source, manifest_name, manifest_number};
use crate::error::StoreError;
use crate::format::Sink;
use crate::manifest::MOST_BYTES;

/// Bytes of one part of an upload and of one request for reading. S3 wants at least 5 MiB a part
/// and at most 10,000 parts, so an object may have 160 GB.
const PART_BYTES: usize = 16 << 20;

/// A prefix within an object store.
#[derive(Debug)]
pub(crate) struct Remote {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// How messages begin.
    address: String,
    runtime: Arc<Runtime>,
}

impl Remote {
    pub(crate) fn new(
        store: Arc<dyn ObjectStore>,
        prefix: Path,
        address: String,
    ) -> Result<Remote, StoreError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| StoreError::from_io(address.clone(), source))?;
        Ok(Remote {
            store,
            prefix,
            address,
            runtime: Arc::new(runtime),
        })
    }

    fn objects_prefix(&self) -> Path {
        self.prefix.clone().join("objects")
    }

    fn object(&self, file: &str) -> Path {
        self.objects_prefix().join(file)
    }

    fn manifest_key(&self, generation: u64) -> Path {
        self.prefix.clone().join(manifest_name(generation))
    }

    fn fault(&self, path: &Path, source: Error) -> StoreError {
        StoreError::from_remote(self.describe(path), source)
    }

    fn describe(&self, path: &Path) -> String {
        let path = path.as_ref();
        let below = path.strip_prefix(self.prefix.as_ref()).unwrap_or(path);
        let below = below.trim_start_matches('/');
        format!("{}/{below}", self.address.trim_end_matches('/'))
    }

    fn delete(&self, path: &Path) -> Result<(), StoreError> {
        match self.runtime.block_on(self.store.delete(path)) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.fault(path, error)),
        }
    }
}

impl Backing for Remote {
    fn place(&self) -> String {
        self.address.clone()
    }

    fn object_path(&self, file: &str) -> String {
        self.describe(&self.object(file))
    }

    fn manifest_path(&self, generation: u64) -> String {
        self.describe(&self.manifest_key(generation))
    }

    fn create(&self, file: &str) -> Result<Box<dyn Sink>, StoreError> {
        let path = self.object(file);
        Ok(Box::new(Upload {
            name: self.describe(&path),
            path,
            store: Arc::clone(&self.store),
            runtime: Arc::clone(&self.runtime),
            part: Vec::new(),
            parts: None,
        }))
    }

    fn open(&self, file: &str) -> Result<Option<Source>, StoreError> {
        let path = self.object(file);
        let length = match self.runtime.block_on(self.store.head(&path)) {
            Ok(data) => data.size,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(self.fault(&path, error)),
        };
        let download = Download {
            name: self.describe(&path),
            path,
            store: Arc::clone(&self.store),
            runtime: Arc::clone(&self.runtime),
            part: Bytes::new(),
            offset: 0,
            length,
        };
        Ok(Some((Box::new(download), length)))
    }

    fn objects(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let prefix = self.objects_prefix();
        let list = self.store.list(Some(&prefix)).map_ok(|data| {
            let name = data.location.filename().unwrap_or_default().to_owned();
            (name, data.size)
        });
        let found = self.runtime.block_on(list.try_collect());
        found.map_err(|error| self.fault(&prefix, error))
    }

    fn remove(&self, files: &[String]) -> Result<(), StoreError> {
        files
            .iter()
            .try_for_each(|file| self.delete(&self.object(file)))
    }

    /// A finished upload is durable.
    fn sync(&self, _: &[String]) -> Result<(), StoreError> {
        Ok(())
    }

    fn manifests(&self) -> Result<Vec<u64>, StoreError> {
        let list = self.store.list_with_delimiter(Some(&self.prefix));
        let found = self.runtime.block_on(list);
        let found = found.map_err(|error| self.fault(&self.prefix, error))?;
        let names = found
            .objects
            .iter()
            .filter_map(|data| data.location.filename());
        let mut numbers: Vec<u64> = names.filter_map(manifest_number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn manifest(&self, generation: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.manifest_key(generation);
        let found = self.runtime.block_on(async {
            let result = self.store.get(&path).await?;
            let size = result.meta.size;
            // Not even fetched if no writer can have made it.
            if size > MOST_BYTES {
                return Ok(Err(size));
            }
            result.bytes().await.map(Ok)
        });
        match found {
            Ok(Ok(bytes)) => Ok(Some(bytes.to_vec())),
            Ok(Err(got)) => Err(StoreError::Corrupt {
                path: self.describe(&path),
                what: "manifest".to_owned(),
                offset: 0,
                expected: format!("at most {MOST_BYTES} bytes"),
                got: format!("{got} bytes"),
            }),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.fault(&path, error)),
        }
    }

    fn create_manifest(&self, generation: u64, bytes: &[u8]) -> Result<Created, StoreError> {
        let path = self.manifest_key(generation);
        let options = PutOptions::from(PutMode::Create);
        let payload = PutPayload::from(bytes.to_vec());
        match self
            .runtime
            .block_on(self.store.put_opts(&path, payload, options))
        {
            Ok(_) => Ok(Created::Yes),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(Created::Exists),
            Err(error) => Err(self.fault(&path, error)),
        }
    }

    fn remove_manifest(&self, generation: u64) -> Result<(), StoreError> {
        self.delete(&self.manifest_key(generation))
    }
}

/// An object on its way: one request if it is small, parts if it is not.
struct Upload {
    store: Arc<dyn ObjectStore>,
    runtime: Arc<Runtime>,
    path: Path,
    name: String,
    part: Vec<u8>,
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    fn put_part(&mut self) -> Result<(), StoreError> {
        let bytes = std::mem::take(&mut self.part);
        let result = self.runtime.block_on(async {
            let parts = match &mut self.parts {
                Some(parts) => parts,
                none => none.insert(self.store.put_multipart(&self.path).await?),
            };
            parts.put_part(bytes.into()).await
        });
        result.map_err(|error| StoreError::from_remote(self.name.clone(), error))
    }
}

impl Sink for Upload {
    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.put_part()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        if self.parts.is_some() && !self.part.is_empty() {
            self.put_part()?;
        }
        let bytes = std::mem::take(&mut self.part);
        let result = self.runtime.block_on(async {
            match &mut self.parts {
                Some(parts) => parts.complete().await,
                None => self.store.put(&self.path, bytes.into()).await,
            }
        });
        if result.is_ok() {
            self.parts = None;
        }
        result
            .map(|_| ())
            .map_err(|error| StoreError::from_remote(self.name.clone(), error))
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(parts) = &mut self.parts {
            // Best effort: what stays costs space until the bucket's rules remove it.
            let _ = self.runtime.block_on(parts.abort());
        }
    }
}

/// An object being read, part by part.
struct Download {
    store: Arc<dyn ObjectStore>,
    runtime: Arc<Runtime>,
    path: Path,
    name: String,
    part: Bytes,
    /// Where the next part begins.
    offset: u64,
    length: u64,
}

impl Read for Download {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part.is_empty() && self.offset < self.length {
            let end = self.length.min(self.offset + PART_BYTES as u64);
            let range = self.offset..end;
            let fetched = self
                .runtime
                .block_on(self.store.get_range(&self.path, range));
            self.part = fetched
                .map_err(|error| StoreError::from_remote(self.name.clone(), error).into_io())?;
            self.offset += self.part.len() as u64;
        }
        let length = self.part.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.part.split_to(length));
        Ok(length)
    }
}
