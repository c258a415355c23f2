//! A future for one value made on another thread. Knows no runtime; dropping either end is fine.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

struct Slot<T> {
    value: Option<T>,
    waker: Option<Waker>,
    is_closed: bool,
}

type Shared<T> = Arc<Mutex<Slot<T>>>;

/// Gives the value.
pub(crate) struct Sender<T>(Shared<T>);

/// Becomes the value, or `None` when the sender went without giving one.
pub(crate) struct Receiver<T>(Shared<T>);

/// Makes two ends.
pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Mutex::new(Slot {
        value: None,
        waker: None,
        is_closed: false,
    }));
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

fn lock<T>(shared: &Shared<T>) -> MutexGuard<'_, Slot<T>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Sender<T> {
    /// Gives the value; dropping the sender wakes the receiver.
    pub(crate) fn send(self, value: T) {
        lock(&self.0).value = Some(value);
    }

    /// Tells whether nobody waits any more.
    pub(crate) fn is_unheard(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let waker = {
            let mut slot = lock(&self.0);
            slot.is_closed = true;
            slot.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut slot = lock(&self.0);
        if slot.value.is_some() || slot.is_closed {
            return Poll::Ready(slot.value.take());
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::block_on;

    #[test]
    fn a_value_from_another_thread_arrives() {
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || sender.send(7));
        assert_eq!(block_on(receiver), Some(7));
        thread.join().unwrap();
    }

    #[test]
    fn a_sender_that_dies_ends_the_wait() {
        let (sender, receiver) = channel::<u8>();
        let thread = std::thread::spawn(move || drop(sender));
        assert_eq!(block_on(receiver), None);
        thread.join().unwrap();
    }

    #[test]
    fn a_dropped_receiver_is_noticed_and_harmless() {
        let (sender, receiver) = channel();
        assert!(!sender.is_unheard());
        drop(receiver);
        assert!(sender.is_unheard());
        sender.send(7);
    }
}
