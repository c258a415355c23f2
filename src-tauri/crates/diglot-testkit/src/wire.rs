//! A server that plays acts on the bare connection: what no well-built server would send. Knows of HTTP only where
//! a request ends.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use socket2::{Domain, SockRef, Socket, Type};

use crate::loopback::{Port, Streams, Watched};
use crate::server::http;

/// How long a connection that cannot be accepted is waited for before the queue counts as full.
const FULL: Duration = Duration::from_millis(50);

/// Names one act of a server on a connection. After the last one the connection is closed in order.
#[derive(Debug, Clone)]
pub enum Act {
    /// Reads one request to its end.
    Read,
    /// Reads the first bytes of anything.
    Hear,
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes again and again, so many times, with a pause after each.
    Repeat {
        /// The bytes.
        bytes: Vec<u8>,
        /// How often.
        n: usize,
        /// The pause.
        pause: Duration,
    },
    /// Sends nothing more until the client leaves.
    Stall,
    /// Breaks the connection off with a reset.
    Reset,
}

impl Act {
    /// Sends text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Send(text.into().into_bytes())
    }

    /// Sends a whole answer with status 200, of this content type, whose end is told by its length.
    pub fn answer(kind: &str, body: &[u8]) -> Self {
        let n = body.len();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {n}\r\n\r\n");
        Self::Send([head.as_bytes(), body].concat())
    }

    /// Sends a whole answer with status 200, of this content type, whose end is told by nothing but the connection's.
    pub fn unbounded(kind: &str, body: &[u8]) -> Self {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
        Self::Send([head.as_bytes(), body].concat())
    }
}

/// Plays acts until it is dropped.
#[derive(Debug)]
pub struct WireServer {
    port: Port,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    log: Watched<Log>,
    streams: Arc<Streams>,
}

#[derive(Debug, Default)]
struct Log {
    n_connections: usize,
    n_requests: usize,
    n_sent: usize,
    n_ended: usize,
    left: Vec<Instant>,
}

impl WireServer {
    /// Starts a server that plays the same acts on every connection.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(acts: Vec<Act>) -> io::Result<Self> {
        Self::each(move |_| acts.clone())
    }

    /// Starts a server whose acts depend on how many connections there were before.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn each(mut acts: impl FnMut(usize) -> Vec<Act> + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let played = Arc::clone(&shared);
        let port = Port::open(Arc::clone(&shared.streams), move |stream| {
            let acts = acts(played.log.look().n_connections);
            played.log.note(|log| log.n_connections += 1);
            let shared = Arc::clone(&played);
            thread::spawn(move || {
                // Whatever goes wrong with a connection means that the client has gone.
                let is_left = play(stream, &acts, &shared).unwrap_or(true);
                shared.log.note(|log| {
                    if is_left {
                        log.left.push(Instant::now());
                    } else {
                        log.n_ended += 1;
                    }
                });
            });
        })?;
        Ok(Self { port, shared })
    }

    /// Returns the address to put into settings.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.port.address)
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.port.address.port()
    }

    /// Returns how many connections there were.
    pub fn n_connections(&self) -> usize {
        self.shared.log.look().n_connections
    }

    /// Returns how many requests were read to their end.
    pub fn n_requests(&self) -> usize {
        self.shared.log.look().n_requests
    }

    /// Returns how many bytes were sent in all.
    pub fn n_sent(&self) -> usize {
        self.shared.log.look().n_sent
    }

    /// Waits until so many requests were read in all; false when that took too long.
    pub fn wait_for_requests(&self, n: usize) -> bool {
        self.shared.log.wait_for(|log| log.n_requests >= n)
    }

    /// Waits until so many bytes were sent in all; false when that took too long.
    pub fn wait_for_sent(&self, n: usize) -> bool {
        self.shared.log.wait_for(|log| log.n_sent >= n)
    }

    /// Waits until the acts of so many connections were over; false when that took too long.
    pub fn wait_for_ends(&self, n: usize) -> bool {
        self.shared.log.wait_for(|log| log.n_ended >= n)
    }

    /// Waits until so many clients have left in the middle of the acts; returns when the last of them did.
    pub fn wait_for_leaving(&self, n: usize) -> Option<Instant> {
        self.shared.log.wait_for(|log| log.left.len() >= n);
        self.shared.log.look().left.get(n.checked_sub(1)?).copied()
    }
}

