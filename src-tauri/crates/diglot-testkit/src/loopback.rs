//! What the servers of this crate are made of: a port of loopback that ends with its owner, and a log that can be waited
//! for. Must not know what is said on a connection.

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::PATIENCE;
use crate::gate::lock;

/// Holds the connections of a port, so that they end with it.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    open: Mutex<Vec<TcpStream>>,
    is_stopping: AtomicBool,
}

impl Streams {
    fn keep(&self, stream: &TcpStream) {
        if let Ok(clone) = stream.try_clone() {
            lock(&self.open).push(clone);
        }
    }

    /// Lets go of a connection, so that closing it closes the socket.
    pub(crate) fn forget(&self, address: SocketAddr) {
        lock(&self.open).retain(|other| other.peer_addr().ok() != Some(address));
    }
}

/// Listens until it is dropped.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) address: SocketAddr,
    streams: Arc<Streams>,
    accepting: Option<JoinHandle<()>>,
}

impl Port {
    /// Opens a port and hands over each connection, on the thread that accepts them.
    ///
    /// # Errors
    /// When no port can be had.
    pub(crate) fn open(
        streams: Arc<Streams>,
        mut take: impl FnMut(TcpStream) + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let kept = Arc::clone(&streams);
        let accepting = thread::spawn(move || {
            for stream in listener.incoming() {
                if kept.is_stopping.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                kept.keep(&stream);
                take(stream);
            }
        });
        Ok(Self {
            address,
            streams,
            accepting: Some(accepting),
        })
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.streams.is_stopping.store(true, Ordering::SeqCst);
        // A last connection wakes the accepting thread.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            drop(accepting.join());
        }
        for stream in lock(&self.streams.open).drain(..) {
            // It may be closed already, which is as good.
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

/// Holds what happened, for those who wait for it.
#[derive(Debug, Default)]
pub(crate) struct Watched<T> {
    log: Mutex<T>,
    changed: Condvar,
}

impl<T> Watched<T> {
    /// Looks at what happened so far.
    pub(crate) fn look(&self) -> MutexGuard<'_, T> {
        lock(&self.log)
    }

    /// Adds to it.
    pub(crate) fn note(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.look());
        self.changed.notify_all();
    }

    /// Waits until a condition holds; false when that took too long.
    pub(crate) fn wait_for(&self, condition: impl Fn(&T) -> bool) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.look(), PATIENCE, |log| !condition(log));
        let (log, _) = waited.unwrap_or_else(PoisonError::into_inner);
        condition(&log)
    }
}
