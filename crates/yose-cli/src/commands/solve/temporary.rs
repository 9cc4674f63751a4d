//! A folder for one run. What a run that was killed has left behind, the next one removes.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = "yose-processes-";
/// The file in the folder that a run holds locked as long as it lives.
const LOCK: &str = "lock";

/// Removed when dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    folder: TempDir,
    /// Held until the folder is gone.
    _lock: File,
}

impl Temporary {
    /// A new one, among the system's temporary folders.
    pub(super) fn new() -> io::Result<Temporary> {
        let place = std::env::temp_dir();
        sweep(&place);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?;
        // Locked before it has its name: what can be locked under that name is nobody's.
        let file = tempfile::NamedTempFile::new_in(folder.path())?;
        try_lock(file.as_file())?;
        let lock = file.persist(folder.path().join(LOCK))?;
        Ok(Temporary {
            folder,
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what runs of ours have left that are no more. What cannot be removed stays.
fn sweep(place: &Path) {
    for entry in place.read_dir().into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry
                .metadata()
                .is_ok_and(|data| data.is_dir() && is_ours(&data));
        if !ours {
            continue;
        }
        let lock = File::open(entry.path().join(LOCK));
        if lock.is_ok_and(|lock| try_lock(&lock).is_ok()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_ours(data: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(data) == rustix::process::geteuid().as_raw()
}

#[cfg(unix)]
fn try_lock(file: &File) -> io::Result<()> {
    let how = rustix::fs::FlockOperation::NonBlockingLockExclusive;
    Ok(rustix::fs::flock(file, how)?)
}

#[cfg(not(unix))]
fn is_ours(_: &std::fs::Metadata) -> bool {
    // Without locks nobody knows.
    false
}

#[cfg(not(unix))]
fn try_lock(_: &File) -> io::Result<()> {
    Ok(())
}
