//! A file that gets its name only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::error::WriteError;

/// A new file in the directory of its final name. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    /// `None` once published.
    file: Option<File>,
}

impl Temporary {
    /// Creates `.NAME.PROCESS-NUMBER.tmp` beside `target`.
    pub(super) fn beside(target: &Path) -> Result<Temporary, WriteError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        // Renaming over a device would replace it for everyone.
        if fs::metadata(target).is_ok_and(|data| !data.is_file()) {
            return Err(WriteError::NotAFile {
                path: target.to_owned(),
            });
        }
        let Some(name) = target.file_name() else {
            return Err(WriteError::NotAFile {
                path: target.to_owned(),
            });
        };
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.tmp", std::process::id()));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    return Ok(Temporary {
                        path,
                        file: Some(file),
                    });
                }
                // Left by a process that was killed and had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(WriteError::Io { path, source }),
            }
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        written.map_err(|source| self.fault(source))
    }

    /// Syncs the file, renames it to `target` and syncs the directory.
    pub(super) fn publish(&mut self, target: &Path) -> Result<(), WriteError> {
        if let Some(file) = &self.file {
            file.sync_all().map_err(|source| self.fault(source))?;
        }
        let io_fault = |source| WriteError::Io {
            path: target.to_owned(),
            source,
        };
        fs::rename(&self.path, target).map_err(io_fault)?;
        self.file = None;
        sync_directory(target).map_err(io_fault)
    }

    fn fault(&self, source: io::Error) -> WriteError {
        WriteError::Io {
            path: self.path.clone(),
            source,
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Closed first: some systems do not remove an open file.
        if self.file.take().is_some() {
            // Nothing can be done if this fails; the name says what it is.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes a rename last. Only Unix lets one open a directory to sync it.
#[cfg(unix)]
fn sync_directory(file: &Path) -> io::Result<()> {
    let directory = file.parent().filter(|path| !path.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