/// Plays the acts; true when the client left before the last one was over.
fn play(mut stream: TcpStream, acts: &[Act], shared: &Shared) -> io::Result<bool> {
    stream.set_nodelay(true)?;
    for act in acts {
        let is_there = match act {
            Act::Read => {
                let is_there = http::read(&mut stream)?.is_some();
                shared
                    .log
                    .note(|log| log.n_requests += usize::from(is_there));
                is_there
            }
            Act::Hear => stream.read(&mut [0; 1024])? > 0,
            Act::Send(bytes) => {
                stream.write_all(bytes)?;
                shared.log.note(|log| log.n_sent += bytes.len());
                true
            }
            Act::Repeat { bytes, n, pause } => repeat(&mut stream, bytes, *n, *pause, shared)?,
            Act::Stall => !has_left(&mut stream, None)?,
            Act::Reset => {
                // Closing without lingering sends a reset; the list of streams must not keep the socket open.
                SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;
                shared.streams.forget(stream.peer_addr()?);
                return Ok(false);
            }
        };
        if !is_there {
            return Ok(true);
        }
    }
    stream.shutdown(Shutdown::Both)?;
    Ok(false)
}

fn repeat(
    stream: &mut TcpStream,
    bytes: &[u8],
    n: usize,
    pause: Duration,
    shared: &Shared,
) -> io::Result<bool> {
    for _ in 0..n {
        stream.write_all(bytes)?;
        shared.log.note(|log| log.n_sent += bytes.len());
        if !pause.is_zero() && has_left(stream, Some(pause))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Waits until the client leaves, so long at most; tells whether it did.
fn has_left(stream: &mut TcpStream, limit: Option<Duration>) -> io::Result<bool> {
    stream.set_read_timeout(limit)?;
    loop {
        match stream.read(&mut [0; 64]) {
            Ok(0) => return Ok(true),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Holds a port whose queue is full, so that connecting to it takes for ever. The kernels of other systems than
/// Linux answer such a call with a refusal.
#[derive(Debug)]
pub struct FullPort {
    address: SocketAddr,
    _listener: Socket,
    _waiting: Vec<TcpStream>,
}

impl FullPort {
    /// Opens the port and fills its queue.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn open() -> io::Result<Self> {
        let listener = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        listener.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        listener.listen(0)?;
        let unknown = || io::Error::other("the socket has no address");
        let address = listener.local_addr()?.as_socket().ok_or_else(unknown)?;
        let mut waiting = Vec::new();
        while let Ok(stream) = TcpStream::connect_timeout(&address, FULL) {
            waiting.push(stream);
        }
        Ok(Self {
            address,
            _listener: listener,
            _waiting: waiting,
        })
    }

    /// Returns the address to put into settings.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(acts: Vec<Act>) -> (WireServer, TcpStream) {
        let server = WireServer::start(acts).unwrap();
        let mut stream = TcpStream::connect(server.port.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        (server, stream)
    }

    #[test]
    fn acts_are_played_in_order() {
        let again = Act::Repeat {
            bytes: b"ab".to_vec(),
            n: 2,
            pause: Duration::from_millis(1),
        };
        let (server, mut stream) = told(vec![Act::Read, Act::text("x"), again]);
        let mut heard = String::new();
        stream.read_to_string(&mut heard).unwrap();
        assert_eq!(heard, "xabab");
        assert_eq!((server.n_connections(), server.n_requests()), (1, 1));
        assert_eq!(server.n_sent(), 5);
    }

    #[test]
    fn a_reset_and_a_client_that_leaves_are_seen() {
        let (_server, mut stream) = told(vec![Act::Read, Act::Reset]);
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        let (server, stream) = told(vec![Act::Hear, Act::Stall]);
        drop(stream);
        assert!(server.wait_for_leaving(1).is_some());
    }
}
