//! The same on many things at once.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies `work` to all of `things` on so many threads; the results are in order of the things.
pub(crate) fn each<T: Send, R: Send>(
    threads: usize,
    things: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let count = things.len();
    let queue = Mutex::new(things.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let run = || {
            let mut done = Vec::new();
            while let Some((number, thing)) = next() {
                done.push((number, work(thing)));
            }
            done
        };
        let others: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            done.extend(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        let squares: Vec<u32> = (0..100).map(|n| n * n).collect();
        for threads in [1, 3, 200] {
            assert_eq!(
                super::each(threads, (0..100).collect(), |n: u32| n * n),
                squares
            );
        }
        assert!(super::each(4, Vec::<u32>::new(), |n| n).is_empty());
    }
}
