//! Objects and manifests in a directory.
//!
//! Objects are plain files, which is what disks are fastest at and needs no buffers besides the
//! block at hand; manifests go through `object_store`, so that creating one is the same code, with
//! the same promises, as on a remote store.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use object_store::local::LocalFileSystem;

use super::{Backing, Created, Remote, Source, manifest_name, manifest_number};
use crate::error::StoreError;
use crate::format::Sink;

const OBJECTS: &str = "objects";
const LOCK: &str = "lock";

/// A directory of the local file system.
#[derive(Debug)]
pub(crate) struct Directory {
    root: PathBuf,
    manifests: Remote,
    spare: Arc<Spare>,
    /// The user our files belong to, as this file system says it.
    #[cfg(unix)]
    us: Option<u32>,
    /// Locked as long as it is open.
    lock: Option<File>,
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

impl Directory {
    /// Opens a directory, and for writing makes it if it is not there, tries whether it can be
    /// written and locks it if asked.
    pub(crate) fn open(root: &Path, write: bool, lock: bool) -> Result<Directory, StoreError> {
        let fault = |path: &Path| {
            let path = show(path);
            move |source| StoreError::from_io(path, source)
        };
        let objects = root.join(OBJECTS);
        let mut leftovers = Vec::new();
        if write {
            // Looked at before anything is put there.
            leftovers = check_contents(root)?;
            fs::create_dir_all(&objects).map_err(fault(&objects))?;
            sync_directory(root).map_err(fault(root))?;
            if let Some(above) = root.parent().filter(|above| !above.as_os_str().is_empty()) {
                // Where that is not ours to open, its entry is not ours to sync.
                let _ = sync_directory(above);
            }
        } else if !root.is_dir() {
            return Err(StoreError::NothingToResume { path: show(root) });
        }
        let held = match (write, lock) {
            (true, true) => Some(take_lock(&root.join(LOCK))?),
            _ => None,
        };
        // Not without the lock: they might be the holder's, who would then link another's manifest under his name.
        if held.is_some() {
            for path in leftovers {
                let _ = fs::remove_file(path);
            }
        }
        #[cfg(unix)]
        let us = write.then(|| probe(root)).transpose()?;
        #[cfg(not(unix))]
        if write {
            probe(root)?;
        }
        let files = LocalFileSystem::new_with_prefix(root)
            .map_err(|error| StoreError::from_remote(show(root), error))?
            .with_fsync(true);
        Ok(Directory {
            manifests: Remote::new(
                Arc::new(files),
                object_store::path::Path::default(),
                show(root),
            )?,
            spare: Arc::new(Spare {
                objects: objects.clone(),
                files: Mutex::default(),
            }),
            root: root.to_owned(),
            #[cfg(unix)]
            us,
            lock: held,
        })
    }

    fn object(&self, file: &str) -> PathBuf {
        self.root.join(OBJECTS).join(file)
    }

    fn growing(&self, path: PathBuf, file: File) -> Box<dyn Sink> {
        Box::new(Growing {
            path,
            file,
            spare: Arc::clone(&self.spare),
            written: 0,
            finished: false,
        })
    }

    fn fault(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = show(path);
        move |source| StoreError::from_io(path, source)
    }
}

/// Nobody would write over them any more. What stays all the same, or is left by a process that
/// dies, is removed on the next opening.
impl Drop for Directory {
    fn drop(&mut self) {
        self.spare.give_up();
    }
}

/// Files of objects that were discarded, for the next ones to be written over. That saves the file system
/// looking for a free one and for blocks, which where many files come and go took it as long as the writing
/// itself, measured.
#[derive(Debug)]
struct Spare {
    objects: PathBuf,
    /// Their names and lengths.
    files: Mutex<Vec<(String, u64)>>,
}

/// Bytes that spare files may have together, and how many they may be.
const MOST_SPARE_BYTES: u64 = 1 << 25;
const MOST_SPARE: usize = 32;

impl Spare {
    /// Nothing that panics runs under the lock, so a poisoned one is as good.
    fn files(&self) -> MutexGuard<'_, Vec<(String, u64)>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file was taken.
    fn take(&self, file: &str, bytes: u64) -> bool {
        let mut files = self.files();
        let sum = files.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let few = files.len() < MOST_SPARE && sum.saturating_add(bytes) <= MOST_SPARE_BYTES;
        if few {
            files.push((file.to_owned(), bytes));
        }
        few
    }

