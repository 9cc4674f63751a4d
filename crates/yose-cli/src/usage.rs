//! What this process has used: processor time and memory. Unknown where the system does not tell.

use std::fs;

/// Processor time of all threads so far, in seconds.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    // Linux counts in hundredths of a second here, whatever the kernel's own clock is.
    Some((f64::from(user) + f64::from(system)) / 100.0)
}

/// The most memory this process has held at a time, in bytes.
pub(crate) fn peak_rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    crate::memory::field_kib(&status, "VmHWM:")
}

/// The memory that this process holds now, in bytes.
pub(crate) fn rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    crate::memory::field_kib(&status, "VmRSS:")
}

/// Gives memory back to the system that was freed here and that the allocator keeps. Where sets of
/// megabytes come and go, that is a good part of it, in pieces.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[allow(
            unsafe_code,
            reason = "no library has it, and a limit of memory cannot be held without"
        )]
        // SAFETY: it takes no pointer, may be called by any thread, and changes no memory that is in use.
        unsafe {
            libc::malloc_trim(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells_both() {
        assert!(cpu_seconds().is_some_and(|seconds| (0.0..1e6).contains(&seconds)));
        assert!(peak_rss_bytes().is_some_and(|bytes| bytes > 100_000));
    }
}
