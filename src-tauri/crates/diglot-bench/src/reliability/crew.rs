//! Work shared among threads. Owns how many there are; what comes of it is in the order of the tasks, so that a seed gives
//! the same run however the threads take turns.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Result, bail};

/// Threads at once: each waits for a process, and for a moment to come, most of the time.
pub(super) const HANDS: usize = 4;

/// Does every task, and returns what comes of each.
///
/// # Errors
/// The first failure; tasks that nobody has begun are left.
pub(super) fn share<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let tasks: Vec<T> = tasks.into_iter().collect();
    let queue = Mutex::new(tasks.into_iter().enumerate());
    let done = Mutex::new(BTreeMap::new());
    let hand = || -> Result<()> {
        loop {
            let Some((at, task)) = lock(&queue).next() else {
                return Ok(());
            };
            match work(task) {
                Ok(found) => lock(&done).insert(at, found),
                Err(error) => {
                    lock(&queue).by_ref().for_each(drop);
                    return Err(error);
                }
            };
        }
    };
    thread::scope(|scope| {
        let hands: Vec<_> = (0..HANDS).map(|_| scope.spawn(hand)).collect();
        hands.into_iter().try_for_each(|hand| {
            hand.join()
                .unwrap_or_else(|_| bail!("a thread of the harness broke down"))
        })
    })?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(done.into_values().collect())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_comes_of_it_is_in_the_order_of_the_tasks() {
        let doubled = share(0..100, |n| Ok(2 * n)).unwrap();
        assert_eq!(doubled, (0..100).map(|n| 2 * n).collect::<Vec<i32>>());
    }

    #[test]
    fn a_failure_ends_it() {
        let n_begun = AtomicUsize::new(0);
        let work = |_| -> Result<()> {
            n_begun.fetch_add(1, Ordering::SeqCst);
            bail!("no")
        };
        share(0..1000, work).unwrap_err();
        assert!(n_begun.into_inner() <= HANDS);
    }
}