    /// Removes them all. Returns when their room is free, also if it is another thread that removes them.
    fn give_up(&self) {
        for (file, _) in self.files().drain(..) {
            let _ = fs::remove_file(self.objects.join(file));
        }
    }
}

/// Whether nothing stands in the directory but what a store puts there. Gives what a killed process
/// left of a manifest that it was about to create.
fn check_contents(root: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut leftovers = Vec::new();
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(leftovers),
        Err(error) => return Err(StoreError::from_io(show(root), error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| StoreError::from_io(show(root), error))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let staged = name
            .split_once('#')
            .is_some_and(|(manifest, _)| manifest_number(manifest).is_some());
        if staged || name.starts_with(PROBE) {
            leftovers.push(entry.path());
        } else if !(name == LOCK
            || name == OBJECTS
            // A new file system has one.
            || name == "lost+found"
            || manifest_number(&name).is_some())
        {
            return Err(StoreError::NotAStore {
                path: show(root),
                expected: "an empty directory, or manifests and a directory 'objects'",
                found: format!("'{name}'"),
            });
        }
    }
    Ok(leftovers)
}

/// More files than this are synced together.
#[cfg(target_os = "linux")]
const MANY: usize = 32;

const PROBE: &str = ".probe-";

/// Makes and removes a file; says whose it was.
fn probe(root: &Path) -> Result<u32, StoreError> {
    let path = root.join(format!("{PROBE}{}", std::process::id()));
    let file = File::create(&path);
    let data = file.and_then(|file| file.metadata());
    let data = data.map_err(|source| StoreError::from_io(show(&path), source))?;
    let _ = fs::remove_file(&path);
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::uid(&data));
    #[cfg(not(unix))]
    Ok(u32::from(data.is_dir()))
}

/// A link that somebody put there must not lead us to write over what is his, or not his.
fn no_link(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        options,
        rustix::fs::OFlags::NOFOLLOW.bits().cast_signed(),
    );
    #[cfg(not(unix))]
    let _ = options;
}

/// The lock guards against two starts by mistake; that no harm comes of them is the manifests' work.
#[cfg(unix)]
fn take_lock(path: &Path) -> Result<File, StoreError> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    let fault = |source| StoreError::from_io(show(path), source);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    no_link(&mut options);
    let mut file = options.open(path).map_err(fault)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => {
            let mut holder = String::new();
            let _ = file.take(200).read_to_string(&mut holder);
            let holder = holder.trim();
            let holder = if holder.is_empty() { "unknown" } else { holder };
            return Err(StoreError::InUse {
                path: show(path),
                holder: holder.to_owned(),
            });
        }
        // Some network file systems have no locks.
        Err(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => return Ok(file),
        Err(error) => return Err(fault(error.into())),
    }
    // For the message above only, so a full disk is none of its business.
    let _ = file.set_len(0);
    let _ = writeln!(file, "process {}", std::process::id());
    Ok(file)
}

#[cfg(not(unix))]
fn take_lock(path: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    file.map_err(|source| StoreError::from_io(show(path), source))
}

fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}

impl Backing for Directory {
    fn place(&self) -> String {
        show(&self.root)
    }

    fn object_path(&self, file: &str) -> String {
        show(&self.object(file))
    }

    fn manifest_path(&self, generation: u64) -> String {
        show(&self.root.join(manifest_name(generation)))
    }

    fn create(&self, file: &str) -> Result<Box<dyn Sink>, StoreError> {
        // Nothing else knows of it, whatever comes of this.
        let spare = self.spare.files().pop();
        if let Some((spare, _)) = spare {
            return self.create_over(&spare, file);
        }
        let path = self.object(file);
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = opened.map_err(Directory::fault(&path))?;
        Ok(self.growing(path, file))
    }

    fn create_over(&self, old: &str, file: &str) -> Result<Box<dyn Sink>, StoreError> {
        let path = self.object(file);
        match fs::rename(self.object(old), &path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.create(file),
            Err(error) => return Err(Directory::fault(&path)(error)),
        }
        let mut options = OpenOptions::new();
        options.write(true);
        no_link(&mut options);
        let file = options.open(&path).map_err(Directory::fault(&path))?;
        Ok(self.growing(path, file))
    }

    fn discard(&self, file: &str, bytes: u64) -> Result<(), StoreError> {
        if self.spare.take(file, bytes) {
            return Ok(());
        }
        self.remove(&[file.to_owned()])
    }

