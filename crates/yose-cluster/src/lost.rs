//! What to do when a peer is lost.

use std::panic;
use std::sync::{Arc, OnceLock};
use std::thread;

type Then = Arc<dyn Fn(&str) + Send + Sync>;

/// What to call when a peer is lost.
static ON_LOST_PEER: OnceLock<Then> = OnceLock::new();

/// Calls `then` when a peer of this process is lost, on the thread that notices, before anything is
/// torn down. The engine cannot go on without a peer, so `then` should end the process. Only the first
/// call in a process counts.
pub fn on_lost_peer(then: impl Fn(&str) + Send + Sync + 'static) {
    let then: Then = Arc::new(then);
    if ON_LOST_PEER.set(Arc::clone(&then)).is_err() {
        return;
    }
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or_default();
        let thread = thread::current();
        let name = thread.name().unwrap_or_default();
        // The threads of the engine that read and write, and what others say once those are gone.
        if name.starts_with("timely:") || text.contains("timely communication error:") {
            then(text);
        }
        before(info);
    }));
}

/// Somebody is, and no socket noticed.
pub(crate) fn lost(what: &str) {
    if let Some(then) = ON_LOST_PEER.get() {
        then(what);
    }
}
