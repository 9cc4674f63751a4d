//! Ctrl-C: exit code 130, and nothing half-written left behind.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::failure::Exit;

/// Whether the main thread would rather stop by itself when it is asked to, and what is said then.
static DEFERRED: Mutex<Option<&str>> = Mutex::new(None);

/// Whether it was.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Files that are being written under another name.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on an interrupt ends the program with the exit code of the contract.
pub(crate) fn install() {
    // It can only fail where handlers cannot be set; then the system's own way to stop will do.
    let _ = ctrlc::set_handler(interrupt);
}

/// What an interrupt does, also if it comes in another way than from the system.
pub(crate) fn interrupt() {
    let deferred = *DEFERRED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = deferred
        && !ASKED.swap(true, Ordering::SeqCst)
    {
        let _ = write!(std::io::stderr(), "{text}");
        return;
    }
    let _ = writeln!(std::io::stderr(), "\ninterrupted");
    end(Exit::Interrupted);
}

/// Ends the program at once, and leaves nothing half-written behind.
#[allow(
    clippy::exit,
    reason = "the computation on the main thread cannot be unwound from another thread"
)]
pub(crate) fn end(exit: Exit) -> ! {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for target in &*unfinished {
        remove_temporaries(target);
    }
    process::exit(exit as i32);
}

/// As long as it lives, the first interrupt is only noted.
#[derive(Debug)]
pub(crate) struct Deferred;

/// From now on the first interrupt is only noted, for whoever makes a checkpoint and then stops.
pub(crate) fn after_a_checkpoint() -> Deferred {
    deferred("\nmaking a checkpoint; interrupt again to stop at once\n")
}

/// The same for whoever passes it on, and says so in its own way.
pub(crate) fn by_others() -> Deferred {
    deferred("")
}

fn deferred(text: &'static str) -> Deferred {
    *DEFERRED.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    Deferred
}

impl Deferred {
    /// Whether there was an interrupt.
    pub(crate) fn is_asked(&self) -> bool {
        ASKED.load(Ordering::SeqCst)
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        *DEFERRED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// On an interrupt, what this process has written of a table that shall be at `target` goes away.
pub(crate) fn remove_unfinished(target: &Path) {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.push(target.to_owned());
}

/// Removes `.NAME.PROCESS-NUMBER.tmp` beside the target, as the writer of tables names it.
fn remove_temporaries(target: &Path) {
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty());
    let Ok(files) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return;
    };
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let start = format!(".{name}.{}-", process::id());
    for file in files.flatten() {
        let name = file.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&start) && name.ends_with(".tmp") {
            // Nothing can be done if this fails; the name says what the file is.
            let _ = fs::remove_file(file.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_process_and_this_table() {
        let folder = std::env::temp_dir().join(format!("yose-interrupt-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let us = process::id();
        let names = [
            format!(".a.yose.{us}-0.tmp"),
            format!(".a.yose.{us}-12.tmp"),
            format!(".a.yose.{}-0.tmp", us + 1),
            format!(".b.yose.{us}-0.tmp"),
            "a.yose".to_owned(),
        ];
        for name in &names {
            fs::write(folder.join(name), "").unwrap();
        }
        remove_temporaries(&folder.join("a.yose"));
        let left: Vec<bool> = names.iter().map(|n| folder.join(n).exists()).collect();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, [false, false, true, true, true]);
    }
}