    fn open(&self, file: &str) -> Result<Option<Source>, StoreError> {
        if self.spare.files().iter().any(|(spare, _)| spare == file) {
            return Ok(None);
        }
        let path = self.object(file);
        match File::open(&path) {
            Ok(file) => {
                let length = file.metadata().map_err(Directory::fault(&path))?.len();
                // For the headers; blocks are read past it.
                let reader = io::BufReader::with_capacity(1 << 10, file);
                Ok(Some((Box::new(reader), length)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Directory::fault(&path)(error)),
        }
    }

    fn objects(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let path = self.root.join(OBJECTS);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(Directory::fault(&path)(error)),
        };
        let mut found = BTreeMap::new();
        for entry in entries {
            let entry = entry.map_err(Directory::fault(&path))?;
            match entry.metadata() {
                Ok(data) => {
                    found.insert(entry.file_name().to_string_lossy().into_owned(), data.len());
                }
                // Removed by its owner in the meantime.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Directory::fault(&entry.path())(error)),
            }
        }
        Ok(found)
    }

    fn remove(&self, files: &[String]) -> Result<(), StoreError> {
        for file in files {
            let path = self.object(file);
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Directory::fault(&path)(error)),
            }
        }
        Ok(())
    }

    fn sync(&self, files: &[String]) -> Result<(), StoreError> {
        if files.is_empty() {
            return Ok(());
        }
        let path = self.root.join(OBJECTS);
        // Many files cost a pass of the disk each, the whole file system not much more than one.
        #[cfg(target_os = "linux")]
        if files.len() > MANY {
            let synced = File::open(&path).and_then(|objects| Ok(rustix::fs::syncfs(objects)?));
            return synced.map_err(Directory::fault(&path));
        }
        for file in files {
            let path = self.object(file);
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(Directory::fault(&path))?;
        }
        sync_directory(&path).map_err(Directory::fault(&path))
    }

    /// Names only, since whoever has created a manifest must see a higher one if there was any: the highest is
    /// never removed, but while we ask each name for more, as `object_store` does, it may be replaced by a higher
    /// one that we do not know of. A file system gives so few names in one piece.
    fn manifests(&self) -> Result<Vec<u64>, StoreError> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(Directory::fault(&self.root))? {
            let entry = entry.map_err(Directory::fault(&self.root))?;
            numbers.extend(manifest_number(&entry.file_name().to_string_lossy()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn manifest(&self, generation: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.manifests.manifest(generation)
    }

    fn create_manifest(&self, generation: u64, bytes: &[u8]) -> Result<Created, StoreError> {
        match self.manifests.create_manifest(generation, bytes) {
            Err(StoreError::NoSpace { .. }) => {
                self.spare.give_up();
                self.manifests.create_manifest(generation, bytes)
            }
            other => other,
        }
    }

    fn remove_manifest(&self, generation: u64) -> Result<(), StoreError> {
        self.manifests.remove_manifest(generation)
    }

    fn leave(&self) {
        // Not if something lies in it that is not ours.
        let _ = fs::remove_dir(self.root.join(OBJECTS));
        if self.lock.is_some() {
            let _ = fs::remove_file(self.root.join(LOCK));
        }
    }

    #[cfg(unix)]
    fn check_owner(&self, generation: u64) -> Result<(), StoreError> {
        use std::os::unix::fs::MetadataExt;
        let path = self.root.join(manifest_name(generation));
        let owner = fs::metadata(&path).map_err(Directory::fault(&path))?.uid();
        match self.us {
            Some(us) if us != owner => Err(StoreError::WrongOwner {
                path: show(&path),
                owner: crate::error::Owner { owner, us },
            }),
            _ => Ok(()),
        }
    }
}

/// An object's file until it is finished. Removed if it never is: a full disk gets its space back.
struct Growing {
    path: PathBuf,
    file: File,
    /// Given up where the disk is full.
    spare: Arc<Spare>,
    written: u64,
    finished: bool,
}

impl Sink for Growing {
    fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        let mut tried = false;
        while !bytes.is_empty() {
            match self.file.write(bytes) {
                Ok(0) => {
                    let error = io::ErrorKind::WriteZero.into();
                    return Err(Directory::fault(&self.path)(error));
                }
                Ok(written) => {
                    self.written += written as u64;
                    bytes = &bytes[written..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let error = Directory::fault(&self.path)(error);
                    if tried || !matches!(error, StoreError::NoSpace { .. }) {
                        return Err(error);
                    }
                    self.spare.give_up();
                    tried = true;
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        // Another object may have been here that was longer.
        let cut = self.file.metadata().and_then(|data| match data.len() {
            length if length == self.written => Ok(()),
            _ => self.file.set_len(self.written),
        });
        cut.map_err(Directory::fault(&self.path))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}
